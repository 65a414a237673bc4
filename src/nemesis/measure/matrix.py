"""Everyone against everyone: a matrix of duels and its picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.charts import draw_numbers, draw_title
from nemesis.measure.contest import measure_table
from nemesis.measure.picture import save_figure
from nemesis.measure.result import Result
from nemesis.play.match import DEFAULT_TIME_LIMIT, Player
from nemesis.play.workers import Workers
from nemesis.rules.game import Game


@dataclass(frozen=True)
class Matrix:
    """Duel results by (row player, column player), in the game's unit from the row player's side."""

    game: str
    unit: str
    players: tuple[str, ...]
    means: NDArray[np.float64]
    margins: NDArray[np.float64]
    hands: int
    seconds: float
    seed: int


def play_matrix(
    players: Sequence[Player],
    game: Game,
    hands: int,
    *,
    seed: int = 0,
    workers: Workers = 1,
    time_limit: float = DEFAULT_TIME_LIMIT,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Matrix:
    """Every pair of different players, `hands` hands each."""
    if len(players) < 2:
        raise ValueError("a matrix needs at least two agents to compare")
    size = len(players)
    means, margins = np.zeros((size, size)), np.zeros((size, size))
    pairs = [(row, column) for row in range(size) for column in range(row + 1, size)]
    results: list[Result] = []
    for done, (row, column) in enumerate(pairs):
        pair = [players[row], players[column]]
        result = measure_table(pair, game, hands, seed=seed, workers=workers, time_limit=time_limit)
        results.append(result)
        for (i, j), score in zip(((row, column), (column, row)), result.scores, strict=True):
            means[i, j], margins[i, j] = score.mean, score.margin
        progress(done + 1, len(pairs))
    return Matrix(
        game.name,
        game.unit[0],
        tuple(player.label for player in players),
        means,
        margins,
        sum(result.hands for result in results),
        sum(result.seconds for result in results),
        seed,
    )


def draw_matrix(matrix: Matrix, path: Path) -> None:
    """Write the matrix as a heat map (PNG, SVG or PDF by the file's ending), replacing the file at once or not at all."""
    from matplotlib.colors import SymLogNorm

    size = len(matrix.players)
    most = max(1.0, float(np.abs(matrix.means).max()))
    norm = SymLogNorm(linthresh=most / 50, vmin=-most, vmax=most, base=10)
    texts = [
        ["" if i == j else f"{matrix.means[i, j]:+z,.0f}\n±{matrix.margins[i, j]:,.0f}" for j in range(size)]
        for i in range(size)
    ]
    with save_figure(path, (3.2 + 0.78 * size, 2.2 + 0.56 * size)) as figure:
        axes = figure.add_subplot()
        image = draw_numbers(axes, matrix.means, texts, norm, "RdBu")
        axes.set_xticks(range(size), matrix.players)
        axes.set_yticks(range(size), matrix.players)
        axes.xaxis.tick_top()
        draw_title(figure, f"{matrix.game}: what the row takes from the column, {matrix.unit}, ± 95 %")
        axes.set_xlabel(f"{matrix.hands:,} hands in all, seats swapped on the same deals, seed {matrix.seed}")
        bar = figure.colorbar(image, ax=axes, shrink=0.85)
        bar.set_label(f"{matrix.unit} (symmetric log scale, linear within ±{most / 50:,.0f})")
        bar.ax.yaxis.set_major_formatter(lambda value, _: f"{value:z,.0f}".replace("-", "−"))
