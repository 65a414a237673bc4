"""The players of three documents at the same limit tables, on the same deals (ours; none of the documents did it).

The hypercube, the analysis player, the best fixed pair of thresholds, and the champion with round-based beliefs where it
has a seat: heads-up, at four seats, at ten, and at tables that change in the middle. The pair is chosen on deals of its own
for each number of seats. The unit of an interval is a match. A player is ahead for good when what it has won so far stays
above nothing until the match ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.charts import as_figure, draw_groups, draw_key, draw_level, draw_title, draw_trace
from nemesis.measure.epochs import play_epochs
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import GREEN, GREY, INK, ORANGE, PURPLE, save_figure
from nemesis.play.workers import run_blocks
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.champion import shipped_champions
from nemesis.rules.by_name import game as named_game
from nemesis.runtime.streams import Stream, derived_seed
from nemesis.studies.hypercube_curve import smoothed
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.verdict import listed

_PICTURE = "limit-side-by-side.png"
HANDS = 10
"""Hands of a stretch, the smallest that is told apart."""
SOON = 100
"""Hands after a change that count as its aftermath."""
HYPERCUBE, ANALYSIS, BELIEF, PAIR = "hypercube", "analysis", "belief network", "best fixed pair"
CHAMPIONS = {2: "limit-belief", 4: "limit-neat-four-belief"}
"""The champions with round-based beliefs, by seats; none comes with the house for ten."""
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
    "four seats LA to TP": Table("limit", (("la", "tp"),) * 3),
    "ten seats LA to TP": Table("ring", (("la", "tp"),) * 9),
}


def measure(setting: Setting) -> Report:
    """Choose the pairs, then seat everybody in turn."""
    matches, epochs = setting.choose(2, 20, 100), setting.choose(40, 100, 200)
    setting.progress("the best fixed pairs")
    pairs = _best_pairs(setting, matches, epochs)
    chips: dict[str, dict[str, NDArray[np.float64]]] = {}
    for name, table in TABLES.items():
        setting.progress(name)
        seated = {HYPERCUBE: HYPERCUBE, ANALYSIS: ANALYSIS, PAIR: pairs[len(table.styles)]}
        champion = CHAMPIONS.get(len(table.styles) + 1)
        if champion in shipped_champions():
            seated[BELIEF] = champion
        chips[name] = {
            who: _played(setting, agent, table, matches, epochs, _MEASURING) for who, agent in seated.items()
        }
    rows = [_row(name, who, found) for name, players in chips.items() for who, found in players.items()]
    words = _verdict(chips, pairs)
    return Report(words, rows, {_PICTURE: _numbers(chips)}, "chips a hand")


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


def hands_until_ahead(chips: NDArray[np.float64]) -> NDArray[np.float64]:
    """By match the hands after which what was won so far stays above nothing; infinite if it does not at the end."""
    behind = np.cumsum(chips, axis=1) <= 0
    last = np.where(behind.any(axis=1), chips.shape[1] - behind[:, ::-1].argmax(axis=1), 0)
    return np.where(last == chips.shape[1], np.inf, HANDS * (last + 1.0))


def _quartiles(chips: NDArray[np.float64]) -> tuple[float, float, float]:
    """The median and the quartiles of the hands until a player is ahead for good."""
    low, middle, high = np.quantile(hands_until_ahead(chips), (0.25, 0.5, 0.75), method="inverted_cdf")
    return float(middle), float(low), float(high)


def _row(table: str, who: str, chips: NDArray[np.float64]) -> Row:
    if " to " in table:
        half, soon = chips.shape[1] // 2, max(1, SOON // HANDS)
        before, after, then = (
            chips[:, part].mean() for part in (slice(None, half), slice(half, half + soon), slice(half + soon, None))
        )
        note = f"{before:+.2f} before the change, {after:+.2f} in the {soon * HANDS} hands after it, {then:+.2f} then"
    else:
        middle, low, high = (f"{hands:,.0f}" if np.isfinite(hands) else "never" for hands in _quartiles(chips))
        note = f"hands until ahead for good: median {middle}, quartiles {low} and {high}"
    return Row(f"{table}: {who}", *mean_interval(chips.mean(axis=1)), note=note)


def _verdict(chips: Mapping[str, Mapping[str, NDArray[np.float64]]], pairs: Mapping[int, str]) -> str:
    best: dict[str, list[str]] = {}
    for table, players in chips.items():
        best.setdefault(max(players, key=lambda who: players[who].mean()), []).append(table)
    told = "; ".join(f"{who} at {listed(tables)}" for who, tables in best.items())
    fixed = listed(f"{pair} against {opponents}" for opponents, pair in sorted(pairs.items()))
    late = {table: {who: _late(found) for who, found in players.items()} for table, players in chips.items()}
    kept = "; ".join(
        f"{table}: {max(players, key=players.__getitem__)}" for table, players in late.items() if " to " in table
    )
    return (
        f"Who takes most on average: {told}. After a change of style, from {SOON} hands after it on: {kept}. "
        f"The fixed pairs are {fixed}. The belief network is `{CHAMPIONS[2]}` heads-up and `{CHAMPIONS[4]}`, as published, "
        "at four seats."
    )


def _late(chips: NDArray[np.float64]) -> float:
    """Chips a hand when a change is some time past."""
    return float(chips[:, chips.shape[1] // 2 + SOON // HANDS :].mean())


def _numbers(chips: Mapping[str, Mapping[str, NDArray[np.float64]]]) -> dict[str, Any]:
    def by_player(tables: Sequence[str], figure: Callable[[NDArray[np.float64]], Any]) -> dict[str, list[Any]]:
        return {
            who: [figure(chips[table][who]) if who in chips[table] else None for table in tables] for who in _COLOURS
        }

    steady = [table for table in chips if " to " not in table]
    width = SOON // HANDS
    traces = {
        table: {who: [as_figure(mean_interval(column)) for column in smoothed(found, width).T]
                for who, found in players.items()} for table, players in chips.items() if table not in steady
    }  # fmt: skip
    return {
        "tables": list(chips),
        "series": by_player(list(chips), lambda found: as_figure(mean_interval(found.mean(axis=1)))),
        "steady": steady,
        "until": by_player(steady, lambda found: [min(hands, HANDS * found.shape[1]) for hands in _quartiles(found)]),
        "traces": traces,
    }


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """Above everybody at every table, then hands until ahead, below the tables that change."""
    with save_figure(path, (11, 10)) as figure:
        grid = figure.add_gridspec(3, len(numbers["traces"]))
        above, middle = figure.add_subplot(grid[0, :]), figure.add_subplot(grid[1, :])
        labels = [table.replace(" LA to", "\nLA to") for table in numbers["tables"]]
        draw_groups(above, labels, numbers["series"], _COLOURS)
        draw_level(above, 0, "even")
        above.set_ylabel("chips a hand, ± 95 % over matches")
        draw_groups(middle, numbers["steady"], numbers["until"], _COLOURS)
        middle.set(yscale="log", ylabel="hands until ahead for good\n(log scale; at the top: never)")
        middle.set_title("half of the matches lie within the bars, the dots are medians", fontsize="small")
        for place, (table, players) in enumerate(numbers["traces"].items()):
            axes = figure.add_subplot(grid[2, place])
            for who, trace in players.items():
                draw_trace(axes, SOON * (np.arange(len(trace)) + 0.5), trace, _COLOURS[who])
            axes.axvline(SOON * len(trace) / 2, color=INK, linestyle=":", linewidth=1.2)
            draw_level(axes, 0, "even")
            axes.set(title=table, xlabel=f"hands (means of {SOON})", ylabel="chips a hand" if place == 0 else "")
        draw_title(figure, "Four ways to answer styles, at the same limit tables on the same deals")
        draw_key(figure, above)


STUDY = Study(
    "limit-side-by-side",
    "Hypercube, analysis player, belief network and fixed pair at the same tables",
    "ours: none of the documents compares them",
    measure,
    {_PICTURE: draw},
)
