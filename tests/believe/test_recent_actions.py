"""The shares of an opponent's recent actions: counted by hand, gone when a hand is too old."""

import numpy as np
import pytest

from nemesis.believe.recent_actions import note_action, recent_actions_block, recent_share
from nemesis.observe.event import ACTS, new_events
from nemesis.runtime.compiled import njit

FOLD, CALL, RAISE = 0, 1, 2


@njit(error_model="numpy")
def _note(memory, event):  # type: ignore[no-untyped-def]
    note_action(memory, 0, event[0])


@njit(error_model="numpy")
def _share(memory, seat, action):  # type: ignore[no-untyped-def]
    return recent_share(memory, 0, seat, action)


def shares(block: np.ndarray, seat: int) -> list[float]:
    return [float(_share(block, seat, action)) for action in (FOLD, CALL, RAISE)]


def saw(block: np.ndarray, hand: int, seat: int, *actions: int) -> None:
    for action in actions:
        event = new_events()
        event["kind"], event["hand"], event["seat"], event["action"] = ACTS, hand, seat, action
        _note(block, event)


def test_shares_are_of_all_actions_of_the_seat() -> None:
    block = recent_actions_block(3)
    assert shares(block, 1) == [0, 0, 0]
    saw(block, 0, 1, CALL, RAISE, RAISE)
    saw(block, 1, 1, FOLD)
    saw(block, 1, 2, CALL)
    assert shares(block, 1) == [0.25, 0.25, 0.5]
    assert shares(block, 2) == [0, 1, 0]


def test_a_hand_leaves_when_it_is_too_old() -> None:
    """With two hands kept, hand 0 is forgotten when hand 2 begins, also when nobody was seen in hand 1."""
    block = recent_actions_block(2, hands=2)
    saw(block, 0, 1, RAISE, RAISE, RAISE)
    saw(block, 1, 1, CALL)
    assert shares(block, 1) == [0, 0.25, 0.75]
    saw(block, 2, 1, FOLD)
    assert shares(block, 1) == [0.5, 0.5, 0]
    saw(block, 9, 0, CALL)
    assert shares(block, 1) == [0, 0, 0]


def test_a_block_keeps_some_hands_of_some_seats() -> None:
    with pytest.raises(ValueError, match="1 to 10,000 hands, not 0"):
        recent_actions_block(2, hands=0)
    with pytest.raises(ValueError, match="not 99"):
        recent_actions_block(99)
