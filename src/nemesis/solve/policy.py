"""A policy: for every situation of a small game, the probability to fold, call or raise.

Three ways in: `tabulate` asks a Python function, `policy_of` asks a compiled agent through its real kernel on real views,
and the solvers (`ceiling`, `equilibrium`) make their own. One way out: `play_policy` is a compiled agent that sits at
any table and plays the policy, so a computed value can be checked by playing.

Situations are by stacks (both, by position), betting so far, own card and board card. What an agent decides by
anything else (earlier hands, its seat, the number of the hand) is not in a policy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.view import NOT_YET, look, look_around
from nemesis.play.loop import start_match
from nemesis.play.match import Arena
from nemesis.respond.agent import Agent, CompiledAgent, Memory, call_act
from nemesis.respond.policy_player import policy_player
from nemesis.rules.betting import CALL, RAISE, begin, new_hand, step, take
from nemesis.rules.deal import Bank, deal_cards
from nemesis.rules.game import MAX_SEATS, Game
from nemesis.runtime.compiled import njit
from nemesis.solve.tree import ABSENT, LETTERS, OVER, Stacks, Tree, board_seen, trees

CHANCES = 12_600  # every whole percentage and every fraction with a denominator up to ten is met exactly
PROBES = 128
_HANDS_ON = 97


@dataclass(frozen=True)
class Spot:
    """What everyone can see when somebody must act."""

    stacks: Stacks  # before the hand, by position
    position: int
    history: str
    street: int
    board: int | None
    to_call: int
    can_raise: bool


Choose = Callable[[int, Spot], Sequence[float]]


@dataclass(frozen=True)
class Policy:
    """Probabilities by stacks; each table is node, card, board card, action, with the nodes of `trees(game)`.

    Before the board card is seen, and in games without one, a table's board columns are equal.
    """

    game: Game
    tables: Mapping[Stacks, NDArray[np.float64]]

    def at(
        self, card: int, history: str = "", stacks: Stacks | None = None, board: int | None = None
    ) -> NDArray[np.float64]:
        """P(fold), P(call), P(raise) with this card after this betting."""
        wanted = stacks or trees(self.game)[0].stacks
        tree = next((tree for tree in trees(self.game) if tree.stacks == wanted), None)
        if tree is None:
            raise ValueError(f"stacks {wanted} cannot come up in {self.game.name}")
        decisions = [text for text, actor in zip(tree.histories, tree.actor, strict=True) if actor != OVER]
        if history not in decisions:
            raise ValueError(f"nobody acts after {history!r}; decisions follow {', '.join(map(repr, decisions))}")
        found: NDArray[np.float64] = self.tables[wanted][tree.histories.index(history), card, board or 0]
        return found

    def rows(self) -> Iterator[tuple[Spot, int, NDArray[np.float64]]]:
        """Every situation: what is seen, the card held, the probabilities."""
        for tree in trees(self.game):
            for node, spot in _spots(self.game, tree):
                for card in range(self.game.ranks * self.game.suits):
                    if card != spot.board:
                        yield spot, card, self.tables[tree.stacks][node, card, spot.board or 0]


def empty_table(game: Game, tree: Tree) -> NDArray[np.float64]:
    """Zeros, ready to be filled."""
    cards = game.ranks * game.suits
    return np.zeros((len(tree.actor), cards, cards if any(game.board_cards) else 1, 3))


def _spots(game: Game, tree: Tree) -> Iterator[tuple[int, Spot]]:
    """Every decision node with each board card it can meet."""
    for node in np.flatnonzero(~tree.ends).tolist():
        seen = board_seen(game, int(tree.street[node]))
        for board in range(game.ranks * game.suits) if seen else (None,):
            yield (
                node,
                Spot(
                    tree.stacks,
                    int(tree.actor[node]),
                    tree.histories[node],
                    int(tree.street[node]),
                    board,
                    int(tree.to_call[node]),
                    bool(tree.children[node, RAISE] != ABSENT),
                ),
            )


def tabulate(choose: Choose, game: Game) -> Policy:
    """The policy of a function `choose(card, spot) -> (fold, call, raise)`. What is not allowed becomes a check or call."""
    tables = {}
    for tree in trees(game):
        table = empty_table(game, tree)
        for node, spot in _spots(game, tree):
            for card in range(table.shape[1]):
                if card != spot.board:
                    table[node, card, slice(None) if spot.board is None else spot.board] = _checked(choose, card, spot)
        tables[tree.stacks] = table
    return Policy(game, tables)


def _checked(choose: Choose, card: int, spot: Spot) -> list[float]:
    answer = [float(probability) for probability in choose(card, spot)]
    if len(answer) != 3 or min(answer) < 0 or abs(sum(answer) - 1) > 1e-9:
        raise ValueError(
            f"with card {card} after {spot.history!r} the policy answers {answer}; three probabilities are due"
        )
    fold, call, bet = answer
    return [
        fold if spot.to_call else 0.0,
        call + fold * (not spot.to_call) + bet * (not spot.can_raise),
        bet * spot.can_raise,
    ]


def policy_of(agent: Agent, game: Game, chances: int = CHANCES) -> Policy:
    """The policy of an agent that does not watch, asked through its own kernel on real views.

    Where it mixes, each situation is put to it with `chances` evenly spaced values of its random number (midpoints), so
    a deterministic agent is met exactly and a probability to within 1/`chances`. An agent that answers otherwise later in a
    match is refused; so is one that keeps something from one decision of a hand to the next (a function can say that).
    """
    if not isinstance(agent, CompiledAgent):
        raise TypeError(f"{agent.name or agent!r} is not a compiled agent; write its policy as a function instead")
    if agent.hears:
        raise ValueError(f"{agent.name} watches the game, so it has not one policy")
    arena = Arena(game, [agent, agent], 0)
    start_match(arena.rules, arena.desk, arena.seating, 1, False, 0, 0)
    bank, rows = _every_view(game, agent)
    tables = {}
    for tree in trees(game):
        table = empty_table(game, tree)
        for node in np.flatnonzero(~tree.ends).tolist():
            hand, last = replay(game, tree, node)
            dealt = rows[tree.actor[node]]
            if not board_seen(game, int(tree.street[node])):
                dealt = dealt.max(axis=1, keepdims=True)
            counts = np.zeros((*dealt.shape, 3), np.int64)
            question = Question(arena.rules[2:], hand, last, bank, dealt, arena.desk.views)
            memoryless = ask(question, hand.copy(), agent.addresses[0], agent.template, PROBES, chances, counts)
            if not memoryless:
                raise ValueError(f"{agent.name} remembers what it did or counts the hands, so it has not one policy")
            table[node] = counts / chances
        tables[tree.stacks] = table
    return Policy(game, tables)


def _every_view(game: Game, agent: CompiledAgent) -> tuple[Bank, NDArray[np.int64]]:
    """Deals that give each position each card with each board, and their rows by position, card, board (-1 for none)."""
    cards = range(game.ranks * game.suits)
    boards: Sequence[int | None] = cards if any(game.board_cards) else [None]
    holes: list[tuple[tuple[int], tuple[int]]] = []
    dealt: list[tuple[int, ...]] = []
    rows = np.full((2, len(cards), len(boards)), -1)
    for position in (0, 1):
        for card in cards:
            for column, board in enumerate(boards):
                if card != board:
                    other = next(spare for spare in cards if spare not in (card, board))
                    rows[position, card, column] = len(holes)
                    holes.append(((card,), (other,)) if position == 0 else ((other,), (card,)))
                    dealt.append(() if board is None else (board,))
    return deal_cards(game, holes, dealt, agent.facts), rows


def replay(game: Game, tree: Tree, node: int) -> tuple[NDArray[np.void], NDArray[np.int64]]:
    """The hand at a node, and everyone's last action."""
    rules, hand, last = game.compiled(), new_hand(), np.full(MAX_SEATS, NOT_YET)
    begin(rules, np.array(tree.stacks, np.int64), hand)
    for letter in tree.histories[node].replace("/", ""):
        actor = hand["actor"][0]
        last[actor] = min(step(rules, hand, LETTERS.index(letter)), RAISE)
    return hand, last


class Question(NamedTuple):
    """One node of the betting, to be put to an agent with every card and board."""

    rules: NDArray[np.void]
    hand: NDArray[np.void]
    last: NDArray[np.int64]
    """everyone's last action"""
    bank: Bank
    dealt: NDArray[np.int64]
    """card, board -> row of the bank, or -1"""
    views: NDArray[np.void]
    """room for the view that the agent gets"""


@njit(error_model="numpy")
def ask(
    question: Question,
    scratch: NDArray[np.void],
    act: int,
    memory: Memory,
    probes: int,
    chances: int,
    counts: NDArray[np.int64],
) -> bool:
    """Put a question to an agent. Writes `scratch`, the question's views and `counts` (card, board, action).

    Returns False as soon as the agent answers one of so many probes otherwise in a later hand and with a memory of all
    earlier questions than it does fresh.
    """
    rules, hand, last, bank, dealt, views = question
    v = views[0]
    seat_at = np.arange(2)
    used = np.zeros(max(1, memory.size))
    fresh = np.zeros(max(1, memory.size))
    used[: memory.size] = memory
    asked = 0
    for card in range(dealt.shape[0]):
        for board in range(dealt.shape[1]):
            if dealt[card, board] < 0:
                continue
            look_around(rules[0], hand[0], seat_at, bank, dealt[card, board], v)
            look(rules[0], hand[0], seat_at, bank, dealt[card, board], v)
            for seat in range(2):
                v.last[seat] = last[seat]
            for i in range(probes):
                fresh[: memory.size] = memory
                v.hand = 0
                answer = call_act(act, views, fresh, (i + 0.5) / probes)
                asked += 1
                v.hand = asked * _HANDS_ON
                if call_act(act, views, used, (i + 0.5) / probes) != answer:
                    return False
            v.hand = 0
            answer = np.int64(-1)
            done = CALL
            for i in range(chances):
                chosen = call_act(act, views, fresh, (i + 0.5) / chances)
                if chosen != answer:
                    answer = chosen
                    scratch[0] = hand[0]
                    done = min(take(rules[0], scratch[0], answer), RAISE)
                counts[card, board, done] += 1
    return True


def play_policy(policy: Policy, name: str = "policy") -> CompiledAgent:
    """A compiled agent that plays this policy, such as a best response or an equilibrium.

    Histories of all trees are numbered together, so that one table of moves serves every pair of stacks.
    """
    game, chips = policy.game, sum(policy.game.stacks)
    numbers: dict[str, int] = {}
    for tree in trees(game):
        for history, actor in zip(tree.histories, tree.actor, strict=True):
            if actor != OVER:
                numbers.setdefault(history, len(numbers))
    moves = np.zeros((len(numbers), 3))
    which = np.zeros(chips + 1)
    cards, boards = next(iter(policy.tables.values())).shape[1:3]
    thresholds = np.zeros((len(policy.tables), len(numbers), cards, boards, 2))
    for row, tree in enumerate(trees(game)):
        if game.freeze_out:
            which[tree.stacks[0]] = row
        for node in np.flatnonzero(~tree.ends).tolist():
            here = numbers[tree.histories[node]]
            thresholds[row, here] = np.cumsum(policy.tables[tree.stacks][node], axis=-1)[..., :2]
            for action in tree.allowed(node):
                moves[here, action] = numbers.get(tree.histories[tree.children[node, action]], moves[here, action])
    return policy_player(name, which, moves, thresholds)
