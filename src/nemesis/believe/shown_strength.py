"""How strong is the hand that will be shown? Predicted at the end of the betting from what everybody did.

The strength of a shown hand is its win probability against one random hand on the river. Small networks give every holding
a score from how it plays on the board (`holding_features`) and what is known of the betting and the player (`shown_hands`);
it is added to the logarithm of the posterior (`range_posterior`). The exponentials of the scores, divided by their sum,
are the probabilities of the holdings, given that the hand is shown: a discrete-choice model over the cards. Their mean
over the networks gives the median strength (which errs least) and the mean (which explains most). A model is plain
arrays in one `.npz` file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.action_model import ModelError
from nemesis.believe.holding_features import FEATURES, holding_features
from nemesis.believe.shown_hands import COLUMNS, QUANTILES, Shown, summary_of
from nemesis.runtime.atomic import becoming

SHIPPED = Path(__file__).parent / "models" / "strength.npz"
FORMAT = 2
LEAST_WEIGHT = 1e-9
"""What the posterior gives a holding at least, before its logarithm is taken."""
_FARTHEST = 4.0
"""Standard deviations at which a column is cut."""
_RANGE_MEAN, _RANGE_MEDIAN = (COLUMNS.index(f"range_{name}") for name in ("mean", "q50"))


class Scales(NamedTuple):
    """Means and standard deviations of the columns of situations and of holdings."""

    row_centre: NDArray[np.float32]
    row_scale: NDArray[np.float32]
    holding_centre: NDArray[np.float32]
    holding_scale: NDArray[np.float32]

    def of_rows(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """Situations as a network sees them."""
        found: NDArray[np.float32] = np.clip((rows - self.row_centre) / self.row_scale, -_FARTHEST, _FARTHEST)
        return found

    def of_holdings(self, features: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Holdings as a network sees them."""
        found: NDArray[np.float32] = (features.astype(np.float32) - self.holding_centre) / self.holding_scale
        return found


class HoldingNetwork(NamedTuple):
    """Weights of a network: a layer over the situation, one over it and a holding together, one more, and the score."""

    situation: NDArray[np.float32]
    situation_bias: NDArray[np.float32]
    holding: NDArray[np.float32]
    joint: NDArray[np.float32]
    joint_bias: NDArray[np.float32]
    second: NDArray[np.float32]
    second_bias: NDArray[np.float32]
    score: NDArray[np.float32]
    prior: NDArray[np.float32]
    """What the logarithm of the posterior is multiplied with."""


class StrengthModel(NamedTuple):
    """Networks trained alike from different first weights; `made` says how."""

    scales: Scales
    networks: tuple[HoldingNetwork, ...]
    made: Mapping[str, Any]


class StrengthForecasts(NamedTuple):
    """By hand shown: what the model and the posterior alone said, and what it was."""

    hand: NDArray[np.int64]
    position: NDArray[np.int64]
    median: NDArray[np.float64]
    mean: NDArray[np.float64]
    range_median: NDArray[np.float64]
    range_mean: NDArray[np.float64]
    strength: NDArray[np.float64]


def predict_strength(model: StrengthModel, shown: Iterable[Shown]) -> StrengthForecasts:
    """The median and the mean of every hand's strength."""
    found: list[tuple[float, ...]] = []
    for each in shown:
        strength = np.nan_to_num(each.win[3].astype(np.float64))
        mean, quantiles = summary_of(holding_weights(model, each), strength)
        median = quantiles[QUANTILES.index(0.5)]
        alone = each.row[_RANGE_MEDIAN], each.row[_RANGE_MEAN]
        found.append((each.hand, each.position, median, mean, *alone, each.strength))
    hand, position, *numbers = np.array(found, np.float64).reshape(-1, 7).T
    return StrengthForecasts(hand.astype(np.int64), position.astype(np.int64), *numbers)


def holding_weights(model: StrengthModel, shown: Shown) -> NDArray[np.float64]:
    """Probabilities of the 1 326 holdings, given the betting and that the hand is shown."""
    possible = np.flatnonzero(np.isfinite(shown.win[0]))
    situation = model.scales.of_rows(shown.row[None])
    features = model.scales.of_holdings(holding_features(shown.board, shown.win)[possible])[None]
    prior = np.log(shown.weights[possible] + LEAST_WEIGHT).astype(np.float32)[None]
    weights = np.zeros(len(shown.weights))
    for network in model.networks:
        scores = holding_scores(network, situation_layer(network, situation), features, prior)[0][0]
        chances = np.exp((scores - scores.max()).astype(np.float64))
        weights[possible] += chances / chances.sum()
    return weights / len(model.networks)


def situation_layer(network: HoldingNetwork, situation: NDArray[np.float32]) -> NDArray[np.float32]:
    """(hands, units) what a network makes of situations."""
    found: NDArray[np.float32] = np.maximum(situation @ network.situation + network.situation_bias, 0)
    return found


def holding_scores(
    network: HoldingNetwork,
    situation: NDArray[np.float32],
    features: NDArray[np.float32],
    prior: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """(hands, holdings) scores, and the units of both layers before them, a row for every hand and holding."""
    hands, holdings = prior.shape
    both = features.reshape(hands * holdings, -1) @ network.holding
    both = both.reshape(hands, holdings, -1) + (situation @ network.joint + network.joint_bias)[:, None]
    joint = np.maximum(both, 0).reshape(hands * holdings, -1)
    second = np.maximum(joint @ network.second + network.second_bias, 0)
    return (second @ network.score).reshape(hands, holdings) + network.prior * prior, joint, second


def write_strength(path: Path, model: StrengthModel) -> None:
    """Write a model to its file, whole or not at all."""
    arrays = {
        name: np.stack([getattr(network, name) for network in model.networks]).astype(np.float16)
        for name in HoldingNetwork._fields
    }
    told = {"format": FORMAT, "columns": list(COLUMNS), "features": list(FEATURES), "made": dict(model.made)}
    about = np.frombuffer(json.dumps(told, ensure_ascii=False).encode(), np.uint8)
    with becoming(path) as temporary, temporary.open("wb") as handle:
        np.savez_compressed(handle, allow_pickle=False, about=about, **model.scales._asdict(), **arrays)


def read_strength(path: Path = SHIPPED) -> StrengthModel:
    """The model of a file; the shipped one by default."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        about = json.loads(arrays["about"].tobytes())
        if (about["format"], about.get("columns"), about.get("features")) != (FORMAT, list(COLUMNS), list(FEATURES)):
            raise ModelError(
                f"the model {path} was made for another version; nemesis predict --strength --train makes a new one"
            )
        layers = [arrays[name].astype(np.float32) for name in HoldingNetwork._fields]
        networks = tuple(HoldingNetwork(*parts) for parts in zip(*layers, strict=True))
        return StrengthModel(Scales(*(arrays[name] for name in Scales._fields)), networks, about["made"])
    except FileNotFoundError:
        raise ModelError(f"there is no model {path}") from None
    except (ValueError, KeyError, EOFError, OSError) as error:
        raise (
            error if isinstance(error, ModelError) else ModelError(f"{path} is not a model of strength: {error}")
        ) from None
