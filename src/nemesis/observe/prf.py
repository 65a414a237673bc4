"""Poker records (PRF): games, their rounds and their actions, one game a line.

The POM thesis (appendix B) stores hands in a Poker Record Format of game records, which hold round records, which
hold action records; the figure with its grammar is not in the text that we have. The three levels and their names are
the thesis's, the notation is ours: a JSON object for every game, with the cards and chips of the game, its rounds by
street, and in a round the actions in order, as `[position, action, chips on the street afterwards]`.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from nemesis.observe.hand import Hand, HandError
from nemesis.observe.phh_text import hand_text
from nemesis.observe.tape import Move
from nemesis.rules.betting import RAISE
from nemesis.rules.cards import cards_text, parse_cards
from nemesis.rules.game import STREETS, Game

BEGINS = re.compile(r'\s*\{"prf": 1')
WORDS = ("fold", "call", "raise")
_BOARD = (0, 3, 4, 5)
_GAME = ("name", "structure", "stacks", "antes", "blinds", "bets", "first", "max_raises")


def write_prf(hand: Hand, moves: Iterable[Move]) -> str:
    """The hand as a line of PRF."""
    return json.dumps(_record(hand, moves), ensure_ascii=False) + "\n"


def _record(hand: Hand, moves: Iterable[Move]) -> dict[str, Any]:
    rounds: list[dict[str, Any]] = []
    for move in moves:
        while len(rounds) <= move.street:
            street = len(rounds)
            rounds.append({"round": STREETS[street], "board": cards_text(hand.board[: _BOARD[street]]), "actions": []})
        rounds[move.street]["actions"].append([move.position + 1, WORDS[move.action], move.to])
    return {
        "prf": 1,
        "players": list(hand.players),
        "game": {name: getattr(hand.game, name) for name in _GAME},
        "scale": hand.scale,
        "cards": [cards_text(cards) for cards in hand.hole],
        "shown": [position + 1 for position in hand.shown],
        "board": cards_text(hand.board),
        "rounds": rounds,
        "payoffs": list(hand.payoffs) if hand.payoffs is not None else None,
        "posts": [position + 1 for position in hand.posts],
        "dead_antes": hand.dead_antes,
        "source": {name: value for name, value in hand.source if isinstance(value, str | int | tuple)}
        | {name: value.isoformat() for name, value in hand.source if isinstance(value, datetime.time)},
    }


def read_prf(line: str) -> tuple[Hand, list[Move]]:
    """The hand of one line and its actions one by one; `HandError` if it is not one."""
    try:
        record = json.loads(line)
        game = {name: _frozen(value) for name, value in record["game"].items() if name in _GAME}
        moves = [
            Move(int(position) - 1, STREETS.index(played["round"]), WORDS.index(word), int(to))
            for played in record["rounds"]
            for position, word, to in played["actions"]
        ]
        hand = Hand(
            game=Game(**game),
            hole=tuple(parse_cards(cards) for cards in record["cards"]),
            board=parse_cards(record["board"]),
            actions=tuple(move.action if move.action < RAISE else max(RAISE, move.to) for move in moves),
            shown=tuple(position - 1 for position in record["shown"]),
            payoffs=_frozen(record["payoffs"]),
            players=tuple(record["players"]),
            posts=tuple(position - 1 for position in record["posts"]),
            dead_antes=record["dead_antes"],
            scale=record["scale"],
            source=tuple((name, _told(name, value)) for name, value in record["source"].items()),
        )
    except HandError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise HandError(f"this is not a PRF record: {type(error).__name__} {error}") from None
    return hand, moves


def _told(name: str, value: Any) -> Any:
    """What the source told, with times as times and lists as tuples."""
    return datetime.time.fromisoformat(value) if name == "time" else _frozen(value)


def prf_hands(text: str) -> Iterator[tuple[int, str | HandError]]:
    """Every record's line and its PHH text, or why there is none."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield number, hand_text(*read_prf(line))
            except ValueError as error:
                yield number, HandError(str(error))


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
