"""Maps are read as they are drawn, and what cannot be played is refused with its line and column."""

from pathlib import Path

import pytest

from nemesis.names import UnknownName
from nemesis.rules.grid_map import MOST_SIDE, MapError, grid_map, parse_map, read_map, shipped_maps
from nemesis.rules.grid_paths import grid_paths
from nemesis.rules.grid_random import random_map

BAY = """; a bay
1..#..2
...#...
...r..i
"""


def test_a_map_is_read_as_drawn() -> None:
    world = parse_map(BAY, "bay")
    assert (world.about, world.height, world.width, world.marks) == ("a bay", 3, 7, "12")
    assert world.goals == ((0, 0), (0, 6))
    assert world.runners == ((2, 3),)
    assert world.interceptors == ((2, 6),)
    assert world.is_rock(1, 3)
    assert not world.is_rock(2, 3)


def test_goals_are_in_the_order_of_their_digits() -> None:
    assert parse_map("7.r.2").goals == ((0, 4), (0, 0))


def test_blank_lines_around_and_windows_line_ends_do_not_matter() -> None:
    assert parse_map("\n\n1.r\r\n...\r\n\n").rows == ("1.r", "...")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "has no cells"),
        ("1.r\n..", r"line 2, column 3: the line has 2 cells, line 1 has 3"),
        ("; bay\n1.r\n.x.", r"line 3, column 2: 'x' means nothing"),
        ("1.r\n.\t.", r"line 2, column 2: '\\t' means nothing"),
        ("1.r\n..1", "line 2, column 3: goal 1 is there twice"),
        ("...\n..r", "has no goal"),
        ("1..\n...", "has no runner"),
        ("r" * 9 + "1", "line 1, column 9: more than 8 ships 'r'"),
        ("1r" + "." * MOST_SIDE, f"at most {MOST_SIDE}"),
    ],
)
def test_a_wrong_map_is_told_by_line_and_column(text: str, sentence: str) -> None:
    with pytest.raises(MapError, match=sentence):
        parse_map(text)


def test_a_goal_behind_rocks_is_told_by_line_and_column() -> None:
    world = parse_map("; walled in\n1#.\n##.\n..r")
    with pytest.raises(MapError, match="line 4, column 3: no way leads from this runner to goal 1 at line 2, column 1"):
        grid_paths(world)


def test_a_file_that_is_no_map_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bytes.txt").write_bytes(b"1.r\xff")
    with pytest.raises(MapError, match="byte 4 is not UTF-8"):
        read_map(tmp_path / "bytes.txt")
    with pytest.raises(MapError, match="is not a file"):
        read_map(tmp_path)
    with pytest.raises(MapError, match="cannot be read: No such file"):
        grid_map(str(tmp_path / "missing.txt"))
    (tmp_path / "long.txt").write_text("." * 100_000)
    with pytest.raises(MapError, match="is larger than"):
        read_map(tmp_path / "long.txt")
    with pytest.raises(UnknownName, match="did you mean harbour"):
        grid_map("harbor")


def test_every_shipped_map_can_be_played() -> None:
    assert len(shipped_maps()) >= 5
    for name in shipped_maps():
        world = grid_map(name)
        assert world.about
        assert world.interceptors
        assert grid_paths(world).costs.shape[0] == len(world.goals) >= 3


def test_a_random_map_is_a_function_of_seed_and_number() -> None:
    assert random_map(1, 2).rows == random_map(1, 2).rows
    assert random_map(1, 2).rows != random_map(1, 3).rows
    assert random_map(1, 2).rows != random_map(2, 2).rows
    fleet = random_map(0, 0, boats=4, goals=5)
    assert (len(fleet.runners), len(fleet.interceptors), len(fleet.goals)) == (4, 4, 5)
    with pytest.raises(ValueError, match="no random map has side 3"):
        random_map(0, 0, side=3)
