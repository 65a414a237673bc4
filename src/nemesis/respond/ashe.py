"""ASHE, the Adaptive System for Hold'em: it counts what followed each line of play and takes the action of largest utility.

Two pattern-recognition trees (`believe.pattern_tree`) hold what it has seen of the opponent. Two LSTM estimators
(`believe.lstm`) read a decision point's statistics and the state of the hand, and estimate for every action how likely we
are to win at a showdown (`win`) and how likely the opponent folds to it (`fold`). In chips, `own` and `theirs` being what
each has put in (the ASHE paper, figure 2):

    fold    −own
    call    (2 win − 1) theirs
    raise   (1 − fold) (2 win − 1) (own + r) + fold · theirs

Facing a third bet on the button, or a fourth on the big blind, only fold, call and all-in are left. Bets are read
relative to the shorter stack, so ASHE can play with any stacks and blinds. `docs/explanation/ashe.md` has the whole, and
what we settled where the source is silent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nemesis.believe.lstm import (
    Shape,
    candidate_inputs,
    estimate_all,
    estimates,
    estimator_block,
    estimator_inputs,
    listen,
    prepare,
    reset,
)
from nemesis.believe.pattern_tree import (
    ALL_IN,
    BLIND,
    BUTTON,
    CALL,
    DEFAULT_ROOM,
    NODE,
    NODE_SIZE,
    OWN_NAMES,
    OWN_SIZES,
    TREE,
    Trees,
    begin_hand,
    bucket,
    child_of,
    clear_trees,
    end_hand,
    follow,
    hands_and_folds,
    tree_block,
)
from nemesis.observe.event import ACTS, ENDS, SHOWS, STARTS
from nemesis.respond import opponent_kind
from nemesis.respond.agent import ACT, WATCH, CompiledAgent, Memory
from nemesis.respond.opponent_kind import AT as KIND
from nemesis.respond.opponent_kind import KINDS, PAYER, RAISER, STAYER, note_raise, note_shown
from nemesis.rules.betting import FOLD, RAISE
from nemesis.rules.game import Game
from nemesis.rules.texture import board_draws, board_pairs
from nemesis.runtime.compiled import inlined, njit
from nemesis.runtime.lanes import LANES
from nemesis.runtime.memory import CELL, WHERE, Layout

WIN_INPUTS, WIN_VARYING = 11, 5
FOLD_INPUTS, FOLD_VARYING = 10, 3
UNKNOWN_STRENGTH = 0.85
ENOUGH_SHOWDOWNS = 5.0
THREE_BET, FOUR_BET = 3, 4

OPTIONS = 2 + ALL_IN
"""Fold, call, and a raise of each size."""


class OptionPlaces(NamedTuple):
    """What was thought of one option."""

    to: int = CELL
    win: int = CELL
    fold: int = CELL
    utility: int = CELL


OPTION_LAYOUT = Layout(OptionPlaces)
OPTION, OPTION_SIZE = OPTION_LAYOUT.at, OPTION_LAYOUT.size


class Places(NamedTuple):
    """The memory: estimators, trees, what is known of the opponent and the hand, and what was thought last."""

    win: int = WHERE
    fold: int = WHERE
    payer_win: int = WHERE
    payer_fold: int = WHERE
    stayer_win: int = WHERE
    stayer_fold: int = WHERE
    raiser_win: int = WHERE
    raiser_fold: int = WHERE
    tree: int = WHERE
    opponent: int = opponent_kind.SIZE
    choice: int = CELL
    shown: int = CELL
    folded: int = CELL
    forgets: int = CELL
    stepless: int = CELL
    thoughts: int = OPTIONS * OPTION_SIZE


LAYOUT = Layout(Places)
AT = LAYOUT.at


@dataclass(frozen=True)
class Size:
    """How large the two estimators are."""

    blocks: int
    cells: int
    hidden: int

    @property
    def win(self) -> Shape:
        """The estimator of winning at showdown."""
        return Shape(WIN_INPUTS, WIN_VARYING, self.blocks, self.cells, self.hidden)

    @property
    def fold(self) -> Shape:
        """The estimator of the opponent's folding."""
        return Shape(FOLD_INPUTS, FOLD_VARYING, self.blocks, self.cells, self.hidden)

    @property
    def genes(self) -> int:
        """Numbers in a genome: the first estimator's, then the second's."""
        return self.win.genes + self.fold.genes


REFERENCE = Size(50, 10, 50)
"""The source's size; it does not say how many hidden nodes there are."""
COMPACT = Size(8, 2, 8)


@inlined
def node_inputs(memory: Memory, node: Any) -> Any:
    """What the tree says about a node: frequency, fold rate, showdown rate, strength shown."""
    visits, folds, shows, strength = 0.0, 0.0, 0.0, 0.0
    if node >= 0:
        at = np.int64(memory[AT.tree]) + TREE.nodes + node * NODE_SIZE
        visits, folds = memory[at + NODE.visits], memory[at + NODE.folds]
        shows, strength = memory[at + NODE.showdowns], memory[at + NODE.strength]
    if shows > ENOUGH_SHOWDOWNS:
        shown = strength / shows
    else:
        shown = (UNKNOWN_STRENGTH * (ENOUGH_SHOWDOWNS - shows) + strength) / ENOUGH_SHOWDOWNS
    frequency = 1.0 / (1.0 + math.exp(-visits / 10.0))
    return frequency, (folds + 1.0) / (visits + 3.0), (shows + 1.0) / (visits + 3.0), shown


@inlined
def write_node(memory: Memory, node: Any, own: float, win_x: Any, fold_x: Any, lane: Any, step: Any) -> None:
    """Write the varying inputs of both estimators for an action that leads to `node` with `own` of the stack put in."""
    frequency, folds, shows, shown = node_inputs(memory, node)
    win_x[lane] = fold_x[lane] = frequency
    win_x[lane + step] = fold_x[lane + step] = folds
    win_x[lane + 2 * step] = shows
    win_x[lane + 3 * step] = shown
    win_x[lane + (WIN_VARYING - 1) * step] = own
    fold_x[lane + (FOLD_VARYING - 1) * step] = own


@inlined
def state_inputs(v: Any, stack: float, win_x: Any, fold_x: Any) -> None:
    """Write what the hand itself says: street, own strength, the board, what the opponent has put in."""
    theirs = min(1.0, (v.pot - v.spent) / stack)
    for street in range(4):
        now = 1.0 if v.street == street else 0.0
        win_x[WIN_VARYING + street] = now
        fold_x[FOLD_VARYING + street] = now
    win_x[WIN_VARYING + 4] = v.strength
    win_x[WIN_VARYING + 5] = theirs
    fold_x[FOLD_VARYING + 4] = theirs
    fold_x[FOLD_VARYING + 5] = board_draws(v.board, v.board_count)
    fold_x[FOLD_VARYING + 6] = board_pairs(v.board, v.board_count)


@inlined
def note(memory: Memory, option: Any, to: float, win: float, fold: float, utility: float) -> None:
    """Write down what was thought of one option, for whoever asks why."""
    at = AT.thoughts + option * OPTION_SIZE
    memory[at + OPTION.to] = to
    memory[at + OPTION.win] = win
    memory[at + OPTION.fold] = fold
    memory[at + OPTION.utility] = utility


@inlined
def estimators(memory: Memory) -> Any:
    """The pair of estimators that plays this hand."""
    kind = memory[AT.opponent + KIND.kind]
    if kind == PAYER:
        return np.int64(memory[AT.payer_win]), np.int64(memory[AT.payer_fold])
    if kind == STAYER:
        return np.int64(memory[AT.stayer_win]), np.int64(memory[AT.stayer_fold])
    if kind == RAISER:
        return np.int64(memory[AT.raiser_win]), np.int64(memory[AT.raiser_fold])
    return np.int64(memory[AT.win]), np.int64(memory[AT.fold])


@njit(ACT, error_model="numpy")
def _act(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    v = view[0]
    tree = np.int64(memory[AT.tree])
    win_at, fold_at = estimators(memory)
    here = np.int64(memory[tree + TREE.now])
    win_x, fold_x = estimator_inputs(memory, win_at), estimator_inputs(memory, fold_at)
    own, theirs = np.float64(v.spent), np.float64(v.pot - v.spent)
    stack = min(own + v.stack, theirs + v.chips[1 - v.me])
    memory[AT.opponent + KIND.stack] = stack

    if memory[AT.stepless] != 0.0:
        reset(memory, win_at)
        reset(memory, fold_at)
    state_inputs(v, stack, win_x, fold_x)
    write_node(memory, here, own / stack, win_x, fold_x, 0, 1)
    listen(memory, win_at)
    listen(memory, fold_at)
    prepare(memory, win_at)
    prepare(memory, fold_at)

    for option in range(OPTIONS):
        note(memory, option, 0.0, 0.0, 0.0, -np.inf)
    note(memory, 0, 0.0, 0.0, 0.0, -own)
    win_x, fold_x = candidate_inputs(memory, win_at), candidate_inputs(memory, fold_at)
    called = own + min(v.to_call, v.stack)
    write_node(memory, child_of(memory, tree, here, CALL), called / stack, win_x, fold_x, CALL, LANES)
    bets = v.raises + (1 if v.street == 0 else 0)
    few = bets >= (THREE_BET if v.position == 1 else FOUR_BET)
    first = (ALL_IN if few else 1) if v.max_to > 0 else OPTIONS
    before = np.int64(0)
    for label in range(first, ALL_IN + 1):
        target = v.max_to
        if label < ALL_IN:
            target = max(v.min_to, v.bet + np.int64(OWN_SIZES[label - 1] * (v.pot + v.to_call)))
            if target >= v.max_to or target == before:
                continue
        before = target
        put = min(own + (target - v.wager), stack)
        note(memory, 1 + label, target, 0.0, 0.0, put)
        write_node(memory, child_of(memory, tree, here, label), put / stack, win_x, fold_x, label, LANES)

    estimate_all(memory, win_at)
    wins = estimates(memory, win_at)
    win = np.float64(wins[CALL])
    utility = (2.0 * win - 1.0) * min(called, theirs)
    note(memory, 1, v.wager + v.to_call, win, 0.0, utility)
    best, choice, to = -own, np.int64(-1), np.int64(0)
    if utility > best:
        best, choice, to = utility, np.int64(CALL), np.int64(1)
    if first <= ALL_IN:
        estimate_all(memory, fold_at)
        folds = estimates(memory, fold_at)
        for label in range(first, ALL_IN + 1):
            at = AT.thoughts + (1 + label) * OPTION_SIZE
            target, put = memory[at + OPTION.to], memory[at + OPTION.utility]
            if target == 0.0:
                continue
            win, fold = np.float64(wins[label]), np.float64(folds[label])
            utility = (1.0 - fold) * (2.0 * win - 1.0) * put + fold * theirs
            note(memory, 1 + label, target, win, fold, utility)
            if utility > best:
                best, choice, to = utility, np.int64(label), np.int64(target)
    memory[AT.choice] = choice
    return to


@njit(WATCH, error_model="numpy")
def _watch(event: NDArray[np.void], memory: Memory) -> None:
    e = event[0]
    tree = np.int64(memory[AT.tree])
    if e.kind == ACTS:
        if e.action == FOLD:
            if e.seat != e.me:
                memory[AT.folded] = 1.0
        elif e.seat == e.me:
            choice = np.int64(memory[AT.choice])
            raised = e.action == RAISE
            follow(memory, tree, choice if raised and choice > CALL else (ALL_IN if raised else CALL))
        elif e.action == RAISE:
            note_raise(memory, AT.opponent, e.street)
            follow(memory, tree, bucket((e.amount - e.to_call) / (e.pot + e.to_call)))
        else:
            follow(memory, tree, CALL)
    elif e.kind == STARTS:
        if memory[AT.forgets] != 0.0:
            clear_trees(memory, tree)
            opponent_kind.forget(memory, AT.opponent)
        begin_hand(memory, tree, BUTTON if e.seat == e.me else BLIND)
        hands, folds = hands_and_folds(memory, tree)
        opponent_kind.begin_hand(memory, AT.opponent, hands, folds)
        win_at, fold_at = estimators(memory)
        reset(memory, win_at)
        reset(memory, fold_at)
        memory[AT.folded] = 0.0
        memory[AT.shown] = -1.0
    elif e.kind == SHOWS:
        if e.seat != e.me:
            memory[AT.shown] = e.strength[3]
            note_shown(memory, AT.opponent, e.strength[3], e.pot)
    elif e.kind == ENDS:
        end_hand(memory, tree, memory[AT.folded] != 0.0, memory[AT.shown])


def estimator_blocks(size: Size, genome: ArrayLike, name: str) -> tuple[Memory, Memory]:
    """Both estimators of a genome."""
    genes = np.asarray(genome, np.float64)
    if genes.shape != (size.genes,):
        raise ValueError(
            f"{name} of {size.blocks} blocks x {size.cells} cells and {size.hidden} hidden nodes has {size.genes} "
            f"genes, but was given {genes.size}"
        )
    win = estimator_block(size.win, genes[: size.win.genes])
    return win, estimator_block(size.fold, genes[size.win.genes :])


class Thought(NamedTuple):
    """What was thought of one option at the last decision; rates are NaN where they were not asked for."""

    action: str
    to: int
    win: float
    fold: float
    utility: float


class Specialists(NamedTuple):
    """The genomes that play against three kinds of opponents (`respond.opponent_kind`)."""

    payers: ArrayLike
    stayers: ArrayLike
    raisers: ArrayLike


class Ashe(CompiledAgent):
    """The player: estimators of a size, their genome, and trees that start empty in every match.

    `forgets` empties the trees and all counts before every hand and `stepless` the LSTM before every decision; both are
    for showing what the trees and the LSTM's memory are worth. `specialists` play against the kinds of opponents that
    they are for.
    """

    def __init__(
        self,
        game: Game,
        size: Size,
        genome: ArrayLike,
        *,
        name: str = "ashe",
        forgets: bool = False,
        stepless: bool = False,
        specialists: Specialists | None = None,
        room: int = DEFAULT_ROOM,
    ) -> None:
        if game.seats != 2 or not game.is_holdem:
            what = f"has {game.seats} seats" if game.is_holdem else "is another game"
            raise ValueError(f"{name} plays hold'em heads-up; {game.name} {what}")
        win, fold = estimator_blocks(size, genome, name)
        blocks: list[Any] = [()] * (2 * len(Specialists._fields))
        if specialists is not None:
            blocks = [block for other in specialists for block in estimator_blocks(size, other, name)]
        thoughts = np.tile(OPTION_LAYOUT.template(utility=-np.inf), OPTIONS)
        memory = LAYOUT.template(
            win=win, fold=fold, payer_win=blocks[0], payer_fold=blocks[1], stayer_win=blocks[2], stayer_fold=blocks[3],
            raiser_win=blocks[4], raiser_fold=blocks[5], tree=tree_block(room),
            opponent=opponent_kind.LAYOUT.template(known=specialists is not None),
            forgets=forgets, stepless=stepless, thoughts=thoughts,
        )  # fmt: skip
        super().__init__(name, _act, _watch, memory, facts=("strength",), hears=(STARTS, ACTS, SHOWS, ENDS))

    def thoughts(self) -> list[Thought]:
        """What it thought of every option at its last decision, as a Python agent at the table."""
        found = []
        for option, action in enumerate(("fold", *OWN_NAMES)):
            to, win, fold, utility = self.memory[AT.thoughts + option * OPTION_SIZE :][:OPTION_SIZE]
            if utility > -np.inf:
                asked = option > 0, option > 1
                nan = float("nan")
                found.append(
                    Thought(
                        action,
                        int(to),
                        float(win) if asked[0] else nan,
                        float(fold) if asked[1] else nan,
                        float(utility),
                    )
                )
        return found

    @property
    def opponent_kind(self) -> str:
        """What kind of opponent it takes this one for, one of `opponent_kind.KINDS`."""
        return KINDS[int(self.memory[AT.opponent + KIND.kind])]

    def trees(self) -> Trees:
        """What it knows of the opponent."""
        return Trees(self.memory[int(self.memory[AT.tree]) :])
