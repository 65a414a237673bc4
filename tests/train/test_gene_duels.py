"""Gene duels work out what the loop's freeze-outs come to."""

from dataclasses import replace

import numpy as np
import pytest

from nemesis.measure.duels import duel_shares
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.chromosome import chromosome_player, genes_needed
from nemesis.rules.game import Game
from nemesis.rules.games import one_card, one_card_100
from nemesis.solve.ceiling import value_against
from nemesis.train.gene_duels import duel_chances, gene_duel_shares, genes_of_players

GAME = one_card()
STYLES = ("la", "lp", "ta", "tp")


@pytest.mark.parametrize("game", [GAME, one_card_100()], ids=lambda game: game.name)
def test_chances_are_the_exact_values_of_the_policies(game: Game) -> None:
    genomes = np.random.default_rng(3).random((2, genes_needed(game)))
    players = [chromosome_player(genome, game) for genome in genomes]
    rivals = [*(compiled_agent(name, game) for name in STYLES), players[1]]
    columns = genes_of_players(rivals, game)
    assert columns is not None
    chances = duel_chances(game, [genomes[0]], columns)[0]
    for chance, rival in zip(chances, rivals, strict=True):
        assert chance == pytest.approx(value_against(players[0], rival, game).by_position, abs=1e-4)


def test_chances_are_what_the_loop_plays() -> None:
    genomes = np.random.default_rng(5).random((3, genes_needed(GAME)))
    players = [chromosome_player(genome, GAME) for genome in genomes]
    chances = duel_chances(GAME, list(genomes[:2]), list(genomes[1:])).mean(axis=2)
    games = 4000
    played = duel_shares(GAME, players[:2], players[1:], games, seed=4)
    assert (np.abs(played - chances) < 4.5 * np.sqrt(chances * (1 - chances) / games)).all()


def test_what_one_wins_the_other_loses() -> None:
    genomes = list(np.random.default_rng(7).random((4, genes_needed(GAME))))
    chances = duel_chances(GAME, genomes, genomes)
    assert chances[..., 0] == pytest.approx(1 - chances[..., 1].T, abs=1e-9)


def test_equal_cards_tie_in_a_deck_with_suits() -> None:
    game = replace(GAME, name="one-card with suits", ranks=3, suits=2)
    genomes = list(np.random.default_rng(9).random((2, genes_needed(game))))
    players = [chromosome_player(genome, game) for genome in genomes]
    exact = value_against(players[0], players[1], game).by_position
    assert duel_chances(game, genomes[:1], genomes[1:])[0, 0] == pytest.approx(exact, abs=1e-4)


def test_a_freeze_out_without_end_is_worth_the_chips() -> None:
    """Whoever opens bets, and the other folds: a chip goes to and fro."""
    opens = np.zeros(genes_needed(GAME))
    opens[-2 * GAME.ranks :] = 1.0
    assert duel_chances(GAME, [opens], [opens])[0, 0] == pytest.approx([10.5 / 20, 9.5 / 20], abs=1e-6)


def test_shares_are_drawn_with_the_chances() -> None:
    genomes = list(np.random.default_rng(11).random((2, genes_needed(GAME))))
    chance = duel_chances(GAME, genomes[:1], genomes[1:]).mean()
    drawn = np.array(
        [gene_duel_shares(GAME, genomes[:1], genomes[1:], 101, np.random.default_rng(n))[0, 0] for n in range(300)]
    )
    spread = np.sqrt(chance * (1 - chance) / 101)
    assert abs(drawn.mean() - chance) < 4.5 * spread / np.sqrt(300)
    assert drawn.std() == pytest.approx(spread, rel=0.2)
    assert (np.abs(drawn * 101 - np.round(drawn * 101)) < 1e-9).all()


def test_blocks_of_rows_give_what_one_block_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    genomes = list(np.random.default_rng(13).random((5, genes_needed(GAME))))
    whole = duel_chances(GAME, genomes, genomes)
    monkeypatch.setattr("nemesis.train.gene_duels._BLOCK_PAIRS", 10)
    assert duel_chances(GAME, genomes, genomes).tolist() == whole.tolist()


def test_who_has_a_belief_or_another_mind_is_no_genes() -> None:
    assert genes_of_players([compiled_agent("specialist-belief", GAME)], GAME) is None
    assert genes_of_players([compiled_agent("la", GAME), compiled_agent("random", GAME)], GAME) is None
    assert genes_of_players([compiled_agent("la", GAME.seated(4))], GAME.seated(4)) is None


def test_a_genome_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(ValueError, match="a chromosome for one-card is 60 probabilities"):
        duel_chances(GAME, [np.zeros(3)], [np.zeros(60)])
