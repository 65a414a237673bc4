"""Cards are numbers; people write them as a rank and a suit."""

import pytest

from nemesis.rules.cards import card_text, cards_text, distinct, parse_card, parse_cards


def test_the_deuce_of_clubs_is_0_and_the_ace_of_spades_is_51():
    assert parse_card("2c") == 0
    assert parse_card("2s") == 3
    assert parse_card("3c") == 4
    assert parse_card("As") == 51


def test_every_card_survives_being_written_and_read():
    assert [parse_card(card_text(card)) for card in range(52)] == list(range(52))


@pytest.mark.parametrize("text", ["AsKs", "As Ks", "As,Ks", " As , Ks ", "asks", "aSkS"])
def test_two_cards_may_be_written_in_the_usual_ways(text):
    assert parse_cards(text) == (51, 47)


def test_cards_are_written_one_after_another():
    assert cards_text(parse_cards("As Td 2c")) == "AsTd2c"
    assert cards_text(()) == ""
    assert parse_cards("") == ()


@pytest.mark.parametrize("text", ["1s", "Ax", "10s", "A", "", "sA", "AsK"])
def test_an_impossible_card_is_refused_in_a_sentence(text):
    with pytest.raises(ValueError, match="is not a card: a rank is one of 23456789TJQKA and a suit one of cdhs"):
        parse_card(text)


def test_half_a_card_at_the_end_is_named():
    with pytest.raises(ValueError, match=r"^K is not a card"):
        parse_cards("AsK")


def test_a_card_appears_once():
    with pytest.raises(ValueError, match=r"^the card As appears twice$"):
        parse_cards("As Kd As")
    with pytest.raises(ValueError, match=r"^the card 2c appears twice$"):
        distinct((0, 1, 0))


@pytest.mark.parametrize("number", [-1, 52])
def test_a_number_outside_the_deck_is_no_card(number):
    with pytest.raises(ValueError, match=rf"^{number} is not a card: a card is a number from 0 to 51$"):
        card_text(number)
