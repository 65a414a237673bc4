"""An adversary: genes evolved against the belief network, then the network evolved again with it (Baker 2010, section 6.1).

The source's adversary won 81 % of its best generation's games and 63 % of 10 000 others: a highest of noisy numbers, and the
truth. We print both in the same way. The network is that of figure 5.21. It is then evolved again against the four styles
and the adversary, heads-up, for the genes play two seats only, and, as in the source's "separate experiment", for 20
generations against the adversary alone. These runs have seeds of their own. Genes have no memory beyond the hand, so
the most that a network can win from the adversary is computed exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.tables import action_table
from nemesis.measure.charts import as_figure
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.champion import champion_agent, read_champion
from nemesis.respond.styles import STYLES
from nemesis.rules.game import Game
from nemesis.solve.ceiling import best_response
from nemesis.studies.curve_picture import curve_numbers, curve_panel, draw_curves
from nemesis.studies.evolved import (
    LANES,
    Evolved,
    belief_networks,
    caveat,
    evolve_champion,
    fresh_shares,
    game_of,
    is_finished,
    judged,
    run_tournaments,
    style_ceiling,
)
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.sample import over_runs, sampled_row, shares_over_runs
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.style_verdicts import style_verdicts
from nemesis.train.one_card_recipes import ALL, GENES, GENETIC
from nemesis.train.recipe import Recipe
from nemesis.train.recipes import RECIPES
from nemesis.train.tournaments import Tournaments

PEAK, FRESH_SHARE, ALONE = 0.81, 0.63, 0.70
_PICTURE = "adversary.png"
_NETWORK = RECIPES["neat-belief"]
_FIRST, _AGAIN = "fig. 6.1", "fig. 6.2"

ADVERSARY = Recipe(
    "adversary", "60 genes against the belief network (Baker 2010, 6.1)", _NETWORK.game,
    GENES, GENETIC, Tournaments((("network",),)),
)  # fmt: skip
ANSWER = replace(
    _NETWORK,
    name="answer",
    about="NEAT with beliefs against the four styles and the adversary (6.1)",
    school=replace(_NETWORK.school, tables=(*ALL, ("adversary",))),
)
ANSWER_ALONE = replace(
    _NETWORK,
    name="answer-alone",
    about="NEAT with beliefs against the adversary alone (6.1)",
    school=replace(_NETWORK.school, tables=(("adversary",),), generations=20),
)
_BEFORE, _AFTER, _ALONE = range(3)
_ANSWERS, _ANSWERS_ALONE = LANES, 2 * LANES


@dataclass(frozen=True)
class Chase:
    """One run of the chase: the adversary, the network's answer, and how they fare.

    `shares` are by batch, network (before, after, alone) and opponent (the adversary, then the styles); `seen` is what the
    adversary looks like, by sequence and style; `most` is what the exact best response wins from it.
    """

    adversary: Evolved
    answer: Evolved
    shares: NDArray[np.float64]
    seen: NDArray[np.float64]
    most: float


def measure(setting: Setting) -> Report:
    """Evolve an adversary and the networks that answer it, run after run."""
    paths = belief_networks(setting)
    chases = [_chase(number, paths[number % len(paths)], setting) for number in _numbers(setting)]
    shares = np.array([chase.shares for chase in chases])
    seen = [chase.seen for chase in chases]
    adversary = shares_over_runs(1.0 - shares[:, :, _BEFORE, 0])
    looks = np.mean([each.mean(axis=0) for each in seen], axis=0)
    verdict = ", ".join(f"{style.upper()} {p:.2f}" for style, p in zip(STYLES, looks, strict=True))
    stands = judged(adversary.ci95, FRESH_SHARE, sample=adversary.sample)
    stands = stands.replace("better", "more")  # what is good for it is bad for the network
    peaks = shares_over_runs([[chase.adversary.peak] for chase in chases])
    rows = [
        sampled_row("adversary: highest fitness in its run", peaks, PEAK, "noisy, as the published one", _FIRST),
        sampled_row("adversary v network", adversary, FRESH_SHARE, f"{stands}; looks {verdict}", _FIRST),
    ]
    most = float(np.mean([chase.most for chase in chases]))
    for what, who, published in (
        ("network", _BEFORE, 1 - FRESH_SHARE),
        ("network evolved again", _AFTER, None),
        ("network evolved against the adversary alone, 20 generations", _ALONE, ALONE),
    ):
        figure = shares_over_runs(shares[:, :, who, 0])
        note = judged(figure.ci95, published, sample=figure.sample) if published else ""
        rows.append(replace(sampled_row(f"{what} v adversary", figure, published, note), ceiling=most))
    game = game_of(_NETWORK)
    for column, style in enumerate(STYLES, start=1):
        before, after = shares[:, :, _BEFORE, column], shares[:, :, _AFTER, column]
        gain, (low, high), _ = over_runs(after - before)
        note = f"before {before.mean():.3f}, {gain:+.3f} ({low:+.3f} … {high:+.3f})"
        row = sampled_row(f"network evolved again v {style.upper()}", shares_over_runs(after), note=note)
        rows.append(replace(row, ceiling=style_ceiling(style, game)))
    claims = _claims(chases, shares)
    panels = [
        curve_panel(
            "adversary against the belief network", [chase.adversary for chase in chases], as_figure(adversary[:2]),
            published=PEAK, published_fresh=FRESH_SHARE,
        ),
        curve_panel(
            "network evolved again: four styles, adversary", [chase.answer for chase in chases],
            as_figure(shares_over_runs(shares[:, :, _AFTER].mean(axis=2))[:2]),
        ),
    ]  # fmt: skip
    drawn = curve_numbers("An adversary evolves against the belief network, and the network answers", panels)
    met = "" if len(paths) > 1 else f"All runs meet one network, `{paths[0].parent.name}/{paths[0].stem}`. "
    words = caveat(setting, [len(chases)]) + met + _verdict(rows, looks) + orderings_summary(claims)
    return Report(words, [*claims, *rows], {_PICTURE: drawn}, "share of tournaments")


def _numbers(setting: Setting) -> list[int]:
    """The runs to measure: all, or those of which every part is finished."""
    parts = ((ADVERSARY, 0), (ANSWER, _ANSWERS), (ANSWER_ALONE, _ANSWERS_ALONE))
    numbers = range(setting.evolutions)
    if not setting.finished:
        return list(numbers)
    found = [n for n in numbers if all(is_finished(recipe, setting, n + lane) for recipe, lane in parts)]
    if not found:
        raise ValueError(
            f"no run of adversary and answers is finished at {setting.scale} scale in {setting.run_folder}"
        )
    return found


def _chase(number: int, network: Path, setting: Setting) -> Chase:
    game = game_of(_NETWORK)
    seated = {"network": champion_agent(network, game)}
    digest = read_champion(network)["digest"][:8]

    def seat(name: str, at: Game) -> CompiledAgent:
        return seated[name] if name in seated else compiled_agent(name, at)

    def marked(recipe: Recipe) -> Recipe:
        """The recipe with the network's digest, so that a run against another network is not taken for this one."""
        return replace(recipe, about=f"{recipe.about} {digest}")

    adversary = evolve_champion(marked(ADVERSARY), setting, seat, number)
    seated["adversary"] = adversary.champion
    answer = evolve_champion(marked(ANSWER), setting, seat, number + _ANSWERS)
    alone = evolve_champion(marked(ANSWER_ALONE), setting, seat, number + _ANSWERS_ALONE)
    tables = [[adversary.champion], *([compiled_agent(style, game)] for style in STYLES)]
    setting.progress("fresh tournaments")
    networks = [seated["network"], answer.champion, alone.champion]
    shares = fresh_shares(game, networks, tables, setting, run_tournaments(setting), adversary.seed)
    seen = style_verdicts(
        adversary.champion, seated["network"], game, action_table(game), actions=20,
        tournaments=setting.choose(10, 400, 1_000), seed=adversary.seed,
    )  # fmt: skip
    return Chase(adversary, answer, shares, seen, best_response(adversary.champion, game).value)


def _claims(chases: Sequence[Chase], shares: NDArray[np.float64]) -> list[Row]:
    """What section 6.1 says; shares are by run, batch, network and opponent."""
    adversary = 1.0 - shares[:, :, _BEFORE, 0]
    tp = list(STYLES).index("tp")
    looks = np.delete(np.mean([chase.seen.mean(axis=0) for chase in chases], axis=0), tp).argmax()
    like_tp = [chase.seen[:, tp] - np.delete(chase.seen, tp, axis=1)[:, looks] for chase in chases]
    after, alone = shares[:, :, _AFTER], shares[:, :, _ALONE, 0]
    peaks = np.array([chase.adversary.peak for chase in chases])[:, None]
    return [
        ordering("the adversary beats the network it was evolved against", ".63 > .50", over_runs(adversary - 0.5),
                 place=_FIRST),
        ordering("its highest fitness is more than it wins on fresh deals", ".81 > .63", over_runs(peaks - adversary),
                 place=_FIRST),
        ordering("it is taken for TP before all", "TP", over_runs(like_tp), place=_FIRST),
        ordering("evolved again with it, the network wins more from it than before", "very strongly",
                 over_runs(after[:, :, 0] - shares[:, :, _BEFORE, 0]), place=_AGAIN),
        ordering("evolved again, the network beats it", "> .50", over_runs(after[:, :, 0] - 0.5), place=_AGAIN),
        ordering("20 generations against it alone win more than .70", "> .70", over_runs(alone - ALONE), place=_AGAIN),
        ordering("evolved again, the network is no worse against the four styles", "greater average fitness",
                 over_runs((after[:, :, 1:] - shares[:, :, _BEFORE, 1:]).mean(axis=2)), place=_AGAIN),
    ]  # fmt: skip


def _verdict(rows: Sequence[Row], looks: NDArray[np.float64]) -> str:
    peak, fresh, before, after, alone = rows[:5]
    low, high = fresh.ci95 or (0.0, 1.0)
    beats = "beats" if low > 0.5 else "does not beat" if high < 0.5 else "is level with"
    likeliest = list(STYLES)[int(looks.argmax())].upper()
    return (
        f"The adversary {beats} the network: {peak.ours:.2f} at its luckiest, {fresh.ours:.2f} on fresh deals (published "
        f"{PEAK:.2f} and {FRESH_SHARE:.2f}; {fresh.note.partition(';')[0]}); it looks {likeliest}, published TP. "
        f"Evolved again with it among the opponents, the network wins {after.ours:.2f} from it ({before.ours:.2f} before), "
        f"against it alone {alone.ours:.2f}, of at most {after.ceiling:.2f}."
    )


STUDY = Study(
    "adversary",
    "Genes evolved against the belief network, and the network's answer",
    "Baker 2010, section 6.1, figures 6.1, 6.2",
    measure,
    {_PICTURE: draw_curves},
    "about 40 CPU minutes, and five runs of the network of `four-seats`",
)
