"""The network at limit hold'em: what it is shown in figures 7.1, 7.7 and 7.30 of Baker 2010, and what it refuses."""

import json

import numpy as np
import pytest

import nemesis
from nemesis.believe.tables import action_table
from nemesis.observe.event import ACTS, ENDS, Event, new_events
from nemesis.observe.view import View, new_view
from nemesis.play.match import play_lineups
from nemesis.respond.agent import CompiledAgent, Uncompiled
from nemesis.respond.holdem_network import from_champion, holdem_network, inputs_needed, shown_inputs
from nemesis.respond.network import Network, Node
from nemesis.rules import games
from nemesis.rules.game import Game
from nemesis.train.holdem_kind import HoldemKind

FOLD, CALL, RAISE = 0, 1, 2
FOUR = games.limit().seated(4)


def random_network(inputs: int, seed: int) -> Network:
    """Three hidden nodes and three outputs, everything reading everything."""
    chance = np.random.default_rng(seed)
    edges = [tuple((i, float(chance.normal())) for i in range(inputs + 6)) for _ in range(6)]
    return Network(inputs, 3, [Node(float(chance.normal()), read) for read in edges])


def player(game: Game, *, beliefs: bool = False, **options: bool) -> CompiledAgent:
    table = action_table(game) if beliefs else None
    needed = inputs_needed(game.seats, styles=4 if beliefs else 0, **options)
    return holdem_network(random_network(needed, 1), game, table=table, **options)


def shown(agent: CompiledAgent) -> list[float]:
    """The inputs that its network was given last."""
    return [round(float(value), 6) for value in shown_inputs(agent)]


def saw(agent: CompiledAgent, seat: int, action: int, *, hand: int = 0, street: int = 0, to_call: int = 10) -> None:
    event = new_events()
    event["kind"], event["seat"], event["action"], event["hand"] = ACTS, seat, action, hand
    event["street"], event["to_call"] = street, to_call
    agent.watch(Event(event))


def view_of(game: Game, street: int, win: float, to_call: int, last: dict[int, int], button: int = 0) -> View:
    view = new_view()
    view["me"], view["seats"], view["button"], view["street"] = 0, game.seats, button, street
    view["win"], view["to_call"], view["big_blind"], view["pot"] = win, to_call, 10, 60
    view["opponents"], view["raises"], view["max_to"] = game.seats - 1, 2, 30
    view["live"][0, : game.seats] = 1
    for seat, action in last.items():
        view["last"][0, seat] = action
        view["live"][0, seat] = action != FOLD
        view["opponents"] -= action == FOLD
    return View(view)


def test_figure_7_1_stage_win_chips_price_frequencies_and_last_action() -> None:
    """On the turn with .7, 100 chips up, facing a bet of one who bet twice, called once and folded once."""
    agent = player(games.limit())
    for hand, action in enumerate((RAISE, FOLD, CALL, RAISE)):
        saw(agent, 1, action, hand=hand)
    event = new_events()
    event["kind"], event["payoff"] = ENDS, 100
    agent.watch(Event(event))
    agent.act(view_of(games.limit(), 2, 0.7, 10, {1: RAISE}))
    assert shown(agent) == [0, 1, 0, 0.7, 0.505, 1, 0.5, 0.25, 0.25, 1, 0, 0]


def test_figure_7_7_adds_four_beliefs_from_the_last_eight_actions() -> None:
    """Eight raises before the flop are LA's; what came before them is forgotten, free checks say nothing."""
    agent, fresh = player(games.limit(), beliefs=True), player(games.limit(), beliefs=True)
    for action in (FOLD, CALL, FOLD, *(RAISE,) * 8):
        saw(agent, 1, action)
    for action in (RAISE,) * 8:
        saw(fresh, 1, action)
    saw(agent, 1, CALL, to_call=0)
    for each in (agent, fresh):
        each.act(view_of(games.limit(), 0, 0.5, 10, {}))
    assert len(shown(agent)) == 16
    assert shown(agent)[12:] == shown(fresh)[12:]
    assert shown(agent)[12] > 0.99


def test_round_based_beliefs_tell_streets_apart() -> None:
    """A raise on the river is nothing unusual for TP, before the flop it never raises."""
    early, late = player(games.limit(), beliefs=True), player(games.limit(), beliefs=True)
    saw(early, 1, RAISE, street=0)
    saw(late, 1, RAISE, street=3)
    for each in (early, late):
        each.act(view_of(games.limit(), 3, 0.5, 10, {}))
    assert shown(early)[15] < 0.01 < 0.1 < shown(late)[15]


def test_stakes_add_price_pot_bets_and_position() -> None:
    agent = player(games.limit(), stakes=True)
    agent.act(view_of(games.limit(), 1, 0.5, 10, {}))
    assert shown(agent)[6:11] == [0.25, round(60 / 320, 6), 0.5, 1, 1]


def test_at_four_seats_the_last_opponent_still_in_is_shown_last() -> None:
    """Seat 3 has folded, so seat 2 is shown last: it called; with the button at seat 2 it acts after seat 0."""
    agent = player(FOUR, beliefs=True)
    agent.act(view_of(FOUR, 1, 0.8, 0, {1: RAISE, 2: CALL, 3: FOLD}, button=2))
    assert len(shown(agent)) == 17
    assert shown(agent)[3] == round(0.8 * 0.8, 6)
    assert shown(agent)[9:13] == [0, 1, 0, 0]


def test_figure_7_30_has_thirty_inputs_at_once() -> None:
    agent = player(FOUR, beliefs=True, at_once=True)
    agent.act(view_of(FOUR, 1, 0.8, 0, {1: RAISE, 2: CALL, 3: FOLD}, button=2))
    assert len(shown(agent)) == 30
    flags = [shown(agent)[6 + 8 * i : 10 + 8 * i] for i in range(3)]
    assert flags == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1]]


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("options", [{}, {"stakes": True}, {"at_once": True}])
def test_compiled_and_uncompiled_it_plays_the_same_hands(seats: int, options: dict[str, bool]) -> None:
    game = games.limit().seated(seats)
    agent = player(game, beliefs=True, **options)
    others = [nemesis.agent(name, game) for name in ("la", "ta", "tp")[: seats - 1]]
    lineup, numbers = np.arange(seats)[None], np.zeros(1, np.int64)
    fast = play_lineups(game, [agent, *others], lineup, numbers, hands=60, seed=3)
    slow = play_lineups(game, [Uncompiled(agent), *others], lineup, numbers, hands=60, seed=3)
    assert fast.won.tolist() == slow.won.tolist()


def test_it_refuses_other_games_tables_and_windows() -> None:
    network = random_network(12, 1)
    with pytest.raises(ValueError, match="limit hold'em; no-limit is another game"):
        holdem_network(network, games.no_limit())
    with pytest.raises(ValueError, match="a window of 0 has none"):
        holdem_network(random_network(16, 1), games.limit(), table=action_table("limit"), window=0)
    with pytest.raises(ValueError, match="table of 4 needs a network of 13 inputs"):
        holdem_network(network, FOUR)
    kind, genome = HoldemKind().champion(network, games.limit())
    content = {"name": "limit-x", "player": json.loads(json.dumps(kind)), "genome": genome, "made": {}}
    assert from_champion(content, games.limit()).name == "limit-x"
    with pytest.raises(ValueError, match="raised at a table of 2, and this one has 4 seats"):
        from_champion(content, FOUR)
