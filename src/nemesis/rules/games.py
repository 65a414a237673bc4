"""The games the studies are played in, each a value with its source and its stakes.

Positions, not chairs: position 0 acts first in the games without blinds, so a table that wants fairness moves
everyone on by one position after each hand. `Game.seated` gives any of them to another number of players.
"""

from __future__ import annotations

from dataclasses import replace

from nemesis.rules.game import Game, holdem


def one_card() -> Game:
    """One-card poker (Baker 2010 §4.1.1): cards 1 to 10, ante 1, bets of 1, stacks 10, until one has all.

    The source allows 4 chips of bets per player per hand and rules out side pots: a stack too short for four
    bets lowers the cap for everyone in that hand.
    """
    return Game(
        name="one-card",
        structure="limit",
        stacks=(10, 10),
        antes=(1, 1),
        blinds=(0, 0),
        bets=(1,),
        first=(0,),
        street_limit=4,
        shared_limit=True,
        ranks=10,
        suits=1,
        hole_cards=1,
        board_cards=(0,),
        freeze_out=True,
        about="One card from 1 to 10 each, one round of betting, highest wins: a bluff in its purest form.",
    )


def one_card_100() -> Game:
    """One-card poker at the stakes of 000 §5.1: stacks 100, ante 5, bets of 5.

    The source says "limit of 40 chips per player per betting round (essentially four bets, per player, per
    round)", which contradicts itself: four bets of 5 are 20. We keep the four bets, as in its other game.
    """
    return replace(
        one_card(),
        name="one-card-100",
        stacks=(100, 100),
        antes=(5, 5),
        bets=(5,),
        street_limit=20,
        about="One-card poker with twenty antes a stack, so a match lasts long enough to learn an opponent.",
    )


def kuhn() -> Game:
    """Kuhn poker (Kuhn 1950): three cards, ante 1, one bet of 1. The first to act loses 1/18 chip a hand."""
    return Game(
        name="kuhn",
        structure="limit",
        stacks=(2, 2),
        antes=(1, 1),
        blinds=(0, 0),
        bets=(1,),
        first=(0,),
        max_raises=(1,),
        ranks=3,
        suits=1,
        hole_cards=1,
        board_cards=(0,),
        about="Jack, queen or king, one bet: the smallest poker in which the best players must bluff.",
    )


def leduc() -> Game:
    """Leduc hold'em (Southey et al. 2005): six cards, ante 1, one on the board, two bets of 2 then of 4."""
    return Game(
        name="leduc",
        structure="limit",
        stacks=(13, 13),
        antes=(1, 1),
        blinds=(0, 0),
        bets=(2, 4),
        first=(0, 0),
        max_raises=(2, 2),
        ranks=3,
        suits=2,
        hole_cards=1,
        board_cards=(0, 1),
        about="Six cards, one each and one on the board: hold'em small enough to be solved exactly.",
    )


def limit() -> Game:
    """Heads-up limit hold'em of 000 ch. 7: blinds 5/10, bets of 10, at most 40 chips per player and street.

    The source gives the bet as 10 chips (§7.1.2) and as five (§7.3); 10 agrees with its 40 chips.
    Chips are unlimited there; a hand can cost 160, so with stacks reset every hand nobody is ever short.
    """
    return holdem(
        "limit",
        "limit",
        2,
        (5, 10),
        160,
        street_limit=40,
        match_hands=300,
        about="Heads-up hold'em with every bet 10 chips and four bets a street: 300 hands, most chips wins.",
    )


def acpc_limit() -> Game:
    """Heads-up limit hold'em of the Annual Computer Poker Competition: small bets of 10, big bets of 20."""
    return holdem(
        "acpc-limit",
        "limit",
        2,
        (5, 10),
        240,
        bets=(10, 10, 20, 20),
        max_raises=(3, 4, 4, 4),
        match_hands=3000,
        about="The limit game of the computer poker competitions: bets double on the turn.",
    )


def ring() -> Game:
    """Ten-seat limit hold'em of 004: 100 hands from 1000 chips, at most three raises a street.

    The source prints no blinds and no bets, so these are the usual 5/10 and 10/20. It calls every wager above
    the previous one a raise (§1), so the opening bet of a street is the first of the three.
    """
    return holdem(
        "ring",
        "limit",
        10,
        (5, 10),
        1000,
        bets=(10, 10, 20, 20),
        max_raises=(3, 3, 3, 3),
        match_hands=100,
        about="A full table of ten at limit hold'em, where position and the number of callers matter most.",
    )


def no_limit() -> Game:
    """Heads-up no-limit hold'em as in the ACPC and 003: 50/100, 20 000 chips each hand, 1000-hand matches."""
    return holdem(
        "no-limit",
        "no-limit",
        2,
        (50, 100),
        20_000,
        about="Heads-up hold'em with any bet up to 200 big blinds: the game of the strongest programs.",
    )


def no_limit_6() -> Game:
    """Six-seat no-limit hold'em at the stakes Pluribus played (Brown, Sandholm 2019): 50/100, 10 000."""
    return holdem(
        "no-limit-6",
        "no-limit",
        6,
        (50, 100),
        10_000,
        about="Six-seat hold'em with 100 big blinds, the table most people play online.",
    )


def pot_limit() -> Game:
    """Heads-up pot-limit hold'em at the no-limit stakes: no raise may exceed the pot."""
    return holdem(
        "pot-limit",
        "pot-limit",
        2,
        (50, 100),
        20_000,
        about="Heads-up hold'em where a raise is at most the pot: big bets, but all-in takes time.",
    )
