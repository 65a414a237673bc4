"""How well a model says what people do next: accuracy, log-loss and calibration, with intervals over players.

The unit is the player: decisions of one player are not independent. Intervals are jackknifed over players. Two models
on the same decisions are compared by the difference of their losses, which leaves out what makes some players harder
than others.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.believe import public_situation as public
from nemesis.believe.action_model import ActionModel, Forecast, Timeline, forecast, hand_digests, timeline
from nemesis.believe.calibration import calibrate
from nemesis.measure.interval import Interval, jackknife_interval
from nemesis.observe.history import History

CALIBRATION_BINS = 20
_LEAST = 1e-12


@dataclass(frozen=True)
class Score:
    """How a model did on some decisions; `gain` is what knowing the player takes off the public model's log-loss."""

    decisions: int
    players: int
    accuracy: float
    log_loss: float
    log_loss_ci95: Interval
    ece: float
    public_log_loss: float
    gain: float
    gain_ci95: Interval

    def to_json(self) -> dict[str, Any]:
        """The score for programs."""
        report = dataclasses.asdict(self)
        for name in ("log_loss_ci95", "gain_ci95"):
            report[name] = [bound if np.isfinite(bound) else None for bound in report[name]]
        return report


@dataclass(frozen=True)
class Judgement:
    """The scores of a model on hands: all decisions, and parts of them. A part without decisions is missing."""

    hands: int
    in_training: int
    """Hands left out because the model was trained on them."""
    rejected: int
    parts: dict[str, Score]


def judge(model: ActionModel, history: History) -> Judgement:
    """Score a model walk-forward on hands; those it was trained on are left out."""
    seen = np.isin(hand_digests(history), model.hands)
    line = timeline(history.part(~seen))
    if not len(line.history.actions):
        return Judgement(0, int(seen.sum()), len(history.rejected), {})
    return Judgement(len(line.history), int(seen.sum()), len(history.rejected), score_parts(model, line))


def score_parts(model: ActionModel, line: Timeline) -> dict[str, Score]:
    """The scores of all decisions and of the parts that people ask about."""
    said = forecast(model, line)
    rows = line.situations.rows
    parts = {
        "all": np.ones(len(rows), bool),
        "voluntary": rows[:, public.OWN_ROLE] > 0,
        "unseen": ~np.isin(line.player, model.trained_on),
        "preflop": rows[:, public.STREET] == 0,
        "postflop": rows[:, public.STREET] > 0,
    }
    return {name: score(said, line, chosen) for name, chosen in parts.items() if chosen.any()}


def score(said: Forecast, line: Timeline, chosen: NDArray[np.bool_]) -> Score:
    """The score of some decisions."""
    done = line.done[chosen].astype(np.int64)
    likely = said.likely[chosen]
    each = np.arange(len(done))
    loss = -np.log(np.maximum(likely[each, done], _LEAST))
    public_loss = -np.log(np.maximum(said.public[chosen][each, done], _LEAST))
    players, which = np.unique(line.player[chosen], return_inverse=True)
    counts = np.bincount(which).astype(np.float64)
    losses, public_losses = np.bincount(which, loss), np.bincount(which, public_loss)
    return Score(
        len(done),
        len(players),
        float((likely.argmax(axis=1) == done).mean()),
        float(loss.mean()),
        _over_players(losses, counts),
        calibrate(likely, done, CALIBRATION_BINS).error,
        float(public_loss.mean()),
        float((public_loss - loss).mean()),
        _over_players(public_losses - losses, counts),
    )


def _over_players(sums: NDArray[Any], counts: NDArray[Any]) -> Interval:
    """The 95 % interval of a mean over decisions, players being independent."""
    if len(sums) < 2:
        return -np.inf, np.inf
    return jackknife_interval(np.stack([sums, counts], axis=1), lambda mean: float(mean[0] / mean[1]))[1]
