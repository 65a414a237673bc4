"""What a genome is, as far as a learner must know: probabilities, weights, or a network that grows.

A player kind says what its genomes are; a learner says which of these it can change.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Probabilities:
    """A row of genes, each between 0 and 1."""

    genes: int


@dataclass(frozen=True, eq=False)
class Weights:
    """A row of real numbers.

    `start` is where to begin, `units` how far a step of 1 reaches in each, `modules` how many numbers belong to each part
    that may be evolved on its own. `by_chance`: the start is nothing but a draw, so a learner that keeps a population may
    draw every member of it.
    """

    start: NDArray[np.float64]
    units: NDArray[np.float64] | None = None
    modules: tuple[int, ...] = ()
    by_chance: bool = False

    @property
    def parts(self) -> tuple[int, ...]:
        """The sizes of the modules; all is one module if none are named."""
        return self.modules or (self.start.size,)


@dataclass(frozen=True)
class Graph:
    """A network of any shape between these inputs and outputs."""

    inputs: int
    outputs: int


Space = Probabilities | Weights | Graph
