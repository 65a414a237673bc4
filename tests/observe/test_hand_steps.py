"""Recorded hands step by step: chips are neither made nor lost, and the cards lie where they were."""

from pathlib import Path

from nemesis.observe.hand_steps import recorded_hand
from nemesis.observe.history import History, read_history
from nemesis.rules.cards import card_text

DATA = Path(__file__).parent.parent / "data"
HAND = """[1]
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 200, 50]
actions = ['d dh p1 AhAd', 'd dh p2 ????', 'd dh p3 ????', 'p3 f', 'p1 cbr 6', 'p2 cc', 'd db 2c7dKs', 'p1 cc',
           'p2 cbr 10', 'p1 f']
players = ['Ann', 'Bob', 'Cem']
"""


def read(folder: Path, text: str) -> History:
    (folder / "h.phhs").write_text(text)
    history = read_history([folder / "h.phhs"])
    assert not history.rejected
    return history


def test_a_hand_goes_from_the_blinds_to_its_end(tmp_path: Path) -> None:
    hand = recorded_hand(read(tmp_path, HAND), 0)
    one = hand.scale
    assert hand.players == ("Ann", "Bob", "Cem")
    assert [card_text(card) for card in hand.cards[0]] == ["Ah", "Ad"]
    assert hand.cards[1:] == ((), ())
    assert [step.what for step in hand.steps] == [
        "deal", "fold", "raise", "call", "street", "check", "bet", "fold", "end",
    ]  # fmt: skip
    assert [step.pot // one for step in hand.steps] == [3, 3, 8, 12, 12, 12, 22, 22, 22]
    assert [step.position for step in hand.steps] == [-1, 2, 0, 1, -1, 0, 1, 0, -1]
    flop = hand.steps[4]
    assert [card_text(card) for card in flop.board] == ["2c", "7d", "Ks"]
    assert flop.wagers == (0, 0, 0)
    assert flop.live == (True, True, False)
    assert hand.steps[6].wagers == (0, 10 * one, 0)
    assert [step.decision for step in hand.steps] == [-1, 0, 1, 2, -1, 3, 4, 5, -1]
    assert hand.steps[-1].live == (False, True, False)


def test_chips_are_neither_made_nor_lost_in_any_hand() -> None:
    history = read_history(sorted(DATA.glob("*.phhs")))
    for row in range(len(history)):
        hand = recorded_hand(history, row)
        begin = sum(hand.steps[0].stacks) + hand.steps[0].pot
        for step in hand.steps:
            assert sum(step.stacks) + step.pot == begin
            assert min(step.stacks) >= 0
            assert min(step.wagers) >= 0
        told = [step.pot - step.amount for step in hand.steps if step.decision >= 0]
        first, count = int(history.hands["first"][row]), int(history.hands["actions"][row])
        assert told == history.actions["pot"][first : first + count].tolist()
