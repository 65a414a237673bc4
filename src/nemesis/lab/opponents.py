"""Whom a visitor can meet: agents that a page may name, what they say about themselves, and how they are seated."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from nemesis.lab.agent_names import ANYBODY, RUN, agent_names, agent_path
from nemesis.lab.folder import lab_folder
from nemesis.measure.mind import Watched
from nemesis.names import AGENTS, describe
from nemesis.play.match import Player
from nemesis.respond.agent import Agent, CompiledAgent
from nemesis.respond.by_name import agent
from nemesis.rules.game import Game

FAMILIES: Mapping[str, str] = {
    "ashe-": "Learns you while it plays: it counts what you do after every line of play and takes what pays most.",
    "limit-": "An evolved network of limit hold'em.",
    "dense-": "An evolved network of one-card poker.",
    "neat-": "A network of one-card poker whose very shape was evolved.",
    "specialist-": "An evolved table of probabilities for one-card poker.",
    "hypercube": "Learns by evolving rules in cells while it plays limit hold'em.",
    RUN: "The champion of a run of yours.",
    ANYBODY: "Plays hold'em as people in general do.",
    "clone:": "Plays hold'em as this player of your store does.",
}
"""Champions in a line, by how their names begin."""


MEETABLE = (
    "nl-la",
    "nl-lp",
    "nl-tp",
    "nl-ta",
    "hp",
    "cs",
    "hm",
    "cm",
    "sl",
    "ashe-a1",
    "ashe-a2",
    "ashe-a3",
    "ashe-a4",
    "ashe-team",
)
"""Whom a visitor at a no-limit table is offered next."""


def opponents() -> list[str]:
    """Every name to choose from."""
    return [name for name in agent_names(lab_folder()) if name != "style"]


def about(name: str) -> str:
    """An agent in a line."""
    family = next((words for start, words in FAMILIES.items() if name.startswith(start)), "")
    return family or (describe(AGENTS[name]) if name in AGENTS else "")


def check_opponent(name: str) -> None:
    """Raise a `ValueError` if a page may not seat anybody of that name."""
    agent_path(name, lab_folder())


def lab_agent(name: str, game: Game) -> Agent:
    """The agent of that name, if a page may seat it."""
    return agent(agent_path(name, lab_folder()), game)


def watched_player(name: str) -> Player:
    """Somebody to sit down whose mind can be read while it plays, if it is compiled; it plays the same hands."""
    check_opponent(name)
    return Player(name, partial(_watched, name))


def _watched(name: str, game: Game) -> Agent:
    made = lab_agent(name, game)
    return Watched(made, game.seats) if isinstance(made, CompiledAgent) else made
