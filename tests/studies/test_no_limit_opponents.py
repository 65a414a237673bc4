"""The study of the ten opponents says what its counts say."""

import json
from pathlib import Path

import numpy as np
import pytest

from nemesis import names
from nemesis.observe.statistics import COUNTS
from nemesis.studies.no_limit_opponents import (
    PRESENT,
    THINKING,
    Observed,
    Pair,
    against_all,
    as_matrix,
    checked,
    rank_correlation,
)
from nemesis.studies.published_opponents import OPPONENTS
from nemesis.studies.study import Setting, run_study, study_named


@pytest.mark.slow
def test_it_writes_statistics_and_matrix(tmp_path: Path) -> None:
    report = run_study(study_named("no-limit-opponents"), Setting("smoke", 0, 1, tmp_path))
    written = json.loads((tmp_path / "report.json").read_text())
    assert "| HM |" in (tmp_path / "tables.md").read_text()
    assert [row["what"].partition(",")[0] for row in written["rows"][: len(PRESENT)]] == [o.code for o in PRESENT]
    assert [row["what"].partition(":")[0] for row in written["rows"][len(PRESENT) :]] == list(THINKING)
    assert (tmp_path / "matrix.png").read_bytes().startswith(b"\x89PNG")
    assert np.allclose(np.array(written["data"]["matrix"]["means"]), -np.array(written["data"]["matrix"]["means"]).T)
    claims = written["data"]["claims"]
    assert all(claims["HM"].values())
    assert all(claims["CM"].values())
    assert "SB, which is solved, has its row in ashe-table" in report.verdict


def test_every_opponent_of_table_2_is_registered_under_its_name() -> None:
    assert {o.agent for o in OPPONENTS} <= set(names.AGENTS)
    assert len(OPPONENTS) == 11


def test_a_claim_holds_only_if_the_whole_interval_agrees() -> None:
    quiet = np.array([[float(name == "hands") for name in COUNTS]] * 3)
    assert all(holds for _, holds in checked(Observed("CM", quiet)))
    once = quiet + np.array([[float(name == "bets")] * 3 for name in COUNTS]).T * [[1.0], [0.0], [0.0]]
    assert [text for text, holds in checked(Observed("CM", once)) if not holds] == ["never bets"]
    by_round = np.array([[{"hands": 100.0, "vpip": vpip}.get(name, 0.0) for name in COUNTS] for vpip in (70, 79, 80)])
    assert dict(checked(Observed("CS", by_round)))["plays fewer than 80 % of hands"] is False  # 76 %, ± 14
    assert dict(checked(Observed("CS", by_round[[0, 0, 0]])))["plays fewer than 80 % of hands"]


def test_the_matrix_is_seen_from_both_sides() -> None:
    pair = Pair(0, 1, np.array([100.0, 300.0]), np.zeros((2, 2, len(COUNTS))))
    matrix = as_matrix([pair], 400, 0)
    assert (matrix.means[0, 1], matrix.means[1, 0]) == (200, -200)
    assert against_all(1, [pair])[0] == -200


def test_rank_correlation_knows_same_and_opposite_order() -> None:
    assert rank_correlation([1, 5, 9], [2, 30, 31]) == pytest.approx(1)
    assert rank_correlation([1, 5, 9], [9, 5, 1]) == pytest.approx(-1)


@pytest.mark.slow
def test_the_study_of_ceilings_writes_what_the_package_ships(tmp_path: Path) -> None:
    report = run_study(study_named("no-limit-ceilings"), Setting("smoke", 0, 1, tmp_path))
    written = json.loads((tmp_path / "ceilings.json").read_text())
    assert set(written["ceilings"]) == {o.agent for o in PRESENT}
    assert written["command"] == "nemesis study no-limit-ceilings --scale smoke --seed 0"
    for row in report.rows:
        assert row.ci95 is not None
        assert row.ci95[0] <= row.ours <= row.ci95[1]
        assert row.note.startswith(("exact: ", "best known counter: "))
