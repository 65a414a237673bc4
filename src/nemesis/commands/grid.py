"""Goal prediction on a grid: `grid` draws a pursuit, or counts how many succeed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nemesis.commands.console import bold, out, print_json, progress_bar, status_line
from nemesis.commands.listing_table import Listing
from nemesis.commands.options import AsJson, Seed, within
from nemesis.runtime.limits import FRAME_SECONDS, NOISE, PURSUITS

if TYPE_CHECKING:
    from nemesis.commands.grid_drawing import Drawing
    from nemesis.rules.grid_map import GridMap

CHUNK = 50_000


def grid(
    map_name: Annotated[
        str, typer.Option("--map", help="A map's name, a map file, or [b]list[/b].", metavar="NAME|FILE")
    ] = "halmoids",
    noise: Annotated[
        float, typer.Option(help="With this probability a runner's move is random.", callback=within(NOISE))
    ] = 0.1,
    goal: Annotated[str, typer.Option(help="The goal the runners sail for; by default each draws one.")] = "",
    steering: Annotated[
        str,
        typer.Option(help="Who steers: directions (the source's), cost, ideal (knows the noise), told, or blind."),
    ] = "directions",
    manner: Annotated[
        str, typer.Option(help="cut-off: meet the runner on its way; guard: wait for it at the goal.")
    ] = "cut-off",
    any_way: Annotated[
        bool, typer.Option("--any-way", help="Runners take any shortest way, not the one A* finds.")
    ] = False,
    pursuits: Annotated[
        int, typer.Option("--pursuits", "-n", help="More than one are counted, not drawn.", callback=within(PURSUITS))
    ] = 1,
    delay: Annotated[
        float, typer.Option(help="Seconds between two moves on a terminal.", callback=within(FRAME_SECONDS))
    ] = 0.25,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """A ship sails for one of several goals; another guesses which from its moves, and cuts it off.

    Examples: [b]nemesis grid --map harbour --noise 0.2[/b]   [b]nemesis grid --map my-bay.txt -n 10000[/b]
    """
    from nemesis.play.grid_pursuit import ANY_GOAL
    from nemesis.rules.grid_map import grid_map, shipped_maps

    if map_name == "list":
        _list_maps([grid_map(name) for name in shipped_maps()], as_json)
        return
    world = grid_map(map_name)
    if goal and (len(goal) != 1 or goal not in world.marks):
        raise ValueError(f"{world.name} has no goal {goal!r}; its goals are {', '.join(world.marks)}")
    chosen = world.marks.index(goal) if goal else ANY_GOAL
    asked: dict[str, Any] = {
        "map": world.name,
        "noise": noise,
        "steering": steering,
        "manner": manner,
        "any_way": any_way,
        "seed": seed,
    }
    if pursuits > 1:
        _count(world, asked, chosen, pursuits, as_json)
        return
    from nemesis.believe.grid_belief import RECOGNISERS
    from nemesis.commands.grid_drawing import Drawing, pursuit_json
    from nemesis.play.grid_pursuit import pursue

    with status_line("pursuing…"):
        found = pursue(
            world, noise=noise, steering=steering, manner=manner, any_way=any_way, seed=seed, goal=chosen, traced=True
        )
    if as_json:
        print_json({**asked, **pursuit_json(world, found)})
        return
    drawing = Drawing(world, found, steering if steering in RECOGNISERS else "directions", out.width)
    if out.is_terminal and delay > 0:
        _animate(drawing, delay)
    else:
        _print(drawing)
    out.print(
        f"{world.name}, noise {noise:g}, {steering} steers, {manner}; {found.moves[0].max()} rounds, seed {seed}",
        style="dim",
        soft_wrap=True,
    )


def _list_maps(worlds: list[GridMap], as_json: bool) -> None:
    if as_json:
        print_json(
            [
                {"map": w.name, "about": w.about, "rows": w.height, "columns": w.width, "goals": len(w.goals),
                 "runners": len(w.runners), "interceptors": len(w.interceptors)}
                for w in worlds
            ]
        )  # fmt: skip
        return
    listing = Listing("map", "what it is", "size", "goals", "ships", prose={"what it is"})
    for world in worlds:
        ships = f"{len(world.runners)} v {len(world.interceptors)}"
        listing.add(world.name, world.about, f"{world.height} x {world.width}", str(len(world.goals)), ships)
    out.print(listing)


def _animate(drawing: Drawing, delay: float) -> None:
    from rich.live import Live

    with Live(drawing.frame(0), console=out, auto_refresh=False) as live:
        for round_ in range(drawing.rounds + 1):
            live.update(drawing.frame(round_), refresh=True)
            time.sleep(delay)


def _print(drawing: Drawing) -> None:
    """The whole pursuit at once: the map with the wakes, and every move with the belief after it."""
    out.print(drawing.frame(drawing.rounds))
    for runner in range(len(drawing.world.runners)):
        listing = Listing("move", drawing.title(runner), *(f"goal {mark}" for mark in drawing.world.marks))
        for line in drawing.move_lines(runner):
            listing.add(*line)
        out.print(listing)


def _count(world: GridMap, asked: dict[str, Any], goal: int, pursuits: int, as_json: bool) -> None:
    """How the runners of many pursuits ended, in shares with their intervals."""
    import numpy as np

    from nemesis.measure.grid_recognition import outcome_shares
    from nemesis.play.grid_pursuit import pursue

    outcomes = []
    with progress_bar("pursuits", "pursuits") as tell:
        for first in range(0, pursuits, CHUNK):
            count = min(CHUNK, pursuits - first)
            settings = {key: asked[key] for key in ("noise", "steering", "manner", "any_way", "seed")}
            outcomes.append(pursue(world, count, goal=goal, first=first, **settings).outcomes)
            tell(first + count, pursuits)
    shares = outcome_shares(np.concatenate(outcomes))
    if as_json:
        results = [{"outcome": name, "mean": mean, "ci95": list(ci95)} for name, (mean, ci95) in shares.items()]
        print_json({**asked, "pursuits": pursuits, "unit": "share of runners", "results": results})
        return
    listing = Listing("outcome", "share of runners", "95 % interval")
    for name, (mean, (low, high)) in shares.items():
        listing.add(name, bold(f"{mean:.4f}"), f"{low:.4f} … {high:.4f}")
    out.print(listing)
    out.print(
        f"{world.name}, {pursuits:,} pursuits, noise {asked['noise']:g}, {asked['steering']} steers, "
        f"{asked['manner']}, seed {asked['seed']}",
        style="dim",
        soft_wrap=True,
    )
