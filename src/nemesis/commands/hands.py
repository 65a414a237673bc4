"""Single hands: what one is worth (`equity`), and whether recorded ones replay to the chip (`replay`)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from nemesis.commands.console import bold, err, out, print_json, status_line
from nemesis.commands.listing_table import Listing
from nemesis.commands.options import AsJson, Seed, within
from nemesis.runtime.limits import Limit

OPPONENTS = Limit("opponents", 1, 9)


def equity(
    hand: Annotated[str, typer.Argument(help="Your two cards, e.g. AsKs.", show_default=False)],
    board: Annotated[str, typer.Option(help='Board cards, e.g. "7h8h9h".')] = "",
    vs: Annotated[
        str | None, typer.Option(help='A hand (QdQh) or a range ("TT+, AQs+"); by default any two cards.')
    ] = None,
    opponents: Annotated[
        int, typer.Option(help="How many opponents, each with any two cards.", callback=within(OPPONENTS))
    ] = 1,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """How often a hold'em hand wins, exactly where that is feasible, with strength and potential of the hand.

    Examples: [b]nemesis equity AsKs --vs QdQh[/b]   [b]nemesis equity 7d8d --board "5d6d2c" --vs "TT+, AK"[/b]
    """
    from nemesis.rules.cards import cards_text, parse_cards
    from nemesis.rules.equity import equity as exact_equity
    from nemesis.rules.potential import hand_potential
    from nemesis.rules.strength import hand_strength

    hole, community = parse_cards(hand), parse_cards(board)
    answer = exact_equity(hole, community, vs, opponents=opponents, seed=seed)
    facts: dict[str, float] = {}
    if len(community) >= 3:
        facts["strength"] = hand_strength(hole, community)
    if len(community) in (3, 4):
        facts["positive_potential"], facts["negative_potential"] = hand_potential(hole, community)
    report = {
        "hand": cards_text(hole),
        "board": cards_text(community),
        "versus": vs or "random",
        "opponents": opponents,
        "equity": answer.equity,
        "win": answer.win,
        "tie": answer.tie,
        "exact": answer.exact,
        "samples": answer.samples,
        "standard_error": answer.standard_error,
        **facts,
    }
    if as_json:
        print_json(report)
        return
    listing = Listing("", "")
    shown = f" on {report['board']}" if community else ""
    against = str(report["versus"]) + (f", {opponents} opponents" if opponents > 1 else "")
    listing.add(f"{report['hand']}{shown} v {against}", bold(f"{answer.equity:.6f}"))
    listing.add("wins / ties", f"{answer.win:.6f} / {answer.tie:.6f}")
    for name, value in facts.items():
        listing.add(name.replace("_", " "), f"{value:.6f}")
    how = (
        "exact"
        if answer.exact
        else f"sampled, ±{1.96 * answer.standard_error:.6f} (95 %), {answer.samples:,} deals, seed {seed}"
    )
    listing.add("", Text(how, "dim"))
    out.print(listing)


def replay(
    files: Annotated[
        list[Path], typer.Argument(help="PHH files (.phh, .phhs) or folders of them.", show_default=False)
    ],
    as_json: AsJson = False,
) -> None:
    """Replay recorded hands through the engine: do the chips come out as the file says?

    Exits with 1 when any hand disagrees or cannot be replayed.
    """
    from nemesis.observe.replay import check_files

    checked = []
    with _counter("hands replayed") as counted:
        for hand in check_files(files):
            checked.append(hand)
            counted(len(checked))
    agree = sum(hand.agrees is True for hand in checked)
    wrong = [hand for hand in checked if hand.problem is not None]
    unknown = len(checked) - agree - len(wrong)
    if as_json:
        counts = {"hands": len(checked), "agree": agree, "disagree": len(wrong), "unknown": unknown}
        print_json({**counts, "results": [dataclasses.asdict(hand) for hand in checked]})
    else:
        for hand in wrong[:20]:
            err.print(str(hand.problem), soft_wrap=True)
        if len(wrong) > 20:
            err.print(f"… and {len(wrong) - 20} more")
        out.print(f"{len(checked):,} hands: {agree:,} agree, {len(wrong):,} do not, {unknown:,} publish no result")
    if wrong:
        raise typer.Exit(1)


@contextmanager
def _counter(what: str) -> Iterator[Callable[[int], None]]:
    with status_line(what) as say:
        yield lambda count: say(f"{count:,} {what}") if count % 256 == 0 else None
