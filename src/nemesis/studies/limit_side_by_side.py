"""The players of three documents at the same limit tables, on the same deals (ours; none of the documents did it).

The hypercube, the analysis player and the best fixed pair of thresholds, and the champion with round-based beliefs where it
ships and has a seat: heads-up, at four seats and at ten, and at tables that change their style in the middle. The pair is
chosen on deals of its own for each number of seats. The unit of an interval is a match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.charts import as_figure, draw_groups, draw_key, draw_level, draw_title
from nemesis.measure.epochs import play_epochs
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import GREEN, GREY, ORANGE, PURPLE, save_figure
from nemesis.play.workers import run_blocks
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.champion import shipped_champions
from nemesis.rules.by_name import game as named_game
from nemesis.runtime.streams import Stream, derived_seed
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.verdict import listed

_PICTURE = "limit-side-by-side.png"
HANDS = 100
HYPERCUBE, ANALYSIS, BELIEF, PAIR = "hypercube", "analysis", "limit-belief", "best fixed pair"
_COLOURS = {HYPERCUBE: PURPLE, ANALYSIS: ORANGE, BELIEF: GREEN, PAIR: GREY}
PAIRS = [pair for pair in product((0.1, 0.2, 0.3, 0.4, 0.5, 0.6), (0.3, 0.5, 0.7, 0.9)) if pair[0] <= pair[1]]
_CHOOSING, _MEASURING = 60, 61  # stages of deals, apart from the other studies of the hypercube


@dataclass(frozen=True)
class Table:
    """A game, those who sit there beside the player, and the styles they have in turn."""

    game: str
    styles: tuple[tuple[str, ...], ...]

    def opponents(self, change: int) -> tuple[str, ...]:
        """The opponents by name; whoever changes does so after `change` hands."""
        return tuple(f"{'-to-'.join(them)}@{change}" if len(them) > 1 else them[0] for them in self.styles)


TABLES: Mapping[str, Table] = {
    **{f"heads-up {style.upper()}": Table("limit", ((style,),)) for style in ("la", "lp", "ta", "tp")},
    "four seats": Table("limit", (("la",), ("lp",), ("tp",))),
    "ten seats": Table("ring", (("la",),) * 6 + (("tp",),) * 3),
    "heads-up LA to TP": Table("limit", (("la", "tp"),)),
    "ten seats LA to TP": Table("ring", (("la", "tp"),) * 9),
}


def measure(setting: Setting) -> Report:
    """Choose the pairs, then seat everybody in turn."""
    matches, epochs = setting.choose(2, 20, 200), setting.choose(2, 10, 20)
    setting.progress("the best fixed pairs")
    pairs = _best_pairs(setting, matches, epochs)
    chips: dict[str, dict[str, NDArray[np.float64]]] = {}
    for name, table in TABLES.items():
        setting.progress(name)
        names = {HYPERCUBE: HYPERCUBE, ANALYSIS: ANALYSIS, BELIEF: BELIEF, PAIR: pairs[len(table.styles)]}
        seated = {who: agent for who, agent in names.items() if _has_a_seat(agent, table)}
        chips[name] = {
            who: _played(setting, agent, table, matches, epochs, _MEASURING) for who, agent in seated.items()
        }
    rows = [_row(name, who, found) for name, players in chips.items() for who, found in players.items()]
    words = _verdict(chips, pairs)
    return Report(words, rows, {_PICTURE: _numbers(chips)}, "chips a hand")


def _has_a_seat(agent: str, table: Table) -> bool:
    """Whether the player is there and sits down at such a table; a champion may be for another number of seats."""
    if agent == BELIEF and agent not in shipped_champions():
        return False
    try:
        compiled_agent(agent, named_game(table.game, len(table.styles) + 1))
    except ValueError:
        return False
    return True


def _played(setting: Setting, agent: str, table: Table, matches: int, epochs: int, stage: int) -> NDArray[np.float64]:
    """Chips a hand by match and epoch; a table that changes does so half-way."""
    opponents = table.opponents(HANDS * epochs // 2)
    seed = derived_seed(setting.seed, Stream.HYPERCUBE, stage)
    play = partial(_match, agent, table.game, opponents, epochs, seed)
    return np.array(list(run_blocks(play, range(matches), setting.workers))) / HANDS


def _match(agent: str, game: str, opponents: Sequence[str], epochs: int, seed: int, number: int) -> NDArray[np.float64]:
    chosen = named_game(game, len(opponents) + 1)
    agents = [compiled_agent(name, chosen) for name in (agent, *opponents)]
    return play_epochs(chosen, agents, epochs, hands=HANDS, seed=seed, number=number).chips[:, 0].astype(np.float64)


def _best_pairs(setting: Setting, matches: int, epochs: int) -> dict[int, str]:
    """By number of opponents, the pair that earns most on average at the tables of that size."""
    best = {}
    for opponents in {len(table.styles) for table in TABLES.values()}:
        alike = [table for table in TABLES.values() if len(table.styles) == opponents]
        earned = [
            np.mean(
                [
                    _played(setting, _pair(pair), table, max(1, matches // 4), epochs, _CHOOSING).mean()
                    for table in alike
                ]
            )
            for pair in PAIRS
        ]
        best[opponents] = _pair(PAIRS[int(np.argmax(earned))])
    return best


def _pair(pair: tuple[float, float]) -> str:
    return f"style:alpha={pair[0]:g},beta={pair[1]:g}"


def _row(table: str, who: str, chips: NDArray[np.float64]) -> Row:
    ahead = np.flatnonzero(np.cumsum(chips.mean(axis=0)) <= 0)
    first = 0 if ahead.size == 0 else int(ahead[-1]) + 1
    note = f"ahead from hand {HANDS * (first + 1)} on" if first < chips.shape[1] else "not ahead at the end"
    if " to " in table:
        half = chips.shape[1] // 2
        parts = [mean_interval(chips[:, part].mean(axis=1))[0] for part in (slice(None, half), slice(half, half + 1),
                                                                             slice(half + 1, None))]  # fmt: skip
        note = f"{parts[0]:+.2f} before the change, {parts[1]:+.2f} in the {HANDS} hands after it, {parts[2]:+.2f} then"
    return Row(f"{table}: {who}", *mean_interval(chips.mean(axis=1)), note=note)


def _verdict(chips: Mapping[str, Mapping[str, NDArray[np.float64]]], pairs: Mapping[int, str]) -> str:
    best: dict[str, list[str]] = {}
    for table, players in chips.items():
        best.setdefault(max(players, key=lambda who: players[who].mean()), []).append(table)
    told = "; ".join(f"{who} at {listed(tables)}" for who, tables in best.items())
    fixed = listed(f"{pair} against {opponents}" for opponents, pair in sorted(pairs.items()))
    words = f"Who takes most on average: {told}. The fixed pairs are {fixed}."
    missing = "" if any(BELIEF in players for players in chips.values()) else f" {BELIEF} is not shipped yet."
    return words + missing


def _numbers(chips: Mapping[str, Mapping[str, NDArray[np.float64]]]) -> dict[str, Any]:
    series = {
        who: [
            as_figure(mean_interval(players[who].mean(axis=1))) if who in players else None
            for players in chips.values()
        ]
        for who in _COLOURS
    }
    return {"tables": list(chips), "series": {who: found for who, found in series.items() if any(found)}}


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """Everybody at every table."""
    with save_figure(path, (11, 4.2)) as figure:
        axes = figure.subplots()
        draw_groups(
            axes, [table.replace(" LA to", "\nLA to") for table in numbers["tables"]], numbers["series"], _COLOURS
        )
        draw_level(axes, 0, "even")
        axes.set_ylabel("chips a hand")
        draw_title(
            figure, "Four ways to answer styles, at the same limit tables on the same deals (± 95 % over matches)"
        )
        draw_key(figure, axes)


STUDY = Study(
    "limit-side-by-side",
    "Hypercube, analysis player, belief network and fixed pair at the same tables",
    "ours: none of the documents compares them",
    measure,
    {_PICTURE: draw},
)
