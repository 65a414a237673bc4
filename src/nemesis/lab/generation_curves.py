"""A run of evolution drawn: fitness by generation, what its learner tells of itself, and what its champion is worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nemesis.lab.shapes.curves import Line, line_chart
from nemesis.lab.shapes.figures import whisker_rows

WIDTH, HEIGHT = 720, 250
MOST_POINTS = 400
COLOURS = {"best": "var(--green)", "mean": "var(--tp)", "worst": "var(--fold)", "fresh": "var(--raise)"}


def fitness_chart(
    curve: list[dict[str, float]], fresh: list[dict[str, Any]], met: int | None, goal: int, unit: str
) -> str:
    """Best, mean and worst of every generation of `goal`, and the best on fresh deals; the generation `met` is marked."""
    lines = _lines(curve, fresh)
    if met is not None and met < len(curve):
        best = float(curve[met]["best"])
        mark = (float(met), best, f"generation {met}: best {best:.3f}")
        lines[0] = Line("best", lines[0].xs, lines[0].ys, colour=COLOURS["best"], marks=[mark])
    span = (0.0, 1.0) if unit == "share of tournaments" else None
    return line_chart(
        lines, width=WIDTH, height=HEIGHT, x="generation", y=unit, span=span, ends=(0, max(1, goal - 1)), zero=False
    )


def _lines(curve: list[dict[str, float]], fresh: list[dict[str, Any]]) -> list[Line]:
    step = max(1, len(curve) // MOST_POINTS)
    thin = curve[::step] + ([curve[-1]] if curve and (len(curve) - 1) % step else [])
    xs = [line["generation"] for line in thin]
    lines = [Line(key, xs, [line[key] for line in thin], colour=COLOURS[key]) for key in ("best", "mean", "worst")]
    if fresh:
        bands = [line["ci95"] or [line["fitness"], line["fitness"]] for line in fresh]
        lines.append(
            Line(
                "best, fresh deals", [line["generation"] for line in fresh], [line["fitness"] for line in fresh],
                [low for low, _ in bands], [high for _, high in bands], COLOURS["fresh"],
            )
        )  # fmt: skip
    return lines


def growth_chart(curve: list[dict[str, float]], goal: int) -> str:
    """What the learner says of itself beside fitness: species, hidden nodes, spread."""
    known = ("generation", "best", "mean", "worst")
    keys = [key for key in (curve[-1] if curve else {}) if key not in known and not key.startswith("share_")]
    if not keys:
        return ""
    step = max(1, len(curve) // MOST_POINTS)
    thin = curve[::step]
    lines = [
        Line(key.replace("_", " "), [line["generation"] for line in thin], [line.get(key, 0.0) for line in thin])
        for key in keys
    ]
    return line_chart(lines, width=WIDTH, height=130, ends=(0, max(1, goal - 1)))


def score_rows(score: Mapping[str, Any], unit: str) -> tuple[str, str]:
    """A champion's score on fresh deals at each of its tables, and in words how much was played."""
    key = next((key for key in ("share", "mbb", "chips") if key in next(iter(score["tables"].values()))), "share")
    behind = f"{score.get('tournaments') or score.get('hands'):,} {'tournaments' if key == 'share' else 'hands'}"
    rows = [(table, (entry[key], *entry["ci95"]), behind) for table, entry in score["tables"].items()]
    names = {"share": unit, "mbb": "mBB/hand", "chips": f"chips in {score.get('match')} hands"}
    span = (0.0, 1.0) if key == "share" else None
    return whisker_rows(rows, width=300, unit=names[key], with_sign=key != "share", span=span), behind
