"""Who can be seated from the browser: agents by name, and champions of runs in the lab's folder. No file of anybody else's.

On the command line a name may be a path to a champion or to Python code. From a page it may not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache, partial

from nemesis.lab.folder import PLAIN_NAME, inside
from nemesis.measure.mind import Watched
from nemesis.names import AGENTS, PATTERNS, unknown
from nemesis.play.match import Player
from nemesis.respond.agent import Agent, CompiledAgent
from nemesis.respond.by_name import agent, agents
from nemesis.respond.champion import shipped_champions
from nemesis.rules.game import Game

RUNS = "runs"
"""The folder of runs in the lab's folder; a run's champion is named `runs/NAME`."""


@lru_cache(maxsize=1)
def known_agents() -> Mapping[str, str]:
    """Every agent with a name of its own, and what it says about itself."""
    return {name: about for name, about in agents().items() if name != "style"}


def runs_with_champions() -> list[str]:
    """The runs of the lab that have a champion, as names to seat."""
    folder = inside(RUNS)
    found = sorted(path.parent.name for path in folder.glob("*/champion.json")) if folder.is_dir() else []
    return [f"{RUNS}/{name}" for name in found if PLAIN_NAME.fullmatch(name)]


FAMILIES: Mapping[str, str] = {
    "ashe-": "Learns you while it plays: it counts what you do after every line of play and takes what pays most.",
    "limit-": "An evolved network of limit hold'em.",
    "dense-": "An evolved network of one-card poker.",
    "neat-": "A network of one-card poker whose very shape was evolved.",
    "specialist-": "An evolved table of probabilities for one-card poker.",
    "hypercube": "Learns by evolving rules in cells while it plays limit hold'em.",
}
"""Champions in a line, by how their names begin."""


def about(name: str) -> str:
    """An agent in a line."""
    if family := next((words for start, words in FAMILIES.items() if name.startswith(start)), ""):
        return family
    said = known_agents().get(name, "")
    if not said.startswith("Champion of"):
        return said
    _, _, told = said.partition("`: ")
    return f"A champion: {told.split(', takes ')[0].split(', wins ')[0]}." if told else said


def checked_name(name: str) -> str:
    """The name as the house knows it; a `ValueError` if nothing that a page may seat is called so."""
    if name.startswith(f"{RUNS}/"):
        champion = inside(RUNS, name.removeprefix(f"{RUNS}/"), "champion.json")
        if champion.is_file():
            return str(champion)
        raise ValueError(f"the run {name.removeprefix(RUNS + '/')!r} has no champion yet")
    base = name.partition(":")[0]
    plain = len(name) <= 200 and not re.search(r"[/\\\0]", name)
    if plain and (base in AGENTS or name in shipped_champions()):
        return name
    if plain and ".json" not in name and any(re.fullmatch(pattern, name) for pattern in PATTERNS):
        return name
    raise unknown("agent", name[:200], [*known_agents(), *runs_with_champions()])


def lab_agent(name: str, game: Game) -> Agent:
    """The agent of that name, if a page may seat it."""
    return agent(checked_name(name), game)


def watched_player(name: str) -> Player:
    """Somebody to sit down whose mind can be read while it plays, if it is compiled; it plays the same hands."""
    checked_name(name)
    return Player(name, partial(_watched, name))


def _watched(name: str, game: Game) -> Agent:
    made = lab_agent(name, game)
    return Watched(made, game.seats) if isinstance(made, CompiledAgent) else made
