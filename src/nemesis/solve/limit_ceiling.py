"""Ceilings at heads-up limit hold'em: the most that can be taken from an opponent who acts on its win probability.

Styles, bluffers by decision and the like choose by their own win probability, the street and the bets so far. Asked at
every node of the betting with every such probability, through its own kernel on real views (`table_of`), an opponent
becomes a table. The best response is then folded back over the betting, with a bank of deals for the joint distribution of
both win probabilities on every street: at each node that the opponent's play can reach, the deals that reach it are told
apart only by the bucket of our own win probability, and every bucket takes the action that brings most.

Our view is the bucket now and the whole betting, not the buckets of earlier streets; remembering the last one as well
adds about one percent against TA. A finite bank flatters whoever chooses on it, so `value` is worked out on other
deals, with the opponent's mixing summed up exactly. It is what the response (`counter-la` and the like) earns in play.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from nemesis.measure.interval import Interval, mean_interval
from nemesis.observe.view import View
from nemesis.play.loop import start_match
from nemesis.play.match import Arena
from nemesis.respond.agent import Agent, CompiledAgent
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.parametric_counter import counter as searched_counter
from nemesis.respond.parametric_counter import shipped_counters
from nemesis.respond.win_policy_player import win_policy_player
from nemesis.rules.betting import CALL
from nemesis.rules.deal import deal, empty_bank
from nemesis.rules.game import Game, GameError
from nemesis.runtime.cache import load_or_build
from nemesis.runtime.streams import Stream, derived_seed
from nemesis.solve.policy import PROBES, Question, ask, replay
from nemesis.solve.tree import ABSENT, ACTIONS, OVER, TIES, Tree, grow_betting

BUCKETS = 20
DEALS = 300_000
FRESH_DEALS = 500_000
GRAIN = 100
"""How finely an opponent is asked for its own win probability; thresholds in whole percents are met exactly."""
CHANCES = 100
FIND, MEASURE = range(2)
"""The banks: one to find the best response, one to work out what it takes."""

_VERSION = 1
_MOST_ASKED = 8
_PROBED = 40
"""Nodes at which it is asked thoroughly whether it remembers anything."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class LimitCeiling:
    """The best response found: chips a hand on fresh deals with a 95 % interval, and on the bank it was found on.

    `choices` are the actions by node and bucket, with the nodes of `betting(game)`.
    """

    game: Game
    opponent: str
    buckets: int
    deals: int
    value: float
    ci95: Interval
    found: float
    choices: Ints

    def player(self, name: str = "best response") -> CompiledAgent:
        """The agent that plays it."""
        tree = betting(self.game)
        moves = np.where(tree.children == ABSENT, 0, tree.children)
        return win_policy_player(name, moves, self.choices)


@lru_cache(maxsize=4)
def betting(game: Game) -> Tree:
    """The betting of one hand."""
    if not game.is_holdem or game.structure != "limit" or game.seats != 2 or game.freeze_out:
        raise GameError(f"these ceilings are for heads-up limit hold'em for chips, not {game.name}")
    return grow_betting(game, (game.stacks[0], game.stacks[1]))


def table_of(agent: Agent, game: Game) -> Floats:
    """What an opponent does: probabilities by node, own win probability (`GRAIN` of them) and action."""
    if not isinstance(agent, CompiledAgent) or agent.hears or not set(agent.facts) <= {"win"}:
        raise ValueError(
            f"{agent.name or agent!r} has no ceiling here: it must act on its win probability and the hand's betting alone"
        )
    key = _digest(agent, game)
    if key not in _asked:
        if len(_asked) >= _MOST_ASKED:
            _asked.clear()
        _asked[key] = _ask_everywhere(agent, game)
    return _asked[key] / CHANCES


_asked: dict[str, NDArray[np.uint8]] = {}
"""What opponents did with each of `CHANCES` random numbers, as asked before."""


def _ask_everywhere(agent: CompiledAgent, game: Game) -> NDArray[np.uint8]:
    tree = betting(game)
    agent.sit(game, 0)
    arena = Arena(game, [agent, agent], 0)
    start_match(arena.rules, arena.desk, arena.seating, 1, False, 0, 0)
    bank = empty_bank(game, GRAIN)
    bank.win[:] = ((np.arange(GRAIN) + 0.5) / GRAIN)[:, None, None]
    rows = np.arange(GRAIN)[:, None]
    table = np.zeros((len(tree.actor), GRAIN, len(ACTIONS)), np.uint8)
    for node in np.flatnonzero(~tree.ends).tolist():
        hand, last = replay(game, tree, node)
        counts = np.zeros((GRAIN, 1, len(ACTIONS)), np.int64)
        question = Question(arena.rules[2:], hand, last, bank, rows, arena.desk.views)
        probes = PROBES if node < _PROBED else 1
        same = ask(question, hand.copy(), agent.addresses[0], agent.template, probes, CHANCES, counts)
        if not same or (node == 0 and _remembers(agent, arena.desk.views)):
            raise ValueError(f"{agent.name} remembers what it did or counts the hands, so it has no one ceiling")
        table[node] = counts[:, 0]
    return table


def _remembers(agent: CompiledAgent, views: NDArray[np.void]) -> bool:
    """Whether the agent writes anything down when it chooses."""
    for win in (0.5 / GRAIN, 0.5, 1 - 0.5 / GRAIN):
        views["win"] = win
        agent.act(View(views))
    return agent.template.size > 0 and not np.array_equal(agent.memory, agent.template)


@dataclass(frozen=True)
class Bank:
    """Deals as far as the fold looks at them: by deal and street our bucket and the opponent's, and who wins."""

    mine: NDArray[np.int16]
    theirs: NDArray[np.int16]
    outcome: NDArray[np.int8]  # for position 0: loses, ties, wins


def _banks(game: Game, buckets: int, deals: int, seed: int, number: int) -> tuple[Bank, Bank]:
    """The same deals as seen from position 0 and from position 1."""
    dealt = deal(game, derived_seed(seed, Stream.LIMIT_CEILING, number), 0, deals, {"win"})
    win = dealt.win.astype(np.float64)
    ours = np.minimum((win * buckets).astype(np.int16), buckets - 1)
    asked = np.minimum((win * GRAIN).astype(np.int16), GRAIN - 1)
    ranks = dealt.ranks.astype(np.int64)
    outcome = (TIES + np.sign(ranks[:, 0] - ranks[:, 1])).astype(np.int8)
    return Bank(ours[:, 0], asked[:, 1], outcome), Bank(ours[:, 1], asked[:, 0], outcome)


class Fold:
    """The betting folded back for one position, on one bank. `best` writes the position's rows of `choices`."""

    def __init__(self, tree: Tree, table: Floats, bank: Bank, position: int, choices: Ints) -> None:
        self.tree, self.table, self.bank, self.position, self.choices = tree, table, bank, position, choices
        self.sign = 1 if position == 0 else -1

    def best(self) -> float:
        """Choose at every node; what that takes a hand on this bank."""
        every = np.arange(len(self.bank.outcome))
        return float(self._best(0, every, np.ones(len(every))).mean())

    def _best(self, node: int, deals: Ints, weights: Floats) -> Floats:
        """By deal what this node brings; `weights` say how likely the opponent comes here with each."""
        tree = self.tree
        if tree.actor[node] == OVER:
            return self._end(node, deals)
        if tree.actor[node] != self.position:
            return self._theirs(node, deals, weights)
        bucket = self.bank.mine[deals, int(tree.street[node])]
        allowed = tree.allowed(node)
        values = [self._best(int(tree.children[node, action]), deals, weights) for action in allowed]
        sums = [np.bincount(bucket, weights * value, self.choices.shape[1]) for value in values]
        chosen = np.argmax(sums, axis=0)
        self.choices[node] = np.array(allowed)[chosen]
        found: Floats = np.choose(chosen[bucket], values)
        return found

    def _theirs(self, node: int, deals: Ints, weights: Floats) -> Floats:
        found = np.zeros(len(deals))
        done = self.table[node][self.bank.theirs[deals, int(self.tree.street[node])]]
        for action in self.tree.allowed(node):
            some = np.flatnonzero(done[:, action])
            if len(some):
                likely = done[some, action]
                child = int(self.tree.children[node, action])
                found[some] += likely * self._best(child, deals[some], weights[some] * likely)
        return found

    def _end(self, node: int, deals: Ints) -> Floats:
        payoffs = self.sign * self.tree.payoffs[node].astype(np.float64)
        if payoffs[0] == payoffs[2]:
            return np.full(len(deals), payoffs[0])
        ends: Floats = payoffs[self.bank.outcome[deals]]
        return ends

    def worth(self) -> Floats:
        """By deal what the choices take, without changing them."""
        return self._worth(0, np.arange(len(self.bank.outcome)))

    def _worth(self, node: int, deals: Ints) -> Floats:
        tree, street = self.tree, int(self.tree.street[node])
        if tree.actor[node] == OVER:
            return self._end(node, deals)
        found = np.zeros(len(deals))
        if tree.actor[node] == self.position:
            chosen = self.choices[node][self.bank.mine[deals, street]]
            done = (chosen[:, None] == np.arange(len(ACTIONS))).astype(np.float64)
        else:
            done = self.table[node][self.bank.theirs[deals, street]]
        for action in tree.allowed(node):
            some = np.flatnonzero(done[:, action])
            if len(some):
                found[some] += done[some, action] * self._worth(int(tree.children[node, action]), deals[some])
        return found


def limit_ceiling(
    opponent: Agent, game: Game, *, buckets: int = BUCKETS, deals: int = DEALS, fresh: int = FRESH_DEALS, seed: int = 0
) -> LimitCeiling:
    """The best response to an opponent by our win probability in so many buckets, and what it takes a hand."""
    if not 1 <= buckets <= 1000:
        raise ValueError(f"a win probability is told apart by 1 to 1000 buckets, not {buckets}")
    tree, table = betting(game), table_of(opponent, game)
    choices = np.full((len(tree.actor), buckets), CALL, np.int64)
    banks = _banks(game, buckets, deals, seed, FIND), _banks(game, buckets, fresh, seed, MEASURE)
    found = [Fold(tree, table, bank, position, choices).best() for position, bank in enumerate(banks[0])]
    worth = [Fold(tree, table, bank, position, choices).worth() for position, bank in enumerate(banks[1])]
    value, ci95 = mean_interval((worth[0] + worth[1]) / 2)
    return LimitCeiling(game, opponent.name, buckets, deals, value, ci95, float(np.mean(found)), choices)


def counter(game: Game, name: str) -> CompiledAgent:
    """The best response to one opponent: counter-la at limit hold'em is computed, counter-nl-ta was found by search."""
    opponent = name.removeprefix("counter-")
    if opponent in shipped_counters():
        return searched_counter(game, name)
    if (game.structure, game.seats, game.is_holdem) != ("limit", 2, True):
        raise ValueError(
            f"no counter-strategy was searched against {opponent!r}; there are {', '.join(shipped_counters())}, and at "
            f"heads-up limit hold'em those against styles, as counter-la"
        )
    against = compiled_agent(opponent, game)
    kept = load_or_build(
        f"counter-{_digest(against, game)}", _VERSION, lambda: _built(against, game), doing=f"computing {name} (once)…"
    )
    return LimitCeiling(game, opponent, BUCKETS, DEALS, 0.0, (0.0, 0.0), 0.0, kept["choices"].astype(np.int64)).player(
        name
    )


def _built(opponent: CompiledAgent, game: Game) -> dict[str, NDArray[np.int8]]:
    return {"choices": limit_ceiling(opponent, game, fresh=1).choices.astype(np.int8)}


def _digest(opponent: CompiledAgent, game: Game) -> str:
    """What tells this opponent at this game from every other."""
    kernel = opponent.act_kernel
    told = f"{game.digest()} {kernel.__module__}:{kernel.__name__} {BUCKETS} {DEALS}".encode()
    return hashlib.sha256(told + opponent.template.tobytes()).hexdigest()[:16]
