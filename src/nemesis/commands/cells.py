"""What the cells of a hypercube have learned: `cells`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nemesis.commands.console import out, print_json, status_line
from nemesis.commands.listing_table import Listing
from nemesis.commands.options import AsJson, GameName, Seed, new_champion, new_picture, within
from nemesis.runtime.limits import MATCH_HANDS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nemesis.respond.hypercube import Hypercube

SHOWN = (0.3, 0.5, 0.7, 0.9)
"""Win probabilities at which the table says what a cell does."""


def cells(
    player: Annotated[
        str, typer.Argument(help="A hypercube: hypercube, hypercube-a, a file saved here.", show_default=False)
    ],
    opponents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[AGENT]...", help="Whom it learns from first; nobody: as it sits down.", show_default=False
        ),
    ] = None,
    hands: Annotated[
        int, typer.Option("--hands", "-n", help="Hands to learn in.", callback=within(MATCH_HANDS))
    ] = 10_000,
    street: Annotated[str, typer.Option(help="preflop, flop, turn or river.")] = "preflop",
    against: Annotated[
        str | None,
        typer.Option(help="The group of opponents: a style, or [b]seat 3[/b]. By default the most practised."),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(help="Draw that group's cells here (.png, .svg, .pdf).", parser=new_picture, metavar="FILE"),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            help="Keep what it learned as a champion that can be seated.", parser=new_champion, metavar="FILE"
        ),
    ] = None,
    frozen: Annotated[bool, typer.Option("--frozen", help="The champion learns no more.")] = False,
    game: GameName = "ring",
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """What a hypercube's cells do: fold, call and raise by position and bets to call, before or after a match.

    Example: [b]nemesis cells hypercube-a la la la tp tp --hands 20000 --street river --picture cells.png[/b]
    """
    import nemesis
    from nemesis.measure.controller_picture import controller_numbers, draw_controller
    from nemesis.rules.game import STREETS
    from nemesis.train.table_learning import hypercube_of, learn_at, save_learned

    if street not in STREETS:
        raise ValueError(f"{street!r} is not a street; choose one of {', '.join(STREETS)}")
    others = opponents or []
    if save is not None and not others:
        raise ValueError("there is nothing to save before somebody was played; name the opponents to learn from")
    if frozen and save is None:
        raise ValueError("--frozen is said of the champion that --save writes; name its file")
    chosen = nemesis.game(game, len(others) + 1) if others else nemesis.game(game)
    learner = hypercube_of(nemesis.agent(player, chosen))
    memory, chips = learner.memory, None
    if against is not None and against not in learner.groups:
        raise ValueError(f"{player} has no cells against {against!r}; it has {', '.join(learner.groups)}")
    with status_line("learning…") as say:
        if others:
            played = learn_at(chosen, learner, others, hands, seed=seed)
            memory, chips = played.memories[0], float(played.chips[:, 0].sum()) / hands
        if save is not None:
            say("measuring what it is worth on new deals…")
            said = ["nemesis", "cells", player, *others, "--hands", str(hands), "--game", game, "--seed", str(seed)]
            command = shlex.join([*said, "--frozen"] if frozen else said)
            save_learned(
                save, learner, memory, learning=not frozen, game=chosen, opponents=others, hands=hands, seed=seed,
                command=command,
            )  # fmt: skip
    group = (
        learner.generations(memory).sum(axis=(1, 2, 3)).argmax() if against is None else learner.groups.index(against)
    )
    found = _cells(learner, memory, int(group), STREETS.index(street))
    if picture is not None:
        title = f"{player} against {learner.groups[group]}: how likely each action is"
        draw_controller(controller_numbers(learner.genes(memory)[group], [STREETS.index(street)], title), picture)
    if as_json:
        print_json({"player": player, "opponents": others, "hands": hands if others else 0, "seed": seed, "street": street,
                    "against": learner.groups[group], "chips_per_hand": chips, "cells": found})  # fmt: skip
        return
    learned = f" after {hands:,} hands, {chips:+.2f} chips a hand" if chips is not None else ""
    _print_cells(found, f"{street}, against {learner.groups[group]}: fold/call/raise in %, by win probability{learned}")
    for path in filter(None, (picture, save)):
        out.print(f"written: {path}", style="dim", soft_wrap=True)


def _cells(learner: Hypercube, memory: NDArray[np.float64], group: int, street: int) -> list[dict[str, Any]]:
    """What each cell of a group does on a street, at a few win probabilities."""
    import numpy as np

    from nemesis.measure.controller_picture import controller
    from nemesis.respond.hypercube import POSITION_NAMES

    generations = learner.generations(memory)[group, :, :, street]
    does = controller(learner.genes(memory)[group], np.array(SHOWN))[:, :, street]
    does[:, 0, :, 1] += does[:, 0, :, 0]  # a fold that is free is a check
    does[:, 0, :, 0] = 0.0
    return [
        {"position": POSITION_NAMES[position], "bets": bets, "generation": int(generations[position, bets]),
         "actions": [dict(zip(("win", "fold", "call", "raise"), (x, *map(float, shares)), strict=True))
                     for x, shares in zip(SHOWN, does[position, bets], strict=True)]}
        for position, bets in np.ndindex(does.shape[:2])
    ]  # fmt: skip


def _print_cells(found: list[dict[str, Any]], what: str) -> None:
    listing = Listing("position", "bets to call", "generation", *(f"wins {x:.0%}" for x in SHOWN))
    for cell in found:
        shares = ("/".join(f"{100 * at[name]:.0f}" for name in ("fold", "call", "raise")) for at in cell["actions"])
        listing.add(cell["position"], str(cell["bets"]), str(cell["generation"]), *shares)
    out.print(listing)
    out.print(what, style="dim")
