"""Match states of the ACPC protocol 2.0.0: one line that tells a player all that it may know of a hand.

    MATCHSTATE:position:hand:betting:cards        a state; a player answers with the same line, a colon and its action
    STATE:hand:betting:cards:results:players      a finished hand in a log

`betting` has an `f`, `c` or `r` for every action and a `/` between streets. In no-limit games a raise names all chips that
the player has put in on the hand, ours those on the street. `cards` are the hands by position between `|`, empty if not
known, then the board, a `/` before every street's. Small decks take the highest ranks and suits, as the ACPC dealer does.
Position 0 acts first after the first street, heads-up it has the big blind, as here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from nemesis.rules.acpc import write_game
from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.rules.cards import RANKS, SUITS
from nemesis.rules.game import Game

VERSION = "VERSION:2.0.0"
COMMENTS = ("#", ";")
_STATE = re.compile(r"MATCHSTATE:(\d{1,2}):(\d{1,18}):([fcr\d/]*):([2-9TJQKAcdhs|/]*)", re.ASCII)
_TOKEN = re.compile(r"f|c|/|r\d{0,18}", re.ASCII)
_SHOWN = 80


class StateError(ValueError):
    """A line that is no match state of this game, with the reason."""


class MatchState(NamedTuple):
    """One line, taken apart. `cards` is its last part as it was written."""

    position: int
    hand: int
    betting: str
    cards: str


def quoted(line: str) -> str:
    """A line as a message shows it."""
    return repr(line if len(line) <= _SHOWN else line[:_SHOWN] + "…")


class Notation:
    """How one game is written; a `GameError` says what the protocol cannot express."""

    def __init__(self, game: Game) -> None:
        write_game(game)
        self.game = game
        self.sized = game.structure != "limit"
        ranks, suits = RANKS[-game.ranks :], SUITS[-game.suits :]
        self._names = [rank + suit for rank in ranks for suit in suits]
        self._cards = {name: card for card, name in enumerate(self._names)}
        self._ends = list(accumulate(game.board_cards))

    def read(self, line: str) -> MatchState:
        """A line's match state."""
        found = _STATE.fullmatch(line)
        if found is None:
            raise StateError(f"{quoted(line)} is no match state")
        position, hand, betting, cards = found.groups()
        if int(position) >= self.game.seats:
            raise StateError(f"{quoted(line)} speaks of position {position}; {self.game.name} has {self.game.seats}")
        return MatchState(int(position), int(hand), betting, cards)

    def read_cards(self, text: str) -> tuple[dict[int, tuple[int, ...]], tuple[int, ...]]:
        """The hands that are known, by position, and the board."""
        game = self.game
        holes_text, *streets = text.split("/")
        each = holes_text.split("|")
        board = self._several("".join(streets), text)
        if len(each) != game.seats:
            raise StateError(f"{quoted(text)} has the hands of {len(each)} positions; {game.name} has {game.seats}")
        holes = {position: self._several(own, text) for position, own in enumerate(each) if own}
        if len(streets) >= game.streets or len(board) != self._ends[len(streets)]:
            raise StateError(f"{quoted(text)} has {len(board)} board cards on street {len(streets) + 1}")
        if any(len(own) != game.hole_cards for own in holes.values()):
            raise StateError(f"{quoted(text)} has a hand of other than {game.hole_cards} cards")
        dealt = [*board, *(card for own in holes.values() for card in own)]
        if len(set(dealt)) != len(dealt):
            raise StateError(f"{quoted(text)} deals a card twice")
        return holes, board

    def _several(self, text: str, where: str) -> tuple[int, ...]:
        try:
            return tuple([self._cards[text[at : at + 2]] for at in range(0, len(text), 2)])
        except KeyError as error:
            raise StateError(f"{quoted(where)} has {error}, which is no card of {self.game.name}") from None

    def hole_text(self, cards: Sequence[int]) -> str:
        """One player's cards."""
        return "".join([self._names[card] for card in cards])

    def board_texts(self, board: Sequence[int]) -> list[str]:
        """The board as it stands on every street, with the strokes before it."""
        texts, text, start = [], "", 0
        for street, end in enumerate(self._ends):
            text += ("/" if street else "") + self.hole_text(board[start:end])
            texts.append(text)
            start = end
        return texts

    def action_text(self, action: int, before: int) -> str:
        """An action of ours; `before` is what the player has put in on earlier streets."""
        if action >= RAISE:
            return f"r{before + action}" if self.sized else "r"
        return "f" if action == FOLD else "c"

    def read_action(self, text: str, before: int, limit_raise: int) -> int:
        """An action in our numbers; in limit games, which name no size, a raise is one to `limit_raise`."""
        if text == "f":
            return FOLD
        if text == "c":
            return CALL
        if text[:1] != "r" or not _TOKEN.fullmatch(text) or (len(text) > 1) != self.sized:
            form = "f, c or r and a number of chips" if self.sized else "f, c or r"
            raise StateError(f"{quoted(text)} is no action; {form} would be one")
        return max(RAISE, int(text[1:]) - before if self.sized else limit_raise)


def tokens(betting: str) -> list[str]:
    """The actions and strokes of a betting string."""
    found = _TOKEN.findall(betting)
    if "".join(found) != betting:
        raise StateError(f"{quoted(betting)} is no betting")
    return found


class Betting:
    """The betting of one hand, written down action by action."""

    def __init__(self, notation: Notation) -> None:
        self.text = ""
        self._notation = notation
        self._street = 0
        self._before = max(notation.game.antes)
        self._level = max(notation.game.blinds)

    def add(self, action: int, to: int) -> None:
        """A fold, a call, or (2) a bet or raise to so many chips on this street."""
        raised = action >= RAISE
        self.text += self._notation.action_text(max(RAISE, to) if raised else action, self._before)
        self._level = max(self._level, to)

    def reach(self, street: int) -> None:
        """The hand goes on to this street, if it is not there."""
        while self._street < street:
            self.text += "/"
            self._before += self._level
            self._street, self._level = self._street + 1, 0
