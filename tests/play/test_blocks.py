"""Blocks cover the numbers once, in order."""

from nemesis.play.blocks import in_blocks


def test_the_last_block_may_be_shorter() -> None:
    assert list(in_blocks(range(3, 10), 3)) == [range(3, 6), range(6, 9), range(9, 10)]


def test_nothing_has_no_blocks() -> None:
    assert list(in_blocks(range(5, 5), 3)) == []
