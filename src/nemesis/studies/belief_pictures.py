"""Pictures of a style belief: how it grows, how honest it is, and how it takes a change of style."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from nemesis.measure.belief_quality import Growth, Switch
from nemesis.measure.picture import STYLE_COLOURS, save_figure

Growths = Mapping[str, Growth]
"""By the form of the game."""
Switches = Mapping[tuple[str, str], Switch]
"""By the style before and after."""


def draw_growth(growths: Growths, marks: Mapping[int, float], path: Path) -> None:
    """The posterior of the truth with its interval, dashed the ideal, and bars where it should be by then."""
    across = 2
    down = -(-len(growths) // across)
    with save_figure(path, (11, 4 * down)) as figure:
        places = figure.subplots(down, across, sharey=True, squeeze=False).ravel()
        for axes, (form, growth) in zip(places, growths.items(), strict=True):
            steps = np.arange(growth.mean.shape[1])
            for style, name in enumerate(growth.styles):
                axes.plot(steps, growth.mean[style], color=STYLE_COLOURS[name], label=name.upper())
                axes.fill_between(steps, growth.low[style], growth.high[style], color=STYLE_COLOURS[name], alpha=0.2)
                axes.plot(steps, growth.ideal[style], color=STYLE_COLOURS[name], linestyle="--", linewidth=1)
            for after, wanted in marks.items():
                axes.plot(after, wanted, "k_", markersize=14, clip_on=False)
            axes.set(
                title=f"{form} ({'dashed: ideal, ' if growth.ideal_score else ''}bars: wanted by then)",
                xlabel="informative actions seen",
                ylim=(0, 1.02),
            )
            axes.legend(loc="lower right")
        figure.supylabel("posterior of the true style")


def draw_calibration(growths: Growths, path: Path) -> None:
    """What was stated against how often it was so."""
    with save_figure(path, (5.5, 5)) as figure:
        axes = figure.add_subplot()
        axes.plot([0, 1], [0, 1], color="black", linewidth=1, label="honest")
        for (form, growth), colour in zip(growths.items(), ("tab:blue", "tab:orange"), strict=True):
            for kind, score, line in (("", growth.score, "o-"), (", ideal", growth.ideal_score, ".:")):
                if score is not None:
                    drawn = score.calibration
                    axes.plot(drawn.stated, drawn.happened, line, color=colour, label=form + kind)
        axes.set(xlabel="probability stated", ylabel="how often it was so", xlim=(0, 1), ylim=(0, 1), aspect="equal")
        axes.legend(loc="upper left")


def draw_switches(switches: Switches, windows: Mapping[int, str], path: Path) -> None:
    """Belief in the new style after a change, one small picture per change."""
    with save_figure(path, (11, 7)) as figure:
        every = figure.subplots(3, 4, sharex=True, sharey=True)
        for axes, ((old, new), switch) in zip(every.ravel(), switches.items(), strict=True):
            for row, (name, colour) in enumerate(zip(windows.values(), ("tab:grey", "tab:red"), strict=True)):
                axes.plot(switch.new[row], color=colour, label=name)
            axes.set_title(f"{old.upper()} to {new.upper()}", fontsize=10)
            axes.set_ylim(0, 1)
        every[0, 0].legend(fontsize=8)
        figure.supxlabel("informative actions since the change")
        figure.supylabel("posterior of the new style")
