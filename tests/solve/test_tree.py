import numpy as np
import pytest

import nemesis
from nemesis.rules.game import Game
from nemesis.solve.tree import LOSES, OVER, TIES, WINS, grow, trees, whole_deck

KUHN, LEDUC, ONE_CARD = nemesis.game("kuhn"), nemesis.game("leduc"), nemesis.game("one-card")


def test_kuhn_is_the_tree_of_the_text_books() -> None:
    tree = trees(KUHN)[0]
    payoffs = {
        text: row.tolist() for text, row, end in zip(tree.histories, tree.payoffs, tree.ends, strict=True) if end
    }
    assert payoffs == {
        "cc": [-1, 0, 1],
        "crf": [-1, -1, -1],
        "crc": [-2, 0, 2],
        "rf": [1, 1, 1],
        "rc": [-2, 0, 2],
    }
    assert {text for text, actor in zip(tree.histories, tree.actor, strict=True) if actor != OVER} == {
        "",
        "c",
        "r",
        "cr",
    }


def test_leduc_has_the_936_information_sets_of_openspiel() -> None:
    """Every decision with every card, and after the board card with every pair of cards; by rank they are 288."""
    tree = trees(LEDUC)[0]
    before, after = ((tree.street[~tree.ends] == street).sum() for street in (0, 1))
    assert 6 * before + 6 * 5 * after == 936
    assert 3 * before + 3 * 3 * after == 288


def test_a_short_stack_lowers_the_cap_for_both() -> None:
    assert max(text.count("r") for text in grow(ONE_CARD, (10, 10)).histories) == 4
    assert max(text.count("r") for text in grow(ONE_CARD, (3, 17)).histories) == 2
    assert grow(ONE_CARD, (1, 19)).histories == ("",)
    assert grow(ONE_CARD, (1, 19)).payoffs.tolist() == [[-1, 0, 1]]


@pytest.mark.parametrize(("game", "chips"), [("one-card", range(1, 20)), ("one-card-100", range(5, 200, 5))])
def test_a_freeze_out_meets_every_division_of_the_chips(game: str, chips: range) -> None:
    found = trees(nemesis.game(game))
    assert sorted(tree.stacks[0] for tree in found) == list(chips)
    assert found[0].stacks == nemesis.game(game).stacks


@pytest.mark.parametrize("game", [KUHN, LEDUC, ONE_CARD], ids=lambda game: game.name)
def test_deals_are_equally_likely_and_fair(game: Game) -> None:
    deck = whole_deck(game)
    assert deck.chance.sum() == pytest.approx(1)
    assert len(set(deck.chance[deck.chance > 0])) == 1
    shares = deck.by_outcome.sum(axis=(1, 2, 3))
    assert shares[LOSES] == pytest.approx(shares[WINS])
    assert shares[TIES] == pytest.approx(0 if game.suits == 1 else 1 / 5)


def test_a_pair_with_the_board_wins() -> None:
    jack, queen, king = 0, 2, 4
    assert whole_deck(LEDUC).outcome[jack, king, jack + 1] == WINS
    assert whole_deck(LEDUC).outcome[jack, king, queen] == LOSES
    assert whole_deck(LEDUC).outcome[king, king + 1, queen] == TIES


def test_large_games_are_refused_with_a_reason() -> None:
    with pytest.raises(ValueError, match="limit games of one hole card"):
        trees(nemesis.game("limit"))
    with pytest.raises(ValueError, match="two players"):
        trees(nemesis.game("one-card", 3))


def test_chips_are_conserved_at_every_end() -> None:
    for tree in trees(ONE_CARD):
        assert (np.abs(tree.payoffs) <= min(tree.stacks)).all()
