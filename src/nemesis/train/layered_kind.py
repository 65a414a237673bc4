"""Networks at one-card poker of a fixed shape, one hidden layer, whose weights evolve (`respond.layered`).

A champion keeps the network itself, so it is of the kind `network`.
"""

from __future__ import annotations

from dataclasses import dataclass

from nemesis.train.network_genomes import LayeredGenomes
from nemesis.train.network_kind import OneCardInputs


@dataclass(frozen=True)
class LayeredKind(LayeredGenomes, OneCardInputs):
    """A network of one hidden layer."""
