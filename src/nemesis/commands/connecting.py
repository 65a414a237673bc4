"""Other people's tables: `deal` for programs that connect to us, `join` to play at a dealer's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from nemesis.commands.console import err, out, print_result, progress_bar
from nemesis.commands.options import AsJson, GameName, HandsOfTheMatch, Seed, Stack, new_file, within
from nemesis.runtime.limits import TIME_LIMIT, Limit

PORT = Limit("a port", 0, 65_535)
WAIT = Limit("seconds to wait", 0.001, 86_400, parts=True)
LogTo = Annotated[
    Path | None,
    typer.Option(
        "--log",
        help="Write every finished hand to this new file, in ACPC's form.",
        parser=new_file("a log's"),
        metavar="FILE",
        show_default=False,
    ),
]


def deal(
    game: Annotated[
        str,
        typer.Argument(help="A name from [b]nemesis games[/b] or an ACPC game definition file.", show_default=False),
    ],
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PLAYER...]",
            help="Who sits where: an agent's name, or @ and a name for a player who connects. By default all connect.",
        ),
    ] = None,
    hands: HandsOfTheMatch = 1000,
    port: Annotated[
        list[int] | None,
        typer.Option(
            help="Where players connect: once for each of them, or once for all, who then sit as they come. By default "
            "free ports, one a player.",
            callback=lambda ports: [within(PORT)(port) for port in ports or ()],
        ),
    ] = None,
    host: Annotated[str, typer.Option(help="The address to listen at; 0.0.0.0 is every one of this machine.")] = (
        "127.0.0.1"
    ),
    time_limit: Annotated[
        float, typer.Option(help="Seconds that a player may take for a decision.", callback=within(WAIT))
    ] = 10.0,
    wait: Annotated[float, typer.Option(help="Seconds to wait for players to connect.", callback=within(WAIT))] = 60.0,
    log: LogTo = None,
    stack: Stack = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Deal a match to programs that speak the ACPC protocol 2.0.0. The ports are printed first, as ACPC's dealer does.

    Example: [b]nemesis deal no-limit @visitor ashe-a4 --log match.log[/b]
    """
    from nemesis.connect.dealer import deal_match
    from nemesis.play.by_name import player
    from nemesis.play.session import OpenSeat
    from nemesis.rules.by_name import game as named_game

    chosen = named_game(game, stack=stack)
    named = list(players or ())
    if len(named) > chosen.seats:
        raise ValueError(f"{chosen.name} has {chosen.seats} seats, but {len(named)} players are named")
    named += [f"@player{seat + 1}" for seat in range(len(named), chosen.seats)]
    seated = [OpenSeat(name[1:] or "@") if name.startswith("@") else player(name) for name in named]
    with progress_bar(f"{chosen.name} at {host}", "hands") as progress:

        def announce(ports: Sequence[int]) -> None:
            (err if as_json else out).print(" ".join(map(str, ports)))
            (err if as_json else out).file.flush()

        result = deal_match(
            chosen, seated, hands=hands, seed=seed, host=host, ports=port or (), time_limit=time_limit, wait=wait,
            log=log, announce=announce, progress=progress,
        )  # fmt: skip
    print_result(result, as_json)


def join(
    host: Annotated[str, typer.Argument(help="Where the dealer is.", show_default=False)],
    port: Annotated[
        int, typer.Argument(help="The port that it gave this player.", show_default=False, callback=within(PORT))
    ],
    agent: Annotated[str, typer.Option(help="Who plays: an agent's name or path/to/file.py:ClassName.")] = "ashe-a4",
    game: GameName = "no-limit",
    time_limit: Annotated[
        float, typer.Option(help="Seconds that the agent may think about a decision.", callback=within(TIME_LIMIT))
    ] = 10.0,
    wait: Annotated[float, typer.Option(help="Seconds to wait for the match to begin.", callback=within(WAIT))] = 60.0,
    silence: Annotated[
        float, typer.Option(help="Seconds that the dealer may be silent during the match.", callback=within(WAIT))
    ] = 600.0,
    log: LogTo = None,
    stack: Stack = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Play at the table of a dealer that speaks the ACPC protocol 2.0.0, ours or another.

    Example: [b]nemesis join 127.0.0.1 18791 --agent ashe-a4 --game no-limit[/b]
    """
    from nemesis.commands.console import status_line
    from nemesis.connect.client import join_match
    from nemesis.play.by_name import player
    from nemesis.rules.by_name import game as named_game

    with status_line(f"{agent} at {host}:{port}") as say:
        result = join_match(
            named_game(game, stack=stack), player(agent), host, port, seed=seed, time_limit=time_limit, wait=wait,
            silence=silence, log=log, progress=lambda hands: say(f"{agent} at {host}:{port}: {hands:,} hands"),
        )  # fmt: skip
    print_result(result, as_json)
