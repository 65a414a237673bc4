"""Two populations of genes that evolve against each other, and whether the belief network beats them (Baker 2010, 6.4).

The populations never meet a style or the network. Their bests then meet the four styles and the belief network, which
also says what style they look like. What they win from the styles is exact; a best loses to the network if the network
wins more than half of their games on fresh deals. The network is that of figure 5.21, at full scale one of every run,
otherwise the one that is shipped. The picture is of the first run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.tables import action_table
from nemesis.evolve.coevolution import CoevolutionParameters
from nemesis.evolve.run import read_metrics
from nemesis.measure.charts import count_generations, draw_key, draw_level, draw_title
from nemesis.measure.interval import share_interval
from nemesis.measure.picture import GENERATION_COLOURS, STYLE_COLOURS, STYLE_WORDS, save_figure
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.champion import champion_agent
from nemesis.respond.chromosome import chromosome_player
from nemesis.respond.styles import STYLES
from nemesis.rules.game import Game
from nemesis.rules.games import one_card
from nemesis.runtime.streams import run_seed
from nemesis.solve.ceiling import best_response, value_against
from nemesis.studies.evolved import belief_networks, clocked, fresh_shares, of_networks, spent, style_ceiling
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.sample import over_runs, sampled_row, shares_over_runs
from nemesis.studies.study import Report, Row, RunCost, Setting, Study
from nemesis.studies.style_verdicts import style_verdicts
from nemesis.train.gene_duels import duel_chances, genes_of_players
from nemesis.train.rivals import coevolve

_PICTURE = "coevolution.png"
_SIDES = ("first", "second")
_DRAWN = ("best", "mean")
_MET = "figs 6.9, 6.10"


def measure(setting: Setting) -> Report:
    """Coevolve, then meet the bests of both populations, sampled over the generations, run after run."""
    game = one_card()
    paths = belief_networks(setting)
    numbers_run = range(setting.evolutions)
    if setting.finished:
        numbers_run = range(sum(_is_finished(setting, run) for run in numbers_run))
    if not numbers_run:
        raise ValueError(f"no coevolution is finished at {setting.scale} scale in {setting.run_folder}")
    raced = [_race(setting, game, run, paths[run % len(paths)]) for run in numbers_run]
    first = raced[0]
    rows = _rows(raced, game)
    answers = [_answers(race.last, game) for race in raced]
    for side, name in enumerate(_SIDES):
        figure = over_runs([[answer[side][0]] for answer in answers])
        row = sampled_row(
            f"{name}: exact answer to TA v last best", figure, note="exact; the ceiling answers this best"
        )
        rows.append(replace(row, ceiling=float(np.mean([answer[side][1] for answer in answers]))))
    claims = _claims(raced)
    drawn = {
        side: {
            **_plain(found),
            "numbers": first.numbers,
            **{key: [line[f"{side}_{key}"] for line in first.metrics] for key in _DRAWN},
        }
        for side, found in zip(_SIDES, first.found, strict=True)
    }
    data = {
        "generations": first.numbers,
        "runs": [
            {"metrics": race.metrics, **{s: _plain(f) for s, f in zip(_SIDES, race.found, strict=True)}}
            for race in raced
        ],
    }
    words = of_networks(setting, len(paths)) + _length(setting, len(raced)) + _verdict(raced) + _why(raced, answers)
    return Report(words + orderings_summary(claims), [*claims, *rows], {_PICTURE: drawn}, "share", data)


@dataclass(frozen=True)
class Race:
    """One run: its metrics, which generations' bests were met, how these fared by side, and the last of each side."""

    metrics: Sequence[dict[str, float]]
    numbers: Sequence[int]
    found: Sequence[dict[str, NDArray[np.float64]]]
    last: Sequence[Any]


def _scale(setting: Setting) -> tuple[CoevolutionParameters, int, int]:
    """Both populations, the generations and the games a pair."""
    population = setting.choose(8, 40, 100)
    parameters = CoevolutionParameters(population=population, hall_sample=population // 2)
    return parameters, setting.choose(2, 30, 550), setting.choose(4, 20, 100)


def _run_folder(setting: Setting, run: int) -> Path:
    return setting.run_folder / f"coevolution-{setting.scale}-{run_seed(setting.seed, run)}"


def _is_finished(setting: Setting, run: int) -> bool:
    folder = _run_folder(setting, run)
    return folder.exists() and len(read_metrics(folder)) == _scale(setting)[1]


def _race(setting: Setting, game: Game, run: int, network: Path) -> Race:
    parameters, generations, games = _scale(setting)
    seed = run_seed(setting.seed, run)
    folder = _run_folder(setting, run)
    with clocked(folder):
        learner, metrics = coevolve(
            folder, game, parameters, generations, games,
            seed=seed, workers=setting.workers, progress=setting.progress,
        )  # fmt: skip
    size = f"{generations} generations of 2 × {parameters.population}, {games} games a pair"
    setting.made.append(RunCost("coevolution", size, seed, *spent(folder)))
    step = setting.choose(1, 3, 1)
    numbers = sorted({*range(0, generations, step), generations - 1})
    agent = champion_agent(network, game)
    found = [_meet(setting, game, learner.halls[side], numbers, agent, seed) for side in range(2)]
    return Race(metrics, numbers, found, [hall[-1] for hall in learner.halls])


def _length(setting: Setting, runs: int) -> str:
    parameters, generations, games = _scale(setting)
    many = "One run" if runs == 1 else f"{runs} runs"
    if setting.scale == "full":
        return f"{many} of the source's length. "
    return (
        f"{many}, short: {generations} generations of {parameters.population}, {games} games a pair (the source: 550, 100, "
        "100). "
    )


_NARROW = "interval too narrow: bests of neighbouring generations are related"


def _claims(raced: Sequence[Race]) -> list[Row]:
    """What section 6.4 says of its figures, over the sampled bests of both populations together.

    Within one run the bests of neighbouring generations are related, so an interval over bests is too narrow and says so.
    """
    names = list(STYLES)
    tp, ta = names.index("tp"), names.index("ta")
    wins = [np.concatenate([each["network"].mean(axis=0) for each in race.found]) for race in raced]
    verdicts = [np.concatenate([each["looks"] for each in race.found]) for race in raced]
    rival = int(np.delete(np.mean([each.mean(axis=0) for each in verdicts], axis=0), ta).argmax())
    gains = [_gains(race) for race in raced]
    other = int(np.delete(np.mean([each.mean(axis=0) for each in gains], axis=0), tp).argmin())
    narrow = _NARROW if len(raced) == 1 else ""
    leads = [np.array([line["first_best"] - line["second_best"] for line in race.metrics]) for race in raced]
    least = [min((lead > 0).mean(), (lead < 0).mean()) for lead in leads]
    if len(raced) > 1:
        losing: Any = over_runs([[(each > 0.5).mean() - 0.5] for each in wins])
        balanced: Any = over_runs([[each - 0.25] for each in least])
    else:
        losing = _share_over(int((wins[0] > 0.5).sum()), len(wins[0]), 0.5)
        balanced = _share_over(round(least[0] * len(leads[0])), len(leads[0]), 0.25)
    return [
        ordering("more than half of the bests lose to the belief network", "1096 of 1100", losing, narrow, _MET),
        ordering("on average the belief network wins more than half of the games", "> .50",
                 over_runs([each - 0.5 for each in wins]), narrow, _MET),
        ordering("the bests are taken for TA before all", "most TA",
                 over_runs([each[:, ta] - np.delete(each, ta, axis=1)[:, rival] for each in verdicts]), narrow, _MET),
        ordering("the bests are taken for tight rather than loose", "predominantly tight",
                 over_runs([2 * each[:, [ta, tp]].sum(axis=1) - 1 for each in verdicts]), narrow, _MET),
        *(
            ordering(f"the last third of the bests win more from {name.upper()} than the first", "gradually improves",
                     over_runs([each[:, column] for each in gains]), place=f"fig. 6.{5 + column}")
            for column, name in enumerate(names) if name != "tp"
        ),
        ordering("against TP they improve least", "very little improvement",
                 over_runs([np.delete(each, tp, axis=1)[:, other] - each[:, tp] for each in gains]), place="fig. 6.8"),
        ordering("neither population dominates: both lead in at least a quarter of the generations", "balanced",
                 balanced, narrow, "fig. 6.4"),
    ]  # fmt: skip


def _gains(race: Race) -> NDArray[np.float64]:
    """By batch and style, what the last third of the bests win more than the first third."""
    styles = np.stack([each["styles"] for each in race.found], axis=1)  # batch, side, best, style
    third = max(1, styles.shape[2] // 3)
    gains: NDArray[np.float64] = (styles[:, :, -third:].mean(axis=2) - styles[:, :, :third].mean(axis=2)).mean(axis=1)
    return gains


def _share_over(count: int, of: int, level: float) -> tuple[float, tuple[float, float]]:
    share, (low, high) = share_interval(count, of)
    return share - level, (low - level, high - level)


def _tournaments(setting: Setting) -> int:
    return setting.choose(40, 400, 2_000)


def _meet(
    setting: Setting, game: Game, hall: Sequence[Any], numbers: Sequence[int], network: CompiledAgent, seed: int
) -> dict[str, NDArray[np.float64]]:
    """Shares of the sampled bests against the styles, worked out, and against the network, by batch; what they look like."""
    bests = [chromosome_player(hall[number], game) for number in numbers]
    styles = genes_of_players([compiled_agent(style, game) for style in STYLES], game)
    assert styles is not None
    won = duel_chances(game, [hall[number] for number in numbers], styles, setting.workers).mean(axis=2)
    shares = fresh_shares(game, bests, [[network]], setting, _tournaments(setting), seed)
    table, met = action_table(game), setting.choose(20, 100, 200)
    verdicts = [
        style_verdicts(best, network, game, table, actions=100, tournaments=met, seed=seed).mean(axis=0)
        for best in bests
    ]
    return {"styles": won[None], "network": 1.0 - shares[:, :, 0], "looks": np.array(verdicts)}


def _rows(raced: Sequence[Race], game: Game) -> list[Row]:
    names = list(STYLES)
    rows = []
    for side, name in enumerate(_SIDES):
        found = [race.found[side] for race in raced]
        wins = [each["network"].mean(axis=0) for each in found]
        like_ta = [(each["looks"].argmax(axis=1) == names.index("ta")).astype(float) for each in found]
        losing = [(each > 0.5).astype(float) for each in wins]
        for what, units, published in (
            ("bests that lose to the belief network", losing, 548 / 550),
            ("bests that look TA", like_ta, "most"),
        ):
            if len(raced) > 1:
                row = sampled_row(f"{name}: {what}", shares_over_runs(units), published, place=_MET)
            else:
                counted = share_interval(int(units[0].sum()), len(units[0]))
                row = Row(f"{name}: {what}", *counted, published, note=_NARROW, sample="bests of 1 run", place=_MET)
            rows.append(row)
        mean = shares_over_runs([each["network"].mean(axis=1) for each in found])
        rows.append(sampled_row(f"{name}: the network's wins, mean over bests", mean))
        for column, style in enumerate(names):
            share = shares_over_runs([each["styles"][:, -1, column] for each in found])
            row = sampled_row(f"{name}: last best v {style.upper()}", share)
            rows.append(replace(row, ceiling=style_ceiling(style, game)))
    return rows


def _verdict(raced: Sequence[Race]) -> str:
    names = [style.upper() for style in STYLES]
    found = [each for race in raced for each in race.found]
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


def _answers(bests: Sequence[Any], game: Game) -> list[tuple[float, float]]:
    """What the exact answer to TA wins from each, and the most that anyone who knew it could."""
    to_ta = best_response(compiled_agent("ta", game), game).policy
    players = [chromosome_player(best, game) for best in bests]
    return [(value_against(to_ta, player, game).value, best_response(player, game).value) for player in players]


def _why(raced: Sequence[Race], answers: Sequence[Sequence[tuple[float, float]]]) -> str:
    """Why the network does not win, where it does not."""
    if np.mean([each["network"].mean() for race in raced for each in race.found]) >= 0.5:
        return ""
    to_ta, most = (np.mean([pair[at] for answer in answers for pair in answer]) for at in (0, 1))
    return (
        f" The network knows four styles and answers these players as one of them. From the last bests the exact answer "
        f"to TA wins {to_ta:.2f} on average, and whoever knew them would win {most:.2f}: to look like a style is not to "
        "play like it."
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
        grid = figure.subplots(4, 2, sharey="row")
        for column, (side, drawn) in enumerate(numbers.items()):
            fitness, styles, network, verdicts = grid[:, column]
            for key in _DRAWN:
                fitness.plot(drawn[key], color=GENERATION_COLOURS[key], linewidth=1, label=f"{key} fitness")
            fitness.set_title(f"{side} population", fontweight="bold")
            for (style, colour), shares in zip(STYLE_COLOURS.items(), np.array(drawn["styles"]).T, strict=True):
                styles.plot(drawn["numbers"], shares, color=colour, linewidth=1, label=STYLE_WORDS[style])
            styles.set(ylim=(0, 1), title="what each generation's best wins from the styles")
            _draw_ranked(network, np.array(drawn["network"]), np.array(drawn["looks"]))
            draw_level(network, 0.5, "half of the games")
            network.set(ylim=(0, 1), xlabel="bests, by verdict and the network's wins")
            network.set_title("what the belief network wins from each best")
            verdicts.stackplot(drawn["numbers"], np.array(drawn["looks"]).T, colors=list(STYLE_COLOURS.values()))
            verdicts.set(ylim=(0, 1), title="whom each best is taken for")
            for axes in (fitness, styles, verdicts):
                axes.set_xlim(0, len(drawn["best"]) - 1)
                count_generations(axes)
        for axes, label in zip(grid[:, 0], ("shared fitness", *["share of games won"] * 2, "mean belief"), strict=True):
            axes.set_ylabel(label)
        draw_title(figure, "Two populations that evolve against each other")
        draw_key(figure, *grid[:, 0], columns=4)


def _draw_ranked(axes: Any, wins: NDArray[np.float64], looks: NDArray[np.float64]) -> None:
    """What the network wins from every best, ranked by the style each is taken for and by the wins (figs 6.9, 6.10)."""
    taken = looks.argmax(axis=1)
    order = np.lexsort((wins, taken))
    for style, colour in enumerate(STYLE_COLOURS.values()):
        places = np.flatnonzero(taken[order] == style)
        axes.fill_between(places, wins[order][places], step="mid", color=colour, alpha=0.85, linewidth=0)
    axes.set_xlim(0, max(1, len(wins) - 1))


STUDY = Study(
    "coevolution",
    "Two populations that evolve against each other, judged by the styles and by the belief network",
    "Baker 2010, sections 6.2–6.4, figures 6.3–6.10",
    measure,
    {_PICTURE: draw},
    "about 80 CPU seconds a run, as many to meet its bests, and five runs of the network of `four-seats`",
)
