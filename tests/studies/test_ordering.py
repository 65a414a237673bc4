"""An ordering is decided by its interval, and a report tells claims from figures."""

from pathlib import Path

from nemesis.studies.ordering import decided, exactly, ordering, orderings_summary
from nemesis.studies.study import Report, Row, Setting, Study, markdown


def test_a_claim_is_decided_only_where_the_interval_leaves_out_nothing() -> None:
    assert decided((0.01, 0.03)) == "reproduced"
    assert decided((-0.03, -0.01)) == "not reproduced"
    assert decided((-0.01, 0.03)) == decided((0.0, 0.0)) == "undecided"


def test_claims_are_summed_up_and_figures_are_not_counted() -> None:
    rows = [
        ordering("tight over loose", ".85 > .55", (0.3, (0.2, 0.4))),
        ordering("never folds", "(0, .8)", exactly(-0.3), "exact"),
        ordering("belief over none", ".97 > .87", (0.01, (-0.01, 0.03)), "too short a run"),
        Row("a figure", 0.5, (0.4, 0.6)),
    ]
    assert orderings_summary(rows).strip() == (
        "Of 3 published orderings 1 is reproduced, 1 is not (never folds), 1 is undecided (belief over none)."
    )
    assert orderings_summary(rows[3:]) == ""
    assert [row.note for row in rows[:3]] == ["reproduced", "not reproduced; exact", "undecided; too short a run"]


def test_a_report_shows_claims_apart_from_figures() -> None:
    claim, figure = ordering("tight over loose", ".85 > .55", (0.3, (0.2, 0.4))), Row("a figure", 0.5, (0.4, 0.6), 0.55)
    study = Study("some", "Some study", "Baker 2010, fig. 1", lambda setting: Report(""))
    text = markdown(study, Setting("quick", 7, 1, Path(), study="some"), Report("So.", [figure, claim]))
    assert "| tight over loose | .85 > .55 | +0.3000 | +0.2000 … +0.4000 | reproduced |" in text
    assert "| a figure | 0.5500 | 0.5000 | 0.4000 … 0.6000 |  |  |" in text
    assert text.index("tight over loose") < text.index("a figure")
    assert "`nemesis study some --scale quick --seed 7`" in text
