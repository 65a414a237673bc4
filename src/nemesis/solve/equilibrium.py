"""Equilibria: how to play so that nobody can take anything, exactly.

One hand is solved in sequence form (Koller, Megiddo and von Stengel 1996): a player's plan is how far its own decisions
lead to each of its sequences, one linear program finds the plan against which the opponent's best response gets least.
Trees and deals come from the betting engine and the dealer, as everywhere (`tree`).

A freeze-out is many hands in a row. From values of the next hands (first: the share of the chips) every hand is solved by
itself; then the true values of the opponent's best response to that policy become the next values. This is the policy
iteration of Hoffman and Karp (1966) for games that go on; it falls monotonically to the equilibrium.

How good the answer is does not rest on the method: the best response to the final policy is computed and told.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import bmat, coo_array

from nemesis.rules.game import Game
from nemesis.solve.ceiling import best_response, chip_shares, worth
from nemesis.solve.policy import Policy, empty_table
from nemesis.solve.tree import Tree, board_seen, trees, whole_deck

_MOST_ROUNDS = 50
_CLOSE = 1e-9


@dataclass(frozen=True)
class Equilibrium:
    """A policy nobody can exploit by more than `exploitability`, and what the game is worth to the first to act.

    In chips per hand, or in a freeze-out as the share of tournaments; the value is exact to within the exploitability.
    """

    value: float
    policy: Policy
    exploitability: float
    rounds: int


def equilibrium(game: Game) -> Equilibrium:
    """An equilibrium of a small heads-up game such as kuhn, leduc or one-card."""
    values = chip_shares(game)
    fair = 0.5 if game.freeze_out else 0.0
    for rounds in range(1, _MOST_ROUNDS + 1):
        policy = _careful(game, values)
        response = best_response(policy, game)
        values = np.array([response.by_stacks[tree.stacks] for tree in trees(game)])
        exploited = response.value - fair
        if exploited <= _CLOSE:
            first, button = response.by_position
            return Equilibrium((first + 2 * fair - button) / 2, policy, exploited, rounds)
    raise RuntimeError(
        f"no equilibrium of {game.name} found in {_MOST_ROUNDS} rounds; {exploited:g} can still be taken"
    )


def _careful(game: Game, values: NDArray[np.float64]) -> Policy:
    """For every hand and both positions, the play that leaves the other least when hands are worth `values` to it."""
    tables = {}
    for number, tree in enumerate(trees(game)):
        tables[tree.stacks] = empty_table(game, tree)
        for rival in (0, 1):
            if not tree.ends[0]:
                _solve(game, tree, rival, worth(game, number, rival, values), tables[tree.stacks])
    return Policy(game, tables)


def _solve(game: Game, tree: Tree, rival: int, ends: NDArray[np.float64], table: NDArray[np.float64]) -> None:
    """Writes to `table` the plan of the rival's opponent that keeps the rival's best response lowest.

    With y the plan, A what each pair of sequences brings the rival, E p the rival's constraints and F y = f ours:
    minimise p_0 such that E'p >= A y. Sequences are cells of the table, and one more for having done nothing yet.
    """
    me = 1 - rival
    brings = _payoffs(game, tree, rival, ends, table.shape)
    rows_theirs, rows_mine = _plans(game, tree, rival, table.shape), _plans(game, tree, me, table.shape)
    count = rows_theirs.shape[0]
    start = np.zeros(rows_mine.shape[0])
    start[0] = 1
    found = linprog(
        np.concatenate([[1.0], np.zeros(count - 1 + rows_mine.shape[1])]),
        A_ub=bmat([[-rows_theirs.T, brings]], format="csr"),
        b_ub=np.zeros(rows_theirs.shape[1]),
        A_eq=bmat([[coo_array((len(start), count)), rows_mine]], format="csr"),
        b_eq=start,
        bounds=[(None, None)] * count + [(0, None)] * rows_mine.shape[1],
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if found.x is None:
        raise RuntimeError(f"the linear program of {game.name} from stacks {tree.stacks} failed: {found.message}")
    _behave(game, tree, me, np.maximum(found.x[count:-1], 0.0).reshape(table.shape), table)


def _behave(game: Game, tree: Tree, me: int, plan: NDArray[np.float64], table: NDArray[np.float64]) -> None:
    """Writes to `table` the probabilities of a plan; where it never gets, everything allowed alike."""
    for node in np.flatnonzero(tree.actor == me).tolist():
        at = plan[node] if board_seen(game, int(tree.street[node])) else plan[node, :, :1]
        reached = at.sum(axis=-1, keepdims=True)
        allowed = np.isin(np.arange(3), tree.allowed(node)) / len(tree.allowed(node))
        table[node] = np.where(reached > 1e-9, at / np.maximum(reached, 1e-9), allowed)


def _own_sequences(game: Game, tree: Tree, position: int, shape: tuple[int, ...]) -> list[NDArray[np.int64]]:
    """By node: the position's last own sequence on the way there, by card and board, as a number of a cell."""
    cells = np.arange(np.prod(shape)).reshape(shape)
    last = [np.full(shape[1:3], cells.size)] * len(tree.actor)
    for node in np.flatnonzero(~tree.ends).tolist():
        for action in tree.allowed(node):
            own = cells[node, :, :, action]
            if not board_seen(game, int(tree.street[node])):
                own = np.broadcast_to(own[:, :1], own.shape)
            last[tree.children[node, action]] = own if tree.actor[node] == position else last[node]
    return last


def _payoffs(game: Game, tree: Tree, rival: int, ends: NDArray[np.float64], shape: tuple[int, ...]) -> Any:
    """What each pair of sequences, the rival's and ours, brings the rival: the sum over deals and ends."""
    deck = whole_deck(game)
    first, second, board = np.nonzero(deck.chance)
    theirs, ours = (first, second) if rival == 0 else (second, first)
    rival_last = _own_sequences(game, tree, rival, shape)
    my_last = _own_sequences(game, tree, 1 - rival, shape)
    size = int(np.prod(shape)) + 1
    rows, columns, entries = [], [], []
    for node in np.flatnonzero(tree.ends).tolist():
        rows.append(rival_last[node][theirs, board])
        columns.append(my_last[node][ours, board])
        entries.append(deck.chance[first, second, board] * ends[node, deck.outcome[first, second, board]])
    return coo_array((np.concatenate(entries), (np.concatenate(rows), np.concatenate(columns))), (size, size))


def _plans(game: Game, tree: Tree, position: int, shape: tuple[int, ...]) -> Any:
    """The equations of a position's plans: it starts with 1, and its actions share what led to them."""
    last = _own_sequences(game, tree, position, shape)
    cells = np.arange(np.prod(shape)).reshape(shape)
    rows, columns, entries = [0], [cells.size], [1.0]
    row = 1
    for node in np.flatnonzero(tree.actor == position).tolist():
        seen = board_seen(game, int(tree.street[node]))
        for card in range(shape[1]):
            for board in range(shape[2] if seen else 1):
                taken = [int(cells[node, card, board, action]) for action in tree.allowed(node)]
                rows += [row] * (len(taken) + 1)
                columns += [*taken, int(last[node][card, board])]
                entries += [1.0] * len(taken) + [-1.0]
                row += 1
    return coo_array((entries, (rows, columns)), (row, cells.size + 1))
