"""Gene duels are the loop's own freeze-outs, played faster."""

import numpy as np
import pytest

from nemesis.measure.duels import duel_shares
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.chromosome import chromosome_player, genes_needed
from nemesis.rules.game import Game
from nemesis.rules.games import one_card, one_card_100
from nemesis.train.gene_duels import gene_duel_shares, genes_of_players

GAME = one_card()


def test_gene_duels_give_what_the_loop_gives() -> None:
    genomes = np.random.default_rng(3).random((3, genes_needed(GAME)))
    players = [chromosome_player(genome, GAME) for genome in genomes]
    fast = gene_duel_shares(GAME, list(genomes[:2]), list(genomes[1:]), 30, seed=4)
    slow = duel_shares(GAME, players[:2], players[1:], 30, seed=4)
    assert fast.tolist() == slow.tolist()


@pytest.mark.parametrize("game", [GAME, one_card_100()], ids=lambda game: game.name)
def test_styles_duel_as_genes_of_certainties_as_they_do_in_the_loop(game: Game) -> None:
    genomes = np.random.default_rng(5).random((3, genes_needed(game)))
    players = [chromosome_player(genome, game) for genome in genomes]
    styles = [compiled_agent(name, game) for name in ("la", "lp", "ta", "tp")]
    rows, columns = genes_of_players(players, game), genes_of_players(styles, game)
    assert rows is not None
    assert columns is not None
    fast = gene_duel_shares(game, rows, columns, 20, seed=6)
    assert fast.tolist() == duel_shares(game, players, styles, 20, seed=6).tolist()


def test_who_has_a_belief_or_another_mind_is_no_genes() -> None:
    assert genes_of_players([compiled_agent("specialist-belief", GAME)], GAME) is None
    assert genes_of_players([compiled_agent("la", GAME), compiled_agent("random", GAME)], GAME) is None
    assert genes_of_players([compiled_agent("la", GAME.seated(4))], GAME.seated(4)) is None


def test_a_genome_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(ValueError, match="a chromosome for one-card is 60 probabilities"):
        gene_duel_shares(GAME, [np.zeros(3)], [np.zeros(60)], 2, seed=0)
