"""Champions: evolved players in small JSON files, readable by people and refused when damaged.

A champion says what kind of player it is, its genome, and how it was made (command, scale, seed, versions). A digest
over all of that is stored with it, so a file that was cut short or edited is refused with a sentence instead of
playing strangely. The digest is no seal: anybody can compute it. So everything in a file is checked before it is used.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.names import PLAYER_KINDS, resolve
from nemesis.respond.agent import CompiledAgent
from nemesis.rules.game import Game
from nemesis.runtime.atomic import write_json

FORMAT = 1
MOST_BYTES = 1 << 26
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
        if path.exists() and not path.is_file():
            raise ChampionError(f"the champion {path} is not a file")
        if path.stat().st_size > MOST_BYTES:
            raise ChampionError(f"{path} is not a champion file: it is larger than {MOST_BYTES:,} bytes")
        content = json.loads(path.read_text(encoding="utf-8"))
        digest = champion_digest(content) if isinstance(content, dict) else ""
    except OSError as error:
        raise ChampionError(f"the champion {path} cannot be read: {error.strerror}") from None
    except RecursionError:
        raise ChampionError(f"{path} is not a champion file: it is nested too deeply") from None
    except ChampionError:
        raise
    except ValueError:
        raise ChampionError(f"the champion {path} is cut short or damaged: it is not JSON to its end") from None
    if not isinstance(content, dict) or "champion" not in content:
        raise ChampionError(f"{path} is not a champion file")
    if content["champion"] != FORMAT:
        raise ChampionError(
            f"the champion {path} is of format {content['champion']}; this version reads format {FORMAT}"
        )
    if content.get("digest") != digest:
        raise ChampionError(f"the champion {path} was changed after it was saved: its digest does not fit")
    missing = [field for field in ("name", "player", "genome", "made") if field not in content]
    if missing:
        raise ChampionError(f"the champion {path} has no {' and no '.join(missing)}")
    for field, kind, what in (("name", str, "a text"), ("player", dict, "an object"), ("made", dict, "an object")):
        if not isinstance(content[field], kind):
            raise ChampionError(f"the champion {path} has {_shown(content[field])} as its {field}; it must be {what}")
    if not isinstance(content["made"].get("recipe", {}), dict):
        raise ChampionError(
            f"the champion {path} was made by {_shown(content['made']['recipe'])}; a recipe is an object"
        )
    return content


def champion_agent(path: Path, game: Game) -> CompiledAgent:
    """The player of a champion file, made for a game."""
    content = read_champion(path)
    kind = content["player"].get("kind")
    if not isinstance(kind, str) or kind not in PLAYER_KINDS:
        raise ChampionError(f"the champion {path} is a {_shown(kind)}; known kinds are {', '.join(PLAYER_KINDS)}")
    make = resolve(PLAYER_KINDS[kind]).from_champion
    try:
        agent: CompiledAgent = make(content, game)
    except (AttributeError, IndexError, KeyError, TypeError, OverflowError) as error:
        raise ChampionError(
            f"the champion {path} does not describe a {kind}: something is missing or of another kind"
        ) from error
    except ValueError as error:
        raise ChampionError(f"the champion {path} cannot sit down: {error}") from None
    return agent


def genes_of(content: Mapping[str, Any]) -> NDArray[np.float64]:
    """The genome of a champion whose genes are a list of numbers."""
    genome = content["genome"]
    if not isinstance(genome, list) or not all(type(gene) in (int, float) for gene in genome):
        raise ChampionError("its genome is not a list of numbers")
    try:
        genes = np.array(genome, np.float64)
    except OverflowError:
        raise ChampionError("a gene is too large to be a number") from None
    if not np.isfinite(genes).all():
        raise ChampionError("a gene is not a finite number")
    return genes


def player_option(content: Mapping[str, Any], option: str, usual: bool) -> bool:
    """Whether an option of the player is on."""
    chosen = content["player"].get(option, usual)
    if not isinstance(chosen, bool):
        raise ChampionError(f"its {option} is {_shown(chosen)}; it must be true or false")
    return chosen


def player_size(content: Mapping[str, Any], size: str) -> int:
    """A size of the player, a whole number."""
    given = content["player"].get(size)
    if not isinstance(given, int) or isinstance(given, bool):
        raise ChampionError(f"its {size} is {_shown(given)}; it must be a whole number")
    return given


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:60] + "…"


def shipped_champions() -> dict[str, Path]:
    """The champions that come with the package, by name."""
    return {path.stem: path for path in sorted(SHIPPED.glob("*.json"))}


def champion_about(path: Path) -> str:
    """One line on a champion: what it was evolved for and how well it does."""
    made = read_champion(path)["made"]
    recipe, score = made["recipe"], made.get("score", {})
    result = f", wins {score['mean']:.1%} there" if "mean" in score else ""
    if "match" in score:
        taken = ", ".join(f"{name} {entry['chips']:,.0f}" for name, entry in score["tables"].items())
        result = f", takes {taken} chips in {score['match']} hands"
    elif "hands" in score:
        taken = ", ".join(f"{name} {entry['mbb']:,.0f}" for name, entry in score["tables"].items())
        result = f", takes {taken} mBB/hand"
    return f"Champion of `{made['command']}`: {recipe['about']}{result}."
