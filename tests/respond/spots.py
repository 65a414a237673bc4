"""A decision in heads-up no-limit hold'em from explicit cards and chips."""

from __future__ import annotations

from nemesis.observe.view import View, new_view
from nemesis.rules.cards import parse_cards
from nemesis.rules.holdem import holdem_numbers


def spot(
    hole: str,
    board: str = "",
    *,
    pot: int,
    to_call: int = 0,
    spent: int = 0,
    wager: int = 0,
    raises: int | None = None,
    button: bool = True,
    stack: int = 20_000,
    hand: int = 0,
    chance: float = 0.999,
) -> View:
    """What a player sees who holds `hole`, has `spent` of `stack` chips in a pot of `pot`, and must call `to_call`."""
    mine, seen = parse_cards(hole), parse_cards(board)
    taken = {*mine, *seen}
    spare = [card for card in range(52) if card not in taken]
    whole = [*seen, *spare[2 : 7 - len(seen)]]
    numbers = holdem_numbers([[mine, spare[:2]]], [whole])
    street = {0: 0, 3: 1, 4: 2, 5: 3}[len(seen)]
    record = new_view()
    record["street"], record["streets"], record["board_count"] = street, 4, len(seen)
    record["win"], record["strength"] = numbers.win[0, 0, street], numbers.strength[0, 0, street]
    record["hole"][0], record["board"][0, : len(seen)] = mine, seen
    record["pot"], record["to_call"], record["big_blind"] = pot, to_call, 100
    record["wager"], record["bet"], record["spent"], record["stack"] = wager, wager + to_call, spent, stack - spent
    record["raises"] = raises if raises is not None else int(to_call > 0)
    record["max_to"] = wager + stack - spent if stack - spent > to_call else 0
    record["min_to"] = min(record["max_to"][0], wager + 2 * to_call) if to_call else 100
    record["opponents"], record["seats"], record["position"] = 1, 2, int(button)
    record["hand"], record["chance"] = hand, chance
    return View(record)


def kind(action: int) -> str:
    """An action in a word."""
    return ("fold", "call", "raise")[min(action, 2)]
