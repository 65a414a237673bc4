"""Equilibria: the published values of Kuhn and Leduc, and OpenSpiel as the judge of the policies."""

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.exploitability import exploitability as openspiel_exploitability
from openspiel_policy import Exported

import nemesis
from nemesis.respond.strategy_file import read_strategy
from nemesis.solve.ceiling import exploitability, value_against
from nemesis.solve.equilibrium import equilibrium
from nemesis.solve.equilibrium_player import shipped_strategies
from nemesis.solve.policy import play_policy


def test_kuhn_loses_the_first_player_an_eighteenth() -> None:
    solved = equilibrium(nemesis.game("kuhn"))
    assert solved.value == pytest.approx(-1 / 18, abs=1e-12)
    assert abs(solved.exploitability) < 1e-12


def test_kuhns_second_player_plays_as_kuhn_proved() -> None:
    """Kuhn (1950): with a jack bet 1/3 after a check, with a queen call 1/3 of the bets."""
    policy = equilibrium(nemesis.game("kuhn")).policy
    assert policy.at(0, "c") == pytest.approx([0, 2 / 3, 1 / 3])
    assert policy.at(1, "r") == pytest.approx([2 / 3, 1 / 3, 0])
    jack_bets, king_bets = policy.at(0)[2], policy.at(2)[2]
    assert king_bets == pytest.approx(3 * jack_bets)


def test_leduc_has_its_published_value() -> None:
    """-0.085606 chips (Southey et al. 2005 play it; OpenSpiel's sequence form gives -0.0856064)."""
    solved = equilibrium(nemesis.game("leduc"))
    assert solved.value == pytest.approx(-0.0856064, abs=1e-6)
    assert abs(solved.exploitability) < 1e-9


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_openspiel_cannot_exploit_our_equilibrium(name: str) -> None:
    game = pyspiel.load_game(f"{name}_poker")
    policy = equilibrium(nemesis.game(name)).policy
    assert openspiel_exploitability(game, Exported(game, policy)) == pytest.approx(0, abs=1e-9)


@pytest.mark.slow
def test_a_freeze_out_has_an_equilibrium() -> None:
    game = nemesis.game("one-card")
    solved = equilibrium(game)
    assert exploitability(solved.policy, game) < 1e-8
    assert 0.45 < solved.value < 0.5
    for name in ("la", "lp", "ta", "tp"):
        share = value_against(solved.policy, nemesis.agent(name, game), game).value
        assert share > 0.5
    player = play_policy(solved.policy, "equilibrium")
    result = nemesis.tournament([player, "tp"], game=game, tournaments=20_000, seed=2, workers=1)
    assert abs(result.scores[0].mean - share) < 3.2905 * np.sqrt(share * (1 - share) / 20_000)


def test_by_name_it_breaks_even_with_itself_and_beats_who_never_folds() -> None:
    """Kuhn's first player loses 1/18 chip a hand; with seats swapped two equilibria come out even."""
    even = nemesis.duel("equilibrium", "equilibrium", game="kuhn", hands=20_000, seed=1)
    assert even.scores[0].mean == pytest.approx(0, abs=3 * even.scores[0].margin + 1e-9)
    station = nemesis.duel("equilibrium", "call", game="leduc", hands=20_000, seed=1)
    assert station.scores[0].ci95[0] > 0


@pytest.mark.parametrize("rival", ["hm", "cm", "sl", "rg", "nl-la", "nl-lp"])
def test_at_no_limit_the_shipped_strategy_takes_from_scripted_opponents(rival: str) -> None:
    """The four others (cs hp nl-tp nl-ta) need more hands to be sure of; the study `ashe-table` plays them."""
    assert nemesis.duel("equilibrium", rival, game="no-limit", hands=40_000, seed=4).scores[0].ci95[0] > 0


@pytest.mark.parametrize("rival", ["la", "lp", "ta", "tp"])
def test_at_limit_the_shipped_strategy_takes_from_every_style(rival: str) -> None:
    assert nemesis.duel("equilibrium", rival, game="limit", hands=40_000, seed=4).scores[0].ci95[0] > 0


def test_shipped_strategies_are_small_and_say_how_they_were_made() -> None:
    found = shipped_strategies()
    assert set(found) == {"limit", "no-limit"}
    assert sum(path.stat().st_size for path in found.values()) < 6_000_000
    for name, path in found.items():
        made = read_strategy(path).made
        assert made["command"].startswith(f"nemesis solve {name} --deals {made['deals']}")
        assert made["cpu_seconds"] < 2 * 3600


def test_by_name_it_says_which_games_it_solves() -> None:
    with pytest.raises(ValueError, match=r"equilibrium does not play one-card: .* and one-card is a freeze-out"):
        nemesis.agent("equilibrium", nemesis.game("one-card"))
    with pytest.raises(ValueError, match="equilibrium does not play pot-limit: the solved games of hold'em that come"):
        nemesis.agent("equilibrium", nemesis.game("pot-limit"))
