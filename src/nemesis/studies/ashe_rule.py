"""What ASHE's decision rule leaves on the table when the rates it is given are true (the ASHE paper, section 3.1.3).

The rule looks one step ahead: it knows the chips that are in and not those that come later. Whether that, or what the
estimators have learned, stands between ASHE and the best known counters cannot be seen in ASHE itself, whose estimates
are not honest. So two players learn each opponent for a long time (`respond.counted_rule`). They see the same kinds of
decisions and have the same actions; one acts by the rule on rates it has counted, the other by what such hands brought in
the mean. What the second takes more is what the rule leaves out. RG is not met: it becomes somebody else every 50 hands, so
there is nobody to be learned for good.

Every match is one learner from the beginning, in both seats, so the sample is runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nemesis.measure.adaptation import earnings_by_stretch
from nemesis.measure.charts import as_figure, draw_groups, draw_key, draw_title
from nemesis.measure.interval import Interval, mean_interval
from nemesis.measure.picture import BLUE, ORANGE, save_figure
from nemesis.respond.counted_rule import Worth, counted_rule
from nemesis.rules.games import no_limit
from nemesis.solve.no_limit_ceiling import shipped_ceilings
from nemesis.studies.ordering import decided
from nemesis.studies.published_opponents import PRESENT
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.verdict import listed

WORTHS: Mapping[Worth, str] = {"rates": "the rule on counted rates", "results": "what such hands brought"}
CHANGES = "RG"

_PICTURE = "ashe-rule.png"
_COLOURS = {WORTHS["rates"]: ORANGE, WORTHS["results"]: BLUE}
_SAID = {"holds": "costs", "does not hold": "gains", "undecided": "no clear difference"}


def measure(setting: Setting) -> Report:
    """Both learners against everybody that stays the same."""
    game = no_limit()
    learns, checks = setting.choose(2_000, 200_000, 1_000_000), setting.choose(500, 50_000, 250_000)
    runs = setting.choose(2, 3, 4)
    rows, gaps, shares = [], {}, {}
    for opponent in (o for o in PRESENT if o.code != CHANGES):
        setting.progress(f"the rule v {opponent.code}, {runs} runs of {learns:,} hands in each seat")
        taken = {
            worth: earnings_by_stretch(
                game, counted_rule(game, worth, learns), opponent.seated(game), [learns, learns + checks], runs,
                seed=setting.seed, workers=setting.workers,
            )[:, 1]
            for worth in WORTHS
        }  # fmt: skip
        best = shipped_ceilings()[opponent.agent].mean
        gaps[opponent.code] = mean_interval(taken["results"] - taken["rates"])
        shares[opponent.name] = {what: as_figure(mean_interval(taken[w] / best)) for w, what in WORTHS.items()}
        for worth, what in WORTHS.items():
            mean, ci95 = mean_interval(taken[worth])
            note = f"{mean / best:.0%} of {best:,.0f}"
            rows.append(Row(f"{opponent.code}: {what}", mean, ci95, note=note, sample=f"{runs} runs"))
        gap, ci95 = gaps[opponent.code]
        left = f"{opponent.code}: left out by the rule"
        rows.append(Row(left, gap, ci95, note=_SAID[decided(ci95)], sample=f"{runs} runs"))
    drawn = {
        "opponents": list(shares),
        "shares": {what: [share[what] for share in shares.values()] for what in WORTHS.values()},
    }
    data = {"learns": learns, "checks": checks, "runs": runs}
    return Report(verdict(gaps), rows, {_PICTURE: drawn}, "mBB/hand", data)


def verdict(gaps: Mapping[str, tuple[float, Interval]]) -> str:
    """Against whom the rule costs something although its rates are true."""
    costs = [f"{code} ({gap:,.0f})" for code, (gap, ci95) in gaps.items() if ci95[0] > 0]
    gains = [f"{code} ({-gap:,.0f})" for code, (gap, ci95) in gaps.items() if ci95[1] < 0]
    return (
        f"With true rates the rule takes significantly less, in mBB/hand, than the results of the same actions teach from "
        f"{listed(costs)}; significantly more from {listed(gains)}. Of {len(gaps)} opponents; kinds of decisions are the "
        f"same for both."
    )


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """Dots by opponent: the share of the best known counter, with its interval."""
    with save_figure(path, (10, 4.8)) as figure:
        axes = figure.add_subplot()
        names = [name.replace(" ", "\n", 1) for name in numbers["opponents"]]
        draw_groups(axes, names, numbers["shares"], _COLOURS)
        axes.set(ylabel="share of the ceiling or best known counter, ± 95 %")
        axes.set_ylim(min(0.0, axes.get_ylim()[0]), 1.1)
        draw_title(figure, "What the one-step rule takes with true rates, and what its results would teach")
        draw_key(figure, axes)


STUDY = Study("ashe-rule", "What ASHE's rule leaves out", "the ASHE paper, section 3.1.3", measure, {_PICTURE: draw})
