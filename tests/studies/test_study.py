"""A study's pictures are drawn from the numbers it leaves, so they can be drawn again without measuring."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nemesis.measure.picture import save_figure
from nemesis.studies.study import Report, Setting, Study, draw_pictures, plain, run_study


def draw(numbers: Any, path: Path) -> None:
    with save_figure(path, (3, 2)) as figure:
        figure.add_subplot().plot(numbers["heights"])


def measure(setting: Setting) -> Report:
    return Report("measured", (), {"line.png": {"heights": np.array([1.0, math.nan, 3.0])}})


STUDY = Study("line", "A line", "nowhere", measure, {"line.png": draw})


def test_a_picture_drawn_again_is_the_same_picture(tmp_path: Path) -> None:
    run_study(STUDY, Setting("smoke", 0, 1, tmp_path))
    first = (tmp_path / "line.png").read_bytes()
    assert json.loads((tmp_path / "line.json").read_text()) == {"heights": [1.0, None, 3.0]}
    (tmp_path / "line.png").unlink()
    draw_pictures(STUDY, tmp_path)
    assert (tmp_path / "line.png").read_bytes() == first


def test_a_folder_without_numbers_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"line\.json is not there; measure first: nemesis study line"):
        draw_pictures(STUDY, tmp_path)


def test_damaged_numbers_are_named_and_nothing_is_drawn(tmp_path: Path) -> None:
    (tmp_path / "line.json").write_text('{"heights": [1.0,')
    with pytest.raises(ValueError, match=r"line\.json is damaged"):
        draw_pictures(STUDY, tmp_path)
    assert not (tmp_path / "line.png").exists()


def test_plain_numbers_are_lists_of_six_digits_and_nothing_infinite() -> None:
    given = {2: (np.float64(1 / 3), np.int64(4)), "far": math.inf, "words": ["a", None, True]}
    assert plain(given) == {"2": [0.333333, 4], "far": None, "words": ["a", None, True]}
