"""Agents against agents, and a person against agents: `duel`, `table`, `tournament`, `matrix`, `play`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from nemesis.commands.console import (
    AgentNames,
    AsJson,
    GameName,
    Seed,
    Stack,
    TimeLimit,
    Until,
    Workers,
    new_listing,
    out,
    print_json,
    print_result,
    progress_bar,
)

Hands = Annotated[int, typer.Option("--hands", "-n", help="Hands to play in all.")]
PlayedGame = Annotated[
    str | None,
    typer.Option(
        "--game",
        "-g",
        help="A name from [b]nemesis games[/b] or an ACPC game definition file; by default the one a champion among "
        "the agents evolved for, else no-limit, for tournaments one-card.",
    ),
]
HandsPerMatch = Annotated[int | None, typer.Option(help="Hands per match; agents forget between matches.", min=1)]


def duel(
    first: Annotated[str, typer.Argument(help="An agent's name or path/to/file.py:ClassName.", show_default=False)],
    second: Annotated[str, typer.Argument(help="Its opponent.", show_default=False)],
    game: PlayedGame = None,
    hands: Hands = 20_000,
    match: HandsPerMatch = None,
    precision: Until = None,
    stack: Stack = None,
    seed: Seed = 0,
    workers: Workers = None,
    time_limit: TimeLimit = 10.0,
    as_json: AsJson = False,
) -> None:
    """Two agents heads-up: the same deals with seats swapped, so the luck of the cards cancels.

    Example: [b]nemesis duel la tp --game limit --hands 100000[/b]
    """
    table([first, second], game, hands, match, precision, stack, seed, workers, time_limit, as_json)


def table(
    players: AgentNames,
    game: PlayedGame = None,
    hands: Hands = 20_000,
    match: HandsPerMatch = None,
    precision: Until = None,
    stack: Stack = None,
    seed: Seed = 0,
    workers: Workers = None,
    time_limit: TimeLimit = 10.0,
    as_json: AsJson = False,
) -> None:
    """Two to ten agents at a table; every rotation of the seats plays the same deals.

    Example: [b]nemesis table la la tp tp ta lp --game no-limit-6[/b]
    """
    from nemesis import arena

    with progress_bar(" v ".join(players), "hands") as progress:
        result = arena.table(
            players, game=game, hands=hands, seed=seed, match_hands=match, stack=stack, workers=workers,
            precision=precision, time_limit=time_limit, progress=progress,
        )  # fmt: skip
    print_result(result, as_json)


def tournament(
    players: AgentNames,
    game: PlayedGame = None,
    tournaments: Annotated[int, typer.Option("--tournaments", "-n", help="Freeze-outs to play.")] = 10_000,
    most_hands: Annotated[
        int, typer.Option(help="A tournament undecided after this many hands is shared by chips.")
    ] = 10_000,
    precision: Until = None,
    stack: Stack = None,
    seed: Seed = 0,
    workers: Workers = None,
    time_limit: TimeLimit = 10.0,
    as_json: AsJson = False,
) -> None:
    """Freeze-outs: play until one agent has every chip; who wins what share of them?

    Example: [b]nemesis tournament la lp ta tp --game one-card[/b]
    """
    from nemesis import arena

    with progress_bar(" v ".join(players), "tournaments") as progress:
        result = arena.tournament(
            players, game=game, tournaments=tournaments, seed=seed, most_hands=most_hands, stack=stack,
            workers=workers, precision=precision, time_limit=time_limit, progress=progress,
        )  # fmt: skip
    print_result(result, as_json)


def matrix(
    players: Annotated[
        list[str] | None,
        typer.Argument(metavar="[AGENT...]", help="Agents to compare; by default every simple one."),
    ] = None,
    game: GameName = "limit",
    hands: Annotated[int, typer.Option("--hands", "-n", help="Hands per pair.")] = 60_000,
    picture: Annotated[Path | None, typer.Option(help="Write a heat map here (.png, .svg, .pdf).")] = None,
    seed: Seed = 0,
    workers: Workers = None,
    time_limit: TimeLimit = 10.0,
    as_json: AsJson = False,
) -> None:
    """Everyone against everyone, as a table and, with --picture, as a heat map."""
    import nemesis
    from nemesis.measure.matrix import draw_matrix, play_matrix
    from nemesis.play.by_name import player

    chosen = nemesis.game(game, 2)
    seated = [player(name) for name in players or DEMO_AGENTS]
    with progress_bar(f"{len(seated)} agents at {game}", "pairs") as progress:
        played = play_matrix(
            seated, chosen, hands, seed=seed, workers=workers or 1, time_limit=time_limit, progress=progress
        )
    if picture is not None:
        draw_matrix(played, picture)
    if as_json:
        print_json(
            {
                "game": played.game,
                "unit": played.unit,
                "players": list(played.players),
                "means": played.means.tolist(),
                "margins95": played.margins.tolist(),
                "hands": played.hands,
                "seed": played.seed,
                "hands_per_second": round(played.hands / played.seconds),
            }
        )
        return
    wide = out.width >= 15 * (len(played.players) + 1)
    listing = new_listing("", *played.players)
    for row, name in enumerate(played.players):
        cells = [
            "·" if row == column else _signed(played.means[row, column], played.margins[row, column], wide)
            for column in range(len(played.players))
        ]
        listing.add_row(f"[b]{escape(name)}[/b]", *cells)
    out.print(listing)
    rate = f"{played.hands:,} hands, {played.hands / played.seconds:,.0f} hands/s, seed {seed}"
    out.print(f"[dim]what the row takes from the column, {played.unit}; {rate}[/dim]", soft_wrap=True)
    if picture is not None:
        out.print(f"picture: {picture}")


def _signed(mean: float, margin: float, with_margin: bool) -> str:
    colour = "green" if mean - margin > 0 else "red" if mean + margin < 0 else "default"
    return f"[{colour}]{mean:+,.0f}[/{colour}]" + (f" [dim]±{margin:,.0f}[/dim]" if with_margin else "")


DEMO_AGENTS = ("fold", "call", "raise", "random", "la", "lp", "ta", "tp")


def play(
    opponents: AgentNames,
    game: GameName = "limit",
    hands: Annotated[int, typer.Option("--hands", "-n", help="Hands to play at most.")] = 1000,
    hints: Annotated[bool, typer.Option(help="Show your exact win probability against a random hand.")] = False,
    stack: Stack = None,
    seed: Annotated[int | None, typer.Option(help="Same seed, same cards; by default new cards every time.")] = None,
) -> None:
    """Sit down yourself against one or more agents. Type ? at the prompt for help, q to leave.

    Example: [b]nemesis play tp --game limit --hints[/b]
    """
    from nemesis import arena
    from nemesis.commands.terminal import LeftTable, Terminal
    from nemesis.measure.result import counted, numbered
    from nemesis.play.session import OpenSeat

    if seed is None:
        seed = int.from_bytes(os.urandom(4), "little")
    session = arena.session([OpenSeat("you"), *opponents], game=game, hands=hands, stack=stack, seed=seed)
    labels = numbered(("you", *opponents))
    person = Terminal(session, 0, labels, say=lambda line: out.print(escape(line), soft_wrap=True), hints=hints)
    try:
        person.play()
    except LeftTable:
        out.print("\nyou left the table")
    unit, worth = session.game.unit
    rate = f", {person.total * worth / person.hands:+,.{0 if worth > 1 else 2}f} {unit}" if person.hands else ""
    out.print(f"{counted(person.hands, 'hand')}, {person.total:+d} chips{rate} (seed {seed})")
