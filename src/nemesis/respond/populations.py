"""Populations of betting candidates that evolve at the table, in an agent's memory (the hypercube paper, 3.3 and 4.2).

A cell is a population of `CANDIDATES` candidates, seven genes each (`betting_curves`), and the state of its evolution. One
candidate speaks for the cell until a hand in which it was used is over; then it is the next one's turn. The chips of the
hand are credited to every candidate that would have acted the same on the same die. When each has spoken in `USES` hands,
the next generation begins, with mutations of all genes.

The source names a (1+1) evolution strategy and does not say how twenty candidates share it. Here the better half stays and
every one of it has one mutated child. A candidate's fitness is the sum of its credits, each divided by how many shared it,
which is what it would have earned had it spoken all the time (inverse propensity weighing); a plain mean flatters
candidates that are credited only with good hands. `published` has the plain mean and lets a parent compete with its own
child alone, as the source can also be read.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.respond.betting_curves import GENES, LARGEST
from nemesis.runtime.chance import another
from nemesis.runtime.compiled import inlined
from nemesis.runtime.memory import CELL, REST, Layout

CANDIDATES = 20
PARENTS = CANDIDATES // 2
USES = 25


class Candidate(NamedTuple):
    """One candidate: its genes, the chips credited to it in this generation, and how often."""

    genes: int = GENES
    chips: int = CELL
    credits: int = CELL


class Cell(NamedTuple):
    """A population: hands it was used in since its generation began, the last of them, its generation; the candidates."""

    used: int = CELL
    hand: int = CELL
    generation: int = CELL
    candidates: int = REST


CANDIDATE, POPULATION = Layout(Candidate), Layout(Cell)
ITS, OF = CANDIDATE.at, POPULATION.at
CANDIDATE_SIZE = CANDIDATE.size
CELL_SIZE = POPULATION.size + CANDIDATES * CANDIDATE_SIZE


@inlined
def candidate_at(cell: int, number: int) -> Any:
    """Where a candidate of the cell begins."""
    return cell + OF.candidates + number * CANDIDATE_SIZE


@inlined
def speaker_at(memory: NDArray[np.float64], cell: int) -> Any:
    """Where the candidate begins whose turn it is."""
    turn: Any = np.int64(memory[cell + OF.used]) % CANDIDATES
    return candidate_at(cell, turn)


@inlined
def credit(memory: NDArray[np.float64], cell: int, who: int, chips: float, published: bool) -> None:
    """Credit chips to the candidates whose bits are set in `who`. Writes the cell."""
    sharing = 0
    for number in range(CANDIDATES):
        sharing += (who >> number) & 1
    share = chips if published else chips / max(1, sharing)
    for number in range(CANDIDATES):
        if (who >> number) & 1:
            at = candidate_at(cell, number)
            memory[at + ITS.chips] += share
            memory[at + ITS.credits] += 1.0


@inlined
def pass_turn(memory: NDArray[np.float64], cell: int, hand: int) -> Any:
    """The cell was used in this hand: the next candidate's turn. Returns whether all have had all their turns."""
    if memory[cell + OF.hand] != hand:
        memory[cell + OF.hand] = hand
        memory[cell + OF.used] += 1.0
    return memory[cell + OF.used] >= CANDIDATES * USES


@inlined
def fitness(memory: NDArray[np.float64], candidate: int, published: bool) -> Any:
    """What was credited to a candidate in this generation; as published, the mean of it."""
    return memory[candidate + ITS.chips] / (max(1.0, memory[candidate + ITS.credits]) if published else 1.0)


@inlined
def next_generation(memory: NDArray[np.float64], cell: int, step: float, chance: float, published: bool) -> None:
    """Keep the better half, give each of it a child whose genes lie about `step` away, and begin anew. Writes the cell.

    The dice of a gene are numbered by its place in memory, so no two are the same.
    """
    for place in range(PARENTS):
        last = CANDIDATES
        first = place + 1
        if published:  # only its own child can take a parent's place
            first, last = place + PARENTS, place + PARENTS + 1
        best = candidate_at(cell, place)
        for number in range(first, last):
            if fitness(memory, candidate_at(cell, number), published) > fitness(memory, best, published):
                best = candidate_at(cell, number)
        exchange(memory, candidate_at(cell, place), best)
    for number in range(PARENTS):
        parent, child = candidate_at(cell, number), candidate_at(cell, number + PARENTS)
        for gene in range(GENES):
            moved = memory[parent + gene] + step * normal(chance, child + gene)
            memory[child + gene] = min(LARGEST, max(0.0, moved))
    for number in range(CANDIDATES):
        memory[candidate_at(cell, number) + ITS.chips] = 0.0
        memory[candidate_at(cell, number) + ITS.credits] = 0.0
    memory[cell + OF.used] = 0.0
    memory[cell + OF.generation] += 1.0


@inlined
def exchange(memory: NDArray[np.float64], one: int, other: int) -> None:
    """Let two candidates change places. Writes both."""
    for i in range(CANDIDATE_SIZE):
        kept = memory[one + i]
        memory[one + i] = memory[other + i]
        memory[other + i] = kept


@inlined
def normal(chance: float, number: int) -> Any:
    """A draw from the standard normal distribution (Box and Muller 1958) for a decision that was given `chance`."""
    distance = math.sqrt(-2.0 * math.log(1.0 - another(chance, 2 * number)))
    return distance * math.cos(2.0 * math.pi * another(chance, 2 * number + 1))


def population_blocks(genes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Fresh cells with these genes (cells, `CANDIDATES`, 7), one block after another."""
    blocks = np.zeros((len(genes), CELL_SIZE))
    blocks[:, OF.hand] = -1
    _bodies(blocks)[:, :, :GENES] = genes
    return blocks.ravel()


def read_populations(blocks: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The genes (cells, `CANDIDATES`, 7) and the generations of what lies in a memory, whole cells only."""
    cells = blocks.reshape(-1, CELL_SIZE)
    return _bodies(cells)[:, :, :GENES].copy(), cells[:, OF.generation].astype(np.int64)


def _bodies(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    return cells[:, OF.candidates :].reshape(len(cells), CANDIDATES, CANDIDATE_SIZE)
