"""Other programs' words for hands: rooms' own texts, ACPC logs, PRF records."""

import re
from pathlib import Path

import pytest
from room_samples import ABSOLUTE, FULL_TILT, IPOKER, ONGAME, PARTY

import nemesis
from nemesis.observe.acpc_log import acpc_hand, acpc_hands
from nemesis.observe.hand import HandError, decisions, replay
from nemesis.observe.history import read_history
from nemesis.observe.importing import import_files
from nemesis.observe.phh import read_hand, read_hands
from nemesis.observe.phh_text import write_hands
from nemesis.observe.prf import read_prf, write_prf
from nemesis.observe.replay import published_payoffs
from nemesis.observe.room_texts import room_hands, room_of
from nemesis.observe.store import open_store
from nemesis.observe.tape import Move
from nemesis.play.recording import record_match
from nemesis.rules import games

ROOMS = {
    "Full Tilt Poker": FULL_TILT,
    "Absolute Poker": ABSOLUTE,
    "Ongame Network": ONGAME,
    "PartyPoker": PARTY,
    "iPoker Network": IPOKER,
}
DATA = Path(__file__).parent.parent / "data"
STARS = """PokerStars Game #27738502010: Hold'em No Limit ($0.25/$0.50 USD) - 2024/05/01 21:14:05 ET
Table 'Oak' 6-max Seat #2 is the button
Seat 1: Ann ($50 in chips)
Seat 2: Bob ($61.25 in chips)
Seat 4: Cem ($38.10 in chips)
Cem: posts small blind $0.25
Ann: posts big blind $0.50
*** HOLE CARDS ***
Bob: raises $1 to $1.50
Cem: folds
Ann: calls $1
*** FLOP *** [2c 7d Kh]
Ann: checks
Bob: bets $2
Ann: calls $2
*** TURN *** [2c 7d Kh] [9s]
Ann: checks
Bob: checks
*** RIVER *** [2c 7d Kh 9s] [3c]
Ann: checks
Bob: checks
*** SHOW DOWN ***
Ann: shows [Ks Jd] (a pair of Kings)
Bob: shows [9d 8d] (a pair of Nines)
Ann collected $6.90 from pot
*** SUMMARY ***
Total pot $7.25 | Rake $0.35
Board [2c 7d Kh 9s 3c]


"""
OMAHA = STARS.replace("Hold'em No Limit", "Omaha Pot Limit")


def test_a_pokerstars_text_becomes_a_hand(tmp_path: Path) -> None:
    file = tmp_path / "stars.txt"
    file.write_text(
        STARS + OMAHA + STARS.replace("27738502010", "27738502011").replace("Bob: raises $1 to", "Bob: dances to")
    )
    with open_store(tmp_path / "s.duckdb", writing=True) as store:
        done = import_files(store, [file])
        assert done.hands == 1
        assert store.rows("SELECT name, room, board, line FROM hands") == [
            ("27738502010", "PokerStars", "2c7dKh9s3c", 1)
        ]
        payoffs = dict(store.rows("SELECT name, payoff FROM seats JOIN players USING (player)"))
        omaha, illegal = store.rejected()
    assert payoffs == {"Cem": -25, "Ann": 340, "Bob": -350}
    lines = len(STARS.splitlines())
    assert (omaha.line, omaha.reason) == (lines + 1, "this is Omaha; only Texas hold'em is read")
    assert illegal.line == 2 * lines + 1


@pytest.mark.parametrize("room", ROOMS)
def test_every_rooms_text_becomes_the_same_hand(room: str, tmp_path: Path) -> None:
    """To the cent, after rake, with the cards that were shown; and an hour later a second hand with another number."""
    number = re.search(r"000001|-1(?= )", ROOMS[room])
    assert number is not None
    second = ROOMS[room].replace(number[0], number[0][:-1] + "2").replace("21:14:05", "22:14:05")
    if room == "iPoker Network":  # one session has many games
        second = second[second.index("<game ") :]
        first = ROOMS[room].removesuffix("</session>\n")
    else:
        first = ROOMS[room]
    file = tmp_path / "hands.txt"
    file.write_text(first + second)
    with open_store(tmp_path / "s.duckdb", writing=True) as store:
        done = import_files(store, [file])
        assert (done.hands, done.rejected) == (2, 0)
        told = store.rows('SELECT room, board, lower("table"), scale, big_blind, hour(time) FROM hands ORDER BY time')
        assert told == [(room, "2c7dKh9s3c", "oak", 100, 50, hour) for hour in (21, 22)]
        payoffs = dict(store.rows("SELECT name, sum(payoff) FROM seats JOIN players USING (player) GROUP BY name"))
        cards = dict(store.rows("SELECT DISTINCT name, cards FROM seats JOIN players USING (player)"))
    assert payoffs == {"Cem": -50, "Ann": 680, "Bob": -700}
    assert cards == {"Cem": None, "Ann": "KsJd", "Bob": "9d8d"}


@pytest.mark.parametrize(
    ("room", "blind", "dead", "pot"),
    [
        (
            "Full Tilt Poker",
            "Ann posts the big blind of $0.50\n",
            "Bob posts a dead small blind of $0.25\n",
            "Total pot $7.",
        ),
        ("Full Tilt Poker", "Cem posts the small blind of $0.25\n", "Cem antes $0.25\n", "Total pot $7."),
        ("Absolute Poker", "Ann - Posts big blind $0.50\n", "Bob - Posts dead $0.25\n", "Total Pot($7."),
    ],
)
def test_chips_that_pokerkit_passes_over_are_missed(room: str, blind: str, dead: str, pot: str) -> None:
    """Without them everybody's results would be wrong and nothing would tell."""
    text = ROOMS[room]
    found = room_of(text)
    assert found is not None
    assert blind in text
    told = text.replace(blind, blind + dead).replace(f"{pot}25", f"{pot}50")
    ((_, said),) = room_hands(told, found)
    assert isinstance(said, HandError)
    assert str(said) == "as PokerKit reads it 7.25 go into the pot, its text says 7.50"


def test_a_partypoker_hand_needs_no_line_that_a_game_starts() -> None:
    """Many files leave it out; the hand begins with its history then."""
    bare = PARTY[PARTY.index("***** Hand") :]
    room = room_of(bare)
    assert room is not None
    ((line, said),) = room_hands(bare, room)
    ((_, whole),) = room_hands(PARTY, room)
    assert (line, said) == (1, whole)


@pytest.mark.parametrize(
    ("begins", "room"),
    [
        ("PokerStars Hand #1:", "PokerStars"),
        ("Poker Hand #RC1:", "GGPoker"),
        ("Full Tilt Poker Game #1:", "Full Tilt Poker"),
        ("Stage #1:", "Absolute Poker"),
        ("***** History for hand R5-1 *****", "Ongame Network"),
        ("***** Hand History for Game 1 *****", "PartyPoker"),
        ("Game #16406772152 starts.", "PartyPoker"),
        ('<game gamecode="1">', "iPoker Network"),
    ],
)
def test_a_room_is_known_by_how_its_hands_begin(begins: str, room: str) -> None:
    found = room_of(f"\n{begins} words\n")
    assert found is not None
    assert found.name == room
    ((line, said),) = room_hands(f"\n{begins} words\n", found)
    assert line == 2
    assert isinstance(said, HandError)


def test_acpc_logs_of_no_limit_and_limit() -> None:
    no_limit = acpc_hand("STATE:7:cr300c/cr900c/cc/r2000f:5d5c|9hQd/8dAs8s/4h/6d:900|-900:a|b", games.no_limit())
    assert replay(no_limit).payoffs == no_limit.payoffs == (900, -900)
    assert no_limit.actions == (1, 300, 1, 1, 600, 1, 1, 1, 1100, 0)
    shown = acpc_hand("STATE:8:cc/cc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d:100|-100:a|b", games.no_limit())
    assert (shown.shown, replay(shown).payoffs) == ((0, 1), (100, -100))
    limit = acpc_hand("STATE:1:rc/rc/cc/rf:5d5c|9hQd/8dAs8s/4h/6d:-30|30:a|b", games.acpc_limit())
    assert replay(limit).payoffs is not None


def test_acpc_lines_that_are_no_hands() -> None:
    text = "# a log\nSTATE:1:zz:5d5c|9hQd:1|-1:a|b\nSTATE:2:f\nSTATE:3:f:5d5c|9hQd:x|y:a|b\n"
    told = list(acpc_hands(text, games.no_limit()))
    assert [line for line, _ in told] == [2, 3, 4]
    assert all(isinstance(hand, HandError) for _, hand in told)


def test_prf_records_are_read_back_as_written() -> None:
    for hand in read_hands(DATA / "pluribus.phhs"):
        moves = [Move(d.actor, d.street, min(d.action, 2), d.action) for d in decisions(hand)]
        again, _ = read_prf(write_prf(hand, moves))
        assert (again.game.stacks, again.game.blinds, again.players) == (
            hand.game.stacks,
            hand.game.blinds,
            hand.players,
        )
        assert (again.hole, again.board, again.actions, again.payoffs) == (
            hand.hole, hand.board, hand.actions, hand.payoffs
        )  # fmt: skip
    with pytest.raises(HandError, match="this is not a PRF record"):
        read_prf('{"prf": 1, "game": {}}')


def test_our_own_matches_are_imported_with_their_games(tmp_path: Path) -> None:
    game = nemesis.game("limit")
    hands = record_match(game, [nemesis.agent(name, game) for name in ("la", "tp")], 12, seed=3)
    (tmp_path / "match.phhs").write_text("".join(write_hands(hands)))
    with open_store(tmp_path / "s.duckdb", writing=True) as store:
        assert import_files(store, [tmp_path / "match.phhs"]).hands == 12
        assert store.rows("SELECT sum(payoff), sum(by_rules) FROM seats") == [(0, 0)]
        assert store.rows("SELECT DISTINCT structure FROM hands JOIN games USING (game)") == [("limit",)]
        assert store.number("SELECT count(*) FROM seats WHERE cards IS NULL") == 0
        assert {name for (name,) in store.rows("SELECT name FROM players")} == {"la", "tp"}


def test_a_log_without_a_game_is_read_when_the_game_is_given(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text("STATE:8:cc/cc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d:100|-100:a|b\n")
    with open_store(tmp_path / "s.duckdb", writing=True) as store:
        assert import_files(store, [tmp_path]).hands == 0
        assert store.rejected()[0].reason == "this ACPC log does not name a game that is known: give it with --game"
        assert import_files(store, [tmp_path], games.no_limit()).hands == 1
        assert store.rejected() == []


def test_a_log_of_our_dealer_names_its_game(tmp_path: Path) -> None:
    hand = "STATE:8:cc/cc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d:100|-100:a|b\n"
    (tmp_path / "a.log").write_text(f"# name/game/hands/seed acpc no-limit 1 5\n# --t_response 10000\n{hand}")
    (tmp_path / "b.log").write_text(f"# name/game/hands/seed match holdem.nolimit.2p.game 1 5\n{hand}")
    with open_store(tmp_path / "s.duckdb", writing=True) as store:
        assert import_files(store, [tmp_path]).hands == 1
        assert [Path(aside.file).name for aside in store.rejected()] == ["b.log"]


def test_partypoker_counts_uncalled_bets_among_winnings(tmp_path: Path) -> None:
    text = """variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [2, 4, 0]
min_bet = 4
starting_stacks = [400, 400, 400]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'p3 cbr 12', 'p1 f', 'p2 f']
venue = 'PartyPoker'
players = ['Ann', 'Bob', 'Cem']
winnings = [0, 0, 18]
"""
    (tmp_path / "h.phh").write_text(text)
    assert read_history([tmp_path / "h.phh"]).hands["payoffs"][0, :3].tolist() == [-2, -4, 6]
    assert read_hand(text).winnings == (0, 0, 18)


@pytest.mark.parametrize(
    ("winnings", "payoff"),
    [(10, 6), (18, 6), (17.5, 5.5), (12, 8), (16, 12)],
    ids=["pot", "pot and uncalled bet", "the same less rake", "dead small blind", "both blinds dead"],
)
def test_winnings_above_the_pot_are_the_uncalled_bet_or_dead_money(
    tmp_path: Path, winnings: float, payoff: float
) -> None:
    """Raised to 12 and folded: the pot is 10, the uncalled bet 8. Dead money that is not listed was won all the same."""
    text = f"""variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [2, 4, 0]
min_bet = 4
starting_stacks = [400, 400, 400.00]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'p3 cbr 12', 'p1 f', 'p2 f']
venue = 'PokerStars'
players = ['Ann', 'Bob', 'Cem']
winnings = [0, 0, {winnings}]
"""
    (tmp_path / "h.phh").write_text(text)
    history = read_history([tmp_path / "h.phh"])
    assert history.hands["payoffs"][0, 2] / history.about["scale"][0] == payoff
    hand = read_hand(text)
    published = published_payoffs(hand, replay(hand))
    assert published is not None
    assert published[2] / hand.scale == payoff
