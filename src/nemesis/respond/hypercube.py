"""The hypercube: limit hold'em played by cells of evolving populations, which learn while they play (Barone, While 2000).

A cell for every position (early, middle, late), number of bets to call, street and group of opponents holds a population of
betting candidates (`populations`, `betting_curves`). At a decision every group with an opponent still in the hand is asked
for itself, with the probability of beating one random hand; the tightest answer is played. After the hand every cell that
gave that answer is credited with what the decision brought from its own group: chips put in before it do not count. Groups
are by believed style (`believe.style_belief`), by seat, or everybody together. In some hands one group decides alone, or
its cells would never learn what they cannot do against the others' will.

What the source leaves open and we settled: one die serves a whole decision, so the tightest answer is that of the tightest
candidate; a fold that is free is a check, a raise at the cap a call; positions are thirds of those who were in when the
betting round began, in the order in which they act. `docs/explanation/hypercube.md` has the whole, and what differs.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nemesis.believe.style_belief import belief_block, heard_by, likeliest, see
from nemesis.believe.tables import action_table
from nemesis.observe.event import ACTS, ENDS
from nemesis.respond.agent import ACT, WATCH, CompiledAgent, Memory
from nemesis.respond.betting_curves import GENES, LARGEST, suggested
from nemesis.respond.populations import (
    CANDIDATES,
    CELL_SIZE,
    PARENTS,
    candidate_at,
    credit,
    next_generation,
    pass_turn,
    population_blocks,
    read_populations,
    speaker_at,
)
from nemesis.respond.styles import STYLES, bet
from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.rules.game import MAX_SEATS, MAX_STREETS, Game, GameError
from nemesis.runtime.chance import another
from nemesis.runtime.compiled import inlined, njit
from nemesis.runtime.memory import CELL, WHERE, Layout

By = Literal["together", "style", "seat"]
"""What makes opponents a group: nothing, the style they are believed to play, the seat."""
WAYS: tuple[By, ...] = get_args(By)
TOGETHER, STYLE, SEAT = range(3)

POSITIONS, BETS, STREETS = 3, 4, MAX_STREETS
POSITION_NAMES = ("early", "middle", "late")
CELLS = POSITIONS * BETS * STREETS
STEP = 0.03
WINDOW = 100
MOST_DECISIONS = STREETS * BETS * (MAX_SEATS - 1)
MOST_WINDOW = 10_000
ALONE = 0.2
NOBODY = -1
SPEAKER_DIE, LEADS_DIE, LEADER_DIE = 1, 2, 3

Genes = NDArray[np.float64]
"""By group, position, bets to call, street, candidate and gene."""


class Decision(NamedTuple):
    """What is kept of a decision until the hand is over: a cell used, who in it agreed, and chips put in before."""

    cell: int = CELL
    agreed: int = CELL
    spent: int = CELL


class Places(NamedTuple):
    """The memory: how it learns, the bets of the game, the hand in play, who folded when, the cells and the belief."""

    seats: int = CELL
    by: int = CELL
    groups: int = CELL
    learning: int = CELL
    step: int = CELL
    alone: int = CELL
    published: int = CELL
    bets: int = MAX_STREETS
    chance: int = CELL
    hand: int = CELL
    leader: int = CELL
    decisions: int = CELL
    made: int = MOST_DECISIONS * len(Decision())
    folded: int = MAX_SEATS
    cells: int = WHERE
    belief: int = WHERE


DECISION, LAYOUT = Layout(Decision), Layout(Places)
MADE, AT = DECISION.at, LAYOUT.at
DECISION_SIZE = DECISION.size


@inlined
def round_of(hand: int, street: int) -> Any:
    """A number for each betting round of a match."""
    return STREETS * hand + street


@inlined
def position_of(v: Any, memory: Memory) -> Any:
    """Early, middle or late: the third in which we act among those who were in when this betting round began."""
    before = v.position - (2 if v.seats > 2 else 1)  # heads-up the button opens the first round, else the third player
    if before < 0:
        before += v.seats
    after = v.seats - 1 - before
    if v.street > 0:
        seats: Any = np.int64(memory[AT.seats])
        now = round_of(v.hand, v.street)
        before = after = 0
        passed = False
        seat = v.button
        for _ in range(seats):
            seat = seat + 1 if seat + 1 < seats else 0
            passed = passed or seat == v.me
            if seat != v.me and (v.live[seat] != 0 or memory[AT.folded + seat] == now):
                before += not passed
                after += passed
    return min(POSITIONS - 1, POSITIONS * before // max(1, before + after))


@inlined
def place_of(v: Any, memory: Memory) -> Any:
    """The place of the decision among the cells of a group."""
    bets = np.int64(np.ceil(v.to_call / memory[AT.bets + v.street]))
    return (position_of(v, memory) * BETS + min(bets, BETS - 1)) * STREETS + v.street


@inlined
def cell_at(memory: Memory, group: int, place: int) -> Any:
    """Where the cell of a group begins."""
    return np.int64(memory[AT.cells]) + (group * CELLS + place) * CELL_SIZE


@inlined
def group_of(memory: Memory, seat: int) -> Any:
    """The group that an opponent belongs to."""
    if memory[AT.by] == STYLE:
        belief: Any = np.int64(memory[AT.belief])
        return likeliest(memory, belief, seat)
    return np.int64(seat) if memory[AT.by] == SEAT else np.int64(0)


@inlined
def lead(v: Any, memory: Memory, chance: float) -> None:
    """When a hand begins, draw whether one group decides it alone, that of an opponent drawn. Writes `memory`."""
    if memory[AT.hand] == v.hand:
        return
    memory[AT.hand] = v.hand
    memory[AT.leader] = NOBODY
    if another(chance, LEADS_DIE) < memory[AT.alone]:
        nth: Any = np.int64(v.opponents * another(chance, LEADER_DIE))
        for seat in range(np.int64(memory[AT.seats])):
            if seat != v.me and v.live[seat] != 0:
                if nth == 0:
                    memory[AT.leader] = group_of(memory, seat)
                nth -= 1


@inlined
def speaker(memory: Memory, cell: int, chance: float) -> Any:
    """Where the candidate begins that speaks for a cell; where nothing is learned, one that is drawn."""
    if memory[AT.learning] != 0.0:
        return speaker_at(memory, cell)
    drawn: Any = np.int64(CANDIDATES * another(chance, SPEAKER_DIE))
    return candidate_at(cell, drawn)


@inlined
def answer(v: Any, memory: Memory, candidate: int, chance: float) -> Any:
    """What a candidate does here: a fold that is free is a check, a raise that is not allowed a call."""
    action = suggested(memory, candidate, v.win, chance)
    if (action == FOLD and v.to_call == 0) or (action == RAISE and v.max_to == 0):
        return CALL
    return action


@inlined
def note_decision(v: Any, memory: Memory, cell: int, chosen: int, chance: float) -> None:
    """Keep a cell that gave the answer chosen, and who in it agreed. Writes `memory`."""
    count = np.int64(memory[AT.decisions])
    if count >= MOST_DECISIONS:
        return
    agreed = 0
    for number in range(CANDIDATES):
        agreed |= (answer(v, memory, candidate_at(cell, number), chance) == chosen) << number
    entry = AT.made + count * DECISION_SIZE
    memory[entry + MADE.cell] = cell
    memory[entry + MADE.agreed] = agreed
    memory[entry + MADE.spent] = v.spent
    memory[AT.decisions] = count + 1


@njit(ACT, error_model="numpy")
def _act(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    """Ask every group with an opponent still in, and play the tightest answer. Writes `memory`."""
    v = view[0]
    place = place_of(v, memory)
    asked = 0
    for seat in range(np.int64(memory[AT.seats])):
        if seat != v.me and v.live[seat] != 0:
            asked |= 1 << group_of(memory, seat)
    if memory[AT.learning] != 0.0:
        lead(v, memory, chance)
        leader: Any = np.int64(memory[AT.leader])
        if leader >= 0 and (asked >> leader) & 1:
            asked = 1 << leader
    groups = np.int64(memory[AT.groups])
    chosen: Any = RAISE
    for group in range(groups):
        if (asked >> group) & 1:
            cell = cell_at(memory, group, place)
            chosen = min(chosen, answer(v, memory, speaker(memory, cell, chance), chance))
    if memory[AT.learning] != 0.0:
        memory[AT.chance] = chance
        for group in range(groups):
            if (asked >> group) & 1:
                cell = cell_at(memory, group, place)
                if answer(v, memory, speaker(memory, cell, chance), chance) == chosen:
                    note_decision(v, memory, cell, chosen, chance)
    return bet(v) if chosen == RAISE else chosen


@njit(WATCH, error_model="numpy")
def _watch(event: NDArray[np.void], memory: Memory) -> None:
    """Believe, remember who folded when, and learn from the hand when it is over. Writes `memory`."""
    e = event[0]
    if e.kind == ENDS:
        if memory[AT.learning] != 0.0:
            learn(e, memory)
        return
    if e.kind == ACTS and e.action == FOLD:
        memory[AT.folded + e.seat] = round_of(e.hand, e.street)
    if memory[AT.by] == STYLE:
        belief: Any = np.int64(memory[AT.belief])
        see(memory, belief, e)


@inlined
def share_of(e: Any, memory: Memory, group: int) -> Any:
    """The part of the hand's chips that came from a group, or went to it.

    What we won came from those who lost, in proportion; what we lost went to those who won.
    """
    won: Any = e.payoff >= 0
    theirs = 0.0
    everybodys = 0.0
    for seat in range(np.int64(memory[AT.seats])):
        chips = -e.payoffs[seat] if won else e.payoffs[seat]
        if seat != e.me and chips > 0:
            everybodys += chips
            if group_of(memory, seat) == group:
                theirs += chips
    return theirs / everybodys if everybodys > 0.0 else 1.0


@inlined
def learn(e: Any, memory: Memory) -> None:
    """Credit the hand's chips to the cells used in it, and begin the next generation where it is time. Writes `memory`."""
    published = memory[AT.published] != 0.0
    for number in range(np.int64(memory[AT.decisions])):
        entry = AT.made + number * DECISION_SIZE
        cell: Any = np.int64(memory[entry + MADE.cell])
        agreed: Any = np.int64(memory[entry + MADE.agreed])
        chips = np.float64(e.payoff)
        if not published:
            group = (cell - np.int64(memory[AT.cells])) // (CELLS * CELL_SIZE)
            chips = (chips + memory[entry + MADE.spent]) * share_of(e, memory, group)
        credit(memory, cell, agreed, chips, published)
    for number in range(np.int64(memory[AT.decisions])):
        cell = np.int64(memory[AT.made + number * DECISION_SIZE + MADE.cell])
        if pass_turn(memory, cell, e.hand):
            next_generation(memory, cell, memory[AT.step], memory[AT.chance], published)
    memory[AT.decisions] = 0.0


class Hypercube(CompiledAgent):
    """A hypercube at a table. What its cells hold now can be read at any time, also from another memory of its own."""

    @property
    def by(self) -> By:
        """What makes a group."""
        return WAYS[int(self.template[AT.by])]

    @property
    def groups(self) -> tuple[str, ...]:
        """The names of the groups."""
        return group_names(self.by, int(self.template[AT.groups]))

    def genes(self, memory: Memory | None = None) -> Genes:
        """The genes of every candidate in every cell."""
        genes, _ = read_populations(self._blocks(memory))
        return genes.reshape(-1, POSITIONS, BETS, STREETS, CANDIDATES, GENES)

    def generations(self, memory: Memory | None = None) -> NDArray[np.int64]:
        """How many generations every cell has begun: by group, position, bets to call and street."""
        _, generations = read_populations(self._blocks(memory))
        return generations.reshape(-1, POSITIONS, BETS, STREETS)

    def _blocks(self, memory: Memory | None) -> Memory:
        memory = self.memory if memory is None else memory
        start, groups = int(memory[AT.cells]), int(memory[AT.groups])
        return memory[start : start + groups * CELLS * CELL_SIZE]


def group_names(by: By, groups: int) -> tuple[str, ...]:
    """What the groups are called."""
    if by == "style":
        return tuple(STYLES)
    return tuple(f"seat {seat}" for seat in range(groups)) if by == "seat" else ("everybody",)


def groups_of(by: By, game: Game) -> int:
    """How many groups there are at a table."""
    return len(group_names(by, game.seats))


def hypercube(
    game: Game,
    genes: ArrayLike,
    *,
    by: By = "style",
    learning: bool = True,
    step: float = STEP,
    alone: float = ALONE,
    published: bool = False,
    window: int = WINDOW,
    name: str = "hypercube",
) -> Hypercube:
    """A hypercube of these genes, by group, position, bets to call, street, candidate and gene.

    One that does not learn is played by the parents in every cell, without the children that nobody has tried yet. `window`
    is how many actions of an opponent its style is judged by, 0 for all; `alone` the share of hands that one group decides
    alone. `published` has none of those and credits every cell with the whole hand, and see `populations`.
    """
    if not game.is_holdem or game.structure != "limit":
        raise GameError(f"{name} has cells for limit hold'em; {game.name} is another game")
    cells = np.array(genes, np.float64)
    fits = (groups_of(by, game), POSITIONS, BETS, STREETS, CANDIDATES, GENES)
    if cells.ndim == len(fits) and by == "seat" and cells.shape[1:] == fits[1:] and len(cells) != game.seats:
        raise GameError(
            f"{name} has cells for the opponents at a table of {len(cells)} seats and none for {game.name} of {game.seats}"
        )
    if cells.shape != fits:
        raise ValueError(f"{name} by {by} needs genes of shape {fits} at {game.seats} seats, not {cells.shape}")
    if not ((cells >= 0.0) & (cells <= LARGEST)).all():
        raise ValueError(f"the genes of {name} lie between 0 and {LARGEST}, and some of these do not")
    if not 0.0 <= step <= 1.0:
        raise ValueError(f"the mutation step of {name} lies between 0 and 1, not {step:g}")
    if not 0.0 <= alone <= 1.0:
        raise ValueError(
            f"the share of hands that one group of {name} decides alone lies between 0 and 1, not {alone:g}"
        )
    if not 0 <= window <= MOST_WINDOW:
        raise ValueError(f"the window of {name} holds 0 (all) to {MOST_WINDOW:,} actions, not {window}")
    if not learning:
        cells[..., PARENTS:, :] = cells[..., :PARENTS, :]
    style = by == "style"
    memory = LAYOUT.template(
        seats=game.seats, by=WAYS.index(by), groups=len(cells), learning=learning, step=step,
        alone=0.0 if published else alone, published=published, hand=-1, leader=NOBODY,
        bets=game.bets, folded=-1, cells=population_blocks(cells.reshape(-1, CANDIDATES, GENES)),
        belief=belief_block(action_table(game), game.seats, window, "showdown") if style else (),
    )  # fmt: skip
    hears, facts = heard_by("showdown") if style else ((ACTS,) if game.seats > 2 else (), ())
    return Hypercube(name, _act, _watch, memory, {"win", *facts}, {*hears, ENDS} if learning else {*hears})
