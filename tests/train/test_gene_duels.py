"""Gene duels are the loop's own freeze-outs, played faster."""

import numpy as np
import pytest

from nemesis.measure.duels import duel_shares
from nemesis.respond.chromosome import chromosome_player, genes_needed
from nemesis.rules.games import one_card
from nemesis.train.gene_duels import gene_duel_shares

GAME = one_card()


def test_gene_duels_give_what_the_loop_gives() -> None:
    genomes = np.random.default_rng(3).random((3, genes_needed(GAME)))
    players = [chromosome_player(genome, GAME) for genome in genomes]
    fast = gene_duel_shares(GAME, list(genomes[:2]), list(genomes[1:]), 30, seed=4)
    slow = duel_shares(GAME, players[:2], players[1:], 30, seed=4)
    assert fast.tolist() == slow.tolist()


def test_a_genome_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(ValueError, match="a chromosome for one-card is 60 probabilities"):
        gene_duel_shares(GAME, [np.zeros(3)], [np.zeros(60)], 2, seed=0)
