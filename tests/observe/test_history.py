"""Hand histories as columns: the same rows as the complete reader gives, and a sentence for every hand that is not one."""

from pathlib import Path

import numpy as np
import pytest

from nemesis.observe.about import FROM_RULES, FROM_STACKS, FROM_WINNINGS, NO_TIME
from nemesis.observe.hand import Hand, HandError, replay
from nemesis.observe.history import History, read_histories, read_history
from nemesis.observe.phh import Passage, parse_hand, passages
from nemesis.observe.replay import published_payoffs
from nemesis.observe.tape_of_hands import tape_of
from nemesis.rules.cards import parse_cards

DATA = Path(__file__).parent.parent / "data"
FILES = sorted(DATA.glob("*.phhs"))
HAND = """variant = 'NT'
ante_trimming_status = true
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 150.50, 200]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'p3 cbr 6', 'p1 f', 'p2 cc', 'd db 2c7dKh', 'p2 cc', 'p3 f',]
venue = 'Ours'
time = 12:30:05
day = 29
month = 2
year = 2024
hand = 7
seats = [3, 4, 1]
table = 'Oak'
players = ['Ann', 'Bob', 'Cem']
winnings = [0, 13, 0]
currency_symbol = '€'
""".replace(",]", "]")


def compare(history: History, row: int, hand: Hand) -> None:
    """Hold a row against the hand as the complete reader and the replay know it."""
    tape = tape_of([hand], ())
    ours, theirs = history.hands[row], tape.hands[0]
    told = dict(hand.source)
    for field in ("seats", "actions", "shown", "stacks", "hole", "board", *(("seat",) if "seats" in told else ())):
        assert np.array_equal(ours[field], theirs[field]), field
    names = [history.players[player] for player in ours["player"][: hand.game.seats]]
    assert names == [tape.players[player] for player in theirs["player"][: hand.game.seats]]
    game = history.games[ours["rules"]]
    assert {**vars(game), "stacks": ()} == {**vars(hand.game), "stacks": ()}
    actions = history.actions[ours["first"] : ours["first"] + ours["actions"]]
    for field in ("position", "street", "action", "to", "amount", "to_call", "pot"):
        assert np.array_equal(actions[field], tape.actions[field]), field
    about, played = history.about[row], replay(hand)
    seats = slice(0, hand.game.seats)
    assert about["scale"] == hand.scale
    assert tuple(about["spent"][seats]) == played.spent
    assert tuple(about["uncalled"][seats]) == played.uncalled
    assert tuple(about["replayed"][seats]) == (played.payoffs or (0,) * hand.game.seats)
    assert tuple(ours["payoffs"][seats]) == (published_payoffs(hand, played) or tuple(about["replayed"][seats]))


def compared(history: History) -> int:
    """How many hands both readers took; where only one did, a free fold must be why."""
    rows = {(history.files[about["file"]], int(about["line"])): row for row, about in enumerate(history.about)}
    same = 0
    for file in history.files:
        for passage in passages(file):
            row = rows.get((file, passage.line))
            try:
                hand = parse_hand(passage)
            except HandError:
                assert row is None or history.about["free_folds"][row] > 0
                continue
            assert row is not None
            compare(history, row, hand)
            same += 1
    return same


def text_file(folder: Path, *hands: str) -> Path:
    place = folder / "hands.phhs"
    place.write_text("".join(f"[{number}]\n{hand}\n" for number, hand in enumerate(hands, 1)))
    return place


def test_real_hands_become_the_rows_that_the_complete_reader_gives() -> None:
    history = read_history(FILES)
    assert compared(history) > 150
    assert {FROM_STACKS, FROM_WINNINGS, FROM_RULES} <= set(history.about["result"].tolist())


def test_only_hands_that_are_refused_take_the_slow_way(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def parse(passage: Passage) -> Hand:
        asked.append(passage)
        return parse_hand(passage)

    monkeypatch.setattr("nemesis.observe.history.parse_hand", parse)
    history = read_history(FILES)
    assert len(asked) == len(history.rejected) < 10


def test_a_hand_in_full(tmp_path: Path) -> None:
    history = read_history([text_file(tmp_path, HAND)])
    about = history.about[0]
    assert [history.players[p] for p in history.hands["player"][0, :3]] == ["Ann", "Bob", "Cem"]
    assert history.hands["seat"][0, :3].tolist() == [2, 3, 0]
    assert history.hands["payoffs"][0, :3].tolist() == [-100, 700, -600]
    assert (history.labels[about["room"]], history.labels[about["table"]]) == ("Ours", "Oak")
    assert history.labels[about["currency"]] == "€"
    assert history.ids.tolist() == [b"7"]
    assert np.datetime64(int(about["time"]), "s") == np.datetime64("2024-02-29T12:30:05")
    assert (about["scale"], about["big_blind"], about["line"]) == (100, 200, 2)


def test_a_fold_where_a_check_was_free_is_kept_as_a_fold(tmp_path: Path) -> None:
    history = read_history([text_file(tmp_path, HAND)])
    last = history.actions[-1]
    assert (last["action"], last["to_call"], last["position"]) == (0, 0, 2)
    assert history.about["free_folds"].tolist() == [1]
    assert history.about["live"].tolist() == [0b010]


def test_what_the_fast_path_leaves_keeps_its_place_and_its_key(tmp_path: Path) -> None:
    """A comment makes a hand odd, and the complete reader gives the same row."""
    plain = HAND.replace("'p3 f']", "'p3 cbr 4', 'p2 f']").replace("winnings = [0, 13, 0]\n", "")
    odd = plain.replace("day = 29", "day = 29 # leap day")
    history = read_history([text_file(tmp_path, HAND, odd, plain.replace("hand = 7", "hand = 8"))])
    assert len(history) == 3
    assert history.ids.tolist() == [b"7", b"7", b"8"]
    again = read_history([text_file(tmp_path, HAND, plain)])
    assert history.about["key"][:2].tolist() == again.about["key"].tolist()
    for field in ("payoffs", "stacks", "shown", "seat", "actions"):
        assert np.array_equal(history.hands[field][1], again.hands[field][1]), field
    assert np.array_equal(
        history.actions["amount"], np.concatenate([again.actions["amount"], again.actions["amount"][5:]])
    )


def test_a_hand_has_one_key_wherever_it_stands(tmp_path: Path) -> None:
    other = HAND.replace("hand = 7", "hand = 8")
    keys = read_history([text_file(tmp_path, HAND, other, HAND)]).about["key"]
    assert keys[0] == keys[2] != keys[1]


def test_hands_without_a_room_are_told_apart_by_cards_and_actions(tmp_path: Path) -> None:
    bare = HAND.replace("venue = 'Ours'\n", "")
    keys = read_history([text_file(tmp_path, bare, bare.replace("2c7dKh", "2c7dKs"))]).about["key"]
    assert keys[0] != keys[1]


def test_rejected_hands_have_file_line_and_reason(tmp_path: Path) -> None:
    file = text_file(tmp_path, HAND, HAND.replace("p3 cbr 6", "p3 cbr 3"), HAND.replace("'NT'", "'PO'"))
    history = read_history([file])
    assert len(history) == 1
    short, omaha = history.rejected
    assert (short.file, short.hand, short.line) == (str(file), "2", 28)
    assert "legal was to fold, call 2 or raise to 4" in short.reason
    assert "known are NT" in omaha.reason


def test_heads_up_blinds_are_listed_the_other_way_round(tmp_path: Path) -> None:
    text = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [inf, 90]
actions = ['d dh p1 AsAd', 'd dh p2 ????', 'p2 cbr 90', 'p1 cc', 'p1 sm ????', 'd db 2c7dKh', 'd db 3s', 'd db 9c', \
'p1 sm AsAd', 'p2 sm KcKd']
"""
    history = read_history([text_file(tmp_path, text)])
    assert history.games[0].blinds == (2, 1)
    assert history.hands["payoffs"][0, :2].tolist() == [-90, 90]
    assert history.hands["shown"].tolist() == [3]
    assert history.hands["hole"][0, :4].tolist() == list(parse_cards("AsAdKcKd"))
    assert history.about["time"].tolist() == [NO_TIME]
    assert [history.players[p] for p in history.hands["player"][0, :2]] == ["p1", "p2"]


def test_batches_have_the_same_rows_as_one_reading() -> None:
    whole = read_history(FILES)
    parts = list(read_histories(FILES, text=4000))
    assert len(parts) > 20
    assert np.array_equal(np.concatenate([part.about["key"] for part in parts]), whole.about["key"])
    assert np.array_equal(np.concatenate([part.about["line"] for part in parts]), whole.about["line"])
    assert sum(len(part.rejected) for part in parts) == len(whole.rejected)
    names = [name for part in parts for name in (part.players[p] for p in part.hands["player"][:, 0])]
    assert names == [whole.players[p] for p in whole.hands["player"][:, 0]]


def test_mutated_hands_are_read_alike_or_refused_and_never_crash(tmp_path: Path) -> None:
    """Bytes flipped, lines cut, numbers made huge: what the fast path takes, the complete reader takes too."""
    chance = np.random.default_rng(12)
    originals = [passage.text for file in FILES for passage in passages(file)]
    mutated = []
    for number in range(400):
        text = bytearray(originals[number % len(originals)])
        for _ in range(int(chance.integers(1, 4))):
            at = int(chance.integers(len(text)))
            match int(chance.integers(4)):
                case 0:
                    text[at] ^= 1 << int(chance.integers(8))
                case 1:
                    del text[at : at + int(chance.integers(1, 80))]
                case 2:
                    text[at:at] = b"9" * int(chance.integers(1, 25))
                case _:
                    text[at] = text[int(chance.integers(len(text)))]
        mutated.append(bytes(text).replace(b"\n[", b"\n ["))
    file = tmp_path / "mutated.phhs"
    file.write_bytes(b"".join(b"[1]\n" + text + b"\n" for text in mutated))
    history = read_history([file])
    assert len(history) + len(history.rejected) == len(mutated)
    assert compared(history) > 50


@pytest.mark.parametrize("text", [b"", b"\n\n", b"[1]\n", b"\x00\xff", b"[1]\n[2]\nvariant"])
def test_files_that_are_no_histories(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "bad.phhs"
    file.write_bytes(text)
    history = read_history([file])
    assert len(history) == 0
    assert bool(history.rejected) == (text != b"\n\n")


@pytest.mark.parametrize("text", [b"[1]\n" * 3000, b"a\n[1]" * 3000, b"\n[1]\nhand =" * 500])
def test_many_headers_without_hands_are_rejected_one_by_one(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "headers.phhs"
    file.write_bytes(text)
    history = read_history([file])
    assert len(history) == 0
    assert len(history.rejected) == sum(1 for _ in passages(file))
