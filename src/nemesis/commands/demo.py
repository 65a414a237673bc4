"""`demo`: ASHE meets ten strangers, and shows live what it makes of each and what it takes from them."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from rich.live import Live
from rich.text import Text

from nemesis.commands.console import bold, err, out, print_json
from nemesis.commands.listing_table import Listing
from nemesis.commands.options import AsJson, Seed, new_folder

if TYPE_CHECKING:
    from nemesis.measure.insight import Explanation
    from nemesis.respond.ashe import Ashe

STRANGERS = ("hm", "cm", "sl", "cs", "rg", "nl-la", "nl-lp", "nl-tp", "nl-ta", "hp")
STRETCHES = ((0, 50), (50, 200), (200, 1000))
EVERY = 50


def demo(
    player: Annotated[str, typer.Option(help="The ASHE champion that meets them.")] = "ashe-a4",
    folder: Annotated[Path, typer.Option(help="Where the picture goes.", parser=new_folder, metavar="FOLDER")] = Path(
        "demo"
    ),
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Ten strangers at heads-up no-limit hold'em: what ASHE believes about each of them, and what it earns, live.

    One match of 1000 hands each. The figures are of single matches and carry no interval; for those see
    [b]nemesis study ashe-table[/b].
    """
    import nemesis
    from nemesis.commands.strangers_picture import draw_strangers
    from nemesis.measure.insight import look_inside
    from nemesis.respond.ashe import Ashe
    from nemesis.studies.published_opponents import OPPONENTS

    game = nemesis.game("no-limit")
    if not isinstance(nemesis.agent(player, game), Ashe):
        raise ValueError(f"{player} is not an ASHE champion; give ashe-a1 to ashe-a4, ashe-team or a run's")
    words = {opponent.agent: opponent.name for opponent in OPPONENTS}
    meetings: list[Meeting] = []
    if not as_json:
        out.print(
            bold("Nemesis:"), f"{player} sits down with ten strangers, one after another, and knows none of them.\n"
        )
    live = Live(console=err if as_json else out, refresh_per_second=8, transient=as_json)
    with live:
        for name in STRANGERS:
            agent = nemesis.agent(player, game)
            assert isinstance(agent, Ashe)
            meeting = Meeting(name, words[name], game.big_blind, agent)
            meetings.append(meeting)
            opponent = nemesis.agent(name, game)
            look_inside(
                game, agent, opponent, STRETCHES[-1][1],
                seed=seed, on_hand_end=meeting.listener(live, meetings), on_answer=meeting.answered,
            )  # fmt: skip
            meeting.believe()
        live.update(_listing(meetings))
    if as_json:
        print_json({"player": player, "seed": seed, "strangers": [meeting.to_json() for meeting in meetings]})
        return
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "strangers.png"
    draw_strangers(meetings, player, path)
    out.print(
        "\nMilli-big-blinds a hand, by hands of the match; then what it has seen the stranger do: how often he folds, "
        f"comes to a showdown, and with what strength. One match each, seed {seed}. Picture: {path}\n",
        style="dim",
    )
    out.print("What to type next:")
    listing = Listing("", "")
    for command, why in advice(player):
        listing.add(f"  {command}", Text(why, "dim"))
    out.print(listing)


def advice(player: str) -> list[tuple[str, str]]:
    """What to type next, and why."""
    return [
        (f"nemesis duel {quote(player)} hp --match 1000", "a stranger it never met, with an interval"),
        (f"nemesis tree {quote(player)} nl-tp", "what it remembers of an opponent"),
        (f"nemesis explain {quote(player)} nl-lp --after 300", "why it acts"),
        ("nemesis matrix --picture matrix.png", "everybody against everybody"),
        ("nemesis evolve list", "evolve one of your own"),
        ("nemesis play tp --game limit", "sit down yourself"),
        ("nemesis --help", "the rest"),
    ]


class Raise(NamedTuple):
    """One raise: in which hand, how likely a fold was thought to be, and whether he folded."""

    hand: int
    believed: float
    folded: bool


class Meeting:
    """One match: what every hand brought, and what the player now believes."""

    def __init__(self, name: str, words: str, big_blind: int, agent: Ashe) -> None:
        self.name = name
        self.words = words
        self.agent = agent
        self.big_blind = big_blind
        self.won: list[float] = []
        self.raises: list[Raise] = []
        self.folds = self.showdowns = self.strength = math.nan

    def listener(self, live: Live, meetings: list[Meeting]) -> Callable[[int, int], None]:
        """What hears of every hand's end: counts, and now and then shows."""

        def on_hand_end(hand: int, payoff: int) -> None:
            self.won.append(payoff / self.big_blind)
            if len(self.won) % EVERY == 0:
                self.believe()
                live.update(_listing(meetings))

        return on_hand_end

    def answered(self, decision: Explanation, folded: bool) -> None:
        """Keep what was thought of a raise, and how he answered it."""
        self.raises.append(Raise(decision.hand, decision.choice.fold, folded))

    def believe(self) -> None:
        """Read the trees."""
        known = self.agent.trees().in_all()
        self.folds = known.fold_rate
        self.showdowns = known.showdowns / known.visits if known.visits else math.nan
        self.strength = known.strength

    def rates(self) -> list[float]:
        """mBB/hand in each stretch so far; NaN where none was played."""
        parts = [self.won[first:last] for first, last in STRETCHES]
        return [1000.0 * sum(part) / len(part) if part else math.nan for part in parts]

    def to_json(self) -> dict[str, object]:
        """As plain data."""
        return {
            "opponent": self.name,
            "hands": len(self.won),
            "mbb_by_stretch": [None if math.isnan(rate) else rate for rate in self.rates()],
            "mbb": 1000.0 * sum(self.won) / len(self.won),
            "folds": self.folds,
            "showdowns": self.showdowns,
            "shown_strength": None if math.isnan(self.strength) else self.strength,
        }


def _listing(meetings: list[Meeting]) -> Listing:
    headings = [*(f"{first + 1}–{last}" for first, last in STRETCHES), "in all", "folds", "showdowns", "shows"]
    listing = Listing("stranger", *headings, right=headings)
    for meeting in meetings:
        total = 1000.0 * sum(meeting.won) / max(1, len(meeting.won))
        believed = (f"{meeting.folds:.0%}", f"{meeting.showdowns:.0%}", f"{meeting.strength:.2f}")
        cells = ["" if math.isnan(rate) else f"{rate:+,.0f}" for rate in meeting.rates()]
        beliefs = [cell.replace("nan%", "").replace("nan", "") for cell in believed]
        listing.add(bold(meeting.name), *cells, bold(f"{total:+,.0f}"), *beliefs)
    return listing
