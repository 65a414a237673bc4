"""Trees read by our walk say what the library that grew them says."""

import numpy as np
import pytest

from nemesis.believe.boosted_trees import add_scores, trees_of


def test_a_tree_written_out() -> None:
    """One split at 0.5 for class 0, a lone leaf for class 1."""
    leaves = ({"leaf_value": -1.0}, {"leaf_value": 2.0})
    split = {"split_feature": 1, "threshold": 0.5, "left_child": leaves[0], "right_child": leaves[1]}
    trees = trees_of({"tree_info": [{"tree_structure": split}, {"tree_structure": {"leaf_value": 0.25}}]})
    scores = np.zeros((3, 2))
    add_scores(trees, np.array([[9, 0.4], [9, 0.5], [9, 0.6]], np.float32), scores)
    assert scores.tolist() == [[-1, 0.25], [-1, 0.25], [2, 0.25]]
    with pytest.raises(ValueError, match="read 2 columns; the rows have 1"):
        add_scores(trees, np.zeros((1, 1), np.float32), scores[:1])


def test_lightgbm_agrees() -> None:
    lightgbm = pytest.importorskip("lightgbm")
    random = np.random.default_rng(0)
    rows = random.standard_normal((500, 6)).astype(np.float32)
    done = (rows[:, 0] + rows[:, 1] * rows[:, 2] > 0).astype(int) + (rows[:, 3] > 1)
    options = {"objective": "multiclass", "num_class": 3, "num_threads": 1, "verbose": -1, "min_data_in_leaf": 5}
    grown = lightgbm.train(options, lightgbm.Dataset(rows, done), 10)
    scores = np.zeros((500, 3))
    add_scores(trees_of(grown.dump_model()), rows, scores)
    assert scores == pytest.approx(grown.predict(rows, raw_score=True), abs=1e-5)
