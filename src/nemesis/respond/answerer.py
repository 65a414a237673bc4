"""The player that believes and answers exactly: what a style belief is worth when the answers are not the problem.

It keeps a style belief about its one opponent and plays, hand by hand, the exact best response to the style that is
likeliest. With a belief that knew the truth from the first hand it would reach the ceiling against every style, so what it
misses is what the belief costs. It is a yardstick, not the most that can be had: someone who is not sure yet could do
better than to play as if.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.action_table import ActionTable, Variant
from nemesis.believe.style_belief import belief_block, heard_by, likeliest, see
from nemesis.observe.event import ACTS, STARTS
from nemesis.respond.agent import ACT, WATCH, CompiledAgent, Memory, call_act, call_watch
from nemesis.rules.game import Game
from nemesis.runtime.borrowed import borrowed
from nemesis.runtime.compiled import njit
from nemesis.runtime.memory import CELL, REST, WHERE, Layout


class Places(NamedTuple):
    """The memory: the kernels that all answers share, how many answers of what size, the belief and the answers."""

    act: int = CELL
    watch: int = CELL
    styles: int = CELL
    size: int = CELL
    belief: int = WHERE
    answers: int = REST


LAYOUT = Layout(Places)
AT = LAYOUT.at


@njit(ACT, error_model="numpy")
def _act(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    size: Any = np.int64(memory[AT.size])
    belief: Any = np.int64(memory[AT.belief])
    style = likeliest(memory, belief, 1 - view[0].me)
    answer = borrowed(memory, AT.answers + style * size, size)
    return call_act(np.int64(memory[AT.act]), view, answer, chance)


@njit(WATCH, error_model="numpy")
def _watch(event: NDArray[np.void], memory: Memory) -> None:
    """Every answer follows the betting, so that any of them can take over. Writes `memory`."""
    size: Any = np.int64(memory[AT.size])
    belief: Any = np.int64(memory[AT.belief])
    if event[0].kind in (STARTS, ACTS):
        for style in range(np.int64(memory[AT.styles])):
            call_watch(np.int64(memory[AT.watch]), event, borrowed(memory, AT.answers + style * size, size))
    see(memory, belief, event[0])


class Answerer(CompiledAgent):
    """The player with an answer to each style of the `table`: exact best responses, say (`solve.ceiling`).

    The addresses of their kernels stand in its memory and hold in one process only, so it is made again in another.
    """

    def __init__(
        self, answers: Mapping[str, CompiledAgent], table: ActionTable, game: Game, belief: Variant = "plain"
    ) -> None:
        if set(answers) != set(table.styles):
            raise ValueError(
                f"the table is of {', '.join(table.styles)}, but there are answers to {', '.join(answers)}"
            )
        players = [answers[style] for style in table.styles]
        act, watch = players[0].addresses
        memory = LAYOUT.template(
            act=act, watch=watch, styles=len(players), size=players[0].template.size,
            belief=belief_block(table, game.seats, variant=belief),
            answers=np.concatenate([answer.template for answer in players]),
        )  # fmt: skip
        hears, facts = heard_by(belief)
        super().__init__(f"exact-{belief}", _act, _watch, memory, facts, {STARTS, *hears})
        self._made = dict(answers), table, game, belief

    def __reduce__(self) -> tuple[Any, ...]:
        """What it was made of."""
        return Answerer, self._made
