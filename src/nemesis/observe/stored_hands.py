"""Hands of a store as columns again, and as finished hands, in the order in which they came."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.about import ABOUT_ROW, NO_TIME
from nemesis.observe.columns import ACTION_ROW, HAND_ROW
from nemesis.observe.hand import Hand
from nemesis.observe.history import History
from nemesis.observe.store import Store
from nemesis.observe.store_rows import RESULTS
from nemesis.observe.tape import Move, finished_hands
from nemesis.observe.view import NOT_YET
from nemesis.rules.cards import RANKS, SUITS
from nemesis.rules.game import MAX_SEATS, Game

PUBLISHED = ("stacks", "winnings")
"""Results that the source told, not the rules."""
PART = 20_000
"""Hands that are read at a time."""
_SEAT = "hand, position, seat, player, stack, payoff, by_rules, spent, uncalled, cards, shown, folded, post"
_OF_BYTE = np.full(256, NOT_YET, np.int64)
_OF_BYTE[[ord(letter) for letter in RANKS]] = range(13)
_OF_BYTE[[ord(letter) for letter in SUITS]] = range(4)


def stored_hands(store: Store, player: str | None = None, room: str | None = None) -> Iterator[tuple[Hand, list[Move]]]:
    """The hands of the store, or those of one player, as records with their actions one by one."""
    for history in stored_history(store, player, room):
        for row, (hand, moves) in enumerate(finished_hands(history.tape())):
            yield _with_source(hand, history, row), moves


def _with_source(hand: Hand, history: History, row: int) -> Hand:
    """The hand with its posts, its unit and what the source told."""
    about = history.about[row]
    told: dict[str, object] = {}
    for name, field in (("venue", "room"), ("table", "table"), ("currency_symbol", "currency")):
        if history.labels[about[field]]:
            told[name] = history.labels[about[field]]
    if about["time"] != NO_TIME:
        moment = np.datetime64(int(about["time"]), "s").item()
        told |= {"time": moment.time(), "day": moment.day, "month": moment.month, "year": moment.year}
    name = history.ids[row].decode(errors="replace")
    if name:
        told["hand"] = int(name) if name.isdigit() and len(name) < 18 and str(int(name)) == name else name
    told["seats"] = dict(hand.source)["seats"]
    posts = tuple(p for p in range(hand.game.seats) if about["posts"] >> p & 1)
    return dataclasses.replace(
        hand,
        posts=posts,
        scale=int(about["scale"]),
        payoffs=hand.payoffs if RESULTS[about["result"]] in PUBLISHED else None,
        source=tuple(told.items()),
    )


def stored_history(store: Store, player: str | None = None, room: str | None = None) -> Iterator[History]:
    """The hands of the store, or those of one player, as columns, a part at a time."""
    chosen = "SELECT hand FROM hands"
    values: list[object] = []
    if player is not None:
        chosen, values = "SELECT DISTINCT hand FROM seats WHERE player = ?", [store.find_player(player, room)[0]]
    yield from chosen_history(store, store.arrays(f"{chosen} ORDER BY hand", values)["hand"])


def chosen_history(store: Store, numbers: NDArray[np.int64]) -> Iterator[History]:
    """The hands of these numbers, which must grow, as columns, a part at a time."""
    names = [name for (name,) in store.rows("SELECT name FROM players ORDER BY player")]
    games = [_game(rules) for (rules,) in store.rows("SELECT rules FROM games ORDER BY game")]
    files = [path for (path,) in store.rows("SELECT path FROM files ORDER BY file")]
    labels: dict[str, int] = {}  # of all parts, so that parts can be joined
    for first in range(0, len(numbers), PART):
        yield _history(store, numbers[first : first + PART], names, games, files, labels)


def _history(
    store: Store,
    numbers: NDArray[np.int64],
    names: list[str],
    games: list[Game],
    files: list[str],
    labels: dict[str, int],
) -> History:
    """The columns of these hands. Writes `labels`."""
    store.connection.register("wanted", {"hand": np.ascontiguousarray(numbers)})
    told = store.arrays("SELECT * FROM hands JOIN wanted USING (hand) ORDER BY hand")
    seats = store.arrays(f"SELECT {_SEAT} FROM seats JOIN wanted USING (hand) ORDER BY hand, position")
    played = store.arrays("SELECT * FROM actions JOIN wanted USING (hand) ORDER BY hand, number")
    store.connection.unregister("wanted")
    count = len(numbers)
    hands, about = np.zeros(count, HAND_ROW), np.zeros(count, ABOUT_ROW)
    row = np.searchsorted(numbers, seats["hand"])
    place = row, seats["position"].astype(np.int64)
    hands["hand"] = np.arange(count)
    hands["rules"], hands["seats"], hands["actions"] = told["game"], told["seats"], told["actions"]
    hands["first"] = np.cumsum(hands["actions"]) - hands["actions"]
    hands["board"] = _numbers_of(told["board"], 5)
    holes = np.where(np.arange(MAX_SEATS)[:, None] < hands["seats"][:, None, None], NOT_YET, 0)
    holes = np.broadcast_to(holes, (count, MAX_SEATS, 2)).copy()
    holes[place] = _numbers_of(np.ma.filled(seats["cards"], ""), 2)
    hands["hole"] = holes.reshape(count, -1)
    for field, column in (("stacks", "stack"), ("player", "player"), ("seat", "seat"), ("payoffs", "payoff")):
        _set(hands, field, place, np.ma.filled(seats[column], 0))
    for field, column in (("spent", "spent"), ("uncalled", "uncalled"), ("replayed", "by_rules")):
        _set(about, field, place, np.ma.filled(seats[column], 0))
    bits = np.left_shift(1, place[1])
    np.bitwise_or.at(hands["shown"], row, np.where(seats["shown"], bits, 0))
    np.bitwise_or.at(about["live"], row, np.where(seats["folded"], 0, bits))
    np.bitwise_or.at(about["posts"], row, np.where(seats["post"], bits, 0))
    decided = np.zeros(count, bool)
    decided[row[~np.ma.getmaskarray(seats["by_rules"])]] = True
    about["decided"] = decided
    for field in ("room", "table", "currency"):
        about[field] = [labels.setdefault(text, len(labels)) for text in told[field].tolist()]
    for field in ("key", "scale", "big_blind", "file", "line", "free_folds"):
        about[field] = told[field]
    times = told["time"]
    seconds = np.ma.getdata(times).astype("datetime64[s]").astype(np.int64)
    about["time"] = np.where(np.ma.getmaskarray(times), NO_TIME, seconds)
    about["result"] = [RESULTS.index(text) for text in told["result"].tolist()]
    actions = np.zeros(len(played["hand"]), ACTION_ROW)
    actions["hand"] = np.searchsorted(numbers, played["hand"])
    for field in ("to", "amount", "to_call", "pot", "position", "street", "action"):
        actions[field] = played[field]
    for field in ("win", "strength"):
        actions[field] = np.ma.filled(played[field], np.nan)
    actions["seat"] = hands["seat"][actions["hand"], actions["position"]]
    ids = np.array([text.encode() for text in told["name"].tolist()] or [b""], "S")[:count]
    return History(hands, actions, about, ids, [], files, games, names, list(labels))


def _set(rows: NDArray[np.void], field: str, place: tuple[Any, Any], values: NDArray[Any]) -> None:
    rows[field][place] = values


def _numbers_of(texts: Any, most: int) -> NDArray[np.int64]:
    """Rows of cards from their texts, -1 for those that are not there."""
    cells = np.array([text.encode() for text in texts.tolist()] or [b""], f"S{2 * most}")
    letters = np.frombuffer(cells.tobytes(), np.uint8).reshape(-1, most, 2)
    cards = 4 * _OF_BYTE[letters[:, :, 0]] + _OF_BYTE[letters[:, :, 1]]
    return np.where(letters[:, :, 0] == 0, NOT_YET, cards)[: len(texts)]


def _game(rules: str) -> Game:
    told: dict[str, Any] = json.loads(rules)
    frozen: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in told.items()}
    frozen["stacks"] = (1,) * len(told["blinds"])
    return Game(**frozen)
