"""A recorded hand as steps that can be shown one after another: deal, actions, streets and the end.

Everything is read from the columns (`observe.columns`), which have chips before and after every action, so any hand that a
store holds can be shown, also one whose winner nobody knows or who folded where checking was free.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate

from nemesis.observe.history import History
from nemesis.observe.view import NOT_YET


@dataclass(frozen=True)
class Standing:
    """The table after a step. By position: chips behind, chips in front, whether still in the hand, and cards if known."""

    what: str
    """deal, street, fold, check, call, bet, raise or end"""
    position: int
    """Who acted, -1 for nobody."""
    street: int
    board: tuple[int, ...]
    pot: int
    """All chips put in so far."""
    stacks: tuple[int, ...]
    wagers: tuple[int, ...]
    live: tuple[bool, ...]
    amount: int = 0
    """Chips that the action put in."""
    decision: int = -1
    """The number of the action among those of the hand, -1 for what is none."""


@dataclass(frozen=True)
class RecordedHand:
    """One hand of a history, by position."""

    name: str
    players: tuple[str, ...]
    scale: int
    big_blind: int
    cards: tuple[tuple[int, ...], ...]
    shown: tuple[bool, ...]
    payoffs: tuple[int, ...] | None
    steps: tuple[Standing, ...]


def recorded_hand(history: History, row: int) -> RecordedHand:
    """The hand in this row, step by step."""
    d, about = history.hands[row], history.about[row]
    seats = int(d["seats"])
    game = history.games[int(d["rules"])]
    sizes = [*accumulate(game.board_cards)]
    board = tuple(int(card) for card in d["board"] if card != NOT_YET)
    actions = history.actions[int(d["first"]) : int(d["first"]) + int(d["actions"])]
    put_in = [0] * seats
    for action in actions:
        put_in[int(action["position"])] += int(action["amount"])
    posted = [int(about["spent"][p]) - put_in[p] for p in range(seats)]
    stacks = [int(d["stacks"][p]) - posted[p] for p in range(seats)]
    wagers, live = list(posted), [True] * seats
    now = Standing("deal", -1, 0, board[: sizes[0]], sum(posted), tuple(stacks), tuple(wagers), tuple(live))
    steps = [now]
    for number, action in enumerate(actions):
        street, position, amount = (int(action[name]) for name in ("street", "position", "amount"))
        while now.street < street:
            wagers = [0] * seats
            at = now.street + 1
            now = replace(
                now, what="street", position=-1, street=at, board=board[: sizes[at]], wagers=tuple(wagers), amount=0,
                decision=-1,
            )  # fmt: skip
            steps.append(now)
        stacks[position] -= amount
        wagers[position] += amount
        live[position] = live[position] and int(action["action"]) != 0
        now = Standing(
            _what(int(action["action"]), int(action["to_call"]), int(action["to"]) == amount),
            position, street, now.board, now.pot + amount, tuple(stacks), tuple(wagers), tuple(live), amount, number,
        )  # fmt: skip
        steps.append(now)
    steps.append(replace(now, what="end", position=-1, board=board, wagers=(0,) * seats, amount=0, decision=-1))
    holes = d["hole"].reshape(-1, 2)[:seats, : game.hole_cards]
    known = int(about["result"]) != 0
    return RecordedHand(
        history.ids[row].decode(errors="replace"),
        tuple(history.players[int(number)] for number in d["player"][:seats]),
        int(about["scale"]),
        int(about["big_blind"]),
        tuple(tuple(int(card) for card in hole if card != NOT_YET) for hole in holes),
        tuple(bool(int(d["shown"]) >> p & 1) for p in range(seats)),
        tuple(int(chips) for chips in d["payoffs"][:seats]) if known else None,
        tuple(steps),
    )


def _what(action: int, to_call: int, first: bool) -> str:
    if action == 0:
        return "fold"
    if action == 1:
        return "call" if to_call else "check"
    return "bet" if first and not to_call else "raise"
