"""What can be taken from the styles at limit hold'em: how the ceiling grows with buckets, and that play earns it.

Nothing of this is published. For each style the best response is found with more and more buckets of our win probability,
valued on fresh deals, and the last one is played in fresh matches of 300 hands.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nemesis.measure.charts import as_figure, draw_dots, draw_key, draw_title, panels
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import GREEN, ORANGE, PURPLE, STYLE_WORDS, save_figure
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.styles import STYLES
from nemesis.rules.games import limit
from nemesis.solve.limit_ceiling import limit_ceiling
from nemesis.studies.limit_players import HANDS, fresh_chips
from nemesis.studies.study import Report, Row, Setting, Study

BUCKETS = (2, 5, 10, 20, 40)
_PICTURE = "limit-ceilings.png"


def measure(setting: Setting) -> Report:
    """Every style with every number of buckets."""
    game, deals = limit(), setting.choose(1_000, 100_000, 1_000_000)
    buckets = BUCKETS[:2] if setting.scale == "smoke" else BUCKETS
    matches = setting.choose(2, 700, 3_000)
    rows, agree = [], []
    drawn: dict[str, dict[str, Any]] = {}
    for style in STYLES:
        setting.progress(style)
        opponent = compiled_agent(style, game)
        found = [limit_ceiling(opponent, game, buckets=count, deals=deals, fresh=deals) for count in buckets]
        for each in found:
            ci95 = (HANDS * each.ci95[0], HANDS * each.ci95[1])
            note = f"{HANDS * each.found:,.0f} on the {deals:,} deals it was found on"
            rows.append(Row(f"{style.upper()}, {each.buckets} buckets", HANDS * each.value, ci95, note=note))
        chips = fresh_chips([found[-1].player()], [[opponent]], game, setting, matches)[0, 0]
        played, (low, high) = mean_interval(chips)
        margin = HANDS * (found[-1].ci95[1] - found[-1].ci95[0]) / 2
        meets = low - margin <= HANDS * found[-1].value <= high + margin
        agree.append(meets)
        rows.append(Row(f"{style.upper()}, {found[-1].buckets} buckets, played", played, (low, high),
                        ceiling=HANDS * found[-1].value, note="as promised" if meets else "not as promised"))  # fmt: skip
        drawn[style] = {
            "buckets": list(buckets),
            "found": [HANDS * each.found for each in found],
            "value": [(HANDS * each.value, HANDS * each.ci95[0], HANDS * each.ci95[1]) for each in found],
            "played": as_figure(mean_interval(chips)),
        }
    told = ", ".join(f"{style.upper()} {numbers['value'][-1][0]:,.0f}" for style, numbers in drawn.items())
    words = (
        f"The best response takes in {HANDS} hands: {told}. Played, it earns what was worked out against {sum(agree)} of "
        f"{len(STYLES)} styles (both intervals overlap). From 10 buckets on the value hardly changes."
    )
    return Report(words, rows, {_PICTURE: drawn}, f"chips in {HANDS} hands")


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
