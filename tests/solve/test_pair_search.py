"""The 66-pair search plays every pair on the same deals, however many workers there are."""

import numpy as np
import pytest

import nemesis
from nemesis.measure.contest import measure_tournaments
from nemesis.play.by_name import player
from nemesis.rules import games
from nemesis.solve.pair_search import PAIRS, search_pairs


def test_there_are_66_pairs() -> None:
    assert len(PAIRS) == 66
    assert all(0 <= alpha <= beta <= 1 for alpha, beta in PAIRS)


def test_a_pair_wins_what_it_wins_in_ordinary_tournaments() -> None:
    """Same deals, same seats: the search's figure for one pair is that of the tournament."""
    opponents = [player(name) for name in ("la", "tp")]
    found = search_pairs(opponents, games.one_card(), 50, seed=3)
    for alpha, beta in ((0.5, 0.8), (0.0, 0.0), (0.3, 1.0)):
        players = [player(f"style:alpha={alpha},beta={beta}"), *opponents]
        result = measure_tournaments(players, games.one_card(), 50, seed=3)
        assert found.share_of(alpha, beta)[0] == pytest.approx(result.scores[0].mean)


def test_the_map_has_a_triangle_and_a_best_pair() -> None:
    found = search_pairs([player("la")], games.one_card(), 200, seed=1)
    grid = found.grid()
    assert np.isnan(grid).sum() == 55
    alpha, beta = found.best
    assert grid[round(alpha * 10), round(beta * 10)] == np.nanmax(grid)
    assert found.fresh.mean > 0.8
    low, high = found.share_of(alpha, beta)[1]
    assert low < np.nanmax(grid) < high


def test_workers_do_not_change_the_map() -> None:
    maps = [search_pairs([player("lp")], games.one_card(), 220, seed=2, workers=workers) for workers in (1, 2)]
    assert (maps[0].shares == maps[1].shares).all()


def test_the_simulation_player_plays_the_pair_for_its_table() -> None:
    """Told that it faces one LA, it beats it about as well as the best pair does."""
    players = [player("simulation-la"), player("la")]
    score = measure_tournaments(players, games.one_card(), 1000, seed=9).scores[0]
    assert score.ci95[0] > 0.83


def test_the_live_simulation_player_adjusts_when_some_are_gone() -> None:
    game = games.one_card().seated(3)
    told = nemesis.agent("simulation-la-tp", game).template.reshape(-1)[1:].reshape(-1, 2)  # type: ignore[attr-defined]
    live = nemesis.agent("simulation-la-tp-live", game).template.reshape(-1)[1:].reshape(-1, 2)  # type: ignore[attr-defined]
    assert len({tuple(pair) for pair in told}) == 1
    assert len({tuple(pair) for pair in live[1:]}) > 1
    assert (live[3] == told[3]).all()


@pytest.mark.parametrize("name", ["simulation", "simulation-la-la-la", "simulation-xx"])
def test_the_simulation_player_must_be_told_every_style(name: str) -> None:
    with pytest.raises(ValueError, match=r"must name the style of each of its 1 opponents, as in simulation-la"):
        nemesis.agent(name, games.one_card())
