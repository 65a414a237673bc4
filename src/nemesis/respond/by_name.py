"""Agents by name: registered ones, champions, agents of a user's own file, and names that say what they are.

Names take parameters behind a colon, `style:alpha=0.3,beta=0.7`. A champion is named by a shipped name or by its run,
`runs/neat-la`. `path/to/file.py:ClassName` is an agent of the user's own.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nemesis.names import AGENTS, GAMES, PATTERNS, describe, resolve, unknown
from nemesis.respond.adopted import adopted
from nemesis.respond.agent import Agent, CompiledAgent, blame
from nemesis.respond.champion import champion_about, champion_agent, read_champion, shipped_champions
from nemesis.respond.user_file import from_file, is_file
from nemesis.rules.game import Game
from nemesis.runtime.lifetime import Terminated


def agent(name: str, for_game: Game) -> Agent:
    """The agent of that name, made for a game."""
    base, _, given = name.partition(":")
    made: Agent
    if base in AGENTS:
        made = _make(name, resolve(AGENTS[base]), for_game, _parameters(name, given))
    elif (champion := _champion_path(name)) is not None:
        made = champion_agent(champion, for_game)
    elif base.endswith(".py"):
        made = _make(name, from_file(base, given), for_game, {})
    elif spec := next((PATTERNS[pattern] for pattern in PATTERNS if re.fullmatch(pattern, name)), None):
        made = resolve(spec)(for_game, name)
    else:
        known = [*AGENTS, *shipped_champions()]
        raise unknown("agent", name, known, "or path/to/file.py:ClassName, or a run's champion")
    if not made.name:
        made.name = given or name
    return made


def compiled_agent(name: str, for_game: Game) -> CompiledAgent:
    """The agent of that name where only compiled ones can sit: in training and in studies."""
    made = agent(name, for_game)
    if not isinstance(made, CompiledAgent):
        raise ValueError(f"{name} is written in Python; only compiled agents are fast enough here")
    return made


def game_for(players: Sequence[object], usual: str) -> str:
    """The game that the first champion among the players evolved for; the usual one if there is none."""
    for name in players:
        path = _champion_path(name) if isinstance(name, str) else None
        if path is not None:
            evolved = read_champion(path)["made"].get("recipe", {}).get("game", usual)
            return evolved if isinstance(evolved, str) and evolved in GAMES else usual
    return usual


def agents() -> dict[str, str]:
    """Every agent that can be seated by name, with what it says about itself."""
    scripted = {name: describe(spec) for name, spec in AGENTS.items()}
    champions = {name: champion_about(path) for name, path in shipped_champions().items()}
    return {**scripted, **champions}


def forms() -> list[str]:
    """What the agents say about themselves whose whole name says what they are."""
    return [describe(spec) for spec in dict.fromkeys(PATTERNS.values())]


def _champion_path(name: str) -> Path | None:
    """The file of a shipped champion of that name, or of a run's: runs/x, runs/x/champion, runs/x/champion.json."""
    shipped = shipped_champions()
    if name in shipped:
        return shipped[name]
    path = Path(name)
    beside = [path.with_name(path.name + ".json")] if path.name else []
    for candidate in (path, *beside, path / "champion.json"):
        if candidate.suffix == ".json" and is_file(candidate):
            return candidate
    return path if path.suffix == ".json" else None


def _parameters(name: str, given: str) -> dict[str, float]:
    parameters: dict[str, float] = {}
    for part in filter(None, given.split(",")):
        key, equals, value = part.partition("=")
        try:
            if not equals:
                raise ValueError
            parameters[key.strip()] = float(value)
        except ValueError:
            raise ValueError(f"{part!r} in {name!r} is not a parameter; write name:key=number,key=number") from None
    return parameters


def _make(name: str, factory: Any, for_game: Game, parameters: dict[str, float]) -> Agent:
    wanted = inspect.signature(factory).parameters
    unwanted = sorted(set(parameters) - set(wanted))
    if unwanted:
        known = ", ".join(key for key in wanted if key not in ("game", "name")) or "none"
        raise ValueError(f"{name!r} does not take {', '.join(unwanted)}; its parameters are: {known}")
    arguments: dict[str, Any] = {"game": for_game} if "game" in wanted else {}
    missing = [
        key for key, p in wanted.items() if p.default is p.empty and key not in (*arguments, *parameters)
        and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
    ]  # fmt: skip
    if missing:
        base = name.partition(":")[0]
        if base not in AGENTS:
            raise ValueError(
                f"{name} cannot be made: it needs {' and '.join(missing)}, but an agent from a file gets only `game`"
            )
        example = ",".join(
            [*(f"{key}={value:g}" for key, value in parameters.items()), *(f"{key}=…" for key in missing)]
        )
        raise ValueError(f"{name!r} needs {' and '.join(missing)}; write {base}:{example}")
    try:
        made = factory(**arguments, **parameters)
    except BaseException as error:
        base, _, called = name.partition(":")
        if base in AGENTS or isinstance(error, (KeyboardInterrupt, Terminated)):
            raise
        raise blame(called, error, "could not be made: it raised") from error
    if not callable(getattr(made, "act", None)):
        raise TypeError(f"{name} makes a {type(made).__name__}, which has no act(view) method, so it is not an agent")
    return adopted(made)
