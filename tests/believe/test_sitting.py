"""How players sit: counted by a plain walk through real hands, and never from what comes later."""

from pathlib import Path

import numpy as np
import pytest

from nemesis.believe.action_model import Timeline, sitting_of, timeline
from nemesis.believe.sitting import (
    AWAY,
    BOUGHT_IN,
    FULL_NOW,
    HABITS,
    HANDS,
    HANDS_HERE,
    LAST_WON,
    PACE,
    POSTED_NOW,
    SHORT_SHARE,
    TABLES,
    TOPPED_UP_NOW,
    TOPPED_UP_SHARE,
    WON_HERE,
    no_habits,
)
from nemesis.observe.about import NO_TIME
from nemesis.observe.history import read_history

SAMPLE = Path(__file__).parent.parent.parent / "examples/histories"


@pytest.fixture(scope="module")
def line() -> Timeline:
    return timeline(read_history([SAMPLE]))


def _rows(line: Timeline) -> np.ndarray:
    players = np.unique(line.player)
    return sitting_of(line, players, no_habits(len(players)))


def _signed_log(amount: float) -> float:
    return float(np.sign(amount) * np.log1p(abs(amount)))


def test_a_plain_walk_through_the_hands_counts_the_same(line: Timeline) -> None:
    """Tables, hands, stacks and results of every player with dictionaries, hand after hand."""
    about, hands, actions = line.history.about, line.history.hands, line.history.actions
    wanted: dict[tuple[int, int], dict[int, float]] = {}
    sittings: dict[tuple[int, int], list[tuple[int, float, float]]] = {}
    habits: dict[int, np.ndarray] = {}
    for hand in range(len(hands)):
        now, table = int(about["time"][hand]), int(about["table"][hand])
        for position in range(hands["seats"][hand]):
            who = int(line.seated[hand, position])
            stack = hands["stacks"][hand, position] / about["big_blind"][hand]
            before = sittings.get((who, table), [])
            if before and now - before[-1][0] > 1800:
                before = []
            short, count, topped, below = habits.setdefault(who, np.zeros(4))
            topped_up = bool(before) and stack > before[-1][1] + before[-1][2] + 0.5
            if before and before[-1][1] + before[-1][2] < 99.5:
                below, topped = below + 1, topped + topped_up
            short, count = short + (stack < 60), count + 1
            habits[who] = np.array([short, count, topped, below])
            at_once = {t for (w, t), told in sittings.items() if w == who and t != table and now - told[-1][0] <= 600}
            wanted[hand, position] = {
                TABLES: 1 + len(at_once),
                HANDS_HERE: np.log1p(len(before)),
                BOUGHT_IN: np.log1p(before[0][1] if before else stack),
                FULL_NOW: stack == 100,
                SHORT_SHARE: (short + 0.4) / (count + 1.5),
                TOPPED_UP_NOW: topped_up,
                TOPPED_UP_SHARE: (topped + 0.3) / (below + 2),
                POSTED_NOW: about["posts"][hand] >> position & 1,
                AWAY: np.log1p((now - before[-1][0]) / 60) if before else 0,
                LAST_WON: _signed_log(before[-1][2]) if before else 0,
                WON_HERE: _signed_log(sum(told[2] for told in before)),
            }
            won = hands["payoffs"][hand, position] / about["big_blind"][hand]
            sittings[who, table] = [*before, (now, stack, won)]
    found = _rows(line)
    for column in wanted[0, 0]:
        asked = [
            wanted[hand, position][column] for hand, position in zip(actions["hand"], actions["position"], strict=True)
        ]
        np.testing.assert_allclose(found[:, column], asked, rtol=1e-5, atol=1e-5, err_msg=str(column))
        assert len(np.unique(found[:, column])) > 1


def test_how_a_hand_ends_is_known_only_afterwards(line: Timeline) -> None:
    hand = len(line.history) // 2
    before = _rows(line)
    line.history.hands["payoffs"][hand] += 12_345
    after = _rows(line)
    line.history.hands["payoffs"][hand] -= 12_345
    earlier = line.history.actions["hand"] <= hand
    np.testing.assert_array_equal(before[earlier], after[earlier])
    assert (before != after).any()


def test_habits_go_on_from_one_set_of_hands_to_the_next(line: Timeline) -> None:
    half = len(line.history) // 2
    players = np.unique(line.player)
    whole, parts = no_habits(len(players)), no_habits(len(players))
    sitting_of(line, players, whole)
    first = np.arange(len(line.history)) < half
    sitting_of(line, players, parts, first)
    sitting_of(line, players, parts, ~first)
    kept = [HABITS.index(name) for name in ("hands", "full", "recent", "short", "posted")]
    np.testing.assert_allclose(parts[:, kept], whole[:, kept], rtol=1e-5)
    assert whole[:, HANDS].sum() == sum(line.history.hands["seats"])


def test_hands_without_times_are_one_table_and_no_pace(line: Timeline) -> None:
    times = line.history.about["time"].copy()
    line.history.about["time"] = NO_TIME
    found = _rows(line)
    line.history.about["time"] = times
    assert (found[:, TABLES] == 1).all()
    assert not found[:, [PACE, AWAY]].any()
    assert found[:, HANDS_HERE].max() > np.log(20)


def test_nobody_asked_for_sits_nowhere(line: Timeline) -> None:
    assert not sitting_of(line, np.zeros(0, np.uint64), no_habits(0)).any()
