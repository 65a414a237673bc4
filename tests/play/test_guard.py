"""Agents that misbehave: whatever they do, one sentence names them, and nothing ends well that went wrong."""

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nemesis.observe.view import View
from nemesis.play.by_name import player
from nemesis.play.guard import check_time_limit, guarded, stuck_agent
from nemesis.play.loop import HANDS_AT_ONCE, new_outcomes
from nemesis.play.match import Arena, play_lineups
from nemesis.respond.agent import Agent, AgentError, Uncompiled
from nemesis.respond.by_name import agent, compiled_agent
from nemesis.rules import games
from nemesis.runtime.lifetime import Terminated


class Doing(Agent):
    """Does whatever it is given to do."""

    name = "odd"
    facts = ()

    def __init__(self, do: Callable[[], Any] = lambda: 1, **attributes: object) -> None:
        self.do = do
        for name, value in attributes.items():
            setattr(type(self), name, value)

    def act(self, view: View) -> int:
        action: int = self.do()
        return action


def fails(do: Callable[[], Any]) -> Any:
    """Raises what it is given."""

    def act() -> None:
        raise do()

    return act


class Mute(Exception):
    def __str__(self) -> str:
        raise ValueError


class Shy:
    def __repr__(self) -> str:
        raise ValueError


def play(odd: Agent, time_limit: float = 5.0) -> None:
    game = games.limit()
    lineup, number = np.array([[0, 1]]), np.array([0])
    play_lineups(game, [odd, agent("call", game)], lineup, number, hands=2, seed=0, time_limit=time_limit)


MISBEHAVIOUR: dict[str, tuple[Callable[[], Any], str]] = {
    "a huge number": (lambda: 10**100, r"answered 1000.*… \(101 characters\); an action is 0"),
    "one too large to be written": (lambda: 10**5000, "answered something of type int; an action is 0"),
    "the next number that is too large": (lambda: 2**63, "answered 9223372036854775808; an action is 0"),
    "not a number": (lambda: float("nan"), "answered nan; an action is 0"),
    "an array": (lambda: np.array([1, 2]), r"answered array\(\[1, 2\]\); an action is 0"),
    "what cannot be shown": (Shy, "answered something of type Shy; an action is 0"),
    "leaving": (fails(lambda: SystemExit(0)), "raised SystemExit: 0"),
    "leaving in another way": (fails(GeneratorExit), "raised GeneratorExit"),
    "what does not say why": (fails(Mute), r"raised Mute: \(and could not say why\)"),
    "many lines": (fails(lambda: ValueError("first line\nsecond line")), "raised ValueError: first line$"),
}


@pytest.mark.parametrize("what", MISBEHAVIOUR)
def test_whatever_an_agent_does_it_is_named(what: str) -> None:
    do, sentence = MISBEHAVIOUR[what]
    with pytest.raises(AgentError, match=f"^agent odd {sentence}"):
        play(Doing(do))


def test_the_largest_number_is_still_all_in() -> None:
    game = games.no_limit()
    odd, caller = Doing(lambda: 2**63 - 1), agent("call", game)
    played = play_lineups(game, [odd, caller], np.array([[0, 1]]), np.array([0]), hands=1, seed=0, taping=True)
    assert played.tape is not None
    (raised,) = (row for row in played.tape.actions if row["seat"] == 0)
    assert raised["to"] == game.stacks[0]


@pytest.mark.parametrize(
    ("attribute", "value", "sentence"),
    [
        ("facts", 5, "agent odd says which facts .* raised TypeError: 'int' object is not iterable"),
        ("facts", ("luck",), r"agent odd wants the facts \['luck'\]; known are \['strength', 'win'\]"),
        ("hears", ("acts",), r"agent odd hears \['acts'\]; events are numbers from 0 to 4, each once"),
        ("hears", (1, 7), r"agent odd hears \[1, 7\]; events are numbers from 0 to 4, each once"),
        ("hears", (1, 1), r"agent odd hears \[1, 1\]; events are numbers from 0 to 4, each once"),
    ],
)
def test_what_an_agent_says_of_itself_is_checked(attribute: str, value: object, sentence: str) -> None:
    odd = type("Odd", (Doing,), {attribute: value})
    with pytest.raises(AgentError, match=sentence):
        play(odd())


@pytest.mark.parametrize("stop", [KeyboardInterrupt, Terminated])
def test_a_signal_that_ends_the_process_is_not_the_agents_fault(stop: type[BaseException]) -> None:
    with pytest.raises(stop):
        play(Doing(fails(stop)))


@pytest.mark.parametrize("seconds", [1e-9, -1.0, float("inf"), float("nan"), 1e9])
def test_a_time_limit_that_cannot_be_kept_is_refused(seconds: float) -> None:
    with pytest.raises(ValueError, match=r"a time limit of .* s cannot be kept; give 0.001 to 86400 seconds, or 0"):
        check_time_limit(seconds)
    with pytest.raises(ValueError, match="cannot be kept"):
        play(Doing(), time_limit=seconds)


def test_a_guard_inside_a_guard_leaves_the_outer_one_its_timer() -> None:
    outer = Doing()

    def think() -> None:
        with guarded(3.0, [outer]) as inner:
            inner(outer, outer.do)
        while True:
            pass

    with guarded(0.2, [outer]) as guard, pytest.raises(AgentError, match=r"odd did not answer within 0\.2 s"):
        guard(outer, think)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_an_exit_code_tells_the_parent_whom_the_watchdog_ended_a_worker_for() -> None:
    assert stuck_agent("EXIT(101)") == 1
    assert stuck_agent("EXIT(3)") is None
    assert stuck_agent("SIGKILL(-9)") is None


FILE = """
import itertools, os, sys
import nemesis

class Odd(nemesis.Agent):
    facts = ()

class Never(Odd):
    def __init__(self): raise RuntimeError("no licence")

class Exits(Odd):
    def __init__(self): sys.exit(0)

class Quits(Odd):
    def act(self, view): sys.exit(0)

class Leaves(Odd):
    def act(self, view): os._exit(0)

class Loops(Odd):
    def act(self, view): return sum(itertools.repeat(0))

class Swallows(Odd):
    def act(self, view):
        while True:
            try:
                while True: pass
            except BaseException: pass
"""


@pytest.fixture
def bad(tmp_path: Path) -> str:
    path = tmp_path / "bad.py"
    path.write_text(FILE)
    return str(path)


def test_an_agent_that_cannot_be_made_is_named(bad: str) -> None:
    for name, what in (("Never", "RuntimeError: no licence"), ("Exits", "SystemExit: 0")):
        with pytest.raises(AgentError, match=f"agent {name} could not be made: it raised {what}"):
            player(f"{bad}:{name}").make(games.limit())


def test_a_file_that_leaves_when_it_is_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "leaves.py"
    path.write_text("import sys\nsys.exit(0)\n")
    with pytest.raises(ValueError, match=r"leaves\.py cannot be loaded: SystemExit: 0"):
        player(f"{path}:Me").make(games.limit())


def nemesis(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "nemesis.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.parametrize("name", ["Loops", "Swallows"])
def test_an_agent_that_the_timer_cannot_reach_ends_the_process(bad: str, name: str) -> None:
    """An endless loop in C never lets the interpreter run; nothing written in Python can stop it."""
    ended = nemesis("duel", f"{bad}:{name}", "call", "--game", "kuhn", "--hands", "10", "--time-limit", "0.1")
    assert ended.stderr.endswith(f"nemesis: agent {name} did not answer within 0.1 s\n")
    assert "Traceback" not in ended.stderr
    assert ended.returncode == 2


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Loops", "nemesis: agent Loops did not answer within 0.1 s"),
        ("Leaves", "(EXIT(0)); one of call, Leaves probably ends or crashes its process"),
    ],
)
def test_the_parent_names_an_agent_that_ends_its_worker(bad: str, name: str, sentence: str) -> None:
    arguments = ("--game", "kuhn", "--hands", "10", "--time-limit", "0.1", "--workers", "2")
    ended = nemesis("duel", "call", f"{bad}:{name}", *arguments)
    assert sentence in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.returncode == 2


def test_leaving_is_not_success(bad: str) -> None:
    ended = nemesis("matrix", f"{bad}:Quits", "call", "--game", "kuhn", "--hands", "10", "--time-limit", "1")
    assert ended.stderr.endswith("nemesis: agent Quits raised SystemExit: 0\n")
    assert ended.returncode == 2


class Stop(Exception):
    """Somebody wants the match to end."""


def test_a_long_match_of_compiled_agents_can_be_stopped() -> None:
    """A signal waits until compiled code comes back to Python, and one match of so many hands is one call of it."""

    def stop(signum: int, frame: object) -> None:
        raise Stop

    game, hands = games.kuhn(), 10**8
    arena = Arena(game, [agent("call", game), agent("raise", game)], seed=0)
    lineups = arena.lineups(np.array([[0, 1]]), np.array([0]), hands, False)
    arena.play(arena.lineups(np.array([[0, 1]]), np.array([0]), 10, False), new_outcomes((1, 2)))
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(Stop):
            arena.play(lineups, new_outcomes((1, 2)))
    finally:
        signal.signal(signal.SIGALRM, before)
    assert 0 < arena.desk.match["hand"][0] < hands


def test_a_match_that_pauses_plays_the_same_hands() -> None:
    game = games.kuhn()
    hands = 2 * HANDS_AT_ONCE + 77
    lineup, number = np.array([[0, 1]]), np.array([0])
    cast = agent("random", game), agent("la", game)
    paused = play_lineups(game, cast, lineup, number, hands=hands, seed=0)
    python = Uncompiled(compiled_agent("random", game))
    assert (
        play_lineups(game, [python, cast[1]], lineup, number, hands=hands, seed=0).won.tolist() == paused.won.tolist()
    )
    assert paused.hands.tolist() == [hands]
