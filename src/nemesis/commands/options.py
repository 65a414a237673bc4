"""The options that several commands take, and how they are checked before any work starts."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from nemesis.runtime.limits import (
    HANDS,
    MATCH_HANDS,
    SEED,
    STACK,
    TIME_LIMIT,
    TOURNAMENT_HANDS,
    TOURNAMENTS,
    Limit,
)


def within(limit: Limit) -> Callable[[Any], Any]:
    """A callback that refuses a number outside the limit."""

    def check(value: Any) -> Any:
        if value is not None:
            try:
                limit.check(value)
            except ValueError as error:
                raise typer.BadParameter(str(error)) from None
        return value

    return check


def new_folder(text: str) -> Path:
    """A folder that exists, or can be made with those above it, to write files into."""
    if not str(text):
        raise typer.BadParameter("the name of a folder is empty")
    path = Path(text)
    _check_name(text)
    _check_takes_files(next(place for place in (path, *path.parents) if place.exists()), text)
    return path


def new_file(whose: str, *endings: str) -> Callable[[str], Path]:
    """A parser for a file that can be written, with one of these endings if there are any; its folder must exist."""

    def parse(text: str) -> Path:
        path = Path(text)
        if not path.name or (endings and path.suffix.lower() not in endings):
            like = f"ends in {', '.join(endings)}, not" if endings else "has a name, not"
            raise typer.BadParameter(f"{whose} file {like} {text!r}")
        _check_name(text)
        if not path.parent.exists():
            raise typer.BadParameter(f"{text} cannot be written: there is no folder {path.parent}")
        _check_takes_files(path.parent, text)
        if path.is_dir():
            raise typer.BadParameter(f"{text} is a folder, not a file")
        return path

    return parse


new_picture = new_file("a picture's", ".png", ".svg", ".pdf")
new_champion = new_file("a champion's", ".json")


def new_target(text: str) -> Path:
    """A file that can be written, by its ending, or a folder to write files into."""
    return new_file("an exported")(text) if Path(text).suffix else new_folder(text)


def _check_name(wanted: str) -> None:
    """Refuse what the system refuses as a name."""
    try:
        Path(wanted).stat()
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it holds a zero byte"
        raise typer.BadParameter(f"{wanted!r} cannot be written: {reason}") from None


def _check_takes_files(folder: Path, wanted: str) -> None:
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        raise typer.BadParameter(f"{wanted} cannot be written: {folder} is not a folder that takes files")


def some_workers(given: str) -> str:
    """A number of processes, or a Ray cluster."""
    from nemesis.play.workers import checked_workers

    try:
        return str(checked_workers(given))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


GameName = Annotated[
    str,
    typer.Option("--game", "-g", help="A name from [b]nemesis games[/b] or an ACPC game definition file."),
]
PlayedGame = Annotated[
    str | None,
    typer.Option(
        "--game",
        "-g",
        help="A name from [b]nemesis games[/b] or an ACPC game definition file; by default the one a champion among "
        "the agents evolved for, else no-limit, for tournaments one-card.",
    ),
]
AgentNames = Annotated[
    list[str],
    typer.Argument(
        metavar="AGENT...",
        help="Names from [b]nemesis agents[/b], or path/to/file.py:ClassName.",
        show_default=False,
    ),
]
Hands = Annotated[int, typer.Option("--hands", "-n", help="Hands to play in all.", callback=within(HANDS))]
HandsPerMatch = Annotated[
    int | None, typer.Option(help="Hands per match; agents forget between matches.", callback=within(MATCH_HANDS))
]
HandsTo = Annotated[
    Path | None,
    typer.Option(
        help="Write every hand to this .phhs file, which [b]nemesis replay[/b] and PokerKit read.",
        parser=new_file("a hand history's", ".phhs"),
        metavar="FILE",
    ),
]
HandsOfTheMatch = Annotated[
    int, typer.Option("--hands", "-n", help="Hands of the match.", callback=within(MATCH_HANDS))
]
Tournaments = Annotated[
    int, typer.Option("--tournaments", "-n", help="Freeze-outs to play.", callback=within(TOURNAMENTS))
]
MostHands = Annotated[
    int,
    typer.Option(
        help="A tournament undecided after this many hands is shared by chips.", callback=within(TOURNAMENT_HANDS)
    ),
]
Until = Annotated[
    str | None,
    typer.Option("--precision", help="Play on until the first player's 95 % interval is ±this: 5% of the mean, or 20."),
]
Stack = Annotated[
    int | None,
    typer.Option(help="Chips each player starts with, instead of the game's own.", callback=within(STACK)),
]
Seed = Annotated[int, typer.Option(help="Same seed, same deals, same result.", callback=within(SEED))]
SeedOrNew = Annotated[
    int | None,
    typer.Option(help="Same seed, same cards; by default new cards every time.", callback=within(SEED)),
]
Workers = Annotated[
    str | None,
    typer.Option(
        help="Processes to use, or [b]ray[/b], or a Ray cluster's address; by default all cores when the work is worth it.",
        metavar="N|ray|ADDRESS",
        parser=some_workers,
    ),
]
TimeLimit = Annotated[
    float,
    typer.Option(
        help="Seconds a Python agent may think about one decision; 0 for no limit.", callback=within(TIME_LIMIT)
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="JSON on standard output instead of a table.")]
