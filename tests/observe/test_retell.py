"""Recorded hands told again: the very views and events of the table, and never a hidden card."""

import dataclasses
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from playing import hands as any_hand

import nemesis
from nemesis.observe.event import ACTS, ENDS, EVENT, SHOWS, STARTS, Event
from nemesis.observe.hand import Hand, HandError
from nemesis.observe.phh import parse_hand, passages
from nemesis.observe.retell import Retold, retell
from nemesis.observe.tape import finished_hands, joined
from nemesis.observe.tape_of_hands import tape_of
from nemesis.observe.taped_players import around, players_dealt, players_seated
from nemesis.observe.view import NOT_YET, VIEW, View
from nemesis.play.recording import record_match, tape_match
from nemesis.respond.agent import Agent, CompiledAgent
from nemesis.rules import games
from nemesis.rules.cards import parse_cards
from nemesis.rules.game import Game

CAST = ("random", "la", "tp", "random", "ta", "lp", "raise", "call", "random", "la")
DATA = Path(__file__).parent.parent / "data"


class Scribe(Agent):
    """Plays as the agent inside and writes every view and event down."""

    def __init__(self, inside: Agent) -> None:
        self.inside = inside
        self.name = inside.name
        self.views: list[bytes] = []
        self.events: list[bytes] = []

    def act(self, view: View) -> int:
        self.views.append(view.record.tobytes())
        return self.inside.act(view)

    def watch(self, event: Event) -> None:
        self.events.append(event.record.tobytes())


def scribes(game: Game) -> list[Scribe]:
    return [Scribe(nemesis.agent(name, game)) for name in CAST[: game.seats]]


def rows(written: Sequence[bytes], dtype: np.dtype) -> NDArray[np.void]:  # type: ignore[type-arg]
    return np.frombuffer(b"".join(written), dtype)


def assert_alike(ours: NDArray[np.void], theirs: NDArray[np.void]) -> None:
    """Field by field, so that a difference is named. A view's die is not in the record."""
    assert len(ours) == len(theirs)
    for field in ours.dtype.names or ():
        if field != "chance":
            assert np.array_equal(ours[field], theirs[field], equal_nan=field in ("win", "strength")), field


def assert_retold(told: Retold, seats: Sequence[Scribe]) -> None:
    for seat, scribe in enumerate(seats):
        assert_alike(rows(scribe.views, VIEW), told.views[told.views["me"] == seat])
        assert_alike(rows(scribe.events, EVENT), told.events[told.events["me"] == seat])


@pytest.mark.parametrize("freeze_out", [False, True])
def test_a_recorded_match_is_retold_field_by_field(any_game: Game, freeze_out: bool) -> None:
    seats = scribes(any_game)
    hands = record_match(any_game, seats, 40, seed=3, freeze_out=freeze_out)
    assert_retold(retell(hands), seats)
    assert any(scribe.views for scribe in seats)


@pytest.mark.parametrize("seats", [3, 4])
def test_seats_that_are_dealt_out_go_on_hearing(seats: int) -> None:
    """A freeze-out to the end: the tape has hands of fewer and fewer players, everyone hears all of it."""
    game = games.one_card().seated(seats)
    players = scribes(game)
    tape = tape_match(game, players, 500, seed=1, freeze_out=True)
    assert set(tape.hands["seats"]) == set(range(2, seats + 1))
    told = retell(tape)
    assert_retold(told, players)
    starts = told.events[told.events["kind"] == STARTS]
    assert (np.bincount(starts["me"]) == len(tape)).all()


def test_compiled_and_python_seats_leave_the_same_tape(any_game: Game) -> None:
    compiled = [nemesis.agent(name, any_game) for name in CAST[: any_game.seats]]
    assert all(isinstance(agent, CompiledAgent) for agent in compiled)
    for freeze_out in (False, True):
        ours = tape_match(any_game, compiled, 60, seed=2, freeze_out=freeze_out)
        theirs = tape_match(any_game, scribes(any_game), 60, seed=2, freeze_out=freeze_out)
        assert ours.hands.tobytes() == theirs.hands.tobytes()
        for field in ours.actions.dtype.names or ():
            if field not in ("win", "strength"):  # only what somebody reads is worked out
                assert (ours.actions[field] == theirs.actions[field]).all()


def test_a_tape_of_recorded_hands_is_the_tape_of_the_match(any_game: Game) -> None:
    tape = tape_match(any_game, scribes(any_game), 60, seed=4)
    again = tape_of(hand for hand, _ in finished_hands(tape))
    for field in tape.actions.dtype.names or ():
        assert np.array_equal(tape.actions[field], again.actions[field]), field
    for field in tape.hands.dtype.names or ():
        if field not in ("rules", "player"):
            assert np.array_equal(tape.hands[field], again.hands[field]), field
    assert [hand for hand, _ in finished_hands(tape)] == [
        dataclasses.replace(hand, source=(*hand.source, ("_seed", 4))) for hand, _ in finished_hands(again)
    ]


@settings(max_examples=60, deadline=None)
@given(any_hand(), st.data())
def test_no_hidden_card_reaches_another_seat(hand: Hand, data: st.DataObject) -> None:
    """Change the cards of a position that did not show them, or make them unknown: only its own views change."""
    hidden = [p for p in range(hand.game.seats) if p not in hand.shown]
    if not hidden:
        return
    changed = data.draw(st.sampled_from(hidden))
    used = {*hand.board, *(card for cards in hand.hole for card in cards)}
    others = [card for card in range(52) if card not in used][:2]
    told = retell([hand])
    for cards in (tuple(others), ()):
        holes = tuple(cards if p == changed else hole for p, hole in enumerate(hand.hole))
        again = retell([dataclasses.replace(hand, hole=holes)])
        assert again.events.tobytes() == told.events.tobytes()
        mine = told.views["me"] == changed
        assert_alike(again.views[~mine], told.views[~mine])
        if not cards:
            assert (again.views["hole"][mine] == NOT_YET).all()
            assert np.isnan(again.views["win"][mine]).all()
            assert np.isnan(again.views["strength"][mine]).all()


def readable(file: Path) -> Iterator[Hand]:
    """The hands of a file but for those that are broken on purpose."""
    for passage in passages(file):
        with suppress(HandError):
            yield parse_hand(passage)


@pytest.mark.parametrize("file", ["pluribus", "pokerstars", "ongame"])
def test_real_hands_are_retold_without_hidden_cards(file: str) -> None:
    hands = list(readable(DATA / f"{file}.phhs"))[:200]
    tape = tape_of(hands)
    told = retell(tape)
    shown = told.events[told.events["kind"] == SHOWS]
    for at, hand in enumerate(hands):
        seat_of = tape.hands["seat"][at]
        views = told.views[told.views["hand"] == at]
        for position, cards in enumerate(hand.hole):
            own = views["hole"][views["me"] == seat_of[position]]
            assert (own == (cards or (NOT_YET, NOT_YET))).all()
        turned = {tuple(cards) for cards in shown["hole"][shown["hand"] == at].tolist()}
        assert turned == {hand.hole[p] for p in hand.shown}
    assert (told.events["hole"][told.events["kind"] != SHOWS] == NOT_YET).all()
    assert np.isnan(told.events["win"][told.events["kind"] != SHOWS]).all()
    acts = told.events[(told.events["kind"] == ACTS) & (told.events["me"] == told.events["seat"])]
    assert len(acts) == sum(len(hand.actions) for hand in hands) == len(told.views)


def test_players_keep_their_seats_from_hand_to_hand() -> None:
    """The button moves on, so positions change; C comes in for A, who left."""
    limit = games.limit()
    hands = [
        Hand(limit, ((), ()), (), (0,), players=players) for players in (("A", "B"), ("B", "A"), ("B", "C"), ("A", "B"))
    ]
    tape = tape_of(hands)
    assert tape.hands["seat"][:, :2].tolist() == [[0, 1], [1, 0], [1, 0], [0, 1]]
    assert tape.players == ("A", "B", "C")
    assert players_dealt(tape)[:, :2].tolist() == [[0, 1], [0, 1], [2, 1], [0, 1]]
    assert (retell(tape).events["big_blind"] == 10).all()
    given = dataclasses.replace(hands[0], source=(("seats", (3, 7)),))
    assert tape_of([given]).hands["seat"][0, :2].tolist() == [2, 6]


def test_a_seat_without_chips_stays_its_players() -> None:
    game = games.one_card().seated(3)
    tape = tape_match(game, scribes(game), 500, seed=1, freeze_out=True)
    assert (players_seated(tape) == [0, 1, 2]).all()
    assert (players_dealt(tape)[-1] == -1).sum() == 1


def test_one_player_and_its_neighbours() -> None:
    game = games.no_limit().seated(3)
    tape = tape_match(game, [nemesis.agent(name, game) for name in ("la", "tp", "ta")], 9, seed=1)
    own = around(tape, "tp")
    player = tape.players.index("tp")
    assert len(own) == 9
    assert (players_dealt(own)[:, 0] == player).all()
    assert sorted(set(players_dealt(own)[:, 1])) == [2]


def test_what_the_rules_forbid_is_not_retold() -> None:
    limit = games.limit()
    with pytest.raises(HandError, match="raise to 21 as action 1; legal was to fold, call 5 or raise to 20"):
        tape_of([Hand(limit, ((), ()), (), (21, 0))])
    with pytest.raises(HandError, match="ends after 1 actions when p1 must act"):
        tape_of([Hand(limit, ((), ()), (), (1,), payoffs=(0, 0))])
    with pytest.raises(HandError, match="different decks; use a tape for each"):
        tape_of([Hand(limit, ((), ()), (), (0,)), Hand(games.kuhn(), ((2,), (0,)), (), (2, 0))])
    tape = tape_of([Hand(limit, ((), ()), (), (0,))])
    tape.actions["action"] = 1
    with pytest.raises(HandError, match="hand 0 of the tape cannot be played as it says from action 2 on"):
        retell(tape)
    assert len(retell([]).events) == 0


def test_what_was_won_is_the_sources_own() -> None:
    """A room takes its rake: the winner of 20 chips is told of the 8 that it got of the other's 10."""
    game = games.limit()
    cards = (tuple(parse_cards("AsAh")), tuple(parse_cards("2c7d")))
    board = tuple(parse_cards("Ad9hJs3c4c"))
    hand = Hand(game, cards, board, (1,) * 8, shown=(0, 1), payoffs=(8, -10))
    ends = retell([hand]).events
    assert ends[ends["kind"] == ENDS]["payoff"].tolist() == [8, -10]


def test_tapes_are_cut_and_joined() -> None:
    game = games.limit()
    tape = tape_match(game, [nemesis.agent(name, game) for name in ("la", "tp")], 20, seed=1)
    parts = [tape.part(0, 7), tape.part(7, 12), tape.part(12, 20)]
    whole = joined(parts)
    assert whole.hands.tobytes() == tape.hands.tobytes()
    assert whole.actions.tobytes() == tape.actions.tobytes()
    assert [hand for hand, _ in finished_hands(parts[1])] == [hand for hand, _ in finished_hands(tape)][7:12]
    other = tape_match(game, [nemesis.agent(name, game) for name in ("ta", "tp")], 20, seed=1)
    with pytest.raises(ValueError, match="only tapes of the same games, players and seed"):
        joined([tape, other])
