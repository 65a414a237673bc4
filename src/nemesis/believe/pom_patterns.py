"""What the networks of the Poker Opponent Model learn from: a pattern for every decision of one player.

The POM thesis's table A.1 exactly: 33 inputs that any onlooker knows, to which the action network adds the hand network's
two outputs. The table leaves some things open. Here the *last action* is the player's own, in an earlier hand if this is
his first; a *betting frequency* is the mean of the actions of everybody on that street of this hand so far (equation A.1),
0 if there are none; *committed* players are those dealt in, *active* ones those who have not folded; *heads-up* means that
two are left; an *amount to call* is counted in big blinds; ratios above 1 count as 1.

The desired outputs are the action (table A.2) and, where the player showed his cards at the end, his hand potential and
hand strength at each of his decisions on the way, which the thesis calls calculating backwards (3.2). A *round* is a hand.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.hand_columns import hand_columns
from nemesis.observe.history import History, in_order_of_time, joined
from nemesis.observe.store import Store, StoreError
from nemesis.observe.store_rows import facts
from nemesis.observe.stored_hands import stored_history
from nemesis.rules.evaluator import EvaluatorTables, evaluator_tables
from nemesis.rules.game import MAX_SEATS
from nemesis.rules.hand_classes import CLASSES, improvement, write_texture
from nemesis.runtime.compiled import inlined, njit

INPUTS = (
    "last action",
    "preflop betting frequency",
    "flop betting frequency",
    "turn betting frequency",
    "river betting frequency",
    "one-pair probability",
    "two-pair probability",
    "three-of-a-kind probability",
    "straight probability",
    "flush probability",
    "full-house probability",
    "four-of-a-kind probability",
    "straight-flush probability",
    "royal-flush probability",
    "A, K, Q among the board cards",
    "a King on the board",
    "an Ace on the board",
    "a flush is possible",
    "a straight is possible",
    "is the dealer",
    "paid the small blind",
    "paid the big blind",
    "relative position",
    "active players",
    "flop",
    "turn",
    "river",
    "heads-up",
    "pot ratio",
    "immediate pot ratio",
    "amount to call is 1",
    "amount to call is 2",
    "amount to call is 2 or more",
)
POTENCY = ("hand potential", "hand strength")
"""What the hand network says, and inputs 33 and 34 of the action network."""
ACTIONS = ("fold", "call", "raise")
FOLD, CHECK, CALL, BET, RAISE = 0.0, 0.25, 0.5, 0.75, 1.0
"""The values of actions (equation A.1)."""
BOARD_CARDS = (0, 3, 4, 5)


class Patterns(NamedTuple):
    """The decisions of one player in the order of time."""

    inputs: NDArray[np.float64]
    """(decisions, 33) by `INPUTS`."""
    done: NDArray[np.int64]
    """What the player did: 0 fold, 1 check or call, 2 bet or raise."""
    potency: NDArray[np.float64]
    """(decisions, 2) by `POTENCY`; NaN where the cards were not shown."""
    round: NDArray[np.int64]
    """In which of the player's hands, from 0."""
    hole: NDArray[np.int8]
    """(decisions, 2) the cards that the player showed at the end, -1 if he did not."""
    board: NDArray[np.int8]
    """(decisions, 5) the board at the decision, then -1."""

    @property
    def rounds(self) -> int:
        """How many hands there are."""
        return int(self.round[-1]) + 1 if len(self.round) else 0

    @property
    def actions(self) -> NDArray[np.float64]:
        """(decisions, 3) the desired outputs of the action network."""
        return np.eye(len(ACTIONS))[self.done]

    @property
    def shown(self) -> NDArray[np.bool_]:
        """Whose cards were shown at the end."""
        return ~np.isnan(self.potency[:, 0])

    def part(self, chosen: slice | NDArray[Any]) -> Patterns:
        """Some of the decisions; rounds keep their numbers."""
        columns: list[Any] = [column[chosen] for column in self]
        return Patterns(*columns)

    def between(self, first: int, end: int) -> Patterns:
        """The decisions of the rounds from `first` to before `end`."""
        return self.part(slice(*np.searchsorted(self.round, [first, end]).tolist()))


def player_patterns(store: Store, player: str, room: str | None = None) -> Patterns:
    """The patterns of a player of the store."""
    number, name, _ = store.find_player(player, room)
    parts = list(stored_history(store, player, room))
    if not parts:
        raise StoreError(f"{name!r} has no hands in the store")
    return patterns_of(joined(parts), number)


def patterns_of(history: History, player: int) -> Patterns:
    """The patterns of the player with this number in a history."""
    dealt = np.arange(MAX_SEATS) < history.hands["seats"][:, None]
    history = in_order_of_time(history.part(((history.hands["player"] == player) & dealt).any(axis=1)))
    hands, actions = history.hands, history.actions
    own = hands["player"][actions["hand"], actions["position"]] == player
    rows = np.zeros((len(actions), len(INPUTS)))
    if len(hands):
        _walk(hand_columns(history.games, hands, actions), own, rows, evaluator_tables())
    mine = actions[own]
    at, street = mine["hand"], mine["street"].astype(np.int64)
    shown = (hands["shown"][at] >> mine["position"] & 1).astype(bool)
    hole = hands["hole"].reshape(-1, MAX_SEATS, 2)[at, mine["position"]]
    hole = np.where((shown & (hole[:, 0] >= 0))[:, None], hole, np.int8(-1))
    turned = np.arange(5) < np.array(BOARD_CARDS)[street][:, None]
    board = np.where(turned, hands["board"][at], np.int8(-1))
    _, rounds = np.unique(at, return_inverse=True)
    return Patterns(
        rows[own],
        mine["action"].astype(np.int64),
        _potency(hole, board, facts(history)[1][own]),
        rounds.astype(np.int64),
        hole,
        board,
    )


def _potency(hole: NDArray[np.int8], board: NDArray[np.int8], strength: NDArray[np.float32]) -> NDArray[np.float64]:
    """Hand potential and strength where the cards are known; a hand is worked out once a street."""
    found = np.full((len(hole), 2), np.nan)
    known: dict[tuple[int, ...], float] = {}
    for row in np.flatnonzero(hole[:, 0] >= 0).tolist():
        cards = (*hole[row].tolist(), *(card for card in board[row].tolist() if card >= 0))
        if cards not in known:
            known[cards] = improvement(cards[:2], cards[2:])
        found[row] = known[cards], strength[row]
    return found


@inlined
def _value(action: int, street: int, to_call: int) -> Any:
    """The value of an action; before the flop the blinds are bets, so that whoever bets more raises."""
    if action == 0:
        return FOLD
    if action == 1:
        return CALL if to_call > 0 else CHECK
    return RAISE if to_call > 0 or street == 0 else BET


@njit(error_model="numpy", nogil=True)
def _walk(columns: Any, own: Any, rows: Any, tables: EvaluatorTables) -> None:
    """Walk through the hands and write the inputs of the player's own decisions to `rows`."""
    last = FOLD
    chances = np.zeros(len(CLASSES))
    sums, counts = np.zeros(4), np.zeros(4)
    for hand in range(len(columns.first)):
        sums[:] = 0.0
        counts[:] = 0.0
        seats = columns.seats[hand]
        active = seats
        textured = -1
        for at in range(columns.first[hand], columns.first[hand] + columns.actions[hand]):
            street = columns.street[at]
            value = _value(columns.action[at], street, columns.to_call[at])
            if own[at]:
                cards = 0 if street == 0 else street + 2
                if textured != street:
                    write_texture(columns.board[hand], cards, chances, tables)
                    textured = street
                row = rows[at]
                row[0] = last
                for s in range(4):
                    row[1 + s] = sums[s] / counts[s] if counts[s] > 0 else 0.0
                for kind in range(9):
                    row[5 + kind] = chances[1 + kind]
                _describe_board(columns.board[hand], cards, row)
                _describe_place(columns, hand, at, active, row)
                last = value
            sums[street] += value
            counts[street] += 1.0
            active -= columns.action[at] == 0


@inlined
def _describe_board(board: Any, cards: int, row: Any) -> None:
    """High cards, and whether somebody may hold a flush or a straight. Writes `row`."""
    high, suits, ranks = 0, np.zeros(4, np.int64), 0
    for i in range(cards):
        rank = board[i] // 4
        high += rank >= 10
        row[15] = max(row[15], 1.0 if rank == 11 else 0.0)
        row[16] = max(row[16], 1.0 if rank == 12 else 0.0)
        suits[board[i] % 4] += 1
        ranks |= 1 << rank
    if cards > 0:
        row[14] = high / cards
    row[17] = 1.0 if max(max(suits[0], suits[1]), max(suits[2], suits[3])) >= 3 else 0.0
    wheel = (ranks << 1) | (ranks >> 12)
    for low in range(10):
        inside = 0
        for i in range(5):
            inside += (wheel >> (low + i)) & 1
        if inside >= 3:
            row[18] = 1.0


@inlined
def _describe_place(columns: Any, hand: int, at: int, active: int, row: Any) -> None:
    """Where the player sits, who is left, and what it costs to go on. Writes `row`."""
    seats, p, street, unit = columns.seats[hand], columns.position[at], columns.street[at], columns.unit[hand]
    to_call, pot = columns.to_call[at], columns.pot[at]
    highest = 0
    for q in range(seats):
        highest = max(highest, columns.blinds[hand, q])
    blind = columns.blinds[hand, p]
    row[19] = 1.0 if p == seats - 1 else 0.0
    row[20] = 1.0 if 0 < blind < highest else 0.0
    row[21] = 1.0 if blind > 0 and blind == highest else 0.0
    row[22] = (p + 1) / seats
    row[23] = active / seats
    for s in range(1, 4):
        row[23 + s] = 1.0 if street == s else 0.0
    row[27] = 1.0 if active == 2 else 0.0
    row[28] = min(1.0, to_call / max(pot, 1))
    row[29] = to_call / max(to_call + pot, 1)
    row[30] = 1.0 if to_call == unit else 0.0
    row[31] = 1.0 if to_call == 2 * unit else 0.0
    row[32] = 1.0 if to_call >= 2 * unit else 0.0
