"""What the four-seat network needs: evolved again without its belief, last action, or recurrence (Baker 2010, figure 5.24).

Each is evolved like the whole network and sits down at all 20 tables, on common deals. Without recurrence the network is
shown a single opponent, the next one in. The source prints a chart without numbers, and says that losing recurrence
and the last action hurts most, the belief less, and recurrence least at tables of one style. Baker et al. 2008 (figure 13)
switches inputs of the finished network off instead; the thesis evolves again, and so do we.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.interval import mean_interval
from nemesis.studies.evolved import Evolved, caveat, evolve_champion, game_of, share_of
from nemesis.studies.four_seats import MET, draw_tables, play_tables, table_numbers
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.train.recipes import RECIPES

WHOLE = "neat-four-belief"
WITHOUT = {
    "belief": "neat-four",
    "last action": "neat-four-no-last",
    "recurrence": "neat-four-no-recurrence",
}
_PICTURE = "ablations.png"


def measure(setting: Setting) -> Report:
    """Evolve the whole network and the three, play the 20 tables."""
    game = game_of(RECIPES[WHOLE])
    runs = {name: evolve_champion(RECIPES[name], setting) for name in (WHOLE, *WITHOUT.values())}
    tournaments = setting.choose(40, 2_000, 20_000)
    setting.progress("20 tables")
    batches = play_tables([run.champion for run in runs.values()], game, setting, tournaments)
    labels = ["whole", *(f"no {lost}" for lost in WITHOUT)]
    rows = []
    for index, label in enumerate(labels):
        for what, chosen in (("4 tables evolved at", MET), ("16 tables never met", ~MET)):
            figure = share_of(batches[:, index][:, chosen].mean(axis=1), tournaments * int(chosen.sum()))
            rows.append(Row(f"{label}: {what}", *figure, note="fair share .25"))
    claims = _claims(batches)
    title = "What the four-seat network needs: the whole one and three that were evolved without a part"
    drawn = table_numbers(title, {label: batches[:, i] for i, label in enumerate(labels)})
    words = caveat(setting) + _verdict(batches, runs) + orderings_summary(claims)
    return Report(words, [*claims, *rows], {_PICTURE: drawn}, "share of tournaments")


def _losses(batches: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """By what is missing: what the whole network wins more, by batch and table."""
    return {lost: batches[:, 0] - batches[:, index] for index, lost in enumerate(WITHOUT, start=1)}


def _claims(batches: NDArray[np.float64]) -> list[Row]:
    """What section 5.3 says of figure 5.24."""
    losses = _losses(batches)
    mean = {lost: loss.mean(axis=1) for lost, loss in losses.items()}
    recurrence = losses["recurrence"]
    return [
        *(
            ordering(f"without {lost} the network wins less", "impaired", mean_interval(loss))
            for lost, loss in mean.items()
        ),
        ordering("losing recurrence costs more than losing the belief", "greatest difference",
                 mean_interval(mean["recurrence"] - mean["belief"])),
        ordering("losing the last action costs more than losing the belief", "greatest difference",
                 mean_interval(mean["last action"] - mean["belief"])),
        ordering("losing recurrence costs less at tables of one style", "slightly less damaging",
                 mean_interval(recurrence[:, ~MET].mean(axis=1) - recurrence[:, MET].mean(axis=1))),
    ]  # fmt: skip


def _verdict(batches: NDArray[np.float64], runs: Mapping[str, Evolved]) -> str:
    costs = ", ".join(f"{lost} {loss.mean():+.3f}" for lost, loss in _losses(batches).items())
    rising = [name for name, run in runs.items() if run.rising]
    unfinished = f" Still rising when the run ended: {', '.join(rising)}." if rising else ""
    whole = batches[:, 0].mean()
    return f"At all 20 tables the whole network wins {whole:.2f}; what each part is worth: {costs}.{unfinished}"


STUDY = Study(
    "ablations",
    "Four seats without belief, last action or recurrence, evolved again",
    "Baker 2010, section 5.3, figure 5.24; Baker et al. 2008, figure 13",
    measure,
    {_PICTURE: draw_tables},
)
