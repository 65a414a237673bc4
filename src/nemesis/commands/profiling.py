"""The page an analyst wants of one player: `profile`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nemesis.commands.console import bold, out, print_json, status_line
from nemesis.commands.histories import (
    Dealt,
    PlayerName,
    Room,
    Since,
    StoreFile,
    Until,
    number_report,
    share_cells,
    since_until,
    winnings_text,
)
from nemesis.commands.listing_table import Listing
from nemesis.commands.options import AsJson, new_folder

if TYPE_CHECKING:
    from nemesis.measure.player_profile import Deviation, Predictability, Profile

SHOWN = 10
"""Deviations that the terminal lists."""


def profile(
    player: PlayerName,
    out_folder: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Write profile.md, profile.json and profile.png there.", parser=new_folder, metavar="FOLDER"
        ),
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="Another action model than the shipped one.", show_default=False)
    ] = None,
    room: Room = None,
    since: Since = None,
    until: Until = None,
    dealt: Dealt = None,
    store: StoreFile = None,
    as_json: AsJson = False,
) -> None:
    """One player on one page: numbers beside the population, kind, predictability, and where he surely deviates.

    Deviations are told so that at most one in twenty is expected to be chance, each with hands that show it.
    Example: [b]nemesis profile Ann --out ann[/b]
    """
    from nemesis.believe.action_model import SHIPPED, read_model
    from nemesis.measure.player_profile import player_profile
    from nemesis.observe.store import open_store, store_path

    chosen = since_until(since, until, dealt)
    with status_line(f"profile of {player}…"), open_store(store_path(store)) as opened:
        found = player_profile(opened, player, read_model(model or SHIPPED), room, chosen)
    told = report(found)
    lines = _lines(found)
    if out_folder is not None:
        _write(out_folder, told, lines)
    if as_json:
        print_json(told)
        return
    out.print(bold(lines[0]))
    for line in lines[1:]:
        out.print(line, soft_wrap=True)
    listing = Listing(
        "number", "made", "of", "%", "95 % interval", "population", right=("made", "of", "%", "population")
    )
    for share in found.numbers.shares.values():
        if share.number.name != "aggression_factor":
            listing.add(*share_cells(share))
    out.print(listing)
    _print_deviations(found)
    if out_folder is not None:
        out.print(f"written to {out_folder}: profile.md, profile.json, profile.png", style="dim", soft_wrap=True)


def report(found: Profile) -> dict[str, Any]:
    """The profile for programs."""
    base = number_report(found.numbers)
    for share in found.numbers.shares.values():
        if share.number.name in base["numbers"]:
            base["numbers"][share.number.name]["title"] = share.number.title
    kind, judged = found.kind, found.predictability
    return {
        **base,
        "kind": {
            "words": kind.words,
            "loose": kind.loose,
            "aggressive": kind.aggressive,
            "sure_loose_or_tight": kind.sure_loose,
            "sure_aggressive_or_passive": kind.sure_aggressive,
        },
        "predictability": None if judged is None else _judged(judged),
        "compared": found.compared,
        "deviations": [_deviation(each) for each in found.deviations],
        "positions": [number_report(part) for part in found.by_position],
    }


def _judged(judged: Predictability) -> dict[str, Any]:
    return {
        "decisions": judged.decisions,
        "accuracy": judged.accuracy,
        "log_loss": judged.log_loss,
        "log_loss_ci95": list(judged.log_loss_ci95),
        "public_log_loss": judged.public_log_loss,
        "gain": judged.gain,
        "gain_ci95": list(judged.gain_ci95),
    }


def _deviation(each: Deviation) -> dict[str, Any]:
    share = each.share
    return {
        "number": share.number.name,
        "title": share.number.title,
        "about": share.number.about,
        "position": each.position,
        "more": each.more,
        "made": share.made,
        "of": share.of,
        "estimate": share.estimate,
        "ci95": list(share.ci95),
        "population": share.population,
        "sure": each.sure,
        "spreads": each.spreads,
        "hands": list(each.hands),
        "files": list(each.files),
    }


def _lines(found: Profile) -> list[str]:
    """What is said in sentences."""
    numbers, kind, judged = found.numbers, found.kind, found.predictability
    where = f", {numbers.room}" if numbers.room else ""
    lines = [
        f"{numbers.player}{where}: {numbers.hands:,} hands",
        f"Kind: {kind.words} ({'loose' if kind.loose else 'tight'} {kind.sure_loose:.0%} sure, "
        f"{'aggressive' if kind.aggressive else 'passive'} {kind.sure_aggressive:.0%} sure).",
        f"Won {winnings_text(numbers.won)} bb/100; all-ins adjusted {winnings_text(numbers.all_in_adjusted)}.",
    ]
    if judged is None:
        lines.append(
            "Predictability: the action model was trained on all of these hands, so it cannot be judged by them."
        )
    else:
        low, high = judged.log_loss_ci95
        lines.append(
            f"Predictability: {judged.accuracy:.0%} of {judged.decisions:,} decisions, log-loss {judged.log_loss:.3f} "
            f"({low:.3f} … {high:.3f}); knowing him takes {judged.gain:+.3f} off what is said of anybody "
            f"({judged.gain_ci95[0]:+.3f} … {judged.gain_ci95[1]:+.3f})."
        )
    return lines


def _print_deviations(found: Profile) -> None:
    if not found.deviations:
        out.print(f"Nothing surely deviates among {found.compared} comparisons.")
        return
    listing = Listing(
        "where he deviates", "at", "%", "95 % interval", "population", "of", "sure", "hands",
        prose=("where he deviates", "hands"), right=("%", "population", "of", "sure"),
    )  # fmt: skip
    for each in found.deviations[:SHOWN]:
        share = each.share
        listing.add(
            f"{'more' if each.more else 'less'}: {share.number.title}",
            each.position or "all", f"{100 * share.estimate:.1f}",
            f"{100 * share.ci95[0]:.1f} … {100 * share.ci95[1]:.1f}", f"{100 * share.population:.1f}", f"{share.of:,}",
            f"{100 * each.sure:.1f} %", ", ".join(each.hands[:3]),
        )  # fmt: skip
    out.print(listing)
    out.print(f"{len(found.deviations)} of {found.compared} comparisons, at most 5 % of them by chance", style="dim")


def _write(folder: Path, told: dict[str, Any], lines: list[str]) -> None:
    """The page, its numbers and its picture."""
    from nemesis.measure.profile_picture import draw_profile
    from nemesis.runtime.atomic import write_json, write_text

    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "profile.json", told)
    draw_profile(told, folder / "profile.png")
    page = [f"# {lines[0]}", "", *[f"{line}\n" for line in lines[1:]], "![numbers and deviations](profile.png)", ""]
    page += ["| number | made / of | % | 95 % interval | population |", "|---|--:|--:|:-:|--:|"]
    for number in told["numbers"].values():
        low, high = number["ci95"]
        page.append(
            f"| {number['title']} | {number['made']:g} / {number['of']} | {100 * number['estimate']:.1f} | "
            f"{100 * low:.1f} … {100 * high:.1f} | {100 * number['population']:.1f} |"
        )
    page += ["", f"## Where he deviates ({len(told['deviations'])} of {told['compared']} comparisons)", ""]
    for found in told["deviations"]:
        low, high = found["ci95"]
        page.append(
            f"- **{'more' if found['more'] else 'less'} {found['title']}**, {found['position'] or 'all hands'}: "
            f"{100 * found['estimate']:.1f} % ({100 * low:.1f} … {100 * high:.1f}), "
            f"population {100 * found['population']:.1f} %, {found['made']:g} of {found['of']}, "
            f"{100 * found['sure']:.2f} % sure. {found['about'].capitalize()}. Hands: {', '.join(found['hands'])}."
        )
    write_text(folder / "profile.md", "\n".join([*page, ""]))
