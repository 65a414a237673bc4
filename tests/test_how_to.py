"""The pages on adding a player and a learner are followed to the letter, in a copy of the sources."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"([^\n]*)\n\n```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"`(src/[\w/]+\.py)`:$")
TABLE = re.compile(r"^Register .*the table `(\w+)` of `(src/[\w/]+\.py)`:$")


def follow(page: str, place: Path) -> list[str]:
    """Write the files, insert the lines, and run the commands and the code of a page; what they printed."""
    shutil.copytree(ROOT / "src", place / "src", ignore=shutil.ignore_patterns("__pycache__"))
    printed = []
    for before, kind, text in BLOCK.findall((ROOT / "docs/how-to" / page).read_text()):
        if registered := TABLE.search(before):
            table, path = registered.groups()
            names = (place / path).read_text()
            assert text.count("\n") == 1, "it is to be one line"
            (place / path).write_text(re.sub(rf"^({table}: .* = {{\n)", rf"\1{text}", names, flags=re.MULTILINE))
        elif named := FILE.search(before):
            (place / named[1]).write_text(text)
        elif kind == "console":
            printed += [run(place, *line.removeprefix("$ ").split()) for line in text.splitlines()]
        else:
            printed.append(run(place, "python", "-c", text))
    return printed


def run(place: Path, program: str, *arguments: str) -> str:
    """Run `nemesis` or `python` on the copied sources."""
    module = ["-m", "nemesis.cli"] if program == "nemesis" else []
    given = [str(ROOT / word) if word.startswith("tests/") else word for word in arguments]
    environment = {**os.environ, "PYTHONPATH": str(place / "src")}
    command = [sys.executable, *module, *given]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=place, env=environment)
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-1000:]
    return done.stdout


@pytest.mark.slow
def test_adding_a_player_is_one_file_and_one_line(tmp_path: Path) -> None:
    agents, duel, conformance = follow("add-a-player.md", tmp_path)
    assert re.search(r"^copycat +Bets or raises the pot when it is bet into", agents, re.MULTILINE)
    assert "copycat" in duel
    assert re.search(r"\d+ passed", conformance)


@pytest.mark.slow
def test_adding_a_learner_is_one_file_and_one_line(tmp_path: Path) -> None:
    laws, score = follow("add-a-learner.md", tmp_path)
    assert re.search(r"\d+ passed", laws)
    assert re.search(r"^0\.\d\d of fresh tournaments", score)
    assert (tmp_path / "runs/hill-all/champion.json").exists()
