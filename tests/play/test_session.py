"""Sessions: tables that wait for people and programs, and are the same table as the loop's."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nemesis
from nemesis import arena
from nemesis.observe.event import ENDS, KINDS, Event
from nemesis.observe.hand import replay
from nemesis.observe.view import View
from nemesis.play.match import Player, play_lineups
from nemesis.play.session import OpenSeat, Session, SessionError
from nemesis.respond.agent import Agent, AgentError, CompiledAgent, Uncompiled
from nemesis.rules import games
from nemesis.rules.cards import card_text
from nemesis.rules.game import Game

CAST = ("random", "la", "tp", "random", "ta", "lp", "raise", "call", "random", "la")
OPEN = OpenSeat()


class Puppet:
    """Somebody outside who plays as an agent would, through views and events alone."""

    def __init__(self, agent: Agent, game: Game, seat: int) -> None:
        self.agent = agent
        self.seat = seat
        self.views: list[bytes] = []
        self.events: list[bytes] = []
        self.actions: list[int] = []
        agent.sit(game, seat)

    def hear(self, told: Sequence[Event]) -> None:
        for event in told:
            if event.me == self.seat:
                self.events.append(event.record.tobytes())
                if event.kind in self.agent.hears:
                    self.agent.watch(event)

    def choose(self, session: Session) -> int:
        self.views.append(session.view.record.tobytes())
        wish = self.agent.act(session.view)
        self.actions.append(clamped(wish, session))
        return self.actions[-1]


def clamped(wish: int, session: Session) -> int:
    """A session refuses what the engine would have changed."""
    to_call, least, most = session.legal
    if wish >= 2 and most:
        return min(max(wish, least), most)
    return 0 if wish == 0 and to_call else 1


def play(session: Session, puppets: dict[int, Puppet], steps: int = 10**9) -> None:
    while not session.finished and steps:
        for puppet in puppets.values():
            puppet.hear(session.told)
        assert session.turn is not None
        session.act(puppets[session.turn].choose(session))
        steps -= 1
    for puppet in puppets.values():
        puppet.hear(session.told)


def player(name: str) -> Player:
    return Player(name, lambda game: nemesis.agent(name, game))


def with_open_seats(game: Game, seats: Sequence[int], **how: Any) -> tuple[Session, dict[int, Puppet]]:
    """A table of the cast; in some seats it plays from outside."""
    cast = CAST[: game.seats]
    session = Session(game, [OPEN if seat in seats else player(name) for seat, name in enumerate(cast)], **how)
    return session, {seat: Puppet(nemesis.agent(cast[seat], game), game, seat) for seat in seats}


def in_the_loop(game: Game, hands: int, seed: int, freeze_out: bool = False) -> list[int]:
    agents = [nemesis.agent(name, game) for name in CAST[: game.seats]]
    lineup, number = np.arange(game.seats)[None, :], np.zeros(1, np.int64)
    return play_lineups(game, agents, lineup, number, hands=hands, seed=seed, freeze_out=freeze_out).won[0].tolist()


@pytest.mark.parametrize("every_second", [1, 2])
def test_a_session_plays_the_hands_of_the_loop(any_game: Game, every_second: int) -> None:
    session, puppets = with_open_seats(
        any_game, range(0, any_game.seats, every_second), seed=7, hands=60, freeze_out=False
    )
    play(session, puppets)
    assert list(session.won) == in_the_loop(any_game, 60, 7)
    assert len(session.hands) == 60


@pytest.mark.parametrize("seats", range(2, 11))
def test_freeze_outs_of_two_to_ten_seats_end_as_in_the_loop(seats: int) -> None:
    game = games.no_limit().seated(seats, 400)
    session, puppets = with_open_seats(game, range(seats), seed=3, hands=300, freeze_out=True)
    play(session, puppets)
    assert list(session.won) == in_the_loop(game, 300, 3, freeze_out=True)
    assert min(session.won) == -400


def test_finished_hands_replay_to_the_chips_that_were_won() -> None:
    game = games.one_card().seated(4)
    session, puppets = with_open_seats(game, (0, 2), seed=5, hands=200)
    play(session, puppets)
    assert len({hand.game.seats for hand in session.hands}) > 1, "nobody was eliminated, so this shows little"
    for hand in session.hands:
        assert replay(hand).payoffs == hand.payoffs
        assert sum(hand.game.stacks) == 40
    assert [dict(hand.source)["hand"] for hand in session.hands] == list(range(1, len(session.hands) + 1))
    last = session.hands[-1]
    ends = [stack + payoff for stack, payoff in zip(last.game.stacks, last.payoffs or (), strict=True)]
    assert sorted(filter(None, ends)) == sorted(10 + chips for chips in session.won if chips > -10)


def test_a_match_ends_when_every_open_seat_is_out() -> None:
    """Nobody outside is left to wait for, so agents that only pass blinds around do not go on for ever."""
    session = Session(games.no_limit().seated(3, 100), [OPEN, player("fold"), player("fold")], freeze_out=True)
    while not session.finished:
        session.act(0 if session.legal.to_call else 1)
    assert session.won[0] == -100


class Counting(Agent):
    """A Python agent that plays by what it has seen."""

    name = "counting"
    facts = ()

    def sit(self, game: Game, seat: int) -> None:
        self.seen = 0

    def act(self, view: View) -> int:
        return 2 if self.seen % 3 == 0 and view.chance < 0.7 else 1

    def watch(self, event: Event) -> None:
        self.seen += event.kind != ENDS


TABLES: dict[str, Callable[[], Sequence[Player | OpenSeat]]] = {
    "compiled": lambda: [OPEN, player("la"), player("tp")],
    "with a memory": lambda: [OPEN, player("analysis"), player("random")],
    "in Python": lambda: [OPEN, Player("counting", lambda game: Counting()), player("random")],
}


@pytest.mark.parametrize("table", TABLES)
def test_interleaved_sessions_do_not_influence_each_other(table: str) -> None:
    def alone(seed: int) -> Session:
        return Session(games.limit().seated(3), TABLES[table](), seed=seed, hands=40)

    def go(session: Session) -> None:
        session.act(session.legal.least if session.legal.most and session.view.hand % 2 else 1)

    ends = []
    for seed in (1, 2):
        session = alone(seed)
        while not session.finished:
            go(session)
        ends.append((session.won, session.hands))
    both = [alone(1), alone(2)]
    while not all(session.finished for session in both):
        for session in both:
            if not session.finished:
                go(session)
    assert [(session.won, session.hands) for session in both] == ends
    assert ends[0] != ends[1]


def table_player(label: str) -> Player:
    return Player(label, lambda game: Counting()) if label == "counting" else player(label)


@pytest.mark.parametrize("table", TABLES)
def test_a_session_saved_in_the_middle_of_a_hand_goes_on_as_if_it_had_not_been(table: str) -> None:
    game = games.limit().seated(3, 2000)
    session = Session(game, TABLES[table](), seed=11, freeze_out=True)
    for _ in range(50):
        session.act(1)
    while session.view.street == 0:
        session.act(1)
    again = Session.restore(json.loads(json.dumps(session.save())), table_player)
    assert again.view.record.tobytes() == session.view.record.tobytes()
    assert [e.record.tobytes() for e in again.told] == [e.record.tobytes() for e in session.told] != []
    assert again.hands == session.hands
    for _ in range(100):
        if session.finished:
            break
        for one in (session, again):
            one.act(1)
    assert (again.won, again.hands, again.save()) == (session.won, session.hands, session.save())


def test_what_a_session_shows_is_what_an_agent_there_would_see() -> None:
    """Field by field and to the bit, views, events and actions of a Python agent at the same table."""

    class Noting(Uncompiled):
        facts = frozenset({"win", "strength"})

        def __init__(self, agent: CompiledAgent) -> None:
            self.agent, self.name = agent, agent.name

        def act(self, view: View) -> int:
            noted["views"].append(view.record.tobytes())
            return super().act(view)

        def watch(self, event: Event) -> None:
            noted["events"].append(event.record.tobytes())

        @property
        def hears(self) -> tuple[int, ...]:
            return tuple(range(len(KINDS)))

    noted: dict[str, list[bytes]] = {"views": [], "events": []}
    game = games.limit().seated(3)
    agent = nemesis.agent("la", game)
    assert isinstance(agent, CompiledAgent)
    rivals = [nemesis.agent("random", game), nemesis.agent("tp", game)]
    lineup, number = np.arange(3)[None, :], np.zeros(1, np.int64)
    play_lineups(game, [Noting(agent), *rivals], lineup, number, hands=100, seed=9)
    session = Session(game, [OPEN, player("random"), player("tp")], seed=9, hands=100)
    puppet = Puppet(nemesis.agent("la", game), game, 0)
    play(session, {0: puppet})
    assert puppet.views == noted["views"]
    assert puppet.events == noted["events"]


def test_what_was_told_can_be_kept() -> None:
    session = Session(games.limit(), [OPEN, player("call")], seed=1)
    view, told = session.view, session.told
    before = view.record.tobytes(), [event.record.tobytes() for event in told]
    for _ in range(30):
        session.act(1)
    assert (view.record.tobytes(), [event.record.tobytes() for event in told]) == before


def test_a_session_by_name_reads_like_a_table(tmp_path: Any) -> None:
    session = nemesis.session([nemesis.OpenSeat("ann"), "tp"], game="limit", seed=3)
    session.act(session.legal.least)
    again = nemesis.restore_session(json.loads(json.dumps(session.save())))
    assert again.save() == session.save()
    assert len(session.hole(0)) == 2
    assert "".join(map(card_text, session.hole(0))) == "".join(map(card_text, session.view.hole_cards))
    session.act(1)
    while not session.hands:
        session.act(1)
    assert set(session.hands[0].players) == {"ann", "tp"}


def limit(**how: Any) -> Session:
    return Session(games.limit(), [OPEN, player("call")], **how)


UNEXPECTED: dict[str, tuple[Callable[[], object], str]] = {
    "too many players": (lambda: Session(games.limit(), [OPEN] * 3), "limit has 2 seats, but 3 players are named"),
    "no hands": (lambda: limit(hands=0), "cannot play 0 hands; play at least 1"),
    "never an end": (lambda: Session(games.limit(), [player("call")] * 2), "would never stop"),
    "a word": (lambda: limit().act("raise"), "seat 0: 'raise' is no action"),  # type: ignore[arg-type]
    "a truth": (lambda: limit().act(True), "seat 0: True is no action"),
    "a fraction": (lambda: limit().act(2.5), "2.5 is no action"),  # type: ignore[arg-type]
    "less than nothing": (lambda: limit().act(-1), "-1 is no action"),
    "more than all": (lambda: limit().act(10**100), "it must be to 20"),
    "a fold for nothing": (lambda: checked_to().act(0), "checking is free; 1 checks"),
    "no session": (lambda: arena.restore_session({}), "not a saved session of version 1"),
    "no JSON object": (lambda: arena.restore_session([]), "not a saved session"),  # type: ignore[arg-type]
    "half a session": (lambda: arena.restore_session({"session": 1}), "the saved session lacks cards, game"),
    "a strange game": (lambda: arena.restore_session({**limit().save(), "game": {"stacks": 3}}), "cannot be read"),
    "no player": (lambda: arena.restore_session({**limit().save(), "players": [{}]}), "cannot be read"),
    "another agent": (lambda: restored_with("raise"), "but its actions now lead to"),
}


def checked_to() -> Session:
    session = limit(seed=1)
    while session.legal.to_call:
        session.act(1)
    return session


def restored_with(name: str) -> Session:
    session = limit(seed=1)
    for _ in range(9):
        session.act(1)
    return Session.restore(session.save(), lambda label: player(name))


@pytest.mark.parametrize("mistake", UNEXPECTED)
def test_a_mistake_is_a_sentence(mistake: str) -> None:
    call, sentence = UNEXPECTED[mistake]
    with pytest.raises(SessionError, match=sentence):
        call()


def test_a_refused_action_changes_nothing() -> None:
    session = limit(seed=1)
    before = session.save(), session.view.record.tobytes()
    for action in (10**100, -1, 21, 19):
        with pytest.raises(SessionError):
            session.act(action)
    assert (session.save(), session.view.record.tobytes()) == before


def test_when_the_match_is_over_there_is_nothing_to_do() -> None:
    session = limit(hands=1)
    while not session.finished:
        session.act(1)
    assert session.turn is None
    for call in (lambda: session.act(1), lambda: session.view, lambda: session.legal):
        with pytest.raises(SessionError, match="does not wait for an action; the match is over"):
            call()


class Broken(Agent):
    name = "broken"

    def act(self, view: View) -> int:
        raise KeyError("oops")


def test_an_agent_that_fails_ends_the_session_with_its_name() -> None:
    with pytest.raises(AgentError, match="agent broken raised KeyError"):
        Session(games.limit(), [OPEN, Player("broken", lambda game: Broken())])
    session = Session(games.limit(), [Player("broken", lambda game: Broken()), OPEN])
    with pytest.raises(AgentError, match="agent broken raised KeyError"):
        session.act(1)
    with pytest.raises(SessionError, match="the match is over: agent broken raised KeyError"):
        session.act(1)


def test_the_page_about_sessions_runs_as_written(capsys: pytest.CaptureFixture[str]) -> None:
    page = Path(__file__).parents[2] / "docs" / "how-to" / "run-a-table.md"
    names_so_far: dict[str, object] = {}
    for code in re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
        exec(code, names_so_far)
    said = capsys.readouterr().out
    assert "hand 1 brought" in said
    assert said.endswith("(-10, 10)\n")
