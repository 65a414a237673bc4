"""What was played, as columns with the games and players they speak of, and the finished hands in it.

A tape comes from matches (`play.match.play_lineups` with `taping`) or from recorded hands (`observe.tape_of_hands`).
`hands` and `actions` are the rows of `observe.columns`; `finished_hands` makes a `Hand` of every row, which replays to the
same chips.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.hand import Hand
from nemesis.rules.betting import RAISE
from nemesis.rules.game import MAX_SEATS, Game


@dataclass(frozen=True, eq=False)
class Tape:
    """Rows of hands and actions. A hand's `rules` is its game among `games`, its `player` a name among `players`."""

    games: tuple[Game, ...]
    players: tuple[str, ...]
    hands: NDArray[np.void]
    actions: NDArray[np.void]
    seed: int | None = None

    def __len__(self) -> int:
        return len(self.hands)

    @property
    def seats(self) -> int:
        """How many seats the table has, those that are not dealt in included."""
        dealt = np.arange(MAX_SEATS) < self.hands["seats"][:, None]
        highest = int(self.hands["seat"][dealt].max(initial=0))
        return max(highest + 1, *(game.seats for game in self.games))

    def part(self, first: int, last: int) -> Tape:
        """The hands from row `first` to before row `last`."""
        hands = self.hands[first:last].copy()
        if not len(hands):
            return dataclasses.replace(self, hands=hands, actions=self.actions[:0])
        start, end = hands["first"][0], hands["first"][-1] + hands["actions"][-1]
        actions = self.actions[start:end].copy()
        hands["first"] -= start
        actions["hand"] -= first
        return dataclasses.replace(self, hands=hands, actions=actions)


def joined(tapes: Sequence[Tape]) -> Tape:
    """Tapes of the same games and players as one, in their order."""
    first = tapes[0]
    if any((tape.games, tape.players, tape.seed) != (first.games, first.players, first.seed) for tape in tapes):
        raise ValueError("only tapes of the same games, players and seed make one tape")
    hands = np.concatenate([tape.hands for tape in tapes])
    actions = np.concatenate([tape.actions for tape in tapes])
    hands["first"] = np.cumsum(hands["actions"]) - hands["actions"]
    actions["hand"] = np.repeat(np.arange(len(hands)), hands["actions"])
    return dataclasses.replace(first, hands=hands, actions=actions)


class Move(NamedTuple):
    """One action of a finished hand: who did what on which street, and the chips of the player on it afterwards."""

    position: int
    street: int
    action: int
    to: int


def finished_hands(tape: Tape) -> Iterator[tuple[Hand, list[Move]]]:
    """Every hand of the tape as a record, with its actions one by one."""
    columns = [tape.actions[name].tolist() for name in ("position", "street", "action", "to")]
    moves = [Move(*values) for values in zip(*columns, strict=True)]
    fields = ("match", "hand", "rules", "seats", "first", "actions", "shown", "stacks", "payoffs", "player", "seat")
    rows = zip(*(tape.hands[name].tolist() for name in (*fields, "hole", "board")), strict=True)
    for match, number, rules, seats, first, count, shown, stacks, payoffs, player, seat, hole, board in rows:
        done = moves[first : first + count]
        game = _with_stacks(tape.games[rules], tuple(stacks[:seats]))
        holes = tuple(_known(hole[2 * p : 2 * p + game.hole_cards]) for p in range(seats))
        source: dict[str, object] = {
            "hand": number + 1,
            "seats": tuple(chair + 1 for chair in seat[:seats]),
            "_match": match + 1,
        }
        if tape.seed is not None:
            source["_seed"] = tape.seed
        hand = Hand(
            game=game,
            hole=holes,
            board=_known(board),
            actions=tuple(move.action if move.action < RAISE else max(RAISE, move.to) for move in done),
            shown=tuple(p for p in range(seats) if shown >> p & 1 and holes[p]),
            payoffs=tuple(payoffs[:seats]),
            players=tuple(tape.players[number] for number in player[:seats]),
            source=tuple(source.items()),
        )
        yield hand, done


def _known(cards: Sequence[int]) -> tuple[int, ...]:
    return tuple(card for card in cards if card >= 0)


@lru_cache(maxsize=256)
def _with_stacks(game: Game, stacks: tuple[int, ...]) -> Game:
    return game if game.stacks == stacks else dataclasses.replace(game, stacks=stacks)
