"""A session told its cards from outside shows an agent what the loop would have shown it, to the bit."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nemesis
from nemesis import arena
from nemesis.observe.event import KINDS, SHOWS, Event
from nemesis.observe.hand import Hand, decisions
from nemesis.observe.view import NOT_YET, View
from nemesis.play.live import LiveSession
from nemesis.play.match import Player
from nemesis.play.session import OpenSeat, Session, SessionError
from nemesis.respond.agent import Agent, CompiledAgent, Uncompiled
from nemesis.rules import games
from nemesis.rules.cards import parse_cards
from nemesis.rules.game import Game

OPEN = OpenSeat()
GAMES = ("limit", "no-limit", "pot-limit", "kuhn", "leduc", "one-card", "ring", "no-limit-6")


class Witness(Uncompiled):
    """Plays as another agent, hears everything, and writes down every view, event and action."""

    def __init__(self, agent: Agent) -> None:
        assert isinstance(agent, CompiledAgent)
        super().__init__(agent)
        self.facts = {"win", "strength"}
        self.noted: list[tuple[str, bytes]] = []

    @property
    def hears(self) -> tuple[int, ...]:
        return tuple(range(len(KINDS)))

    def act(self, view: View) -> int:
        action = super().act(view)
        self.noted += [("view", view.record.tobytes()), ("action", bytes(str(action), "ascii"))]
        return action

    def watch(self, event: Event) -> None:
        self.noted.append(("event", event.record.tobytes()))
        if event.kind in self.agent.hears:
            super().watch(event)


def seat(agent: Agent) -> Player:
    return Player(agent.name, lambda game: agent)


def played(game: Game, witness: Witness, mine: int, hands: int, seed: int, freeze_out: bool) -> list[Hand]:
    """A match in the loop, the witness in seat `mine`, everybody else random."""
    rivals = [seat(nemesis.agent("random", game)) for _ in range(game.seats - 1)]
    session = Session(
        game, [*rivals[:mine], seat(witness), *rivals[mine:]], seed=seed, hands=hands, freeze_out=freeze_out
    )
    return session.hands


def retell(live: LiveSession, hand: Hand, mine: int) -> None:
    """Give one recorded hand to a live session, as somebody who watches the table would."""
    order = live.playing
    board = list(hand.board)
    theirs = [decision.action for decision in decisions(hand) if order[decision.actor] != mine]
    live.deal({mine: hand.hole[order.index(mine)]} if mine in order else {})
    while live.needs in ("action", "board", "showdown"):
        if live.needs == "action":
            live.act(theirs.pop(0))
        elif live.needs == "board":
            count = live.board_needed
            live.board(board[:count])
            del board[:count]
        else:
            shown = {order[p]: hand.hole[p] for p in hand.shown}
            live.show(shown, dict(zip(order, hand.payoffs or (), strict=True)))
            return


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("freeze_out", [False, True])
def test_views_events_and_actions_equal_those_of_the_loop(name: str, freeze_out: bool) -> None:
    game = nemesis.game(name)
    for mine in (0, game.seats - 1):
        there, here = (Witness(nemesis.agent("random", game)) for _ in range(2))
        hands = played(game, there, mine, 40, 5, freeze_out)
        players: list[Player | OpenSeat] = [OPEN] * game.seats
        players[mine] = seat(here)
        live = LiveSession(game, players, seed=5, hands=40, freeze_out=freeze_out)
        for hand in hands:
            retell(live, hand, mine)
        assert live.finished
        assert here.noted == there.noted
        kinds = {kind for kind, _ in here.noted}
        assert kinds == {"view", "action", "event"}
        assert [(hand.actions, hand.payoffs, hand.board, hand.shown) for hand in live.hands] == [
            (hand.actions, hand.payoffs, hand.board, hand.shown) for hand in hands
        ]


@pytest.mark.parametrize("agent", ["analysis", "la"])
def test_compiled_agents_with_a_memory_play_the_same_from_told_cards(agent: str) -> None:
    game = games.one_card()
    recorded = Session(game, [seat(nemesis.agent(agent, game)), seat(nemesis.agent("random", game))], seed=2, hands=200)
    live = LiveSession(game, [seat(nemesis.agent(agent, game)), OPEN], seed=2, hands=200)
    for hand in recorded.hands:
        retell(live, hand, 0)
    assert live.finished
    assert live.won == recorded.won


def river(mine: str = "AsAh", board: str = "2c7d9hJsTs") -> LiveSession:
    """Heads-up limit, both have checked to the river: the agent in seat 1 has the button, and calls."""
    live = LiveSession(games.limit(), [OPEN, seat(nemesis.agent("call", games.limit()))])
    live.deal({1: parse_cards(mine)})
    live.act(1)
    for cards in (board[:6], board[6:8], board[8:]):
        live.board(parse_cards(cards))
        live.act(1)
    return live


def test_a_showdown_is_told_by_what_was_shown() -> None:
    live = river()
    assert live.needs == "showdown"
    live.show({0: parse_cards("KdKh")})
    assert live.won == (-10, 10)
    assert [event.seat for event in live.told if event.kind == SHOWS and event.me == 0] == [0, 1]
    assert live.hands[0].hole == (tuple(parse_cards("KdKh")), tuple(parse_cards("AsAh")))


def test_cards_that_were_not_shown_are_told_to_nobody() -> None:
    live = river()
    with pytest.raises(SessionError, match="seat 0 did not show its cards, so the payoffs must be told"):
        live.show({})
    live.show({}, {0: -10, 1: 10})
    assert live.won == (-10, 10)
    assert [event.seat for event in live.told if event.kind == SHOWS and event.me == 0] == [1]
    assert live.hands[0].hole == ((), tuple(parse_cards("AsAh")))
    assert live.hands[0].shown == (1,)


def test_an_open_seat_without_cards_sees_none() -> None:
    live = LiveSession(games.limit(), [OPEN, seat(nemesis.agent("call", games.limit()))])
    live.deal({1: parse_cards("AsAh")})
    assert live.turn == 0
    assert live.view.hole == (NOT_YET, NOT_YET)
    with pytest.raises(ValueError, match="the fact 'win' was not dealt"):
        _ = live.view.win


def test_no_unknown_card_decides_anything() -> None:
    """All-in before the flop: the board and the opponent's cards come only afterwards."""
    game = games.no_limit()
    live = LiveSession(game, [OPEN, seat(nemesis.agent("call", game))])
    live.deal({1: parse_cards("AsAh")})
    live.act(live.legal.most)
    assert (live.needs, live.board_needed) == ("board", 5)
    live.board(parse_cards("2c7d9h"))
    assert (live.needs, live.board_needed) == ("board", 2)
    live.board(parse_cards("JsTs"))
    live.show({0: parse_cards("KdKh")}, {0: -game.stacks[0], 1: game.stacks[0]})
    assert live.needs == "cards"


def test_a_live_session_is_saved_and_restored_wherever_it_waits() -> None:
    live = river()
    saves = [live.save()]
    live.show({0: parse_cards("KdKh")}, {0: -10, 1: 10})
    saves.append(live.save())
    live.deal({1: parse_cards("2c2d")})
    saves.append(live.save())
    for saved in saves:
        again = arena.restore_session(json.loads(json.dumps(saved)))
        assert isinstance(again, LiveSession)
        assert again.save() == saved
    with pytest.raises(SessionError, match="has cards told, this one wants cards dealt"):
        Session.restore(saves[0], lambda label: seat(nemesis.agent(label, games.limit())))


def dealt() -> LiveSession:
    live = LiveSession(games.limit(), [OPEN, seat(nemesis.agent("call", games.limit()))])
    live.deal({1: parse_cards("AsAh")})
    return live


def waiting() -> LiveSession:
    return LiveSession(games.limit(), [OPEN, seat(nemesis.agent("call", games.limit()))])


UNEXPECTED: dict[str, tuple[Callable[[], object], str]] = {
    "no cards": (lambda: waiting().deal({}), "the agent in seat 1 cannot play without its cards"),
    "one card": (lambda: waiting().deal({1: [3]}), "seat 1 is told to hold 1 cards, not 2"),
    "a third seat": (lambda: waiting().deal({2: [3, 4]}), r"seat 2 is not in this hand; seats \[0, 1\] are"),
    "a card twice": (lambda: waiting().deal({1: [3, 3]}), "is dealt twice"),
    "no card": (lambda: waiting().deal({1: [3, 52]}), "52 is not a card of a deck of 52"),
    "an action before the cards": (lambda: waiting().act(1), "does not wait for an action; it waits for hole cards"),
    "a board before the flop": (lambda: dealt().board([1, 2, 3]), "wait for board cards; it waits for an action"),
    "cards again": (lambda: dealt().deal({1: [3, 4]}), "does not wait for hole cards; it waits for an action"),
    "a flop of four": (lambda: flop().board([1, 2, 3, 4]), "4 cards are told, but 3 come to the board now"),
    "my own card on the board": (lambda: flop().board(parse_cards("AsKs2d")), "the card As is dealt twice"),
    "a wrong winner": (
        lambda: river().show({0: parse_cards("KdKh")}, {0: 10, 1: -10}),
        r"by the cards shown the seats win \{0: -10, 1: 10\}, not \{0: 10, 1: -10\}",
    ),
    "other cards than dealt": (lambda: river().show({1: parse_cards("KdKh")}), "seat 1 was dealt other cards"),
}


def flop() -> LiveSession:
    live = dealt()
    live.act(1)
    return live


@pytest.mark.parametrize("mistake", UNEXPECTED)
def test_a_mistake_is_a_sentence_and_changes_nothing(mistake: str) -> None:
    call, sentence = UNEXPECTED[mistake]
    with pytest.raises(SessionError, match=sentence):
        call()


def test_after_a_mistake_the_session_goes_on() -> None:
    live = flop()
    before: dict[str, Any] = live.save()
    with pytest.raises(SessionError):
        live.board(parse_cards("AsKs2d"))
    assert live.save() == before
    live.board(parse_cards("QsKs2d"))
    assert live.view.board_cards == tuple(parse_cards("QsKs2d"))
    assert np.isnan(live.view.record["win"][0])
