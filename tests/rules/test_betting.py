"""The rules of betting, with explicit chips, and the laws every hand obeys.

A hand is written as its actions in turn: 0 folds, 1 checks or calls, more raises to that many chips on the street.
"""

import hashlib
import os
import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nemesis.rules import games
from nemesis.rules.betting import begin, new_hand, settle, step
from nemesis.rules.game import AFTER_BLINDS, STRUCTURES, Game, blind_positions, holdem


def play(game: Game, *actions: int, stacks: tuple[int, ...] | None = None) -> np.record:
    """The hand after these actions, from the game's stacks unless others are given."""
    rules, hand = game.compiled(), new_hand()
    begin(rules, np.array(stacks or game.stacks), hand)
    for action in actions:
        assert not hand[0].over, f"the betting was over before {actions} were played"
        step(rules, hand, action)
    return hand[0]


def showdown(hand: np.record, *ranks: int) -> list[int]:
    """What everyone wins when these are the strengths of their hands."""
    settle(hand.reshape(1) if isinstance(hand, np.ndarray) else hand_array(hand), np.array(ranks, np.int32))
    return hand.payoff[: hand.seats].tolist()


def hand_array(hand: np.record) -> np.ndarray:
    return np.frombuffer(hand, dtype=hand.dtype) if False else hand.base
