"""The documentation is true where that can be checked: links lead somewhere, the command line is documented whole, what is
advised can be typed, and what is printed is what comes out."""

import contextlib
import io
import json
import re
import shlex
from itertools import zip_longest
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

import pytest
import typer.main

from nemesis import game, names
from nemesis.cli import app
from nemesis.commands.demo import advice
from nemesis.connect.dealer import deal_match
from nemesis.play.by_name import player
from nemesis.play.session import OpenSeat
from nemesis.respond.user_file import from_file

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
NAMED = re.compile(r'<a name="([^"]+)">')
COMMANDS = typer.main.get_command(app).commands
SECTIONS = dict(
    re.findall(
        r"^## `nemesis (\S+)`\n(.*?)(?=^## |\Z)",
        (ROOT / "docs/reference/cli.md").read_text(),
        re.MULTILINE | re.DOTALL,
    )
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_relative_links_resolve(page: Path) -> None:
    for link in LINK.findall(FENCED.sub("", page.read_text())):
        if link.startswith(("http://", "https://")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page.name} links to {link}, which is not there"
        assert not anchor or anchor in NAMED.findall(target.read_text()), f"{page.name} links to {link}: no such place"


def test_every_command_is_documented_and_every_documented_command_exists() -> None:
    assert sorted(SECTIONS) == sorted(COMMANDS)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_option_is_documented(name: str) -> None:
    for parameter in COMMANDS[name].params:
        for option in parameter.opts:
            if option.startswith("--") and option != "--help":
                assert f"`{option}`" in SECTIONS[name], f"nemesis {name} has {option}, which cli.md does not tell"


def test_every_study_has_its_place_in_the_table_of_figures() -> None:
    told = (ROOT / "docs/reference/studies.md").read_text()
    for name in names.STUDIES:
        assert f"`{name}`" in told, f"docs/reference/studies.md does not tell what {name} shows"


def test_no_two_reports_show_the_same_picture() -> None:
    """Pictures lie in one folder, so two studies that name theirs alike would overwrite each other's."""
    shown: dict[str, str] = {}
    for report in sorted((ROOT / "docs/studies").glob("*.md")):
        for picture in set(re.findall(r"\]\(([^)/]+\.png)\)", report.read_text())):
            assert shown.setdefault(picture, report.name) == report.name
            assert (report.parent / picture).exists(), f"{report.name} shows {picture}, which is not there"


def test_every_report_is_of_a_study_and_is_listed() -> None:
    listed = (ROOT / "docs/studies/README.md").read_text()
    for report in (ROOT / "docs/studies").glob("*.md"):
        if report.stem != "README":
            assert report.stem in names.STUDIES
            assert f"({report.name})" in listed, f"docs/studies/README.md does not list {report.name}"


BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`nemesis ([^`]+)`")
SPEED = re.compile(r"[\d,]+ hands/s")
CHEAP = ("duel", "table", "tournament", "equity", "replay", "matrix", "games")


MADE_BEFORE = ("runs/", "la-tp.phhs")
"""Files that the page makes first, at some length."""


def remark_cut(line: str) -> str:
    return re.split(r"\s{2,}|\s#", line.removeprefix("$ ").removeprefix("nemesis "))[0]


def typed_lines(page: str) -> list[str]:
    """The command lines in a page's blocks, without the remark behind them."""
    lines = [line for _, block in BLOCK.findall(page) for line in block.splitlines()]
    return [remark_cut(line) for line in lines if re.match(r"(\$ )?nemesis ", line)]


def mentioned(page: str) -> list[str]:
    """The command lines in a page's text; they may leave arguments out."""
    return INLINE.findall(FENCED.sub("", page))


TYPED = {(page.relative_to(ROOT).as_posix(), line) for page in PAGES for line in typed_lines(page.read_text())}
TYPED |= {("demo", remark_cut(command)) for command, _ in advice("ashe-a4")}
MENTIONED = {(page.relative_to(ROOT).as_posix(), line) for page in PAGES for line in mentioned(page.read_text())}


@pytest.mark.parametrize(("page", "line"), sorted(TYPED | MENTIONED), ids=lambda text: text[:60])
def test_what_is_advised_can_be_typed(page: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command and its options exist; what stands in a block on a line of its own is read whole."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    name, *arguments = shlex.split(line)
    if name.isupper() or name in ("--help", "--version"):
        return
    assert name in COMMANDS, f"{page} advises nemesis {line}"
    known = ["--help", *(option for parameter in COMMANDS[name].params for option in parameter.opts)]
    assert not [given for given in arguments if re.match("--?[a-z]", given) and given not in known], line
    if (page, line) in TYPED and "…" not in line:
        COMMANDS[name].make_context(name, arguments)


def printed(page: Path) -> list[tuple[str, str, str]]:
    """Command lines with what the page prints below them, and Python code with the block that follows it at once."""
    text, found = page.read_text(), []
    blocks = list(BLOCK.finditer(text))
    for block, after in zip_longest(blocks, blocks[1:]):
        kind, body = block.groups()
        if body.startswith("$ nemesis ") and body.split()[2] in CHEAP and "\n" in body.rstrip("\n"):
            command, _, shown = body.partition("\n")
            if "--json" not in command:
                found.append((command.removeprefix("$ "), shown, text[: block.start()]))
        elif kind == "python" and "print(" in body and after and not text[block.end() : after.start()].strip():
            found.append((body, after.group(2), text[: block.start()]))
    return [shown for shown in found if not any(file in shown[0] for file in MADE_BEFORE)]


PRINTED = [(page.relative_to(ROOT).as_posix(), *shown) for page in PAGES[:1] + PAGES[2:] for shown in printed(page)]


@pytest.mark.parametrize(("page", "typed", "shown", "before"), PRINTED, ids=lambda text: text.strip()[:50])
def test_what_is_printed_is_what_comes_out(
    page: str, typed: str, shown: str, before: str, nemesis: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All but the speed: the seed decides every figure."""
    monkeypatch.chdir(tmp_path)
    for folder in ("tests", "examples"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    from_file.cache_clear()
    for kind, body in BLOCK.findall(before):  # a later version of a file replaces the earlier one
        if kind == "python":
            for name in re.findall(r"^class (\w+)\(", body, re.MULTILINE):
                (tmp_path / f"{name.lower()}.py").write_text(body)
        elif body.startswith("GAMEDEF"):
            (tmp_path / "my.game").write_text(body)
    if typed.startswith("nemesis "):
        out, complaint = nemesis(*shlex.split(typed)[1:], code=int("do not" in shown and "0 do not" not in shown))
        said_once = re.compile(r"^nemesis: .*\n", re.MULTILINE)  # that kernels are compiled, how far it is
        out = (complaint if "nemesis: " in shown else said_once.sub("", complaint)) + out
    else:
        with contextlib.redirect_stdout(io.StringIO()) as said:
            exec(compile(typed, page, "exec"), {"__name__": "docs"})
        out = said.getvalue()
    lines = plain(shown)
    if "…" in lines:  # some lines are left out
        assert [line for line in plain(out) if line in lines] == [line for line in lines if line != "…"]
    else:
        assert plain(out) == lines


def plain(text: str) -> list[str]:
    lines = (SPEED.sub("… hands/s", line).rstrip() for line in text.splitlines())
    return [line for line in lines if line]


JSON_PAGE = (ROOT / "docs/reference/json.md").read_text()
JSON_SECTIONS = dict(re.findall(r"^## (`.*?)\n(.*?)(?=^## |\Z)", JSON_PAGE, re.MULTILINE | re.DOTALL))
FREE = {"tables", "numbers", "beliefs", "recognised"}
"""Keys whose value has keys that are names; what is in `data` differs from study to study."""
JSON_COMMANDS = {
    "duel": ["la", "tp", "--game", "kuhn", "--hands", "100"],
    "table": ["la", "tp", "lp", "--game", "limit", "--hands", "100"],
    "tournament": ["la", "tp", "-n", "20"],
    "matrix": ["la", "tp", "-n", "100", "--game", "kuhn"],
    "grid": [],
    "equity": ["AsKs", "--board", "7h8h9h"],
    "replay": ["tests/data/pluribus.phhs"],
    "import": ["tests/data", "--rejected", "--store", "s.duckdb"],
    "players": ["--store", "s.duckdb"],
    "stats": ["Pluribus", "--by", "position", "--store", "s.duckdb"],
    "profile": ["ABjbqbnS5RmWmm7K73KQvw", "--store", "s.duckdb"],
    "export": ["hands.csv", "--store", "s.duckdb"],
    "predict": ["tests/data/pokerstars.phhs", "--score"],
    "deal": ["kuhn", "call", "random", "-n", "5"],
    "join": ["127.0.0.1", "PORT", "--game", "kuhn", "--agent", "call"],
    "games": [],
    "agents": [],
    "bench": ["--seconds", "0.001"],
    "doctor": [],
    "tree": ["ashe-a4", "cm", "-n", "20"],
    "explain": ["ashe-a4", "cm", "--after", "0"],
    "cells": ["hypercube-a", "la", "--hands", "100"],
    "demo": [],
    "evolve": ["specialist-la", "--generations", "1", "--population", "4", "--tournaments", "1", "--workers", "1"],
    "solve": ["kuhn", "--deals", "2000"],
    "exploit": ["call", "--game", "kuhn"],
    "study": ["no-limit-opponents", "--scale", "smoke", "--workers", "1"],
}


def keys(report: Any, free: bool = False) -> set[str]:
    """Every key of a report, at any depth."""
    if isinstance(report, dict):
        parts = [keys(value, key in FREE) for key, value in report.items() if key != "data"]
        inner: set[str] = set().union(*parts)
        return inner if free else inner | set(report)
    return set().union(*map(keys, report)) if isinstance(report, list) and report else set()


def test_every_json_command_is_documented() -> None:
    told = {name for heading in JSON_SECTIONS for name in re.findall(r"`(\w+)`", heading)}
    takes = {name for name, command in COMMANDS.items() if any("--json" in p.opts for p in command.params)}
    assert told == takes == set(JSON_COMMANDS)


@pytest.mark.parametrize("command", JSON_COMMANDS)
def test_the_documented_keys_are_the_keys(
    command: str, nemesis: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    section = next(text for heading, text in JSON_SECTIONS.items() if f"`{command}`" in heading)
    told = {
        key for column in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE) for key in re.findall(r"`(\w+)`", column)
    }
    if command in ("players", "stats", "export"):
        nemesis("import", "tests/data/pluribus.phhs", "--store", "s.duckdb")
    if command == "profile":
        nemesis("import", str(ROOT / "examples/histories"), "--store", "s.duckdb")
    arguments = JSON_COMMANDS[command]
    if "PORT" in arguments:
        port = waiting_dealer()
        arguments = [port if word == "PORT" else word for word in arguments]
    out, _ = nemesis(command, *arguments, "--json")
    assert keys(json.loads(out)) == told


def waiting_dealer() -> str:
    """The port of a dealer that waits for one player."""
    ports: Queue[int] = Queue()
    seats = [OpenSeat(), player("call")]
    options = {"hands": 3, "wait": 600.0, "announce": lambda opened: ports.put(opened[0])}
    Thread(target=deal_match, args=(game("kuhn"), seats), kwargs=options, daemon=True).start()
    return str(ports.get(timeout=60))
