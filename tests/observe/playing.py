"""Hands to test with: any hold'em game, any legal play, explicit cards."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pokerkit
from hypothesis import strategies as st

from nemesis.observe.hand import Hand
from nemesis.rules.betting import CALL, FOLD, begin, new_hand, step
from nemesis.rules.game import AFTER_BLINDS, Game, blind_positions

BOARD = (0, 3, 4, 5)


@st.composite
def games(draw: st.DrawFn, structures=("no-limit", "pot-limit", "limit"), uneven_antes: bool = False) -> Game:
    structure = draw(st.sampled_from(structures))
    seats = draw(st.integers(2, 6))
    big = draw(st.sampled_from((2, 10, 100)))
    stack = st.integers(1, 12 * big) | st.integers(1, 60 * big)
    antes = [draw(st.sampled_from((0, 0, 1, big // 2)))] * seats
    if uneven_antes:
        antes = draw(st.lists(st.integers(0, 2 * big), min_size=seats, max_size=seats))
    return Game(
        name=f"{structure} hold'em",
        structure=structure,
        stacks=tuple(draw(st.lists(stack, min_size=seats, max_size=seats))),
        antes=tuple(antes),
        blinds=blind_positions(big // 2, big, seats),
        bets=(big, big, 2 * big, 2 * big) if structure == "limit" else (big,) * 4,
        first=(AFTER_BLINDS, 0, 0, 0),
        max_raises=(4, 4, 4, 4) if structure == "limit" else (),
    )


@st.composite
def hands(draw: st.DrawFn, of: st.SearchStrategy[Game] = games(), **more) -> Hand:  # noqa: B008
    """A hand played to its end by the engine, with everyone's cards known and shown at a showdown."""
    game = draw(of)
    deck = draw(st.permutations(range(52)))
    rules, record = game.compiled(), new_hand()
    begin(rules, np.array(game.stacks), record)
    actions: list[int] = []
    folded: set[int] = set()
    street = 0
    while not record["over"][0]:
        street, actor = int(record["street"][0]), int(record["actor"][0])
        low, high = int(record["min_to"][0]), int(record["max_to"][0])
        wish = draw(st.integers(0, 5))
        action = FOLD if wish == 0 and record["to_call"][0] else CALL
        if wish >= 4 and high:
            action = draw(st.sampled_from((low, high)) | st.integers(low, high))
        folded |= {actor} if action == FOLD else set()
        actions.append(step(rules, record, action))
    live = [p for p in range(game.seats) if p not in folded]
    return Hand(
        game=game,
        hole=tuple((deck[2 * p], deck[2 * p + 1]) for p in range(game.seats)),
        board=tuple(deck[-5:][: 5 if len(live) > 1 else BOARD[street]]),
        actions=tuple(actions),
        shown=tuple(live) if len(live) > 1 else (),
        **more,
    )


def pokerkit_payoffs(text: str, scale: int = 1, whole: bool = True) -> tuple[int, ...]:
    """What PokerKit makes of a PHH text, in our chips; pots divide into whole units or into chips."""
    parts = 1 if whole else scale

    def divide(amount: int | Decimal, ways: int) -> tuple[Decimal, Decimal]:
        share = Decimal(int(amount * parts) // ways) / parts
        return share, amount - share * ways

    *_, end = pokerkit.HandHistory.loads(text, divmod=divide)
    assert not end.status
    return tuple(int(payoff * scale) for payoff in end.payoffs)
