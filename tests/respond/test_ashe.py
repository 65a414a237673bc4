"""ASHE's decision rule in explicit situations, and its inputs, estimates and trees against a plain reading of the hands."""

import dataclasses
import json
import math
import os
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest

import nemesis
from nemesis.believe.lstm import Estimator
from nemesis.believe.pattern_tree import BLIND, BUTTON
from nemesis.observe.event import DEALT, Event, new_events
from nemesis.observe.hand import Hand, decisions
from nemesis.observe.view import View
from nemesis.play.match import play_lineups
from nemesis.play.recording import record_match
from nemesis.respond.agent import Agent, CompiledAgent, Uncompiled
from nemesis.respond.ashe import COMPACT, Ashe, Size, Specialists, Thought
from nemesis.respond.ashe_file import BESIDE, from_champion, packed_genes, shipped_genes, unpacked_genes
from nemesis.respond.ashe_sketch import sketch
from nemesis.respond.champion import ChampionError
from nemesis.rules import games
from nemesis.rules.cards import parse_cards
from nemesis.rules.deal import deal, deal_cards
from nemesis.rules.game import Game, holdem
from nemesis.rules.strength import hand_strength
from nemesis.rules.texture import draw_chance, paired

GAME = games.no_limit()
TINY = Size(1, 1, 1)
SMALL = Size(3, 2, 4)
FOLD, CALL = 0, 1
ALL = ["fold", "call", "½ pot", "1 pot", "1½ pot", "2 pot", "all-in"]
FEW = ["fold", "call", "all-in"]


def constant(win: float, fold: float) -> np.ndarray:
    """A genome whose estimates are the same always: no weights, only the last bias of each estimator."""
    genome = np.zeros(TINY.genes)
    genome[TINY.win.genes - 1] = math.log(win / (1 - win))
    genome[-1] = math.log(fold / (1 - fold))
    return genome


def wild(size: Size, seed: int, spread: float = 1.0) -> np.ndarray:
    return np.random.default_rng(seed).normal(0.0, spread, size.genes)


class Said(NamedTuple):
    """What ASHE thought at a decision, and what it did."""

    thoughts: list[Thought]
    action: int


class Witnessed(Uncompiled):
    """ASHE at the table as a Python agent, every decision written down."""

    def __init__(self, ashe: Ashe) -> None:
        super().__init__(ashe)
        self.ashe = ashe
        self.said: list[Said] = []

    def act(self, view: View) -> int:
        action = super().act(view)
        self.said.append(Said(self.ashe.thoughts(), action))
        return action


class Script(Agent):
    """Does what it is told to, action by action, and then checks and calls."""

    name = "script"
    facts = ()

    def __init__(self, actions: Sequence[int]) -> None:
        self.actions = list(actions)

    def act(self, view: View) -> int:
        return self.actions.pop(0) if self.actions else CALL


def played(
    *script: int, win: float, fold: float, on_button: bool, game: Game = GAME, stack: int = 0, other: int = 0
) -> list[Said]:
    """ASHE's decisions in one hand against a script, with constant estimates."""
    ashe, rival = Witnessed(Ashe(game, TINY, constant(win, fold))), Script(script)
    stacks = (stack or game.stacks[0], other or game.stacks[0])
    game = dataclasses.replace(game, stacks=stacks[::-1] if on_button else stacks)
    record_match(game, [rival, ashe] if on_button else [ashe, rival], 1, seed=1)
    return ashe.said


def table(said: Said) -> list[tuple[str, int, Any]]:
    """Action, to and utility of every thought, the last to a few millionths of the chips at stake."""
    return [(t.action, t.to, pytest.approx(t.utility, abs=0.01 + abs(t.to) * 2e-5)) for t in said.thoughts]


def test_what_actions_are_worth_on_the_button_before_the_flop() -> None:
    """In for 50 against 100. Raises are by parts of 200, the pot after calling. Win .6, fold .3."""
    (said, *_) = played(win=0.6, fold=0.3, on_button=True)
    assert table(said) == [
        ("fold", 0, -50),
        ("call", 100, 0.2 * 100),
        ("½ pot", 200, 0.7 * 0.2 * 200 + 0.3 * 100),
        ("1 pot", 300, 0.7 * 0.2 * 300 + 0.3 * 100),
        ("1½ pot", 400, 0.7 * 0.2 * 400 + 0.3 * 100),
        ("2 pot", 500, 0.7 * 0.2 * 500 + 0.3 * 100),
        ("all-in", 20_000, 0.7 * 0.2 * 20_000 + 0.3 * 100),
    ]
    assert said.action == 20_000


def test_what_actions_are_worth_on_the_big_blind_facing_a_raise() -> None:
    """In for 100 against 300. Raises are by parts of 600. Win .45, fold .2."""
    (said, *_) = played(300, win=0.45, fold=0.2, on_button=False)
    assert table(said) == [
        ("fold", 0, -100),
        ("call", 300, -0.1 * 300),
        ("½ pot", 600, 0.8 * -0.1 * 600 + 0.2 * 300),
        ("1 pot", 900, 0.8 * -0.1 * 900 + 0.2 * 300),
        ("1½ pot", 1200, 0.8 * -0.1 * 1200 + 0.2 * 300),
        ("2 pot", 1500, 0.8 * -0.1 * 1500 + 0.2 * 300),
        ("all-in", 20_000, 0.8 * -0.1 * 20_000 + 0.2 * 300),
    ]
    assert said.action == 600


def test_what_was_put_in_on_earlier_streets_counts() -> None:
    """300 each before the flop, check, bet 600: in for 300 against 900. Raises are by parts of 1800 over 600."""
    before, check, said = played(300, 600, win=0.45, fold=1e-6, on_button=False)[:3]
    assert (before.action, check.action) == (CALL, CALL)
    assert table(check)[:3] == [("fold", 0, -300), ("call", 0, -0.1 * 300), ("½ pot", 300, -0.1 * 600)]
    assert table(said) == [
        ("fold", 0, -300),
        ("call", 600, -0.1 * 900),
        ("½ pot", 1500, -0.1 * 1800),
        ("1 pot", 2400, -0.1 * 2700),
        ("1½ pot", 3300, -0.1 * 3600),
        ("2 pot", 4200, -0.1 * 4500),
        ("all-in", 19_700, -0.1 * 20_000),
    ]
    assert said.action == CALL


@pytest.mark.parametrize(
    ("win", "fold", "action"),
    [
        (0.6, 0.3, 20_000),  # a favourite puts everything in
        (0.4, 0.3, 200),  # −.14 of every chip and 30 for the fold: the smallest raise is worth 2
        (0.4, 0.05, CALL),  # −20 against −33 for the smallest raise and −50 for folding
        (0.2, 0.001, FOLD),  # −60 for calling
        (0.2, 0.99, 200),  # it always folds: the smallest raise risks least
    ],
)
def test_the_best_action_is_taken(win: float, fold: float, action: int) -> None:
    (said, *_) = played(win=win, fold=fold, on_button=True)
    assert said.action == action


def options(said: Said) -> list[str]:
    return [thought.action for thought in said.thoughts]


def test_a_third_bet_leaves_the_button_three_options() -> None:
    """Before the flop the blind is the first bet, ASHE's raise the second, the next the third."""
    first, second = played(600, win=0.4, fold=0.5, on_button=True)[:2]
    assert (options(first), first.action) == (ALL, 200)
    assert options(second) == FEW
    assert table(second) == [("fold", 0, -200), ("call", 600, -120), ("all-in", 20_000, 0.5 * -0.2 * 20_000 + 300)]
    assert second.action == CALL


def test_a_third_bet_leaves_the_big_blind_all_options_and_a_fourth_three() -> None:
    """The button limps, ASHE raises to 200 (two bets), is raised to 600 (three), raises to 1200, and is raised again."""
    limped, third, fourth = played(CALL, 600, 3000, win=0.4, fold=0.5, on_button=False)[:3]
    assert (options(limped), limped.action) == (ALL, 200)
    assert (options(third), third.action) == (ALL, 1200)
    assert options(fourth) == FEW
    opened, four = played(300, 1500, win=0.4, fold=0.5, on_button=False)[:2]
    assert (options(opened), opened.action, options(four)) == (ALL, 600, FEW)


def test_after_the_flop_the_bet_is_the_first() -> None:
    """ASHE raises to 200 and is called. A lead is the first bet, its raise the second, the next the third; when it bets
    first, a check-raise is only the second."""
    _, led, third = played(CALL, 200, 1500, win=0.4, fold=0.5, on_button=True)[:3]
    assert (options(led), led.action) == (ALL, 600)
    assert options(third) == FEW
    _, checked, raised = played(CALL, CALL, 900, win=0.4, fold=0.5, on_button=True)[:3]
    assert (options(checked), checked.action) == (ALL, 200)
    assert options(raised) == ALL


def test_raises_below_the_least_become_that_and_are_told_once() -> None:
    """Bets of at least 400 after the flop into a pot of 200: half, one, one and a half and two pots are all 400."""
    game = dataclasses.replace(GAME, bets=(100, 400, 400, 400))
    limped, said = played(CALL, win=0.45, fold=1e-6, on_button=False, game=game)[:2]
    assert limped.action == CALL
    assert table(said) == [("fold", 0, -100), ("call", 0, -10), ("½ pot", 400, -50), ("all-in", 19_900, -2000)]


@pytest.mark.parametrize(
    ("stack", "raises"),
    [
        (600, ["½ pot", "1 pot", "1½ pot", "2 pot", "all-in"]),
        (500, ["½ pot", "1 pot", "1½ pot", "all-in"]),
        (450, ["½ pot", "1 pot", "1½ pot", "all-in"]),
        (200, ["all-in"]),
        (150, ["all-in"]),
        (100, []),
        (70, []),
    ],
)
def test_raises_beyond_the_stack_are_left_to_the_all_in(stack: int, raises: list[str]) -> None:
    (said, *_) = played(win=0.6, fold=0.3, on_button=True, stack=stack, other=stack)
    assert options(said) == ["fold", "call", *raises]
    assert said.action == (stack if raises else CALL)
    worth = 0.2 * min(stack, 100)
    assert table(said)[1] == ("call", min(stack, 100), worth)
    if raises:
        assert table(said)[-1] == ("all-in", stack, 0.7 * 0.2 * stack + 30)


def test_with_the_longer_stack_only_what_the_other_has_is_at_stake() -> None:
    (said, *_) = played(win=0.6, fold=0.3, on_button=True, stack=20_000, other=400)
    assert table(said)[2:] == [
        ("½ pot", 200, 0.7 * 0.2 * 200 + 30),
        ("1 pot", 300, 0.7 * 0.2 * 300 + 30),
        ("1½ pot", 400, 0.7 * 0.2 * 400 + 30),
        ("2 pot", 500, 0.7 * 0.2 * 400 + 30),
        ("all-in", 20_000, 0.7 * 0.2 * 400 + 30),
    ]


def test_with_the_shorter_stack_only_what_it_has_is_at_stake() -> None:
    """The button raises to 5000; 1000 chips can call for 900 more and win 1000, and cannot raise."""
    (said, *_) = played(5000, win=0.6, fold=0.3, on_button=False, stack=1000, other=20_000)
    assert table(said) == [("fold", 0, -100), ("call", 1000, 200)]


# A plain reading of recorded hands


class Node:
    """What followed one sequence of actions."""

    def __init__(self) -> None:
        self.visits = self.folds = 0
        self.shown: list[float] = []


class Reader:
    """ASHE written down a second time, from the ASHE paper: it reads recorded hands and says what should be thought.

    Sequences of actions are keys of a dictionary; features come from the definitions of table 1; estimates from the
    estimators' Python face.
    """

    def __init__(self, size: Size, genome: np.ndarray, forgets: bool = False, stepless: bool = False) -> None:
        self.win = Estimator(size.win, genome[: size.win.genes])
        self.fold = Estimator(size.fold, genome[size.win.genes :])
        self.forgets, self.stepless = forgets, stepless
        self.nodes: dict[tuple[int, ...], Node] = {}
        self.said: dict[tuple[int, ...], tuple[str, ...]] = {}

    def read(self, hand: Hand, witnessed: Iterator[Said]) -> None:
        """Follow one hand and compare every decision of ASHE's with what was witnessed."""
        me = hand.players.index("ashe")
        position = BUTTON if me == 1 else BLIND
        if self.forgets:
            self.nodes, self.said = {}, {}
        for estimator in (self.win, self.fold):
            estimator.reset()
        walked = list(decisions(hand))
        spent, wager = list(hand.game.blinds), list(hand.game.blinds)
        sequence: tuple[int, ...] = (position,)
        said: tuple[str, ...] = ()
        path, raises, street = [sequence], 0, 0
        self.said[sequence] = said
        for at, d in enumerate(walked):
            if d.street > street:
                street, raises, wager = d.street, 0, [0, 0]
            bet = wager[d.actor] + d.to_call
            label = 0
            if d.actor == me:
                expected = self.thoughts(hand, me, d, sequence, spent, wager[me], raises)
                self.compare(expected, next(witnessed), d.action)
                if d.action > CALL:
                    label = next(ALL.index(name) - 1 for name, to, *_ in expected[2:] if to == d.action)
                    said = (*said, ALL[label + 1])
                else:
                    said = (*said, "call")
            elif d.action > CALL:
                pots = (d.action - bet) / (d.pot + d.to_call)
                label = 1 + sum(pots >= edge for edge in (0.125, 0.375, 0.75, 1.25, 2, 4))
                said = (*said, "v " + ("", "<⅛", "⅛–⅜", "⅜–¾", "¾–1¼", "1¼–2", "2–4", ">4")[label])
            else:
                said = (*said, "v call")
            if d.action == FOLD:
                break
            put = d.to_call if d.action == CALL else d.action - wager[d.actor]
            spent[d.actor] += put
            wager[d.actor] += put
            raises += d.action > CALL
            last_of_street = at + 1 == len(walked) or walked[at + 1].street > street
            if last_of_street and street < 3 and said[-2:-1] != ("all-in",):
                said = (*said, "/")
            sequence = (*sequence, label)
            path.append(sequence)
            self.said[sequence] = said
        self.count(hand, me, path, walked[-1].actor != me and walked[-1].action == FOLD)

    def count(self, hand: Hand, me: int, path: list[tuple[int, ...]], opponent_folded: bool) -> None:
        for sequence in path:
            node = self.nodes.setdefault(sequence, Node())
            node.visits += 1
            node.folds += opponent_folded
            if hand.shown:
                node.shown.append(hand_strength(hand.hole[1 - me], hand.board))

    def node_features(self, sequence: tuple[int, ...]) -> tuple[float, float, float, float]:
        """Frequency, fold rate, showdown rate and expected strength, as table 1 defines them."""
        node = self.nodes.get(sequence, Node())
        shown = len(node.shown)
        mean = sum(node.shown) / shown if shown else 0.0
        return (
            1 / (1 + math.exp(-node.visits / 10)),
            (node.folds + 1) / (node.visits + 3),
            (shown + 1) / (node.visits + 3),
            mean if shown > 5 else (0.85 * (5 - shown) + mean * shown) / 5,
        )

    def thoughts(
        self, hand: Hand, me: int, d: Any, sequence: tuple[int, ...], spent: list[int], wager: int, raises: int
    ) -> list[tuple[str, int, float, float]]:
        own, theirs = spent[me], spent[1 - me]
        stack = min(hand.game.stacks)
        board = hand.board[: (0, 3, 4, 5)[d.street]]
        street = [float(d.street == s) for s in range(4)]
        strength = hand_strength(hand.hole[me], board)

        def inputs(node: tuple[int, ...], mine: float) -> tuple[list[float], list[float]]:
            frequency, fold_rate, showdown_rate, expected = self.node_features(node)
            ours, his = min(mine, stack) / stack, min(theirs, stack) / stack
            return (
                [frequency, fold_rate, showdown_rate, expected, ours, *street, strength, his],
                [frequency, fold_rate, ours, *street, his, draw_chance(board), paired(board)],
            )

        if self.stepless:
            self.win.reset()
            self.fold.reset()
        for estimator, x in zip((self.win, self.fold), inputs(sequence, own), strict=True):
            estimator.listen(x)
        bet = wager + d.to_call
        found = [("fold", 0, math.nan, math.nan)]
        found.append(("call", bet, self.win.estimate(inputs((*sequence, 0), own + d.to_call)[0]), math.nan))
        bets = raises + (d.street == 0)
        restricted = bets >= (3 if me == 1 else 4)
        targets: list[tuple[int, int]] = []
        for label, size in enumerate((0.5, 1.0, 1.5, 2.0), 1):
            to = max(d.min_to, bet + int(size * (d.pot + d.to_call)))
            if d.max_to and not restricted and to < d.max_to and to not in [target for _, target in targets]:
                targets.append((label, to))
        if d.max_to:
            targets.append((5, d.max_to))
        for label, to in targets:
            x, y = inputs((*sequence, label), own + to - wager)
            found.append((ALL[label + 1], to, self.win.estimate(x), self.fold.estimate(y)))
        self.own, self.theirs, self.wager, self.stack = own, theirs, wager, stack
        return found

    def compare(self, expected: list[tuple[str, int, float, float]], said: Said, action: int) -> None:
        assert [(t.action, t.to) for t in said.thoughts] == [(name, to) for name, to, *_ in expected]
        for thought, (name, to, win, fold) in zip(said.thoughts, expected, strict=True):
            assert thought.win == pytest.approx(win, abs=1e-5, nan_ok=True)
            assert thought.fold == pytest.approx(fold, abs=1e-5, nan_ok=True)
            edge = 2 * thought.win - 1
            if name == "fold":
                worth = -float(self.own)
            elif name == "call":
                worth = edge * min(self.theirs, self.stack)
            else:
                risked = min(self.own + to - self.wager, self.stack)
                worth = (1 - thought.fold) * edge * risked + thought.fold * self.theirs
            assert thought.utility == pytest.approx(worth, rel=1e-9, abs=1e-6)
        best = max(said.thoughts, key=lambda thought: thought.utility)
        assert said.action == {"fold": FOLD, "call": CALL}.get(best.action, best.to)
        assert action == said.action


SHALLOW = holdem("shallow", "no-limit", 2, (10, 20), 700)
UNEQUAL = dataclasses.replace(GAME, name="unequal", stacks=(3_000, 20_000))


@pytest.mark.parametrize(
    ("game", "rival", "options", "seed"),
    [
        (GAME, "nl-la", {}, 5),
        (GAME, "hp", {}, 6),
        (GAME, "random", {}, 7),
        (GAME, "cs", {"forgets": True}, 8),
        (GAME, "nl-ta", {"stepless": True}, 9),
        (SHALLOW, "hm", {}, 10),
        (UNEQUAL, "nl-la", {}, 11),
        (dataclasses.replace(UNEQUAL, stacks=(20_000, 3_000)), "hm", {}, 12),
    ],
)
def test_every_thought_and_both_trees_of_a_match_are_what_a_reading_of_its_hands_says(
    game: Game, rival: str, options: dict[str, bool], seed: int
) -> None:
    genome = wild(SMALL, seed)
    ashe = Witnessed(Ashe(game, SMALL, genome, **options))
    hands = record_match(game, [ashe, nemesis.agent(rival, game)], 120, seed=seed)
    reader, said = Reader(SMALL, genome, **options), iter(ashe.said)
    for hand in hands:
        reader.read(hand, said)
    assert next(said, None) is None
    found = {(line.position, line.actions): line for line in ashe.ashe.trees().lines() if line.visits}
    assert found.keys() == {(sequence[0], reader.said[sequence]) for sequence in reader.nodes}
    for sequence, node in reader.nodes.items():
        line = found[sequence[0], reader.said[sequence]]
        assert (line.visits, line.showdowns, line.folds) == (node.visits, len(node.shown), node.folds)
        mean = sum(node.shown) / len(node.shown) if node.shown else math.nan
        assert line.strength == pytest.approx(mean, abs=1e-6, nan_ok=True)


def test_those_matches_are_worth_reading() -> None:
    """The genomes above fold, call and raise by several sizes; with one that never raised the reading would prove little."""
    done = Counter[str]()
    for seed in (5, 6, 7, 8, 9):
        ashe = Witnessed(Ashe(GAME, SMALL, wild(SMALL, seed)))
        record_match(GAME, [ashe, nemesis.agent("nl-la", GAME)], 120, seed=seed)
        for said in ashe.said:
            done[max(said.thoughts, key=lambda thought: thought.utility).action] += 1
    assert min(done[action] for action in ("fold", "call", "½ pot", "all-in")) > 20
    assert len(done) >= 5


# What happens around a decision


def test_before_its_first_decision_it_has_no_thoughts() -> None:
    ashe = Ashe(GAME, TINY, constant(0.6, 0.3))
    assert ashe.thoughts() == []
    witnessed = Witnessed(ashe)
    record_match(GAME, [witnessed, Script([])], 1)
    assert ashe.thoughts()
    ashe.sit(GAME, 0)
    assert ashe.thoughts() == []


def test_it_forgets_the_opponent_when_a_match_begins() -> None:
    ashe = Witnessed(Ashe(GAME, SMALL, wild(SMALL, 5)))
    first = record_match(GAME, [ashe, nemesis.agent("nl-la", GAME)], 60, seed=3)
    assert sum(line.visits for line in ashe.ashe.trees().lines() if not line.actions) == 60
    again = record_match(GAME, [ashe, nemesis.agent("nl-la", GAME)], 60, seed=3)
    assert first == again
    assert sum(line.visits for line in ashe.ashe.trees().lines() if not line.actions) == 60


SPECIALISTS = Specialists(payers=constant(0.3, 0.9), stayers=constant(0.2, 0.9), raisers=constant(0.4, 0.9))


@pytest.mark.parametrize(
    ("rival", "kind"), [("nl-tp", "anybody"), ("call", "stayer"), ("nl-la", "payer"), ("nl-ta", "raiser")]
)
def test_each_kind_of_opponent_meets_the_estimators_for_its_kind(rival: str, kind: str) -> None:
    """It raises much, so that who folds when he should has much to fold to."""
    wins = {"anybody": 0.6, "payer": 0.3, "stayer": 0.2, "raiser": 0.4}
    ashe = Witnessed(Ashe(GAME, TINY, constant(0.6, 0.9), specialists=SPECIALISTS))
    for hands in (1, 5, 40, 200):
        record_match(GAME, [ashe, nemesis.agent(rival, GAME)], hands, seed=1)
        assert round(ashe.said[-1].thoughts[1].win, 4) == wins[ashe.ashe.opponent_kind]
    assert ashe.ashe.opponent_kind == kind


@pytest.mark.parametrize("options", [{}, {"specialists": SPECIALISTS, "forgets": True}])
@pytest.mark.parametrize("rival", ["call", "nl-ta"])
def test_without_specialists_or_a_memory_everybody_is_anybody(rival: str, options: dict[str, Any]) -> None:
    ashe = Witnessed(Ashe(GAME, TINY, constant(0.6, 0.9), **options))
    for hands in (20, 40):
        record_match(GAME, [ashe, nemesis.agent(rival, GAME)], hands, seed=1)
        assert ashe.ashe.opponent_kind == "anybody"


@pytest.mark.parametrize(
    ("win", "theirs", "kind"),
    [(0.9, "7c7h", "payer"), (0.9, "KcKh", "anybody"), (0.45, "7c7h", "anybody")],
    ids=["sevens for a stack", "three kings for a stack", "sevens checked down"],
)
def test_who_shows_a_weak_hand_in_a_large_pot_is_a_payer(win: float, theirs: str, kind: str) -> None:
    """Aces against somebody who always calls: with .9 ASHE goes all in, with .45 it checks."""
    holes = [parse_cards("AsAd"), parse_cards(theirs)]
    bank = deal_cards(GAME, [holes, holes[::-1]], [parse_cards("Ks9d4c3h2s")] * 2)
    ashe = Witnessed(Ashe(GAME, TINY, constant(win, 1e-6), specialists=SPECIALISTS))
    record_match(GAME, [ashe, nemesis.agent("call", GAME)], 2, bank=bank)
    assert round(ashe.said[0].thoughts[1].win, 4) == win
    assert ashe.ashe.opponent_kind == kind


def test_it_learns_from_showdowns_only_what_the_opponent_showed() -> None:
    """Aces against sevens on a dry board, both checked down: the opponent's strength is that of the sevens."""
    game = GAME
    bank = deal_cards(game, [[parse_cards("AsAd"), parse_cards("7c7h")]], [parse_cards("Ks9d4c3h2s")])
    ashe = Witnessed(Ashe(game, TINY, constant(0.45, 1e-6)))
    record_match(game, [ashe, Script([])], 1, bank=bank)
    root = next(line for line in ashe.ashe.trees().lines() if line.visits)
    assert (root.position, root.showdowns, root.folds) == (BLIND, 1, 0)
    assert root.strength == pytest.approx(hand_strength(parse_cards("7c7h"), parse_cards("Ks9d4c3h2s")), abs=1e-6)


def test_its_own_folds_are_not_the_opponents() -> None:
    ashe = Witnessed(Ashe(GAME, TINY, constant(0.01, 0.01)))
    record_match(GAME, [ashe, nemesis.agent("hm", GAME)], 40, seed=1)
    assert all(said.action == FOLD for said in ashe.said)
    assert [(line.visits, line.showdowns, line.folds) for line in ashe.ashe.trees().lines() if not line.actions] == [
        (20, 0, 0),
        (20, 0, 0),
    ]


def test_events_it_did_not_ask_for_change_nothing() -> None:
    ashe = Ashe(GAME, TINY, constant(0.6, 0.3))
    event = new_events()
    event["kind"] = 0
    ashe.watch(Event(event))
    before = ashe.memory.copy()
    event["kind"] = DEALT
    ashe.watch(Event(event))
    np.testing.assert_array_equal(ashe.memory, before)


def chips(game: Game, agents: list[Agent], hands: int = 150) -> list[int]:
    lineup = np.array([[0, 1], [1, 0]])
    won = play_lineups(game, agents, lineup, np.array([0, 0]), hands=hands, seed=2).won
    assert (won.sum(axis=1) == 0).all()
    return won.ravel().tolist()


@pytest.mark.parametrize("size", [SMALL, COMPACT])
def test_it_plays_the_same_from_python(size: Size) -> None:
    ashe, rival = Ashe(GAME, size, wild(size, 7)), nemesis.agent("nl-la", GAME)
    compiled = chips(GAME, [ashe, rival])
    assert any(compiled)
    assert chips(GAME, [Uncompiled(ashe), rival]) == compiled


def test_it_travels_to_other_processes() -> None:
    ashe, rival = Ashe(GAME, SMALL, wild(SMALL, 8), forgets=True, room=99), nemesis.agent("nl-la", GAME)
    again = pickle.loads(pickle.dumps(ashe))
    assert (again.name, again.facts, tuple(again.hears)) == (ashe.name, ashe.facts, tuple(ashe.hears))
    assert (again.template == ashe.template).all()
    assert [thought.action for thought in again.thoughts()] == [thought.action for thought in ashe.thoughts()]
    assert chips(GAME, [again, rival]) == chips(GAME, [ashe, rival])


@pytest.mark.parametrize(
    "game",
    [
        SHALLOW,
        UNEQUAL,
        holdem("tiny", "no-limit", 2, (1, 2), 3),
        holdem("antes", "no-limit", 2, (50, 100), 5_000, ante=25),
        games.limit(),
        games.acpc_limit(),
        games.pot_limit(),
        games.no_limit().seated(2, 2_000_000),
    ],
    ids=lambda game: game.name,
)
def test_it_sits_down_with_any_stacks_blinds_and_limits(game: Game) -> None:
    ashe = Witnessed(Ashe(game, SMALL, wild(SMALL, 9)))
    hands = record_match(game, [ashe, nemesis.agent("random", game)], 60, seed=4)
    assert len(hands) == 60
    assert all(math.isfinite(thought.utility) for said in ashe.said for thought in said.thoughts)
    chips(game, [ashe.ashe, nemesis.agent("random", game)], 60)


def test_in_a_freeze_out_it_reads_the_stacks_of_the_hand() -> None:
    """The script folds its small blind: the next hand is thought about like a first hand with 1050 against 950."""
    game = dataclasses.replace(GAME, stacks=(1000, 1000))
    later = Witnessed(Ashe(game, SMALL, wild(SMALL, 5), forgets=True))
    play_lineups(game, [later, Script([FOLD])], np.array([[0, 1]]), np.array([0]), hands=2, seed=1, freeze_out=True)
    game = dataclasses.replace(GAME, stacks=(950, 1050))
    first = Witnessed(Ashe(game, SMALL, wild(SMALL, 5)))
    record_match(game, [Script([]), first], 1, bank=deal(game, 1, 1, 1))
    one, other = ([(t.action, t.to, t.utility) for t in ashe.said[0].thoughts] for ashe in (later, first))
    assert one == other
    assert [to for _, to, _ in one] == [0, 100, 200, 300, 400, 500, 1050]


@pytest.mark.parametrize("game", [games.kuhn(), games.leduc(), games.one_card(), games.ring(), games.no_limit_6()])
def test_other_games_are_refused(game: Game) -> None:
    reason = f"{game.name} has {game.seats} seats" if game.is_holdem else f"{game.name} is another game"
    with pytest.raises(ValueError, match=f"ashe plays hold'em heads-up; {reason}"):
        Ashe(game, TINY, constant(0.5, 0.5))
    content = {"name": "ashe", "player": dataclasses.asdict(TINY), "genome": packed_genes(constant(0.5, 0.5))}
    with pytest.raises(ValueError, match=f"ashe plays hold'em heads-up; {reason}"):
        from_champion(content, game)


def test_memory_stays_within_its_block_in_a_long_match() -> None:
    """Room for forty nodes, three thousand hands: it goes on counting at the nodes there are."""
    ashe = Ashe(GAME, SMALL, wild(SMALL, 5), room=40)
    size = ashe.memory.size
    rival = nemesis.agent("random", GAME)
    play_lineups(GAME, [Uncompiled(ashe), rival], np.array([[0, 1]]), np.array([0]), hands=3000, seed=5)
    trees = ashe.trees()
    assert ashe.memory.size == size
    assert trees.used == len(list(trees.lines())) == 40
    assert [line.visits for line in trees.lines() if not line.actions] == [1500, 1500]


def test_a_genome_is_the_same_after_packing() -> None:
    genome = wild(SMALL, 1).astype(np.float32).astype(np.float64)
    assert (unpacked_genes(packed_genes(genome)) == genome).all()
    assert packed_genes(unpacked_genes(packed_genes(genome))) == packed_genes(genome)
    assert unpacked_genes(packed_genes([1.0, -0.5])).tolist() == [1.0, -0.5]


def test_a_champion_plays_like_the_player_it_was_saved_from() -> None:
    genome = wild(SMALL, 2)
    content = {
        "name": "ashe-x",
        "player": {"kind": "ashe", **dataclasses.asdict(SMALL), "forgets": True},
        "genome": packed_genes(genome),
    }
    again = from_champion(json.loads(json.dumps(content)), GAME)
    assert again.name == "ashe-x"
    assert (again.template == Ashe(GAME, SMALL, genome, forgets=True).template).all()
    assert (again.template != Ashe(GAME, SMALL, genome).template).any()


def test_a_champion_plays_with_the_champions_beside_it() -> None:
    specialists = Specialists(*(shipped_genes(name, COMPACT) for name in BESIDE))
    genome = sketch(COMPACT)
    player = {"kind": "ashe", **dataclasses.asdict(COMPACT), "beside": list(BESIDE)}
    content = {"name": "ashe-x", "player": player, "genome": packed_genes(genome)}
    again = from_champion(json.loads(json.dumps(content)), GAME)
    assert (again.template == Ashe(GAME, COMPACT, genome, specialists=specialists).template).all()
    assert len(again.template) > len(Ashe(GAME, COMPACT, genome).template)


@pytest.mark.parametrize(
    ("beside", "why"),
    [
        (["ashe-loose", "ashe-wild"], "it must be three champions"),
        ("ashe-loose", "it must be three champions"),
        ([["ashe-loose"], {}, 3], "it must be three champions"),
        (["ashe-loose", "ashe-wild", "la"], "'la' is not among the shipped champions"),
        (["ashe-loose", "ashe-wild", "dense-all"], "dense-all is not an ASHE of 8 blocks x 2 cells"),
    ],
)
def test_nobody_else_can_be_beside_a_champion(beside: object, why: str) -> None:
    player = {"kind": "ashe", **dataclasses.asdict(COMPACT), "beside": beside}
    content = {"name": "ashe-x", "player": player, "genome": packed_genes(sketch(COMPACT))}
    with pytest.raises(ChampionError, match=why):
        from_champion(content, GAME)


def test_a_genome_of_another_size_is_refused() -> None:
    with pytest.raises(
        ValueError, match=rf"ashe of 3 blocks x 2 cells and 4 hidden nodes has {SMALL.genes} genes, but"
    ):
        Ashe(GAME, SMALL, wild(COMPACT, 1))
    content = {"name": "ashe-x", "player": dataclasses.asdict(COMPACT), "genome": packed_genes(wild(SMALL, 1))}
    with pytest.raises(ValueError, match=rf"ashe-x of 8 blocks x 2 cells .* was given {SMALL.genes}"):
        from_champion(content, GAME)


def test_sizes_count_their_genes() -> None:
    assert TINY.genes == (11 * 4 + 4 + 4 + 3 + 2 + 1 + 1 + 1 + 1) + (10 * 4 + 4 + 4 + 3 + 2 + 1 + 1 + 1 + 1)


def thoughts_of_a_match() -> list[Any]:
    """Everything thought and done in a few hands, to the last bit."""
    ashe = Witnessed(Ashe(GAME, SMALL, wild(SMALL, 5)))
    rival: CompiledAgent = nemesis.agent("hm", GAME)  # type: ignore[assignment]
    record_match(GAME, [ashe, rival], 8, bank=deal(GAME, 6, 0, 8, {"strength"}))
    return [[said.action, *(thought.utility for thought in said.thoughts)] for said in ashe.said]


@pytest.mark.slow
def test_compiled_and_uncompiled_kernels_play_alike() -> None:
    ran = subprocess.run(
        [sys.executable, __file__],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(ran.stdout) == thoughts_of_a_match()


if __name__ == "__main__":
    print(json.dumps(thoughts_of_a_match()))
