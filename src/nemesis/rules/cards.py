"""A card is a number from 0 to 51: four times its rank plus its suit.

Ranks run from 0, the deuce, to 12, the ace; suits are clubs, diamonds, hearts and spades. Written as players write
them, `As` is the ace of spades and `AsKs`, `As Ks` and `As,Ks` are the same two cards.
"""

from __future__ import annotations

from collections.abc import Iterable

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = 52


def parse_card(text: str) -> int:
    """The card written as a rank and a suit: `parse_card("As") == 51`."""
    if len(text) != 2 or text[0].upper() not in RANKS or text[1].lower() not in SUITS:
        raise ValueError(f"{text} is not a card: a rank is one of {RANKS} and a suit one of {SUITS}")
    return RANKS.index(text[0].upper()) * 4 + SUITS.index(text[1].lower())


def parse_cards(text: str) -> tuple[int, ...]:
    """The different cards of a text such as `AsKs`, `As Ks` or `As,Ks`, in their order."""
    joined = "".join(text.replace(",", " ").split())
    cards = tuple(parse_card(joined[i : i + 2]) for i in range(0, len(joined), 2))
    return distinct(cards)


def card_text(card: int) -> str:
    """How a player writes the card: `card_text(51) == "As"`."""
    if not 0 <= card < DECK:
        raise ValueError(f"{card} is not a card: a card is a number from 0 to {DECK - 1}")
    return RANKS[card // 4] + SUITS[card % 4]


def cards_text(cards: Iterable[int]) -> str:
    """The cards one after another: `cards_text((51, 47)) == "AsKs"`."""
    return "".join(card_text(int(card)) for card in cards)


def distinct(cards: Iterable[int]) -> tuple[int, ...]:
    """The same cards, after checking that each is a card and none appears twice."""
    seen: list[int] = []
    for card in cards:
        text = card_text(int(card))
        if int(card) in seen:
            raise ValueError(f"the card {text} appears twice")
        seen.append(int(card))
    return tuple(seen)
