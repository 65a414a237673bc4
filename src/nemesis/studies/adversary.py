"""An adversary: genes evolved against the belief network, then the network evolved again with it (Baker 2010, section 6.1).

The source's adversary won 81 % of its best generation's games and 63 % of 10 000 others: a highest of noisy numbers, and the
truth. We print both in the same way. The network is then evolved again against the four styles and the adversary, and,
as in the source's "separate experiment", for 20 generations against the adversary alone. These runs have seeds of their
own: with that of the first network they would begin with its very genomes and deals. Genes have no memory beyond the
hand, so the most that a network can win from the adversary is computed exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.tables import action_table
from nemesis.measure.charts import as_figure
from nemesis.measure.interval import Interval, mean_interval
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.styles import STYLES
from nemesis.rules.game import Game
from nemesis.solve.ceiling import best_response
from nemesis.studies.curve_picture import curve_numbers, curve_panel, draw_curves
from nemesis.studies.evolved import (
    Evolved,
    belief_champion,
    caveat,
    evolve_champion,
    fresh_shares,
    fresh_tournaments,
    game_of,
    judged,
    share_of,
    style_ceiling,
)
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.style_verdicts import style_verdicts
from nemesis.train.one_card_recipes import ALL, GENES, GENETIC
from nemesis.train.recipe import Recipe
from nemesis.train.recipes import RECIPES
from nemesis.train.tournaments import Tournaments

PEAK, FRESH_SHARE, ALONE = 0.81, 0.63, 0.70
_PICTURE = "adversary.png"
_NETWORK = RECIPES["neat-belief"]

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


def measure(setting: Setting) -> Report:
    """Evolve the adversary, then the networks that answer it."""
    game = game_of(_NETWORK)
    seated: dict[str, CompiledAgent] = {"network": belief_champion(setting)}

    def seat(name: str, at: Game) -> CompiledAgent:
        return seated[name] if name in seated else compiled_agent(name, at)

    run = evolve_champion(ADVERSARY, setting, seat)
    seated["adversary"] = run.champion
    answer = evolve_champion(ANSWER, setting, seat, other=1)
    alone = evolve_champion(ANSWER_ALONE, setting, seat, other=2)
    tournaments = fresh_tournaments(setting)
    tables = [[run.champion], *([compiled_agent(style, game)] for style in STYLES)]
    networks = [seated["network"], answer.champion, alone.champion]
    setting.progress("fresh tournaments")
    batches = fresh_shares(game, networks, tables, setting, tournaments)
    seen = style_verdicts(
        run.champion, seated["network"], game, action_table(game), actions=20,
        tournaments=setting.choose(10, 400, 2_000), seed=setting.seed,
    )  # fmt: skip
    share, interval = share_of(1.0 - batches[:, _BEFORE, 0], tournaments)
    verdict = ", ".join(f"{style.upper()} {p:.2f}" for style, p in zip(STYLES, seen.mean(axis=0), strict=True))
    stands = judged(interval, FRESH_SHARE).replace("better", "more")  # what is good for it is bad for the network
    rows = [
        Row("adversary: highest fitness in its run", run.peak, None, PEAK, note="noisy, as the published one"),
        Row("adversary v network", share, interval, FRESH_SHARE, note=f"{stands}; looks {verdict}"),
    ]
    most = best_response(run.champion, game).value
    for what, who, published in (
        ("network", _BEFORE, 1 - FRESH_SHARE),
        ("network evolved again", _AFTER, None),
        ("network evolved against the adversary alone, 20 generations", _ALONE, ALONE),
    ):
        figure = share_of(batches[:, who, 0], tournaments)
        rows.append(
            Row(f"{what} v adversary", *figure, published, most, judged(figure[1], published) if published else "")
        )
    for column, style in enumerate(STYLES, start=1):
        before, after = batches[:, _BEFORE, column], batches[:, _AFTER, column]
        gain, (low, high) = mean_interval(after - before)
        note = f"before {before.mean():.3f}, {gain:+.3f} ({low:+.3f} … {high:+.3f})"
        figure = share_of(after, tournaments)
        rows.append(
            Row(f"network evolved again v {style.upper()}", *figure, ceiling=style_ceiling(style, game), note=note)
        )
    claims = _claims(run, batches, seen)
    panels = [
        curve_panel(
            "adversary against the belief network", run, (share, *interval), published=PEAK, published_fresh=FRESH_SHARE
        ),
        curve_panel("network evolved again: four styles, adversary", answer, as_figure(_again(batches, tournaments))),
    ]
    drawn = curve_numbers("An adversary evolves against the belief network, and the network answers", panels)
    words = caveat(setting) + _verdict(rows, seen) + orderings_summary(claims)
    return Report(words, [*claims, *rows], {_PICTURE: drawn}, "share of tournaments")


def _claims(run: Evolved, batches: NDArray[np.float64], seen: NDArray[np.float64]) -> list[Row]:
    """What section 6.1 says."""
    adversary = 1.0 - batches[:, _BEFORE, 0]
    tp = list(STYLES).index("tp")
    rest = np.delete(seen, tp, axis=1)
    after, alone = batches[:, _AFTER], batches[:, _ALONE, 0]
    return [
        ordering("the adversary beats the network it was evolved against", ".63 > .50", mean_interval(adversary - 0.5)),
        ordering("its highest fitness is more than it wins on fresh deals", ".81 > .63",
                 mean_interval(run.peak - adversary)),
        ordering("it is taken for TP before all", "TP", mean_interval(seen[:, tp] - rest[:, rest.mean(axis=0).argmax()])),
        ordering("evolved again with it, the network wins more from it than before", "very strongly",
                 mean_interval(after[:, 0] - batches[:, _BEFORE, 0])),
        ordering("evolved again, the network beats it", "> .50", mean_interval(after[:, 0] - 0.5)),
        ordering("20 generations against it alone win more than .70", "> .70", mean_interval(alone - ALONE)),
        ordering("evolved again, the network is no worse against the four styles", "greater average fitness",
                 mean_interval((after[:, 1:] - batches[:, _BEFORE, 1:]).mean(axis=1))),
    ]  # fmt: skip


def _again(batches: NDArray[np.float64], tournaments: int) -> tuple[float, Interval]:
    """What the network evolved again wins on average from those it was evolved against."""
    return share_of(batches[:, _AFTER].mean(axis=1), tournaments * batches.shape[2])


def _verdict(rows: Sequence[Row], seen: NDArray[np.float64]) -> str:
    peak, fresh, before, after, alone = rows[:5]
    low, high = fresh.ci95 or (0.0, 1.0)
    beats = "beats" if low > 0.5 else "does not beat" if high < 0.5 else "is level with"
    likeliest = list(STYLES)[int(seen.mean(axis=0).argmax())].upper()
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
)
