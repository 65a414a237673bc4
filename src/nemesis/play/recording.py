"""Matches written down: as tapes, as records that replay to the same chips, and as the text of hand histories."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from nemesis.observe.hand import Hand
from nemesis.observe.phh_text import tape_texts
from nemesis.observe.tape import Tape, finished_hands
from nemesis.play.loop import new_outcomes
from nemesis.play.match import DEFAULT_TIME_LIMIT, Arena, Played, Player
from nemesis.respond.agent import Agent
from nemesis.rules.deal import Bank
from nemesis.rules.game import Game


def record_match(
    game: Game,
    agents: Sequence[Agent],
    hands: int,
    *,
    seed: int = 0,
    bank: Bank | None = None,
    freeze_out: bool = False,
    time_limit: float = DEFAULT_TIME_LIMIT,
) -> list[Hand]:
    """Play one match of `hands` hands, agent `i` in seat `i`, and return its hands.

    The cards are deals 0, 1, … of `(game, seed)`, or those of `bank` when given.
    """
    tape = tape_match(game, agents, hands, seed=seed, bank=bank, freeze_out=freeze_out, time_limit=time_limit)
    return [hand for hand, _ in finished_hands(tape)]


def tape_match(
    game: Game,
    agents: Sequence[Agent],
    hands: int,
    *,
    seed: int = 0,
    bank: Bank | None = None,
    freeze_out: bool = False,
    time_limit: float = DEFAULT_TIME_LIMIT,
) -> Tape:
    """As `record_match`, as a tape."""
    arena = Arena(game, agents, seed, bank, taping=True)
    lineups = arena.lineups(np.arange(game.seats)[None, :], np.zeros(1, np.int64), hands, freeze_out)
    tape = arena.play(lineups, new_outcomes((1, game.seats)), time_limit).tape
    assert tape is not None
    return tape


def hand_texts(played: Played, players: Sequence[Player], first_match: int) -> list[str]:
    """The taped hands of matches as PHH text, matches numbered from `first_match` on; none if nothing was taped."""
    if played.tape is None:
        return []
    tape = dataclasses.replace(played.tape, players=tuple(player.label for player in players))
    tape.hands["match"] += first_match
    return tape_texts(tape)
