"""What was played, written to a file while it is played, and read again by us and by PokerKit."""

from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from playing import pokerkit_payoffs

import nemesis
from nemesis.observe.hand import HandError, replay
from nemesis.observe.hand_file import new_hand_file
from nemesis.observe.phh import passages, read_hands
from nemesis.observe.replay import check_files
from nemesis.observe.tape_of_hands import tape_of
from nemesis.rules import games


def chips_by_player(file: Path) -> dict[str, int]:
    won: dict[str, int] = {}
    for hand in read_hands(file):
        assert hand.payoffs == replay(hand).payoffs
        for player, payoff in zip(hand.players, hand.payoffs or (), strict=True):
            won[player] = won.get(player, 0) + payoff
    return won


@pytest.mark.parametrize(("players", "game"), [(["la", "tp"], "limit"), (["nl-la", "hp", "nl-la"], "no-limit-6")])
def test_a_table_writes_every_hand_whoever_works(tmp_path: Path, players: list[str], game: str) -> None:
    """The file adds up to the result, is the same with two workers, and PokerKit comes to the same chips."""
    files = [tmp_path / "alone.phhs", tmp_path / "two.phhs"]
    results = [
        nemesis.table(players, game=game, hands=360, match_hands=30, seed=3, workers=workers, hands_to=file)
        for workers, file in enumerate(files, 1)
    ]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert [hand.agrees for hand in check_files(files[:1])] == [True] * results[0].hands
    won = chips_by_player(files[0])
    unit = nemesis.game(game).unit[1]
    for score in results[0].scores:
        assert won[score.player] * unit / results[0].hands == pytest.approx(score.mean)
    for passage in list(passages(files[0]))[:60]:
        after = [line for line in passage.text.decode().splitlines() if line.startswith("finishing_stacks")]
        before = [line for line in passage.text.decode().splitlines() if line.startswith("starting_stacks")]
        amounts = [np.array(line[0].split("[")[1].strip("]").split(","), np.int64) for line in (after, before)]
        assert pokerkit_payoffs(passage.text.decode()) == tuple(amounts[0] - amounts[1])


def test_every_hand_names_its_players_seats_match_and_seed(tmp_path: Path) -> None:
    file = tmp_path / "hands.phhs"
    nemesis.duel("call", "call", game="limit", hands=40, match_hands=5, seed=9, hands_to=file)
    told = [dict(hand.source) for hand in read_hands(file)]
    assert [(one["_match"], one["hand"]) for one in told] == [(1 + i // 5, 1 + i % 5) for i in range(40)]
    assert {one["_seed"] for one in told} == {9}
    assert [one["seats"] for one in told[:3]] == [(1, 2), (2, 1), (1, 2)]
    assert {player for hand in read_hands(file) for player in hand.players} == {"call", "call#2"}
    tape = tape_of(read_hands(file))
    assert tape.hands["match"].tolist() == [i // 5 for i in range(40)]


def test_freeze_outs_are_written_to_the_last_chip(tmp_path: Path) -> None:
    file = tmp_path / "freeze.phhs"
    result = nemesis.tournament(["la", "raise", "call"], game="limit", stack=60, tournaments=8, seed=1, hands_to=file)
    hands = list(read_hands(file))
    assert len(hands) == result.hands
    assert {hand.game.seats for hand in hands} == {2, 3}
    assert {sum(hand.game.stacks) for hand in hands} == {180}
    assert sum(chips_by_player(file).values()) == 0


def test_what_cannot_be_written_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(HandError, match="hands of kuhn cannot be written: PHH is written for hold'em only"):
        nemesis.duel("call", "call", game="kuhn", hands_to=tmp_path / "kuhn.phhs")
    with pytest.raises(HandError, match=r"whose name ends in \.phhs, not to 'hands\.txt'"):
        nemesis.duel("call", "call", game="limit", hands_to=tmp_path / "hands.txt")
    (tmp_path / "folder.phhs").mkdir()
    with pytest.raises(HandError, match="it is a folder"):
        nemesis.duel("call", "call", game="limit", hands_to=tmp_path / "folder.phhs")
    (tmp_path / "file").touch()
    with pytest.raises(HandError, match=r"cannot be written to .*: "):
        nemesis.duel("call", "call", game="limit", hands_to=tmp_path / "file" / "hands.phhs")


def test_a_run_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "hands.phhs"
    file.write_text("old")
    with suppress(ZeroDivisionError), new_hand_file(file, games.limit()) as hand_file:
        hand_file.add(["variant = 'FT'\n"])
        hand_file.add([f"{1 // 0}"])
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]
