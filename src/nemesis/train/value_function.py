"""Fit the value function of AIVAT that ships (`play.luck`): `python -m nemesis.train.value_function`.

It is fitted to hands of players that ship, on deals of a seed of its own, and then frozen in `play/luck.json`. `ashe-a4` is
left out, because what the value function is worth is told of `equilibrium` against it.
"""

from __future__ import annotations

import argparse

import numpy as np

from nemesis.observe.tape import Tape
from nemesis.play.averaged_terms import average_terms
from nemesis.play.luck import fit, known_positions, save_fit, terms
from nemesis.play.match import play_lineups
from nemesis.respond.agent import Agent
from nemesis.respond.by_name import agent as named_agent
from nemesis.respond.solved_player import SolvedPlayer
from nemesis.rules.game import Game
from nemesis.rules.games import no_limit

SEED = 987
MATCH_HANDS = 200
KNOWN = "equilibrium"
OPPONENTS = ("equilibrium", "nl-ta", "nl-tp", "nl-lp", "nl-la", "hp", "ashe-a1", "ashe-a2", "ashe-a3")
OTHERS = (("hp", "nl-ta"), ("cs", "nl-la"))


def play(pair: tuple[str, str], game: Game, hands: int) -> tuple[list[Agent], Tape]:
    """About so many hands of two players, every deal from both sides."""
    agents: list[Agent] = [named_agent(name, game) for name in pair]
    rounds = max(1, hands // (2 * MATCH_HANDS))
    lineup, numbers = np.tile([[0, 1], [1, 0]], (rounds, 1)), np.repeat(np.arange(rounds), 2)
    tape = play_lineups(game, agents, lineup, numbers, hands=MATCH_HANDS, seed=SEED, taping=True).tape
    assert tape is not None
    return agents, tape


def fit_value_function(hands: int) -> None:
    """Fit on about so many hands a pairing, and freeze what was found."""
    game = no_limit()
    plain, averaged = [], []
    for pair in (*((KNOWN, name) for name in OPPONENTS), *OTHERS):
        print(" v ".join(pair), flush=True)
        agents, tape = play(pair, game, hands)
        plain.append((terms(tape, SEED), tape.hands["payoffs"][:, 0].astype(np.float64)))
        if isinstance(agents[0], SolvedPlayer):
            won, found = average_terms(tape, agents[0].book, known_positions(tape, 0), SEED)
            averaged.append((found, won))
    made = f"python -m nemesis.train.value_function --hands {hands}"
    fitted = [fit(*(np.concatenate(part) for part in zip(*each, strict=True))) for each in (plain, averaged)]
    save_fit(made, coefficients=fitted[0], averaged=fitted[1])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=20_000)
    fit_value_function(parser.parse_args().hands)
