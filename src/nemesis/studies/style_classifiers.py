"""Networks that name a style from seven informative actions, all at once or one after another (Baker 2010, section 5.3.1).

All at once takes 14 inputs; one after another takes two and needs a memory, so the network must grow recurrence. An action
is two flags: bet (1, 0), call (1, 1), fold (0, 1). The source prints (1, 0) for a fold too, which would be a bet. As there,
fitness is the share right of 100 sequences of each style; ours draws them anew for measuring. The source lets the network
take "multiple steps" after each action; ours takes two, so that what comes in reaches the outputs through a hidden loop.

The ceiling is to name the style that does just this sequence most often, which is Bayes' rule with the probabilities of
whole sequences: 3 ** 7 of them, counted on many. Those that are counted are named too well and others not quite as well
as possible, so the truth lies between; the ceiling printed is the upper bound. Bayes' rule with the action table, which
takes actions as independent, stands beside it.

The published 90 % is beyond both, and beyond what Bayes' rule gets from sequences drawn from the source's own table (an
exact sum). It is about what one gets by learning 400 sequences by heart: the source gives its networks no others.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from nemesis.believe.tables import action_table
from nemesis.evolve.neat import Neat, NeatParameters
from nemesis.evolve.run import RunError
from nemesis.measure.action_frequency import PUBLISHED as PUBLISHED_TABLES
from nemesis.measure.belief_quality import Kinds, gather_actions, posteriors_along
from nemesis.measure.charts import count_generations, draw_key, draw_title
from nemesis.measure.interval import share_interval
from nemesis.measure.picture import CEILING_LINE, GREY, PUBLISHED_LINE, SERIES, save_figure
from nemesis.play.match import Player
from nemesis.respond.network import activate, inputs_at, largest_output
from nemesis.respond.styles import STYLES, loose_aggressive, loose_passive, tight_aggressive, tight_passive
from nemesis.rules.games import one_card
from nemesis.runtime.atomic import write_json
from nemesis.runtime.compiled import njit
from nemesis.runtime.streams import Stream, derived_seed, run_seed
from nemesis.studies.evolved import judged
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.sample import EXACT, over_runs, sampled_row, shares_over_runs
from nemesis.studies.study import Report, Row, RunCost, Setting, Study

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
_PLACES = {"all at once": "fig. 5.18", "one after another": "fig. 5.19"}


def measure(setting: Setting) -> Report:
    """Evolve both classifiers; name fresh sequences with them and with Bayes' rule."""
    training = _sequences(setting.choose(20, 100, 100), setting.seed)
    fresh = _sequences(setting.choose(100, 5_000, 10_000), derived_seed(setting.seed, Stream.FRESH_SEQUENCES))
    many = _sequences(setting.choose(2_000, 50_000, 50_000), derived_seed(setting.seed, Stream.COUNTED_SEQUENCES))
    truths = _truths(fresh)
    bayes = posteriors_along(action_table(one_card()), fresh)[:, -1].argmax(axis=1) == truths
    counted = _counted(many, fresh) == truths
    most = float((_counted(many, many) == _truths(many)).mean())
    rows: list[Row] = []
    curves, claims = {}, []
    for way, (shown, inputs, steps) in WAYS.items():
        numbers = [n for n in range(setting.evolutions) if not setting.finished or _path(setting, way, n).exists()]
        if not numbers:
            raise ValueError(f"no run {way} is finished at {setting.scale} scale in {setting.run_folder}")
        runs = [_evolved(setting, way, training, number) for number in numbers]
        curves[way] = [curve for _, curve in runs]
        right = [_named(block, _flags(fresh, shown, inputs), steps) == truths for block, _ in runs]
        figure = shares_over_runs([each.astype(float) for each in right])
        stands = judged(figure.ci95, PUBLISHED, most, "name", figure.sample)
        peak = float(np.mean([max(curve) for curve in curves[way]]))
        note = f"{stands}; {peak:.2f} of the {len(training)} evolved on"
        place = _PLACES[way]
        row = sampled_row(f"seven actions {way}", figure, PUBLISHED, note, place)
        rows.append(replace(row, ceiling=most))
        gain = over_runs([each.astype(float) - bayes.astype(float) for each in right])
        rows.append(sampled_row(f"{way} − Bayes' rule with the action table", gain, note="on the same sequences"))
        gap = figure._replace(mean=figure.mean - 0.25, ci95=(figure.ci95[0] - 0.25, figure.ci95[1] - 0.25))
        claim = f"a network names the style from seven actions {way} better than by guessing"
        claims.append(ordering(claim, ".90 > .25", gap, place=place))
    by_heart = float((_counted(training, training) == _truths(training)).mean())
    rows += [
        Row("Bayes' rule with the action table", *share_interval(int(bayes.sum()), len(bayes)), ceiling=most),
        Row("Bayes' rule with whole sequences", *share_interval(int(counted.sum()), len(counted)), ceiling=most),
        Row(
            "Bayes' rule on sequences drawn from the source's table 4.3", published_bound(), note="exact", sample=EXACT
        ),
        Row(
            "the sequences evolved on, learnt by heart", by_heart, None, PUBLISHED, note="exact; says nothing of others"
        ),
    ]
    claims.append(_sooner(curves))
    best = {way: np.mean(runs, axis=0) for way, runs in curves.items()}
    drawn = {"best": best, "ceiling": most, "by heart": by_heart, "published": PUBLISHED}
    words = _caveat(setting) + _verdict(rows, most, by_heart) + orderings_summary(claims)
    return Report(words, [*claims, *rows], {_PICTURE: drawn}, "share of sequences")


def published_bound() -> float:
    """The share that Bayes' rule names right of sequences drawn from the published table: the sum over all 3 ** 7."""
    table = PUBLISHED_TABLES["one-card"].probabilities[:, 0]
    sequences = np.array(list(np.ndindex(*(3,) * ACTIONS)))
    return float(table[:, sequences].prod(axis=2).max(axis=0).sum() / len(STYLES))


def _sooner(curves: Mapping[str, Sequence[Sequence[float]]]) -> Row:
    """Whether 14 inputs are ahead during the run; the generations of one run alone are not independent."""
    runs = min(map(len, curves.values()))
    at_once, in_turn = (np.maximum.accumulate(curves[way][:runs], axis=1) for way in WAYS)
    narrow = "" if len(at_once) > 1 else "; interval too narrow: generations of one run are related"
    return ordering("one after another takes longer to evolve than all at once", "almost 200 generations more",
                    over_runs(at_once - in_turn), f"best fitness so far, mean over the generations{narrow}",
                    _PLACES["one after another"])  # fmt: skip


def _caveat(setting: Setting) -> str:
    scales = {"smoke": "Smoke scale shows that it works and nothing else. ", "quick": "", "full": ""}
    runs = setting.evolutions
    many = "One run of each" if runs == 1 else f"{runs} runs of each on the same sequences"
    return f"{scales[setting.scale]}{many}, {_generations(setting)} generations (500 in the source). "


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """The best of every generation, both ways, and what could be reached."""
    with save_figure(path, (8, 4.8)) as figure:
        axes = figure.add_subplot()
        for (way, curve), colour in zip(numbers["best"].items(), SERIES, strict=False):
            axes.plot(curve, color=colour, label=f"best of the generation, {way}")
        axes.axhline(numbers["by heart"], color=GREY, linestyle="-.", linewidth=1.2, label="these learnt by heart")
        axes.axhline(numbers["published"], **PUBLISHED_LINE, label="published")
        axes.axhline(numbers["ceiling"], **CEILING_LINE, label="ceiling for sequences not evolved on")
        axes.set(ylabel="share named right, sequences evolved on", ylim=(0, 1.02))
        count_generations(axes)
        draw_title(figure, "Networks that name a style from seven actions, all at once or one by one")
        draw_key(figure, axes, columns=2)


def _truths(kinds: Kinds) -> NDArray[np.int64]:
    """The style of every sequence of `_sequences`."""
    return np.repeat(np.arange(len(STYLES)), len(kinds) // len(STYLES))


def _sequences(each: int, seed: int) -> Kinds:
    """So many sequences of every style, one style after another."""
    return np.concatenate(gather_actions(_PLAYERS, one_card(), ACTIONS, each, seed))


def _flags(kinds: Kinds, shown: int, inputs: int) -> NDArray[np.float64]:
    """What the network is shown: by sequence, showing and input."""
    return np.ascontiguousarray(FLAGS[kinds].reshape(len(kinds), shown, inputs))


def _evolved(setting: Setting, way: str, training: Kinds, run: int) -> tuple[NDArray[np.float64], list[float]]:
    """The block of the best network of a run and every generation's best; a finished run is read from its folder."""
    seed, path = run_seed(setting.seed, run), _path(setting, way, run)
    size = f"{_generations(setting)} generations of {_population(setting)}, {len(training)} sequences"
    if not path.exists():
        wall, cpu = time.perf_counter(), time.process_time()
        block, curve = _evolve(setting, way, training, seed)
        spent = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, {"block": block.tolist(), "curve": curve, **spent})
    try:
        kept = json.loads(path.read_text())
        setting.made.append(RunCost(f"classifier, {way}", size, seed, kept["wall"], kept["cpu"]))
        return np.array(kept["block"], np.float64), list(kept["curve"])
    except (ValueError, KeyError, TypeError) as error:
        raise RunError(f"{path} is damaged ({error}); remove it to evolve the run again") from None


def _path(setting: Setting, way: str, run: int) -> Path:
    seed = run_seed(setting.seed, run)
    return setting.run_folder / f"classifier-{way.replace(' ', '-')}-{setting.scale}-{seed}.json"


def _evolve(setting: Setting, way: str, training: Kinds, seed: int) -> tuple[NDArray[np.float64], list[float]]:
    """The block of the best network, and every generation's best."""
    shown, inputs, steps = WAYS[way]
    learner = Neat(inputs, len(STYLES), seed, _parameters(_population(setting)))
    flags = _flags(training, shown, inputs)
    truths = _truths(training)
    curve: list[float] = []
    best: Any = None
    while learner.generation < _generations(setting):
        blocks = [candidate.network.for_choosing().block for candidate in learner.ask()]
        fitness = np.array([(_named(block, flags, steps) == truths).mean() for block in blocks])
        if not curve or fitness.max() > max(curve):
            best = blocks[int(fitness.argmax())]
        curve.append(float(fitness.max()))
        setting.progress(f"{way} generation {learner.generation + 1}, best {curve[-1]:.2f}")
        learner.tell(fitness)
    return best, curve


def _population(setting: Setting) -> int:
    return setting.choose(10, 100, 100)


def _parameters(population: int) -> NeatParameters:
    """NEAT with rarer changes of weights than usual: changing most of 56 at once stops at .61 of the sequences, not .68."""
    return NeatParameters(population=population, weight_mutation=0.1, bias_mutation=0.1, replacement=0.01)


def _generations(setting: Setting) -> int:
    return setting.choose(3, 150, 500)


def _counted(many: Kinds, kinds: Kinds) -> NDArray[np.int64]:
    """The style that did just this most often among many sequences."""
    digits = 3 ** np.arange(ACTIONS)
    truths = _truths(many)
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


def _verdict(rows: Sequence[Row], most: float, by_heart: float) -> str:
    at_once, in_turn, bayes, counted = rows[0], rows[2], rows[4], rows[5]
    possible = "within" if most >= PUBLISHED else "beyond"
    return (
        f"All at once {at_once.ours:.2f} and one after another {in_turn.ours:.2f} of fresh sequences are named right; "
        f"Bayes' rule gets {bayes.ours:.2f} with the action table and {counted.ours:.2f} with whole sequences, and nobody "
        f"more than {most:.2f}. The published ≈ {PUBLISHED:.2f} is {possible} what seven of our actions can tell, and "
        f"beyond the {published_bound():.2f} that the source's own table allows for independent actions. It was reached on "
        f"the 400 sequences evolved on; of ours, {by_heart:.2f} can be named by heart."
    )


STUDY = Study(
    "style-classifiers",
    "Networks that name a style from seven actions, all at once or one after another",
    "Baker 2010, section 5.3.1, figures 5.17–5.19",
    measure,
    {_PICTURE: draw},
)
