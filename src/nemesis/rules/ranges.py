"""Ranges as players write them: `QQ+, AKs, AJo+, 76s, 22-55, A5s-A2s, KdQd, random`."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from nemesis.rules.cards import DECK, RANKS, SUITS, parse_cards

Hole = tuple[int, int]


class Range(NamedTuple):
    """The holdings an opponent may have, each equally likely."""

    holes: tuple[Hole, ...]


def parse_range(text: str) -> Range:
    """The holdings a text such as `QQ+, AKs, AJo+, 76s, 22-55, KdQd` or `random` stands for."""
    holes: set[Hole] = set()
    for part in text.replace(",", " ").split():
        holes.update(_holes_of(part))
    if not holes:
        raise ValueError("a range must name at least one hand, for example QQ+, AKs or random")
    return Range(tuple(sorted(holes)))


def _holes_of(part: str) -> Iterable[Hole]:
    if part.lower() in ("random", "any"):
        return [(high, low) for low, high in combinations(range(DECK), 2)]
    if len(part) == 4 and part[1].lower() in SUITS:
        first, second = parse_cards(part)
        return [(max(first, second), min(first, second))]
    return [hole for high, low, suited in _named(part) for hole in _holes_named(high, low, suited)]


def _named(part: str) -> list[tuple[int, int, str]]:
    """The hands, as two ranks and `s`, `o` or nothing, that one part of a range names."""
    if "-" in part:
        first, last = (_one_name(end, part) for end in part.split("-", 1))
        return _between(first, last, part)
    high, low, suited = _one_name(part.removesuffix("+"), part)
    if not part.endswith("+"):
        return [(high, low, suited)]
    if high == low:
        return [(rank, rank, suited) for rank in range(low, 13)]
    return [(high, rank, suited) for rank in range(low, high)]


def _one_name(name: str, part: str) -> tuple[int, int, str]:
    ranks, suited = name[:2].upper(), name[2:].lower()
    well_formed = len(ranks) == 2 and all(rank in RANKS for rank in ranks) and suited in ("", "s", "o")
    if not well_formed or (ranks[0] == ranks[1] and suited):
        raise ValueError(
            f"{part} is not a part of a range: write hands like QQ, QQ+, 22-55, AKs, AJo+, A5s-A2s, KdQd or random"
        )
    high, low = sorted((RANKS.index(rank) for rank in ranks), reverse=True)
    return high, low, suited


def _between(first: tuple[int, int, str], last: tuple[int, int, str], part: str) -> list[tuple[int, int, str]]:
    lowest, highest = sorted((first, last))
    if first[2] != last[2] or (first[0] == first[1]) != (last[0] == last[1]):
        raise ValueError(f"{part} joins hands of different kinds: both ends must be pairs, suited or offsuit")
    if first[0] == first[1]:
        return [(rank, rank, "") for rank in range(lowest[0], highest[0] + 1)]
    if first[0] != last[0]:
        raise ValueError(f"{part} joins hands of different high cards: both ends must share it, as in A5s-A2s")
    return [(first[0], rank, first[2]) for rank in range(lowest[1], highest[1] + 1)]


def _holes_named(high: int, low: int, suited: str) -> list[Hole]:
    if high == low:
        return [(4 * high + one, 4 * low + two) for two, one in combinations(range(4), 2)]
    pairs = [(one, two) for one in range(4) for two in range(4)]
    return [(4 * high + one, 4 * low + two) for one, two in pairs if suited == "" or (suited == "s") == (one == two)]
