"""What the four-seat network needs: evolved again without its belief, last action, or recurrence (Baker 2010, figure 5.24).

Each is evolved like the whole network, several times, and sits down at all 20 tables, on common deals. Without recurrence
the network is shown a single opponent, the next one in. The source prints a chart without numbers, and says that losing
recurrence and the last action hurts most, the belief less, and recurrence least at tables of one style. Baker et al. 2008
(figure 13) switches inputs of the finished network off instead; the thesis evolves again, and so do we.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nemesis.studies.evolved import Evolved, caveat, unrun
from nemesis.studies.four_seats import (
    MET,
    Shares,
    draw_tables,
    finished_runs,
    paired,
    play_tables,
    table_numbers,
)
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.sample import over_runs, sampled_row, shares_over_runs
from nemesis.studies.study import Report, Row, Setting, Study

WHOLE = "neat-four-belief"
WITHOUT = {
    "belief": "neat-four",
    "last action": "neat-four-no-last",
    "recurrence": "neat-four-no-recurrence",
}
_PICTURE, PLACE = "ablations.png", "fig. 5.24"


def measure(setting: Setting) -> Report:
    """Evolve the whole network and the three several times, play the 20 tables."""
    recipes = {"whole": WHOLE, **{f"no {lost}": name for lost, name in WITHOUT.items()}}
    runs = finished_runs(list(recipes.values()), setting)
    shares = {label: play_tables(runs[name], setting) for label, name in recipes.items() if name in runs}
    rows = [
        sampled_row(f"{label}: {what}", shares_over_runs(of[:, :, chosen].mean(axis=2)), note="fair share .25")
        for label, of in shares.items()
        for what, chosen in (("4 tables evolved at", MET), ("16 tables never met", ~MET))
    ]
    claims = _claims(shares)
    title = "What the four-seat network needs: the whole one and three that were evolved without a part"
    drawn = table_numbers(title, shares)
    words = (
        caveat(setting, [len(of) for of in runs.values()])
        + _verdict(shares, runs)
        + unrun(list(recipes.values()), setting)
    )
    return Report(words + orderings_summary(claims), [*claims, *rows], {_PICTURE: drawn}, "share of tournaments")


def _losses(shares: Mapping[str, Shares]) -> dict[str, Shares]:
    """By what is missing: what the whole network wins more, by run, batch and table."""
    losses = {}
    for lost in WITHOUT:
        if {"whole", f"no {lost}"} <= set(shares):
            whole, without = paired(shares["whole"], shares[f"no {lost}"])
            losses[lost] = whole - without
    return losses


def _claims(shares: Mapping[str, Shares]) -> list[Row]:
    """What section 5.3 says of figure 5.24."""
    losses = _losses(shares)
    mean = {lost: loss.mean(axis=2) for lost, loss in losses.items()}
    claims = [
        ordering(f"without {lost} the network wins less", "impaired", over_runs(loss), place=PLACE)
        for lost, loss in mean.items()
    ]
    for lost in ("recurrence", "last action"):
        if {lost, "belief"} <= set(mean):
            more, less = paired(mean[lost], mean["belief"])
            claim = f"losing {'the ' * (lost == 'last action')}{lost} costs more than losing the belief"
            claims.append(ordering(claim, "greatest difference", over_runs(more - less), place=PLACE))
    if "recurrence" in losses:
        recurrence = losses["recurrence"]
        gap = over_runs(recurrence[:, :, ~MET].mean(axis=2) - recurrence[:, :, MET].mean(axis=2))
        claim = "losing recurrence costs less at tables of one style"
        claims.append(ordering(claim, "slightly less damaging", gap, place=PLACE))
    return claims


def _verdict(shares: Mapping[str, Shares], runs: Mapping[str, Sequence[Evolved]]) -> str:
    costs = ", ".join(f"{lost} {loss.mean():+.3f}" for lost, loss in _losses(shares).items())
    rising = [name for name, of in runs.items() if any(run.rising for run in of)]
    unfinished = f" Still rising when a run ended: {', '.join(rising)}." if rising else ""
    whole = f"the whole network wins {shares['whole'].mean():.2f}; " if "whole" in shares else ""
    return f"At all 20 tables {whole}what each part is worth: {costs}.{unfinished}"


STUDY = Study(
    "ablations",
    "Four seats without belief, last action or recurrence, evolved again",
    "Baker 2010, section 5.3, figure 5.24; Baker et al. 2008, figure 13",
    measure,
    {_PICTURE: draw_tables},
    "about 3 CPU hours, half of them shared with `four-seats` if `--runs-in` is the same",
)
