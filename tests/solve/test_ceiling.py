"""Best responses: against values computed elsewhere, against OpenSpiel, against play, and the laws they must obey."""

import itertools

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.exploitability import exploitability as openspiel_exploitability
from open_spiel.python.policy import UniformRandomPolicy

import nemesis
from nemesis.respond.styles import style
from nemesis.rules.game import Game
from nemesis.solve.ceiling import best_responder, best_response, best_table, exploitability, value_against
from nemesis.solve.policy import Policy, play_policy, policy_of, tabulate

ONE_CARD, LEDUC, KUHN = nemesis.game("one-card"), nemesis.game("leduc"), nemesis.game("kuhn")
STYLES = {"la": 0.9105, "lp": 0.9250, "ta": 0.9339, "tp": 0.8402}
Z_999 = 3.2905


def style_policy(alpha: float, beta: float) -> Policy:
    return policy_of(style(ONE_CARD, alpha, beta), ONE_CARD, chances=1)


def mixed(game: Game, seed: int) -> Policy:
    random = np.random.default_rng(seed)
    return tabulate(lambda card, spot: random.dirichlet([1, 1, 1]), game)


@pytest.mark.parametrize(("name", "share"), STYLES.items())
def test_the_most_that_can_be_won_from_a_style(name: str, share: float) -> None:
    """The shares come from an independent program."""
    best = best_response(nemesis.agent(name, ONE_CARD), ONE_CARD)
    assert best.value == pytest.approx(share, abs=5e-5)
    assert best.residual < 1e-12
    assert best.exact


@pytest.mark.parametrize("name", STYLES)
def test_play_agrees_with_the_computed_share(name: str) -> None:
    opponent = nemesis.agent(name, ONE_CARD)
    share = best_response(opponent, ONE_CARD).value
    result = nemesis.tournament(
        [best_responder(opponent, ONE_CARD), opponent], game=ONE_CARD, tournaments=20_000, seed=1, workers=1
    )
    assert result.players[0] == "best-response"
    assert abs(result.scores[0].mean - share) < Z_999 * np.sqrt(share * (1 - share) / 20_000)


def test_play_agrees_with_a_mixed_policy() -> None:
    mine, share = mixed(ONE_CARD, 1), value_against(mixed(ONE_CARD, 1), mixed(ONE_CARD, 2), ONE_CARD).value
    players = [play_policy(mine, "one"), play_policy(mixed(ONE_CARD, 2), "two")]
    result = nemesis.tournament(players, game=ONE_CARD, tournaments=20_000, seed=1, workers=1)
    assert abs(result.scores[0].mean - share) < Z_999 * np.sqrt(share * (1 - share) / 20_000)


def test_play_agrees_in_chips() -> None:
    best = best_response(nemesis.agent("ta", LEDUC), LEDUC)
    result = nemesis.duel(best_responder(nemesis.agent("ta", LEDUC), LEDUC), "ta", game=LEDUC, hands=400_000, workers=1)
    low, high = result.scores[0].ci95
    assert abs(result.scores[0].mean - best.value) < (high - low) / 2 * Z_999 / 1.96


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_openspiel_exploits_the_dice_as_much(name: str) -> None:
    theirs = pyspiel.load_game(f"{name}_poker")
    game = nemesis.game(name)
    assert exploitability(nemesis.agent("random", game), game) == pytest.approx(
        openspiel_exploitability(theirs, UniformRandomPolicy(theirs)), abs=1e-9
    )


def test_one_who_only_folds_loses_every_tournament() -> None:
    assert best_response(nemesis.agent("fold", ONE_CARD), ONE_CARD).value == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("name", ["la", "tp"])
def test_the_longer_game_is_worse_for_a_style(name: str) -> None:
    longer = nemesis.game("one-card-100")
    best = best_response(nemesis.agent(name, longer), longer)
    assert best.residual < 1e-12
    assert best.value > STYLES[name] + 0.05


def test_nobody_of_the_66_styles_beats_the_best_response() -> None:
    steps = [step / 10 for step in range(11)]
    styles = [style_policy(alpha, beta) for alpha, beta in itertools.combinations_with_replacement(steps, 2)]
    assert len(styles) == 66
    for name in STYLES:
        opponent = policy_of(nemesis.agent(name, ONE_CARD), ONE_CARD, chances=1)
        most = best_response(opponent, ONE_CARD).value
        assert max(value_against(policy, opponent, ONE_CARD).value for policy in styles) <= most + 1e-12


@pytest.mark.parametrize("game", [KUHN, LEDUC, ONE_CARD], ids=lambda game: game.name)
@pytest.mark.parametrize("seed", range(3))
def test_laws_of_values(game: Game, seed: int) -> None:
    one, two = mixed(game, 2 * seed), mixed(game, 2 * seed + 1)
    fair = 0.5 if game.freeze_out else 0.0
    here, there = value_against(one, two, game), value_against(two, one, game)
    best = best_response(two, game)
    assert here.value + there.value == pytest.approx(2 * fair)
    assert value_against(one, one, game).value == pytest.approx(fair)
    assert best.value >= max(here.value, fair)
    assert value_against(best.policy, two, game).value == pytest.approx(best.value, abs=1e-12)
    for stacks, (first, button) in here.by_stacks.items():
        assert best.by_stacks[stacks][0] >= first - 1e-12
        assert best.by_stacks[stacks][1] >= button - 1e-12


def test_a_tournament_that_need_not_end_is_valued_from_below() -> None:
    """Whoever acts first bets and the other folds: a policy that joins in never wins, the best response does."""

    def first_bets(card: int, spot: object) -> tuple[float, float, float]:
        return (0, 0, 1) if spot.position == 0 else (1, 0, 0)  # type: ignore[attr-defined]

    assert value_against(first_bets, first_bets, ONE_CARD).value == 0
    best = best_response(first_bets, ONE_CARD)
    assert best.value > 0.9
    assert best.residual < 1e-12


def test_a_table_by_card_and_last_action_nearly_suffices() -> None:
    opponent = policy_of(nemesis.agent("tp", ONE_CARD), ONE_CARD)
    best, table = best_response(opponent, ONE_CARD), best_table(opponent, ONE_CARD)
    assert not table.exact
    assert 0.997 < table.value / best.value <= 1


def test_mistakes_are_told_in_sentences() -> None:
    with pytest.raises(ValueError, match="this policy is for kuhn"):
        best_response(mixed(KUHN, 0), LEDUC)
    with pytest.raises(ValueError, match="games of one street"):
        best_table(mixed(LEDUC, 0), LEDUC)
