"""An agent of ours at a dealer's table: the ACPC protocol 2.0.0 over TCP.

The client believes the dealer about cards and actions as far as the rules of the game allow them. A dealer that plays
another game, takes actions back or turns the wrong cards ends the match with a sentence. A match is over when the dealer
hangs up between two hands.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from nemesis.connect.guest import Guest, NotAllowed
from nemesis.connect.match_log import MatchLog, match_log
from nemesis.connect.match_state import COMMENTS, VERSION, MatchState, Notation, StateError, quoted, tokens
from nemesis.connect.wire import Peer, PeerError, connect_to
from nemesis.measure.result import Result
from nemesis.play.guard import guarded
from nemesis.play.match import Player
from nemesis.rules.game import Game

_EVERY = 100
_AFTER_POSITION = len("MATCHSTATE:0:")


def join_match(
    game: Game,
    player: Player,
    host: str,
    port: int,
    *,
    seed: int = 0,
    time_limit: float = 10.0,
    wait: float = 60.0,
    silence: float = 600.0,
    log: Path | None = None,
    progress: Callable[[int], None] = lambda hands: None,
) -> Result:
    """Play a dealer's match. `log` is a new file.

    The match begins within `wait` seconds; later the dealer, who waits for the others, may be silent for `silence` seconds.
    The seed is that of the agent's dice: with the dealer's own, the match is the one that a single process would play.
    """
    notation = Notation(game)
    with match_log(log, game, seed) as written:
        with guarded(time_limit) as guard:
            guest = Guest(game, player, guard, seed)
            peer = connect_to(host, port, wait)
            try:
                peer.send(VERSION + "\r\n")
                _Client(notation, player.label, guest, peer, written, progress).play(silence)
            except StateError as error:
                raise PeerError(f"{peer.name}: {error}") from None
            finally:
                peer.close()
        return written.finish(f"one match at {host}:{port}")


class _Client:
    """The match as far as the dealer has told of it."""

    def __init__(
        self,
        notation: Notation,
        name: str,
        guest: Guest,
        peer: Peer,
        log: MatchLog,
        progress: Callable[[int], None],
    ) -> None:
        self.notation = notation
        self.name = name
        self.guest = guest
        self.peer = peer
        self.log = log
        self.progress = progress
        self.hand = -1
        self.betting = self.cards = ""
        self.holes: dict[int, tuple[int, ...]] = {}

    def play(self, silence: float) -> None:
        """Follow the match to its end and answer when asked."""
        guest = self.guest
        while (line := self.peer.line()) is not None:
            if line.startswith(COMMENTS) or self.peer.goes_on(line[: line.find(":", _AFTER_POSITION) + 1]):
                continue  # the next state of the same hand, which is here already, says all that this one says
            self.peer.seconds = silence
            self.follow(self.notation.read(line))
            if guest.asked:
                self.peer.send(f"{line}:{self.notation.action_text(guest.choose(), guest.before)}\r\n")
        if guest.playing:
            raise PeerError(f"{self.peer.name} hung up in the middle of hand {self.hand}")

    def follow(self, state: MatchState) -> None:
        """Take a state: new cards, and the actions since the last one."""
        guest = self.guest
        if guest.seat < 0:
            self.sit(state.position)
        if not guest.playing and state.hand != self.hand:
            self.hand, self.betting, self.cards, self.holes = state.hand, "", "", {}
            self.turn_cards(state)
            guest.begin(state.position)
        elif state.hand != self.hand:
            raise StateError(f"hand {state.hand} begins before hand {self.hand} is over")
        elif not guest.playing or not state.betting.startswith(self.betting):
            raise StateError(
                f"the betting of hand {self.hand} goes from {quoted(self.betting)} to {quoted(state.betting)}"
            )
        elif state.cards != self.cards:
            self.turn_cards(state)
        self.take(state.betting)
        if not guest.playing:
            self.end()

    def sit(self, position: int) -> None:
        """The first state says which seat is ours: in the first hand seats are positions."""
        game = self.notation.game
        self.guest.sit(position)
        names = [self.name if seat == position else "opponent" for seat in range(game.seats)]
        self.log.begin(names, f"{self.name} plays {game.name} in seat {position + 1} at {self.peer.name}")

    def turn_cards(self, state: MatchState) -> None:
        """Cards are turned, and none is taken back."""
        holes, board = self.notation.read_cards(state.cards)
        if state.position not in holes:
            raise StateError(
                f"{quoted(state.cards)} does not tell the cards of position {state.position}, who is asked"
            )
        if any(holes.get(position) != cards for position, cards in self.holes.items()):
            raise StateError(f"the cards of hand {self.hand} change from {quoted(self.cards)} to {quoted(state.cards)}")
        if not self.cards.endswith("|") and "/" in self.cards:
            seen = self.cards.partition("/")[2]
            if not state.cards.partition("/")[2].startswith(seen):
                raise StateError(f"the board of hand {self.hand} changes from {quoted(seen)} to {quoted(state.cards)}")
        self.cards, self.holes = state.cards, holes
        self.guest.know(holes, board)

    def take(self, betting: str) -> None:
        """Take the actions that are new."""
        guest = self.guest
        strokes = self.betting.count("/")
        for token in tokens(betting[len(self.betting) :]):
            if token == "/":
                strokes += 1
                if guest.street < strokes:
                    raise StateError(f"the betting {quoted(betting)} of hand {self.hand} goes on to a street too soon")
                continue
            if not guest.playing:
                raise StateError(f"the betting {quoted(betting)} goes on after hand {self.hand} is over")
            try:
                guest.take(self.notation.read_action(token, guest.before, guest.view.max_to))
            except NotAllowed as error:
                raise StateError(f"the betting {quoted(betting)} of hand {self.hand} has {error}") from None
        if guest.street != strokes:
            raise StateError(f"the betting {quoted(betting)} of hand {self.hand} is not on street {guest.street + 1}")
        self.betting = betting

    def end(self) -> None:
        """The hand is over: log it."""
        guest = self.guest
        if hidden := [position for position in guest.showdown if position not in self.holes]:
            raise StateError(f"position {hidden[0]} shows no cards at the showdown of hand {self.hand}")
        self.log.add(self.hand, self.betting, self.cards, guest.payoffs, guest.seats)
        if self.log.hands % _EVERY == 0:
            self.progress(self.log.hands)
