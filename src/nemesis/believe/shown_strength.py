"""How strong is the hand that will be shown? Predicted at the end of the betting from what everybody did.

The strength of a shown hand is its win probability against one random hand on the river. Two sets of boosted trees predict
it, one its median (which errs least) and one its mean (which explains most). They read what the action model says of the
player's last decision, a summary of the betting street by street, and the posterior over his holdings (`range_posterior`):
its mean, quantiles, spread and weight of strong hands. A model is plain arrays in one `.npz` file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe import public_situation as public
from nemesis.believe.action_model import INPUTS, Forecast, ModelError, Timeline
from nemesis.believe.boosted_trees import Trees, add_scores
from nemesis.believe.range_posterior import SLOPES, kind_of, learn_decision, uniform, win_probabilities
from nemesis.runtime.atomic import becoming

SHIPPED = Path(__file__).parent / "models" / "strength.npz"
FORMAT = 1
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
STREETS = ("preflop", "flop", "turn", "river")
_BY_STREET = ("own_action", "own_size", "own_raises", "others_raises", "others_size")
SUMMARY = (
    "done",
    "size",
    "actions_after",
    "bet_last",
    "last_bet_street",
    *(f"{what}_{street}" for what in _BY_STREET for street in STREETS),
)
POSTERIOR = ("mean", *(f"q{100 * q:.0f}" for q in QUANTILES), "spread", "above_90", "above_97", "entropy")
COLUMNS = (*INPUTS, *SUMMARY, *POSTERIOR)
"""What the trees read."""


class ShownHands(NamedTuple):
    """Hands that were shown after all betting: where they are, what was known before, and how strong they were."""

    hand: NDArray[np.int64]
    position: NDArray[np.int64]
    rows: NDArray[np.float32]
    strength: NDArray[np.float64]


class StrengthModel(NamedTuple):
    """Trees for the median, and trees for the logarithmic odds of the mean, with what both start from."""

    median: Trees
    mean: Trees
    start: NDArray[np.float64]
    made: Mapping[str, Any]


def shown_hands(
    line: Timeline,
    said: Forecast,
    told: Callable[[int, int], None] = lambda done, total: None,
    among: NDArray[np.bool_] | None = None,
) -> ShownHands:
    """All hands of a timeline that were shown on a complete board, with the columns that the trees read.

    `among` chooses hands of the timeline.
    """
    hands, actions = line.history.hands, line.history.actions
    bits = hands["shown"][:, None] >> np.arange(hands["player"].shape[1]) & 1
    known = (bits == 1) & (hands["hole"][:, ::2] >= 0) & (hands["board"][:, 4:] >= 0)
    found = np.argwhere(known if among is None else known & among[:, None])
    rows, strengths, kept = [], [], []
    last, win = -1, np.zeros((0, 0), np.float32)
    for count, (hand, position) in enumerate(found.tolist()):
        told(count, len(found))
        first = int(hands["first"][hand])
        at = np.arange(first, first + int(hands["actions"][hand]))
        own = at[actions["position"][at] == position]
        if not len(own):
            continue
        if hand != last:
            last, win = hand, win_probabilities(hands["board"][hand])
        high, low = sorted(hands["hole"][hand, 2 * position : 2 * position + 2].tolist(), reverse=True)
        summary = _summary(line, at, own, position)
        rows.append(np.concatenate([said.inputs[own[-1]], summary, _posterior(line, said.likely, own, win)]))
        strengths.append(float(win[3, high * (high - 1) // 2 + low]))
        kept.append((hand, position))
    where = np.array(kept, np.int64).reshape(-1, 2)
    columns = np.array(rows, np.float32).reshape(-1, len(COLUMNS))
    return ShownHands(where[:, 0], where[:, 1], columns, np.array(strengths))


def _summary(line: Timeline, at: NDArray[np.int64], own: NDArray[np.int64], position: int) -> NDArray[np.float64]:
    actions, sizes = line.history.actions, line.situations.size
    street = actions["street"][at].astype(np.int64)
    done, size = actions["action"][at].astype(np.int64), sizes[at]
    mine = actions["position"][at] == position
    told = np.zeros((5, 4))
    told[0] = -1.0
    for s, action, amount, is_mine in zip(street.tolist(), done.tolist(), size.tolist(), mine.tolist(), strict=True):
        if is_mine:
            told[0, s] = action
            told[1, s] = max(told[1, s], amount)
            told[2, s] += action == 2
        else:
            told[3, s] += action == 2
            told[4, s] = max(told[4, s], amount)
    bets = np.flatnonzero(done == 2)
    ends = own[-1]
    return np.array([
        actions["action"][ends], sizes[ends], at[-1] - ends, float(len(bets) > 0 and mine[bets[-1]]),
        street[bets[-1]] if len(bets) else -1, *told.ravel(),
    ], np.float64)  # fmt: skip


def _posterior(
    line: Timeline, likely: NDArray[np.float64], own: NDArray[np.int64], win: NDArray[np.float32]
) -> NDArray[np.float64]:
    weights = uniform(win)
    for at in own.tolist():
        action = line.history.actions[at]
        street = int(action["street"])
        kind = kind_of(street, int(action["to_call"]), int(line.situations.rows[at, public.RAISES]))
        weights = learn_decision(weights, win[street], likely[at], int(action["action"]), kind, SLOPES)
    strength = np.nan_to_num(win[3].astype(np.float64))
    order = np.argsort(strength)
    places = np.searchsorted(np.cumsum(weights[order]), QUANTILES).clip(max=len(order) - 1)
    mean = float(weights @ strength)
    return np.array([
        mean, *strength[order][places], np.sqrt(weights @ (strength - mean) ** 2), weights[strength > 0.9].sum(),
        weights[strength > 0.97].sum(), -(weights * np.log(weights + 1e-12)).sum(),
    ])  # fmt: skip


def predict_strength(
    model: StrengthModel, rows: NDArray[np.float32]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The median and the mean of every hand's strength."""
    median, odds = np.full((len(rows), 1), model.start[0]), np.full((len(rows), 1), model.start[1])
    add_scores(model.median, rows, median)
    add_scores(model.mean, rows, odds)
    return np.clip(median[:, 0], 0.0, 1.0), 1.0 / (1.0 + np.exp(-odds[:, 0]))


def write_strength(path: Path, model: StrengthModel) -> None:
    """Write a model to its file, whole or not at all."""
    arrays = {
        f"{kind}_{name}": value for kind in ("median", "mean") for name, value in getattr(model, kind)._asdict().items()
    }
    about = json.dumps({"format": FORMAT, "columns": list(COLUMNS), "made": dict(model.made)}, ensure_ascii=False)
    with becoming(path) as temporary, temporary.open("wb") as handle:
        about_bytes = np.frombuffer(about.encode(), np.uint8)
        np.savez_compressed(handle, allow_pickle=False, about=about_bytes, start=model.start, **arrays)


def read_strength(path: Path = SHIPPED) -> StrengthModel:
    """The model of a file; the shipped one by default."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        about = json.loads(arrays["about"].tobytes())
        if about["format"] != FORMAT or about["columns"] != list(COLUMNS):
            raise ModelError(f"the model {path} was made for another version")
        median, mean = (Trees(*(arrays[f"{kind}_{name}"] for name in Trees._fields)) for kind in ("median", "mean"))
        return StrengthModel(median, mean, arrays["start"], about["made"])
    except FileNotFoundError:
        raise ModelError(f"there is no model {path}") from None
    except (ValueError, KeyError, EOFError, OSError) as error:
        raise (
            error if isinstance(error, ModelError) else ModelError(f"{path} is not a model of strength: {error}")
        ) from None
