"""Raising a hypercube: it learns at a table, and what its cells then hold is kept as a champion.

Unlike other kinds, it needs no recipe and no learner: evolution goes on in its memory while it plays. A champion of it can
go on learning wherever it sits down, or be a frozen copy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from nemesis.measure.contest import measure_table
from nemesis.measure.epochs import Epochs, play_epochs
from nemesis.play.by_name import player
from nemesis.play.workers import Workers
from nemesis.respond.agent import Agent, Memory
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.champion import save_champion
from nemesis.respond.hypercube import Hypercube
from nemesis.respond.hypercube_file import HypercubeFile
from nemesis.rules.game import Game
from nemesis.train.evolution import versions


def hypercube_of(agent: Agent) -> Hypercube:
    """The agent, if it is a hypercube."""
    if not isinstance(agent, Hypercube):
        raise ValueError(f"{agent.name} has no cells; give a hypercube, such as hypercube or hypercube-a")
    return agent


def learn_at(game: Game, learner: Hypercube, opponents: Sequence[str], hands: int, *, seed: int) -> Epochs:
    """Play one match of so many hands; the first memory is what the hypercube has then learned."""
    return play_epochs(game, [learner, *(compiled_agent(name, game) for name in opponents)], 1, hands=hands, seed=seed)


def save_learned(
    path: Path,
    learner: Hypercube,
    memory: Memory,
    *,
    learning: bool,
    game: Game,
    opponents: Sequence[str],
    hands: int,
    seed: int,
    command: str,
    workers: Workers = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """Keep what was learned as a champion file; returns its score at that table, on deals that it never saw."""
    told, genes = HypercubeFile.champion(learner, memory, learning)
    about = f"{'learns on' if learning else 'a frozen copy'} after {hands:,} hands with {' '.join(opponents)}"
    made: dict[str, Any] = {
        "recipe": {"game": game.name, "about": about},
        "command": command,
        "seed": seed,
        "versions": versions(),
    }
    fresh = HypercubeFile.from_champion({"name": path.stem, "player": told, "genome": genes}, game)
    seated = [player(fresh), *(player(name) for name in opponents)]
    found = measure_table(seated, game, hands, seed=seed + 1, workers=workers, progress=progress).scores[0]
    entry = {"mbb": found.mean, "ci95": list(found.ci95)}
    score: dict[str, Any] = {"hands": hands, "tables": {" ".join(opponents): entry}}
    save_champion(path, path.stem, told, genes, {**made, "score": score})
    return score
