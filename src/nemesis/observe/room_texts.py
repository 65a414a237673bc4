"""Hand histories in the words of the rooms themselves, put into PHH hand by hand.

Texts of PokerStars and GGPoker are read by `pokerstars_text`, those of Full Tilt, Absolute, Ongame, iPoker and PartyPoker
by PokerKit's parsers, which know no-limit hold'em, are slow, a few hundred hands a second, and an optional dependency.
A file's room is told by how its hands begin. Other games than hold'em and hands that cannot be read are set aside with a
sentence.
"""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any

from nemesis.observe.hand import HandError, replay
from nemesis.observe.phh import read_hand
from nemesis.observe.pokerstars_text import BEGINS as STARS_BEGINS
from nemesis.observe.pokerstars_text import GG_BEGINS, pokerstars_phh

OTHER_GAMES = re.compile(r"(?<![a-z])(Omaha|Stud|Razz|Badugi|Draw|Courchevel|H\.?O\.?R\.?S\.?E)(?![a-z])", re.I)
SHORT_DECK = re.compile(r"(Short ?Deck|6\+ Hold'?em)", re.I)
HOLDEM = re.compile(r"hold'?em", re.I)
HEAD = 3
"""Lines of a hand that may name its game."""
COLLECTED = re.compile(
    r"^(?P<player>.+?) wins (?:the )?(?:main |side )?pot.* \(\D?(?P<tilt>[\d.,]+)\)"
    r'|<player\b[^>]*\bname="(?P<named>[^"]+)"[^>]*\bwin="\D?(?P<ipoker>[\d.,]+)"',
    re.M,
)
"""What Full Tilt and iPoker say of winnings, which PokerKit's parsers pass over."""

POTS = re.compile(r"^(?:Total pot ?\(?|(?:Main|Side) pot[^:\n]*: )\D?(\d[\d,]*(?:\.\d+)?)", re.M | re.I)
"""What Full Tilt, Absolute and Ongame say of the pot."""
PARTY = r"\*{5} Hand History for Game "


def _ongame_seats(piece: str) -> str:
    """PokerKit wants something behind a seat's stack."""
    return re.sub(r"^(Seat \d+: .+ \(\D?[\d.,]+\))$", r"\1 ", piece, flags=re.M)


def _ipoker_cards(piece: str) -> str:
    """PokerKit wants small letters for suits; `X` is a card that nobody saw."""
    without = re.sub(r"^<cards\b[^>]*>[X ]*</cards>\n?", "", piece, flags=re.M)
    return re.sub(r"(?<=>)[CDHSTJQKA\d ]+(?=</cards>)", lambda m: re.sub(r"\b[CDHS]", _small, m[0]), without)


def _small(letter: re.Match[str]) -> str:
    return letter[0].lower()


def _party_head(piece: str) -> str:
    """PokerKit wants the line that says that a game starts, which many files leave out."""
    return piece if piece.lstrip("\ufeff").startswith("Game #") else f"Game #0 starts.\n\n{piece}"


@dataclass(frozen=True)
class Room:
    """A room's name, how one of its hands begins, PokerKit's parser of it, and what to put right for that."""

    name: str
    begins: re.Pattern[str]
    parser: str = ""
    """Empty where our own reader does it."""
    tidied: Callable[[str], str] = str
    one_head: bool = False
    """Whether what stands before the first hand, such as the table, is told of all of them."""


ROOMS = (
    Room("PokerStars", STARS_BEGINS),
    Room("GGPoker", GG_BEGINS),
    Room("Full Tilt Poker", re.compile(r"^\ufeff?Full Tilt Poker (?:Game )?#", re.M), "FullTiltPokerParser"),
    Room("Absolute Poker", re.compile(r"^\ufeff?Stage #", re.M), "AbsolutePokerParser"),
    Room("Ongame Network", re.compile(r"^\ufeff?\*{5} History for hand ", re.M), "OngameNetworkParser", _ongame_seats),
    Room(
        "PartyPoker",
        re.compile(rf"^\ufeff?(?:Game #\d+ starts.*\n\s*(?:#Game No.*\n)?{PARTY}|Game #\d+ starts|{PARTY})", re.M),
        "PartyPokerParser",
        _party_head,
    ),
    Room(
        "iPoker Network",
        re.compile(r"^\ufeff?(?:GAME #|<game gamecode=)", re.M),
        "IPokerNetworkParser",
        _ipoker_cards,
        True,
    ),
)


def room_of(text: str) -> Room | None:
    """The room whose hands these are, or None."""
    found = ((match.start(), room) for room in ROOMS if (match := room.begins.search(text)))
    return min(found, key=lambda pair: pair[0], default=(0, None))[1]


def room_hands(text: str, room: Room) -> Iterator[tuple[int, str | HandError]]:
    """Every hand's first line and its PHH text, or why there is none."""
    converted = partial(_parsed, _parser(room)) if room.parser else _own
    starts = [match.start() for match in room.begins.finditer(text)]
    head = text[: starts[0]] if room.one_head and starts else ""
    line, counted = 1, 0
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        line += text.count("\n", counted, start)
        counted = start
        piece = head + room.tidied(text[start:end])
        yield line, _other_game(piece) or converted(piece)


def _other_game(piece: str) -> HandError | None:
    """Why a hand of another game is not read."""
    head = "\n".join(piece.split("\n", HEAD)[:HEAD])
    other = SHORT_DECK.search(head) or (None if HOLDEM.search(head) else OTHER_GAMES.search(head))
    return HandError(f"this is {other[1]}; only Texas hold'em is read") if other else None


def _own(piece: str) -> str | HandError:
    """A hand by our own reader."""
    try:
        return pokerstars_phh(piece)
    except ValueError as error:
        return HandError(str(error))


def _parsed(parser: Any, piece: str) -> str | HandError:
    """A hand by PokerKit's parser."""
    try:
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):  # it prints what it cannot read
            warnings.simplefilter("ignore")
            hands = list(parser(piece.rstrip() + "\n\n\n", error_status=True))
    except Exception as error:  # a parser of regular expressions fails in many ways; all of them mean the same here
        return HandError(f"PokerKit cannot read this hand: {_shortened(error)}")
    if len(hands) != 1:
        return HandError(f"PokerKit found {len(hands)} hands where one begins")
    _add_winnings(hands[0], piece)
    text = str(hands[0].dumps())
    return _missing_chips(text, piece) or text


def _missing_chips(text: str, piece: str) -> HandError | None:
    """Why a hand is not taken if its pot is not the one that its text tells: PokerKit passes over some antes and blinds."""
    told = sum((Decimal(pot[1].replace(",", "")) for pot in POTS.finditer(piece)), Decimal(0))
    if not told:
        return None
    try:
        hand = read_hand(text)
        played = replay(hand)
    except HandError:
        return None  # the reason is told when it is read
    pots = [Decimal(chips) / hand.scale for chips in (sum(played.spent) - sum(played.uncalled), sum(played.spent))]
    if told in pots:
        return None
    return HandError(f"as PokerKit reads it {pots[0]:f} go into the pot, its text says {told:f}")


def _add_winnings(hand: Any, piece: str) -> None:
    """Give a hand without winnings those that its text tells line by line. Writes `hand`."""
    taken: dict[str, Decimal] = {}
    for line in COLLECTED.finditer(piece):
        amount = (line["tilt"] or line["ipoker"]).replace(",", "").rstrip(".")
        player = line["player"] or line["named"]
        taken[player] = taken.get(player, Decimal(0)) + Decimal(amount)
    if not any(hand.winnings or ()) and taken and set(taken) <= set(hand.players):
        hand.winnings = [taken.get(player, 0) for player in hand.players]


def _shortened(error: Exception) -> str:
    text = f"{type(error).__name__}: {error}"
    return text if len(text) < 160 else text[:160] + "…"


def _parser(room: Room) -> Any:
    try:
        from pokerkit import notation
    except ImportError:
        raise HandError(
            f"{room.name}'s own texts are read by PokerKit, which is not installed: pip install pokerkit"
        ) from None
    return getattr(notation, room.parser)()
