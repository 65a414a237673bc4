"""Pictures of a style belief: how it grows, how honest it is, and how it takes a change of style."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nemesis.measure.belief_quality import Growth, Switch
from nemesis.measure.charts import draw_calibration, draw_key, draw_title, draw_trace, panels
from nemesis.measure.picture import GREEN, INK, SERIES, STYLE_COLOURS, STYLE_WORDS, save_figure

Growths = Mapping[str, Growth]
"""By the form of the game."""
Switches = Mapping[tuple[str, str], Switch]
"""By the style before and after."""


def growth_numbers(growths: Growths, marks: Mapping[int, float]) -> dict[str, Any]:
    """The posterior of the truth with its interval by form and style, what is ideal, and what is wanted by when."""
    forms = {
        form: {
            name: {"figures": _figures(growth.mean[style], growth.low[style], growth.high[style]),
                   "ideal": growth.ideal[style] if growth.ideal_score else None}
            for style, name in enumerate(growth.styles)
        }
        for form, growth in growths.items()
    }  # fmt: skip
    return {"forms": forms, "marks": [[after, wanted] for after, wanted in marks.items()]}


def draw_growth(numbers: Mapping[str, Any], path: Path) -> None:
    """A panel for every form of belief, a curve for every style, and marks that should be reached."""
    forms = numbers["forms"]
    with save_figure(path, (10, 1.1 + 2.9 * -(-len(forms) // 2))) as figure:
        every = panels(figure, len(forms), 2, sharey=True)
        for axes, (form, styles) in zip(every, forms.items(), strict=True):
            for name, drawn in styles.items():
                steps = np.arange(len(drawn["figures"]))
                draw_trace(axes, steps, drawn["figures"], STYLE_COLOURS[name], STYLE_WORDS[name])
                if drawn["ideal"]:
                    axes.plot(steps, drawn["ideal"], color=STYLE_COLOURS[name], linestyle="--", linewidth=1)
            for after, wanted in numbers["marks"]:
                axes.plot(after, wanted, "_", color=INK, markersize=16, markeredgewidth=2, clip_on=False)
            axes.set(title=form, xlabel="informative actions seen", ylim=(0, 1.02))
        every[0].plot([], [], color=INK, linestyle="--", linewidth=1, label="if actions were independent draws")
        every[0].plot([], [], "_", color=INK, markersize=10, markeredgewidth=2, label="wanted by then")
        draw_title(figure, "How much the belief gives to the true style, ± 95 %, by form of the belief")
        figure.supylabel("posterior of the true style")
        draw_key(figure, *every, columns=4)


def calibration_numbers(growths: Growths) -> dict[str, Any]:
    """What was stated and how often it was so, by form; measured, and ideal where that is known."""
    return {
        form: {
            kind: {"stated": score.calibration.stated, "happened": score.calibration.happened}
            for kind, score in (("measured", growth.score), ("ideal", growth.ideal_score)) if score is not None
        }
        for form, growth in growths.items()
    }  # fmt: skip


def draw_calibrations(numbers: Mapping[str, Any], path: Path) -> None:
    """What was stated against how often it was so."""
    with save_figure(path, (6, 6.2)) as figure:
        axes = figure.add_subplot()
        axes.plot([0, 1], [0, 1], color=INK, linewidth=1, linestyle="--", label="honest")
        for (form, kinds), colour in zip(numbers.items(), SERIES, strict=False):
            for kind, drawn in kinds.items():
                ideal = kind == "ideal"
                name = f"{form}, independent draws" if ideal else form
                draw_calibration(axes, drawn["stated"], drawn["happened"], colour, name, ideal)
        axes.set(xlabel="probability stated", ylabel="share of such statements that were true")
        axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
        axes.grid(True, axis="both")
        draw_title(figure, "Of styles believed in so much, how many were true?")
        draw_key(figure, axes, columns=2)


def switch_numbers(switches: Switches, windows: Mapping[int, str]) -> dict[str, Any]:
    """Belief in the new style by change and memory, from the change on."""
    changes = [
        {"title": f"{old.upper()} to {new.upper()}",
         "memories": [_figures(switch.new[row], switch.low[row], switch.high[row]) for row in range(len(windows))]}
        for (old, new), switch in switches.items()
    ]  # fmt: skip
    return {"memories": list(windows.values()), "changes": changes}


def draw_switches(numbers: Mapping[str, Any], path: Path) -> None:
    """Belief in the new style after a change, one small picture per change."""
    with save_figure(path, (10, 7)) as figure:
        every = panels(figure, len(numbers["changes"]), 4, sharex=True, sharey=True)
        for axes, change in zip(every, numbers["changes"], strict=True):
            for figures, name, colour in zip(change["memories"], numbers["memories"], (INK, GREEN), strict=True):
                draw_trace(axes, np.arange(len(figures)), figures, colour, f"{name}, ± 95 %")
            axes.axhline(0.5, color=INK, linewidth=0.7, linestyle=":")
            axes.set(title=change["title"], ylim=(0, 1))
        for axes in every[-4:]:
            axes.set_xlabel("actions since the change")
        draw_title(figure, "Belief in the new style after a change, with a long memory and a short one")
        figure.supylabel("posterior of the new style")
        draw_key(figure, every[0])


def draw_opponent(numbers: Mapping[str, Any], path: Path) -> None:
    """What is believed of one opponent, action after action, and what it did."""
    with save_figure(path, (8, 4.2)) as figure:
        axes = figure.add_subplot()
        steps = np.arange(len(numbers["posteriors"]))
        for (name, colour), beliefs in zip(STYLE_COLOURS.items(), np.array(numbers["posteriors"]).T, strict=True):
            axes.plot(steps, beliefs, color=colour, label=STYLE_WORDS[name])
        for step, action in enumerate(numbers["actions"], start=1):
            axes.text(step, -0.045, action, ha="center", va="center", fontsize=7)
        axes.set(xlabel="informative actions seen (F fold, C call, B bet)", ylim=(-0.09, 1.02))
        axes.set(ylabel="posterior", xlim=(0, len(steps) - 1))
        draw_title(figure, f"What is believed of one {numbers['truth'].upper()} opponent, one of many (figure 4.2)")
        draw_key(figure, axes, columns=4)


def _figures(mean: Sequence[float], low: Sequence[float], high: Sequence[float]) -> Any:
    return np.stack([mean, low, high], axis=1)
