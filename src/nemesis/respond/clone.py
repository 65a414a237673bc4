"""A real player as an agent: it folds, calls and raises as often as he would, with the cards he would do it with.

At every decision the action model says what this player does in the public situation (`believe.known_player`). Which cards
he does it with is taken from the range posterior: a choice depends on the rank of the holding among those he may have, and
over the whole range every action is as frequent as the model says. The agent keeps its own range through the hand, so
that its frequencies stay those of the player. The size of a raise is drawn from the model's buckets.

`clone:NAME` is made from the player's hands in the store, `clone:NAME@ROOM` if the name plays in several rooms. `clone:*`
plays like people in general. What a clone knows of its player is fixed when it is made. It is written in Python.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.action_model import SIZES, ActionModel, digest, read_model, timeline
from nemesis.believe.known_player import KnownPlayer, anybody, decide, player_after
from nemesis.believe.public_situation import RAISES, situations
from nemesis.believe.range_posterior import SLOPES, choice_given_holding, kind_of, uniform, win_probabilities
from nemesis.observe.columns import ACTION_ROW, HAND_ROW
from nemesis.observe.event import ACTS, STARTS, Event
from nemesis.observe.history import joined
from nemesis.observe.store import Store, StoreError, open_store, store_path
from nemesis.observe.stored_hands import stored_history
from nemesis.observe.view import NOT_YET, View
from nemesis.respond.agent import Agent
from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.rules.game import Game, GameError
from nemesis.rules.games import no_limit

PREFIX = "clone:"
ANYBODY = "*"
LEAST_HANDS = 100
"""Hands in the store below which a player is too little known to be cloned."""
BUCKET_SIZES = (0.33, 0.58, 0.82, 1.05, 1.8)
"""The size that stands for each bucket of the action model, in pots after the call; the last bucket is all-in."""
assert len(BUCKET_SIZES) == len(SIZES) + 1


def clone(game: Game, name: str) -> Agent:
    """A real player of the store, like clone:NAME, or clone:* for people in general."""
    if not game.is_holdem:
        raise GameError(f"{name} plays hold'em; {game.name} is another game")
    called = name.removeprefix(PREFIX)
    if called == ANYBODY:
        return Clone(name, anybody(_shipped()))
    path = store_path()
    changed = path.stat().st_mtime_ns if path.exists() else 0
    return Clone(name, _known(called, str(path), changed))


@lru_cache(maxsize=16)
def _known(called: str, store: str, changed: int) -> KnownPlayer:
    """The player from the store's file, read again when it has changed."""
    with open_store(store_path(store)) as opened:
        try:
            number, player, room = opened.find_player(called)
        except StoreError:
            player, at, room = called.rpartition("@")
            if not at:
                raise
            number, player, room = opened.find_player(player, room)
        return known_from(opened, number, player, room)


def known_from(store: Store, number: int, player: str, room: str) -> KnownPlayer:
    """The player as the shipped model knows him after his hands in the store; refused if they are too few."""
    hands = store.number("SELECT count(*) FROM seats WHERE player = ?", [number])
    if hands < LEAST_HANDS:
        raise StoreError(f"{player!r} has {hands} hands in the store; a clone needs at least {LEAST_HANDS}")
    line = timeline(joined(list(stored_history(store, player, room))))
    return player_after(_shipped(), line, digest(room, player))


@lru_cache(maxsize=1)
def _shipped() -> ActionModel:
    return read_model()


@lru_cache(maxsize=512)
def _win_on(board: tuple[int, ...], street: int) -> NDArray[np.float32]:
    """Every holding's win probability; several clones at a table ask for the same board."""
    win: NDArray[np.float32] = win_probabilities(np.array(board, np.int8))[street]
    return win


@lru_cache(maxsize=1)
def rehearse() -> None:
    """Decide once where nothing has happened, so that kernels are compiled before anything of an agent is timed."""
    hand, actions = np.zeros(1, HAND_ROW), np.zeros(1, ACTION_ROW)
    hand["seats"], hand["actions"], hand["board"] = 2, 1, NOT_YET
    hand["stacks"][0, :2] = no_limit().stacks
    choice = decide(anybody(_shipped()), situations([no_limit()], hand, actions).rows)
    _win_on((0, 1, 2, 3, 4), 3)
    win = _win_on((NOT_YET,) * 5, 0)
    choice_given_holding(uniform(win[None]), win, choice.likely[0], kind_of(0, 1, 0), SLOPES)


class Clone(Agent):
    """Plays like the player it was made from."""

    facts = ()

    def __init__(self, name: str, player: KnownPlayer) -> None:
        self.name = name
        self.player = player
        rehearse()

    def sit(self, game: Game, seat: int) -> None:
        """Begin a match."""
        self.games = {seats: game.seated(seats) for seats in range(2, game.seats + 1)}
        self._actions: list[tuple[int, ...]] = []
        self._weights: NDArray[np.float64] | None = None

    def watch(self, event: Event) -> None:
        """Write down what everybody does in this hand."""
        if event.kind == STARTS:
            self._actions, self._weights = [], None
        elif event.kind == ACTS:
            told = (event.to, event.amount, event.to_call, event.pot, event.position, event.street, event.action)
            self._actions.append(told)

    def act(self, view: View) -> int:
        """Draw an action as the player would choose it with these cards."""
        row = self._situation(view)
        choice = decide(self.player, row)
        win = _win_on(view.board, view.street)
        possible = uniform(win[None])
        weights = possible if self._weights is None else self._weights * (possible > 0)
        weights /= weights.sum()
        kind = kind_of(view.street, view.to_call, int(row[0, RAISES]))
        chances = choice_given_holding(weights, win, choice.likely[0], kind, SLOPES)
        high, low = max(view.hole), min(view.hole)
        fold, call, _ = chances[high * (high - 1) // 2 + low].tolist()
        if view.to_call == 0:
            fold, call = 0.0, call + fold
        draw = view.chance
        done = FOLD if draw < fold else CALL if draw < fold + call or not view.can_raise else RAISE
        after = weights * chances[:, done]
        self._weights = after / after.sum() if after.sum() > 0 else weights
        if done < RAISE:
            return done
        return self._raise_to(view, choice.sizes[0], (draw - fold - call) / max(1e-12, 1.0 - fold - call))

    def _raise_to(self, view: View, sizes: NDArray[np.float64], draw: float) -> int:
        bucket = int(np.searchsorted(np.cumsum(sizes), draw * sizes.sum()))
        if bucket >= len(BUCKET_SIZES):
            return int(max(RAISE, view.max_to))
        added = BUCKET_SIZES[bucket] * (view.pot + view.to_call)
        return int(max(RAISE, view.wager + view.to_call + max(view.big_blind, round(added))))

    def _situation(self, view: View) -> NDArray[np.float32]:
        """(1, features) the public situation: the hand so far as columns, with this decision as its last row."""
        game = self.games[view.seats]
        hand, actions = np.zeros(1, HAND_ROW), np.zeros(len(self._actions) + 1, ACTION_ROW)
        now = (view.wager, 0, view.to_call, view.pot, view.position, view.street, CALL)
        fields = ("to", "amount", "to_call", "pot", "position", "street", "action")
        for field, values in zip(fields, zip(*self._actions, now, strict=True), strict=True):
            actions[field] = values
        put_in = np.bincount(actions["position"], actions["amount"], minlength=view.seats)
        hand["seats"], hand["actions"], hand["board"] = view.seats, len(actions), NOT_YET
        hand["board"][0, : view.board_count] = view.board[: view.board_count]
        for position, seat in enumerate(self._seats(view)):
            posted = game.blinds[position] + game.antes[position]
            hand["stacks"][0, position] = view.chips[seat] + int(put_in[position]) + posted
        return situations([game], hand, actions).rows[-1:]

    def _seats(self, view: View) -> list[int]:
        """The seats of this hand by position; the last has the button."""
        total = max(self.games)
        around = [(view.button + 1 + step) % total for step in range(total)]
        sitting = [seat for seat in around if view.chips[seat] or view.live[seat] or view.last[seat] != NOT_YET]
        return sitting if len(sitting) == view.seats else around[: view.seats]
