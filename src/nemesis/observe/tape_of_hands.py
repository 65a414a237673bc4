"""Finished hands of any source put on a tape, checked by the betting engine."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np

from nemesis.observe.columns import ACTION_ROW, HAND_ROW, Columns, new_columns
from nemesis.observe.desk import empty_seats
from nemesis.observe.hand import Hand, HandError, replay
from nemesis.observe.recital import new_recital, recite
from nemesis.observe.tape import Tape
from nemesis.observe.taped_players import NOBODY
from nemesis.observe.view import NOT_YET
from nemesis.rules.betting import RAISE
from nemesis.rules.deal import FACTS
from nemesis.rules.game import MAX_SEATS, Game

_SEAT_NUMBERS = frozenset(range(1, MAX_SEATS + 1))


def tape_of(hands: Iterable[Hand], facts: Collection[str] = FACTS) -> Tape:
    """The hands on a tape, walked through the betting engine; `HandError` where it allows them not.

    A player keeps a seat from hand to hand: the one the source gives (`seats`), else by name; without names seats are
    positions. The match and the number of a hand are the source's if it is one of ours, else hands count from 0.
    What was won is the source's own where it gives it, else what the replay makes of it, 0 if that cannot be known.
    """
    listed = list(hands)
    if not listed:
        return Tape((), (), *new_columns())
    games: dict[tuple[object, ...], int] = {}
    kinds: list[Game] = []
    names: dict[str, int] = {}
    chairs: dict[str, int] = {}
    rows = np.zeros(len(listed), HAND_ROW)
    counts = [len(hand.actions) for hand in listed]
    for at, hand in enumerate(listed):
        game = hand.game
        key = tuple(value for name, value in vars(game).items() if name != "stacks")
        if key not in games:
            games[key] = len(kinds)
            kinds.append(game)
        players = hand.players or tuple(f"p{position + 1}" for position in range(game.seats))
        _fill_row(rows[at], hand, games[key], [names.setdefault(name, len(names)) for name in players])
        told = dict(hand.source)
        rows["match"][at], rows["hand"][at] = _numbers(told, at)
        rows["seat"][at, : game.seats] = _seats(hand, told, chairs)
    _check_decks(kinds)
    rows["actions"] = counts
    rows["first"] = np.cumsum(counts) - counts
    actions = np.zeros(sum(counts), ACTION_ROW)
    done = np.array([action for hand in listed for action in hand.actions], np.int64)
    actions["action"], actions["to"] = np.minimum(done, RAISE), np.where(done < RAISE, 0, done)
    draft = Tape(tuple(kinds), tuple(names), rows, actions)
    recital = new_recital(draft, empty_seats(), np.full((len(listed), draft.seats), NOBODY), facts)
    desk = recital.desk._replace(columns=Columns(new_columns().hands, np.zeros(len(actions) + 1, ACTION_ROW)))
    recite(recital._replace(desk=desk), draft, listed)
    complete = desk.columns.actions[: len(actions)]
    complete["hand"] = np.repeat(np.arange(len(listed)), counts)
    return Tape(draft.games, draft.players, rows, complete)


def _fill_row(row: Any, hand: Hand, game: int, players: Sequence[int]) -> None:
    """Write what a hand's row has of the hand itself. Writes `row`."""
    seats, width = hand.game.seats, hand.game.hole_cards
    row["rules"], row["seats"] = game, seats
    row["shown"] = sum(1 << p for p in hand.shown)
    row["stacks"][:seats] = hand.game.stacks
    row["payoffs"][:seats] = hand.payoffs or replay(hand).payoffs or 0
    row["player"][:seats] = players
    holes = np.zeros((MAX_SEATS, 2), np.int8)
    holes[:seats] = NOT_YET
    for position, cards in enumerate(hand.hole):
        if cards:
            holes[position, :width] = cards
    row["hole"] = holes.ravel()
    row["board"] = NOT_YET
    row["board"][: len(hand.board)] = hand.board


def _numbers(told: dict[str, object], at: int) -> tuple[int, int]:
    """The match and the number of a hand."""
    match, number = told.get("_match"), told.get("hand")
    if isinstance(match, int) and isinstance(number, int) and match > 0 and number > 0:
        return match - 1, number - 1
    return 0, at


def _seats(hand: Hand, told: dict[str, object], chairs: dict[str, int]) -> list[int]:
    """The seat of each position. Writes `chairs`, the seats of everybody who was not driven from them."""
    count, given = hand.game.seats, told.get("seats")
    if isinstance(given, tuple) and len(set(given)) == count == len(given) and set(given) <= _SEAT_NUMBERS:
        return [seat - 1 for seat in given]
    if len(set(hand.players)) != count:
        return list(range(count))
    kept = {chairs[name] for name in hand.players if name in chairs}
    free = (seat for seat in range(MAX_SEATS) if seat not in kept)
    for name in hand.players:
        if name not in chairs:
            taken = next(free)
            for other in [other for other, seat in chairs.items() if seat == taken]:
                del chairs[other]
            chairs[name] = taken
    return [chairs[name] for name in hand.players]


def _check_decks(games: Sequence[Game]) -> None:
    decks = {(game.ranks, game.suits, game.hole_cards, game.board_cards): game.name for game in games}
    if len(decks) > 1:
        raise HandError(
            f"hands of {' and of '.join(decks.values())} are dealt from different decks; use a tape for each"
        )
