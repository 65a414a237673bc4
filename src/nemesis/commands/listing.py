"""What can be named: `games` and `agents`."""

from __future__ import annotations

from typing import Any

from nemesis.commands.console import out, print_json
from nemesis.commands.listing_table import Listing
from nemesis.commands.options import AsJson


def games(as_json: AsJson = False) -> None:
    """List the games that can be played.

    Any of them takes another number of seats (one per player named) and other stacks (--stack).
    """
    import nemesis
    from nemesis.names import GAMES

    rows = [nemesis.game(name) for name in GAMES]
    if as_json:
        print_json([_game_json(game) for game in rows])
        return
    listing = Listing("game", "seats", "betting", "stakes", "stack", "what it is", prose={"what it is"})
    for game in rows:
        stakes = "/".join(str(b) for b in sorted(filter(None, game.blinds))) or f"ante {max(game.antes)}"
        listing.add(game.name, str(game.seats), game.structure, stakes, str(game.stacks[0]), game.about)
    out.print(listing)


def agents(as_json: AsJson = False) -> None:
    """List the agents that can be seated by name.

    Wherever a name is accepted, so is an agent of your own, as path/to/file.py:ClassName.
    """
    from nemesis.respond import by_name

    rows = list(by_name.agents().items())
    if as_json:
        print_json([{"agent": name, "about": about} for name, about in rows])
        return
    listing = Listing("agent", "how it plays", prose={"how it plays"})
    for row in rows:
        listing.add(*row)
    out.print(listing)
    out.print("\nand by names that say what they are:", style="bold")
    for form in by_name.forms():
        out.print(form)


def _game_json(game: Any) -> dict[str, Any]:
    return {
        "game": game.name,
        "seats": game.seats,
        "structure": game.structure,
        "blinds": list(game.blinds),
        "antes": list(game.antes),
        "bets": list(game.bets),
        "stacks": list(game.stacks),
        "about": game.about,
    }
