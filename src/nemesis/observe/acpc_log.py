"""Logs of the Annual Computer Poker Competition: `STATE:hand:betting:cards:results:players`, a hand a line.

The line does not say which game it was; that is given, or the first line of the log names it. In no-limit games a raise
names all chips that the player has put in on the hand, ours those on the street. Positions and blinds are ours already
(`rules.acpc`). Every card is in the log, but only hands that came to a showdown were shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

import numpy as np

from nemesis.observe.hand import Hand, HandError
from nemesis.observe.phh_text import write_hand
from nemesis.rules.betting import CALL, FOLD, RAISE, begin, new_hand, step
from nemesis.rules.cards import parse_cards
from nemesis.rules.game import Game

BEGINS = re.compile(r"^STATE:\d+:", re.M)
GAME = re.compile(r"^# name/game/hands/seed \S+ (\S+) \d+ \d+", re.M)
"""The first line of a match, which names the game; most dealers name a file of rules there."""
_MOVE = re.compile(r"f|c\d*|r(\d*)|/")


def acpc_hands(text: str, game: Game) -> Iterator[tuple[int, str | HandError]]:
    """Every hand's line and its PHH text, or why there is none."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("STATE:"):
            try:
                yield number, write_hand(acpc_hand(line, game))
            except ValueError as error:
                yield number, HandError(str(error))


def acpc_hand(line: str, game: Game) -> Hand:
    """The hand of one line."""
    parts = line.strip().split(":")
    if len(parts) != 6:
        raise HandError(f"a finished hand has 6 parts between colons, not {len(parts)}")
    _, number, betting, cards, results, names = parts
    holes, *boards = cards.split("/")
    players = tuple(names.split("|"))
    if len(players) != game.seats:
        raise HandError(f"{len(players)} players sit in a game of {game.seats}")
    actions, live = _actions(betting, game)
    hole = tuple(parse_cards(own) for own in holes.split("|"))
    try:
        payoffs = tuple(int(Decimal(result)) for result in results.split("|"))
    except (InvalidOperation, ValueError):
        raise HandError(f"{results!r} are not results") from None
    return Hand(
        game=game,
        hole=hole,
        board=tuple(card for board in boards for card in parse_cards(board)),
        actions=tuple(actions),
        shown=tuple(p for p in range(game.seats) if live >> p & 1 and hole[p]) if live & (live - 1) else (),
        payoffs=payoffs,
        players=players,
        source=(("hand", int(number)),),
    )


def _actions(betting: str, game: Game) -> tuple[list[int], int]:
    """The actions in the engine's numbers, and who never folded, as bits."""
    rules, record = game.compiled(), new_hand()
    begin(rules, np.array(game.stacks, np.int64), record)
    actions = []
    place = 0
    while place < len(betting):
        move = _MOVE.match(betting, place)
        if move is None:
            raise HandError(f"the betting {betting!r} has {betting[place]!r} where f, c, r or / stands")
        place = move.end()
        if move[0] == "/":
            continue
        if record["over"][0]:
            raise HandError(f"the betting {betting!r} goes on after the hand is over")
        h = record[0]
        action = FOLD if move[0] == "f" else CALL
        if move[0].startswith("r"):
            before = int(h["spent"][h["actor"]] - h["wager"][h["actor"]])
            action = max(RAISE, int(move[1]) - before if move[1] else int(h["max_to"]))
        actions.append(action)
        step(rules, record, action)
    return actions, int(record["live"][0])
