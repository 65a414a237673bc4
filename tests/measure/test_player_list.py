"""Lists of players: the same numbers as one by one, sorted by what is shown, and the hands behind each number."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nemesis.measure.player_hands import count_hands, played_hands, style_trail
from nemesis.measure.player_list import ORDERS, read_player_list
from nemesis.measure.player_numbers import NUMBERS, all_numbers, hands_of, player_numbers
from nemesis.observe.importing import import_files
from nemesis.observe.store import open_store

DATA = Path(__file__).parent.parent / "data"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("store") / "hands.duckdb"
    with open_store(place, writing=True) as store:
        import_files(store, [DATA])
    return place


def test_a_page_has_the_numbers_that_each_player_has_alone(filled: Path) -> None:
    with open_store(filled) as store:
        found = read_player_list(store)
        everyone = {(numbers.player, numbers.room): numbers for numbers in all_numbers(store)}
    assert len(found) == len(everyone) > 50
    page = found.numbers(found.find()[:20])
    assert page == [everyone[numbers.player, numbers.room] for numbers in page]
    assert [numbers.hands for numbers in page] == sorted((n.hands for n in everyone.values()), reverse=True)[:20]


@pytest.mark.parametrize("order", ORDERS)
def test_a_list_is_sorted_by_what_it_shows(filled: Path, order: str) -> None:
    with open_store(filled) as store:
        found = read_player_list(store)
    for descending in (False, True):
        rows = found.numbers(found.find(order=order, descending=descending))
        if order in ("player", "room"):
            shown: list[Any] = [getattr(numbers, order).lower() for numbers in rows]
        elif order == "hands":
            shown = [numbers.hands for numbers in rows]
        elif order == "won":
            shown = [numbers.won.mean for numbers in rows if numbers.won.mean is not None]
            assert all(numbers.won.mean is None for numbers in rows[len(shown) :])
        else:
            shown = [numbers.shares[order].estimate for numbers in rows]
        assert shown == sorted(shown, reverse=descending)


def test_a_list_is_filtered_by_name_room_and_hands(filled: Path) -> None:
    with open_store(filled) as store:
        found = read_player_list(store)
    everyone = found.numbers(found.find())
    some = found.numbers(found.find(named=everyone[0].player.upper()[:4]))
    assert some == [numbers for numbers in everyone if everyone[0].player.lower()[:4] in numbers.player.lower()]
    assert all(numbers.hands >= 9 for numbers in found.numbers(found.find(least=9)))
    room = everyone[0].room
    assert len(found.find(room=room)) == sum(numbers.room == room for numbers in everyone)
    assert len(found.find(named="no such player .*")) == 0
    with pytest.raises(ValueError, match="cannot be sorted by 'luck'"):
        found.find(order="luck")


def test_the_hands_behind_a_number_add_up_to_it(filled: Path) -> None:
    with open_store(filled) as store:
        found = read_player_list(store)
        at = int(found.find()[0])
        player, numbers = int(found.number[at]), found.numbers(np.array([at]))[0]
        for number in NUMBERS:
            share = numbers.shares[number.name]
            hands = played_hands(store, player, number.name, count=10_000)
            assert sum(hand.made for hand in hands) == share.made
            assert sum(hand.of for hand in hands) == share.of
            assert len(hands) == count_hands(store, player, number.name)
            behind = hands_of(store, numbers.player, number.name, numbers.room)
            assert {hand.name for hand in hands} == {hand["hand"] for hand in behind}
            done = played_hands(store, player, number.name, made=True, count=10_000)
            assert done == [hand for hand in hands if hand.made]
        pages = [played_hands(store, player, first=first, count=3) for first in range(0, numbers.hands, 3)]
        assert [hand for page in pages for hand in page] == played_hands(store, player, count=10_000)
        with pytest.raises(ValueError, match="'luck' is not a number"):
            played_hands(store, player, "luck")


def test_the_stretches_of_a_trail_are_all_hands_in_the_order_of_time(filled: Path) -> None:
    with open_store(filled) as store:
        found = read_player_list(store)
        at = int(found.find()[0])
        whole = player_numbers(store, found.names[at].as_py(), found.rooms[at].as_py())[0]
        trail = style_trail(store, int(found.number[at]), found.priors)
    assert sum(part.numbers.hands for part in trail) == whole.hands
    assert sum(part.numbers.shares["vpip"].made for part in trail) == whole.shares["vpip"].made
    times = [moment for part in trail for moment in (part.since, part.until) if moment is not None]
    assert times == sorted(times)
    assert [part.first for part in trail] == [sum(p.numbers.hands for p in trail[:i]) for i in range(len(trail))]
