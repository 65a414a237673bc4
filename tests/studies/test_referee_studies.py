"""The studies of the solver, of what can be taken from everybody, and of luck taken out run and claim what they find."""

from pathlib import Path

import pytest

from nemesis.studies.exploitability import LOCAL, SEARCHED, claims
from nemesis.studies.study import Setting, run_study, study_named


def test_the_solver_is_measured_by_method(tmp_path: Path) -> None:
    report = run_study(study_named("solver"), Setting("smoke", 0, 1, tmp_path))
    rows = {row.what: row for row in report.rows}
    assert rows["kuhn, value to the first to act"].ours == pytest.approx(-1 / 18, abs=0.01)
    assert 0 < rows["leduc, exploitability, external-linear"].ours < 0.4
    assert (tmp_path / "solver.png").exists()


def test_everybody_loses_to_whoever_knows_him(tmp_path: Path) -> None:
    report = run_study(study_named("exploitability"), Setting("smoke", 0, 1, tmp_path))
    assert sum(row.kind == "figure" for row in report.rows) == 30
    assert "lower bounds" in report.verdict
    assert (tmp_path / "exploitability.png").exists()


def test_the_claim_is_that_the_equilibrium_player_loses_less() -> None:
    own = {LOCAL: (500.0, (400.0, 600.0)), SEARCHED: (-10.0, (-20.0, 0.0))}
    other = {LOCAL: (900.0, (870.0, 930.0)), SEARCHED: (5.0, (-15.0, 25.0))}
    first, second = claims({"SB": own, "TA": other})
    assert first.ci95 == pytest.approx((400 - 104.4, 400 + 104.4), abs=0.1)
    assert first.note.startswith("holds")
    assert second.note.startswith("undecided")


def test_luck_is_judged_on_the_same_deals(tmp_path: Path) -> None:
    report = run_study(study_named("luck"), Setting("smoke", 0, 1, tmp_path))
    shares = [row.ours for row in report.rows if row.what.endswith("AIVAT, standard error as a share")]
    assert len(shares) == 5
    assert all(0 < share < 1.2 for share in shares)
