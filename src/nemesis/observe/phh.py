"""Poker hand histories in the PHH format, read hand by hand (written by `phh_text`).

PHH is a dialect of TOML (J. Kim, "Recording and Describing Poker Hands", 2024). A `.phh` file is one hand,
a `.phhs` file has many as tables `[1]`, `[2]`, …, which are read here one at a time. Where the text leaves
room we follow PokerKit: heads-up the antes and blinds are listed the other way round, a negative blind is
posted by someone who comes in, and the turn passes on from the largest blind that is not such a post.

Known are hold'em's three: `NT` no-limit, `PT` pot-limit, `FT` fixed-limit. Amounts with decimals become
whole chips, a hundred to the unit, and the hand remembers the scale. Not kept are comments, half-known hole
cards (they count as unknown) and the order of showing.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from nemesis.observe.hand import DEEP, Hand, HandError, decisions
from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.rules.cards import DECK, card_text, cards_text
from nemesis.rules.game import AFTER_BLINDS, Game, Structure

VARIANTS: dict[str, Structure] = {"NT": "no-limit", "PT": "pot-limit", "FT": "limit"}
BOARD = (0, 3, 4, 5)
FINEST = 10**6
GAME_FIELDS = frozenset(field.name for field in dataclasses.fields(Game))
HEADER = re.compile(rb"\[\s*(\d+)\s*\]\s*(#.*)?")
CARDS = {card_text(card): card for card in range(DECK)}
AMOUNTS = ("antes", "blinds_or_straddles", "starting_stacks")
RESULTS = ("finishing_stacks", "winnings")
MODELLED = frozenset(
    {"variant", "ante_trimming_status", "min_bet", "small_bet", "big_bet", "actions", "players"}
    | {*AMOUNTS, *RESULTS, "_game", "_shown"}
)

Fields = Mapping[str, Any]


class Passage(NamedTuple):
    """The lines of one hand in a file."""

    file: str
    number: str
    line: int
    text: bytes

    def where(self, line: int | None = None) -> str:
        """What a message calls this place."""
        hand = f", hand [{self.number}]" if self.number else ""
        return f"{self.file}{hand}, line {self.line if line is None else line}"

    def line_of(self, field: str) -> int:
        """The line that sets the field, or the first if none does."""
        lines = enumerate(self.text.splitlines(), self.line)
        return next((n for n, line in lines if line.split(b"=")[0].strip() == field.encode()), self.line)


class FieldError(ValueError):
    """What is wrong with one field; the reader adds where it stands."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


def read_hands(path: str | Path) -> Iterator[Hand]:
    """The hands of a `.phh` or `.phhs` file in their order, each parsed when it is asked for."""
    return (parse_hand(passage) for passage in passages(path))


def read_hand(text: str, file: str = "the text") -> Hand:
    """The one hand of a text."""
    found = list(split_hands(text.encode(errors="surrogatepass").splitlines(keepends=True), file))
    if len(found) != 1:
        raise HandError(f"{file} has {len(found)} hands where one was expected")
    return parse_hand(found[0])


def passages(path: str | Path) -> Iterator[Passage]:
    """The file cut into hands, not yet parsed."""
    try:
        with Path(path).open("rb") as lines:
            yield from split_hands(lines, str(path))
    except OSError as error:
        raise HandError(f"{path} cannot be read: {error.strerror or error}") from error


def split_hands(lines: Iterable[bytes], file: str) -> Iterator[Passage]:
    """Cut lines into hands at the headers `[1]`, `[2]`, …; without any header all is one hand."""
    number, first, collected, line = "", 1, list[bytes](), 0
    for line, content in enumerate(lines, 1):
        if content.startswith(b"[") and (header := HEADER.fullmatch(content.strip())):
            if number or _has_content(collected):
                yield Passage(file, number, first, b"".join(collected))
            number, first, collected = header[1].decode(), line + 1, []
        else:
            collected.append(content)
    if number or _has_content(collected) or line == 0:
        yield Passage(file, number, first, b"".join(collected))


def _has_content(lines: list[bytes]) -> bool:
    return any(line.strip() and not line.lstrip().startswith(b"#") for line in lines)


def parse_hand(passage: Passage) -> Hand:
    """One hand from its lines. Raises `HandError` with the file, the hand and the line if it is not one."""
    fields = _load(passage)
    try:
        return _hand(fields)
    except FieldError as error:
        raise HandError(f"{passage.where(passage.line_of(error.field))}: {error.field} {error}") from error
    except ValueError as error:
        raise HandError(f"{passage.where()}: {error}") from error


def _load(passage: Passage) -> Fields:
    """The passage as TOML, with exact decimals."""
    try:
        return tomllib.loads(passage.text.decode(), parse_float=Decimal)
    except UnicodeDecodeError as error:
        line = passage.line + passage.text[: error.start].count(b"\n")
        raise HandError(f"{passage.where(line)}: this is not UTF-8 text") from error
    except (ValueError, ArithmeticError, RecursionError) as error:
        at = re.search(r"\(at line (\d+)", str(error))
        lines = len(passage.text.splitlines())
        line = passage.line + (int(at[1]) if at else max(lines, 1)) - 1
        reason = str(error).split(" (at ")[0] or "nested too deeply"
        raise HandError(f"{passage.where(line)}: this is not complete PHH text: {reason}") from error


def _hand(fields: Fields) -> Hand:
    """The hand that the fields describe, walked through the engine once."""
    structure = _structure(fields)
    seats = len(_list(fields, "starting_stacks"))
    transcript = _read_actions(fields, seats)
    scale = _scale(fields, structure, transcript)
    stacks = _chips(fields, "starting_stacks", scale, seats)
    posted = in_turn(_chips(fields, "blinds_or_straddles", scale, seats))
    game = _game(fields, structure, scale, stacks, posted)
    payoffs, winnings = _results(fields, scale, stacks)
    draft = Hand(
        game=game,
        hole=transcript.hole,
        board=transcript.board,
        actions=tuple(_action(turn, scale) for turn in transcript.turns),
        payoffs=payoffs,
        winnings=winnings,
        players=_players(fields, seats),
        posts=tuple(p for p, blind in enumerate(posted) if blind < 0),
        dead_antes=not _trimming(fields),
        scale=scale,
        source=_source(fields, payoffs, winnings),
    )
    live = _check_turns(draft, transcript.turns)
    shown = fields.get("_shown", [p + 1 for p in _shown(transcript, live)])
    if not isinstance(shown, list) or any(type(p) is not int or not 1 <= p <= seats for p in shown):
        raise FieldError("_shown", f"is {shown!r}; it lists players from 1 to {seats}")
    return dataclasses.replace(draft, shown=tuple(sorted({p - 1 for p in shown})))


def _structure(fields: Fields) -> Structure:
    variant = fields.get("variant")
    if not isinstance(variant, str) or variant not in VARIANTS:
        known = ", ".join(f"{code} ({name} hold'em)" for code, name in VARIANTS.items())
        found = "missing" if variant is None else repr(variant)
        raise FieldError("variant", f"is {found}; known are {known}")
    return VARIANTS[variant]


def _list(fields: Fields, field: str) -> list[Any]:
    value = fields.get(field)
    if not isinstance(value, list):
        raise FieldError(field, "is missing" if value is None else f"is {value!r}; it must be a list")
    return value


class Turn(NamedTuple):
    """One choice as the file tells it."""

    text: str
    position: int
    board: int
    code: str
    amount: int | Decimal


class Transcript(NamedTuple):
    """The `actions` field, sorted out."""

    hole: tuple[tuple[int, ...], ...]
    board: tuple[int, ...]
    turns: list[Turn]
    shown: frozenset[int]
    showdown: bool


def _read_actions(fields: Fields, seats: int) -> Transcript:
    """Sort the actions into cards dealt, choices made and hands shown."""
    dealt: list[list[int | None]] = [[] for _ in range(seats)]
    board: list[int] = []
    turns: list[Turn] = []
    seen: dict[int, tuple[int, ...]] = {}
    showdown = False
    for text in _list(fields, "actions"):
        words = text.split("#", 1)[0].split() if isinstance(text, str) else ["?"]
        match words:
            case []:
                pass
            case ["d", "db", cards]:
                board += _board_cards(text, cards)
            case ["d", "dh", player, cards]:
                dealt[_position(text, player, seats)] += _cards(text, cards)
            case [player, ("f" | "cc") as code]:
                turns.append(Turn(text, _position(text, player, seats), len(board), code, 0))
            case [player, "cbr", amount]:
                to = _amount(text, amount)
                turns.append(Turn(text, _position(text, player, seats), len(board), "cbr", to))
            case [player, "sm", *cards] if len(cards) <= 1:
                showdown = True
                position = _position(text, player, seats)
                known = dealt[position] if cards == ["-"] else _cards(text, "".join(cards))
                if known and None not in known:
                    seen[position] = tuple(card for card in known if card is not None)
            case _:
                raise FieldError("actions", f"has {text!r}, which is no action of hold'em")
    hole = tuple(_hole(p, cards, seen.get(p)) for p, cards in enumerate(dealt))
    return Transcript(hole, tuple(board), turns, frozenset(seen), showdown)


def _position(text: str, player: str, seats: int) -> int:
    number = player[1:]
    if player[:1] != "p" or not re.fullmatch("[1-9][0-9]?", number) or int(number) > seats:
        raise FieldError("actions", f"has {text!r}; players are p1 to p{seats}")
    return int(number) - 1


def _cards(text: str, cards: str) -> list[int | None]:
    """The cards, None for an unknown one."""
    pairs = [cards[i : i + 2] for i in range(0, len(cards), 2)]
    for pair in pairs:
        if pair not in CARDS and pair != "??":
            raise FieldError("actions", f"has {text!r}, but {pair!r} is not a card")
    return [CARDS.get(pair) for pair in pairs]


def _board_cards(text: str, cards: str) -> list[int]:
    known = [card for card in _cards(text, cards) if card is not None]
    if 2 * len(known) != len(cards):
        raise FieldError("actions", f"has {text!r}; a board card cannot be unknown")
    return known


def _amount(text: str, amount: str) -> int | Decimal:
    try:
        value = Decimal(amount.replace(",", ""))
    except ArithmeticError:
        value = Decimal("nan")
    if not (value.is_finite() and 0 < value <= DEEP):
        raise FieldError("actions", f"has {text!r}, but {amount!r} is not an amount of chips")
    return int(value) if value == value.to_integral_value() else value


def _hole(position: int, dealt: list[int | None], seen: tuple[int, ...] | None) -> tuple[int, ...]:
    """What is known of a position's cards, from the deal or the showdown."""
    known = tuple(card for card in dealt if card is not None)
    if len(dealt) not in (0, 2):
        raise FieldError("actions", f"deals p{position + 1} {len(dealt)} cards instead of 2")
    if seen is None:
        return known if len(known) == 2 else ()
    if not set(known) <= set(seen):
        raise FieldError("actions", f"deals p{position + 1} {cards_text(known)} and shows {cards_text(seen)}")
    return known if len(known) == 2 else seen


def _scale(fields: Fields, structure: Structure, transcript: Transcript) -> int:
    """How many chips a unit must be for every amount to be whole; 1 if the file needs no more."""
    names = ("small_bet", "big_bet") if structure == "limit" else ("min_bet",)
    bets = [_number(fields.get(name), name) for name in names]
    listed = [_number(value, field) for field in AMOUNTS for value in _list(fields, field) if not _is_inf(value)]
    raises = [turn.amount for turn in transcript.turns]
    amounts = [value for value in (*bets, *listed, *raises) if isinstance(value, Decimal) and value % 1]
    scale = 100 if amounts or _has_fractions(fields) or (structure != "limit" and min(bets) < RAISE) else 1
    while any(value * scale % 1 for value in amounts):
        scale *= 10
        if scale > FINEST:
            raise FieldError("starting_stacks", f"or another amount is finer than 1/{FINEST}")
    return scale


def _has_fractions(fields: Fields) -> bool:
    """Whether a result is not whole."""
    results = [value for field in RESULTS if isinstance(fields.get(field), list) for value in fields[field]]
    decimals = (value for value in results if isinstance(value, Decimal) and value.is_finite())
    return any(abs(value) < DEEP and value % 1 for value in decimals)


def _is_inf(value: object) -> bool:
    return isinstance(value, Decimal) and value.is_infinite() and value > 0


def _number(value: object, field: str) -> int | Decimal:
    if value is None:
        raise FieldError(field, "is missing")
    if type(value) is int or (isinstance(value, Decimal) and value.is_finite()):
        if -DEEP < value < DEEP:
            return value
        raise FieldError(field, f"has {value}; amounts stay below {DEEP}")
    raise FieldError(field, f"has {value!r}, which is not a number")


def _chips(fields: Fields, field: str, scale: int, seats: int) -> tuple[int, ...]:
    """A list of amounts in chips, one for each player."""
    values = _list(fields, field)
    if len(values) != seats:
        raise FieldError(field, f"has {len(values)} amounts for {seats} players")
    if field != "starting_stacks" and any(map(_is_inf, values)):
        raise FieldError(field, "has an infinite amount")
    return tuple(DEEP if _is_inf(value) else _to_chips(value, scale, field) for value in values)


def _to_chips(value: int | Decimal, scale: int, field: str) -> int:
    chips = int(value * scale)
    if abs(chips) > DEEP:
        raise FieldError(field, f"has {value}; at {scale} chips to the unit amounts stay below {DEEP // scale}")
    return chips


def in_turn(values: tuple[int, ...]) -> tuple[int, ...]:
    """Antes or blinds by position: with two players they are listed the other way round."""
    return values[::-1] if len(values) == 2 else values


def _game(fields: Fields, structure: Structure, scale: int, stacks: tuple[int, ...], posted: tuple[int, ...]) -> Game:
    names = ("small_bet", "big_bet") if structure == "limit" else ("min_bet", "min_bet")
    small, big = (_to_chips(fields[name], scale, name) for name in names)
    antes = in_turn(_chips(fields, "antes", scale, len(stacks)))
    game = plain_game(structure, stacks, antes, posted, small, big)
    changes = fields.get("_game", {})
    if not isinstance(changes, dict):
        raise FieldError("_game", f"is {changes!r}; it is a table of a game's fields")
    values = {key: _frozen(value) for key, value in changes.items()}
    for key, value in values.items():
        if key not in GAME_FIELDS or not _alike(value, getattr(game, key)):
            raise FieldError("_game", f"has {key} = {value!r}, which no game has")
    return dataclasses.replace(game, **values) if values else game


def _alike(value: object, known: object) -> bool:
    """Whether a value is of the known one's kind, and no number too large."""
    if isinstance(value, tuple) and isinstance(known, tuple):
        return all(type(item) is int and abs(item) <= DEEP for item in value)
    return type(value) is type(known) and not (isinstance(value, int) and abs(value) > DEEP)


def plain_game(
    structure: Structure,
    stacks: tuple[int, ...],
    antes: tuple[int, ...],
    posted: tuple[int, ...],
    small: int,
    big: int,
) -> Game:
    """The game that PHH's own fields describe; `posted` is negative for posts to come in."""
    return Game(
        name=f"{structure} hold'em",
        structure=structure,
        stacks=stacks,
        antes=antes,
        blinds=tuple(map(abs, posted)),
        bets=(small, small, big, big),
        first=(_opener(stacks, antes, posted), 0, 0, 0),
        max_raises=(4, 4, 4, 4) if structure == "limit" else (),
    )


def _opener(stacks: tuple[int, ...], antes: tuple[int, ...], posted: tuple[int, ...]) -> int:
    """Who acts first: the next after the largest blind, unless the engine finds that position itself."""
    if min(posted) >= 0:
        return AFTER_BLINDS
    left = [max(stack - ante, 0) for stack, ante in zip(stacks, antes, strict=True)]
    paid = [max(min(blind, most), -most) for blind, most in zip(posted, left, strict=True)]
    last = max(range(len(paid)), key=lambda p: (paid[p], p))
    simple = max(range(len(paid)), key=lambda p: (abs(paid[p]), p))
    return AFTER_BLINDS if last == simple else (last + 1) % len(paid)


def _action(turn: Turn, scale: int) -> int:
    """The engine's number for the choice: a last chip bet is a 2 there, for 1 is a call."""
    if turn.code == "cbr":
        return max(RAISE, _to_chips(turn.amount, scale, "actions"))
    return FOLD if turn.code == "f" else CALL


def _check_turns(hand: Hand, turns: list[Turn]) -> set[int]:
    """Hold the file's players and streets against the engine's; return who is left at the end."""
    live = set(range(hand.game.seats))
    done = 0
    try:
        for decision, turn in zip(decisions(hand), turns, strict=True):
            done += 1
            if decision.actor != turn.position:
                raise FieldError("actions", f"has {turn.text!r} when it is the turn of p{decision.actor + 1}")
            if (needed := BOARD[decision.street]) != turn.board:
                raise FieldError("actions", f"has {turn.text!r} after {turn.board} board cards, not {needed}")
            if decision.action == FOLD:
                live.discard(decision.actor)
    except HandError as error:
        where = repr(turns[done].text) if done < len(turns) else "the end"
        raise FieldError("actions", f"at {where}: {error}") from error
    return live


def _shown(transcript: Transcript, live: set[int]) -> list[int]:
    """Who showed: those the file says, or if it is silent, all who came to a showdown with known cards."""
    if transcript.showdown:
        return sorted(transcript.shown)
    return [p for p in sorted(live) if transcript.hole[p]] if len(live) > 1 else []


def _trimming(fields: Fields) -> bool:
    trimming = fields.get("ante_trimming_status", False)
    if not isinstance(trimming, bool):
        raise FieldError("ante_trimming_status", f"is {trimming!r}; it is true or false")
    return trimming


def _players(fields: Fields, seats: int) -> tuple[str, ...]:
    names = fields.get("players", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise FieldError("players", f"is {names!r}; it must be a list of names")
    if len(names) not in (0, seats):
        raise FieldError("players", f"is {names!r}; it must name {seats} players")
    return tuple(names)


def _results(
    fields: Fields, scale: int, stacks: tuple[int, ...]
) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None]:
    """Payoffs from `finishing_stacks`, and `winnings`, each None if not told in full.

    Some converters write zeros for all players where they found no winner; that tells nothing.
    """
    finishing = _whole(fields.get("finishing_stacks"), scale, len(stacks))
    winnings = _whole(fields.get("winnings"), scale, len(stacks))
    payoffs = None
    if finishing and DEEP not in stacks:
        payoffs = tuple(after - before for after, before in zip(finishing, stacks, strict=True))
    return payoffs, winnings if winnings and any(winnings) else None


def _whole(values: object, scale: int, seats: int) -> tuple[int, ...] | None:
    """The amounts in chips, or None if there are none or they are not whole."""
    if not isinstance(values, list) or len(values) != seats:
        return None
    for value in values:
        if type(value) is not int and not (isinstance(value, Decimal) and value.is_finite()):
            return None
        if not -DEEP < value < DEEP or value * scale % 1:
            return None
    return tuple(int(value * scale) for value in values)


def _source(
    fields: Fields, payoffs: tuple[int, ...] | None, winnings: tuple[int, ...] | None
) -> tuple[tuple[str, object], ...]:
    """The other fields, and the results that could not be put in chips, so that nothing is lost."""
    untold = {"finishing_stacks": payoffs is None, "winnings": winnings is None}
    return tuple((k, _frozen(v)) for k, v in fields.items() if k not in MODELLED or untold.get(k, False))


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value
