"""The four instances of ASHE in the ASHE paper: whom each met in training, what table 3 prints, and who plays them here.

An instance is the champion that comes with the package, or one evolved here at the scale of the study, so a study runs
either way and says which it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nemesis.respond.ashe import Ashe
from nemesis.respond.ashe_file import from_champion
from nemesis.respond.champion import read_champion, shipped_champions
from nemesis.rules.game import Game
from nemesis.studies.evolved import evolve_champion
from nemesis.studies.published_opponents import OPPONENTS
from nemesis.studies.study import Setting
from nemesis.train.recipes import RECIPES

INSTANCES = ("A1", "A2", "A3", "A4")

_CODES = ("HM", "CM", "SL", "CS", "RG", "HP", "LA", "LP", "TP", "TA", "SB")


def _line(*figures: float) -> dict[str, float]:
    return dict(zip(_CODES, figures, strict=True))


PUBLISHED: Mapping[str, Mapping[str, float]] = {
    "A1": _line(44241, 48361, 999, 9514, 6992, 37, 13506, 9060, 1252, 107, -59),
    "A2": _line(40010, 45703, 998, 8071, 8422, 225, 18241, 12444, 1412, 431, -8),
    "A3": _line(47086, 22133, 999, 1954, 5699, -331, 23074, 4781, 1493, -106, -512),
    "A4": {opponent.code: opponent.a4 for opponent in OPPONENTS},
    "SB": {opponent.code: opponent.sb for opponent in OPPONENTS if opponent.sb is not None},
}
"""Table 3: what each took from each, in mBB/hand."""


@dataclass(frozen=True)
class Instance:
    """One player: its code in the source, the agent, and whether it came with the package."""

    code: str
    agent: Ashe
    shipped: bool


def recipe_name(code: str) -> str:
    """The recipe, and the champion, of an instance: `ashe-a1` of A1."""
    return f"ashe-{code.lower()}"


def met(code: str) -> frozenset[str]:
    """The codes of the opponents that an instance met in training; relations of theirs have none."""
    school = RECIPES[recipe_name(code)].school
    tables = [*school.tables, *(table for _, lesson in school.lessons for table in lesson)]
    by_agent = {opponent.agent: opponent.code for opponent in OPPONENTS}
    return frozenset(by_agent[name] for (name,) in tables if name in by_agent)


def instance(code: str, game: Game, setting: Setting, *, forgets: bool = False, stepless: bool = False) -> Instance:
    """An instance of ASHE, whole or without one of its memories."""
    name = recipe_name(code)
    shipped = shipped_champions().get(name)
    path = shipped or evolve_champion(RECIPES[name], setting).path
    content = read_champion(path)
    content["player"] |= {"forgets": forgets, "stepless": stepless}
    return Instance(code, from_champion(content, game), shipped is not None)


def instances(game: Game, setting: Setting) -> list[Instance]:
    """All four."""
    return [instance(code, game, setting) for code in INSTANCES]


def caution(players: list[Instance], setting: Setting) -> str:
    """What a reader must know about these players at this scale, as the start of a verdict."""
    works = "Smoke scale shows that it works and nothing else. " if setting.scale == "smoke" else ""
    evolved = [player.code for player in players if not player.shipped]
    if not evolved:
        return works
    return f"{works}No champion came with the package for {', '.join(evolved)}; evolved here at scale {setting.scale}. "
