"""Solved strategies in files: one NumPy archive with the betting menu, the card buckets and what is played.

`nemesis solve` writes them. Probabilities are kept as bytes, in steps of 1/255, and very small ones are dropped, for they
are mostly what is left of early mistakes. The tree is not kept: it is grown again from the game and the menu. A digest
over everything is stored, so that a file that was cut short or edited is refused with a sentence.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.rules.buckets import Clusters
from nemesis.rules.game import Game
from nemesis.rules.menu_tree import Menu
from nemesis.runtime.atomic import becoming

FORMAT = 1
WHOLE = 255
DROPPED = 0.02
MOST_BYTES = 1 << 30
_ANYTHING = ("name", "about", "match_hands")
"""What two games may differ in and still be the same game to a strategy."""


class StrategyError(ValueError):
    """A strategy file that cannot be used, with the reason."""


@dataclass(frozen=True, eq=False)
class Strategy:
    """What a file holds: `shares` are the probabilities by slot, in steps of 1/255."""

    game: Game
    menu: Menu
    clusters: Clusters
    shares: NDArray[np.uint8]
    made: Mapping[str, Any]

    def fits(self, game: Game) -> bool:
        """Whether it was solved for the rules of this game."""
        return _rules(self.game) == _rules(game)


def quantised(probabilities: NDArray[np.float32], widths: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Probabilities by slot as bytes; `widths` are the actions of each information set. Each adds up to `WHOLE`."""
    starts = np.concatenate([[0], np.cumsum(widths)[:-1]])
    kept = np.where(probabilities < DROPPED, 0.0, probabilities).astype(np.float64)
    kept /= np.repeat(np.add.reduceat(kept, starts), widths)
    shares = np.floor(kept * WHOLE).astype(np.int64)
    short = WHOLE - np.add.reduceat(shares, starts)
    largest = np.repeat(np.maximum.reduceat(kept, starts), widths)
    order = np.flatnonzero(kept == largest)
    _, first = np.unique(np.repeat(np.arange(len(widths)), widths)[order], return_index=True)
    shares[order[first]] += short
    return shares.astype(np.uint8)


def save_strategy(path: Path, strategy: Strategy) -> None:
    """Write the file, whole or not at all."""
    told = {
        "format": FORMAT,
        "game": {key: value for key, value in dataclasses.asdict(strategy.game).items() if key != "about"},
        "menu": strategy.menu.streets,
        "made": dict(strategy.made),
    }
    arrays: dict[str, Any] = {f"centres_{i}": centres for i, centres in enumerate(strategy.clusters.centres)}
    arrays["shares"] = strategy.shares
    text = json.dumps(told, ensure_ascii=False, sort_keys=True)
    arrays["told"] = np.frombuffer(text.encode(), np.uint8)
    arrays["digest"] = np.frombuffer(_digest(arrays), np.uint8)
    with becoming(path) as temporary, temporary.open("wb") as handle:
        np.savez_compressed(handle, **arrays)


def read_strategy(path: Path) -> Strategy:
    """The strategy of a file, after checking that it is whole and unedited."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise StrategyError(f"{path} is not a strategy file: it is larger than {MOST_BYTES:,} bytes")
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        told = json.loads(arrays["told"].tobytes().decode())
        digest = arrays.pop("digest").tobytes()
    except StrategyError:
        raise
    except OSError as error:
        raise StrategyError(f"the strategy {path} cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile, AttributeError, TypeError):
        raise StrategyError(f"{path} is not a strategy file, or it is cut short") from None
    if digest != _digest(arrays):
        raise StrategyError(f"the strategy {path} was changed after it was saved: its digest does not fit")
    if told.get("format") != FORMAT:
        raise StrategyError(
            f"the strategy {path} is of format {told.get('format')}; this version reads format {FORMAT}"
        )
    try:
        fields: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in told["game"].items()
        }
        menu = Menu(tuple(tuple(tuple(level) for level in street) for street in told["menu"]))
        centres = tuple(arrays[f"centres_{i}"] for i in range(sum(name.startswith("centres_") for name in arrays)))
        return Strategy(Game(**fields), menu, Clusters(centres), arrays["shares"], told["made"])
    except (KeyError, TypeError, ValueError) as error:
        raise StrategyError(f"the strategy {path} does not describe a game that can be played: {error}") from None


def _digest(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    digest = hashlib.sha256()
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype} {arrays[name].shape}".encode())
        digest.update(np.ascontiguousarray(arrays[name]).tobytes())
    return digest.digest()


def _rules(game: Game) -> dict[str, Any]:
    return {key: value for key, value in dataclasses.asdict(game).items() if key not in _ANYTHING}
