"""Streams have names, and no two names give the same numbers."""

from itertools import pairwise, product

import numpy as np
import pytest

import nemesis
from nemesis.names import GAMES
from nemesis.rules.deal import deal_key
from nemesis.runtime.streams import (
    RUN_SEEDS,
    NumpyStream,
    Stages,
    Stream,
    derived_seed,
    generator,
    run_seed,
    stream_key,
    stream_keys,
)

SEEDS = (-2, -1, 0, 1, 2, 2010, 1_000_003, (1 << 32) + 1, (1 << 63) - 1)


def test_no_two_keys_are_the_same() -> None:
    """Seeds, streams and numbers in every combination, and the cards of every game."""
    keys = [key for seed, stream in product(SEEDS, Stream) for key in stream_keys(seed, stream, range(300)).tolist()]
    decks = {nemesis.game(name).digest(): nemesis.game(name) for name in GAMES}
    keys += [deal_key(game, seed) for seed, game in product(SEEDS, decks.values())]
    seeds = [derived_seed(seed, stream, n) for seed, stream, n in product(SEEDS, Stream, range(5))]
    assert len(set(keys)) == len(keys)
    assert len(set(seeds)) == len(seeds)


def test_no_two_generators_are_the_same() -> None:
    begun = {
        (seed, stream, number): generator(seed, stream, number).integers(1 << 62)
        for seed, stream, number in product(SEEDS, NumpyStream, range(20))
    }
    assert len(set(begun.values())) == len(begun)
    with pytest.raises(ValueError, match="SEATING are numbered 0 to 4294967295, not 4294967296"):
        generator(0, NumpyStream.SEATING, 1 << 32)


def test_a_seed_gives_the_same_streams_for_ever() -> None:
    assert stream_key(0, Stream.CHOICES, 5) == 6498490677641352581
    assert stream_key(-1, Stream.CHOICES, 5) == -4798824205150903529
    assert derived_seed(7, Stream.TOURNAMENTS, Stages.CROWNING.at(0)) == 6412597382346619002
    assert derived_seed(0, Stream.EARNINGS, 17) == 2447427086746959861
    assert derived_seed(3, Stream.STRETCHES) == 6957558452390164812
    for seed in (0, 1, 2010):
        learner = np.random.Generator(np.random.PCG64(seed))
        weights = np.random.Generator(np.random.PCG64((seed, 1)))
        assert generator(seed, NumpyStream.LEARNER).random() == learner.random()
        assert generator(seed, NumpyStream.FIRST_WEIGHTS).random() == weights.random()


def test_stages_do_not_overlap() -> None:
    for one, next_one in pairwise(sorted((stages.value for stages in Stages), key=lambda numbers: numbers.start)):
        assert 0 <= one.start < one.stop <= next_one.start


@pytest.mark.parametrize("stages", Stages)
def test_a_stage_outside_its_range_is_refused(stages: Stages) -> None:
    assert stages.at(0) == stages.value.start
    assert stages.at(len(stages.value) - 1) == stages.value.stop - 1
    for number in (-1, len(stages.value)):
        with pytest.raises(ValueError, match=rf"no stage {number} of {stages.name}; they are numbered 0 to"):
            stages.at(number)


def test_runs_of_a_setting_have_seeds_of_their_own() -> None:
    """Runs of neighbouring and of the outermost seeds never meet; seed 0 keeps the runs it always had."""
    assert [run_seed(0, other) for other in range(3)] == [0, 1_000_003, 2_000_006]
    seeds = [run_seed(seed, other) for seed in (0, 1, 2, RUN_SEEDS - 1) for other in range(5)]
    assert len(set(seeds)) == len(seeds)
    for seed in (-1, RUN_SEEDS):
        with pytest.raises(ValueError, match=f"takes a seed from 0 to 1_000_002, not {seed}"):
            run_seed(seed, 0)
