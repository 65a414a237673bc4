"""What can be taken from the styles at limit hold'em: how the ceiling grows with buckets, and that play earns it.

Nothing of this is published. For each style the best response is found with more and more buckets of our win probability,
valued on fresh deals, and the last one is played in fresh matches of 300 hands. The method takes anybody who acts on its
win probability and the betting, so TP that bluffs and frozen copies of the hypercube stand below, on fewer deals.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nemesis.measure.charts import as_figure, draw_dots, draw_key, draw_title, panels
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import GREEN, ORANGE, PURPLE, STYLE_WORDS, save_figure
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.champion import champion_agent, shipped_champions
from nemesis.respond.hypercube import Hypercube, hypercube
from nemesis.respond.hypercube_starts import tight_aggressive_genes
from nemesis.respond.styles import STYLES
from nemesis.rules.game import Game
from nemesis.rules.games import limit
from nemesis.solve.limit_ceiling import BUCKETS as USUAL_BUCKETS
from nemesis.solve.limit_ceiling import LimitCeiling, limit_ceiling
from nemesis.studies.limit_players import HANDS, Chips, fresh_chips
from nemesis.studies.study import Report, Row, Setting, Study

BUCKETS = (2, 5, 10, 20, 40)
_PICTURE = "limit-ceilings.png"


def measure(setting: Setting) -> Report:
    """Every style with every number of buckets."""
    game, deals = limit(), setting.choose(1_000, 100_000, 400_000)
    buckets = BUCKETS[:2] if setting.scale == "smoke" else BUCKETS
    matches = setting.choose(2, 700, 3_000)
    rows, agree = [], []
    drawn: dict[str, dict[str, Any]] = {}
    for style in STYLES:
        setting.progress(style)
        opponent = compiled_agent(style, game)
        found = [limit_ceiling(opponent, game, buckets=count, deals=deals, fresh=deals) for count in buckets]
        for each in found:
            note = f"{HANDS * each.found:,.0f} on the {deals:,} deals it was found on"
            rows.append(Row(f"{style.upper()}, {each.buckets} buckets", HANDS * each.value, _chips(each), note=note))
        meets, row, chips = _played(style.upper(), found[-1], opponent, setting, matches)
        agree.append(meets)
        rows.append(row)
        drawn[style] = {
            "buckets": list(buckets),
            "found": [HANDS * each.found for each in found],
            "value": [(HANDS * each.value, HANDS * each.ci95[0], HANDS * each.ci95[1]) for each in found],
            "played": as_figure(mean_interval(chips)),
        }
    for words, opponent in _others(game).items():
        setting.progress(words)
        few = deals // 2
        each = limit_ceiling(opponent, game, deals=few, fresh=few)
        note = f"{HANDS * each.found:,.0f} on the {few:,} deals it was found on"
        rows.append(Row(f"{words}, {USUAL_BUCKETS} buckets", HANDS * each.value, _chips(each), note=note))
        meets, row, _ = _played(words, each, opponent, setting, matches)
        agree.append(meets)
        rows.append(row)
    told = ", ".join(f"{style.upper()} {numbers['value'][-1][0]:,.0f}" for style, numbers in drawn.items())
    words = (
        f"The best response takes in {HANDS} hands: {told}. Played, it earns what was worked out against {sum(agree)} of "
        f"{len(agree)} opponents, bluffers and frozen copies of the hypercube among them (both intervals overlap). From 10 "
        "buckets on the value hardly changes."
    )
    return Report(words, rows, {_PICTURE: drawn}, f"chips in {HANDS} hands")


def _chips(found: LimitCeiling) -> tuple[float, float]:
    """The interval of its value in chips of a match."""
    return HANDS * found.ci95[0], HANDS * found.ci95[1]


def _played(
    words: str, found: LimitCeiling, opponent: CompiledAgent, setting: Setting, matches: int
) -> tuple[bool, Row, Chips]:
    """Whether the response earns in play what was worked out, the row of it, and its chips by match."""
    chips = fresh_chips([found.player()], [[opponent]], found.game, setting, matches)[0, 0]
    played, (low, high) = mean_interval(chips)
    margin = HANDS * (found.ci95[1] - found.ci95[0]) / 2
    meets = low - margin <= HANDS * found.value <= high + margin
    note = "as promised" if meets else "not as promised"
    what = f"{words}, {found.buckets} buckets, played"
    return meets, Row(what, played, (low, high), ceiling=HANDS * found.value, note=note), chips


def _others(game: Game) -> dict[str, CompiledAgent]:
    """Others who act on their win probability: TP that bluffs, A, and the shipped hypercube's cells against two styles."""
    found: dict[str, CompiledAgent] = {
        f"TP that bluffs {p:g}": compiled_agent(f"tp+bet={p:g}", game) for p in (0.2, 0.5)
    }
    found["A, frozen"] = hypercube(game, tight_aggressive_genes(1), by="together", learning=False, name="a")
    learned = champion_agent(shipped_champions()["hypercube"], game)
    assert isinstance(learned, Hypercube)
    for style in ("la", "tp"):
        group = learned.groups.index(style)
        genes = learned.genes()[group : group + 1]
        name = f"hypercube's cells against {style.upper()}, frozen"
        found[name] = hypercube(game, genes, by="together", learning=False, name=name)
    return found


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """A panel for every style: value by buckets, on the bank and on fresh deals, and what play earned."""
    with save_figure(path, (10, 5.5)) as figure:
        every = panels(figure, len(numbers), 2)
        for axes, (style, drawn) in zip(every, numbers.items(), strict=True):
            places = list(range(len(drawn["buckets"])))
            axes.plot(
                places, drawn["found"], color=ORANGE, marker="s", markersize=4, label="on the deals it was found on"
            )
            draw_dots(axes, places, drawn["value"], PURPLE, "on fresh deals, ± 95 %")
            draw_dots(axes, [places[-1] + 0.5], [drawn["played"]], GREEN, "played, ± 95 %")
            axes.set_xticks(places, [str(count) for count in drawn["buckets"]])
            axes.set(title=f"against {STYLE_WORDS[style]}", xlabel="buckets of our win probability")
        figure.supylabel(f"chips in {HANDS} hands")
        draw_title(figure, "The most that can be taken from each style, by how finely we see our own hand")
        draw_key(figure, every[0])


STUDY = Study(
    "limit-ceilings",
    "Best responses to the styles at limit hold'em",
    "ours; the opponents are those of Baker 2010, chapter 7",
    measure,
    {_PICTURE: draw},
)
