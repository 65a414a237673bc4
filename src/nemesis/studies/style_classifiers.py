"""Networks that name a style from seven informative actions, all at once or one after another (000, section 5.3.1).

All at once takes 14 inputs; one after another takes two and needs a memory, so the network must grow recurrence. An action
is two flags: bet (1, 0), call (1, 1), fold (0, 1). The source prints (1, 0) for a fold too, which would be a bet. As there,
fitness is the share right of 100 sequences of each style; ours draws them anew for measuring. The source lets the network
take "multiple steps" after each action; ours takes two, so that what comes in reaches the outputs through a hidden loop.

Two ceilings: Bayes' rule with the action table, which takes actions as independent, and the likeliest style of the whole
sequence, counted on many others, which does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from nemesis.believe.tables import action_table
from nemesis.evolve.neat import Neat, NeatParameters
from nemesis.measure.belief_quality import Kinds, gather_actions, posteriors_along
from nemesis.measure.interval import mean_interval, share_interval
from nemesis.measure.match import Player
from nemesis.measure.picture import save_figure
from nemesis.respond.network import activate, inputs_at, largest_output
from nemesis.respond.styles import STYLES, loose_aggressive, loose_passive, tight_aggressive, tight_passive
from nemesis.rules.compiled import njit
from nemesis.rules.games import one_card
from nemesis.studies.evolved import caveat, judged
from nemesis.studies.study import Report, Row, Setting, Study

ACTIONS = 7
PUBLISHED = 0.90
FLAGS = np.array([(0.0, 1.0), (1.0, 1.0), (1.0, 0.0)])
"""The two inputs of fold, call and bet."""

WAYS = {"all at once": (1, 2 * ACTIONS, 1), "one after another": (ACTIONS, 2, 2)}
"""How often the network is shown something, how many inputs it then gets, and how many steps it takes."""

_PLAYERS = [
    Player(name, make)
    for name, make in zip(STYLES, (loose_aggressive, loose_passive, tight_aggressive, tight_passive), strict=True)
]
_PICTURE = "style-classifiers.png"


def measure(setting: Setting) -> Report:
    """Evolve both classifiers; name fresh sequences with them and with Bayes' rule."""
    training = _sequences(setting.choose(20, 100, 100), setting.seed)
    fresh = _sequences(setting.choose(100, 2_000, 10_000), setting.seed + 1_000_003)
    truths = np.repeat(np.arange(len(STYLES)), len(fresh) // len(STYLES))
    bayes = posteriors_along(action_table(one_card()), fresh)[:, -1].argmax(axis=1) == truths
    counted = _counted(_sequences(setting.choose(500, 10_000, 50_000), setting.seed + 2_000_003), fresh) == truths
    rows, curves = [], {}
    for way, (shown, inputs, steps) in WAYS.items():
        block, curves[way] = _evolve(setting, way, training.reshape(len(training), -1), shown, inputs, steps)
        right = _named(block, _flags(fresh, shown, inputs), steps) == truths
        share, interval = share_interval(int(right.sum()), len(right))
        note = f"{judged(interval, PUBLISHED)}; {max(curves[way]):.2f} on its own sequences"
        rows.append(Row(f"seven actions {way}", share, interval, PUBLISHED, float(bayes.mean()), note))
        gain = mean_interval(right.astype(float) - bayes.astype(float))
        rows.append(Row(f"{way} − Bayes' rule", *gain, note="on the same sequences"))
    rows.append(Row("Bayes' rule with the action table", *share_interval(int(bayes.sum()), len(bayes))))
    rows.append(Row("likeliest style of the whole sequence", *share_interval(int(counted.sum()), len(counted))))
    with save_figure(setting.folder / _PICTURE, (8, 4.5)) as figure:
        axes = figure.add_subplot()
        for way, curve in curves.items():
            axes.plot(curve, label=f"best, {way}", linewidth=1)
        axes.axhline(bayes.mean(), color="black", linewidth=0.8, label="Bayes' rule, fresh sequences")
        axes.axhline(PUBLISHED, color="tab:red", linestyle=":", label="published")
        axes.set(xlabel="generation", ylabel="share named right", ylim=(0, 1))
        axes.legend(loc="lower right")
    return Report(caveat(setting) + _verdict(rows), rows, [_PICTURE], "share of sequences")


def _sequences(each: int, seed: int) -> Kinds:
    """So many sequences of every style, one style after another."""
    return np.concatenate(gather_actions(_PLAYERS, one_card(), ACTIONS, each, seed))


def _flags(kinds: Kinds, shown: int, inputs: int) -> NDArray[np.float64]:
    """What the network is shown: by sequence, showing and input."""
    return np.ascontiguousarray(FLAGS[kinds].reshape(len(kinds), shown, inputs))


def _evolve(
    setting: Setting, way: str, training: Kinds, shown: int, inputs: int, steps: int
) -> tuple[NDArray[np.float64], list[float]]:
    """The block of the best network, and every generation's best."""
    population, generations = setting.choose(10, 100, 100), setting.choose(3, 60, 400)
    learner = Neat(inputs, len(STYLES), setting.seed, NeatParameters(population=population))
    flags = _flags(training, shown, inputs)
    truths = np.repeat(np.arange(len(STYLES)), len(training) // len(STYLES))
    curve: list[float] = []
    best: Any = None
    while learner.generation < generations:
        blocks = [candidate.network.for_choosing().block for candidate in learner.ask()]
        fitness = np.array([(_named(block, flags, steps) == truths).mean() for block in blocks])
        if not curve or fitness.max() > max(curve):
            best = blocks[int(fitness.argmax())]
        curve.append(float(fitness.max()))
        setting.progress(f"{way} generation {learner.generation + 1}, best {curve[-1]:.2f}")
        learner.tell(fitness)
    return best, curve


def _counted(many: Kinds, kinds: Kinds) -> NDArray[np.int64]:
    """The style that did just this most often among many sequences."""
    digits = 3 ** np.arange(ACTIONS)
    truths = np.repeat(np.arange(len(STYLES)), len(many) // len(STYLES))
    counts = np.zeros((len(STYLES), 3**ACTIONS), np.int64)
    np.add.at(counts, (truths, many @ digits), 1)
    found: NDArray[np.int64] = counts[:, kinds @ digits].argmax(axis=0)
    return found


def _named(block: NDArray[np.float64], flags: NDArray[np.float64], steps: int) -> NDArray[np.int64]:
    """The style that a network names for each sequence."""
    named = np.zeros(len(flags), np.int64)
    _name(block, flags, steps, named)
    return named


@njit(types.void(types.float64[::1], types.float64[:, :, ::1], types.int64, types.int64[::1]), error_model="numpy")
def _name(block: NDArray[np.float64], flags: NDArray[np.float64], steps: int, named: NDArray[np.int64]) -> None:
    """Writes `named`; every sequence begins with a cleared network."""
    for sequence in range(flags.shape[0]):
        memory = block.copy()
        at = inputs_at(memory, 0)
        for shown in range(flags.shape[1]):
            for i in range(flags.shape[2]):
                memory[at + i] = flags[sequence, shown, i]
            for _ in range(steps):
                activate(memory, 0)
        named[sequence] = largest_output(memory, 0)


def _verdict(rows: Sequence[Row]) -> str:
    at_once, in_turn, bayes, counted = rows[0], rows[2], rows[4], rows[5]
    most = max(bayes.ours, counted.ours)
    possible = "within" if most >= PUBLISHED else "beyond"
    return (
        f"All at once {at_once.ours:.2f} and one after another {in_turn.ours:.2f} of fresh sequences are named right "
        f"(published ≈ {PUBLISHED:.2f}, on the training set); Bayes' rule gets {bayes.ours:.2f} and counting whole "
        f"sequences {counted.ours:.2f}, so the published figure is {possible} what seven of our actions can tell."
    )


STUDY = Study(
    "style-classifiers",
    "Networks that name a style from seven actions, all at once or one after another",
    "000, section 5.3.1, figures 5.17–5.19",
    measure,
)
