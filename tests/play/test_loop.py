"""Laws of the one loop: what it shows to whom, and that it plays the same whoever plays it."""

import os
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest

import nemesis
from nemesis import names
from nemesis.observe.event import ACTS, ENDS, KINDS, SHOWS, STARTS, Event
from nemesis.observe.hand import replay
from nemesis.observe.view import NOT_YET, View
from nemesis.play.loop import advance
from nemesis.play.match import play_lineups
from nemesis.play.recording import record_match
from nemesis.respond.agent import ACT, WATCH, Agent, CompiledAgent, Uncompiled
from nemesis.respond.simple import call, random
from nemesis.rules import games
from nemesis.rules.cards import parse_cards
from nemesis.rules.deal import deal, deal_cards
from nemesis.rules.game import Game
from nemesis.runtime.compiled import njit

CAST = ("random", "la", "tp", "random", "ta", "lp", "raise", "call", "random", "la")


def cast(game: Game) -> list[CompiledAgent]:
    agents = [nemesis.agent(name, game) for name in CAST[: game.seats]]
    assert all(isinstance(agent, CompiledAgent) for agent in agents)
    return agents  # type: ignore[return-value]


def one_match(game: Game, agents: Sequence[Agent], hands: int, freeze_out: bool = False) -> list[int]:
    lineup = np.arange(game.seats)[None, :]
    return play_lineups(game, agents, lineup, np.array([5]), hands=hands, seed=7, freeze_out=freeze_out).won[0].tolist()


class Witness(Agent):
    """Always does the same, and writes down every view and event it gets."""

    name = "witness"

    def __init__(self, action: int = 1) -> None:
        self.action = action
        self.views: list[bytes] = []
        self.events: list[tuple[int, ...]] = []
        self.shown: list[tuple[int, ...]] = []

    def act(self, view: View) -> int:
        self.views.append(view.record.tobytes())
        return self.action

    def watch(self, event: Event) -> None:
        self.events.append((event.kind, event.seat, event.street, event.action, event.amount, event.payoff))
        if event.kind == SHOWS:
            self.shown.append(event.hole)


def test_python_agents_play_hand_for_hand_like_their_kernel_twins(any_game: Game) -> None:
    compiled = cast(any_game)
    half = [agent if i % 2 else Uncompiled(agent) for i, agent in enumerate(cast(any_game))]
    python = [Uncompiled(agent) for agent in cast(any_game)]
    chips = one_match(any_game, compiled, 300)
    assert any(chips)
    assert one_match(any_game, half, 300) == chips
    assert one_match(any_game, python, 300) == chips


def test_freeze_outs_are_the_same_for_python_agents(any_game: Game) -> None:
    compiled = one_match(any_game, cast(any_game), 2000, freeze_out=True)
    assert one_match(any_game, [Uncompiled(agent) for agent in cast(any_game)], 2000, freeze_out=True) == compiled
    assert sum(compiled) == 0


def test_a_match_may_end_when_one_seat_is_out() -> None:
    """Whoever asks how one seat fares need not see the others play on; its chips are the same, for Python agents too."""
    game = games.one_card().seated(4)
    agents = cast(game)
    lineup = np.tile(np.arange(4), (40, 1))
    mine = np.arange(40) % 4
    whole = play_lineups(game, agents, lineup, np.arange(40), hands=2000, seed=7, freeze_out=True)
    for seated in (agents, [Uncompiled(agent) for agent in agents]):
        left = play_lineups(game, seated, lineup, np.arange(40), hands=2000, seed=7, freeze_out=True, until_out=mine)
        assert left.won[np.arange(40), mine].tolist() == whole.won[np.arange(40), mine].tolist()
        out = left.won[np.arange(40), mine] == -10
        assert (left.hands[~out] == whole.hands[~out]).all()
        assert 0 < out.sum() < 40
        assert left.hands[out].sum() < whole.hands[out].sum()


def test_one_compilation_of_the_loop_serves_every_game() -> None:
    for name in names.GAMES:
        game = nemesis.game(name)
        one_match(game, cast(game), 3)
        one_match(game, [Uncompiled(agent) for agent in cast(game)], 3)
    assert len(getattr(advance, "signatures", [1])) == 1


def test_replay_equals_play(any_game: Game) -> None:
    hands = record_match(any_game, cast(any_game), 150, seed=7)
    assert len(hands) == 150
    chips = np.zeros(any_game.seats, np.int64)
    for number, hand in enumerate(hands):
        assert replay(hand).payoffs == hand.payoffs
        chips[[(number + p) % any_game.seats for p in range(any_game.seats)]] += np.array(hand.payoffs)
    lineup = np.arange(any_game.seats)[None, :]
    played = play_lineups(any_game, cast(any_game), lineup, np.array([0]), hands=150, seed=7)
    assert played.won[0].tolist() == chips.tolist()


def test_no_hidden_card_reaches_a_view() -> None:
    """Change everything a seat may not know; its views must not change by a bit."""
    game = games.no_limit().seated(3)
    mine = parse_cards("AsKs")
    board = parse_cards("2c7d9hJsTs")
    views = []
    for others, runout in (("QhQd 3c3d", board), ("5h4h 8c8d", board[:3] + parse_cards("Ac4d"))):
        rivals = [parse_cards(text) for text in others.split()]
        bank = deal_cards(game, [[mine, *rivals]], [runout], facts=())
        witness = Witness()
        quitter = nemesis.agent("call", game)
        record_match(game, [witness, quitter, Shover()], 1, bank=bank)
        views.append(witness.views)
    assert views[0] == views[1] != []


class Shover(Agent):
    """All-in on the flop, so that the rest of the board is dealt only after everyone has acted."""

    name = "shover"
    facts = ()

    def act(self, view: View) -> int:
        return view.max_to if view.street == 1 and view.can_raise else 1


def test_a_view_has_only_the_board_of_its_street() -> None:
    game = games.limit()
    witness = Witness()
    record_match(game, [witness, call(game)], 1, bank=deal(game, 3))
    counts = [View(np.frombuffer(raw, dtype=_view_dtype())).board_count for raw in witness.views]
    assert counts == [0, 3, 4, 5]
    first = View(np.frombuffer(witness.views[0], dtype=_view_dtype()))
    assert first.board == (NOT_YET,) * 5
    assert len(first.hole_cards) == 2


def _view_dtype() -> np.dtype:  # type: ignore[type-arg]
    from nemesis.observe.view import VIEW

    return VIEW


def test_events_tell_the_story_of_a_hand() -> None:
    """Heads-up limit, both call to the end: blinds, four streets of two actions, two hands shown, one end."""
    game = games.limit()
    holes = [[parse_cards("AsAh"), parse_cards("2c7d")]]
    bank = deal_cards(game, holes, [parse_cards("Ad9hJs3c4c")])
    witness = Witness()
    record_match(game, [witness, call(game)], 1, bank=bank)
    kinds = [KINDS[event[0]] for event in witness.events]
    street = ["acts", "acts"]
    assert kinds == ["starts", *street, "dealt", *street, "dealt", *street, "dealt", *street, "shows", "shows", "ends"]
    assert witness.shown == list(map(tuple, holes[0]))
    assert witness.events[-1][0] == ENDS
    assert witness.events[-1][-1] == 10
    assert witness.events[1][:5] == (ACTS, 1, 0, 1, 5)
    assert witness.events[0][:2] == (STARTS, 1)


def test_folded_hands_are_not_shown() -> None:
    game = games.limit()
    witness = Witness(action=2)
    hands = record_match(game, [witness, nemesis.agent("fold", game)], 20, seed=1)
    assert witness.shown == []
    assert all(hand.shown == () for hand in hands)


@njit(ACT)
def _act_on_count(view, memory, chance):  # type: ignore[no-untyped-def]
    return 2 if memory[0] > 3 else 1


@njit(WATCH)
def _count_hands(event, memory):  # type: ignore[no-untyped-def]
    if event[0].kind == 0:
        memory[0] += 1
    if event[0].kind == 1 and event[0].seat != event[0].me:
        memory[1] += event[0].amount


def test_a_compiled_agent_watches_and_remembers_and_forgets_between_matches() -> None:
    game = games.limit()
    counter = CompiledAgent("counter", _act_on_count, _count_hands, memory=np.zeros(2), facts=())
    rivals = [counter, random(game)]
    assert one_match(game, rivals, 100) == one_match(game, [Uncompiled(counter), random(game)], 100)
    lineup = np.array([[0, 1], [0, 1]])
    twice = play_lineups(game, rivals, lineup, np.array([5, 5]), hands=100, seed=7).won
    assert twice[0].tolist() == twice[1].tolist()


@njit(ACT)
def _stumble(view, memory, chance):  # type: ignore[no-untyped-def]
    if view[0].street == 2:
        raise ValueError("stumbled on the turn")
    return 1


def test_an_exception_raised_in_a_kernel_arrives() -> None:
    game = games.limit()
    with pytest.raises(ValueError, match="stumbled on the turn"):
        one_match(game, [CompiledAgent("stumbler", _stumble, facts=()), call(game)], 10)


def test_a_kernel_of_the_wrong_signature_is_refused() -> None:
    game = games.limit()
    with pytest.raises(TypeError, match=r"_count_hands is not compiled as act: decorate it with @njit"):
        one_match(game, [CompiledAgent("wrong", _count_hands, facts=()), call(game)], 10)  # type: ignore[arg-type]


def test_a_long_match_outlasts_the_bank_and_the_log() -> None:
    """3000 hands need several fillings of the bank; the witness's events overflow the log many times."""
    game = games.one_card()
    witness = Witness()
    chips = one_match(game, [witness, random(game)], 3000)
    assert sum(event[0] == ENDS for event in witness.events) == 3000
    assert sum(event[-1] for event in witness.events if event[0] == ENDS) == chips[0]


MATCHES = """
import numpy as np
import nemesis
from nemesis.play.match import play_lineups
for name, hands in (("one-card", 60), ("kuhn", 40), ("leduc", 40)):
    game = nemesis.game(name, 2)
    agents = [nemesis.agent(who, game) for who in ("random", "la", "tp", "raise")]
    lineup = np.array([[0, 1], [1, 0], [2, 0], [0, 3]])
    for freeze_out in (False, True):
        print(play_lineups(game, agents, lineup, np.arange(4), hands=hands, seed=2, freeze_out=freeze_out).won.tolist())
for name in ("limit", "no-limit", "pot-limit"):
    game = nemesis.game(name, 3)
    agents = [nemesis.agent(who, game) for who in ("random", "call", "raise")]
    print(play_lineups(game, agents, np.array([[0, 1, 2]]), np.arange(1), hands=30, seed=2).won.tolist())
"""


@pytest.mark.slow
def test_compiled_equals_uncompiled() -> None:
    """The same matches in two fresh processes, one with compilation off: the very same chips."""
    outputs = [
        subprocess.run(
            [sys.executable, "-c", MATCHES],
            env={**os.environ, "NUMBA_DISABLE_JIT": off},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for off in ("0", "1")
    ]
    assert outputs[0] == outputs[1]
    assert outputs[0].count("\n") == 9
