"""The rows of a store of hands, made from the columns of a `History`, as Arrow columns by name.

A seat's row has the counts of `observe.seat_counts`, so every statistic is a sum over rows and can list its hands; an
action's row has the exact win probability and strength of the player's cards where the source knows them. Amounts are
chips; a hand's `scale` says how many make a unit of its currency.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from nemesis.observe.about import NO_TIME, UNKNOWN
from nemesis.observe.all_in import adjusted_payoffs
from nemesis.observe.history import History
from nemesis.observe.packed_counts import packed
from nemesis.observe.seat_counts import count_seats
from nemesis.rules.cards import DECK, card_text
from nemesis.rules.deal import FACTS, Bank, deal_tables, evaluate_rows, plan_deals
from nemesis.rules.game import MAX_SEATS, Game
from nemesis.rules.games import no_limit

RESULTS = ("unknown", "stacks", "winnings", "rules")
_TEXTS = np.array([*(card_text(card) for card in range(DECK)), ""], "S2")


def hand_columns(
    history: History, hands: NDArray[np.int64], files: dict[str, int], games: NDArray[np.int32]
) -> dict[str, Any]:
    """The rows of hands; `hands`, `files` and `games` are the store's numbers of them, the last by the history's."""
    d, b = history.hands, history.about
    known = b["result"] != UNKNOWN
    rake = -np.where(np.arange(MAX_SEATS) < d["seats"][:, None], d["payoffs"], 0).sum(axis=1)
    numbers = np.array([files.get(file, -1) for file in history.files])
    return {
        "hand": hands,
        "key": b["key"].copy(),
        "name": pa.array(history.ids).cast(pa.string(), safe=False),
        "room": _labels(history.labels, b["room"]),
        "table": _labels(history.labels, b["table"]),
        "time": _times(b["time"]),
        "currency": _labels(history.labels, b["currency"]),
        "scale": b["scale"].astype(np.int32),
        "big_blind": b["big_blind"].copy(),
        "game": games[d["rules"]],
        "seats": d["seats"].astype(np.uint8),
        "actions": d["actions"].astype(np.uint16),
        "board": _cards(d["board"]),
        "result": _labels(RESULTS, b["result"]),
        "rake": pa.array(rake, mask=~known),
        "free_folds": b["free_folds"].astype(np.uint8),
        "file": numbers[b["file"]].astype(np.int32),
        "line": b["line"].copy(),
    }


def seat_columns(history: History, hands: NDArray[np.int64], players: NDArray[np.int64]) -> dict[str, Any]:
    """The rows of seats; `hands` and `players` are the store's numbers of them, the last by hand and position."""
    d, b = history.hands, history.about
    dealt = dealt_seats(history)
    rows, positions = np.nonzero(dealt)
    holes = d["hole"].reshape(-1, MAX_SEATS, 2)[dealt]
    known = (b["result"] != UNKNOWN)[rows]
    decided = (b["decided"] != 0)[rows]
    return {
        "hand": hands[rows],
        "position": positions.astype(np.uint8),
        "seat": d["seat"][dealt].astype(np.uint8),
        "player": players[dealt].astype(np.int32),
        "dealt": d["seats"][rows].astype(np.uint8),
        "time": _times(b["time"][rows]),
        "big_blind": b["big_blind"][rows],
        "stack": d["stacks"][dealt],
        "payoff": pa.array(d["payoffs"][dealt], mask=~known),
        "by_rules": pa.array(b["replayed"][dealt], mask=~decided),
        "adjusted": pa.array(adjusted_payoffs(d, history.actions, b)[dealt], mask=~known),
        "spent": b["spent"][dealt],
        "uncalled": b["uncalled"][dealt],
        "cards": _none_if_empty(_cards(holes), holes[:, 0] < 0),
        "shown": (d["shown"][rows] >> positions & 1).astype(bool),
        "folded": (b["live"][rows] >> positions & 1) == 0,
        "post": (b["posts"][rows] >> positions & 1).astype(bool),
        "counts": packed(count_seats(d, history.actions, b)),
    }


def action_columns(history: History, hands: NDArray[np.int64], players: NDArray[np.int64]) -> dict[str, Any]:
    """The rows of actions; the numbers are as those of seats."""
    a = history.actions
    rows, positions = a["hand"], a["position"].astype(np.int64)
    win, strength = facts(history)
    return {
        "hand": hands[rows],
        "number": (np.arange(len(a)) - history.hands["first"][rows]).astype(np.uint16),
        "player": players[rows, positions].astype(np.int32),
        "position": positions.astype(np.uint8),
        "street": a["street"].astype(np.uint8),
        "action": a["action"].astype(np.uint8),
        "amount": a["amount"].copy(),
        "to": a["to"].copy(),
        "to_call": a["to_call"].copy(),
        "pot": a["pot"].copy(),
        "stack": stacks_before(history),
        "win": pa.array(win, mask=np.isnan(win)),
        "strength": pa.array(strength, mask=np.isnan(strength)),
    }


def stacks_before(history: History) -> NDArray[np.int64]:
    """By action, the chips that the player had behind."""
    a = history.actions
    seats = a["hand"] * MAX_SEATS + a["position"]
    order = np.argsort(seats, kind="stable")
    amounts = a["amount"][order]
    put_in = np.cumsum(amounts)
    begins = np.ones(len(order), bool)
    begins[1:] = seats[order][1:] != seats[order][:-1]
    starts = np.flatnonzero(begins)
    lengths = np.diff(np.append(starts, len(order)))
    before = put_in - amounts
    earlier = before - np.repeat(before[starts], lengths)
    total = np.add.reduceat(amounts, starts) if len(starts) else amounts
    posted = history.about["spent"].ravel()[seats[order]] - np.repeat(total, lengths)
    behind = np.empty(len(order), np.int64)
    behind[order] = history.hands["stacks"].ravel()[seats[order]] - posted - earlier
    return behind


def facts(history: History) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """By action, the exact win probability and strength of the player's cards, NaN where they are not known."""
    win = np.full((len(history), MAX_SEATS, 4), np.nan, np.float32)
    strength = win.copy()
    holes = history.hands["hole"].reshape(-1, MAX_SEATS, 2)
    rows, positions = np.nonzero(dealt_seats(history) & (holes[:, :, 0] >= 0))
    if rows.size:
        game = no_limit()
        own, boards = holes[rows, positions], history.hands["board"][rows]
        bank = Bank(
            own.astype(np.uint8)[:, None, :],
            _completed(boards, own),
            np.zeros((rows.size, 1), np.int32),
            np.full((rows.size, 1, 4), np.nan, np.float32),
            np.full((rows.size, 1, 4), np.nan, np.float32),
        )
        evaluate_rows(plan_deals(game, FACTS), deal_tables(game, FACTS), 0, rows.size, bank)
        unknown = (boards >= 0).sum(axis=1)[:, None] < np.array([0, 3, 4, 5])
        for target, source in ((win, bank.win), (strength, bank.strength)):
            target[rows, positions] = np.where(unknown, np.nan, source[:, 0])
    a = history.actions
    place = a["hand"], a["position"], a["street"]
    return win[place], strength[place]


def _completed(boards: NDArray[np.int8], own: NDArray[np.int8]) -> NDArray[np.uint8]:
    """The boards with unused cards for what was not dealt."""
    filled = boards.astype(np.int64)
    for card in range(5):
        missing = filled[:, card] < 0
        if missing.any():
            used = np.concatenate([filled[missing], own[missing]], axis=1)
            free = np.stack([(used != spare).all(axis=1) for spare in range(8)])
            filled[missing, card] = free.argmax(axis=0)
    return filled.astype(np.uint8)


def moment(seconds: int) -> Any:
    """A time in seconds as the store's queries take it."""
    return np.datetime64(int(seconds), "s").item()


def _times(seconds: NDArray[np.int64]) -> pa.Array:
    unknown = seconds == NO_TIME
    return pa.array(np.where(unknown, 0, seconds).astype("datetime64[s]"), mask=unknown)


def _labels(labels: Sequence[str], numbers: NDArray[Any]) -> pa.Array:
    """Texts by number, each of which is passed on once."""
    found, places = used(numbers, len(labels))
    return pa.DictionaryArray.from_arrays(
        pa.array(places.astype(np.int32)), pa.array([labels[at] for at in found.tolist()])
    )


def used(numbers: NDArray[Any], most: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Which of the numbers below `most` there are, and the place of each among them: `np.unique` without sorting."""
    seen = np.zeros(most, bool)
    seen[numbers] = True
    return np.flatnonzero(seen), (np.cumsum(seen) - 1)[numbers]


def _cards(cards: NDArray[np.int8]) -> pa.Array:
    """Rows of cards as text; what is not known comes last and is left out."""
    texts = np.ascontiguousarray(_TEXTS[cards])
    joined = texts.view(f"S{2 * cards.shape[1]}").reshape(len(cards))
    return pa.array(joined).cast(pa.string())


def rules_text(game: Game) -> str:
    """A game without the stacks of one hand, as text."""
    return json.dumps({**vars(game), "stacks": None}, sort_keys=True)


def dealt_seats(history: History) -> NDArray[np.bool_]:
    """By hand and position, whether somebody sat there."""
    dealt: NDArray[np.bool_] = np.arange(MAX_SEATS) < history.hands["seats"][:, None]
    return dealt


def _none_if_empty(texts: pa.Array, empty: NDArray[np.bool_]) -> pa.Array:
    return pc.if_else(pa.array(~empty), texts, pa.scalar(None, pa.string()))
