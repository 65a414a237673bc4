"""An ordering is decided by its interval, and a report tells claims from figures."""

from pathlib import Path

import pytest

from nemesis.studies.ordering import decided, exactly, ordering, orderings_summary
from nemesis.studies.sample import over_runs, sampled_row, shares_over_runs
from nemesis.studies.study import Cost, Report, Row, RunCost, Setting, Study, markdown, run_study


def test_a_claim_is_decided_only_where_the_interval_leaves_out_nothing() -> None:
    assert decided((0.01, 0.03)) == "holds"
    assert decided((-0.03, -0.01)) == "does not hold"
    assert decided((-0.01, 0.03)) == decided((0.0, 0.0)) == "undecided"


def test_only_runs_make_a_claim_reproduced() -> None:
    assert decided((0.01, 0.03), "5 runs") == "reproduced"
    assert decided((-0.03, -0.01), "2 runs") == "not reproduced"
    assert decided((0.01, 0.03), "deals of 1 run") == decided((0.01, 0.03), "exact") == "holds"
    assert ordering("a", "b", over_runs([[0.1, 0.3], [0.2, 0.3], [0.15, 0.25]])).note == "reproduced"
    assert ordering("a", "b", over_runs([[0.1, 0.11, 0.12]])).note == "holds"


def test_the_interval_of_several_runs_is_over_their_means_and_that_of_one_over_its_deals() -> None:
    runs = over_runs([[0.0, 0.2], [0.3, 0.5], [0.1, 0.3]])
    assert runs.sample == "3 runs"
    assert runs.mean == pytest.approx(0.2333, abs=1e-4)
    assert runs.ci95 == pytest.approx((0.2333 - 0.3795, 0.2333 + 0.3795), abs=1e-3)  # t of 2 degrees: 4.303 s / sqrt(3)
    assert over_runs([[0.3, 0.5]]).sample == "deals of 1 run"
    assert shares_over_runs([[0.0], [0.6]]).ci95 == (0.0, 1.0)
    assert sampled_row("hidden nodes", over_runs([[3.0]])).ci95 is None


def test_claims_are_summed_up_and_figures_are_not_counted() -> None:
    rows = [
        ordering("tight over loose", ".85 > .55", (0.3, (0.2, 0.4))),
        ordering("never folds", "(0, .8)", exactly(-0.3), "exact"),
        ordering("belief over none", ".97 > .87", (0.01, (-0.01, 0.03)), "too short a run"),
        Row("a figure", 0.5, (0.4, 0.6)),
    ]
    assert orderings_summary(rows).strip() == (
        "Of 3 published orderings tested over deals or exactly 1 holds, 1 does not (never folds), 1 is undecided (belief "
        "over none)."
    )
    assert orderings_summary(rows[3:]) == ""
    assert [row.note for row in rows[:3]] == ["holds", "does not hold; exact", "undecided; too short a run"]
    assert [row.sample for row in rows[:3]] == ["deals", "exact", "deals"]


def test_claims_over_runs_are_counted_apart() -> None:
    rows = [
        ordering("belief over none", ".97 > .87", over_runs([[0.1], [0.11], [0.12]])),
        ordering("tight over loose", ".85 > .55", (0.3, (0.2, 0.4))),
    ]
    assert orderings_summary(rows).strip() == (
        "Of 1 published ordering tested over runs 1 is reproduced. "
        "Of 1 published ordering tested over deals or exactly 1 holds."
    )


def test_a_report_shows_claims_apart_from_figures() -> None:
    claim, figure = ordering("tight over loose", ".85 > .55", (0.3, (0.2, 0.4))), Row("a figure", 0.5, (0.4, 0.6), 0.55)
    study = Study("some", "Some study", "Baker 2010, fig. 1", lambda setting: Report(""))
    text = markdown(study, Setting("quick", 7, 1, Path(), study="some"), Report("So.", [figure, claim]))
    assert "| tight over loose | .85 > .55 | +0.3000 | +0.2000 … +0.4000 | deals | holds |" in text
    assert "| a figure | 0.5500 | 0.5000 | 0.4000 … 0.6000 | deals |  |  |" in text
    assert text.index("tight over loose") < text.index("a figure")
    assert "`nemesis study some --scale quick --seed 7`" in text


def test_a_report_lists_its_runs_with_seeds_and_what_they_took() -> None:
    study = Study("some", "Some study", "Baker 2010, fig. 1", lambda setting: Report(""))
    size = "400 generations of 100, 4 × 100 games"
    made = [RunCost("neat-belief", size, seed, 400.0, cpu) for seed, cpu in ((0, 300.0), (1_000_003, 320.0))]
    setting = Setting("full", 0, 1, Path(), study="some", runs=2, made=made)
    text = markdown(study, setting, Report("So.", cost=Cost(12.0, 9.0)))
    assert f"| `neat-belief` | {size} | 2 | 0, 1000003 | 310 | 400 |" in text
    assert "Measured in 12 seconds, 9 of CPU time." in text
    assert "`nemesis study some --scale full --seed 0 --runs 2`" in text


def test_a_number_of_runs_that_is_no_sample_is_refused() -> None:
    with pytest.raises(ValueError, match="0 runs of each evolution is no sample"):
        Setting("full", 0, 1, Path(), runs=0)


def test_of_runs_below_the_sources_scale_nothing_is_reproduced(tmp_path: Path) -> None:
    def measure(setting: Setting) -> Report:
        rows = [ordering("belief over none", ".97 > .87", over_runs([[0.1], [0.11], [0.12]]))]
        return Report(f"So.{orderings_summary(rows)}", rows)

    study = Study("some", "Some study", "Baker 2010, fig. 1", measure)
    short, full = (run_study(study, Setting(scale, 0, 1, tmp_path)) for scale in ("quick", "full"))
    assert (short.rows[0].sample, short.rows[0].note) == ("3 short runs", "holds")
    assert short.verdict.endswith("Of 1 published ordering tested over short runs 1 holds.")
    assert (full.rows[0].sample, full.rows[0].note) == ("3 runs", "reproduced")
    assert decided((0.01, 0.03), "3 short runs") == "holds"
