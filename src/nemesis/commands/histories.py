"""Real players: their hands into the store and out of it (`import`, `export`), and their numbers (`players`, `stats`)."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nemesis.commands.console import bold, err, out, print_json, status_line
from nemesis.commands.listing_table import Listing
from nemesis.commands.options import AsJson, new_target, within
from nemesis.runtime.limits import HANDS, LINES, Limit

if TYPE_CHECKING:
    from nemesis.measure.player_numbers import Filter, Numbers, Share, Winnings

DEALT = Limit("players dealt in", 2, 10)
StoreFile = Annotated[
    Path | None,
    typer.Option("--store", help="The store's file; by default NEMESIS_STORE, else one in your data folder."),
]
PlayerName = Annotated[
    str, typer.Argument(metavar="PLAYER", help="A name from [b]nemesis players[/b].", show_default=False)
]
Room = Annotated[str | None, typer.Option(help="The room, if the name plays in several.")]
Since = Annotated[str | None, typer.Option(help="Only hands from this day on, as 2009-07-01.")]
Until = Annotated[str | None, typer.Option(help="Only hands before this day.")]
Dealt = Annotated[
    int | None,
    typer.Option("--players", help="Only hands with so many players dealt in.", callback=within(DEALT)),
]


def import_hands(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Hand histories, or folders of them: PHH, rooms' own texts, ACPC logs, PRF.", show_default=False
        ),
    ] = None,
    store: StoreFile = None,
    game: Annotated[
        str | None, typer.Option("--game", "-g", help="The game of ACPC logs that do not name it themselves.")
    ] = None,
    rejected: Annotated[bool, typer.Option("--rejected", help="List the hands that were set aside, and why.")] = False,
    as_json: AsJson = False,
) -> None:
    """Read hand histories into the store. A hand twice is one hand; a stopped import goes on where it was.

    Examples: [b]nemesis import ~/histories[/b]   [b]nemesis import --rejected[/b]
    """
    from nemesis.observe.store import open_store, store_path

    place = store_path(store)
    if not files and not rejected:
        raise typer.BadParameter("name the files or folders to import, or --rejected to list what was set aside")
    report: dict[str, Any] = {"store": str(place)}
    if files:
        report |= _import_files(files, place, game)
        if not as_json:
            _print_import(report)
    if rejected:
        with open_store(place) as opened:
            aside = opened.rejected()
        report["set_aside"] = [hand._asdict() for hand in aside]
        if not as_json:
            for hand in aside:
                out.print(f"{hand.file}, hand {hand.hand}, line {hand.line}: {hand.reason}", soft_wrap=True)
            out.print(f"{len(aside):,} hands set aside", style="dim")
    if as_json:
        print_json(report)


def _import_files(files: list[Path], place: Path, game: str | None) -> dict[str, Any]:
    """Import, and report how many hands came."""
    from nemesis.observe.importing import history_files, import_files
    from nemesis.observe.store import open_store
    from nemesis.rules.by_name import game as game_by_name

    chosen = game_by_name(game) if game else None
    found = history_files(files)
    started = time.perf_counter()
    with open_store(place, writing=True) as opened, _import_line() as told:
        done = import_files(opened, found, chosen, told)
        total = opened.number("SELECT count(*) FROM hands")
    seconds = time.perf_counter() - started
    return {
        "hands": done.hands,
        "known": done.known,
        "rejected": done.rejected,
        "files": done.files,
        "skipped_files": done.skipped,
        "total_hands": total,
        "seconds": round(seconds, 4),
        "hands_per_second": round((done.hands + done.known) / seconds),
    }


def _print_import(report: dict[str, Any]) -> None:
    new, known, aside = report["hands"], report["known"], report["rejected"]
    out.print(f"{new:,} new hands, {known:,} known already, {aside:,} set aside")
    skipped = f", {report['skipped_files']:,} unchanged since they were read" if report["skipped_files"] else ""
    rate = f"; {report['hands_per_second']:,} hands/s" if new + known else ""
    total = f"{report['total_hands']:,} hands in {report['store']}{rate}"
    out.print(f"{report['files']:,} files read{skipped}; {total}", style="dim", soft_wrap=True)
    if aside:
        err.print("nemesis import --rejected lists what was set aside, and why")


@contextmanager
def _import_line() -> Iterator[Callable[[int, int, int], None]]:
    """A line with hands so far, their rate, and the time that is left."""
    started = time.perf_counter()

    def line(done: int, total: int, hands: int) -> str:
        seconds = time.perf_counter() - started
        left = seconds * (total - done) / max(1, done)
        return f"{hands:,} hands, {hands / seconds:,.0f} hands/s, {done / max(1, total):.0%}, {left:,.0f} s left"

    with status_line("importing") as say:
        yield lambda *state: say(line(*state))


def players(
    least: Annotated[int, typer.Option(help="Only players with so many hands.", callback=within(HANDS))] = 1,
    limit: Annotated[int, typer.Option(help="How many to list, the most hands first.", callback=within(LINES))] = 20,
    named: Annotated[str, typer.Option(help="Only players whose name has this in it.")] = "",
    since: Since = None,
    until: Until = None,
    dealt: Dealt = None,
    store: StoreFile = None,
    as_json: AsJson = False,
) -> None:
    """Who is in the store, and their main numbers, shrunk to the population.

    [b]nemesis stats PLAYER[/b] has all numbers of one player, with intervals.
    """
    from nemesis.measure.player_numbers import all_numbers
    from nemesis.observe.store import open_store, store_path

    chosen = since_until(since, until, dealt)
    with open_store(store_path(store)) as opened:
        found = all_numbers(opened, chosen, least)
    matching = [numbers for numbers in found if named.lower() in numbers.player.lower()]
    if as_json:
        print_json({"players": len(matching), "results": [number_report(numbers) for numbers in matching[:limit]]})
        return
    shown = ("vpip", "pfr", "three_bet", "c_bet", "aggression", "wtsd", "won_at_showdown")
    titles = (
        [numbers.number.title for numbers in matching[0].shares.values() if numbers.number.name in shown]
        if matching
        else []
    )
    listing = Listing("player", "room", "hands", *titles, "won bb/100", right=("hands", *titles, "won bb/100"))
    for numbers in matching[:limit]:
        cells = [f"{100 * numbers.shares[name].estimate:.0f} %" for name in shown]
        listing.add(numbers.player, numbers.room, f"{numbers.hands:,}", *cells, winnings_text(numbers.won))
    out.print(listing)
    out.print(f"{min(limit, len(matching)):,} of {len(matching):,} players", style="dim")


def stats(
    player: PlayerName,
    by: Annotated[
        str | None, typer.Option(help="Divide by position, depth (of the stack), players (dealt in), day or month.")
    ] = None,
    hands: Annotated[
        str | None, typer.Option(help="List the hands behind a number, such as three_bet; see the names with --json.")
    ] = None,
    limit: Annotated[int, typer.Option(help="Hands to list.", callback=within(LINES))] = 50,
    room: Room = None,
    since: Since = None,
    until: Until = None,
    dealt: Dealt = None,
    store: StoreFile = None,
    as_json: AsJson = False,
) -> None:
    """What one player does: numbers as made / opportunities, with 95 % credible intervals and the population beside them.

    Examples: [b]nemesis stats Ann[/b]   [b]nemesis stats Ann --by position[/b]   [b]nemesis stats Ann --hands c_bet[/b]
    """
    from nemesis.measure.player_numbers import SPLITS, hands_of, player_numbers, sorted_parts
    from nemesis.observe.store import open_store, store_path

    if by is not None and by not in SPLITS:
        raise typer.BadParameter(f"{by!r} divides no hands; choose one of {', '.join(SPLITS)}")
    chosen = since_until(since, until, dealt)
    with open_store(store_path(store)) as opened:
        if hands is not None:
            found = hands_of(opened, player, hands, room, chosen, limit)
            _print_hands(found, as_json)
            return
        told = player_numbers(opened, player, room, chosen, by)
    if not told:
        raise ValueError(f"{player!r} has no hands in that part of the store")
    whole, parts = told[0], sorted_parts(told[1:], by or "")
    if as_json:
        print_json(
            {**number_report(whole), **({"by": by, "parts": [number_report(part) for part in parts]} if by else {})}
        )
        return
    where = f", {whole.room}" if whole.room else ""
    out.print(bold(f"{whole.player}{where}: {whole.hands:,} hands"))
    _print_numbers(whole)
    for part in parts:
        out.print()
        out.print(bold(f"{part.part}: {part.hands:,} hands"))
        _print_numbers(part)


def export(
    target: Annotated[
        Path,
        typer.Argument(
            help="A .parquet, .csv, .arrow, .phhs or .prf file, or a folder for all tables.",
            parser=new_target,
            metavar="FILE|FOLDER",
            show_default=False,
        ),
    ],
    table: Annotated[
        str, typer.Option(help="Which table: hands, seats, actions, players, files or rejected.")
    ] = "hands",
    kind: Annotated[
        str, typer.Option("--format", help="In a folder, what every table becomes: parquet, csv or arrow.")
    ] = "parquet",
    player: Annotated[str | None, typer.Option(help="Only the hands of this player (for .phhs and .prf).")] = None,
    store: StoreFile = None,
    as_json: AsJson = False,
) -> None:
    """Write the store out for other programs: tables as Parquet, CSV or Arrow, hands as PHH or PRF text.

    Examples: [b]nemesis export hands.parquet[/b]   [b]nemesis export seats.csv --table seats[/b]   [b]nemesis export out[/b]
    """
    from nemesis.observe.exporting import export_hands, export_tables
    from nemesis.observe.store import open_store, store_path

    with open_store(store_path(store)) as opened:
        if target.suffix in (".phhs", ".prf"):
            written = {str(target): export_hands(opened, target, player)}
        else:
            if player is not None:
                raise typer.BadParameter("--player chooses hands of .phhs and .prf files; tables are exported whole")
            written = export_tables(opened, target, table, kind)
    if as_json:
        print_json({"files": [{"file": file, "rows": rows} for file, rows in written.items()]})
        return
    for file, rows in written.items():
        out.print(f"{file}: {rows:,} rows", soft_wrap=True)


def since_until(since: str | None, until: str | None, dealt: int | None) -> Filter:
    """Which hands the options choose."""
    from nemesis.measure.player_numbers import Filter

    first, end = _day(since), _day(until)
    if first is not None and end is not None and first >= end:
        raise typer.BadParameter(f"no day is from {since} on and before {until}")
    return Filter(first, end, dealt)


def _day(text: str | None) -> datetime.date | None:
    if text is None:
        return None
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a day; write it as 2009-07-01") from None


def winnings_text(winnings: Winnings) -> str:
    """Big blinds per 100 hands with the half of their interval."""
    if winnings.mean is None:
        return "?"
    if winnings.ci95 is None:
        return f"{winnings.mean:+,.1f}"
    return f"{winnings.mean:+,.1f} ± {(winnings.ci95[1] - winnings.ci95[0]) / 2:,.1f}"


def _print_numbers(numbers: Numbers) -> None:
    from nemesis.measure.player_numbers import as_factor

    listing = Listing(
        "number", "made", "of", "%", "95 % interval", "population", right=("made", "of", "%", "population")
    )
    for share in numbers.shares.values():
        if share.number.name != "aggression_factor":
            listing.add(*share_cells(share))
    factor = numbers.shares["aggression_factor"]
    low, high = factor.ci95
    listing.add(
        factor.number.title, f"{factor.made:,.0f}", f"{factor.of - factor.made:,.0f} calls",
        bold(f"{as_factor(factor.estimate):.2f}"), f"{as_factor(low):.2f} … {as_factor(high):.2f}",
        f"{as_factor(factor.population):.2f}",
    )  # fmt: skip
    out.print(listing)
    for title, winnings in (
        ("won bb/100", numbers.won),
        ("before rake, by the rules", numbers.before_rake),
        ("all-ins adjusted", numbers.all_in_adjusted),
    ):
        out.print(f"{title}: {winnings_text(winnings)} ({winnings.hands:,} hands)")


def share_cells(share: Share) -> tuple[Any, ...]:
    """A number's row."""
    low, high = share.ci95
    return (
        share.number.title, f"{share.made:,g}", f"{share.of:,}", bold(f"{100 * share.estimate:.1f}"),
        f"{100 * low:.1f} … {100 * high:.1f}", f"{100 * share.population:.1f}",
    )  # fmt: skip


def _print_hands(found: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        print_json({"hands": found})
        return
    listing = Listing("hand", "time", "made", "of", "won", "where", prose=("where",), right=("made", "of", "won"))
    for hand in found:
        won = "?" if hand["won"] is None else f"{hand['won']:+,g}"
        where = f"{hand['file']}, line {hand['line']}"
        listing.add(hand["hand"], hand["time"] or "?", f"{hand['made']:g}", f"{hand['of']}", won, where)
    out.print(listing)
    out.print(f"{len(found):,} hands", style="dim")


def number_report(numbers: Numbers) -> dict[str, Any]:
    """A player's numbers for programs."""

    def money(winnings: Winnings) -> dict[str, Any]:
        return {"hands": winnings.hands, "mean": winnings.mean, "ci95": list(winnings.ci95) if winnings.ci95 else None}

    def share(of: Share) -> dict[str, Any]:
        return {
            "made": of.made,
            "of": of.of,
            "raw": of.raw,
            "estimate": of.estimate,
            "ci95": list(of.ci95),
            "population": of.population,
        }

    shares = {name: share(of) for name, of in numbers.shares.items() if name != "aggression_factor"}
    factor = numbers.shares["aggression_factor"]
    bets, calls = factor.made, factor.of - factor.made
    return {
        "player": numbers.player,
        "room": numbers.room,
        **({"part": numbers.part} if numbers.part is not None else {}),
        "hands": numbers.hands,
        "numbers": shares,
        "aggression_factor": bets / calls if calls else None,
        "won": money(numbers.won),
        "before_rake": money(numbers.before_rake),
        "all_in_adjusted": money(numbers.all_in_adjusted),
    }
