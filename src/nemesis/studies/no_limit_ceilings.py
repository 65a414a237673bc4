"""What can be taken from each of the ten opponents of the ASHE paper: exactly where that is possible, else what is known.

CM, HM and SL have exact ceilings (`solve.no_limit_ceiling`), and the simple players who are meant to reach them are
seated to see whether they do. Against the other seven a family of counter-strategies (`respond.parametric_counter`) is
searched (`solve.counter_search`) from several starts, and once more from the counter-strategy to another opponent that does
best here. Then everything that was found against anybody, the simple counters, the other nine opponents and the champions of
ASHE are compared on further deals, and the best of them is measured on deals that nothing was chosen on. That is the *best
known counter*: somebody takes it, so it can be taken, and more may be.

RG changes every 50 hands, which nobody in the family notices. Beside its figure stands what somebody would take who was
told every change at once: the mean of the ceilings of the four it plays.

`ceilings.json` in the report's folder is what `respond/counters/no-limit.json` of the package was made from at full
scale.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.charts import draw_dots, draw_key, draw_title
from nemesis.measure.earnings import earnings
from nemesis.measure.interval import Interval, mean_interval
from nemesis.measure.picture import BLUE, CEILING_LINE, PUBLISHED_MARK, save_figure
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.champion import shipped_champions
from nemesis.respond.known_counters import patient, thief
from nemesis.respond.parametric_counter import parametric_counter
from nemesis.rules.game import Game
from nemesis.rules.games import no_limit
from nemesis.runtime.atomic import write_json
from nemesis.runtime.streams import Stream, derived_seed
from nemesis.solve.counter_search import Effort, Genome
from nemesis.solve.counter_search import search as search_counter
from nemesis.solve.no_limit_ceiling import (
    CALLING,
    HOTHEAD,
    KNOWN,
    Ceiling,
    Exact,
    ceiling_against_careless,
    ceiling_against_scared,
    shipped_ceilings,
)
from nemesis.studies.no_limit_opponents import rank_correlation
from nemesis.studies.published_opponents import PRESENT, SOLVED, Opponent
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.verdict import listed

PROVEN = {"hm": "patient", "cm": "patient", "sl": "thief"}
"""Opponents with exact ceilings, and who is meant to reach them."""

SEARCHES = 10
"""More than there are searches against one opponent; each has deals of its own."""

_PICTURE = "no-limit-ceilings.png"
_FILE = "ceilings.json"


def measure(setting: Setting) -> Report:
    """Every opponent in turn."""
    game = no_limit()
    found: dict[str, Ceiling] = {}
    genomes: dict[str, list[float]] = {}
    reached: dict[str, tuple[float, Interval]] = {}
    searched = {
        opponent.agent: [search(opponent, game, setting, start) for start in range(setting.choose(1, 2, 3))]
        for opponent in PRESENT
        if opponent.agent not in PROVEN
    }
    for at, opponent in enumerate(PRESENT):
        setting.progress(f"{opponent.code}, {opponent.name}")
        if opponent.agent in PROVEN:
            found[opponent.agent] = proven(opponent, game, setting)
            reached[opponent.agent] = taken(_named(PROVEN[opponent.agent], game), opponent, game, setting, at)
        else:
            genome, found[opponent.agent] = best_known(opponent, game, setting, searched)
            genomes[opponent.agent] = genome.tolist()
    knowing = float(np.mean([found[name].mean for name in ("hm", "cm", "sl", "cs")]))
    write_json(setting.folder / _FILE, as_json(found, genomes, setting))
    drawn = [
        {"name": o.name, "kind": found[o.agent].kind, "figure": (found[o.agent].mean, *found[o.agent].ci95), "a4": o.a4}
        for o in PRESENT
    ]
    rows = [_row(opponent, found[opponent.agent], reached.get(opponent.agent), knowing) for opponent in PRESENT]
    data = {"told_every_change": knowing, "reached": {name: [mean, *ci95] for name, (mean, ci95) in reached.items()}}
    return Report(verdict(found, reached, knowing), rows, {_PICTURE: drawn}, "mBB/hand", data)


def proven(opponent: Opponent, game: Game, setting: Setting) -> Ceiling:
    """The exact ceiling. At smoke scale the one that was shipped, for the tree of HM takes minutes to fold back."""
    if setting.scale == "smoke":
        return shipped_ceilings()[opponent.agent]
    exact = exact_ceiling(opponent.agent, game)
    worth = game.unit[1]
    how = "the big blind, to within what waiting could add" if exact.low < exact.high else "folding the whole tree back"
    bounds = (exact.low * worth, exact.high * worth)
    return Ceiling(opponent.agent, "exact", bounds[0], bounds, PROVEN[opponent.agent], how)


def exact_ceiling(agent: str, game: Game) -> Exact:
    """The ceiling of HM, CM or SL in chips per hand."""
    if agent == "sl":
        return ceiling_against_scared(game)
    return ceiling_against_careless(game, HOTHEAD if agent == "hm" else CALLING)


def search(opponent: Opponent, game: Game, setting: Setting, start: int, genome: Genome | None = None) -> Genome:
    """The mean genome after some generations; from the middle of the family, or from a genome and near it."""
    seed = derived_seed(setting.seed, Stream.CEILING_SEARCH, SEARCHES * PRESENT.index(opponent) + start)
    effort = Effort(setting.choose(2, 60, 150), setting.choose(5, 25, 25), setting.choose(1, 4, 4))

    def say(generation: int, mean: float) -> None:
        if generation % 20 == 19:
            setting.progress(
                f"{opponent.code}, search {start + 1}: generation {generation + 1}, {mean:,.0f} mBB/hand on average"
            )

    rival = _agent(opponent, game)
    return search_counter(rival, game, effort, seed=seed, start=genome, workers=setting.workers, say=say)


def best_known(
    opponent: Opponent, game: Game, setting: Setting, searched: Mapping[str, Sequence[Genome]]
) -> tuple[Genome, Ceiling]:
    """The best genome searched against this opponent, and what the best of everybody who could play it takes."""
    at = PRESENT.index(opponent)
    own = list(searched[opponent.agent])
    elsewhere = [genome for name, genomes in searched.items() if name != opponent.agent for genome in genomes]
    rates = compared([parametric_counter(game, genome) for genome in elsewhere], opponent, game, setting)
    own.append(search(opponent, game, setting, len(own), elsewhere[int(np.argmax(rates))]))
    others = [_agent(other, game) for other in PRESENT if other.code != opponent.code]
    champions = [compiled_agent(name, game) for name in shipped_champions() if name.startswith("ashe-")]
    family = [parametric_counter(game, genome) for genome in (*own, *elsewhere)]
    candidates = [*family, patient(game), thief(game), *others, *champions]
    rates = compared(candidates, opponent, game, setting)
    best = candidates[int(np.argmax(rates))]
    mean, ci95 = taken(best, opponent, game, setting, at)
    how = (
        f"the best of {len(candidates)}, {len(own)} of them searched against it (the searches end at "
        f"{', '.join(f'{rate:,.0f}' for rate in rates[: len(own)])}), on {setting.choose(4, 200, 1000) * 2000:,} fresh hands"
    )
    return own[int(np.argmax(rates[: len(own)]))], Ceiling(opponent.agent, KNOWN, mean, ci95, best.name, how)


def compared(
    candidates: Sequence[CompiledAgent], opponent: Opponent, game: Game, setting: Setting
) -> NDArray[np.float64]:
    """What each takes, on the deals on which a choice is made."""
    seed = derived_seed(setting.seed, Stream.CEILING_CHOICE, PRESENT.index(opponent))
    matches, rival = setting.choose(2, 40, 100), _agent(opponent, game)
    won = earnings(game, candidates, [rival], matches, 1000, seed=seed, workers=setting.workers)
    rates: NDArray[np.float64] = won.mean(axis=(1, 2))
    return rates


def taken(counter: CompiledAgent, opponent: Opponent, game: Game, setting: Setting, at: int) -> tuple[float, Interval]:
    """What a counter-strategy takes on deals that nothing was chosen on."""
    matches, rival = setting.choose(4, 200, 1000), _agent(opponent, game)
    seed = derived_seed(setting.seed, Stream.CEILING_MEASURE, at)
    return mean_interval(earnings(game, [counter], [rival], matches, 1000, seed=seed, workers=setting.workers)[0, 0])


def _agent(opponent: Opponent, game: Game) -> CompiledAgent:
    return opponent.seated(game)


def _named(name: str, game: Game) -> CompiledAgent:
    return patient(game) if name == "patient" else thief(game)


def as_json(found: Mapping[str, Ceiling], genomes: Mapping[str, list[float]], setting: Setting) -> dict[str, Any]:
    """What the package ships."""
    entries = {
        name: {
            "kind": ceiling.kind, "mean": round(ceiling.mean, 1), "ci95": [round(end, 1) for end in ceiling.ci95],
            "by": ceiling.by, "how": ceiling.how, **({"genome": genomes[name]} if name in genomes else {}),
        }
        for name, ceiling in found.items()
    }  # fmt: skip
    return {"game": "no-limit", "unit": "mBB/hand", "command": setting.command, "ceilings": entries}


def verdict(found: Mapping[str, Ceiling], reached: Mapping[str, tuple[float, Interval]], knowing: float) -> str:
    """What is exact, what is a bound, whether the order is the published one."""
    exact = [f"{o.code} {found[o.agent].mean:,.0f}" for o in PRESENT if found[o.agent].kind == "exact"]
    bounds = [f"{o.code} {found[o.agent].mean:,.0f}" for o in PRESENT if found[o.agent].kind != "exact"]
    shares = [f"{name} {mean / found[name].mean:.1%}" for name, (mean, _) in reached.items()]
    alike = rank_correlation([found[o.agent].mean for o in PRESENT], [o.a4 for o in PRESENT])
    return (
        f"Exact ceilings in mBB/hand: {listed(exact)}, of which the players meant to reach them take {listed(shares)} on "
        f"fresh deals. Best known counters to the others: {listed(bounds)}; somebody told of every change of RG would take "
        f"{knowing:,.0f}. {order(found)} The rank correlation with what A4 took in table 3 is {alike:.2f}. "
        f"{SOLVED.code} is solved and no scripted opponent; `nemesis exploit equilibrium` says what it loses."
    )


def order(found: Mapping[str, Ceiling]) -> str:
    """Whether TP, TA and HP lose in the order of table 2."""
    high, moderate, low = (found[name] for name in ("nl-tp", "nl-ta", "hp"))
    apart = high.ci95[0] > moderate.ci95[1] and moderate.ci95[0] > low.ci95[1]
    return (
        f"TP > TA > HP, table 2's high, moderate and low, {'holds' if apart else 'does not hold'} beyond the intervals."
    )


def _row(opponent: Opponent, ceiling: Ceiling, reached: tuple[float, Interval] | None, knowing: float) -> Row:
    note = f"{ceiling.kind}: {ceiling.how}; by {ceiling.by}"
    if reached is not None:
        mean, (low, high) = reached
        note += f", who takes {mean:,.0f} ({low:,.0f} … {high:,.0f})"
    if opponent.agent == "rg":
        note += f"; told every change {knowing:,.0f}"
    exact = ceiling.mean if ceiling.kind == "exact" else None
    return Row(f"{opponent.code}, {opponent.name}", ceiling.mean, ceiling.ci95, opponent.a4, exact, note)


def draw(numbers: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Ceilings and what A4 took, on a logarithmic scale; what is not above 1 mBB/hand cannot be shown on it."""
    with save_figure(path, (10, 4.8)) as figure:
        axes = figure.add_subplot()
        axes.set_yscale("log")
        exact = [(place, o["figure"][0]) for place, o in enumerate(numbers) if o["kind"] == "exact"]
        bounds = [
            (place, o["figure"]) for place, o in enumerate(numbers) if o["kind"] != "exact" and o["figure"][0] > 1
        ]
        at = np.array([place for place, _ in exact])
        axes.hlines([mean for _, mean in exact], at - 0.3, at + 0.3, **CEILING_LINE, label="ours: exact ceiling")
        least = 0.5 * min([o["a4"] for o in numbers] + [mean for _, (mean, _, _) in bounds])
        shown = [[mean, max(low, least / 10), high] for _, (mean, low, high) in bounds]
        draw_dots(axes, [place for place, _ in bounds], shown, BLUE, "ours: best known counter, ± 95 %", marker="^")
        axes.plot(range(len(numbers)), [o["a4"] for o in numbers], **PUBLISHED_MARK, label="published: what A4 takes")
        axes.set_xticks(range(len(numbers)), [o["name"].replace(" ", "\n", 1) for o in numbers])
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axes.set(ylabel="mBB/hand (log scale)", ylim=(least, None))
        draw_title(figure, "What can be taken from each no-limit opponent")
        draw_key(figure, axes)


STUDY = Study(
    "no-limit-ceilings",
    "What can be taken from each no-limit opponent",
    "the ASHE paper, tables 2 and 3",
    measure,
    {_PICTURE: draw},
)
