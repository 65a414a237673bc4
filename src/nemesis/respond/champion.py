"""Champions: evolved players in small JSON files, readable by people and refused when damaged.

A champion says what kind of player it is, its genome, and how it was made (command, scale, seed, versions). A digest
over all of that is stored with it, so a file that was cut short or edited is refused with a sentence instead of
playing strangely.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nemesis.names import PLAYER_KINDS, resolve
from nemesis.respond.agent import CompiledAgent
from nemesis.rules.game import Game
from nemesis.runtime.atomic import write_json

FORMAT = 1
SHIPPED = Path(__file__).parent / "champions"


class ChampionError(ValueError):
    """A champion file that cannot be used, with the reason."""


def champion_digest(content: Mapping[str, Any]) -> str:
    """The digest of everything in a champion but the digest itself."""
    rest = {key: value for key, value in content.items() if key != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def save_champion(path: Path, name: str, player: Mapping[str, Any], genome: Any, made: Mapping[str, Any]) -> None:
    """Write a champion; `player` has its kind and options, `made` how it came to be."""
    content: dict[str, Any] = {"champion": FORMAT, "name": name, "player": player, "genome": genome, "made": made}
    write_json(path, {**content, "digest": champion_digest(content)})


def read_champion(path: Path) -> dict[str, Any]:
    """The content of a champion file, after checking that it is whole, unedited and of this format."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ChampionError(f"the champion {path} cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, json.JSONDecodeError):
        raise ChampionError(f"the champion {path} is cut short or damaged: it is not JSON to its end") from None
    if not isinstance(content, dict) or "champion" not in content:
        raise ChampionError(f"{path} is not a champion file")
    if content["champion"] != FORMAT:
        raise ChampionError(
            f"the champion {path} is of format {content['champion']}; this version reads format {FORMAT}"
        )
    if content.get("digest") != champion_digest(content):
        raise ChampionError(f"the champion {path} was changed after it was saved: its digest does not fit")
    missing = [field for field in ("name", "player", "genome", "made") if field not in content]
    if missing:
        raise ChampionError(f"the champion {path} has no {' and no '.join(missing)}")
    return content


def champion_agent(path: Path, game: Game) -> CompiledAgent:
    """The player of a champion file, made for a game."""
    content = read_champion(path)
    player = content["player"]
    kind = str(player.get("kind") if isinstance(player, dict) else player)
    if kind not in PLAYER_KINDS:
        raise ChampionError(f"the champion {path} is a {kind}; known kinds are {', '.join(PLAYER_KINDS)}")
    make = resolve(PLAYER_KINDS[kind]).from_champion
    try:
        agent: CompiledAgent = make(content, game)
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise ChampionError(f"the champion {path} does not describe a {kind}: {type(error).__name__} {error}") from None
    return agent


def shipped_champions() -> dict[str, Path]:
    """The champions that come with the package, by name."""
    return {path.stem: path for path in sorted(SHIPPED.glob("*.json"))}


def champion_about(path: Path) -> str:
    """One line on a champion: what it was evolved for and how well it does."""
    made = read_champion(path)["made"]
    recipe, score = made["recipe"], made.get("score", {})
    result = f", wins {score['mean']:.1%} there" if "mean" in score else ""
    if "hands" in score:
        taken = ", ".join(f"{name} {entry['mbb']:,.0f}" for name, entry in score["tables"].items())
        result = f", takes {taken} mBB/hand"
    return f"Champion of `{made['command']}`: {recipe['about']}{result}."
