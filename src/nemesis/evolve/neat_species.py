"""Species: genomes that are alike compete with each other first, so that a new structure has time to prove itself.

How far apart two genomes are is Stanley and Miikkulainen's measure: genes that only one has, and how much the common
ones differ. All distances to one genome are computed at once, on a matrix of the generation's genomes by name of gene.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nemesis.evolve.neat_genome import Genome, Names, Numbers


@dataclass
class Species:
    """Some members of a generation, by their place in it, and the genome that newcomers are compared with."""

    name: int
    representative: Genome
    members: list[int] = field(default_factory=list)
    best: float = -np.inf
    last_improved: int = 0


class Comparison:
    """Genomes side by side: `distances(i)` from one of them to all."""

    def __init__(self, genomes: Sequence[Genome], disjoint_weight: float, difference_weight: float) -> None:
        self._weights = disjoint_weight, difference_weight
        nodes = _side_by_side([genome.nodes for genome in genomes], [genome.biases for genome in genomes])
        edges = _side_by_side([genome.edges for genome in genomes], [genome.weights for genome in genomes])
        enabled = _side_by_side([g.edges for g in genomes], [g.enabled.astype(np.float64) for g in genomes])
        self._genes = ((nodes, np.zeros_like(nodes)), (edges, enabled))

    def distances(self, which: int) -> Numbers:
        """How far each genome is from this one."""
        disjoint_weight, difference_weight = self._weights
        total = np.zeros(len(self._genes[0][0]))
        for values, switches in self._genes:
            present = ~np.isnan(values)
            common = present & present[which]
            apart = np.abs(values - values[which]) + (switches != switches[which])
            difference = np.where(common, apart, 0.0).sum(axis=1)
            sizes = present.sum(axis=1)
            disjoint = sizes + sizes[which] - 2 * common.sum(axis=1)
            most = np.maximum(1, np.maximum(sizes, sizes[which]))
            total += (difference_weight * difference + disjoint_weight * disjoint) / most
        return total


def _side_by_side(names: Sequence[Names], values: Sequence[Numbers]) -> Numbers:
    """One row a genome, one column a name; NaN where a genome lacks it."""
    columns = np.unique(np.concatenate(names))
    rows = np.full((len(names), columns.size), np.nan)
    for row, mine, numbers in zip(rows, names, values, strict=True):
        row[np.searchsorted(columns, mine)] = numbers
    return rows


def divide(
    genomes: Sequence[Genome],
    species: Sequence[Species],
    radius: float,
    weights: tuple[float, float],
    next_name: int,
    generation: int,
) -> list[Species]:
    """The genomes in species: each old one goes on around whoever is nearest its representative, strangers found new ones.

    A genome joins the nearest species within `radius`. An old species that nobody joins ends.
    """
    count = len(genomes)
    compared = Comparison([*genomes, *(kind.representative for kind in species)], *weights)
    free = np.ones(count, np.bool_)
    kinds: list[Species] = []
    distances: list[NDArray[np.float64]] = []

    def found(kind: Species, place: int) -> None:
        kind.representative, kind.members = genomes[place], [place]
        free[place] = False
        kinds.append(kind)
        distances.append(compared.distances(place)[:count])

    for row, kind in enumerate(species):
        if free.any():
            apart = compared.distances(count + row)[:count]
            found(kind, int(np.argmin(np.where(free, apart, np.inf))))
    for place in range(count):
        if free[place]:
            nearest = min(range(len(kinds)), key=lambda k: distances[k][place], default=None)
            if nearest is not None and distances[nearest][place] < radius:
                kinds[nearest].members.append(place)
            else:
                found(Species(next_name, genomes[place], last_improved=generation), place)
                next_name += 1
    return kinds


def offspring(means: Numbers, sizes: Numbers, population: int) -> list[int]:
    """How many children each species has: in proportion to its mean fitness above the lowest, half way from its last size.

    Every species has at least one and together they are the population.
    """
    above = means - means.min()
    share = above / above.sum() if above.sum() > 0 else np.full(means.size, 1 / means.size)
    wanted = np.maximum(1.0, (sizes + share * population) / 2)
    wanted = 1 + (wanted - 1) * (population - means.size) / max(1e-12, (wanted - 1).sum())
    counts = np.floor(wanted).astype(np.int64)
    for place in np.argsort(counts - wanted, kind="stable")[: population - counts.sum()]:
        counts[place] += 1
    counts[int(np.argmax(means))] += population - counts.sum()
    return [int(count) for count in counts]
