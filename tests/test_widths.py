"""What is printed can be read at 40 columns, at 80 and through a pipe: names and intervals are never cut."""

import json
from typing import Any

import pytest

from nemesis.commands.console import out
from nemesis.commands.listing_table import Listing

WIDTHS = (40, 80, None)
LISTS = {("games",): "game", ("agents",): "agent", ("evolve", "list"): "name", ("study", "list"): "study"}


@pytest.fixture(params=WIDTHS, ids=["40", "80", "piped"])
def width(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int | None:
    columns: int | None = request.param
    if columns is None:
        monkeypatch.delenv("COLUMNS", raising=False)
    else:
        monkeypatch.setenv("COLUMNS", str(columns))
    return columns


@pytest.mark.parametrize("command", LISTS, ids=" ".join)
def test_names_that_must_be_typed_are_whole(command: tuple[str, ...], width: int | None, nemesis: Any) -> None:
    told, _ = nemesis(*command)
    names = [row[LISTS[command]] for row in json.loads(nemesis(*command, "--json")[0])]
    first = {line.split()[0] for line in told.splitlines() if line and not line.startswith(" ")}
    assert set(names) <= first
    assert width is None or max(map(len, told.splitlines())) <= width


def test_through_a_pipe_every_row_is_one_line(nemesis: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    told, _ = nemesis("evolve", "list")
    assert len(told.splitlines()) == 1 + len(json.loads(nemesis("evolve", "list", "--json")[0]))


def test_a_matrix_shows_every_interval(width: int | None, nemesis: Any) -> None:
    players = ["fold", "call", "raise", "random", "la", "lp", "ta", "tp"]
    told, _ = nemesis("matrix", *players, "--game", "kuhn", "-n", "200")
    assert told.count("±") == len(players) * (len(players) - 1)
    assert width is None or max(map(len, told.splitlines()[:-1])) <= width


def test_a_result_shows_its_intervals(width: int | None, nemesis: Any) -> None:
    told, _ = nemesis("duel", "la", "tp", "--game", "kuhn", "-n", "200")
    bounds = json.loads(nemesis("duel", "la", "tp", "--game", "kuhn", "-n", "200", "--json")[0])["results"][0]["ci95"]
    assert "{:+,.4f} … {:+,.4f}".format(*bounds) in told


def shown(listing: Listing, columns: int) -> list[str]:
    with out.capture() as captured:
        out.print(listing, width=columns)
    return [line.rstrip() for line in captured.get().splitlines()]


@pytest.fixture
def tree() -> Listing:
    listing = Listing("position", "line", "visits", "opponent folds", prose={"line"}, right={"visits"})
    listing.add("button", "call vcheck / check vbet .5 call / check vcheck", "128", "12%")
    listing.add("a-name-that-is-long-[/b]", "", "7", "")
    return listing


def test_prose_wraps_and_nothing_else_does(tree: Listing) -> None:
    assert shown(tree, 80) == [
        "position                  line                            visits  opponent folds",
        "button                    call vcheck / check vbet .5        128  12%",
        "                          call / check vcheck",
        "a-name-that-is-long-[/b]                                       7",
    ]


def test_where_there_is_no_room_rows_become_blocks(tree: Listing) -> None:
    assert shown(tree, 40) == [
        "button",
        "  line: call vcheck / check vbet .5 call",
        "  / check vcheck",
        "  visits: 128",
        "  opponent folds: 12%",
        "a-name-that-is-long-[/b]",
        "  visits: 7",
    ]
