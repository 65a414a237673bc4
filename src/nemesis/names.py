"""The one registry: what can be asked for by name, and where it is made.

Adding an opponent is one file and one line here; the command line, the laboratory, the studies and the conformance
tests pick it up. A line says `name: "module:factory"`. Names take parameters behind a colon, `style:alpha=0.3,beta=0.7`,
and `path/to/file.py:ClassName` is accepted wherever an agent's name is.
"""

from __future__ import annotations

import difflib
import hashlib
import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from nemesis.observe.view import View
from nemesis.play.match import Player
from nemesis.respond.agent import Agent
from nemesis.respond.champion import champion_about, champion_agent, read_champion, shipped_champions
from nemesis.rules.acpc import read_game
from nemesis.rules.game import Game
from nemesis.studies.study import Study
from nemesis.train.recipe import Recipe
from nemesis.train.recipes import RECIPES

GAMES: Mapping[str, str] = {
    "one-card": "nemesis.rules.games:one_card",
    "one-card-100": "nemesis.rules.games:one_card_100",
    "kuhn": "nemesis.rules.games:kuhn",
    "leduc": "nemesis.rules.games:leduc",
    "limit": "nemesis.rules.games:limit",
    "acpc-limit": "nemesis.rules.games:acpc_limit",
    "ring": "nemesis.rules.games:ring",
    "no-limit": "nemesis.rules.games:no_limit",
    "no-limit-6": "nemesis.rules.games:no_limit_6",
    "pot-limit": "nemesis.rules.games:pot_limit",
}

AGENTS: Mapping[str, str] = {
    "fold": "nemesis.respond.simple:fold",
    "call": "nemesis.respond.simple:call",
    "raise": "nemesis.respond.simple:raise_",
    "random": "nemesis.respond.simple:random",
    "la": "nemesis.respond.styles:loose_aggressive",
    "lp": "nemesis.respond.styles:loose_passive",
    "ta": "nemesis.respond.styles:tight_aggressive",
    "tp": "nemesis.respond.styles:tight_passive",
    "style": "nemesis.respond.styles:style",
    "anti-la": "nemesis.respond.counter:anti_la",
    "anti-lp": "nemesis.respond.counter:anti_lp",
    "anti-ta": "nemesis.respond.counter:anti_ta",
    "anti-tp": "nemesis.respond.counter:anti_tp",
    "analysis": "nemesis.respond.counter:analysis",
    "hm": "nemesis.respond.no_limit_simple:hothead_maniac",
    "cm": "nemesis.respond.no_limit_simple:calling_machine",
    "sl": "nemesis.respond.no_limit_simple:scared_limper",
    "cs": "nemesis.respond.no_limit_simple:candid_statistician",
    "rg": "nemesis.respond.random_gambler:random_gambler",
    "nl-la": "nemesis.respond.no_limit_styles:loose_aggressive",
    "nl-lp": "nemesis.respond.no_limit_styles:loose_passive",
    "nl-tp": "nemesis.respond.no_limit_styles:tight_passive",
    "nl-ta": "nemesis.respond.no_limit_styles:tight_aggressive",
    "hp": "nemesis.respond.half_a_pro:half_a_pro",
    "patient": "nemesis.respond.known_counters:patient",
    "thief": "nemesis.respond.known_counters:thief",
}

PATTERNS: Mapping[str, str] = {
    r"[a-z]+\+.+": "nemesis.respond.style_variants:modified",
    r"[a-z]+-to-.+": "nemesis.respond.style_variants:modified",
    r"simulation(-.*)?": "nemesis.solve.pair_search:simulation",
    r"counter-.+": "nemesis.respond.parametric_counter:counter",
}
"""Agents whose whole name says what they are; such a factory takes the game and the name."""


STUDIES: Mapping[str, str] = {
    "action-table": "nemesis.studies.action_table:STUDY",
    "anti-players": "nemesis.studies.anti_players:STUDY",
    "pair-maps": "nemesis.studies.pair_maps:STUDY",
    "analysis-player": "nemesis.studies.analysis_player:STUDY",
    "belief-growth": "nemesis.studies.belief_growth:STUDY",
    "belief-worth": "nemesis.studies.belief_worth:STUDY",
    "ga-curves": "nemesis.studies.ga_curves:STUDY",
    "neat-curves": "nemesis.studies.neat_curves:STUDY",
    "style-classifiers": "nemesis.studies.style_classifiers:STUDY",
    "four-seats": "nemesis.studies.four_seats:STUDY",
    "ablations": "nemesis.studies.ablations:STUDY",
    "bluffers": "nemesis.studies.bluffers:STUDY",
    "style-changes": "nemesis.studies.style_changes:STUDY",
    "coevolution": "nemesis.studies.coevolution:STUDY",
    "adversary": "nemesis.studies.adversary:STUDY",
    "no-limit-opponents": "nemesis.studies.no_limit_opponents:STUDY",
    "no-limit-ceilings": "nemesis.studies.no_limit_ceilings:STUDY",
    "ashe-table": "nemesis.studies.ashe_table:STUDY",
    "ashe-adaptation": "nemesis.studies.ashe_adaptation:STUDY",
    "ashe-ablations": "nemesis.studies.ashe_ablations:STUDY",
    "ashe-training": "nemesis.studies.ashe_training:STUDY",
}


class UnknownName(ValueError):
    """A name nobody answers to, with the nearest ones that somebody does."""


def game(name: str | Game, seats: int | None = None, stack: int | None = None) -> Game:
    """The game of that name, or of an ACPC game definition file, for `seats` players with `stack` chips each."""
    if isinstance(name, Game):
        found = name
    elif name in GAMES:
        found = _factory(GAMES[name])()
    elif "/" in name or "." in name:
        path = Path(name)
        try:
            found = read_game(path.read_text(), path.stem)
        except (OSError, UnicodeDecodeError) as error:
            raise UnknownName(f"the game definition {name} cannot be read: {error}") from None
    else:
        raise UnknownName(_unknown("game", name, GAMES, "or the path of an ACPC game definition"))
    if seats not in (None, found.seats) or stack is not None:
        found = found.seated(found.seats if seats is None else seats, stack)
    return found


def agent(name: str, for_game: Game) -> Agent:
    """The agent of that name, made for a game."""
    base, _, given = name.partition(":")
    if base in AGENTS:
        factory = _factory(AGENTS[base])
        made = _make(name, factory, for_game, _parameters(name, given))
    elif (champion := _champion_path(name)) is not None:
        made = champion_agent(champion, for_game)
    elif base.endswith(".py"):
        made = _make(name, _from_file(base, given), for_game, {})
    elif factory := next((_factory(PATTERNS[pattern]) for pattern in PATTERNS if re.fullmatch(pattern, name)), None):
        made = factory(for_game, name)
    else:
        known = [*AGENTS, *shipped_champions()]
        raise UnknownName(_unknown("agent", name, known, "or path/to/file.py:ClassName, or a run's champion"))
    if not made.name:
        made.name = given or name
    return made


def _champion_path(name: str) -> Path | None:
    """The file of a shipped champion of that name, or of a run's: runs/x, runs/x/champion, runs/x/champion.json."""
    shipped = shipped_champions()
    if name in shipped:
        return shipped[name]
    path = Path(name)
    for candidate in (path, path.with_name(path.name + ".json"), path / "champion.json"):
        if candidate.suffix == ".json" and candidate.is_file():
            return candidate
    return path if path.suffix == ".json" else None


def game_for(players: Sequence[object], usual: str) -> str:
    """The game that the first champion among the players evolved for; the usual one if there is none."""
    for name in players:
        path = _champion_path(name) if isinstance(name, str) else None
        if path is not None:
            evolved = read_champion(path)["made"].get("recipe", {}).get("game", usual)
            return str(evolved) if evolved in GAMES else usual
    return usual


def agents() -> dict[str, str]:
    """Every agent that can be seated by name, with what it says about itself."""
    scripted = {name: describe(spec) for name, spec in AGENTS.items()}
    champions = {name: champion_about(path) for name, path in shipped_champions().items()}
    return {**scripted, **champions}


def forms() -> list[str]:
    """What the agents say about themselves whose whole name says what they are."""
    return [describe(spec) for spec in dict.fromkeys(PATTERNS.values())]


def recipe(name: str) -> Recipe:
    """The evolution of that name."""
    if name not in RECIPES:
        raise UnknownName(_unknown("recipe", name, RECIPES, "nemesis evolve list shows them all"))
    return RECIPES[name]


def study(name: str) -> Study:
    """The study of that name."""
    if name not in STUDIES:
        raise UnknownName(_unknown("study", name, STUDIES, "nemesis study list shows them all"))
    found: Study = _factory(STUDIES[name])
    return found


def player(who: str | Agent | Player) -> Player:
    """Somebody who can sit down, from a name or an agent of your own."""
    if isinstance(who, Player):
        return who
    if isinstance(who, str):
        return Player(_label(who), partial(agent, who))
    if isinstance(who, type):
        raise TypeError(f"{who.__name__} is a class; pass an agent made from it, {who.__name__}()")
    if not callable(getattr(who, "act", None)):
        raise TypeError(f"{who!r} is not an agent: it has no act(view) method")
    seated = who if isinstance(who, Agent) else _Adopted(who)
    return Player(seated.name or type(seated).__name__, partial(_same, seated))


def describe(spec: str) -> str:
    """The first line of what a registered factory says about itself."""
    return (inspect.getdoc(_factory(spec)) or "").split("\n", 1)[0]


def _same(who: Agent, for_game: Game) -> Agent:
    return who


def _label(name: str) -> str:
    base, _, given = name.partition(":")
    return given if base.endswith(".py") and given else name


def _factory(spec: str) -> Any:
    module, _, attribute = spec.partition(":")
    return getattr(importlib.import_module(module), attribute)


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
    unknown = sorted(set(parameters) - set(wanted))
    if unknown:
        known = ", ".join(key for key in wanted if key not in ("game", "name")) or "none"
        raise ValueError(f"{name!r} does not take {', '.join(unknown)}; its parameters are: {known}")
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
    made = factory(**arguments, **parameters)
    if not callable(getattr(made, "act", None)):
        raise TypeError(f"{name} makes a {type(made).__name__}, which has no act(view) method, so it is not an agent")
    return made if isinstance(made, Agent) else _Adopted(made)


class _Adopted(Agent):
    """An object with an `act` of its own that is not a subclass of Agent; it is never told of events."""

    def __init__(self, other: Any) -> None:
        self.other = other
        self.name = getattr(other, "name", "") or type(other).__name__

    def sit(self, game: Game, seat: int) -> None:
        if hasattr(self.other, "sit"):
            self.other.sit(game, seat)

    def act(self, view: View) -> int:
        action: int = self.other.act(view)
        return action


@lru_cache(maxsize=64)
def _from_file(path: str, attribute: str) -> Any:
    where = Path(path)
    if not attribute:
        raise ValueError(f"{path} names a file but no agent in it; write {path}:ClassName")
    if not where.is_file():
        raise UnknownName(f"there is no file {path}")
    module_name = f"nemesis_user_{hashlib.sha256(str(where.resolve()).encode()).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(module_name, where)
    if spec is None or spec.loader is None:
        raise ValueError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[module_name]
        raise ValueError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
    if not hasattr(module, attribute):
        names = [name for name, value in vars(module).items() if inspect.isclass(value) or inspect.isfunction(value)]
        raise UnknownName(_unknown(f"agent in {path}", attribute, names, ""))
    return getattr(module, attribute)


def _unknown(kind: str, name: str, known: Any, otherwise: str) -> str:
    close = difflib.get_close_matches(name.lower(), list(known), n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(close)}?" if close else f"known are {', '.join(known)}"
    return f"there is no {kind} named {name!r}; {hint}" + (f" ({otherwise})" if otherwise else "")
