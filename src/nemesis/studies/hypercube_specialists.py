"""What a hypercube learns from A, and its worth at home and away (the hypercube paper, experiments 2 and 3).

A^tight and A^loose are the frozen cells against the tight-passive and the loose-aggressive players of the mixed table, each
played against everybody at a table of nine of one style. The source claims four inequalities between their returns and A's.
Beside them stand copies that learned longer, and copies taught at those tables themselves, where nobody else shares the
decisions. What is read from a controller is given beside what A has from the start, since a cell that was hardly ever
used is still A's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.controller_picture import controller, controller_numbers, draw_controller
from nemesis.observe.event import Event
from nemesis.observe.view import View
from nemesis.play.match import play_lineups
from nemesis.respond.agent import Uncompiled
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.hypercube import Genes, Hypercube
from nemesis.rules.game import STREETS, Game
from nemesis.rules.games import ring
from nemesis.studies.hypercube_runs import (
    LOOSE,
    TABLES,
    TIGHT,
    Seat,
    against_all,
    play_runs,
    returns,
    start_a,
)
from nemesis.studies.ordering import ordering, orderings_summary
from nemesis.studies.sample import Sampled, over_runs, sampled_row
from nemesis.studies.study import Report, Row, Setting, Study

HOME = {"tight": TIGHT, "loose": LOOSE}
PUBLISHED = {
    ("tight", "A^tight"): 1978.0,
    ("tight", "A"): -528.0,
    ("tight", "A^loose"): -361.0,
    ("loose", "A^loose"): 6119.0,
    ("loose", "A"): 5294.0,
    ("loose", "A^tight"): 4222.0,
}
"""Table 2."""
LONGER = 4
"""How many times the source's epochs the copies that learned longer had."""
FORMS = ("A^{}", f"A^{{}} after {LONGER} times the epochs", "A taught at the {} table")
RIVER = len(STREETS) - 1
_MIXED, _HOME, _MEASURED = 1, 2, 4  # stages of deals
_OURS = ""


def measure(setting: Setting) -> Report:
    """Learn at the mixed table and at both pure ones, freeze, and compare on the same deals, run by run."""
    runs = setting.evolutions
    epochs, fresh = setting.choose(10, 300, 1000), setting.choose(10, 100, 300)
    setting.progress("learning at the mixed table")
    learned = [run.genes for run in play_runs(setting, [Seat(start_a())] * runs, TABLES["mixed"], epochs, _MIXED)]
    longer = [
        run.genes for run in play_runs(setting, [Seat(start_a())] * runs, TABLES["mixed"], LONGER * epochs, _MIXED)
    ]
    players: dict[str, list[Seat]] = {"A": [against_all(start_a(), TIGHT)] * runs}
    for table, group in HOME.items():
        setting.progress(f"learning at the {table} table")
        players[FORMS[0].format(table)] = [against_all(genes, group) for genes in learned]
        players[FORMS[1].format(table)] = [against_all(genes, group) for genes in longer]
        alone = play_runs(setting, [Seat(start_a())] * runs, TABLES[table], epochs, _HOME + (table == "loose"))
        players[FORMS[2].format(table)] = [against_all(run.genes, group) for run in alone]
    worth: dict[tuple[str, str], NDArray[np.float64]] = {}
    for stage, table in enumerate(HOME, start=_MEASURED):
        for name, seats in players.items():
            setting.progress(f"{name} at the {table} table")
            worth[table, name] = returns(play_runs(setting, seats, TABLES[table], fresh, stage))
    claims = [*_inequalities(worth), *_controllers(learned)]
    rows = [
        sampled_row(
            f"{name}, at the {table} table", over_runs(found), PUBLISHED.get((table, name)),
            place="table 2" if (table, name) in PUBLISHED else "",
        )
        for (table, name), found in worth.items()
    ]  # fmt: skip
    setting.progress("hands played differently")
    hands = setting.choose(50, 2000, 5000)
    share = over_runs([_played_differently(genes, hands, setting.seed) for genes in learned])
    what = "share of hands that A^tight and A^loose play differently"
    rows.append(sampled_row(what, share, "over .15", place="section 4.3"))
    words = _verdict(worth, share, _changed(learned), runs, epochs) + orderings_summary(
        row for row in claims if row.published
    )
    return Report(words, [*claims, *rows], _pictures(learned), "chips an epoch of 100 hands")


def _inequalities(worth: Mapping[tuple[str, str], NDArray[np.float64]]) -> list[Row]:
    """Table 1, and the same for those that learned longer or at the table itself."""
    found = []
    for table, other in (("tight", "loose"), ("loose", "tight")):
        for form in FORMS:
            mine = form.format(table)
            for rival in ("A", form.format(other)):
                published = (
                    f"{PUBLISHED[table, mine]:,.0f} > {PUBLISHED[table, rival]:,.0f}" if form == FORMS[0] else _OURS
                )
                found.append(
                    ordering(f"at the {table} table {mine} earns more than {rival}", published,
                             over_runs(worth[table, mine] - worth[table, rival]),
                             place="" if published == _OURS else "table 1")
                )  # fmt: skip
    return found


def _controllers(learned: Sequence[Genes]) -> list[Row]:
    """What the source reads from figures 2 and 3, on the river."""
    found = np.array([_readings(genes) for genes in learned])
    start = _readings(start_a())
    said = (
        ("A^tight folds more with 3 bets to call than with 1", "tighter with more bets"),
        ("A^tight with nothing to call raises more late than early", "raises a lot more often"),
        ("A^loose folds less than A^tight with a bet to call", "significantly looser"),
        ("A^loose with nothing to call raises less than A^tight", "not bluffing as often"),
    )
    return [
        ordering(f"river: {claim}", published, over_runs(found[:, i]), f"A starts with {start[i]:+.3f}", "figures 2, 3")
        for i, (claim, published) in enumerate(said)
    ]


def _readings(genes: Genes) -> tuple[float, float, float, float]:
    """The four differences that should be above 0, over all win probabilities."""
    does = controller(genes)[:, :, :, RIVER].mean(axis=-2)  # group, position, bets, action
    tight, loose = does[TIGHT], does[LOOSE]
    return (
        float((tight[:, 3, 0] - tight[:, 1, 0]).mean()),
        float(tight[2, 0, 2] - tight[0, 0, 2]),
        float((tight - loose)[:, 1:, 0].mean()),
        float((tight - loose)[:, 0, 2].mean()),
    )


def _changed(learned: Sequence[Genes]) -> str:
    """How many of the cells against either style have begun a generation, by street."""
    moved = np.array([(genes != start_a())[[TIGHT, LOOSE]].any(axis=(-1, -2)) for genes in learned])
    shares = moved.mean(axis=(0, 1, 2, 3))
    return ", ".join(f"{share:.0%} on the {street}" for street, share in zip(STREETS, shares, strict=True))


class _Beside(Uncompiled):
    """Sits for one hypercube and notes the hands in which another would have acted otherwise."""

    def __init__(self, agent: Hypercube, other: Hypercube) -> None:
        super().__init__(agent)
        self.other = other
        self.differing: set[int] = set()

    def sit(self, game: Game, seat: int) -> None:
        """Both forget."""
        super().sit(game, seat)
        self.other.sit(game, seat)

    def act(self, view: View) -> int:
        """What the one does, after asking the other."""
        chosen = super().act(view)
        if self.other.act(view) != chosen:
            self.differing.add(view.hand)
        return chosen

    def watch(self, event: Event) -> None:
        """Both watch."""
        super().watch(event)
        self.other.watch(event)


def _played_differently(genes: Genes, hands: int, seed: int) -> float:
    """The share of hands at the mixed table in which A^tight acts otherwise than A^loose on the same dice."""
    game = ring()
    player = _Beside(against_all(genes, LOOSE).agent(game), against_all(genes, TIGHT).agent(game))
    others = [compiled_agent(name, game) for name in TABLES["mixed"]]
    play_lineups(game, [player, *others], np.arange(game.seats)[None, :], np.array([0]), hands=hands, seed=seed)
    return len(player.differing) / hands


def _verdict(
    worth: Mapping[tuple[str, str], NDArray[np.float64]],
    share: Sampled,
    changed: str,
    runs: int,
    epochs: int,
) -> str:
    def told(table: str, name: str) -> str:
        return f"{worth[table, name].mean():+,.0f}"

    here = {table: ", ".join(f"{name} {told(table, name)}" for name in ("A^tight", "A", "A^loose")) for table in HOME}
    longer, alone = ({table: told(table, form.format(table)) for table in HOME} for form in FORMS[1:])
    return (
        f"After {epochs} epochs at the mixed table ({runs} runs), returns at the tight table: {here['tight']}; at the loose "
        f"table: {here['loose']}. After {LONGER * epochs} epochs they have {longer['tight']} and {longer['loose']} at home. "
        f"Copies taught at the table itself have {alone['tight']} and {alone['loose']} there. "
        f"A^tight and A^loose act differently in {share.mean:.0%} of the hands. Cells that have begun a generation: "
        f"{changed}; the others are still A's, so the source's readings of the river are mostly what A started with."
    )


def _pictures(learned: Sequence[Genes]) -> dict[str, Any]:
    """The controllers of the first run."""
    found = {}
    for table, group in HOME.items():
        genes = learned[0][group]
        for name, streets in (("river", [RIVER]), ("streets", list(range(RIVER)))):
            what = "post-river" if name == "river" else "earlier streets"
            title = f"The evolved controller of A^{table}, {what}: how likely each action is"
            found[f"hypercube-{table}-{name}.png"] = controller_numbers(genes, streets, title)
    return found


STUDY = Study(
    "hypercube-specialists",
    "Cells that learned against tight and against loose players",
    "the hypercube paper, experiments 2 and 3, figures 2 and 3, tables 1 and 2",
    measure,
    {f"hypercube-{table}-{name}.png": draw_controller for table in HOME for name in ("river", "streets")},
    full_cost="two minutes",
)
