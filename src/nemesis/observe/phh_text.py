"""Hold'em hands as PHH text, which `phh` reads back to the same hands and PokerKit plays to the same chips.

What PHH has no word for is written as a user-defined field that other programs pass over: `_game` where the
game has rules of its own, such as another cap on raises, and `_shown` where somebody showed cards without a
showdown.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import lru_cache

from nemesis.observe.hand import DEEP, Hand, HandError, amount_text, decisions
from nemesis.observe.phh import BOARD, VARIANTS, in_turn, plain_game
from nemesis.observe.tape import Move, Tape, finished_hands
from nemesis.rules.betting import CALL, FOLD
from nemesis.rules.cards import cards_text
from nemesis.rules.game import Game


def write_hands(hands: Iterable[Hand]) -> Iterator[str]:
    """The hands as the text of a `.phhs` file, piece by piece."""
    return (f"[{number}]\n{write_hand(hand)}\n" for number, hand in enumerate(hands, 1))


def tape_texts(tape: Tape) -> list[str]:
    """Every hand of a tape as the text of a `.phh` file."""
    return [hand_text(hand, moves) for hand, moves in finished_hands(tape)]


def write_hand(hand: Hand) -> str:
    """The hand as the text of a `.phh` file."""
    return hand_text(hand, [Move(d.actor, d.street, d.action, min(d.action, d.max_to)) for d in decisions(hand)])


def check_game(game: Game) -> None:
    """Raise `HandError` if hands of this game cannot be written."""
    if not game.is_holdem:
        raise HandError(f"hands of {game.name} cannot be written: PHH is written for hold'em only")


def hand_text(hand: Hand, moves: list[Move]) -> str:
    """The hand as the text of a `.phh` file, its actions given; they may be what the engine does not allow."""
    game = hand.game
    check_game(game)
    variant = next(code for code, structure in VARIANTS.items() if structure == game.structure)
    signed = tuple(-blind if p in hand.posts else blind for p, blind in enumerate(game.blinds))
    limit = game.structure == "limit"
    lines = {
        "variant": _toml(variant),
        "ante_trimming_status": _toml(not hand.dead_antes),
        "antes": _toml_amounts(hand, in_turn(game.antes)),
        "blinds_or_straddles": _toml_amounts(hand, in_turn(signed)),
        **({"small_bet": amount_text(hand, _small_bet(game))} if limit else {}),
        "big_bet" if limit else "min_bet": amount_text(hand, game.bets[-1]),
        "starting_stacks": _toml_amounts(hand, game.stacks),
        "actions": _toml(_action_lines(hand, moves)),
        **{_toml_key(key): _toml(value) for key, value in hand.source},
    }
    if hand.players:
        lines["players"] = _toml(hand.players)
    if hand.payoffs is not None:
        after = tuple(stack + won for stack, won in zip(game.stacks, hand.payoffs, strict=True))
        lines["finishing_stacks"] = _toml_amounts(hand, after)
    if hand.winnings is not None:
        lines["winnings"] = _toml_amounts(hand, hand.winnings)
    lines |= _beyond_phh(hand, moves, signed)
    return "".join(f"{key} = {value}\n" for key, value in lines.items())


def _beyond_phh(hand: Hand, moves: list[Move], signed: tuple[int, ...]) -> dict[str, str]:
    """What the reader could not know from PHH's own fields."""
    changes = _own_rules(hand.game, signed)
    live = set(range(hand.game.seats)) - {move.position for move in moves if move.action == FOLD}
    expected = sorted(live & set(hand.shown)) if len(live) > 1 else []
    more = {"_game": _toml(changes)} if changes else {}
    return more if tuple(expected) == hand.shown else more | {"_shown": _toml([p + 1 for p in hand.shown])}


def _small_bet(game: Game) -> int:
    return game.bets[0] if game.structure == "limit" else game.bets[-1]


@lru_cache(maxsize=256)
def _own_rules(game: Game, signed: tuple[int, ...]) -> dict[str, object]:
    """The fields in which the game differs from the one that PHH's own fields describe."""
    plain = plain_game(game.structure, game.stacks, game.antes, signed, _small_bet(game), game.bets[-1])
    names = [field.name for field in dataclasses.fields(Game)]
    return {name: getattr(game, name) for name in names if getattr(game, name) != getattr(plain, name)}


def _action_lines(hand: Hand, moves: list[Move]) -> list[str]:
    """The `actions` field, as PokerKit plays it: all in, hands are shown before the board is run out."""
    lines = [f"d dh p{p + 1} {cards_text(cards) or '????'}" for p, cards in enumerate(hand.hole)]
    live = set(range(hand.game.seats))
    dealt, aggressor = 0, 0
    for position, street, action, to in moves:
        if BOARD[street] > dealt:
            lines += _deal(hand, dealt, BOARD[street])
            dealt, aggressor = BOARD[street], 0
        player = f"p{position + 1}"
        if action == FOLD:
            live.discard(position)
            lines.append(f"{player} f")
        elif action == CALL:
            lines.append(f"{player} cc")
        else:
            aggressor = position
            lines.append(f"{player} cbr {amount_text(hand, to)}")
    run_out = _deal(hand, dealt, len(hand.board))
    if len(live) < 2:
        return lines + run_out
    order = (*range(aggressor, hand.game.seats), *range(aggressor))
    return lines + _showdown(hand, [p for p in order if p in live], run_out)


def _deal(hand: Hand, dealt: int, until: int) -> list[str]:
    """One line for each street from `dealt` to `until` board cards."""
    cuts = [cut for cut in BOARD if dealt < cut <= until]
    return [f"d db {cards_text(hand.board[a:b])}" for a, b in zip([dealt, *cuts], cuts, strict=False)]


def _showdown(hand: Hand, order: list[int], run_out: list[str]) -> list[str]:
    """Who shows and who mucks. All in, PokerKit asks those who have not shown anew before each street run out."""
    shows = {p: f"p{p + 1} sm {cards_text(hand.hole[p])}" for p in order if p in hand.shown}
    mucks = {p: f"p{p + 1} sm" if shows else f"p{p + 1} sm ????" for p in order if p not in hand.shown}
    if not run_out:
        return [(shows | mucks)[p] for p in order]
    waits = [f"p{p + 1} sm ????" for p in mucks]
    return [*shows.values(), *(line for street in run_out for line in (*waits, street)), *mucks.values()]


def _toml_amounts(hand: Hand, values: tuple[int, ...]) -> str:
    return "[" + ", ".join("inf" if value == DEEP else amount_text(hand, value) for value in values) + "]"


def _toml(value: object) -> str:
    """A value as TOML writes it."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | Decimal():
            return str(value).lower().replace("infinity", "inf")
        case str():
            return _toml_text(value)
        case datetime.datetime() | datetime.date() | datetime.time():
            return value.isoformat()
        case tuple() | list():
            return "[" + ", ".join(map(_toml, value)) + "]"
        case dict():
            return "{" + ", ".join(f"{_toml_key(key)} = {_toml(item)}" for key, item in value.items()) + "}"
        case _:
            raise HandError(f"{value!r} is of a kind that PHH cannot hold")


def _toml_text(text: str) -> str:
    if "'" not in text and text.isprintable():
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _toml_key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _toml_text(key)
