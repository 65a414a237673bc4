"""The decisions of a network as they can be looked at: its values then, and the largest output that acted."""

import nemesis
from nemesis.measure.decisions import decisions_of
from nemesis.respond.by_name import compiled_agent


def test_every_decision_has_the_network_as_it_was() -> None:
    game = nemesis.game("one-card", 2)
    seen = decisions_of(game, compiled_agent("neat-belief", game), [nemesis.agent("la", game)], 6, seed=4)
    assert seen
    for one in seen:
        values = one.circuit.activations
        said = max(("fold", "call", "raise"), key=lambda name: values[name])
        did = one.words.rpartition(": ")[2]
        assert did == ("bet" if said == "raise" else said if " 0 to call" not in one.words else "check")
    assert len({tuple(one.circuit.activations.values()) for one in seen}) > 1


def test_a_player_without_a_network_has_nothing_to_show() -> None:
    game = nemesis.game("one-card", 2)
    assert decisions_of(game, compiled_agent("specialist-la", game), [nemesis.agent("la", game)], 3) == []
