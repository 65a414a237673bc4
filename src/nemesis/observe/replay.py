"""Hand histories held against the engine: does every recorded hand come out to the chip?

The engine's payoffs are compared with what the source publishes. Real rooms take rake out of the pots, so
there the two agree if every player who took nothing lost exactly the same, and those who took chips are
short of ours by a rake that is no more than a tenth of the pot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nemesis.observe.hand import Hand, HandError, Replay, amount_text, replay
from nemesis.observe.phh import Passage, parse_hand, passages

SUFFIXES = (".phh", ".phhs")
MOST_RAKE = 10
GROSS = frozenset({"PartyPoker"})
"""Rooms whose winnings include the bets that nobody called; elsewhere `with_returned` tells."""


@dataclass(frozen=True)
class Checked:
    """One hand of a file and how its replay compares; `scale` chips are one unit of the source."""

    file: str
    hand: str
    payoffs: tuple[int, ...] | None = None
    published: tuple[int, ...] | None = None
    rake: int | None = None
    agrees: bool | None = None
    problem: str | None = None
    scale: int = 1


def check_files(paths: Iterable[str | Path]) -> Iterator[Checked]:
    """Every hand of the files, and of the hand histories inside the folders, in order of name."""
    for path in map(Path, paths):
        for file in hand_files(path):
            yield from check_file(file)


def hand_files(path: Path) -> list[Path]:
    """The file itself, or the `.phh` and `.phhs` files in a folder and its folders."""
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and file.is_file())
    if not found:
        raise HandError(f"{path} has no {' or '.join(SUFFIXES)} file in it")
    return found


def check_file(path: str | Path) -> Iterator[Checked]:
    """Every hand of one file; one that cannot be read or replayed is a `problem`, and the next is tried."""
    return map(check_passage, passages(path))


def check_passage(passage: Passage) -> Checked:
    """Read and replay one hand."""
    try:
        hand = parse_hand(passage)
        return check(hand, passage.file, passage.number)
    except HandError as error:
        return Checked(passage.file, passage.number or "1", problem=str(error))


def check(hand: Hand, file: str = "", number: str = "") -> Checked:
    """Replay one hand and compare."""
    played = replay(hand)
    name = str(dict(hand.source).get("hand", number or "1"))
    published = published_payoffs(hand, played)
    if played.payoffs is None or published is None:
        return Checked(file, name, played.payoffs, published, problem=played.undecided, scale=hand.scale)
    rake = -sum(published)
    problem = disagreement(hand, played, published)
    return Checked(file, name, played.payoffs, published, rake, problem is None, problem, hand.scale)


def published_payoffs(hand: Hand, played: Replay) -> tuple[int, ...] | None:
    """What the source says everyone won or lost, from final stacks or from what was taken from the pots."""
    if hand.payoffs is not None or hand.winnings is None:
        return hand.payoffs
    returned = sum(played.uncalled)
    contested = sum(played.spent) - returned
    gross = dict(hand.source).get("venue") in GROSS or with_returned(
        sum(hand.winnings) - contested, returned, contested
    )
    paid = zip(hand.winnings, played.spent, played.uncalled, strict=True)
    return tuple(taken - spent + (0 if gross else back) for taken, spent, back in paid)


def with_returned(surplus: Any, returned: Any, contested: Any) -> Any:
    """Whether winnings that exceed the contested pot do so by the uncalled bets among them, but for rake.

    A smaller surplus is dead money that the source does not list, such as the small blind of a player who comes in.
    """
    return (surplus > 0) & ((returned - surplus) * MOST_RAKE <= contested)


def disagreement(hand: Hand, played: Replay, published: tuple[int, ...]) -> str | None:
    """How the source differs from the engine beyond rake, or None if it does not."""
    if played.payoffs is None or played.winnings is None or published == played.payoffs:
        return None
    rake = -sum(published)
    pot = sum(played.winnings)
    short = [ours - theirs for ours, theirs in zip(played.payoffs, published, strict=True)]
    for p, (missing, taken) in enumerate(zip(short, played.winnings, strict=True)):
        if missing < 0 or (missing > 0 and not taken):
            ours, theirs = amount_text(hand, played.payoffs[p]), amount_text(hand, published[p])
            return f"{hand.name}: p{p + 1} wins {ours} by the rules and {theirs} by the source"
    if rake * MOST_RAKE > pot:
        return f"{hand.name}: {amount_text(hand, rake)} of a pot of {amount_text(hand, pot)} are missing"
    return None
