"""The player of an exact equilibrium, for the small games that are solved in a moment."""

from __future__ import annotations

from functools import lru_cache

from nemesis.respond.agent import CompiledAgent
from nemesis.rules.game import Game
from nemesis.solve.policy import Policy, play_policy
from nemesis.solve.tree import check_small


def equilibrium_player(game: Game) -> CompiledAgent:
    """Plays an exact equilibrium: nobody takes anything from it, and it takes nothing from mistakes. Kuhn and Leduc."""
    try:
        check_small(game)
        if game.freeze_out:
            raise ValueError(f"{game.name} is a freeze-out")
    except ValueError as error:
        raise ValueError(
            f"equilibrium does not play {game.name}: it solves single hands of small heads-up games such as kuhn and leduc, "
            f"and {error}"
        ) from None
    return play_policy(_solved(game), "equilibrium")


@lru_cache(maxsize=16)
def _solved(game: Game) -> Policy:
    from nemesis.solve.equilibrium import equilibrium  # needs SciPy, which is slow to import; naming the agent is not

    return equilibrium(game).policy
