"""What an agent at the table knows and thinks, as plain data, whatever kind of agent it is.

A compiled agent keeps its model in one flat memory. `read_mind` reads from it what people can understand: which style it
takes each seat for, what it thought of every option at its last decision (ASHE), where it stands in its tree of patterns,
and its network with the activations of the last decision. `Watched` seats an agent by its Python face, which plays the
very same hands, and reads its mind after every decision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from nemesis.believe.pattern_tree import NODE, NODE_SIZE, TREE, Line
from nemesis.believe.style_belief import AT as BELIEF
from nemesis.observe.view import View
from nemesis.respond import chromosome, counter, holdem_network, network_player
from nemesis.respond.agent import Agent, CompiledAgent, Memory, Uncompiled
from nemesis.respond.ashe import Ashe, Thought
from nemesis.respond.hypercube import Hypercube
from nemesis.respond.network import AT as NETWORK
from nemesis.respond.network import NODE as NETWORK_NODE
from nemesis.respond.opponent_kind import ANYBODY, KINDS
from nemesis.respond.styles import STYLES

OUTPUTS = ("fold", "call", "raise")
_HANDS_KEPT = 4


class Connection(NamedTuple):
    """A weighted edge of a network, between two nodes by name."""

    source: str
    target: str
    weight: float


@dataclass(frozen=True)
class Circuit:
    """A network as it stands: its nodes in layers from inputs to outputs, its edges, and every node's value now."""

    layers: tuple[tuple[str, ...], ...]
    connections: tuple[Connection, ...]
    activations: Mapping[str, float]


@dataclass(frozen=True)
class Mind:
    """What could be read of an agent; what it has not is empty."""

    manner: str = ""
    """What kind of thinker it is, in a sentence."""
    styles: tuple[str, ...] = ()
    beliefs: Mapping[int, tuple[float, ...]] = field(default_factory=dict)
    """By seat, how likely each of the styles is."""
    thoughts: tuple[Thought, ...] = ()
    chosen: str = ""
    """The option of largest utility among the thoughts."""
    here: Line | None = None
    """What followed the line of play that this hand has taken so far, at its last decision."""
    in_all: Line | None = None
    """What the opponent did in all hands."""
    circuit: Circuit | None = None

    @property
    def models(self) -> bool:
        """Whether it learns anything about its opponents."""
        return bool(self.beliefs or self.in_all)


class Watched(Uncompiled):
    """A compiled agent with its mind open: `thought` is what it thought last in a hand, `now` what it knows now."""

    def __init__(self, agent: CompiledAgent, seats: int) -> None:
        super().__init__(agent)
        self.seats = seats
        self._thought: dict[int, Mind] = {}

    def act(self, view: View) -> int:
        """Decide, and remember what was thought."""
        answer = super().act(view)
        self._thought = {hand: mind for hand, mind in self._thought.items() if hand >= view.hand - _HANDS_KEPT}
        self._thought[view.hand] = read_mind(self.agent, self.seats, free=view.to_call == 0)
        return answer

    def thought(self, hand: int) -> Mind | None:
        """What it thought at its last decision of a hand; None if it made none, or if the hand is long over."""
        return self._thought.get(hand)

    @property
    def now(self) -> Mind:
        """What it knows at this moment."""
        return read_mind(self.agent, self.seats)


def read_mind(agent: Agent, seats: int, free: bool = False) -> Mind:
    """What the agent knows of `seats` seats and thought last; with `free` its call is called a check."""
    if isinstance(agent, Ashe):
        return _ashe(agent, free)
    if isinstance(agent, Hypercube):
        return Mind("It learns by evolving rules in cells, one for each situation and kind of opponent.")
    if isinstance(agent, CompiledAgent) and (read := _READERS.get(agent.act_kernel.__module__)):
        return read(agent, seats)
    return Mind("It plays by a fixed rule and keeps no model of its opponents.")


def _ashe(agent: Ashe, free: bool) -> Mind:
    thoughts = [t._replace(action="check") if free and t.action == "call" else t for t in agent.thoughts()]
    trees = agent.trees()
    node, here = int(trees.block[TREE.now]), None
    if node >= 0:
        cells = trees.block[TREE.nodes + node * NODE_SIZE :][:NODE_SIZE]
        shown = cells[NODE.strength] / cells[NODE.showdowns] if cells[NODE.showdowns] else float("nan")
        here = Line(0, (), int(cells[NODE.visits]), int(cells[NODE.showdowns]), float(shown), int(cells[NODE.folds]))
    manner = "It counts what the opponent did after every line of play, and two networks turn the counts into chances."
    if agent.opponent_kind != KINDS[ANYBODY]:
        manner += f" It takes this opponent for a {agent.opponent_kind}, against whom networks of their own play."
    return Mind(
        manner,
        thoughts=tuple(thoughts),
        chosen=max(thoughts, key=lambda thought: thought.utility).action if len(thoughts) > 1 else "",
        here=here,
        in_all=trees.in_all(),
    )


def _analysis(agent: CompiledAgent, seats: int) -> Mind:
    if agent.watch_kernel is None:
        return Mind("It plays the two thresholds that beat one style, and does not look whether it faces it.")
    manner = "It believes by Bayes' rule which style everyone plays, and answers the most dangerous."
    return Mind(manner, tuple(STYLES), _beliefs(agent.memory, counter.AT.belief, len(STYLES), seats))


def _chromosome(agent: CompiledAgent, seats: int) -> Mind:
    if agent.watch_kernel is None:
        return Mind("It plays a table of evolved probabilities and keeps no model of its opponents.")
    at = int(agent.memory[chromosome.AT.belief])
    manner = "It has one evolved table of play for each style, and takes the one for the style it believes in."
    return Mind(manner, tuple(STYLES), _beliefs(agent.memory, at, len(STYLES), seats))


def _one_card_network(agent: CompiledAgent, seats: int) -> Mind:
    memory, at = agent.memory, network_player.AT
    cards = [f"card {rank + 1}" for rank in range(int(memory[at.ranks]))] if memory[at.each_card] else ["card"]
    last = ["just bet", "just called", "not yet"] if memory[at.last_action] else []
    stakes = ["price", "pot", "may raise", "opponents"] if memory[at.stakes] else []
    return _network_mind(agent, seats, int(memory[at.network]), int(memory[at.belief]), int(memory[at.styles]),
                         [*cards, *last, "chips", *stakes])  # fmt: skip


def _holdem_network(agent: CompiledAgent, seats: int) -> Mind:
    memory, at = agent.memory, holdem_network.AT
    inputs = ["flop", "turn", "river", "win chance", "chips", "costs"]
    inputs += ["price", "pot", "bets", "may raise", "button"] if memory[at.stakes] else []
    inputs += [] if memory[at.at_once] else ["bets often", "calls often", "folds often"]
    inputs += ["just bet", "just called", "just folded"]
    inputs += ["acts before"] if seats > 2 else []
    return _network_mind(agent, seats, int(memory[at.network]), int(memory[at.belief]), int(memory[at.styles]), inputs)


def _network_mind(agent: CompiledAgent, seats: int, network: int, belief: int, styles: int, inputs: list[str]) -> Mind:
    names = tuple(STYLES) if styles == len(STYLES) else tuple(f"style {i + 1}" for i in range(styles))
    shown = [*inputs, *(f"is {name.upper()}" for name in names)]
    beliefs = _beliefs(agent.memory, belief, styles, seats) if styles else {}
    manner = "A network chooses; its largest output acts."
    if styles:
        manner += " Among its inputs is which style it takes the opponent for."
    return Mind(manner, names, beliefs, circuit=read_circuit(agent.memory, network, shown))


def _beliefs(memory: Memory, at: int, styles: int, seats: int) -> dict[int, tuple[float, ...]]:
    first, stride = at + int(memory[at + BELIEF.first_seat]), int(memory[at + BELIEF.stride])
    return {seat: tuple(memory[first + seat * stride :][:styles].tolist()) for seat in range(seats)}


def read_circuit(memory: Memory, at: int, inputs: list[str]) -> Circuit:
    """The packed network at a place of a memory; inputs that have no name get a number."""
    count, outputs, nodes = (int(memory[at + where]) for where in (NETWORK.inputs, NETWORK.outputs, NETWORK.nodes))
    hidden = nodes - outputs
    last = OUTPUTS if outputs == len(OUTPUTS) else tuple(f"output {i + 1}" for i in range(outputs))
    names = [*inputs[:count], *(f"input {i + 1}" for i in range(len(inputs), count))]
    names += [f"node {i + 1}" for i in range(hidden)] + list(last)
    depth, cell, connections = [0] * count, at + NETWORK.program, []
    for place in range(nodes):
        pairs = int(memory[cell + NETWORK_NODE.edges])
        cell += NETWORK_NODE.pairs
        edges = [(int(memory[cell + 2 * i]), float(memory[cell + 2 * i + 1])) for i in range(pairs)]
        cell += 2 * pairs
        depth.append(1 + max((depth[source] for source, _ in edges if source < count + place), default=0))
        connections += [Connection(names[source], names[count + place], weight) for source, weight in edges]
    layers: list[tuple[str, ...]] = [tuple(names[:count])]
    for level in range(1, max(depth[count : count + hidden], default=0) + 1):
        layers.append(tuple(names[i] for i in range(count, count + hidden) if depth[i] == level))
    layers.append(tuple(names[count + hidden :]))
    values = at + int(memory[at + NETWORK.values])
    now = dict(zip(names, memory[values : values + count + nodes].tolist(), strict=True))
    return Circuit(tuple(filter(None, layers)), tuple(connections), now)


_READERS: Mapping[str, Callable[[Any, int], Mind]] = {
    counter.__name__: _analysis,
    chromosome.__name__: _chromosome,
    network_player.__name__: _one_card_network,
    holdem_network.__name__: _holdem_network,
}
