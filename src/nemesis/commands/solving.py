"""Strategies that nobody takes much from, and what can be taken: `solve`, `exploit`."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nemesis.commands.console import bold, err, out, print_json, progress_bar, status_line
from nemesis.commands.listing_table import Listing
from nemesis.commands.options import AsJson, Hands, PlayedGame, Seed, Workers, new_folder, within
from nemesis.runtime.limits import MINUTES, SAMPLES, Limit

if TYPE_CHECKING:
    from nemesis.solve.abstract_game import AbstractGame
    from nemesis.solve.solving import Progress

SEARCHES = Limit("searches", 0, 100)
GENERATIONS = Limit("generations", 1, 100_000)

SolvedGame = Annotated[
    str,
    typer.Argument(
        help="A heads-up game from [b]nemesis games[/b] or an ACPC game definition file.",
        metavar="GAME",
        show_default=False,
    ),
]


@dataclass(frozen=True)
class BucketCounts:
    """Buckets of flop, turn and river."""

    flop: int
    turn: int
    river: int

    def __str__(self) -> str:
        return f"{self.flop},{self.turn},{self.river}"


def bucket_counts(text: str) -> BucketCounts:
    """Three numbers from a text such as 150,150,100."""
    try:
        flop, turn, river = (int(part) for part in text.split(",") if len(part) < 10)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not three numbers of buckets; write 150,150,100") from None
    return BucketCounts(flop, turn, river)


def solve(
    game: SolvedGame,
    minutes: Annotated[float | None, typer.Option(help="How long to learn, in all.", callback=within(MINUTES))] = None,
    deals: Annotated[
        int | None, typer.Option(help="Deals to learn from, in all, instead of minutes.", callback=within(SAMPLES))
    ] = None,
    buckets: Annotated[
        BucketCounts | None,
        typer.Option(help="Card buckets of flop, turn and river: 150,150,100.", metavar="F,T,R", parser=bucket_counts),
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            help="external, external-linear, external-discounted, external-floored, external-pruned or chance-linear."
        ),
    ] = "external-linear",
    out_folder: Annotated[
        Path | None,
        typer.Option(
            "--out", help="The run's folder; runs/solve-GAME by default.", parser=new_folder, metavar="FOLDER"
        ),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in the folder.")] = False,
    seed: Seed = 0,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Solve a heads-up game with a menu of bets and cards in buckets, by regret minimisation; the result is an agent.

    Example: [b]nemesis solve no-limit --minutes 60[/b], then [b]nemesis duel runs/solve-no-limit/strategy.npz hp[/b]
    """
    import nemesis
    from nemesis.play.workers import cores
    from nemesis.solve.abstract_game import abstract_game
    from nemesis.solve.solved import STRATEGY, checked_place, solve_game
    from nemesis.solve.solving import Run

    if (minutes is None) == (deals is None):
        raise ValueError("say how long to solve: --minutes 60, or --deals 1000000")
    chosen = nemesis.game(game, 2)
    folder = out_folder or Path("runs") / f"solve-{chosen.name}"
    checked_place(folder, resume)
    small = abstract_game(chosen, None if buckets is None else (buckets.flop, buckets.turn, buckets.river))
    run = Run(small, method=method, seed=seed, workers=workers or (cores() if chosen.is_holdem else 1))
    _tell_size(small)
    options = [f"--minutes {minutes:g}" if minutes is not None else f"--deals {deals}"]
    options += [f"--buckets {buckets}"] if buckets else []
    options += [f"--method {method}"] if method != "external-linear" else []
    command = f"nemesis solve {shlex.quote(game)} {' '.join(options)} --workers {run.workers} --seed {seed}"
    with status_line(f"solving {chosen.name}") as say:
        solved = solve_game(
            run, folder, minutes=minutes, deals=deals, resume=resume, command=command,
            say=lambda done: say(_standing(chosen.name, done)),
        )  # fmt: skip
    if as_json:
        print_json({**solved.report, "folder": str(folder)})
        return
    _print_solved(solved.report, digits=0 if chosen.big_blind else 5, seed=seed)
    if chosen.is_holdem:
        out.print(f"strategy: {folder / STRATEGY}", soft_wrap=True)


def _tell_size(small: AbstractGame) -> None:
    sizes = small.sizes
    err.print(
        f"{small.game.name}: {sizes.nodes:,} nodes, {sizes.decisions:,} of them decisions, buckets "
        f"{', '.join(map(str, small.buckets.counts.tolist()))}; {sizes.information_sets:,} information sets, "
        f"{sizes.slots:,} numbers to learn, {sizes.megabytes:,.1f} MB",
        soft_wrap=True,
    )


def _standing(name: str, done: Progress) -> str:
    taken = f", exploitability {done.curve[-1]['exploitability']:,.4g}" if done.curve else ""
    return f"solving {name}: {done.deals:,} deals in {done.seconds / 60:.1f} min{taken}"


def _print_solved(report: dict[str, Any], digits: int, seed: int) -> None:
    listing = Listing("minutes", "deals", f"exploitability, {report['unit']}", "95 % interval")
    for point in report["curve"]:
        low, high = point["ci95"]
        listing.add(
            f"{point['seconds'] / 60:.2f}", f"{point['deals']:,}", bold(f"{point['exploitability']:,.{digits}f}"),
            f"{low:,.{digits}f} … {high:,.{digits}f}" if low < high else "exact",
        )  # fmt: skip
    out.print(listing)
    if "value" in report:
        out.print(f"worth {report['value']:+.5f} {report['unit']} to the first to act", soft_wrap=True)
    rate = f"{report['deals']:,} deals, {1e9 * report['cpu_seconds'] / max(1, report['nodes']):.0f} ns a node"
    out.print(f"{rate}, {report['method']}, seed {seed}", style="dim", soft_wrap=True)


def exploit(
    agent: Annotated[str, typer.Argument(help="An agent's name.", metavar="AGENT", show_default=False)],
    game: PlayedGame = None,
    hands: Hands = 20_000,
    searches: Annotated[
        int,
        typer.Option(
            help="Searches for a counter-strategy, without limit; 0 takes the shipped ones.", callback=within(SEARCHES)
        ),
    ] = 2,
    generations: Annotated[
        int, typer.Option(help="Generations of a search, of 25 candidates each.", callback=within(GENERATIONS))
    ] = 60,
    seed: Seed = 0,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """How much can be taken from an agent: exactly in small games, from below at heads-up hold'em.

    Example: [b]nemesis exploit nl-ta --hands 20000[/b]
    """
    import nemesis
    from nemesis.respond.by_name import game_for
    from nemesis.solve.exploiting import exploit as bounds_of

    chosen = nemesis.game(game or game_for([agent], "no-limit"), 2)
    with progress_bar(f"local best response to {agent}", "deals") as progress:
        bounds, why = bounds_of(
            agent, chosen, hands, searches=searches, generations=generations, seed=seed, workers=workers or 1,
            progress=progress, say=lambda line: err.print(f"nemesis: {line}", highlight=False),
        )  # fmt: skip
    unit, _ = chosen.unit
    unit = "share of tournaments" if chosen.freeze_out else unit
    if as_json:
        told = [bound.to_json() for bound in bounds]
        print_json({"agent": agent, "game": chosen.name, "unit": unit, "bounds": told, "note": why, "seed": seed})
        return
    digits = 0 if unit.startswith("mBB") else 5
    listing = Listing("taken by", unit, "95 % interval", "hands")
    for bound in bounds:
        low, high = bound.ci95
        told_interval = "exact" if bound.exact else f"{low:+,.{digits}f} … {high:+,.{digits}f}"
        count = "" if bound.exact else f"{bound.hands:,}"
        listing.add(bound.by, bold(f"{bound.mean:+,.{digits}f}"), told_interval, count)
    out.print(listing)
    if why:
        out.print(why, soft_wrap=True)
    if not bounds or not bounds[0].exact:
        out.print(f"lower bounds: others may take more; {chosen.name}, seed {seed}", style="dim", soft_wrap=True)
