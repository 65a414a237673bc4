"""Every picture goes through one style sheet, and colours have one meaning."""

import re
import struct
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import nemesis
from nemesis.measure import charts, picture
from nemesis.measure.picture import save_figure

SOURCES = sorted(Path(nemesis.__file__).parent.rglob("*.py"))
OKABE_ITO = {"#E69F00", "#56B4E9", "#009E73", "#0072B2", "#D55E00", "#CC79A7"}


def size_of(png: Path) -> tuple[int, int]:
    """Width and height in pixels, from the file's own header."""
    width, height = struct.unpack(">II", png.read_bytes()[16:24])
    return width, height


@pytest.fixture
def axes() -> Axes:
    return Figure().add_subplot()


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_only_one_file_makes_figures_and_nobody_uses_colours_of_matplotlib(source: Path) -> None:
    text = source.read_text()
    assert not re.search(r"[\"'](tab:|C\d[\"'])", text), "colours come from measure.picture"
    if source.name != "picture.py":
        assert "pyplot" not in text
        assert ".savefig(" not in text
        assert "Figure(" not in text


def test_pictures_have_200_dots_an_inch_whatever_the_user_has_set(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    with matplotlib.rc_context({"savefig.dpi": 50, "axes.facecolor": "black"}):
        with save_figure(path, (3, 2)) as figure:
            axes = figure.add_subplot()
            assert axes.get_facecolor() == (1.0, 1.0, 1.0, 1.0)
            assert not axes.spines["top"].get_visible()
        assert matplotlib.rcParams["savefig.dpi"] == 50
    assert size_of(path) == (600, 400)


def test_a_picture_that_fails_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_text("the old one")
    with pytest.raises(ZeroDivisionError), save_figure(path, (3, 2)):
        _ = 1 / 0
    assert path.read_text() == "the old one"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("colours", [picture.STYLE_COLOURS, picture.BELIEF_COLOURS, picture.ACTION_COLOURS])
def test_meanings_have_colours_of_their_own(colours: dict[str, str]) -> None:
    assert len(set(colours.values())) == len(colours)


def test_series_are_the_colours_of_okabe_and_ito() -> None:
    assert set(picture.SERIES) == OKABE_ITO
    assert set(picture.STYLE_COLOURS.values()) < OKABE_ITO


def test_a_legend_lies_below_the_picture_and_says_everything_once(tmp_path: Path) -> None:
    with save_figure(tmp_path / "a.png", (4, 3)) as figure:
        panels = charts.panels(figure, 3, 2)
        for axes in panels:
            axes.plot([0, 1], label="the same")
        charts.draw_key(figure, *panels)
        assert [text.get_text() for text in figure.legends[0].get_texts()] == ["the same"]
        figure.canvas.draw()
        lowest = min(axes.get_tightbbox().y0 for axes in panels)
        assert figure.legends[0].get_window_extent().y1 <= lowest


def test_a_dot_without_an_interval_is_drawn_and_one_without_a_mean_is_not(axes: Axes) -> None:
    charts.draw_dots(axes, [0, 1, 2], [(0.5, 0.4, 0.7), (0.6, None, None), None], "black")
    (line,) = axes.lines
    assert np.isnan(line.get_ydata()).tolist() == [False, False, True]
    (whiskers,) = axes.collections
    assert whiskers.get_segments()[0][:, 1].tolist() == pytest.approx([0.4, 0.7])


def test_a_symmetric_logarithmic_axis_says_so(axes: Axes) -> None:
    charts.scale_symmetrically(axes, 100, "mBB/hand")
    assert axes.get_yscale() == "symlog"
    assert axes.get_ylabel() == "mBB/hand\n(symmetric log scale, linear from −100 to 100)"


def test_no_bars_stand_on_a_logarithmic_axis() -> None:
    for source in SOURCES:
        text = source.read_text()
        if re.search(r"scale_symmetrically\(|set_yscale\(|set_xscale\(", text):
            assert not re.search(r"\.barh?\(", text), f"{source.name} has bars and a logarithmic axis"
