"""The demo's picture: averages over the last hands, and a file."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from nemesis.commands.demo import Raise
from nemesis.commands.strangers_picture import WINDOW, draw_strangers, recent_raises


def test_only_the_last_hands_count() -> None:
    raises = [Raise(0, 0.9, True), Raise(5, 0.7, False), Raise(WINDOW + 5, 0.2, False)]
    by_hand = {int(end): (believed, folded) for end, believed, folded in recent_raises(raises, 2 * WINDOW)}
    assert by_hand[10] == pytest.approx((0.8, 0.5))
    assert by_hand[WINDOW + 10] == pytest.approx((0.2, 0.0))


def test_hands_without_a_raise_are_left_out() -> None:
    assert recent_raises([], 100).shape == (0, 3)
    assert recent_raises([Raise(35, 0.5, True)], 60)[:, 0].tolist() == [40, 50, 60]


def test_strangers_who_win_or_are_never_raised_are_drawn_too(tmp_path: Path) -> None:
    raised = [Raise(hand, 0.4, hand % 2 == 0) for hand in range(0, 50, 5)]
    strangers = [
        SimpleNamespace(words="calling machine", won=[1.0] * 50, raises=raised),
        SimpleNamespace(words="half-a-pro", won=[-1.0] * 50, raises=[]),
    ]
    draw_strangers(strangers, "ashe-a4", tmp_path / "strangers.png")
    assert (tmp_path / "strangers.png").read_bytes().startswith(b"\x89PNG")
