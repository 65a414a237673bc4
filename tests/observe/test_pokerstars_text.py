"""PokerStars' texts: every kind of line becomes what it was, and hands written that way are read back the same."""

from pathlib import Path

import pytest

from nemesis.observe.hand import Hand, HandError, amount_text, decisions, replay
from nemesis.observe.importing import import_files
from nemesis.observe.phh import passages, read_hand
from nemesis.observe.pokerstars_text import pokerstars_phh
from nemesis.observe.replay import check_passage, published_payoffs
from nemesis.observe.store import open_store
from nemesis.rules.betting import CALL, FOLD
from nemesis.rules.cards import cards_text

DATA = Path(__file__).parent.parent / "data"
HEAD = """PokerStars Hand #208958099944:  Hold'em No Limit ($0.50/$1.00 USD) - 2020/01/23 9:02:03 ET
Table 'Aludra V' 6-max Seat #1 is the button
Seat 1: Hero ($100 in chips)
Seat 2: Vil lain ($150.25 in chips)
Seat 3: Luk:99 ($42 in chips)
Seat 5: gone ($10 in chips) is sitting out
"""
BLINDS = "Vil lain: posts small blind $0.50\nLuk:99: posts big blind $1\n"
DEALT = '*** HOLE CARDS ***\nDealt to Hero [Ah Kd]\nVil lain said, "Hero: folds"\ngone leaves the table\n'
STOLEN = "Hero: raises $2 to $3\nVil lain: folds\nLuk:99: folds\nUncalled bet ($2) returned to Hero\n"


def told(text: str) -> Hand:
    return read_hand(pokerstars_phh(text))


def payoffs(hand: Hand) -> dict[str, float]:
    published = published_payoffs(hand, replay(hand))
    assert published is not None
    return {name: won / hand.scale for name, won in zip(hand.players, published, strict=True)}


def ending(pot: str, *winners: tuple[str, str], rake: str = "0") -> str:
    collected = "".join(f"{name} collected ${amount} from pot\n" for name, amount in winners)
    return f"{collected}*** SUMMARY ***\nTotal pot ${pot} | Rake ${rake} \n"


def test_a_steal_with_somebody_sitting_out_and_chat() -> None:
    hand = told(HEAD + BLINDS + DEALT + STOLEN + ending("2.50", ("Hero", "2.50")))
    assert hand.players == ("Vil lain", "Luk:99", "Hero")
    assert payoffs(hand) == {"Vil lain": -0.5, "Luk:99": -1, "Hero": 1.5}
    assert replay(hand).payoffs == (-50, -100, 150)
    assert [cards_text(cards) for cards in hand.hole] == ["", "", "AhKd"]
    assert hand.shown == ()
    assert dict(hand.source)["hand"] == 208958099944
    assert str(dict(hand.source)["time"]) == "09:02:03"


def test_antes_count() -> None:
    antes = "".join(f"{name}: posts the ante $0.10\n" for name in ("Hero", "Vil lain", "Luk:99"))
    hand = told(HEAD + antes + BLINDS + DEALT + STOLEN + ending("2.80", ("Hero", "2.80")))
    assert payoffs(hand) == {"Vil lain": -0.6, "Luk:99": -1.1, "Hero": 1.7}
    assert replay(hand).payoffs == (-60, -110, 170)


def test_of_two_blinds_posted_to_come_in_the_small_one_is_dead() -> None:
    """It is in the pot and no part of the bet: calling a raise to 3 costs 2 more."""
    posts = BLINDS + "Hero: posts small & big blinds $1.50\n"
    play = (
        "Hero: checks\nVil lain: raises $2 to $3\nLuk:99: folds\nHero: calls $2\n*** FLOP *** [2c 7d Kh]\n"
        "Vil lain: checks\nHero: bets $4\nVil lain: folds\nUncalled bet ($4) returned to Hero\n"
    )
    hand = told(HEAD + posts + DEALT + play + ending("7.50", ("Hero", "7.15"), rake="0.35"))
    assert hand.posts == (2,)
    assert hand.game.antes == (0, 0, 50)
    assert payoffs(hand) == {"Vil lain": -3, "Luk:99": -1, "Hero": 3.65}
    assert replay(hand).payoffs == (-300, -100, 400)


def test_a_second_small_blind_is_dead_and_a_second_big_blind_is_a_post() -> None:
    dead = told(HEAD + BLINDS + "Hero: posts small blind $0.50\n" + DEALT + STOLEN + ending("3", ("Hero", "3")))
    assert (dead.posts, dead.game.antes, dead.game.blinds) == ((), (0, 0, 50), (50, 100, 0))
    assert payoffs(dead)["Hero"] == 1.5
    live = told(HEAD + BLINDS + "Hero: posts big blind $1\n" + DEALT + STOLEN + ending("2.50", ("Hero", "2.50")))
    assert (live.posts, live.game.antes, live.game.blinds) == ((2,), (0, 0, 0), (50, 100, 100))
    assert payoffs(live)["Hero"] == 1.5


def test_a_straddle_is_a_blind() -> None:
    play = "Vil lain: folds\nLuk:99: folds\nUncalled bet ($1) returned to Hero\n"
    hand = told(HEAD + BLINDS + "Hero: straddle $2\n" + DEALT + play + ending("2.50", ("Hero", "2.50")))
    assert hand.game.blinds == (50, 100, 200)
    assert replay(hand).payoffs == (-50, -100, 150)


def test_side_pots_mucked_cards_and_folds_that_show() -> None:
    play = """Hero: raises $99 to $100 and is all-in
Vil lain: calls $99.50
Luk:99: calls $41 and is all-in
*** FLOP *** [2c 7d Kh]
*** TURN *** [2c 7d Kh] [9s]
*** RIVER *** [2c 7d Kh 9s] [3c]
*** SHOW DOWN ***
Vil lain: shows [Qs Qd] (a pair of Queens)
Hero: shows [Ah Kd] (a pair of Kings)
Hero collected $116 from side pot
Luk:99: mucks hand
Hero collected $123 from main pot
*** SUMMARY ***
Total pot $242 Main pot $126. Side pot $116. | Rake $3
Board [2c 7d Kh 9s 3c]
Seat 1: Hero (button) showed [Ah Kd] and won ($239) with a pair of Kings
Seat 3: Luk:99 (big blind) mucked [Tc Td]
"""
    hand = told(HEAD + BLINDS + DEALT + play)
    assert payoffs(hand) == {"Vil lain": -100, "Luk:99": -42, "Hero": 139}
    assert replay(hand).payoffs == (-10000, -4200, 14200)
    assert [cards_text(cards) for cards in hand.hole] == ["QsQd", "TcTd", "AhKd"]
    assert hand.shown == (0, 2)
    folded = STOLEN.replace("Vil lain: folds", "Vil lain: folds [2h 7h]")
    shown = told(HEAD + BLINDS + DEALT + folded + ending("2.50", ("Hero", "2.50")))
    assert (cards_text(shown.hole[0]), shown.shown) == ("2h7h", (0,))


def test_winnings_of_a_hand_that_was_cashed_out_are_in_the_summary() -> None:
    end = "*** SUMMARY ***\nTotal pot $2.50 | Rake $0\nSeat 1: Hero (button) collected ($2.50)\n"
    assert payoffs(told(HEAD + BLINDS + DEALT + STOLEN + end))["Hero"] == 1.5


def test_a_tournament_and_somebody_all_in_for_less_than_the_blind() -> None:
    text = """PokerStars Hand #9: Tournament #123, $1+$0.10 Hold'em No Limit - Level XI (400/800) - 2013/10/04 17:22:20 ET
Table '123 9' 9-max Seat #2 is the button
Seat 2: a (11,815 in chips)
Seat 3: b (7395 in chips)
Seat 4: c (630 in chips)
a: posts the ante 75
b: posts the ante 75
c: posts the ante 75
b: posts small blind 400
c: posts big blind 555 and is all-in
*** HOLE CARDS ***
a: folds
b: calls 155
*** FLOP *** [2c 7d Kh]
*** TURN *** [2c 7d Kh] [9s]
*** RIVER *** [2c 7d Kh 9s] [3c]
*** SHOW DOWN ***
b: shows [As Kd] (a pair of Kings)
c: shows [Qs Qd] (a pair of Queens)
b collected 1335 from pot
*** SUMMARY ***
Total pot 1335 | Rake 0
"""
    hand = told(text)
    assert (hand.scale, hand.game.stacks, hand.game.blinds) == (1, (7395, 630, 11815), (400, 800, 0))
    assert replay(hand).payoffs == (705, -630, -75)


def test_limit_has_two_sizes_of_bets() -> None:
    head = HEAD.replace("No Limit ($0.50/$1.00 USD)", "Limit ($1/$2 USD)")
    play = STOLEN.replace("raises $2 to $3", "raises $1 to $2").replace("bet ($2)", "bet ($1)")
    hand = told(head + BLINDS + DEALT + play + ending("2.50", ("Hero", "2.50")))
    assert (hand.game.structure, hand.game.bets) == ("limit", (100, 100, 200, 200))


def test_ggpoker_writes_the_same_way() -> None:
    text = """Poker Hand #RC1330589595: Hold'em No Limit  ($0.05/$0.1) - 2023/02/08 19:10:27
Table 'RushAndCash7864855' 6-max Seat #1 is the button
Seat 1: feffe29b ($16.25 in chips)
Seat 2: Hero ($8.45 in chips)
Seat 3: 21be2f ($15.65 in chips)
Hero: posts small blind $0.05
21be2f: posts big blind $0.1
*** HOLE CARDS ***
Dealt to feffe29b
Dealt to Hero [3s Qh]
feffe29b: raises $0.2 to $0.3
Hero: folds
21be2f: folds
Uncalled bet ($0.2) returned to feffe29b
*** SHOWDOWN ***
feffe29b collected $0.25 from pot
*** SUMMARY ***
Total pot $0.25 | Rake $0 | Jackpot $0
"""
    hand = told(text)
    assert dict(hand.source)["venue"] == "GGPoker"
    assert dict(hand.source)["hand"] == "RC1330589595"
    assert payoffs(hand) == {"Hero": -0.05, "21be2f": -0.1, "feffe29b": 0.15}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("Total pot $2.50", "Total pot $2.60"), "its lines put 2.50 into the pot, its summary says 2.60"),
        (("Hero: raises $2 to $3", "Hero: raises to the sky"), "names no amount"),
        (("posts big blind", "posts a spell"), "is a post of no known kind"),
        (("Seat #1 is the button", "no button"), "which seat has the button"),
        (("($0.50/$1.00 USD)", "(for fun)"), "does not tell a game of hold'em"),
        (("Luk:99: folds\n", "Luk:99: folds\n*** FIRST FLOP *** [2c 7d Kh]\n"), "run more than once"),
        (("raises $2 to $3", "raises $2 to $1.2.3"), "is not an amount"),
        (("($150.25 in", f"($1{'0' * 30} in"), "is an amount beyond"),
    ],
)
def test_what_cannot_be_read_is_said(change: tuple[str, str], reason: str) -> None:
    whole = HEAD + BLINDS + DEALT + STOLEN + ending("2.50", ("Hero", "2.50"))
    assert change[0] in whole
    with pytest.raises(HandError, match=reason):
        pokerstars_phh(whole.replace(*change))


def as_pokerstars(hand: Hand, number: int) -> str:
    """A hand in PokerStars' words, the last position on the button of the last seat."""

    def money(chips: int) -> str:
        return f"${amount_text(hand, chips)}"

    game, played = hand.game, replay(hand)
    names = hand.players
    lines = [
        f"PokerStars Hand #{number}:  Hold'em No Limit ({money(game.bets[0] // 2)}/{money(game.bets[0])} USD) - "
        "2020/01/23 20:02:03 ET",
        f"Table 'Oak' 9-max Seat #{game.seats} is the button",
        *(f"Seat {p + 1}: {names[p]} ({money(stack)} in chips)" for p, stack in enumerate(game.stacks)),
    ]
    small = 1 if game.seats == 2 else 0
    turn = [small, 1 - small, *range(2, game.seats)]
    lines += [f"{names[p]}: posts the ante {money(game.antes[p])}" for p in turn if game.antes[p]]
    for p in turn:
        if game.blinds[p]:
            kind = "small blind" if p == small else "big blind"
            lines.append(f"{names[p]}: posts {kind} {money(game.blinds[p])}")
    lines.append("*** HOLE CARDS ***")
    street, wagers = 0, dict(enumerate(game.blinds))
    for d in decisions(hand):
        if d.street > street:
            street, wagers = d.street, {}
            dealt = [cards_text((card,)) for card in hand.board[: 2 + street]]
            told_before = f"[{' '.join(dealt if street == 1 else dealt[:-1])}]"
            lines.append(f"*** {('FLOP', 'TURN', 'RIVER')[street - 1]} *** {told_before}")
            lines[-1] += "" if street == 1 else f" [{dealt[-1]}]"
        own = wagers.get(d.actor, 0)
        if d.action == FOLD:
            said = "folds"
        elif d.action == CALL:
            said, wagers[d.actor] = (f"calls {money(d.to_call)}", own + d.to_call) if d.to_call else ("checks", own)
        else:
            wagers[d.actor] = d.action
            said = f"raises {money(1)} to {money(d.action)}" if d.to_call else f"bets {money(d.action - own)}"
        lines.append(f"{names[d.actor]}: {said}")
    for later in range(street + 1, 4):
        if len(hand.board) >= later + 2:
            cards = hand.board[:3] if later == 1 else hand.board[later + 1 : later + 2]
            lines.append(
                f"*** {('FLOP', 'TURN', 'RIVER')[later - 1]} *** [{' '.join(cards_text((c,)) for c in cards)}]"
            )
    lines += [f"Uncalled bet ({money(back)}) returned to {names[p]}" for p, back in enumerate(played.uncalled) if back]
    lines += [
        f"{names[p]}: shows [{cards_text(hand.hole[p][:1])} {cards_text(hand.hole[p][1:])}] (cards)" for p in hand.shown
    ]
    taken = played.winnings or ()
    lines += [f"{names[p]} collected {money(won)} from pot" for p, won in enumerate(taken) if won]
    lines += ["*** SUMMARY ***", f"Total pot {money(sum(played.spent) - sum(played.uncalled))} | Rake $0"]
    return "\r\n".join(lines) + "\r\n\r\n\r\n"


def test_real_hands_written_this_way_are_read_back(tmp_path: Path) -> None:
    """Hands of three sources with posts, all-ins and side pots, through a file with Windows' line ends."""
    hands = [
        read_hand(passage.text.decode())
        for name in ("ongame", "pokerstars", "pluribus")
        for passage in passages(DATA / f"{name}.phhs")
        if check_passage(passage).payoffs is not None
    ]
    hands = [hand for hand in hands if set(hand.game.blinds) <= {0, hand.game.bets[0] // 2, hand.game.bets[0]}]
    hands = [hand for hand in hands if all(hand.game.blinds[p] == hand.game.bets[0] for p in hand.posts)]
    hands = [hand for hand in hands if hand.game.blinds[hand.game.seats == 2] < hand.game.bets[0]]
    assert len(hands) > 100
    assert any(hand.posts for hand in hands)
    for number, hand in enumerate(hands):
        again = told(as_pokerstars(hand, number))
        assert again.players == hand.players
        assert again.game.stacks == tuple(s * again.scale // hand.scale for s in hand.game.stacks)
        assert (again.posts, again.board, again.shown) == (hand.posts, hand.board, hand.shown)
        assert len(again.actions) == len(hand.actions)
        ours, theirs = replay(again).payoffs, replay(hand).payoffs
        assert ours is not None
        assert theirs is not None
        assert [p / again.scale for p in ours] == [p / hand.scale for p in theirs]
    (tmp_path / "stars.txt").write_text(
        "".join(as_pokerstars(h, n) for n, h in enumerate(hands)), "utf-8-sig", newline=""
    )
    with open_store(tmp_path / "s.duckdb", writing=True) as store:
        done = import_files(store, [tmp_path / "stars.txt"])
        assert (done.hands, done.rejected) == (len(hands), 0)
