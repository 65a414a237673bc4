"""Every stream of random numbers under a seed, by name. Nothing else makes a key or a generator (the linter sees to it).

Two kinds: streams drawn by counter (`Stream`, see `chance`) and NumPy's generators (`NumpyStream`). A stream is named by
a seed, a member of one of these and a number, such as that of a match or a round. Different names give
different streams: the three are folded one after another into 64 bits, so two keys agree only by an accident of
2 ** -64. Cards are the one stream named elsewhere: `rules.deal.deal_key` folds the seed with the kind of deck.

Work that comes in *stages*, each with deals of its own, takes their numbers from `Stages`, whose ranges do not overlap:
what a generation saw is never what a champion is chosen or measured on. New streams and stages get new numbers; a
number that is given away stays as it is, for seeds must go on giving the same results.
"""

from __future__ import annotations

from enum import Enum, IntEnum, unique
from typing import NewType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nemesis.runtime.chance import folded

RUN_SEEDS = 1_000_003
"""How many seeds there are for runs of which one setting makes several."""

Stage = NewType("Stage", int)
"""The number of a set of deals; `Stages` gives it."""


@unique
class Stream(IntEnum):
    """What is drawn by counter, or the deals of what, under one seed."""

    CHOICES = 1
    """The dice of the players in match `number`."""
    TOURNAMENTS = 2
    """The freeze-outs of a stage."""
    EARNINGS = 3
    """The duplicate matches of a stage."""
    STRETCHES = 4
    """The matches that are counted stretch by stretch."""
    EQUITY = 5
    """Boards and holdings of a sampled equity."""
    PAIR_MAPS = 6
    """The batches of the study `pair-maps`."""
    ACTION_TABLE = 7
    """The batches of the study `action-table`."""
    ANALYSIS_PLAYER = 8
    """The tables of the study `analysis-player`."""
    STYLE_CHANGES = 9
    """The actions before and after a change in the study `belief-growth`."""
    FRESH_SEQUENCES = 10
    """What the classifiers of the study `style-classifiers` are tested on."""
    COUNTED_SEQUENCES = 11
    """What the same study counts sequences in."""
    CEILING_SEARCH = 12
    """The search for a counter-strategy against opponent `number` in the study `no-limit-ceilings`."""
    CEILING_CHOICE = 13
    """The choice among all counter-strategies against opponent `number`."""
    CEILING_MEASURE = 14
    """What the chosen one takes from opponent `number`."""
    CHIPS = 15
    """The matches of a stage that are counted in chips."""
    LIMIT_CEILING = 16
    """The deals of a ceiling at limit hold'em: 0 to find the best response, 1 to work out what it takes."""
    LESSONS = 17
    """The matches in which a network is taught."""
    ASHE_CALIBRATION = 18
    """Match `number` of the study `ashe-calibration`."""
    HYPERCUBE = 20
    """The runs of stage `number` in the studies of the hypercube."""
    BUCKETS = 28
    """The deals on which card buckets are found."""
    SOLVING = 29
    """The deals on which a game is solved (0), a response is found (1) and its value is worked out (2)."""
    SOLVING_DICE = 30
    """What is sampled in iteration `number` of a solver."""
    LUCK = 32
    """The boards on which equities before the flop are estimated."""
    LOCAL_RESPONSE = 31
    """The hands of a local best response."""
    GRID_PURSUITS = 24
    """The goals and dice of pursuit `number` on a grid."""


@unique
class NumpyStream(IntEnum):
    """What NumPy's generators draw under one seed."""

    LEARNER = 0
    """All that a learner draws."""
    FIRST_WEIGHTS = 1
    """The weights that a fixed network starts from."""
    SEATING = 2
    """Who sits where in round `number` at a table."""
    LINEUPS = 3
    """Who meets whom where styles are mixed, from match `number` on."""
    INDEPENDENT_ACTIONS = 4
    """Actions drawn independently from an action table."""
    IMITATION = 5
    """In which order a network is taught its lessons."""
    BUCKETS = 28
    """Where the clusters of street `number` begin."""
    RANDOM_CELLS = 20
    """The candidates that a hypercube starts from at random."""
    PERCEPTRONS = 6
    """The first weights of perceptron `number`."""
    PATTERN_ORDER = 7
    """In which order perceptron `number` is shown its patterns, and how it is repositioned."""
    GRID_WORLDS = 9
    """The random grid map `number`."""
    KIN = 29
    """By how much the habits of a tight no-limit player's relation differ from its own."""
    GENE_DUELS = 30
    """How many games chromosomes win from each other in stage `number`."""


@unique
class Stages(Enum):
    """The numbers of sets of deals, by what they are for."""

    GENERATIONS = range(1_000_000)
    CROWNING = range(1_000_000, 1_000_100)
    """Choosing a champion among the last generations, and its score."""
    STUDY_BATCHES = range(1_000_100, 1_010_000)
    """Comparing finished players of the one-card studies."""
    ASHE_TABLE = range(1_010_000, 1_011_000)
    ASHE_ABLATIONS = range(1_011_000, 1_012_000)
    ASHE_TRAINING = range(1_012_000, 1_013_000)
    ASHE_TEAM = range(1_014_000, 1_015_000)
    LIMIT_STUDIES = range(1_013_000, 1_014_000)
    """Comparing finished players of limit hold'em."""

    def at(self, number: int) -> Stage:
        """The stage of this number among those of its kind."""
        if not 0 <= number < len(self.value):
            raise ValueError(f"there is no stage {number} of {self.name}; they are numbered 0 to {len(self.value) - 1}")
        return Stage(self.value[number])


FIRST_STAGE = Stages.GENERATIONS.at(0)
"""The deals of what has no stages."""


def stream_keys(seed: int, stream: Stream, numbers: ArrayLike) -> NDArray[np.int64]:
    """The keys of many numbers of a stream."""
    return folded(seed, Stream(stream), np.atleast_1d(np.asarray(numbers, np.int64)))


def stream_key(seed: int, stream: Stream, number: int = 0) -> int:
    """The key of one stream, for `chance.nth`."""
    return int(stream_keys(seed, stream, number)[0])


def derived_seed(seed: int, stream: Stream, number: int = 0) -> int:
    """A seed of its own for one part of what is done under `seed`; a play with it has its own deals and dice."""
    return abs(stream_key(seed, stream, number))


def run_seed(seed: int, other: int) -> int:
    """The seed of the run number `other` of a setting; number 0 has the setting's own."""
    if not 0 <= seed < RUN_SEEDS or other < 0:
        raise ValueError(f"a study that evolves players takes a seed from 0 to {RUN_SEEDS - 1:_}, not {seed}")
    return seed + RUN_SEEDS * other


def generator(seed: int, stream: NumpyStream, number: int = 0) -> np.random.Generator:
    """NumPy's generator of one stream."""
    if not 0 <= number < 1 << 32:
        raise ValueError(f"generators of {stream.name} are numbered 0 to {(1 << 32) - 1}, not {number}")
    words = (seed & 0xFFFFFFFF, NumpyStream(stream), number, seed >> 32 & 0xFFFFFFFF)
    return np.random.default_rng(words)
