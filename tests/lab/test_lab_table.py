"""A visitor's table without a browser: what is told, what is kept, and who may be seated."""

from pathlib import Path

import pytest

from nemesis import arena
from nemesis.lab.opponents import lab_agent, watched_player
from nemesis.lab.table import YOU, Seating, Table
from nemesis.measure.mind import Watched, read_mind
from nemesis.play.recording import record_match
from nemesis.play.session import OpenSeat
from nemesis.rules.by_name import game
from nemesis.solve.known_counter import known_counter

pytestmark = pytest.mark.usefixtures("own_folder")


def played(table: Table, hands: int) -> Table:
    """Check and call until so many hands are over."""
    while len(table.results) < hands:
        table.act(1)
    return table


def test_a_table_is_restored_in_the_middle_of_a_hand() -> None:
    table = played(Table(Seating("limit", ("analysis",), 3)), 4)
    table.act(1)
    again = Table.restored(table.save())
    assert again.seats() == table.seats()
    assert (again.results, again.trail, again.hand.lines) == (table.results, table.trail, table.hand.lines)


def test_open_minds_play_the_same_hands() -> None:
    table = played(Table(Seating("limit", ("analysis",), 3)), 10)
    session = arena.session([OpenSeat("you"), "analysis"], game="limit", seed=3)
    for action in table.given:
        session.act(action)
    assert session.won == table.session.won


def test_what_an_opponent_holds_is_told_when_it_shows_and_not_before() -> None:
    table = Table(Seating("limit", ("tp",), 3))
    while not table.past:
        assert table.seats()[1].cards == (None, None)
        table.act(1)
    deal = table.past[0]
    assert table.seats()[1].cards == deal.shown.get(1, (None, None))
    assert sum(deal.payoffs) == 0
    assert table.results == [deal.payoffs[YOU]]


def test_the_hand_that_ended_is_shown_until_the_visitor_goes_on() -> None:
    table = played(Table(Seating("limit", ("tp",), 3)), 1)
    ended = list(table.past)
    for deal in ended:  # several may have ended before the visitor's next decision
        assert table.hand is deal
        table.next_hand()
    assert table.hand.number == len(ended)
    assert not table.hand.payoffs
    assert table.mind(1) is None or table.hand.lines  # what it thinks now belongs to the new hand


@pytest.mark.parametrize("name", ["one-card", "kuhn", "leduc", "limit", "no-limit", "ring"])
def test_every_kind_of_game_can_be_played(name: str) -> None:
    seats = game(name).seats
    table = Table(Seating(name, ("call",) * (seats - 1), 1))
    for _ in range(12):
        if table.finished:
            break
        table.act(1)
        assert sum(seat.button for seat in table.seats()) == 1
        assert len(table.seats()) == seats


def test_a_run_of_the_lab_is_seated_by_its_name(own_folder: Path) -> None:
    shipped = Path(arena.__file__).parent / "respond" / "champions" / "specialist-la.json"
    run = own_folder / "runs" / "mine"
    run.mkdir(parents=True)
    (run / "champion.json").write_text(shipped.read_text())
    assert lab_agent("run:mine", game("one-card")).name == "specialist-la"


def test_a_seating_that_cannot_be_is_refused_with_a_sentence() -> None:
    for seating, words in (
        (Seating("chess", ("tp",), 1), "there is no game named 'chess'"),
        (Seating("../x.game", ("tp",), 1), "there is no game named"),
        (Seating("limit", (), 1), "2 to 10 seats"),
        (Seating("limit", ("tp",), -1), "a seed must be"),
        (Seating("no-limit", ("ashe-a4", "tp"), 1), "plays hold'em heads-up"),
    ):
        with pytest.raises(ValueError, match=words):
            Table(seating)


def test_a_mind_tells_what_the_agent_goes_by() -> None:
    limit = game("limit", 2)
    network = read_mind(lab_agent("limit-belief", limit), 2)
    assert network.styles == ("la", "lp", "ta", "tp")
    assert network.beliefs[YOU] == (0.25,) * 4
    assert network.circuit is not None
    assert network.circuit.layers[-1] == ("fold", "call", "raise")
    assert len(network.circuit.activations) == sum(map(len, network.circuit.layers))
    assert not read_mind(lab_agent("la", limit), 2).models
    ashe = watched_player("ashe-a4").make(game("no-limit", 2))
    assert isinstance(ashe, Watched)
    assert ashe.now.in_all is not None
    assert ashe.now.in_all.visits == 0
    assert "takes this opponent for" not in ashe.now.manner
    team = watched_player("ashe-team").make(game("no-limit", 2))
    record_match(game("no-limit", 2), [team, lab_agent("call", game("no-limit", 2))], 12, seed=1)
    assert isinstance(team, Watched)
    assert "It takes this opponent for a stayer" in team.now.manner


def test_the_best_known_counter() -> None:
    no_limit, limit = game("no-limit", 2), game("limit", 2)
    assert known_counter("cm", no_limit) == ("patient", "exact")
    assert known_counter("nl-ta", no_limit) == ("counter-nl-ta", "best known counter")
    assert known_counter("ashe-a4", no_limit) is None
    assert known_counter("la", limit) == ("counter-la", "computed best response")
    assert known_counter("analysis", limit) is None
    table = played(Table(Seating("no-limit", ("cm",), 1)), 1)
    assert table.advice(table.past[0]) == [None] * len(table.past[0].choices)
    table.counter = lab_agent("patient", no_limit)
    assert len(table.advice(table.past[0])) == len(table.past[0].choices)
    assert all(advice is not None for advice in table.advice(table.past[0]))
