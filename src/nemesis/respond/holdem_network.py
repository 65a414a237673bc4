"""The network that plays limit hold'em (Baker 2010, sections 7.2 to 7.9).

Its inputs, in order: three flags for flop, turn and river; the win probability against everybody still in; its chips as a
share of all; whether a call costs anything. Then of an opponent: how often it bet, checked or called, and folded in the
last 50 hands; its last action of this hand as three flags of the same; and the belief in each style, if a table of
styles' actions is given, from its last `window` actions. Of the three outputs, fold, check or call and bet, the largest
acts. That is figure 7.1, with beliefs 7.7. `stakes` adds inputs of ours: the price of a call, the pot, the bets so far
on this street, whether a raise is allowed, and whether it has the button.

Heads-up the network takes one step at every decision and keeps its state through the match. With more seats its state is
cleared at every decision, and it is shown each opponent still in the hand, one after another from its left, with one
more flag: whether that opponent acts before it on this street (section 7.9). `at_once` is figure 7.30 instead: one
step, every opponent's last action, position and beliefs beside each other, no frequencies; 30 inputs at four seats.

Chips are endless in the source; the share is of `CHIPS` big blinds each plus what the match has brought so far.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.action_table import ActionTable, Variant
from nemesis.believe.recent_actions import note_action, recent_actions_block, recent_share
from nemesis.believe.style_belief import AT as BELIEF
from nemesis.believe.style_belief import belief_block, believed, heard_by, see
from nemesis.observe.event import ACTS, ENDS
from nemesis.observe.view import win_against
from nemesis.respond.agent import ACT, WATCH, CompiledAgent, Memory
from nemesis.respond.champion import ChampionError, player_option, player_size
from nemesis.respond.network import AT as NETWORK
from nemesis.respond.network import Network, activate, clear_state, inputs_at, largest_output
from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.rules.game import Game, GameError
from nemesis.runtime.compiled import inlined, njit
from nemesis.runtime.memory import CELL, WHERE, Layout

OUTPUTS = 3
CHIPS = 1000
WINDOW = 8
"""Actions of an opponent that its belief looks at (section 7.4)."""

_HAND, _STAKES, _FREQUENCIES, _LAST_ACTION, _POSITION = 6, 5, 3, 3, 1
_MOST_BETS = 4.0


class Places(NamedTuple):
    """The memory: the game, what the network is shown and how, the network, the recent actions and the belief."""

    seats: int = CELL
    share: int = CELL
    """its chips as a share of all"""
    worth: int = CELL
    """the share that one chip is"""
    most: int = CELL
    """chips that a hand can cost"""
    styles: int = CELL
    stakes: int = CELL
    at_once: int = CELL
    network: int = WHERE
    recent: int = WHERE
    belief: int = WHERE


LAYOUT = Layout(Places)
AT = LAYOUT.at


def inputs_needed(seats: int, *, stakes: bool = False, at_once: bool = False, styles: int = 0) -> int:
    """How many inputs a player's network has: 12 in figure 7.1, 16 in figure 7.7, 30 in figure 7.30."""
    hand = _HAND + (_STAKES if stakes else 0)
    position = _POSITION if seats > 2 else 0
    if at_once:
        return hand + (seats - 1) * (_LAST_ACTION + position + styles)
    return hand + _FREQUENCIES + _LAST_ACTION + position + styles


@inlined
def show_hand(v: Any, memory: Memory, at: int) -> Any:
    """Write the inputs about the player's own hand from `at` on; returns where they end."""
    for street in range(1, 4):
        memory[at + street - 1] = 1.0 if v.street == street else 0.0
    memory[at + 3] = win_against(v.win, v.opponents)
    memory[at + 4] = memory[AT.share]
    memory[at + 5] = 1.0 if v.to_call > 0 else 0.0
    end: Any = at + 6
    if memory[AT.stakes] != 0.0:
        memory[end] = v.to_call / (_MOST_BETS * v.big_blind)
        memory[end + 1] = v.pot / memory[AT.most]
        memory[end + 2] = v.raises / _MOST_BETS
        memory[end + 3] = 1.0 if v.max_to > 0 else 0.0
        memory[end + 4] = 1.0 if v.button == v.me else 0.0
        end += 5
    return end


@inlined
def acts_before(v: Any, seat: int, seats: int) -> Any:
    """Whether a seat acts before mine on this street, at a table of more than two."""
    first = v.button + (1 if v.street > 0 else 3)
    return (seat - first) % seats < (v.me - first) % seats


@inlined
def show_opponent(v: Any, memory: Memory, at: int, seat: int, seats: int) -> Any:
    """Write the inputs about the opponent in `seat` from `at` on; returns where they end."""
    end: Any = at
    if memory[AT.at_once] == 0.0:
        recent: Any = np.int64(memory[AT.recent])
        memory[end] = recent_share(memory, recent, seat, RAISE)
        memory[end + 1] = recent_share(memory, recent, seat, CALL)
        memory[end + 2] = recent_share(memory, recent, seat, FOLD)
        end += 3
    last = v.last[seat]
    memory[end] = 1.0 if last == RAISE else 0.0
    memory[end + 1] = 1.0 if last == CALL else 0.0
    memory[end + 2] = 1.0 if last == FOLD else 0.0
    end += 3
    if seats > 2:
        memory[end] = 1.0 if acts_before(v, seat, seats) else 0.0
        end += 1
    belief: Any = np.int64(memory[AT.belief])
    styles = np.int64(memory[AT.styles])
    for style in range(styles):
        memory[end + style] = believed(memory, belief, seat, style)
    return end + styles


@njit(ACT, error_model="numpy")
def _act(view: NDArray[np.void], memory: Memory, chance: float) -> Any:
    v = view[0]
    network: Any = np.int64(memory[AT.network])
    seats: Any = np.int64(memory[AT.seats])
    each = memory[AT.at_once] == 0.0
    if seats > 2 and each:
        clear_state(memory, network)
    at = show_hand(v, memory, inputs_at(memory, network))
    seat = v.me
    for _ in range(seats - 1):
        seat += 1
        if seat >= seats:
            seat = 0
        if not each:
            at = show_opponent(v, memory, at, seat, seats)
        elif v.live[seat] != 0:
            show_opponent(v, memory, at, seat, seats)
            activate(memory, network)
    if not each:
        activate(memory, network)
    return largest_output(memory, network)


@njit(WATCH, error_model="numpy")
def _watch(event: NDArray[np.void], memory: Memory) -> None:
    e = event[0]
    if e.kind == ENDS:
        memory[AT.share] = min(1.0, max(0.0, memory[AT.share] + e.payoff * memory[AT.worth]))
        return
    if memory[AT.at_once] == 0.0 and e.kind == ACTS and e.seat != e.me:
        recent: Any = np.int64(memory[AT.recent])
        note_action(memory, recent, e)
    if memory[AT.styles] != 0.0:
        belief: Any = np.int64(memory[AT.belief])
        see(memory, belief, e)


def shown_inputs(agent: CompiledAgent) -> NDArray[np.float64]:
    """What the network of such a player was shown last."""
    at = int(agent.memory[AT.network])
    first = at + int(agent.memory[at + NETWORK.values])
    return agent.memory[first : first + int(agent.memory[at + NETWORK.inputs])].copy()


def beliefs_about(agent: CompiledAgent, seat: int) -> NDArray[np.float64]:
    """What such a player believes of a seat now: the probability of every style; nothing if it has no belief."""
    memory, at, styles = agent.memory, int(agent.memory[AT.belief]), int(agent.memory[AT.styles])
    first = at + int(memory[at + BELIEF.first_seat]) + seat * int(memory[at + BELIEF.stride]) if styles else 0
    return memory[first : first + styles].copy()


def holdem_network(
    network: Network,
    game: Game,
    *,
    stakes: bool = False,
    at_once: bool = False,
    table: ActionTable | None = None,
    belief: Variant = "street",
    window: int = WINDOW,
    name: str = "network",
) -> CompiledAgent:
    """A player from its network, with beliefs about styles among its inputs if a `table` of their actions is given."""
    if not game.is_holdem or game.structure != "limit":
        raise GameError(f"{name} plays limit hold'em; {game.name} is another game")
    if window < 1:
        raise ValueError(
            f"{name} believes by the last actions of an opponent; a window of {window} has none, give 1 or more"
        )
    styles = len(table.styles) if table else 0
    needed = inputs_needed(game.seats, stakes=stakes, at_once=at_once, styles=styles)
    if (network.inputs, network.outputs) != (needed, OUTPUTS):
        raise ValueError(
            f"{name} at a table of {game.seats} needs a network of {needed} inputs and {OUTPUTS} outputs, "
            f"but was given one of {network.inputs} and {network.outputs}"
        )
    memory = LAYOUT.template(
        seats=game.seats, share=1 / game.seats, worth=1 / (game.seats * CHIPS * game.big_blind),
        most=sum(game.stacks), styles=styles, stakes=stakes, at_once=at_once,
        network=network.for_choosing().block,
        recent=() if at_once else recent_actions_block(game.seats),
        belief=belief_block(table, game.seats, window, belief) if table else (),
    )  # fmt: skip
    hears, facts = heard_by(belief) if table else ((ACTS,), ())
    return CompiledAgent(name, _act, _watch, memory, {"win", *facts}, {*hears, ACTS, ENDS})


def from_champion(content: Mapping[str, Any], game: Game) -> CompiledAgent:
    """The player of a champion file: `genome` is the network, `player` says what it is shown, and at which table."""
    player = content["player"]
    seats = player_size(content, "seats")
    if seats != game.seats:
        raise ChampionError(f"it was raised at a table of {seats}, and this one has {game.seats} seats")
    table = player.get("table")
    return holdem_network(
        Network.from_json(content["genome"]),
        game,
        stakes=player_option(content, "stakes", False),
        at_once=player_option(content, "at_once", False),
        belief=player.get("belief", "street"),
        window=player_size(content, "window") if "window" in player else WINDOW,
        table=ActionTable.from_json(table) if table else None,
        name=content["name"],
    )
