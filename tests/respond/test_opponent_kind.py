"""What kind an opponent is taken for, statistic by statistic."""

import numpy as np
import pytest

from nemesis.respond.opponent_kind import (
    ANYBODY,
    AT,
    KINDS,
    LARGE_POT,
    LAYOUT,
    MANY_RAISES,
    MANY_WEAK,
    NO_FOLDS,
    PAYER,
    RAISER,
    STAYER,
    STAYING_HANDS,
    WEAK_STRENGTH,
    begin_hand,
    note_raise,
    note_shown,
)


def kind(hands: float, folds: float, *, weak: float = 0, raises: float = 0, known: bool = True) -> int:
    """The kind of an opponent with these counts, as a block that begins at the second place of a memory."""
    memory = np.concatenate([[7.0], LAYOUT.template(known=known, weak=weak, raises=raises)])
    begin_hand(memory, 1, hands, folds)
    assert memory[0] == 7.0
    return int(memory[1 + AT.kind])


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"hands": 0, "folds": 0}, ANYBODY),
        ({"hands": 100, "folds": 60}, ANYBODY),
        ({"hands": STAYING_HANDS, "folds": 0}, STAYER),
        ({"hands": STAYING_HANDS - 1, "folds": 0}, ANYBODY),
        ({"hands": 12, "folds": 1}, ANYBODY),  # three of ten more are taken for folded
        ({"hands": 20, "folds": 1}, PAYER),
        ({"hands": 100, "folds": 100 * NO_FOLDS}, PAYER),
        ({"hands": 100, "folds": 14}, PAYER),
        ({"hands": 100, "folds": 15}, ANYBODY),
        ({"hands": 100, "folds": 60, "weak": 100 * MANY_WEAK}, ANYBODY),
        ({"hands": 100, "folds": 60, "weak": 100 * MANY_WEAK + 1}, PAYER),
        ({"hands": 100, "folds": 60, "raises": 100 * MANY_RAISES}, ANYBODY),
        ({"hands": 100, "folds": 60, "raises": 100 * MANY_RAISES + 1}, RAISER),
        ({"hands": 100, "folds": 60, "raises": 50, "weak": 9}, PAYER),
        ({"hands": 100, "folds": 1, "raises": 50, "weak": 9}, STAYER),
    ],
)
def test_the_kind_follows_from_the_counts(counts: dict[str, float], expected: int) -> None:
    assert KINDS[kind(**counts)] == KINDS[expected]
    assert kind(**counts, known=False) == ANYBODY  # type: ignore[arg-type]


def test_a_hand_with_several_raises_before_the_flop_counts_once_and_later_raises_do_not() -> None:
    memory = LAYOUT.template()
    for street in (0, 0, 1, 3):
        note_raise(memory, 0, street)
    begin_hand(memory, 0, 1.0, 0.0)
    assert memory[AT.raises] == 1
    note_raise(memory, 0, 2)
    begin_hand(memory, 0, 2.0, 0.0)
    assert memory[AT.raises] == 1


@pytest.mark.parametrize(
    ("strength", "share", "weak"),
    [(WEAK_STRENGTH - 0.01, LARGE_POT, 1), (WEAK_STRENGTH, LARGE_POT, 0), (0.1, LARGE_POT - 0.01, 0)],
)
def test_only_weak_hands_in_large_pots_count(strength: float, share: float, weak: int) -> None:
    memory = LAYOUT.template(stack=20_000)
    note_shown(memory, 0, strength, share * 20_000)
    assert memory[AT.weak] == weak


def test_a_pot_is_not_large_before_the_stack_is_known() -> None:
    memory = LAYOUT.template()
    begin_hand(memory, 0, 0.0, 0.0)
    note_shown(memory, 0, 0.1, 1e9)
    assert memory[AT.weak] == 0
