"""What the style belief says of real players, and whether it predicts (ours, after Baker 2010, sections 4.2.4 and 7.5).

The belief over LA, LP, TA and TP, with the action table of limit hold'em at four seats, follows each player's informative
actions from a uniform start. What it says: which style leads at the end, and how sure it is of it; a player's VPIP beside
that. Whether it predicts: before each decision with something to call, the believed styles' mixture of the table's row
gives probabilities of fold, call and raise. Their log-loss stands beside that of the same table without a belief, of the
last eight actions only (section 7.5), and of the player's own frequencies so far. Everything is walk-forward; intervals are
over players.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.action_table import DEFAULT_FLOOR
from nemesis.believe.pom_patterns import INPUTS, Patterns
from nemesis.believe.tables import action_table
from nemesis.measure.charts import as_figure, draw_dots, draw_title
from nemesis.measure.interval import mean_interval, share_interval
from nemesis.measure.picture import STYLE_COLOURS, save_figure
from nemesis.rules.games import limit
from nemesis.studies.ordering import ordering
from nemesis.studies.sample import Sampled, sampled_row
from nemesis.studies.stored_players import PLAYERS, patterns_by_player, people, players_with, told_of
from nemesis.studies.study import Report, Row, Setting, Study

WINDOW = 8
"""Actions that the source's windowed belief looks at."""
TABLE, BELIEF, WINDOWED, OWN = "table without a belief", "style belief", f"last {WINDOW} actions", "his own frequencies"
PREDICTORS = (TABLE, BELIEF, WINDOWED, OWN)
_PICTURE = "real-styles.png"


class Followed(NamedTuple):
    """One player: the belief at the end, his VPIP, and by predictor the mean loss of decisions with something to call."""

    belief: NDArray[np.float64]
    vpip: float
    losses: dict[str, float]
    actions: int


def measure(setting: Setting) -> Report:
    """Follow many players through all their hands."""
    players, hands = setting.choose(3, 40, 150), setting.choose(50, 200, 200)
    game = limit().seated(4)
    table = action_table(game)
    frequencies = table.floored(DEFAULT_FLOOR, "street")
    with people(setting) as store:
        chosen = players_with(store, hands, players)[:players]
        every, data = patterns_by_player(store, chosen, setting), told_of(store)
    found = [_follow(patterns, frequencies) for patterns in every]
    rows = [*_claims(found), *_says(table.styles, found), *_losses(found)]
    numbers = {
        "styles": list(table.styles),
        "leads": [table.styles[int(each.belief.argmax())] for each in found],
        "vpip": [each.vpip for each in found],
        "sure": [float(each.belief.max()) for each in found],
        "losses": {name: as_figure(mean_interval([each.losses[name] for each in found])) for name in PREDICTORS},
    }
    return Report(
        _verdict(rows, found, table.styles), rows, {_PICTURE: numbers}, "shares, nats", {**data, "players": len(found)}
    )


def _follow(patterns: Patterns, frequencies: NDArray[np.float64]) -> Followed:
    """Walk through one player's decisions. `frequencies` is by style, street and action."""
    columns = {
        name: patterns.inputs[:, INPUTS.index(name)] for name in ("flop", "turn", "river", "immediate pot ratio")
    }
    street = (columns["flop"] + 2 * columns["turn"] + 3 * columns["river"]).astype(np.int64)
    facing = columns["immediate pot ratio"] > 0
    informative = facing | (patterns.done != 1)
    logs = np.where(informative[:, None], np.log(frequencies[:, street, patterns.done]).T, 0.0)
    seen = np.cumsum(logs, axis=0)
    before = np.concatenate([np.zeros((1, len(frequencies))), seen[:-1]])
    count = np.concatenate([[0], np.cumsum(informative)[:-1]])
    places = np.flatnonzero(informative)
    since = np.where(count > WINDOW, places[np.maximum(count - WINDOW, 0).clip(max=len(places) - 1)], 0)
    windowed = before - np.concatenate([np.zeros((1, len(frequencies))), seen])[since]
    said = {
        TABLE: np.full_like(before, 1 / len(frequencies)),
        BELIEF: _normal(before),
        WINDOWED: _normal(windowed),
    }
    rows = np.flatnonzero(facing)
    by_style = frequencies[:, street[rows], patterns.done[rows]].T
    losses = {name: float(-np.log((belief[rows] * by_style).sum(axis=1)).mean()) for name, belief in said.items()}
    losses[OWN] = _own_loss(street[rows], patterns.done[rows])
    entered = np.zeros(patterns.rounds, bool)
    entered[patterns.round[(street == 0) & (patterns.done > 0) & (facing | (patterns.done == 2))]] = True
    return Followed(_normal(seen[-1:])[0], float(entered.mean()), losses, int(informative.sum()))


def _normal(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    normal: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
    return normal


def _own_loss(street: NDArray[np.int64], done: NDArray[np.int64]) -> float:
    """The loss of the player's own shares so far on that street, each action having been seen once before."""
    counts = np.ones((4, 3))
    loss = 0.0
    for at, action in zip(street.tolist(), done.tolist(), strict=True):
        loss -= np.log(counts[at, action] / counts[at].sum())
        counts[at, action] += 1
    return loss / max(1, len(done))


def _over(values: Any) -> Sampled:
    return Sampled(*mean_interval(values), PLAYERS)


def _claims(found: list[Followed]) -> list[Row]:
    def gain(one: str, other: str) -> Sampled:
        return _over([each.losses[one] - each.losses[other] for each in found])

    return [
        ordering("the belief predicts better than its table without it, log-loss", "", gain(TABLE, BELIEF)),
        ordering("the whole history predicts better than the last eight actions", "", gain(WINDOWED, BELIEF)),
        ordering("the belief predicts better than his own frequencies", "", gain(OWN, BELIEF)),
    ]


def _says(styles: tuple[str, ...], found: list[Followed]) -> list[Row]:
    leads = np.array([int(each.belief.argmax()) for each in found])
    rows = [
        sampled_row(f"{style.upper()} leads", _share(leads == number), note=_vpip(found, leads == number))
        for number, style in enumerate(styles)
    ]
    return [*rows, sampled_row("how sure it is of the style that leads", _over([each.belief.max() for each in found]))]


def _share(chosen: NDArray[np.bool_]) -> Sampled:
    return Sampled(*share_interval(int(chosen.sum()), len(chosen)), PLAYERS)


def _vpip(found: list[Followed], chosen: NDArray[np.bool_]) -> str:
    if not chosen.any():
        return "nobody"
    mean = np.mean([each.vpip for each, counts in zip(found, chosen, strict=True) if counts])
    return f"{int(chosen.sum())} players, mean VPIP {mean:.0%}"


def _losses(found: list[Followed]) -> list[Row]:
    return [sampled_row(f"log-loss: {name}", _over([each.losses[name] for each in found])) for name in PREDICTORS]


def _verdict(rows: list[Row], found: list[Followed], styles: tuple[str, ...]) -> str:
    told = {row.what: row for row in rows}
    leads = ", ".join(f"{style.upper()} of {told[f'{style.upper()} leads'].ours:.0%}" for style in styles)
    loss = {name: told[f"log-loss: {name}"].ours for name in PREDICTORS}
    sure = told["how sure it is of the style that leads"].ours
    return (
        f"After all hands the belief names a style for each of {len(found)} players: {leads}, and is {sure:.1%} sure on "
        f"average. Its predictions of what is done when there is something to call have log-loss {loss[BELIEF]:.3f}; the "
        f"table without a belief has {loss[TABLE]:.3f}, the last eight actions {loss[WINDOWED]:.3f}, and the player's own "
        f"frequencies, which know no styles, {loss[OWN]:.3f}."
    )


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """Left each player's VPIP by the style that leads; right the log-losses."""
    with save_figure(path, (11, 4.6)) as figure:
        left, right = figure.subplots(1, 2, width_ratios=(1.3, 1))
        for place, style in enumerate(numbers["styles"]):
            shares = [vpip for vpip, lead in zip(numbers["vpip"], numbers["leads"], strict=True) if lead == style]
            spread = np.linspace(-0.25, 0.25, len(shares)) if len(shares) > 1 else [0.0] * len(shares)
            left.plot(
                place + np.asarray(spread),
                sorted(100 * share for share in shares),
                "o",
                color=STYLE_COLOURS[style],
                markersize=4,
            )
        left.set_xticks(range(len(numbers["styles"])), [style.upper() for style in numbers["styles"]])
        left.set(xlabel="style that the belief names", ylabel="VPIP of the player, per cent", title="what it says")
        for place, figure_of in enumerate(numbers["losses"].values()):
            draw_dots(right, [place], [figure_of], "#0072B2")
        right.set_xticks(range(len(numbers["losses"])), [name.replace(" ", "\n", 1) for name in numbers["losses"]])
        right.set(
            ylabel="log-loss, nats, ± 95 % over players", title="whether it predicts,\nwhen there is something to call"
        )
        draw_title(figure, "Style beliefs about real players")


STUDY = Study(
    "real-styles",
    "Style beliefs about real players",
    "ours, after Baker 2010, sections 4.2.4 and 7.5",
    measure,
    {_PICTURE: draw},
)
