"""What a page may name as an agent: never a file."""

from pathlib import Path

import pytest

from nemesis.lab.agent_names import agent_names, agent_path
from nemesis.names import UnknownName


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    for name in ("neat-la-1", "x"):
        (tmp_path / "runs" / name).mkdir(parents=True)
    (tmp_path / "runs" / "neat-la-1" / "champion.json").write_text("{}")
    return tmp_path


def test_registered_agents_champions_and_runs_can_be_named(lab: Path) -> None:
    for name in ("la", "style:alpha=0.3,beta=0.7", "neat-belief", "counter-la", "tp+bluff=0.12", "lp-to-tp@half", "clone:*",
                 "clone:rW/Mypl+x@PokerStars", "equilibrium", "hypercube"):  # fmt: skip
        assert agent_path(name, lab) == name
    assert agent_path("run:neat-la-1", lab) == str(lab / "runs" / "neat-la-1" / "champion.json")
    assert {"la", "neat-belief", "run:neat-la-1"} <= set(agent_names(lab))
    assert "run:x" not in agent_names(lab)


@pytest.mark.parametrize(
    "name",
    [
        "/tmp/evil.py:Agent", "evil.py:Agent", "../runs/neat-la-1", "run:../../etc", "run:x", "runs/neat-la-1/champion.json",
        "counter-/etc/evil.py:Agent", "la:__import__('os')", "", "style:alpha=1;x", "la+../../evil.json",
        "la+x.json", "solved.npz", "clone:x.json", "clone:../x", "clone:x.py", "clone:", "clone:a\\b", "clone:" + "x" * 99,
    ],
)  # fmt: skip
def test_paths_and_programs_are_refused(lab: Path, name: str) -> None:
    with pytest.raises(UnknownName):
        agent_path(name, lab)
