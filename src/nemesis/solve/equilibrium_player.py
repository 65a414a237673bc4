"""`equilibrium` by name: the exact one of a small game, or the solved strategy that comes with the house for hold'em."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from nemesis.respond.agent import CompiledAgent
from nemesis.respond.solved_player import SolvedPlayer, open_book
from nemesis.rules.game import Game
from nemesis.solve.policy import Policy, play_policy
from nemesis.solve.tree import check_small

SHIPPED = Path(__file__).parent / "strategies"


def equilibrium_player(game: Game) -> CompiledAgent:
    """Plays so that nobody takes much from it: exactly in Kuhn and Leduc, as solved in heads-up limit and no-limit."""
    if game.is_holdem:
        return _shipped(game)
    try:
        check_small(game)
        if game.freeze_out:
            raise ValueError(f"{game.name} is a freeze-out")
    except ValueError as error:
        raise ValueError(
            f"equilibrium does not play {game.name}: it solves single hands of small heads-up games such as kuhn and leduc, "
            f"and {error}"
        ) from None
    return play_policy(exact_equilibrium(game), "equilibrium")


def _shipped(game: Game) -> CompiledAgent:
    for path in shipped_strategies().values():
        if open_book(path).strategy.fits(game):
            return SolvedPlayer("equilibrium", game, path)
    raise ValueError(
        f"equilibrium does not play {game.name}: the solved games of hold'em that come with the house are "
        f"{', '.join(shipped_strategies())} with their own stacks; `nemesis solve` solves another, and the file it writes "
        f"is seated by its path"
    )


def shipped_strategies() -> dict[str, Path]:
    """The strategies that come with the house, by game."""
    return {path.stem: path for path in sorted(SHIPPED.glob("[!.]*.npz"))}


@lru_cache(maxsize=16)
def exact_equilibrium(game: Game) -> Policy:
    """The policy that `equilibrium` plays in a small game."""
    from nemesis.solve.equilibrium import equilibrium  # needs SciPy, which is slow to import; naming the agent is not

    return equilibrium(game).policy
