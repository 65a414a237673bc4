"""Cards of a four-colour deck, readable at 28 px: the rank above, the suit below; clubs green, diamonds blue."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from html import escape

from nemesis.lab.shapes.svg import Look, svg, tag, text
from nemesis.rules.game import Game

WIDTH, HEIGHT = 40, 56
_INK = {"c": "#00795a", "d": "#0063a0", "h": "#c32f27", "s": "#1b2229", "": "#1b2229"}
_PIPS = {
    "c": "M20 24a6 6 0 0 1 5 9.4A6.2 6.2 0 1 1 22 42c.3 3 1.2 4.6 3 6H15c1.8-1.4 2.7-3 3-6"
    "a6.2 6.2 0 1 1-3-8.6A6 6 0 0 1 20 24z",
    "d": "M20 23l9 13-9 13-9-13z",
    "h": "M20 49C9 40 8 35.5 8.5 31.5 9.5 25 17.5 24.5 20 30c2.5-5.5 10.5-5 11.5 1.5C32 35.5 31 40 20 49z",
    "s": "M20 23c6 7.5 12 10.5 12 17a6 6 0 0 1-10 4.3c.3 2.2 1.2 3.5 3 4.7H15"
    "c1.8-1.2 2.7-2.5 3-4.7A6 6 0 0 1 8 40c0-6.5 6-9.5 12-17z",
}
_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_NAMES = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


def card_row(game: Game, cards: Sequence[int | None], *, height: int = 72, dim: bool = False, places: int = 0) -> str:
    """Cards side by side; with `places` the row keeps room for so many, so that nothing moves when one is turned."""
    step = WIDTH * height / HEIGHT + max(3, height * 0.07)
    shown = "".join(placed_card(game, card, step * i, 0, height, dim) for i, card in enumerate(cards))
    empty: Look = {"fill": "none", "stroke": "currentColor", "stroke_opacity": 0.28, "stroke_dasharray": "3 4"}
    wide = WIDTH * height / HEIGHT - 2
    for i in range(len(cards), places):
        shown += tag("rect", x=step * i + 1, y=1, width=wide, height=height - 2, rx=height / 11, **empty)
    words = ", ".join("a card face down" if card is None else card_words(game, card) for card in cards)
    return svg(step * max(places, len(cards), 1), height, shown, says=words or "no cards yet", stretch=False)


def card_words(game: Game, card: int) -> str:
    """The card in words, for whoever listens: 10 of hearts."""
    name = game.card_name(card)
    if len(name) == 2 and name[1] in _NAMES:
        rank = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "10"}.get(name[0], name[0])
        return f"{rank} of {_NAMES[name[1]]}"
    return name


def card_signs(game: Game, cards: Sequence[int]) -> str:
    """Cards in a line of text, as HTML: ranks with the signs and colours of their suits."""
    return " ".join(map(_sign, map(game.card_name, cards)))


def _sign(name: str) -> str:
    if len(name) == 2 and name[1] in _SIGNS:
        rank = "10" if name[0] == "T" else name[0]
        return f'<span class="suit-{name[1]}">{rank}{_SIGNS[name[1]]}</span>'
    return escape(name)


def placed_card(game: Game, card: int | None, x: float, y: float, height: float, dim: bool = False) -> str:
    """A card as a part of a larger drawing, its upper left corner at a place."""
    inner = _back() if card is None else _face(game.card_name(card))
    placed = f"translate({x:.1f} {y:.1f}) scale({height / HEIGHT:.4f})"
    return tag("g", inner, transform=placed, opacity=0.38 if dim else 1)


def _ground(fill: str) -> str:
    sides: Look = {"x": 0.7, "y": 0.7, "width": WIDTH - 1.4, "height": HEIGHT - 1.4, "rx": 5}
    return tag("rect", fill=fill, stroke="var(--card-edge)", **sides)


@lru_cache(maxsize=1)
def _back() -> str:
    look: Look = {"fill": "none", "stroke": "#fff", "stroke_opacity": 0.28}
    return _ground("var(--back)") + "".join(tag("path", d=f"M{x} 8L{x + 8} 28 {x} 48", **look) for x in (8, 16, 24))


@lru_cache(maxsize=128)
def _face(name: str) -> str:
    suit = name[1:] if len(name) == 2 and name[1:] in _PIPS else ""
    if not suit:
        size = 24 if len(name) < 3 else 17
        return _ground("var(--card)") + text(WIDTH / 2, 37, name, size=size, anchor="middle", bold=True, fill=_INK[""])
    rank = "10" if name[0] == "T" else name[0]
    pip = tag("path", d=_PIPS[suit], fill=_INK[suit], transform="translate(5 13.5) scale(.75 .8)")
    return (
        _ground("var(--card)") + pip + text(WIDTH / 2, 23, rank, size=24, anchor="middle", bold=True, fill=_INK[suit])
    )
