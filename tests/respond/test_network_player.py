"""The network at the table: what it is shown, in which order, what it remembers, and that the largest output acts."""

import json

import numpy as np
import pytest

import nemesis
from nemesis.believe.action_table import ActionTable, Variant
from nemesis.believe.tables import action_table
from nemesis.observe.event import ACTS, Event, new_events
from nemesis.observe.view import View, new_view
from nemesis.play.match import play_lineups
from nemesis.respond.agent import Agent, CompiledAgent, Uncompiled
from nemesis.respond.network import Network, Node
from nemesis.respond.network_player import from_champion, inputs_needed, network_player
from nemesis.respond.simple import random
from nemesis.rules import games
from observed import ObservedBelief

FOLD, CALL, RAISE = 0, 1, 2
TABLE = ActionTable(
    ("la", "lp", "ta", "tp"),
    np.array([[[0.36, 0.05, 0.59]], [[0.60, 0.29, 0.11]], [[0.73, 0.02, 0.25]], [[0.87, 0.07, 0.06]]]),
)


def random_network(inputs: int, seed: int) -> Network:
    """Three hidden nodes and three outputs, everything reading everything."""
    chance = np.random.default_rng(seed)
    edges = [tuple((i, float(chance.normal())) for i in range(inputs + 6)) for _ in range(6)]
    return Network(inputs, 3, [Node(float(chance.normal()), read) for read in edges])


def table_view(me: int, card: int, stack: int, last: dict[int, int], live: list[int]) -> View:
    view = new_view()
    view["me"], view["seats"], view["stack"], view["max_to"] = me, len(live), stack, 5
    view["hole"][0, 0] = card - 1
    view["live"][0, : len(live)] = live
    for seat, action in last.items():
        view["last"][0, seat] = action
    return View(view)


def saw(agent: CompiledAgent, belief: ObservedBelief, me: int, seat: int, action: int) -> None:
    event = new_events()
    event["kind"], event["me"], event["seat"], event["action"], event["to_call"] = ACTS, me, seat, action, 1
    agent.watch(Event(event))
    belief.learn(action, 0, 1, seat)


def test_heads_up_it_is_shown_card_action_chips_and_beliefs() -> None:
    """Card 7 of 10; the opponent bet; 4 of the 20 chips; then the four beliefs."""
    game = games.one_card()
    network = random_network(9, seed=1)
    agent = network_player(network, game, table=TABLE)
    belief = ObservedBelief(TABLE, 2)
    for action in (RAISE, RAISE, CALL):
        saw(agent, belief, me=0, seat=1, action=action)
    view = table_view(0, 7, 4, {1: RAISE}, [1, 1])
    inputs = [0.7, 1.0, 0.0, 0.0, 0.2, *belief.posterior(1)]
    for _ in range(4):
        assert agent.act(view) == network.activate(inputs).argmax()


@pytest.mark.parametrize(("did", "flags"), [(RAISE, [1, 0, 0]), (CALL, [0, 1, 0]), (-1, [0, 0, 1])])
def test_the_last_action_is_one_of_three_flags(did: int, flags: list[int]) -> None:
    """A network whose outputs are the three flags themselves acts by them."""
    outputs = [Node(0.0, ((1 + i, 1.0),)) for i in range(3)]
    agent = network_player(Network(5, 3, outputs), games.one_card())
    assert agent.act(table_view(1, 5, 9, {0: did}, [1, 1])) == flags.index(1)


def test_without_last_action_there_are_two_inputs() -> None:
    network = random_network(2, seed=2)
    agent = network_player(network, games.one_card(), last_action=False)
    view = table_view(0, 10, 15, {1: RAISE}, [1, 1])
    assert agent.act(view) == network.activate([1.0, 0.75]).argmax()
    assert inputs_needed(last_action=False) == 2
    assert inputs_needed(styles=4) == 9


def test_stakes_are_shown_before_the_beliefs() -> None:
    """Four seats of 10 chips: 2 to call of 40, a pot of 6, no raise allowed, one of three opponents left."""
    game = games.one_card().seated(4)
    network = random_network(13, seed=4)
    agent = network_player(network, game, stakes=True, table=action_table(game), belief="situation")
    view = table_view(0, 9, 8, {2: RAISE}, [1, 0, 1, 0])
    for field, value in (("to_call", 2), ("pot", 6), ("max_to", 0), ("opponents", 1)):
        view.record[field] = value
    shown = [0.9, 1, 0, 0, 8 / 40, 2 / 40, 6 / 40, 0.0, 1 / 3, *[0.25] * 4]
    assert agent.act(view) == network.activate(shown).argmax()


def test_each_card_has_a_flag_of_its_own() -> None:
    """The third of ten cards, after a bet, with half of the chips."""
    network = random_network(14, seed=6)
    agent = network_player(network, games.one_card(), each_card=True)
    view = table_view(0, 3, 10, {1: RAISE}, [1, 1])
    assert agent.act(view) == network.activate([0, 0, 1, *[0] * 7, 1, 0, 0, 0.5]).argmax()
    with pytest.raises(ValueError, match="needs a network of 7 inputs"):
        network_player(network, games.kuhn(), each_card=True)


@pytest.mark.parametrize("belief", ["situation", "showdown"])
def test_richer_beliefs_play_the_same_from_python_and_from_a_champion(belief: Variant) -> None:
    """The compiled player, its Python face and the player read back from a champion win the same chips."""
    game = games.one_card().seated(3)
    table = action_table(game).for_variant(belief)
    network = random_network(9, seed=5)
    agent = network_player(network, game, table=table, belief=belief)
    player = {"kind": "network", "belief": belief, "table": json.loads(json.dumps(table.to_json()))}
    again = from_champion({"name": "n", "player": player, "genome": network.to_json()}, game)
    rivals = [nemesis.agent(name, game) for name in ("la", "tp")]
    lineup = np.array([np.roll(np.arange(3), i) for i in range(6)])

    def won(seated: Agent) -> list[list[int]]:
        agents = [seated, *rivals]
        return play_lineups(game, agents, lineup, np.arange(6), hands=60, seed=2, freeze_out=True).won.tolist()

    assert won(agent) == won(Uncompiled(agent)) == won(again)


@pytest.mark.parametrize("seed", range(6))
def test_at_a_full_table_live_opponents_are_shown_one_after_another_from_the_left(seed: int) -> None:
    game = games.one_card().seated(4)
    network = random_network(9, seed)
    agent = network_player(network, game, table=TABLE)
    belief = ObservedBelief(TABLE, 4)
    for seat, action in ((0, FOLD), (3, RAISE), (1, CALL), (3, RAISE)):
        saw(agent, belief, me=2, seat=seat, action=action)
    for live, shown in (([1, 1, 1, 1], (3, 0, 1)), ([0, 1, 1, 1], (3, 1)), ([1, 0, 1, 0], (0,))):
        view = table_view(2, 3, 8, {3: RAISE, 0: CALL}, live)
        flags = {3: [1, 0, 0], 0: [0, 1, 0], 1: [0, 0, 1]}
        network.clear()
        for seat in shown:
            outputs = network.activate([0.3, *flags[seat], 8 / 40, *belief.posterior(seat)])
        assert [agent.act(view) for _ in range(2)] == [outputs.argmax()] * 2


def test_without_recurrence_one_opponent_is_shown_to_a_cleared_network() -> None:
    game = games.one_card().seated(3)
    network = random_network(5, seed=3)
    agent = network_player(network, game, recurrence=False)
    outputs = network.activate([0.5, 0, 1, 0, 10 / 30])
    view = table_view(0, 5, 10, {1: FOLD, 2: CALL}, [1, 0, 1])
    assert [agent.act(view) for _ in range(3)] == [outputs.argmax()] * 3


def test_its_memory_of_a_tournament_is_gone_in_the_next() -> None:
    """A network that bets from its third decision on: it counts its own steps."""
    counter = Node(1.0, ((5, 1.0),), activation="identity")
    outputs = [Node(0.0, (), activation="identity"), Node(-9.0, (), activation="identity")]
    bets = Node(-2.5, ((5, 1.0),), activation="identity")
    agent = network_player(Network(5, 3, [counter, *outputs, bets]), games.one_card())
    view = table_view(0, 5, 10, {}, [1, 1])
    assert [agent.act(view) for _ in range(4)] == [FOLD, FOLD, RAISE, RAISE]
    agent.sit(games.one_card(), 0)
    assert agent.act(view) == FOLD


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("table", [None, TABLE])
def test_it_plays_the_same_from_python(seats: int, table: ActionTable | None) -> None:
    game = games.one_card().seated(seats)
    agent = network_player(random_network(inputs_needed(styles=4 if table else 0), seed=5), game, table=table)

    def won(player: Agent) -> list[list[int]]:
        rivals = [random(game) for _ in range(seats - 1)]
        lineup = np.array([np.roll(np.arange(seats), i) for i in range(12)])
        played = play_lineups(game, [player, *rivals], lineup, np.arange(12), hands=400, seed=2, freeze_out=True)
        assert (played.won.sum(axis=1) == 0).all()
        return played.won.tolist()

    assert won(Uncompiled(agent)) == won(agent)


def test_a_champion_plays_like_the_network_it_was_saved_with() -> None:
    game = games.one_card()
    network = random_network(6, seed=6)
    content = {
        "name": "n",
        "player": {"kind": "network", "last_action": False, "table": TABLE.to_json()},
        "genome": network.to_json(),
    }
    again = from_champion(content, game)
    assert (again.template == network_player(network, game, last_action=False, table=TABLE).template).all()


def test_a_network_of_the_wrong_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a network of 9 inputs and 3 outputs, but was given one of 5 and 3"):
        network_player(random_network(5, seed=7), games.one_card(), table=TABLE)
    with pytest.raises(ValueError, match="games of one card each; limit deals 2"):
        network_player(random_network(5, seed=7), games.limit())


def test_a_network_evolved_with_several_opponents_is_cleared_heads_up_too() -> None:
    """The second decision is like the first, which for a network that remembers it is not."""
    game = games.one_card()
    network = random_network(5, seed=4)
    view = table_view(0, 6, 9, {1: RAISE}, [1, 1])
    content = {"name": "evolved", "player": {"kind": "network", "cleared": True}, "genome": network.to_json()}
    cleared, keeping = from_champion(content, game), network_player(network, game)
    for agent in (cleared, keeping):
        agent.act(view)
    state = [agent.memory.copy() for agent in (cleared, keeping)]
    for agent in (cleared, keeping):
        agent.act(view)
    assert cleared.memory.tolist() == state[0].tolist()
    assert keeping.memory.tolist() != state[1].tolist()
