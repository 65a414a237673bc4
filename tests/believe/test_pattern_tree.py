"""What the trees remember of explicit hands, and laws that hold after any hands."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from nemesis.believe.pattern_tree import (
    ALL_IN,
    BLIND,
    BUTTON,
    CALL,
    CHILDREN,
    NODE,
    NODE_SIZE,
    NOWHERE,
    TREE,
    Line,
    Trees,
    begin_hand,
    bucket,
    child_of,
    clear_trees,
    end_hand,
    follow,
    tree_block,
)
from nemesis.runtime.compiled import COMPILING

HALF, POT = 1, 2


def play(
    block: np.ndarray, position: int, labels: Sequence[int], *, folded: bool = False, shown: float = -1.0, at: int = 0
) -> None:
    """One hand: the actions by their labels, then whether the opponent folded, or the strength it showed."""
    begin_hand(block, at, position)
    for label in labels:
        follow(block, at, label)
    end_hand(block, at, folded, shown)


def lines(block: np.ndarray) -> dict[tuple[int, tuple[str, ...]], tuple[int, int, float, int]]:
    """Every line by its position and actions: visits, showdowns, mean strength, folds."""
    found = {}
    for line in Trees(block).lines():
        found[line.position, line.actions] = (line.visits, line.showdowns, line.strength, line.folds)
    return found


def counts(line: Line) -> tuple[int, int, int]:
    return line.visits, line.showdowns, line.folds


def test_trees_begin_as_two_roots_without_visits() -> None:
    assert [(line.position, line.actions, counts(line)) for line in Trees(tree_block()).lines()] == [
        (BUTTON, (), (0, 0, 0)),
        (BLIND, (), (0, 0, 0)),
    ]


def test_nodes_are_inserted_when_their_decision_first_occurs() -> None:
    block = tree_block(20)
    begin_hand(block, 0, BUTTON)
    assert child_of(block, 0, BUTTON, HALF) == NOWHERE
    follow(block, 0, HALF)
    assert (block[TREE.used], block[TREE.now]) == (3, 2)
    assert child_of(block, 0, BUTTON, HALF) == 2
    assert child_of(block, 0, BUTTON, POT) == NOWHERE
    assert child_of(block, 0, BLIND, HALF) == NOWHERE
    follow(block, 0, CALL)
    end_hand(block, 0, False, -1.0)
    assert block[TREE.used] == 4
    play(block, BUTTON, [HALF, CALL])
    assert block[TREE.used] == 4
    play(block, BUTTON, [HALF, 3])
    assert block[TREE.used] == 5
    assert child_of(block, 0, child_of(block, 0, BUTTON, HALF), CALL) == 3
    assert child_of(block, 0, child_of(block, 0, BUTTON, HALF), 3) == 4
    assert child_of(block, 0, int(NOWHERE), CALL) == NOWHERE


def test_a_hand_is_counted_along_its_path_and_nowhere_else() -> None:
    """Three hands on the button: called and shown down, called and folded on the flop, folded at once."""
    block = tree_block()
    play(block, BUTTON, [HALF, CALL, CALL, CALL], shown=0.75)
    play(block, BUTTON, [HALF, CALL, CALL, POT], folded=True)
    play(block, BUTTON, [POT], folded=True)
    found = lines(block)
    assert found.pop((BLIND, ()))[0] == 0
    assert found == {
        (BUTTON, ()): (3, 1, 0.75, 2),
        (BUTTON, ("½ pot",)): (2, 1, 0.75, 1),
        (BUTTON, ("½ pot", "v call", "/")): (2, 1, 0.75, 1),
        (BUTTON, ("½ pot", "v call", "/", "v call")): (2, 1, 0.75, 1),
        (BUTTON, ("½ pot", "v call", "/", "v call", "call", "/")): (1, 1, 0.75, 0),
        (BUTTON, ("½ pot", "v call", "/", "v call", "1 pot")): (1, 0, pytest.approx(math.nan, nan_ok=True), 1),
        (BUTTON, ("1 pot",)): (1, 0, pytest.approx(math.nan, nan_ok=True), 1),
    }


def test_no_street_follows_a_called_all_in() -> None:
    block = tree_block()
    play(block, BUTTON, [ALL_IN, CALL], shown=0.5)
    assert {line.actions for line in Trees(block).lines()} == {(), ("all-in",), ("all-in", "v call")}


def test_strength_is_the_mean_of_what_was_shown() -> None:
    block = tree_block()
    for shown in (0.2, 0.9, 0.4):
        play(block, BLIND, [CALL, CALL], shown=shown)
    play(block, BLIND, [CALL, CALL])
    line = next(line for line in Trees(block).lines() if line.actions == ("v call", "call", "/"))
    assert counts(line) == (4, 3, 0)
    assert line.strength == pytest.approx(0.5)


def test_a_shown_strength_of_nothing_is_still_a_showdown() -> None:
    block = tree_block()
    play(block, BLIND, [CALL], shown=0.0)
    assert counts(next(Trees(block)._below(BLIND, BLIND, (), False, 0, 1))) == (1, 1, 0)


def test_the_two_positions_know_nothing_of_each_other() -> None:
    block = tree_block()
    play(block, BUTTON, [HALF, CALL], folded=True)
    play(block, BLIND, [HALF, CALL], shown=0.6)
    found = lines(block)
    assert found[BUTTON, ("½ pot",)][::3] == (1, 1)
    assert found[BLIND, ("v <⅛",)] == (1, 1, 0.6, 0)
    assert len(found) == 6


@pytest.mark.parametrize(
    ("position", "labels", "said"),
    [
        # the button limps, the blind checks; the blind leads the flop and is called; both check the turn; bet, call
        (
            BUTTON,
            [CALL, CALL, 4, CALL, CALL, CALL, 7, CALL],
            "call, v call, /, v ¾–1¼, call, /, v call, call, /, v >4, call",
        ),
        (
            BLIND,
            [CALL, CALL, 4, CALL, CALL, CALL, 3, CALL],
            "v call, call, /, 2 pot, v call, /, call, v call, /, 1½ pot, v call",
        ),
        # raised three times before the flop, the last all-in
        (BUTTON, [POT, 6, ALL_IN, CALL], "1 pot, v 2–4, all-in, v call"),
        (BLIND, [5, POT, 7, CALL], "v 1¼–2, 1 pot, v >4, call, /"),
        # the blind raises a limper, who calls; a check-raise on the flop
        (
            BLIND,
            [CALL, HALF, CALL, CALL, 2, POT, CALL, CALL],
            "v call, ½ pot, v call, /, call, v ⅛–⅜, 1 pot, v call, /, call",
        ),
        (
            BUTTON,
            [CALL, 3, CALL, CALL, HALF, 5, CALL, CALL],
            "call, v ⅜–¾, call, /, v call, ½ pot, v 1¼–2, call, /, v call",
        ),
    ],
)
def test_a_line_says_who_acted_and_where_streets_ended(position: int, labels: list[int], said: str) -> None:
    block = tree_block()
    play(block, position, labels)
    longest = max(Trees(block).lines(), key=lambda line: len(line.actions))
    assert (longest.position, ", ".join(longest.actions)) == (position, said)


def test_most_visited_lines_come_first_after_the_roots() -> None:
    block = tree_block()
    for _ in range(5):
        play(block, BUTTON, [POT, CALL])
    play(block, BUTTON, [HALF], folded=True)
    for _ in range(2):
        play(block, BLIND, [CALL, CALL])
    first = [(line.position, line.actions, line.visits) for line in Trees(block).most_visited(5)]
    assert first == [
        (BUTTON, (), 6),
        (BLIND, (), 2),
        (BUTTON, ("1 pot",), 5),
        (BUTTON, ("1 pot", "v call", "/"), 5),
        (BLIND, ("v call",), 2),
    ]
    assert Trees(block).most_visited(1)[0].fold_rate == pytest.approx(1 / 6)
    assert math.isnan(next(Trees(tree_block()).lines()).fold_rate)


@pytest.mark.parametrize(
    ("share", "label"),
    [
        (0.001, 1), (0.1249, 1), (0.125, 2), (0.3749, 2), (0.375, 3), (0.7499, 3), (0.75, 4), (1.0, 4), (1.2499, 4),
        (1.25, 5), (1.99, 5), (2.0, 6), (3.99, 6), (4.0, 7), (4.01, 7), (250.0, 7),
    ],
)  # fmt: skip
def test_buckets_of_the_opponents_raises(share: float, label: int) -> None:
    assert bucket(share) == label


def test_clearing_forgets_everything() -> None:
    block = tree_block(50)
    play(block, BUTTON, [HALF, CALL, CALL], folded=True)
    play(block, BLIND, [3, POT], shown=0.5)
    clear_trees(block, 0)
    assert len(list(Trees(block).lines())) == 2
    play(block, BLIND, [CALL, CALL], shown=0.25)
    again = tree_block(50)
    play(again, BLIND, [CALL, CALL], shown=0.25)
    assert all_nodes(block) == all_nodes(again)
    assert block[TREE.used] == again[TREE.used] == 4


def test_trees_need_room_for_their_roots() -> None:
    with pytest.raises(ValueError, match="room for at least its 2 roots, not 1"):
        tree_block(1)


def test_a_hand_longer_than_the_path_is_counted_as_far_as_it_goes() -> None:
    block = tree_block(500)
    for _ in range(2):
        play(block, BUTTON, [HALF] * 300, folded=True)
    assert block[TREE.used] == 2 + 63
    visits = [line.visits for line in Trees(block).lines()]
    assert visits == [2] * 64 + [0]


class Ledger:
    """The same trees as a dictionary of sequences, grown in the same order."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.seen: dict[tuple[int, ...], list[float]] = {(BUTTON,): [0.0] * 4, (BLIND,): [0.0] * 4}

    def play(self, position: int, labels: Sequence[int], folded: bool, shown: float) -> None:
        path = [(position,)]
        for length in range(1, len(labels) + 1):
            sequence = (position, *labels[:length])
            if sequence not in self.seen:
                if len(self.seen) == self.room:
                    break
                self.seen[sequence] = [0.0] * 4
            path.append(sequence)
        for sequence in path:
            stats = self.seen[sequence]
            stats[0] += 1
            if folded:
                stats[3] += 1
            if shown >= 0:
                stats[1] += 1
                stats[2] += shown


def all_nodes(block: np.ndarray) -> dict[tuple[int, ...], list[float]]:
    found = {}
    waiting = [((position,), position) for position in (BUTTON, BLIND)]
    while waiting:
        sequence, node = waiting.pop()
        cells = block[TREE.nodes + node * NODE_SIZE :][:NODE_SIZE]
        found[sequence] = [cells[place] for place in (NODE.visits, NODE.showdowns, NODE.strength, NODE.folds)]
        waiting += [((*sequence, label), int(cells[label])) for label in range(CHILDREN) if cells[label] > 0]
    return found


def random_hand(chance: np.random.Generator) -> tuple[int, list[int], bool, float]:
    """Any actions; half of the hands end in a fold by one of the two, half in a showdown."""
    position, length, end = chance.integers(2), chance.geometric(0.15), chance.integers(4)
    labels = np.minimum(chance.geometric(0.4, min(length, 60)) - 1, CHILDREN - 1)
    return int(position), labels.tolist(), bool(end == 0), float(chance.random()) if end > 1 else -1.0


@pytest.mark.parametrize(("room", "hands"), [(2, 50), (40, 2_000), (200_000, 2_000)])
def test_any_hands_are_counted_as_in_a_ledger_of_sequences(room: int, hands: int) -> None:
    chance = np.random.default_rng(room)
    block, ledger = tree_block(room), Ledger(room)
    for _ in range(hands):
        position, labels, folded, shown = random_hand(chance)
        play(block, position, labels, folded=folded, shown=shown)
        ledger.play(position, labels, folded, shown)
    found = all_nodes(block)
    assert found == ledger.seen
    assert block[TREE.used] == len(found) <= room
    assert (room < 100) == (len(found) == room)


def test_trees_without_room_go_on_counting_and_touch_nothing_else() -> None:
    """100,000 hands in a block between two others: it never grows, and what is counted stays consistent."""
    room, hands, at = 300, 100_000 if COMPILING else 2_000, 17
    chance = np.random.default_rng(3)
    block = np.full(at + tree_block(room).size + 9, 7.25)
    block[at:-9] = tree_block(room)
    known = [random_hand(chance) for _ in range(1000)]
    for hand in chance.integers(0, len(known), hands).tolist():
        position, labels, folded, shown = known[hand]
        play(block, position, labels, folded=folded, shown=shown, at=at)
    assert (block[:at] == 7.25).all()
    assert (block[-9:] == 7.25).all()
    found = all_nodes(block[at:-9])
    assert len(found) == block[at + TREE.used] == room
    assert found[BUTTON,][0] + found[BLIND,][0] == hands
    for sequence, (visits, showdowns, strength, folds) in found.items():
        children = [stats for below, stats in found.items() if below[:-1] == sequence]
        assert sum(stats[0] for stats in children) <= visits
        assert sum(stats[3] for stats in children) <= folds
        assert showdowns + folds <= visits
        assert 0 <= strength <= showdowns
