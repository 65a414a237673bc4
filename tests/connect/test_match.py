"""A match over TCP is the match in one process, hand for hand; what clients log is what the dealer logs."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from tables import Table, hands_of, play_over_tcp

import nemesis
from nemesis.connect.dealer import deal_match
from nemesis.observe.acpc_log import acpc_hand
from nemesis.observe.hand import replay
from nemesis.play.by_name import player
from nemesis.play.match import play_lineups
from nemesis.play.session import OpenSeat

PAIRINGS = [
    ("limit", ("la", "tp"), 60),
    ("acpc-limit", ("random", "call"), 40),
    ("no-limit", ("random", "ashe-a4"), 60),
    ("leduc", ("random", "equilibrium"), 40),
    ("kuhn", ("random", "tp"), 40),
    ("no-limit-6", ("random", "la", "tp", "call", "ta", "random"), 15),
]


@pytest.mark.parametrize(("name", "players", "hands"), PAIRINGS)
def test_a_match_over_tcp_is_the_match_in_one_process(
    name: str, players: tuple[str, ...], hands: int, tmp_path: Path
) -> None:
    game = nemesis.game(name)
    table = play_over_tcp(game, players, hands, 11, tmp_path)
    agents = [nemesis.agent(who, game) for who in players]
    lineup = np.arange(game.seats)[None, :]
    alone = play_lineups(game, agents, lineup, np.zeros(1, np.int64), hands=hands, seed=11)
    worth = game.unit[1]
    assert [round(score.mean * hands / worth) for score in table.result.scores] == alone.won[0].tolist()
    deal_match(game, [player(who) for who in players], hands=hands, seed=11, log=tmp_path / "alone.log")
    assert len(hands_of(tmp_path / "dealer.log")) == hands
    assert hands_of(tmp_path / "dealer.log") == hands_of(tmp_path / "alone.log")


def test_ten_thousand_hands_of_two_processes_are_those_of_one(tmp_path: Path) -> None:
    clients: list[subprocess.Popen[bytes]] = []

    def join(ports: Sequence[int]) -> None:
        words = ["join", "127.0.0.1", str(ports[0]), "--agent", "nl-la", "--seed", "8"]
        script = "from nemesis.cli import main; main()"
        clients.append(subprocess.Popen([sys.executable, "-c", script, *words], stdout=subprocess.DEVNULL))

    game = nemesis.game("no-limit")
    deal_match(
        game, [OpenSeat("nl-la"), player("nl-tp")],
        hands=10_000, seed=8, wait=300, time_limit=300, log=tmp_path / "apart.log", announce=join,
    )  # fmt: skip
    assert [client.wait(60) for client in clients] == [0]
    deal_match(game, [player("nl-la"), player("nl-tp")], hands=10_000, seed=8, log=tmp_path / "alone.log")
    assert len(hands_of(tmp_path / "apart.log")) == 10_000
    assert hands_of(tmp_path / "apart.log") == hands_of(tmp_path / "alone.log")


def test_a_client_logs_the_same_hands_with_the_cards_that_it_saw(tmp_path: Path) -> None:
    play_over_tcp(nemesis.game("no-limit"), ("random", "call"), 30, 3, tmp_path)
    dealt, seen = hands_of(tmp_path / "dealer.log"), hands_of(tmp_path / "client1.log")
    assert len(dealt) == len(seen) == 30
    for hand, (whole, own) in enumerate(zip(dealt, seen, strict=True)):
        _, number, betting, cards, results, names = whole.split(":")
        _, own_number, own_betting, own_cards, own_results, own_names = own.split(":")
        assert (own_number, own_betting, own_results) == (number, betting, results) == (str(hand), betting, results)
        assert own_names == names.replace("random", "opponent")
        holes, seen_holes = (text.partition("/")[0].split("|") for text in (cards, own_cards))
        mine = names.split("|").index("call")
        assert seen_holes[mine] == holes[mine]
        assert seen_holes[1 - mine] == ("" if "f" in betting else holes[1 - mine])


@pytest.mark.parametrize("name", ["limit", "no-limit", "no-limit-6"])
def test_logs_are_read_as_hand_histories_and_replay_to_the_same_chips(name: str, tmp_path: Path) -> None:
    game, log = nemesis.game(name), tmp_path / "match.log"
    deal_match(game, [player("random")] * game.seats, hands=50, seed=2, log=log)
    hands = [acpc_hand(line, game) for line in hands_of(log)]
    assert len(hands) == 50
    for hand in hands:
        assert replay(hand).payoffs == hand.payoffs


def test_the_log_begins_with_the_match_and_ends_with_the_score(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    result = deal_match(nemesis.game("limit"), [player("la"), player("tp")], hands=20, seed=4, log=log)
    first, second, *hands, last = log.read_text().splitlines()
    assert first == "# name/game/hands/seed match limit 20 4"
    assert second.startswith("# --t_response")
    assert len(hands) == 20
    chips = [round(score.mean * 20 / 100) for score in result.scores]
    assert last == f"SCORE:{chips[0]}|{chips[1]}:la|tp"


def test_players_on_one_port_sit_down_as_they_come() -> None:
    """The first to come has seat 1, which is position 0 in the first hand."""
    with Table(nemesis.game("kuhn"), ["@ann", "@bob"], ports=[0], hands=1) as table:
        assert len(table.ports) == 1
        ann, bob = table.connect().makefile("rwb"), table.connect().makefile("rwb")
        for wire in (ann, bob):
            wire.write(b"VERSION:2.0.0\r\n")
            wire.flush()
        asked, told = ann.readline(), bob.readline()
        assert asked.startswith(b"MATCHSTATE:0:0::")
        assert told.startswith(b"MATCHSTATE:1:0::|")
        ann.write(asked.rstrip() + b":c\r\n")
        ann.flush()
        asked = bob.readline()
        assert asked.startswith(b"MATCHSTATE:1:0:c:|")
        bob.write(asked.rstrip() + b":c\r\n")
        bob.flush()
        assert ann.readline().startswith(b"MATCHSTATE:0:0:c:")
        assert ann.readline().startswith(b"MATCHSTATE:0:0:cc:")
    assert table.failure is None
    assert table.result.hands == 1


def test_a_finished_log_is_not_written_over(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    log.write_text("precious")
    with pytest.raises(ValueError, match="exists; a match is logged to a new file"):
        deal_match(nemesis.game("kuhn"), [player("call")] * 2, hands=1, log=log)
    assert log.read_text() == "precious"


def test_games_that_the_protocol_cannot_express_are_refused() -> None:
    with pytest.raises(ValueError, match="ACPC deals fresh stacks"):
        deal_match(nemesis.game("one-card"), [player("call")] * 2, hands=1)
