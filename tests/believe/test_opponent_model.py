"""The POM's static and dynamic models learn a player who goes by a rule."""

from pathlib import Path

import numpy as np
import pytest

from nemesis.believe.back_propagation import Settings
from nemesis.believe.opponent_model import (
    DynamicModel,
    StaticModel,
    read_model,
    walk_forward,
    write_model,
)
from nemesis.believe.perceptron import NetworkError
from nemesis.believe.pom_patterns import INPUTS, Patterns

SETTINGS = Settings(rate=0.5, momentum=0.3, epochs=80)


def ruled(rounds: int, seed: int = 0) -> Patterns:
    """Two decisions a hand: he raises if nobody asks for chips, folds if it is dear, calls if not; strong when dear."""
    chance = np.random.default_rng(seed)
    inputs = np.zeros((2 * rounds, len(INPUTS)))
    price = chance.choice([0.0, 0.2, 0.9], 2 * rounds)
    inputs[:, INPUTS.index("immediate pot ratio")] = price
    inputs[:, INPUTS.index("amount to call is 2 or more")] = price > 0.5
    inputs[:, INPUTS.index("active players")] = 1
    done = np.select([price == 0, price > 0.5], [2, 0], 1)
    potency = np.stack([1 - price, price], axis=1)
    potency[chance.uniform(size=2 * rounds) < 0.5] = np.nan
    cards = np.full((2 * rounds, 7), -1, np.int8)
    return Patterns(inputs, done, potency, np.arange(2 * rounds) // 2, cards[:, :2], cards[:, 2:])


def test_both_networks_learn_the_rule() -> None:
    model = StaticModel(SETTINGS)
    model.train(ruled(100))
    unseen = ruled(50, seed=1)
    said = model.predict(unseen)
    assert (said.outputs.argmax(axis=1) == unseen.done).all()
    assert np.abs(said.potency - unseen.potency)[unseen.shown].mean() < 0.15
    assert said.tolerance < 0.15
    np.testing.assert_allclose(said.likely.sum(axis=1), 1)


def test_the_action_network_has_35_inputs_of_which_two_are_the_hand_networks() -> None:
    model = StaticModel()
    patterns = ruled(3)
    assert model.inputs(patterns).shape == (6, 35)
    np.testing.assert_array_equal(model.inputs(patterns)[:, 33:], model.hand.network.answer(patterns.inputs))


def test_a_walk_predicts_only_what_comes_after_its_window() -> None:
    """Changing the last hand's action changes nothing that was said before it, nor of it."""
    patterns = ruled(40)
    other = patterns._replace(done=np.concatenate([patterns.done[:-1], [(patterns.done[-1] + 1) % 3]]))
    first, second = (walk_forward(each, SETTINGS, window=20, move=5) for each in (patterns, other))
    assert len(first.done) == 2 * 20
    assert len(first.epochs) == 4
    np.testing.assert_array_equal(first.likely, second.likely)


def test_a_dynamic_model_trains_who_is_due_and_nobody_else() -> None:
    model = DynamicModel(window=20, move=5, settings=SETTINGS, threads=2)
    hands = {"ann": ruled(30), "bob": ruled(12, seed=2)}
    assert set(model.update(hands)) == {"ann", "bob"}
    assert set(model.update({"ann": ruled(34), "bob": ruled(17, seed=2)})) == {"bob"}
    assert model.predict("ann", ruled(5)).outputs.shape == (10, 3)
    with pytest.raises(NetworkError, match="there is no model of 'cat' yet"):
        model.predict("cat", ruled(5))


def test_a_players_model_does_not_depend_on_the_others() -> None:
    alone, together = DynamicModel(settings=SETTINGS), DynamicModel(settings=SETTINGS, threads=1)
    alone.update({"ann": ruled(30)})
    together.update({"bob": ruled(12, seed=2), "ann": ruled(30)})
    unseen = ruled(9, seed=3)
    np.testing.assert_array_equal(alone.predict("ann", unseen).outputs, together.predict("ann", unseen).outputs)


def test_a_model_goes_to_json_and_back(tmp_path: Path) -> None:
    model = StaticModel(SETTINGS)
    model.train(ruled(30))
    write_model(tmp_path / "ann.json", model)
    again = read_model(tmp_path / "ann.json")
    unseen = ruled(9, seed=3)
    np.testing.assert_array_equal(again.predict(unseen).outputs, model.predict(unseen).outputs)
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(NetworkError, match="not an opponent model"):
        read_model(tmp_path / "other.json")
