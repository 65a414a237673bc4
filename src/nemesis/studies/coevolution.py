"""Two populations of genes that evolve against each other, and whether the belief network beats them (Baker 2010, 6.4).

The populations never meet a style or the network. Their bests then play the four styles and the belief network, which
also says what style they look like. A best loses to the network if the network wins more than half of their games on
fresh deals. The network is the shipped one, or one evolved here at the scale.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.tables import action_table
from nemesis.evolve.coevolution import CoevolutionParameters
from nemesis.measure.charts import count_generations, draw_key, draw_level, draw_title
from nemesis.measure.interval import mean_interval, share_interval
from nemesis.measure.picture import BELIEF_COLOURS, GENERATION_COLOURS, STYLE_COLOURS, STYLE_WORDS, save_figure
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.chromosome import chromosome_player
from nemesis.respond.styles import STYLES
from nemesis.rules.game import Game
from nemesis.solve.ceiling import best_response, value_against
from nemesis.studies.evolved import (
    belief_champion,
    fresh_shares,
    game_of,
    of_champion,
    share_of,
    style_ceiling,
)
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.style_verdicts import style_verdicts
from nemesis.train.recipes import RECIPES
from nemesis.train.rivals import coevolve

_PICTURE = "coevolution.png"
_SIDES = ("first", "second")
_DRAWN = ("best", "mean")


def measure(setting: Setting) -> Report:
    """Coevolve, then meet the bests of both populations, sampled over the generations."""
    game = game_of(RECIPES["neat-belief"])
    population = setting.choose(8, 40, 100)
    parameters = CoevolutionParameters(population=population, hall_sample=population // 2)
    generations, games = setting.choose(2, 30, 550), setting.choose(4, 20, 100)
    folder = setting.folder / "runs" / f"coevolution-{setting.scale}-{setting.seed}"
    learner, metrics = coevolve(
        folder, game, parameters, generations, games,
        seed=setting.seed, workers=setting.workers, progress=setting.progress,
    )  # fmt: skip
    step = setting.choose(1, 3, 1)
    numbers = sorted({*range(0, generations, step), generations - 1})
    found = [_meet(setting, game, learner.halls[side], numbers) for side in range(2)]
    rows = [row for side in range(2) for row in _rows(_SIDES[side], found[side], game, setting)]
    answers = _answers([hall[-1] for hall in learner.halls], game)
    rows += [
        Row(f"{side}: exact answer to TA v last best", *answer, note="exact; the ceiling is the answer to this best")
        for side, answer in zip(_SIDES, answers, strict=True)
    ]
    claims = _claims(found, metrics)
    drawn = {
        side: {
            **_plain(each),
            "numbers": numbers,
            **{key: [line[f"{side}_{key}"] for line in metrics] for key in _DRAWN},
        }
        for side, each in zip(_SIDES, found, strict=True)
    }
    data = {"metrics": metrics, "generations": numbers, **{s: _plain(f) for s, f in zip(_SIDES, found, strict=True)}}
    words = (
        of_champion(setting) + _length(setting, generations, population, games) + _verdict(found) + _why(found, answers)
    )
    return Report(words + orderings_summary(claims), [*claims, *rows], {_PICTURE: drawn}, "share", data)


def _length(setting: Setting, generations: int, population: int, games: int) -> str:
    if setting.scale == "full":
        return "One run of the source's length. "
    return (
        f"One short run, {generations} generations of {population}, {games} games a pair (the source: 550, 100, 100). "
    )


def _claims(found: Sequence[dict[str, NDArray[np.float64]]], metrics: Sequence[dict[str, float]]) -> list[Row]:
    """What section 6.4 says of its figures, over the sampled bests of both populations together.

    Bests of neighbouring generations are related, so intervals over bests are too narrow rather than too wide.
    """
    names = list(STYLES)
    wins = np.concatenate([each["network"].mean(axis=0) for each in found])
    verdicts = np.concatenate([each["looks"] for each in found])
    styles = np.stack([each["styles"] for each in found], axis=1)  # batch, side, best, style
    third = max(1, styles.shape[2] // 3)
    gains = (styles[:, :, -third:].mean(axis=2) - styles[:, :, :third].mean(axis=2)).mean(axis=1)
    improved = [
        ordering(f"the last third of the bests win more from {name.upper()} than the first", "gradually improves",
                 mean_interval(gains[:, column]))
        for column, name in enumerate(names) if name != "tp"
    ]  # fmt: skip
    tp, ta = names.index("tp"), names.index("ta")
    others = np.delete(gains, tp, axis=1)
    rivals = np.delete(verdicts, ta, axis=1)
    tight = verdicts[:, [ta, tp]].sum(axis=1)
    lead = np.array([line["first_best"] - line["second_best"] for line in metrics])
    return [
        ordering("more than half of the bests lose to the belief network", "1096 of 1100",
                 _share_over_half(int((wins > 0.5).sum()), len(wins))),
        ordering("on average the belief network wins more than half of the games", "> .50", mean_interval(wins - 0.5)),
        ordering("the bests are taken for TA before all", "most TA",
                 mean_interval(verdicts[:, ta] - rivals[:, rivals.mean(axis=0).argmax()])),
        ordering("the bests are taken for tight rather than loose", "predominantly tight", mean_interval(2 * tight - 1)),
        *improved,
        ordering("against TP they improve least", "very little improvement",
                 mean_interval(others[:, others.mean(axis=0).argmin()] - gains[:, tp])),
        ordering("neither population dominates: both lead in at least a quarter of the generations", "balanced",
                 _share_over(int(min((lead > 0).sum(), (lead < 0).sum())), len(lead), 0.25)),
    ]  # fmt: skip


def _share_over(count: int, of: int, level: float) -> tuple[float, tuple[float, float]]:
    share, (low, high) = share_interval(count, of)
    return share - level, (low - level, high - level)


def _share_over_half(count: int, of: int) -> tuple[float, tuple[float, float]]:
    return _share_over(count, of, 0.5)


def _tournaments(setting: Setting) -> int:
    return setting.choose(40, 400, 2_000)


def _meet(setting: Setting, game: Game, hall: Sequence[Any], numbers: Sequence[int]) -> dict[str, NDArray[np.float64]]:
    """Shares of the sampled bests against the styles and against the network, by batch, and what they look like."""
    network = belief_champion(setting)
    bests = [chromosome_player(hall[number], game) for number in numbers]
    tables = [[compiled_agent(style, game)] for style in STYLES] + [[network]]
    shares = fresh_shares(game, bests, tables, setting, _tournaments(setting))
    table, met = action_table(game), setting.choose(20, 100, 200)
    verdicts = [
        style_verdicts(best, network, game, table, actions=100, tournaments=met, seed=setting.seed).mean(axis=0)
        for best in bests
    ]
    return {"styles": shares[:, :, :-1], "network": 1.0 - shares[:, :, -1], "looks": np.array(verdicts)}


def _rows(side: str, found: dict[str, NDArray[np.float64]], game: Game, setting: Setting) -> list[Row]:
    wins = found["network"].mean(axis=0)
    lost, count = int((wins > 0.5).sum()), len(wins)
    names = list(STYLES)
    like_ta = int((found["looks"].argmax(axis=1) == names.index("ta")).sum())
    rows = [
        Row(f"{side}: bests that lose to the belief network", *share_interval(lost, count), 548 / 550),
        Row(f"{side}: bests that look TA", *share_interval(like_ta, count), "most"),
        Row(f"{side}: the network's wins, mean over bests", *share_of(found["network"].mean(axis=1), count)),
    ]
    for column, style in enumerate(names):
        share, interval = share_of(found["styles"][:, -1, column], _tournaments(setting))
        ceiling = style_ceiling(style, game)
        rows.append(Row(f"{side}: last best v {style.upper()}", share, interval, ceiling=ceiling))
    return rows


def _verdict(found: Sequence[dict[str, NDArray[np.float64]]]) -> str:
    names = [style.upper() for style in STYLES]
    verdicts = np.concatenate([each["looks"] for each in found]).argmax(axis=1)
    counts = np.bincount(verdicts, minlength=len(names))
    wins = np.concatenate([each["network"].mean(axis=0) for each in found])
    losing = int((wins > 0.5).sum())
    agree = "as published" if counts.argmax() == names.index("TA") else "where the source has TA"
    return (
        f"Of {len(wins)} bests {losing} lose to the belief network (published: 1096 of 1100), which wins "
        f"{wins.mean():.2f} of the games on average. Most often they look {names[int(counts.argmax())]} "
        f"({counts.max()} of {len(verdicts)}), {agree}."
    )


def _answers(bests: Sequence[Any], game: Game) -> list[tuple[float, None, None, float]]:
    """What the exact answer to TA wins from each, as the figures of a row: ours, and the ceiling for whoever knew it."""
    to_ta = best_response(compiled_agent("ta", game), game).policy
    players = [chromosome_player(best, game) for best in bests]
    return [
        (value_against(to_ta, player, game).value, None, None, best_response(player, game).value) for player in players
    ]


def _why(found: Sequence[dict[str, NDArray[np.float64]]], answers: Sequence[tuple[float, None, None, float]]) -> str:
    """Why the network does not win, where it does not."""
    if np.mean([each["network"].mean() for each in found]) >= 0.5:
        return ""
    to_ta, most = (" and ".join(f"{answer[at]:.2f}" for answer in answers) for at in (0, 3))
    return (
        f" The network knows four styles and answers these players as one of them. From the last two bests the exact answer "
        f"to TA wins {to_ta}, and whoever knew them would win {most}: to look like a style is not to play like it."
    )


def _plain(found: dict[str, NDArray[np.float64]]) -> dict[str, Any]:
    return {
        "styles": found["styles"].mean(axis=0).tolist(),
        "network": found["network"].mean(axis=0).tolist(),
        "looks": found["looks"].tolist(),
    }


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """Both populations side by side: fitness, what bests win from styles and from the network, and whom they look like."""
    with save_figure(path, (10, 10.5)) as figure:
        grid = figure.subplots(4, 2, sharex=True, sharey="row")
        for column, (side, drawn) in enumerate(numbers.items()):
            fitness, styles, network, verdicts = grid[:, column]
            for key in _DRAWN:
                fitness.plot(drawn[key], color=GENERATION_COLOURS[key], linewidth=1, label=f"{key} fitness")
            fitness.set_title(f"{side} population", fontweight="bold")
            for (style, colour), shares in zip(STYLE_COLOURS.items(), np.array(drawn["styles"]).T, strict=True):
                styles.plot(drawn["numbers"], shares, color=colour, linewidth=1, label=STYLE_WORDS[style])
            styles.set(ylim=(0, 1), title="what each generation's best wins from the styles")
            network.plot(
                drawn["numbers"], drawn["network"], color=BELIEF_COLOURS["belief"], linewidth=1, label="belief network"
            )
            draw_level(network, 0.5, "half of the games")
            network.set(ylim=(0, 1), title="what the belief network wins from each best")
            verdicts.stackplot(drawn["numbers"], np.array(drawn["looks"]).T, colors=list(STYLE_COLOURS.values()))
            verdicts.set(ylim=(0, 1), title="whom each best is taken for")
            count_generations(verdicts)
            verdicts.set_xlim(0, len(drawn["best"]) - 1)
        for axes, label in zip(grid[:, 0], ("shared fitness", *["share of games won"] * 2, "mean belief"), strict=True):
            axes.set_ylabel(label)
        draw_title(figure, "Two populations that evolve against each other")
        draw_key(figure, *grid[:, 0], columns=4)


STUDY = Study(
    "coevolution",
    "Two populations that evolve against each other, judged by the styles and by the belief network",
    "Baker 2010, sections 6.2–6.4, figures 6.3–6.10",
    measure,
    {_PICTURE: draw},
)
