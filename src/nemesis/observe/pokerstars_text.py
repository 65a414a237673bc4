"""Hand histories as PokerStars' client writes them, and GGPoker's, which follow the same grammar.

Cash games and tournaments of no-limit, pot-limit and limit hold'em. The reader knows what such files hold beside the usual:
antes, posts to come in (the small blind of `posts small & big blinds` is dead money), straddles, folds that show cards,
winnings from several pots, hands that were cashed out. Players who neither post nor act were not dealt in. The lines must
add up to the pot that the summary tells; a hand where they do not is an error, as is a board that was run twice.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from nemesis.observe.hand import DEEP, Hand, HandError
from nemesis.observe.phh import FINEST, plain_game
from nemesis.observe.phh_text import hand_text
from nemesis.observe.tape import Move
from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.rules.cards import parse_cards
from nemesis.rules.game import Structure

BEGINS = re.compile(r"^\ufeff?PokerStars (?:Zoom |Home Game )?(?:Hand|Game) #", re.M)
GG_BEGINS = re.compile(r"^\ufeff?Poker Hand #", re.M)
_AMOUNT = r"[^\d\s\[(]*([\d.,]*\d)"
_TITLE = re.compile(
    r"\ufeff?(?P<room>PokerStars|Poker Hand)[^#]*#(?P<hand>\w+):.*?Hold'em (?P<limit>No Limit|Pot Limit|Limit)\b.*"
    r"\([^()]*?(?P<symbol>[^\w\s(,]?)(?P<small>[\d.,]*\d)/[^\d()]?(?P<big>[\d.,]*\d)[^()]*\)"
    r".*?(?P<year>\d{4})/(?P<month>\d\d?)/(?P<day>\d\d?) "
    r"(?P<hour>\d\d?):(?P<minute>\d\d):(?P<second>\d\d) ?(?P<zone>[A-Z]+)?"
)
_TABLE = re.compile(r"Table '(?P<table>.*)' (?P<seats>\d+)-max.*Seat #(?P<button>\d+) is the button")
_SEAT = re.compile(rf"Seat (\d+): (.+) \({_AMOUNT} in chips")
_STREET = re.compile(r"\*\*\* (FLOP|TURN|RIVER) \*\*\*.*\[([^\]]*)\]\s*$")
_AGAIN = re.compile(r"\*\*\* (?:FIRST|SECOND|THIRD) (?:FLOP|TURN|RIVER) \*\*\*")
_POSTS = re.compile(rf"(?:posts )?(?:the |a )?(ante|small blind|big blind|small & big blinds|straddle) {_AMOUNT}")
_BETS = re.compile(rf"(?:bets|calls|raises {_AMOUNT} to) {_AMOUNT}")
_CARDS = re.compile(r"\[(\w\w \w\w)\]")
_DEALT = re.compile(r"Dealt to (.+) \[(\w\w \w\w)\]\s*$")
_BACK = re.compile(rf"Uncalled bet \({_AMOUNT}\) returned to ")
_TAKEN = re.compile(rf"(.+) collected {_AMOUNT} from ")
_POT = re.compile(rf"Total pot {_AMOUNT}")
_SUMMARY = re.compile(r"Seat (\d+): .*? (mucked|showed) \[(\w\w \w\w)\]")
_WON = re.compile(rf"Seat (\d+): .*? (?:and won|collected) \({_AMOUNT}\)")
_STRUCTURES: dict[str, Structure] = {"No Limit": "no-limit", "Pot Limit": "pot-limit", "Limit": "limit"}
_ROOMS = {"PokerStars": "PokerStars", "Poker Hand": "GGPoker"}


@dataclass
class _Player:
    """What the lines say of one seat."""

    seat: int
    name: str
    stack: Decimal
    ante: Decimal = Decimal(0)
    blind: Decimal = Decimal(0)
    is_post: bool = False
    dealt: bool = False
    cards: str = ""
    shown: bool = False
    wager: Decimal = Decimal(0)
    """Chips of this street."""
    paid: Decimal = Decimal(0)
    taken: Decimal = Decimal(0)


@dataclass
class _Story:
    """A hand as far as its lines were read."""

    small: Decimal
    big: Decimal
    players: dict[str, _Player] = field(default_factory=dict)
    board: list[str] = field(default_factory=list)
    moves: list[tuple[str, int, int, Decimal]] = field(default_factory=list)
    street: int = 0
    back: Decimal = Decimal(0)
    pot: Decimal | None = None
    dead: bool = False


def pokerstars_phh(text: str) -> str:
    """The hand of this text as PHH; `HandError` if it is not one."""
    title = _TITLE.match(text)
    if title is None:
        raise HandError(f"the first line does not tell a game of hold'em, its stakes and its time: {_head(text)!r}")
    lines = text.splitlines()
    table = next((found for line in lines[1:4] if (found := _TABLE.match(line))), None)
    if table is None:
        raise HandError("no line says which seat has the button")
    story = _Story(_number(title["small"]), _number(title["big"]))
    body, summary = _halves(lines[1:])
    for line in body:
        _read_line(story, line.rstrip())
    _read_summary(story, summary)
    _check_pot(story)
    return _phh(story, title, table)


def _head(text: str) -> str:
    line = text.split("\n", 1)[0].strip()
    return line if len(line) < 120 else line[:120] + "…"


def _number(text: str) -> Decimal:
    try:
        amount = Decimal(text.replace(",", ""))
    except InvalidOperation:
        raise HandError(f"{text!r} is not an amount") from None
    if amount >= DEEP or amount * FINEST % 1:
        raise HandError(f"{text} is an amount beyond {DEEP} or finer than 1/{FINEST}")
    return amount


def _halves(lines: list[str]) -> tuple[list[str], list[str]]:
    cut = next((at for at, line in enumerate(lines) if line.startswith("*** SUMMARY ***")), len(lines))
    return lines[:cut], lines[cut:]


def _read_line(story: _Story, line: str) -> None:
    """One line before the summary. Writes `story`."""
    if seat := _SEAT.match(line):
        story.players.setdefault(seat[2], _Player(int(seat[1]), seat[2], _number(seat[3])))
    elif street := _STREET.match(line):
        story.street += 1
        story.board += street[2].split()
        for player in story.players.values():
            player.wager = Decimal(0)
    elif _AGAIN.match(line):
        raise HandError("the board was run more than once, and a hand with several boards is not read")
    elif (dealt := _DEALT.match(line)) and dealt[1] in story.players:
        story.players[dealt[1]].cards = dealt[2]
    elif back := _BACK.match(line):
        story.back += _number(back[1])
    elif (taken := _TAKEN.match(line)) and taken[1] in story.players:
        story.players[taken[1]].taken += _number(taken[2])
    elif (who := _speaker(story, line)) is not None:
        _act(story, who, line[len(who.name) + 2 :])


def _speaker(story: _Story, line: str) -> _Player | None:
    """Whose `name: …` line this is; names may have colons in them."""
    name, found, _ = line.partition(": ")
    if found and name not in story.players:
        name = max((known for known in story.players if line.startswith(f"{known}: ")), key=len, default="")
    return story.players.get(name) if found else None


def _act(story: _Story, who: _Player, said: str) -> None:
    """What a player does. Writes `story`."""
    verb = said.split(" ", 1)[0]
    if verb in ("posts", "straddle"):
        _post(story, who, said)
    elif verb in ("folds", "checks"):
        _move(story, who, FOLD if verb == "folds" else CALL, who.wager)
        if cards := _CARDS.search(said):
            who.cards, who.shown = cards[1], True
    elif verb in ("bets", "calls", "raises"):
        amount = _BETS.match(said)
        if amount is None:
            raise HandError(f"{who.name} {said!r} names no amount")
        to = _number(amount[2]) + (0 if verb == "raises" else who.wager)
        _move(story, who, CALL if verb == "calls" else RAISE, to)
    elif verb == "shows" and (cards := _CARDS.search(said)):
        who.cards, who.shown = cards[1], True


def _move(story: _Story, who: _Player, action: int, to: Decimal) -> None:
    story.moves.append((who.name, story.street, action, to))
    _pay(who, to - who.wager)
    who.dealt = True


def _pay(who: _Player, amount: Decimal) -> None:
    who.wager += amount
    who.paid += amount


def _post(story: _Story, who: _Player, said: str) -> None:
    """An ante, a blind by turn, a post to come in or a straddle. Writes `story`.

    The first small and the first big blind are those by turn; what others post is a post, of which a small blind is dead.
    """
    post = _POSTS.match(said)
    if post is None:
        raise HandError(f"{who.name} {said!r} is a post of no known kind")
    kind, amount = post[1], _number(post[2])
    blinds = [player.blind for player in story.players.values() if not player.is_post]
    who.dealt = True
    dead = Decimal(0)
    if kind == "ante":
        who.ante += amount
        who.paid += amount
        return
    if kind == "small & big blinds":
        dead = max(amount - story.big, Decimal(0))
    elif kind == "small blind" and any(blinds):
        dead = amount
    who.ante += dead
    who.paid += dead
    story.dead |= dead > 0
    who.is_post = kind == "small & big blinds" or (kind == "big blind" and any(blind >= story.big for blind in blinds))
    blind = amount - dead
    if (
        said.endswith("all-in") and kind != "small & big blinds"
    ):  # a blind is as large as ever where one is all-in for less
        who.blind = max(blind, story.big if kind == "big blind" else min(story.small, story.big))
    else:
        who.blind = max(who.blind, blind)
    _pay(who, blind)


def _read_summary(story: _Story, lines: Iterable[str]) -> None:
    """The pot, cards that were mucked, and winnings that no line before told. Writes `story`."""
    by_seat = {player.seat: player for player in story.players.values()}
    silent = not any(player.taken for player in story.players.values())
    for line in lines:
        if (pot := _POT.match(line)) and story.pot is None:
            story.pot = _number(pot[1])
        if (cards := _SUMMARY.match(line)) and int(cards[1]) in by_seat:
            player = by_seat[int(cards[1])]
            player.cards = player.cards or cards[3]
            player.shown |= cards[2] == "showed"
        if silent and (won := _WON.match(line)) and int(won[1]) in by_seat:
            by_seat[int(won[1])].taken = _number(won[2])


def _check_pot(story: _Story) -> None:
    paid = sum((player.paid for player in story.players.values()), Decimal(0)) - story.back
    if story.pot is not None and story.pot != paid:
        raise HandError(f"its lines put {paid:f} into the pot, its summary says {story.pot:f}")


def _phh(story: _Story, title: re.Match[str], table: re.Match[str]) -> str:
    """The story as text; positions count from the seat after the button."""
    button = int(table["button"])
    players = [player for player in story.players.values() if player.dealt]
    players.sort(key=lambda player: (player.seat <= button, player.seat))
    if len(players) < 2:
        raise HandError(f"{len(players)} players were dealt in")
    place = {player.name: position for position, player in enumerate(players)}
    scale = _scale(story, players)

    def chips(amounts: Iterable[Decimal]) -> tuple[int, ...]:
        return tuple(int(amount * scale) for amount in amounts)

    limit = _STRUCTURES[title["limit"]]
    bets = (story.small, story.big) if limit == "limit" else (story.big, story.big)
    posted = chips(-player.blind if player.is_post else player.blind for player in players)
    game = plain_game(limit, chips(p.stack for p in players), chips(p.ante for p in players), posted, *chips(bets))
    moves = [Move(place[name], street, action, int(to * scale)) for name, street, action, to in story.moves]
    hole = tuple(parse_cards(player.cards) for player in players)
    hour, minute, second = (int(title[name]) for name in ("hour", "minute", "second"))
    told: dict[str, object] = {
        "venue": _ROOMS[title["room"]],
        "time": datetime.time(hour, minute, second),
        **{name: int(title[name]) for name in ("day", "month", "year")},
        "hand": int(title["hand"]) if title["hand"].isdigit() else title["hand"],
        "seats": tuple(player.seat for player in players),
        "seat_count": int(table["seats"]),
        "table": table["table"],
        "currency_symbol": title["symbol"],
        "time_zone_abbreviation": title["zone"] or "",
    }
    hand = Hand(
        game=game,
        hole=hole,
        board=parse_cards(" ".join(story.board)),
        actions=tuple(move.action if move.action < RAISE else max(RAISE, move.to) for move in moves),
        shown=tuple(position for position, player in enumerate(players) if player.shown and hole[position]),
        winnings=chips(player.taken for player in players) if any(player.taken for player in players) else None,
        players=tuple(player.name for player in players),
        posts=tuple(position for position, player in enumerate(players) if player.is_post),
        dead_antes=story.dead,
        scale=scale,
        source=tuple((name, value) for name, value in told.items() if value != ""),
    )
    return hand_text(hand, moves)


def _scale(story: _Story, players: list[_Player]) -> int:
    """How many chips a unit must be for every amount to be whole."""
    amounts = [story.small, story.big, *(to for *_, to in story.moves)]
    amounts += [amount for p in players for amount in (p.stack, p.ante, p.blind, p.taken)]
    if story.big >= RAISE and not any(amount % 1 for amount in amounts):
        return 1
    scale = 100
    while any(amount * scale % 1 for amount in amounts):
        scale *= 10
    return scale
