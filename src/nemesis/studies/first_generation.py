"""How good is the best of a hundred random chromosomes? Figure 5.2 of Baker 2010 begins at almost .70 against LA.

Genes drawn uniformly for every card know nothing of cards, and the best of a hundred such players wins far less. What the
source says of its first best, that it stays "with a card of 4 or greater", is what a player looks like whose genes follow
the cards. The readings below are the same hundred random numbers in other rules or with another meaning; each is played
as the source does, 100 games a chromosome, on many first populations, and its best once more on fresh deals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.evolve.genetic import first_genomes
from nemesis.measure.charts import as_figure, draw_dots, draw_key, draw_title
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import BLUE, PUBLISHED_LINE, SKY, save_figure
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.chromosome import SECTIONS, genes_needed
from nemesis.rules.game import Game
from nemesis.rules.games import one_card, one_card_100
from nemesis.runtime.streams import NumpyStream, generator
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.sample import Sampled
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.train.gene_duels import duel_chances, gene_duel_shares, genes_of_players

PUBLISHED, OPPONENT = 0.70, "la"
POPULATION, GAMES = 100, 100
_PICTURE = "first-generation.png"

Genes = NDArray[np.float64]


@dataclass(frozen=True)
class Reading:
    """Rules, and what random numbers mean as genes."""

    game: Game
    meaning: Callable[[Genes], Genes]


def as_drawn(genes: Genes) -> Genes:
    """Every pair of genes is a probability of staying and one of betting."""
    return genes


def by_one_die(genes: Genes) -> Genes:
    """Section 6.3 to the letter: one number is compared with both genes, so a bet needs it below either."""
    stay, bet = genes[:, 0::2], genes[:, 1::2]
    read = genes.copy()
    read[:, 1::2] = np.minimum(stay, bet) / stay
    return read


def as_certainties(genes: Genes) -> Genes:
    """A gene above a half is always, one below never."""
    return (genes > 0.5).astype(np.float64)


def in_order_of_cards(genes: Genes) -> Genes:
    """The same numbers, handed out so that a better card has the larger ones."""
    sections = genes.reshape(len(genes), SECTIONS, -1, 2)
    return np.sort(sections, axis=2).reshape(genes.shape)


def _eight_bets() -> Game:
    return replace(one_card_100(), name="one-card-100, 40 chips a round", street_limit=40)


READINGS: Mapping[str, Reading] = {
    "as described": Reading(one_card_100(), as_drawn),
    "40 chips a round instead of four bets": Reading(_eight_bets(), as_drawn),
    "10 chips, ante 1": Reading(one_card(), as_drawn),
    "one die for both genes": Reading(one_card_100(), by_one_die),
    "genes are certainties": Reading(one_card_100(), as_certainties),
    "genes follow the cards": Reading(one_card_100(), in_order_of_cards),
    "genes follow the cards, 10 chips": Reading(one_card(), in_order_of_cards),
}


def measure(setting: Setting) -> Report:
    """Many first populations by every reading."""
    populations = setting.choose(3, 20, 100)
    found = {}
    for name, reading in READINGS.items():
        setting.progress(name)
        found[name] = _bests(reading, populations, setting)
    sample = f"{populations} populations"
    rows = []
    for name, (best, fresh) in found.items():
        reached = f"{(best >= PUBLISHED).mean():.0%} of the populations reach {PUBLISHED:.2f}"
        place = "fig. 5.2" if name == "as described" else ""
        rows.append(
            Row(f"{name}: best fitness", *mean_interval(best), PUBLISHED, note=reached, sample=sample, place=place)
        )
        rows.append(Row(f"{name}: the same player on fresh deals", *mean_interval(fresh), sample=sample))
    described = found["as described"][0]
    above = Sampled(*mean_interval(described - (PUBLISHED - 0.05)), sample)
    claim = "the best of a first population of random genes wins almost .70 from LA"
    claims = [ordering(claim, "≈ .70", above, "more than .65", "fig. 5.2")]
    near = min(found, key=lambda name: abs(float(found[name][0].mean()) - PUBLISHED))
    reached = f"{(described >= PUBLISHED).mean():.0%} of {populations} first populations"
    words = (
        f"By the rules of section 5.1 the best of {POPULATION} random chromosomes has a fitness of "
        f"{described.mean():.2f} against LA ({found['as described'][1].mean():.2f} on fresh deals), not almost .70, and "
        f"{reached} have one that good. Neither the bet limit nor the number of chips nor the one die explains it. Nearest "
        f"comes: {near} ({found[near][0].mean():.2f}). So the source's first populations were not uniformly random in every "
        "card's genes, or its first point is not the first generation; what it says of later generations does not "
        "depend on that."
    )
    drawn = {
        name: {"best": as_figure(mean_interval(best)), "fresh": as_figure(mean_interval(fresh))}
        for name, (best, fresh) in found.items()
    }
    return Report(words + orderings_summary(claims), [*claims, *rows], {_PICTURE: drawn}, "share of tournaments")


def _bests(reading: Reading, populations: int, setting: Setting) -> tuple[Genes, Genes]:
    """By population, the highest fitness and what that player wins on fresh deals."""
    game = reading.game
    rival = genes_of_players([compiled_agent(OPPONENT, game)], game)
    assert rival is not None
    best, fresh = np.empty(populations), np.empty(populations)
    for number in range(populations):
        chance = generator(setting.seed, NumpyStream.LEARNER, number)
        genomes = reading.meaning(first_genomes(POPULATION, genes_needed(game), chance))
        games = generator(setting.seed, NumpyStream.GENE_DUELS, number)
        fitness = gene_duel_shares(game, list(genomes), rival, GAMES, games, setting.workers)[:, 0]
        winner = genomes[int(fitness.argmax())]
        best[number] = fitness.max()
        fresh[number] = duel_chances(game, [winner], rival).mean()
    return best, fresh


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """Every reading's best fitness, and the same player on fresh deals."""
    places = np.arange(len(numbers))
    with save_figure(path, (9, 4.4)) as figure:
        axes = figure.add_subplot()
        for key, colour, label, shift in (
            ("best", BLUE, "best of 100, fitness of 100 games", -0.12),
            ("fresh", SKY, "the same player on fresh deals", 0.12),
        ):
            draw_dots(axes, places + shift, [found[key] for found in numbers.values()], colour, f"{label}, ± 95 %")
        axes.axhline(PUBLISHED, **PUBLISHED_LINE, label="published")
        axes.set_xticks(places, [fill(name, 16) for name in numbers])
        axes.set(ylabel="share of tournaments won from LA", ylim=(0, 1))
        draw_title(figure, "The best of a hundred random chromosomes, by how section 5.1 is read")
        draw_key(figure, axes)


STUDY = Study(
    "first-generation",
    "The best of a hundred random chromosomes against LA, by how section 5.1 is read",
    "Baker 2010, section 5.1, figure 5.2",
    measure,
    {_PICTURE: draw},
)
