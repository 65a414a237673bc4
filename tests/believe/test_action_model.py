"""The shipped model, and files that are no models."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from nemesis.believe.action_model import (
    BUCKETS,
    SHIPPED,
    ModelError,
    Timeline,
    forecast,
    read_model,
    size_likely,
    timeline,
    write_model,
)
from nemesis.observe.history import read_history

DATA = Path(__file__).parent.parent / "data"


@pytest.fixture(scope="module")
def line() -> Timeline:
    return timeline(read_history([DATA / "pokerstars.phhs"]))


def test_probabilities_are_whole_for_every_decision_of_a_room_it_was_not_trained_on(line: Timeline) -> None:
    model = read_model()
    said = forecast(model, line)
    assert said.likely.shape == (len(line.history.actions), 3)
    assert said.likely.min() > 0
    assert said.likely.sum(axis=1) == pytest.approx(1)
    assert size_likely(model, said.inputs).shape[1] == len(BUCKETS)
    loss = -np.log(said.likely[np.arange(len(line.done)), line.done]).mean()
    assert loss < 0.8  # three equal chances give 1.0986


def test_the_last_decision_changes_nothing_that_was_said(line: Timeline) -> None:
    model = read_model()
    said = forecast(model, line)
    line.history.actions["action"][-1] = 2 - line.history.actions["action"][-1]
    other = forecast(model, line._replace(history=line.history))
    line.history.actions["action"][-1] = 2 - line.history.actions["action"][-1]
    assert np.array_equal(said.likely, other.likely)


def test_hands_in_any_order_and_twice_are_taken_once_in_the_order_of_time(line: Timeline) -> None:
    history = line.history
    shuffled = history.part(np.concatenate([np.arange(len(history))[::-1], np.arange(len(history))]))
    again = timeline(shuffled)
    assert again.history.about["time"].tolist() == sorted(again.history.about["time"].tolist())
    assert len(again.history) == len(history)


def test_a_model_reads_back(tmp_path: Path, line: Timeline) -> None:
    model = read_model()
    write_model(tmp_path / "copy.npz", model)
    assert np.array_equal(forecast(read_model(tmp_path / "copy.npz"), line).likely, forecast(model, line).likely)


def test_the_shipped_model_is_small() -> None:
    assert SHIPPED.stat().st_size <= 5_000_000


def test_what_is_no_model_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="there is no model"):
        read_model(tmp_path / "none.npz")
    (tmp_path / "text.npz").write_text("hello")
    with pytest.raises(ModelError, match="is not a model"):
        read_model(tmp_path / "text.npz")
    cut = tmp_path / "cut.npz"
    cut.write_bytes(SHIPPED.read_bytes()[:100_000])
    with pytest.raises(ModelError, match="is not a model"):
        read_model(cut)
    model = read_model()
    write_model(tmp_path / "old.npz", model)
    with np.load(tmp_path / "old.npz") as file:
        arrays = dict(file)
    arrays["base"] = arrays["base"] + 1
    np.savez(tmp_path / "edited.npz", **arrays)
    with pytest.raises(ModelError, match="was changed after it was saved"):
        read_model(tmp_path / "edited.npz")
    assert dataclasses.is_dataclass(model)
