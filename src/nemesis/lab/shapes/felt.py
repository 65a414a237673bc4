"""A poker table: the felt, the board, the pot, and everybody around it with cards, chips and the last action."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from nemesis.lab.shapes.cards import HEIGHT, WIDTH, card_words, placed_card
from nemesis.lab.shapes.svg import Look, plain, signed, size_colour, svg, tag, text
from nemesis.rules.game import Game

WIDE, HIGH = 780, 430
_MIDDLE = (390.0, 230.0)
_RADII = (306.0, 150.0)
_PLATE = (142, 42)


class SeatShown(NamedTuple):
    """A seat as it is drawn; `cards` has None for a card face down and is empty for nobody in the hand."""

    name: str
    chips: int
    wager: int
    cards: tuple[int | None, ...]
    folded: bool
    did: str
    """Its last action on this street, in a word or two."""
    colour: str
    """Of that action."""
    acts: bool
    button: bool
    won: int | None
    """What the hand brought it, when the hand is over."""


def action_colour(action: str, pots: float) -> str:
    """The colour of a fold, a call or a raise of so many pots."""
    return {"fold": "var(--fold)", "call": "var(--call)"}.get(action) or size_colour(pots)


def felt(game: Game, seats: Sequence[SeatShown], board: Sequence[int], pot: int, *, result: str = "") -> str:
    """The table as the first seat sees it, which sits below; the others follow clockwise."""
    x, y = _MIDDLE
    rim: Look = {"cx": x, "cy": y, "stroke": "var(--felt-edge)", "stroke_width": 10}
    parts = [tag("ellipse", rx=_RADII[0], ry=_RADII[1], fill="var(--felt)", **rim)]
    places = sum(game.board_cards)
    tall = 62 if len(seats) < 8 else 52
    if places:
        step = WIDTH * tall / HEIGHT + 5
        left = x - step * places / 2
        for i in range(places):
            parts.append(_board_card(game, board[i] if i < len(board) else None, left + step * i, y - 44, tall))
    below = y + (tall - 22 if places else 4)
    said = f"pot {plain(pot)}"
    parts.append(text(x, below, said, size=17, anchor="middle", bold=True, fill="var(--felt-ink)"))
    if result:
        parts.append(
            text(x, y - 56 if places else y - 22, result, size=15, anchor="middle", bold=True, fill="var(--felt-ink)")
        )
    for number, seat in enumerate(seats):
        parts.append(_seat(game, seat, number, len(seats)))
    names = "; ".join(_words(game, seat) for seat in seats)
    on_board = f"board {', '.join(card_words(game, card) for card in board)}; " if board else ""
    return svg(WIDE, HIGH, "".join(parts), says=f"{on_board}{said}; {names}. {result}")


def _words(game: Game, seat: SeatShown) -> str:
    """A seat for whoever listens."""
    cards = ", ".join(card_words(game, card) for card in seat.cards if card is not None)
    parts = [f"{seat.name} with {plain(seat.chips)} chips", seat.did, f"holding {cards}" if cards else ""]
    return ", ".join(filter(None, parts))


def _board_card(game: Game, card: int | None, x: float, y: float, tall: float) -> str:
    if card is not None:
        return placed_card(game, card, x, y, tall)
    empty: Look = {"fill": "none", "stroke": "var(--felt-ink)", "stroke_opacity": 0.25, "stroke_dasharray": "3 4"}
    return tag("rect", x=x + 1, y=y + 1, width=WIDTH * tall / HEIGHT - 2, height=tall - 2, rx=tall / 11, **empty)


def _seat(game: Game, seat: SeatShown, number: int, count: int) -> str:
    angle = math.pi / 2 + 2 * math.pi * number / count
    x = _MIDDLE[0] + (_RADII[0] + 4) * math.cos(angle)
    y = _MIDDLE[1] + (_RADII[1] + 8) * math.sin(angle)
    wide, high = _PLATE
    mine = number == 0
    tall = 70 if mine else 46 if count <= 6 else 38
    parts = [_cards(game, seat, x, y - high / 2 - tall, tall)]
    edge = "var(--bet)" if seat.won is not None and seat.won > 0 else "var(--accent)" if seat.acts else "var(--line)"
    look: Look = {"fill": "var(--panel)", "stroke": edge, "stroke_width": 3 if edge != "var(--line)" else 1.2}
    parts.append(tag("rect", x=x - wide / 2, y=y - high / 2, width=wide, height=high, rx=9, **look))
    name = seat.name if len(seat.name) <= 16 else seat.name[:15] + "…"
    parts.append(text(x, y - 4, name, size=12.5, anchor="middle", bold=mine, quiet=seat.folded))
    worth = plain(seat.chips) + (f"  ({signed(seat.won)})" if seat.won else "")
    parts.append(text(x, y + 13, worth, size=13, anchor="middle", bold=True, quiet=seat.folded))
    if seat.did:
        long = 14 + 6.6 * len(seat.did)
        parts.append(tag("rect", x=x - long / 2, y=y + high / 2 - 3, width=long, height=18, rx=9, fill=seat.colour))
        parts.append(text(x, y + high / 2 + 10, seat.did, size=11, anchor="middle", bold=True, fill="#10161c"))
    if seat.button:
        bx, by = x + wide / 2 - 3, y - high / 2 + 3
        parts.append(tag("circle", cx=bx, cy=by, r=10, fill="#fff", stroke="#333"))
        parts.append(text(bx, by + 4, "D", size=11, anchor="middle", bold=True, fill="#222"))
    if seat.wager:
        inner = 0.60 if abs(math.sin(angle)) < 0.5 else 0.50
        ahead = (_MIDDLE[0] + _RADII[0] * inner * math.cos(angle), _MIDDLE[1] + _RADII[1] * inner * math.sin(angle) + 6)
        parts.append(_chips(*((x + 74, y - 46) if mine else ahead), seat.wager))  # mine lie beside the cards
    return tag("g", "".join(parts))


def _cards(game: Game, seat: SeatShown, x: float, y: float, tall: float) -> str:
    step = WIDTH * tall / HEIGHT + 4
    left = x - step * len(seat.cards) / 2 + 2
    return "".join(
        placed_card(game, card, left + step * i, y, tall, dim=seat.folded) for i, card in enumerate(seat.cards)
    )


def _chips(x: float, y: float, amount: int) -> str:
    """A small pile and its worth; bigger bets are redder."""
    pile = "".join(
        tag("ellipse", cx=x - 4, cy=y - 4 * i, rx=9, ry=4.5, fill="var(--bet)", stroke="#5a3d00", stroke_width=1)
        for i in range(min(5, 1 + int(math.log10(max(1, amount)))))
    )
    return pile + text(x + 9, y + 3, plain(amount), size=13, bold=True, fill="var(--felt-ink)")
