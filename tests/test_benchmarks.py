"""The page of benchmarks is made of sections that are measured apart and keep their last figures."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from benchmarks import __main__ as command
from benchmarks import report
from benchmarks.section import Finding, Section, Verdict


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(report, "PAGE", tmp_path / "benchmarks.md")
    monkeypatch.setattr(report, "KEPT", tmp_path / "benchmarks.json")
    return tmp_path


def _run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["benchmarks", *words])
    return command.main()


def test_a_section_measured_again_leaves_the_others_as_they_were(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rate = iter([5.0, 7.0])
    sections = {
        "slow": Section(
            "slow", "Slow things", 9, lambda options: Finding("slow text", [Verdict("slow", "s", 2, 1, True)])
        ),
        "fast": Section("fast", "Fast things", 1, lambda options: Finding(f"rate {next(rate)}")),
        "new": Section("new", "New things", 1, lambda options: Finding("never measured")),
    }
    monkeypatch.setattr(command, "SECTIONS", sections)
    assert _run(monkeypatch, "slow", "fast") == 0
    kept = json.loads((docs / "benchmarks.json").read_text())
    kept["slow"]["date"] = "2001-02-03"
    (docs / "benchmarks.json").write_text(json.dumps(kept))
    assert _run(monkeypatch, "fast") == 0
    page = (docs / "benchmarks.md").read_text()
    assert "rate 7.0" in page
    assert "rate 5.0" not in page
    assert "`python -m benchmarks slow`, 2001-02-03" in page
    assert "| slow | < 2 s | 1 | yes | 2001-02-03 |" in page
    assert "Not measured yet: new." in page


def test_a_section_that_fails_keeps_its_last_figures_and_is_told(
    docs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(options: object) -> Finding:
        raise RuntimeError("no browser")

    monkeypatch.setattr(command, "SECTIONS", {"lab": Section("lab", "The lab", 1, lambda options: Finding("a click"))})
    assert _run(monkeypatch) == 0
    monkeypatch.setattr(command, "SECTIONS", {"lab": Section("lab", "The lab", 1, broken)})
    assert _run(monkeypatch) == 1
    assert "lab could not be measured: RuntimeError: no browser" in capsys.readouterr().err
    assert "a click" in (docs / "benchmarks.md").read_text()


def test_an_unknown_section_is_told_the_known_ones(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        _run(monkeypatch, "nonsense")
    assert ended.value.code == 2
    assert "there is no section nonsense; choose from rates, start" in capsys.readouterr().err
