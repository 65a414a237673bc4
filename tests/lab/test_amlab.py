"""The bench of AMLab: sets, epochs, curves, and networks that go out and come in."""

import json
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from nemesis.believe.perceptron import NetworkError
from nemesis.lab.amlab import Bench, Loaded, counts_of, latest_patterns, window
from nemesis.observe.importing import import_files
from nemesis.observe.store import open_store

DATA = Path(__file__).parent.parent / "data" / "pluribus.phhs"


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Loaded]:
    with open_store(tmp_path_factory.mktemp("store") / "s.duckdb", writing=True) as store:
        import_files(store, [DATA])
        player = store.find_player("Pluribus")[0]
        counts = counts_of(store, [player])[player]
        patterns = latest_patterns(store, player)
    assert counts.actions == len(patterns.done)
    assert counts.hands == patterns.rounds <= counts.streets <= counts.actions
    return {
        "training": window("Pluribus", patterns, 0, 20),
        "validation": window("Pluribus", patterns, 20, 8),
        "reference": window("Pluribus", patterns, 28, 8),
    }


def loaded_bench(sets: dict[str, Loaded]) -> Bench:
    bench = Bench()
    for kind, found in sets.items():
        bench.load(kind, found)
    return bench


def test_windows_follow_each_other(sets: dict[str, Loaded]) -> None:
    ends = [(found.first, int(found.patterns.round[-1])) for found in sets.values()]
    assert [first for first, _ in ends] == [0, 20, 28]
    assert all(last < first for (_, last), (first, _) in pairwise(ends))


def test_an_epoch_trains_both_networks_and_measures_all_three_sets(sets: dict[str, Loaded]) -> None:
    bench = loaded_bench(sets)
    first = bench.network("APN").hidden.copy()
    for _ in range(30):
        bench.step()
    assert not np.array_equal(first, bench.network("APN").hidden)
    action, hand = bench.curves["APN"], bench.curves["HPN"]
    assert [point.epoch for point in action] == [point.epoch for point in hand] == list(range(1, 31))
    assert action[-1].error < action[0].error
    assert hand[-1].error < hand[0].error
    assert all(0 <= value <= 1 for point in action for value in point[2:])
    assert action[-1].training == bench.generalises("APN", "training")


def test_training_ends_at_the_error_the_generalisation_or_the_epochs_that_were_asked_for(
    sets: dict[str, Loaded],
) -> None:
    bench = loaded_bench(sets)
    bench.configure(epochs=3)
    assert [bench.step() for _ in range(3)] == [True, True, False]
    assert bench.why == "3 epochs are used up"
    bench.configure(epochs=100, max_error=1.0)
    assert not bench.step()
    assert bench.why == "the error is not above 1"
    bench.configure(max_error=0.0, min_generalisation=0.0)
    assert not bench.step()
    assert bench.why == "the generalisation is 0% or more"


def test_another_shape_starts_anew_and_another_rate_does_not(sets: dict[str, Loaded]) -> None:
    bench = loaded_bench(sets)
    bench.step()
    bench.configure(rate=0.1)
    assert bench.epoch == 1
    bench.configure(hidden=9)
    assert bench.epoch == 0
    assert bench.network("APN").hidden.shape == (9, 35)
    assert bench.network("HPN").hidden.shape == (9, 33)


def test_networks_that_were_exported_say_the_same_when_they_are_imported(sets: dict[str, Loaded]) -> None:
    bench, other = loaded_bench(sets), loaded_bench(sets)
    bench.configure(hidden=4)
    bench.step()
    other.adopt(bench.export())
    assert other.chosen.hidden == 4
    inputs = bench.shown_to("APN", "training", 0)
    assert np.array_equal(bench.network("APN").answer(inputs), other.network("APN").answer(inputs))


@pytest.mark.parametrize(
    "text",
    [b"", b"[1, 2]", b"\x80\x04\x95 a pickle", b'{"opponent_model": 1, "hand": [1]}', b"[" * 100_000, b" " * 3_000_000,
     json.dumps({"opponent_model": 1, "hand": {"network": 1, "name": "x", "inputs": [], "outputs": []}}).encode()],
)  # fmt: skip
def test_anything_else_is_refused_and_changes_nothing(sets: dict[str, Loaded], text: bytes) -> None:
    bench = loaded_bench(sets)
    before = bench.model
    with pytest.raises(NetworkError):
        bench.adopt(text)
    assert bench.model is before


def test_what_cannot_be_is_a_sentence(sets: dict[str, Loaded]) -> None:
    with pytest.raises(NetworkError, match="load a training set first"):
        Bench().step()
    with pytest.raises(ValueError, match="hidden nodes must be a whole number from 1 to 60, not 0"):
        Bench().configure(hidden=0)
    with pytest.raises(NetworkError, match="momentum cannot be 2"):
        Bench().configure(momentum=2.0)
    bench = Bench()
    bench.load("training", sets["training"])
    assert math.isnan(bench.generalises("APN", "reference"))
