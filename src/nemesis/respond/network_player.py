"""The network that plays one-card poker (Baker 2010, sections 5.2 and 5.3; Baker et al. 2008).

Its inputs, in order: the card as its number over the number of cards; the opponent's last action of this hand as three
flags (bet, checked or called, nothing yet); my chips as a share of all at the table; and the belief in each style, if a
table of styles' actions is given. Of the three outputs, fold, check or call and bet, the largest acts. `stakes` adds
inputs of ours: the price of a call, the pot, whether a raise is allowed, and the share of opponents still in the hand.
`each_card` shows the card as one flag for each there is.

Heads-up the network takes one step at every decision and keeps its state through the tournament. With more seats its
state is cleared at every decision and it is shown each opponent still in the hand, one after another from my left; the
last answer counts (section 5.3.1). `recurrence=False` is the source's ablation: a cleared network is shown one
opponent, the next.

The figure with the source's inputs is lost; its count of eight nodes at the start fits our five inputs and three outputs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.action_table import ActionTable, Variant
from nemesis.believe.style_belief import belief_block, believed, heard_by, see
from nemesis.observe.view import NOT_YET
from nemesis.respond.agent import ACT, WATCH, CompiledAgent, Memory
from nemesis.respond.champion import player_option
from nemesis.respond.network import Network, activate, clear_state, inputs_at, largest_output
from nemesis.rules.betting import RAISE
from nemesis.rules.game import Game
from nemesis.runtime.compiled import inlined, njit
from nemesis.runtime.memory import CELL, WHERE, Layout

OUTPUTS = 3
LAST_ACTIONS = 3
STAKES = 4


class Places(NamedTuple):
    """The memory: the game, what the network is shown and how, the network and the belief."""

    ranks: int = CELL
    suits: int = CELL
    chips: int = CELL
    seats: int = CELL
    shown: int = CELL
    """opponents shown to the network at a decision"""
    cleared: int = CELL
    """whether its state is cleared before a decision"""
    last_action: int = CELL
    stakes: int = CELL
    styles: int = CELL
    each_card: int = CELL
    network: int = WHERE
    belief: int = WHERE


LAYOUT = Layout(Places)
AT = LAYOUT.at


def inputs_needed(*, last_action: bool = True, stakes: bool = False, styles: int = 0, cards: int = 1) -> int:
    """How many inputs a player's network has: the source's 5, and more for the stakes and each style believed in.

    `cards` is 1, or how many cards there are if each has a flag of its own.
    """
    return cards + 1 + (LAST_ACTIONS if last_action else 0) + (STAKES if stakes else 0) + styles


@inlined
def show_opponent(v: Any, memory: Memory, network: int, seat: int) -> None:
    """Write the inputs about the opponent in `seat` into the network."""
    at = inputs_at(memory, network)
    card = v.hole[0] // np.int64(memory[AT.suits])
    if memory[AT.each_card] == 0.0:
        memory[at] = (card + 1) / memory[AT.ranks]
        at += 1
    else:
        ranks = np.int64(memory[AT.ranks])
        for rank in range(ranks):
            memory[at + rank] = 1.0 if rank == card else 0.0
        at += ranks
    if memory[AT.last_action] != 0.0:
        last = v.last[seat]
        memory[at] = 1.0 if last == RAISE else 0.0
        memory[at + 1] = 1.0 if last != RAISE and last != NOT_YET else 0.0
        memory[at + 2] = 1.0 if last == NOT_YET else 0.0
        at += LAST_ACTIONS
    memory[at] = v.stack / memory[AT.chips]
    at += 1
    if memory[AT.stakes] != 0.0:
        memory[at] = v.to_call / memory[AT.chips]
        memory[at + 1] = v.pot / memory[AT.chips]
        memory[at + 2] = 1.0 if v.max_to > 0 else 0.0
        memory[at + 3] = v.opponents / (memory[AT.seats] - 1.0)
        at += STAKES
    belief: Any = np.int64(memory[AT.belief])
    for style in range(np.int64(memory[AT.styles])):
        memory[at + style] = believed(memory, belief, seat, style)


@njit(ACT, error_model="numpy")
def _act(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    v = view[0]
    network: Any = np.int64(memory[AT.network])
    seats = np.int64(memory[AT.seats])
    unshown = np.int64(memory[AT.shown])
    if memory[AT.cleared] != 0.0:
        clear_state(memory, network)
    seat = v.me
    for _ in range(seats - 1):
        seat += 1
        if seat >= seats:
            seat = 0
        if unshown > 0 and v.live[seat] != 0:
            show_opponent(v, memory, network, seat)
            activate(memory, network)
            unshown -= 1
    return largest_output(memory, network)


@njit(WATCH, error_model="numpy")
def _watch(event: NDArray[np.void], memory: Memory) -> None:
    belief: Any = np.int64(memory[AT.belief])
    see(memory, belief, event[0])


def network_player(
    network: Network,
    game: Game,
    *,
    last_action: bool = True,
    recurrence: bool = True,
    stakes: bool = False,
    each_card: bool = False,
    cleared: bool = False,
    table: ActionTable | None = None,
    belief: Variant = "plain",
    name: str = "network",
) -> CompiledAgent:
    """A player from its network, with beliefs about styles among its inputs if a `table` of their actions is given.

    A network evolved with several opponents is used to a `cleared` state and needs it heads-up too.
    """
    if game.hole_cards != 1:
        raise ValueError(f"{name} plays games of one card each; {game.name} deals {game.hole_cards}")
    styles = len(table.styles) if table else 0
    needed = inputs_needed(last_action=last_action, stakes=stakes, styles=styles, cards=game.ranks if each_card else 1)
    if (network.inputs, network.outputs) != (needed, OUTPUTS):
        raise ValueError(
            f"{name} needs a network of {needed} inputs and {OUTPUTS} outputs, "
            f"but was given one of {network.inputs} and {network.outputs}"
        )
    memory = LAYOUT.template(
        ranks=game.ranks, suits=game.suits, chips=sum(game.stacks), seats=game.seats,
        shown=game.seats - 1 if recurrence else 1, cleared=cleared or game.seats > 2 or not recurrence,
        last_action=last_action, stakes=stakes, styles=styles, each_card=each_card,
        network=network.for_choosing().block,
        belief=belief_block(table, game.seats, variant=belief) if table else (),
    )  # fmt: skip
    hears, facts = heard_by(belief)
    return CompiledAgent(name, _act, _watch if table else None, memory, facts if table else (), hears)


def from_champion(content: Mapping[str, Any], game: Game) -> CompiledAgent:
    """The player of a champion file: `genome` is the network, `player` has the options that differ from the usual."""
    player = content["player"]
    table = player.get("table")
    return network_player(
        Network.from_json(content["genome"]),
        game,
        last_action=player_option(content, "last_action", True),
        recurrence=player_option(content, "recurrence", True),
        stakes=player_option(content, "stakes", False),
        each_card=player_option(content, "each_card", False),
        cleared=player_option(content, "cleared", False),
        belief=player.get("belief", "plain"),
        table=ActionTable.from_json(table) if table else None,
        name=content["name"],
    )
