"""Training a model of one's own, on the sample that the project carries."""

from pathlib import Path

import numpy as np
import pytest

from nemesis.believe.action_model import forecast, read_model, timeline, write_model
from nemesis.believe.shown_strength import read_strength, write_strength
from nemesis.measure.prediction import judge
from nemesis.observe.hand import HandError
from nemesis.observe.history import read_history
from nemesis.train import action_model as training
from nemesis.train import holding_network
from nemesis.train import shown_strength as strengths

SAMPLE = Path(__file__).parent.parent / "data" / "ongame.phhs"


def test_a_model_is_trained_and_does_not_score_the_hands_it_was_trained_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("lightgbm")
    monkeypatch.setattr(training, "LEAST_HANDS", 5)
    monkeypatch.setattr(training, "FOLD_HANDS", 5)
    monkeypatch.setattr(training, "ROUNDS", 3)
    monkeypatch.setattr(training, "EPOCHS", 1)
    history = read_history([SAMPLE])
    line = timeline(history)
    model = training.train_action_model(line, len(line.history) - 10, {"command": "test"})
    write_model(tmp_path / "own.npz", model)
    own = read_model(tmp_path / "own.npz")
    assert own.made["command"] == "test"
    assert np.isfinite(own.made["checked_log_loss"])
    assert forecast(own, line).likely.sum(axis=1) == pytest.approx(1)
    judged = judge(own, history)
    assert (judged.hands, judged.in_training, judged.parts) == (0, len(line.history), {})


def test_a_model_of_strength_is_trained_from_hands_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strengths, "LEAST_SHOWN", 5)
    monkeypatch.setattr(strengths, "NETWORKS", 2)
    monkeypatch.setattr(holding_network, "EPOCHS", 2)
    history = read_history([SAMPLE])
    line = timeline(history)
    shown = np.flatnonzero(line.history.hands["shown"] != 0)
    model = strengths.strength_model(line, int(shown[len(shown) // 2]), {"command": "test"})
    write_strength(tmp_path / "own.npz", model)
    again = read_strength(tmp_path / "own.npz")
    assert again.made == model.made
    assert len(again.networks) == 2
    assert 0 < again.made["checked_error"] < 0.5
    with pytest.raises(HandError, match="at least 5 shown hands"):
        strengths.strength_model(line, 1, {})


def test_too_few_hands_are_refused_in_a_sentence() -> None:
    line = timeline(read_history([SAMPLE]))
    with pytest.raises(HandError, match="at least 500 hands to learn from"):
        training.train_action_model(line, len(line.history) - 10, {})
