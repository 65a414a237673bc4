"""What a contest has brought so far: the matrix, the same as CSV, and the adaptation curves."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np

from nemesis.lab.arena_work import Cell, Contest
from nemesis.lab.shapes.curves import Line, line_chart
from nemesis.lab.shapes.svg import COLOURS
from nemesis.measure.matrix import Matrix
from nemesis.rules.by_name import game


def contest_tables(contest: Contest, found: list[Cell]) -> tuple[list[list[float | None]], list[list[float | None]]]:
    """Means and margins by row and column; None where a pair has not been played."""
    size = len(contest.players)
    means: list[list[float | None]] = [[None] * size for _ in range(size)]
    margins: list[list[float | None]] = [[None] * size for _ in range(size)]
    for cell in found:
        means[cell.row][cell.column], means[cell.column][cell.row] = cell.mean, -cell.mean
        margins[cell.row][cell.column] = margins[cell.column][cell.row] = cell.margin
    return means, margins


def contest_matrix(contest: Contest, found: list[Cell]) -> Matrix:
    """The matrix as `nemesis matrix` has it."""
    chosen = game(contest.game, 2)
    means, margins = (np.array(table, np.float64) for table in contest_tables(contest, found))
    hands = sum(cell.hands for cell in found)
    return Matrix(
        chosen.name,
        chosen.unit[0],
        contest.players,
        np.nan_to_num(means),
        np.nan_to_num(margins),
        hands,
        0.0,
        contest.seed,
    )


def contest_csv(contest: Contest, found: list[Cell], curves: list[dict[str, Any]]) -> bytes:
    """A line for every pair, and one for every stretch of the curves."""
    unit = game(contest.game, 2).unit[0]
    text = io.StringIO()
    write = csv.writer(text, lineterminator="\n")
    write.writerow(["what", "player", "opponent", "from_hand", "to_hand", "mean", "low95", "high95", "hands", "unit",
                    "game", "seed"])  # fmt: skip
    for cell in found:
        for row, column, mean in ((cell.row, cell.column, cell.mean), (cell.column, cell.row, -cell.mean)):
            ends = [mean, mean - cell.margin, mean + cell.margin]
            names = [contest.players[row], contest.players[column]]
            write.writerow(["pair", *names, "", "", *ends, cell.hands, unit, contest.game, contest.seed])
    for curve in curves:
        names = [contest.players[curve["row"]], contest.players[curve["column"]]]
        for first, last, point in zip([0, *curve["ends"]], curve["ends"], curve["points"], strict=False):
            hands = 2 * contest.matches * (last - first)
            write.writerow(["stretch", *names, first + 1, last, *point, hands, unit, contest.game, contest.seed])
    return text.getvalue().encode()


def adaptation_chart(contest: Contest, curves: list[dict[str, Any]]) -> str:
    """What the first agent takes from each of the others, over the hands of a match."""
    lines = []
    for curve in curves:
        ends = curve["ends"]
        middles = [(first + last) / 2 for first, last in zip([0, *ends], ends, strict=False)]
        means, lows, highs = (list(values) for values in zip(*curve["points"], strict=True))
        name = contest.players[curve["column"]]
        lines.append(Line(name, middles, means, lows, highs, COLOURS.get(name, "")))
    return line_chart(lines, width=640, height=260, x="hand of the match", y="mBB/hand", ends=(0, contest.length))
