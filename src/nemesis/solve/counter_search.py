"""A counter-strategy to one agent, searched: a lower bound of what can be taken from it at no-limit hold'em.

The family of `respond.parametric_counter` is searched with `evolve.natural`: each generation on deals of its own, all
candidates on the same ones. `search` is one search. `best_counter` makes several, from the middle of the family and from
the shipped counter-strategy that does best here, compares what they found with all shipped ones on further deals, and
measures the best on deals that nothing was chosen on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.evolve.natural import Natural, NaturalParameters
from nemesis.measure.earnings import SEATS, earnings
from nemesis.measure.interval import Interval, mean_interval
from nemesis.play.workers import Workers
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.known_counters import patient, thief
from nemesis.respond.parametric_counter import GENES, parametric_counter, shipped_counters
from nemesis.rules.game import Game
from nemesis.runtime.streams import Stages, Stream, derived_seed

NEAR = 0.4
"""How wide the first draws are around a counter-strategy that was found elsewhere."""
MATCH = 500
CHOOSING, MEASURING, SEARCHING = 2, 3, 4
"""The deals of `Stream.LOCAL_RESPONSE` for each purpose; searches go on from the last."""

Genome = NDArray[np.float64]


@dataclass(frozen=True)
class Effort:
    """How long one search is: generations of so many candidates, each in so many pairs of matches of `MATCH` hands."""

    generations: int = 60
    candidates: int = 25
    matches: int = 4


class Found(NamedTuple):
    """Who takes most from the agent, and what, in the game's unit, on how many fresh hands."""

    by: str
    mean: float
    ci95: Interval
    hands: int


def search(
    rival: CompiledAgent,
    game: Game,
    effort: Effort,
    *,
    seed: int,
    start: Genome | None = None,
    workers: Workers = 1,
    say: Callable[[int, float], None] = lambda generation, mean: None,
) -> Genome:
    """The mean genome after some generations; from the middle of the family, or from a genome and near it."""
    settings = NaturalParameters(effort.candidates, 1.0 if start is None else NEAR)
    learner = Natural(np.zeros(GENES) if start is None else start, seed, settings)
    for generation in range(effort.generations):
        candidates = [parametric_counter(game, asked) for asked in learner.ask()]
        stage = Stages.GENERATIONS.at(generation)
        won = earnings(game, candidates, [rival], effort.matches, MATCH, seed=seed, stage=stage, workers=workers)
        learner.tell(won.mean(axis=(1, 2)))
        say(generation, float(won.mean()))
    return np.round(learner.ask()[0], 4)


def best_counter(
    rival: CompiledAgent,
    game: Game,
    hands: int,
    *,
    searches: int = 2,
    effort: Effort | None = None,
    seed: int = 0,
    workers: Workers = 1,
    say: Callable[[str], None] = lambda line: None,
) -> Found:
    """What the best of everything searched and shipped takes from an agent; without searches, of what is shipped."""
    known = {f"counter-{opponent}": genome for opponent, genome in shipped_counters().items()}
    others = {"patient": patient(game), "thief": thief(game)}
    rates = _compared({**_family(known, game), **others}, rival, game, hands, seed, workers)
    best_known = max(known, key=lambda name: rates[name])
    starts = [np.asarray(known[best_known]), *([None] * (searches - 1))] if searches else []
    found: dict[str, Sequence[float] | Genome] = {}
    for number, start in enumerate(starts):

        def told(generation: int, mean: float, number: int = number) -> None:
            if generation % 20 == 19:
                say(f"search {number + 1} of {searches}: generation {generation + 1}, {mean:,.0f} on average")

        name = f"searched from {best_known}" if start is not None else "searched from the middle"
        found[f"{name}, {number + 1}" if searches > 2 else name] = search(
            rival, game, effort or Effort(), seed=derived_seed(seed, Stream.LOCAL_RESPONSE, SEARCHING + number),
            start=start, workers=workers, say=told,
        )  # fmt: skip
    if found:
        rates |= _compared(_family(found, game), rival, game, hands, seed, workers)
    best = max(rates, key=lambda name: rates[name])
    counter = others[best] if best in others else parametric_counter(game, {**known, **found}[best])
    matches, length = _matches(hands)
    units = earnings(
        game, [counter], [rival], matches, length,
        seed=derived_seed(seed, Stream.LOCAL_RESPONSE, MEASURING), workers=workers,
    )[0, 0]  # fmt: skip
    return Found(best, *mean_interval(units), SEATS * matches * length)


def _family(genomes: Mapping[str, Sequence[float] | Genome], game: Game) -> dict[str, CompiledAgent]:
    return {name: parametric_counter(game, genome) for name, genome in genomes.items()}


def _compared(
    candidates: Mapping[str, CompiledAgent], rival: CompiledAgent, game: Game, hands: int, seed: int, workers: Workers
) -> dict[str, float]:
    """What each takes on the deals on which a choice is made."""
    matches, length = _matches(hands)
    choosing = derived_seed(seed, Stream.LOCAL_RESPONSE, CHOOSING)
    won = earnings(game, list(candidates.values()), [rival], matches, length, seed=choosing, workers=workers)
    return dict(zip(candidates, won.mean(axis=(1, 2)).tolist(), strict=True))


def _matches(hands: int) -> tuple[int, int]:
    """So many pairs of matches of equal length, with about so many hands in all."""
    length = max(1, min(MATCH, hands // (2 * SEATS)))
    return max(2, hands // (SEATS * length)), length
