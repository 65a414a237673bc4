"""Our games as PettingZoo environments: its own test of the interface, and the chips of our own sessions."""

import pytest
from pettingzoo.test import api_test

from nemesis.connect.pettingzoo_env import PokerEnv
from nemesis.play.session import OpenSeat


@pytest.mark.parametrize(("game", "hands"), [("leduc", 1), ("no-limit", 3), ("one-card", 20), ("no-limit-6", 2)])
def test_pettingzoos_own_test_of_the_interface(game: str, hands: int) -> None:
    api_test(PokerEnv(game, hands=hands), num_cycles=60)


def test_a_seat_of_ours_plays_inside() -> None:
    env = PokerEnv("leduc", [OpenSeat(), "tp"], hands=2)
    assert env.possible_agents == ["seat_0"]
    api_test(env, num_cycles=40)


def test_the_rewards_of_an_episode_are_the_chips_in_big_blinds() -> None:
    env = PokerEnv("no-limit", hands=1)
    env.reset(seed=7)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, termination, truncation, _ = env.last()
        total[agent] += reward
        raises = [action for action in (5, 1) if seen["action_mask"][action]]
        env.step(None if termination or truncation else raises[0])  # all in, and called
    assert sorted(total.values()) in ([-200.0, 200.0], [0.0, 0.0])


def test_an_agent_sees_its_own_cards_and_no_others() -> None:
    env = PokerEnv("kuhn")
    env.reset(seed=1)
    first, second = (env.observe(agent) for agent in env.possible_agents)
    assert first["observation"][:3].sum() == second["observation"][:3].sum() == 1
    assert first["observation"][:3].tolist() != second["observation"][:3].tolist()
    assert first["action_mask"].tolist() == [0, 1, 1]
    assert second["action_mask"].tolist() == [0, 0, 0]


def test_an_action_that_is_masked_out_is_refused() -> None:
    env = PokerEnv("kuhn")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="action 0 is not legal"):
        env.step(0)
