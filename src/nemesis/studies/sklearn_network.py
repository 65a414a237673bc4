"""The action network as scikit-learn makes it: one hidden layer of five, logistic nodes, biases and its own optimiser.

It stands beside the POM thesis's training in the studies, which ask whether a better-kept library learns better from the
same inputs.
"""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.perceptron import HIDDEN
from nemesis.believe.pom_patterns import ACTIONS

EPOCHS = 300


def library_answers(
    inputs: NDArray[np.float64], done: NDArray[np.int64], unseen: NDArray[np.float64], seed: int
) -> NDArray[np.float64]:
    """(decisions, 3) probabilities for unseen inputs after learning from inputs and what was done."""
    try:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.neural_network import MLPClassifier
    except ImportError:
        raise ValueError("this study compares with scikit-learn: pip install 'nemesis-poker[learn]'") from None
    likely = np.zeros((len(unseen), len(ACTIONS)))
    if len(np.unique(done)) < 2:
        likely[:, done[0]] = 1.0
        return likely
    network = MLPClassifier(
        (HIDDEN,), activation="logistic", learning_rate_init=0.01, max_iter=EPOCHS, random_state=seed % 2**32
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        network.fit(inputs, done)
    likely[:, network.classes_] = network.predict_proba(unseen)
    return likely
