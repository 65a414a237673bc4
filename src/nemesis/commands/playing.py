"""Agents against agents, and a person against agents: `duel`, `table`, `tournament`, `matrix`, `play`."""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from nemesis.commands.console import bold, out, print_json, print_result, progress_bar
from nemesis.commands.listing_table import Listing
from nemesis.commands.options import (
    AgentNames,
    AsJson,
    GameName,
    Hands,
    HandsPerMatch,
    HandsTo,
    MostHands,
    PlayedGame,
    Seed,
    SeedOrNew,
    Stack,
    TimeLimit,
    Tournaments,
    Until,
    Workers,
    new_picture,
    within,
)
from nemesis.runtime.limits import HANDS, MATCH_HANDS

if TYPE_CHECKING:
    from nemesis.measure.matrix import Matrix


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
    hands_to: HandsTo = None,
    aivat: Annotated[
        bool, typer.Option("--aivat", help="Take the luck of the cards out, by a value function fixed beforehand.")
    ] = False,
    all_in_adjusted: Annotated[
        bool, typer.Option("--all-in-adjusted", help="Take only the luck after an all-in out.")
    ] = False,
    until: Annotated[
        str | None,
        typer.Option(help="[b]significant[/b]: play on until the answer is clear, at most 64 times --hands."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Two agents heads-up: the same deals with seats swapped, so the luck of the cards cancels.

    Example: [b]nemesis duel la tp --game limit --hands 100000[/b]
    """
    from nemesis import arena

    if until not in (None, "significant"):
        raise ValueError(f"a duel goes on until it is significant, not until {until!r}; for a margin use --precision")
    if aivat and all_in_adjusted:
        raise ValueError(
            "--aivat takes the luck after an all-in out as well; give one of --aivat and --all-in-adjusted"
        )
    with progress_bar(f"{first} v {second}", "hands") as progress:
        result = arena.duel(
            first, second, game=game, hands=hands, seed=seed, match_hands=match, stack=stack, workers=workers,
            precision=precision, time_limit=time_limit, hands_to=hands_to,
            without_luck="aivat" if aivat else "all-in" if all_in_adjusted else None,
            until_significant=until is not None, progress=progress,
        )  # fmt: skip
    print_result(result, as_json)


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
    hands_to: HandsTo = None,
    as_json: AsJson = False,
) -> None:
    """Two to ten agents at a table; every rotation of the seats plays the same deals.

    Example: [b]nemesis table la la tp tp ta lp --game no-limit-6[/b]
    """
    from nemesis import arena

    with progress_bar(" v ".join(players), "hands") as progress:
        result = arena.table(
            players, game=game, hands=hands, seed=seed, match_hands=match, stack=stack, workers=workers,
            precision=precision, time_limit=time_limit, hands_to=hands_to, progress=progress,
        )  # fmt: skip
    print_result(result, as_json)


def tournament(
    players: AgentNames,
    game: PlayedGame = None,
    tournaments: Tournaments = 10_000,
    most_hands: MostHands = 10_000,
    precision: Until = None,
    stack: Stack = None,
    seed: Seed = 0,
    workers: Workers = None,
    time_limit: TimeLimit = 10.0,
    hands_to: HandsTo = None,
    as_json: AsJson = False,
) -> None:
    """Freeze-outs: play until one agent has every chip; who wins what share of them?

    Example: [b]nemesis tournament la lp ta tp --game one-card[/b]
    """
    from nemesis import arena

    with progress_bar(" v ".join(players), "tournaments") as progress:
        result = arena.tournament(
            players, game=game, tournaments=tournaments, seed=seed, most_hands=most_hands, stack=stack,
            workers=workers, precision=precision, time_limit=time_limit, hands_to=hands_to, progress=progress,
        )  # fmt: skip
    print_result(result, as_json)


def matrix(
    players: Annotated[
        list[str] | None,
        typer.Argument(metavar="[AGENT...]", help="Agents to compare; by default every simple one."),
    ] = None,
    game: GameName = "limit",
    hands: Annotated[int, typer.Option("--hands", "-n", help="Hands per pair.", callback=within(HANDS))] = 60_000,
    picture: Annotated[
        Path | None,
        typer.Option(help="Write a heat map here (.png, .svg, .pdf).", parser=new_picture, metavar="FILE"),
    ] = None,
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
    _print_matrix(played)
    rate = f"{played.hands:,} hands, {played.hands / played.seconds:,.0f} hands/s, seed {seed}"
    out.print(f"what the row takes from the column, {played.unit}; {rate}", style="dim", soft_wrap=True)
    if picture is not None:
        out.print(f"picture: {picture}", soft_wrap=True)


def _print_matrix(played: Matrix) -> None:
    """Every cell with its interval: columns that do not fit beside the others follow below them."""
    size = range(len(played.players))
    cells = [[_signed(played.means[i, j], played.margins[i, j]) if i != j else Text("·") for j in size] for i in size]
    widths = [max(len(played.players[j]), *(cells[i][j].cell_len for i in size)) + 2 for j in size]
    room = out.width - max(map(len, played.players)) - 2
    blocks: list[list[int]] = [[]]
    for column in size:
        if blocks[-1] and sum(widths[j] for j in blocks[-1]) + widths[column] > room + 2:
            blocks.append([])
        blocks[-1].append(column)
    for block in blocks:
        listing = Listing("", *(played.players[column] for column in block))
        for row in size:
            listing.add(bold(played.players[row]), *(cells[row][column] for column in block))
        out.print(listing)


def _signed(mean: float, margin: float) -> Text:
    colour = "green" if mean - margin > 0 else "red" if mean + margin < 0 else "default"
    return Text.assemble((f"{mean:+,.0f}", colour), (f" ±{margin:,.0f}", "dim"))


DEMO_AGENTS = ("fold", "call", "raise", "random", "la", "lp", "ta", "tp")


def play(
    opponents: AgentNames,
    game: GameName = "limit",
    hands: Annotated[
        int, typer.Option("--hands", "-n", help="Hands to play at most.", callback=within(MATCH_HANDS))
    ] = 1000,
    hints: Annotated[bool, typer.Option(help="Show your exact win probability against a random hand.")] = False,
    stack: Stack = None,
    seed: SeedOrNew = None,
    hands_to: HandsTo = None,
) -> None:
    """Sit down yourself against one or more agents. Type ? at the prompt for help, q to leave.

    Example: [b]nemesis play tp --game limit --hints[/b]
    """
    from nemesis import arena
    from nemesis.commands.terminal import LeftTable, Terminal
    from nemesis.measure.result import counted, numbered
    from nemesis.observe.hand_file import new_hand_file
    from nemesis.observe.phh_text import write_hand
    from nemesis.play.session import OpenSeat

    if seed is None:
        seed = int.from_bytes(os.urandom(4), "little")
    session = arena.session([OpenSeat("you"), *opponents], game=game, hands=hands, stack=stack, seed=seed)
    labels = numbered(("you", *opponents))
    person = Terminal(session, 0, labels, input, lambda line: out.print(line, soft_wrap=True), hints)
    with nullcontext() if hands_to is None else new_hand_file(hands_to, session.game) as hand_file:
        try:
            person.play()
        except LeftTable:
            out.print("\nyou left the table")
        if hand_file is not None:
            hand_file.add(write_hand(hand) for hand in session.hands)
    unit, worth = session.game.unit
    rate = f", {person.total * worth / person.hands:+,.{0 if worth > 1 else 2}f} {unit}" if person.hands else ""
    out.print(f"{counted(person.hands, 'hand')}, {person.total:+d} chips{rate} (seed {seed})")
