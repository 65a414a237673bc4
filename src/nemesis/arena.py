"""Play by name: what Python users and the command line call.

import nemesis
result = nemesis.duel("la", "tp", game="limit", hands=100_000)
print(result.scores[0].mean, result.scores[0].ci95)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from nemesis.measure.contest import Precision, measure_table, measure_tournaments
from nemesis.measure.result import Result
from nemesis.observe.hand_file import HandFile, new_hand_file
from nemesis.play.by_name import player
from nemesis.play.live import LiveSession
from nemesis.play.luck import Kind
from nemesis.play.match import DEFAULT_TIME_LIMIT, Player, any_slow
from nemesis.play.session import OpenSeat, Session
from nemesis.play.table import Advance
from nemesis.play.tournament import DEFAULT_MOST_HANDS
from nemesis.play.workers import Workers, cores
from nemesis.respond.agent import Agent
from nemesis.respond.by_name import agent, game_for
from nemesis.rules.by_name import game as named_game
from nemesis.rules.game import Game
from nemesis.runtime.limits import SEED, TIME_LIMIT

_WORTH_A_POOL = 5_000_000
_WORTH_A_POOL_SLOW = 200_000
_HANDS_PER_TOURNAMENT = 50

Who = str | Agent | Player


def duel(
    first: Who,
    second: Who,
    *,
    game: str | Game | None = None,
    hands: int = 20_000,
    seed: int = 0,
    match_hands: int | None = None,
    stack: int | None = None,
    workers: Workers | None = None,
    precision: str | None = None,
    time_limit: float = DEFAULT_TIME_LIMIT,
    hands_to: str | Path | None = None,
    without_luck: Kind | None = None,
    until_significant: bool = False,
    progress: Advance = lambda done, total: None,
) -> Result:
    """Two players heads-up on the same deals with seats swapped; no-limit, or what a champion among them evolved for.

    With `hands_to`, a `.phhs` file, every hand is written down there. `without_luck` ("all-in" or "aivat") takes the luck of
    the cards out of hold'em; `until_significant` plays on until the answer is clear. The options are those of `table`,
    spelled out so that an editor shows them.
    """
    return table(
        [first, second], game=game, hands=hands, seed=seed, match_hands=match_hands, stack=stack, workers=workers,
        precision=precision, time_limit=time_limit, hands_to=hands_to, without_luck=without_luck,
        until_significant=until_significant, progress=progress,
    )  # fmt: skip


def table(
    players: Sequence[Who],
    *,
    game: str | Game | None = None,
    hands: int = 20_000,
    seed: int = 0,
    match_hands: int | None = None,
    stack: int | None = None,
    workers: Workers | None = None,
    precision: str | None = None,
    time_limit: float = DEFAULT_TIME_LIMIT,
    hands_to: str | Path | None = None,
    without_luck: Kind | None = None,
    until_significant: bool = False,
    progress: Advance = lambda done, total: None,
) -> Result:
    """Two to ten players, every rotation of the seats on the same deals; the game as for a duel."""
    _check(seed, time_limit)
    chosen = _game(players, game, "no-limit", stack)
    seated = [player(who) for who in players]
    with _hand_file(hands_to, chosen) as hand_file:
        return measure_table(
            seated, chosen, hands, seed=seed, match_hands=match_hands,
            workers=_workers_for(seated, chosen, hands) if workers is None else workers,
            precision=_precision(precision), time_limit=time_limit, hand_file=hand_file, without_luck=without_luck,
            until_significant=until_significant, progress=progress,
        )  # fmt: skip


def tournament(
    players: Sequence[Who],
    *,
    game: str | Game | None = None,
    tournaments: int = 10_000,
    seed: int = 0,
    most_hands: int = DEFAULT_MOST_HANDS,
    stack: int | None = None,
    workers: Workers | None = None,
    precision: str | None = None,
    time_limit: float = DEFAULT_TIME_LIMIT,
    hands_to: str | Path | None = None,
    progress: Advance = lambda done, total: None,
) -> Result:
    """Freeze-outs until one player has every chip; one-card poker, or what a champion among them evolved for."""
    _check(seed, time_limit)
    chosen = _game(players, game, "one-card", stack)
    seated = [player(who) for who in players]
    with _hand_file(hands_to, chosen) as hand_file:
        return measure_tournaments(
            seated, chosen, tournaments, seed=seed, most_hands=most_hands,
            workers=_workers_for(seated, chosen, tournaments * _HANDS_PER_TOURNAMENT) if workers is None else workers,
            precision=_precision(precision), time_limit=time_limit, hand_file=hand_file, progress=progress,
        )  # fmt: skip


def session(
    players: Sequence[Who | OpenSeat],
    *,
    game: str | Game | None = None,
    hands: int | None = None,
    seed: int = 0,
    stack: int | None = None,
    freeze_out: bool | None = None,
    live: bool = False,
    time_limit: float = DEFAULT_TIME_LIMIT,
) -> Session:
    """A match that waits for its open seats; with `live`, cards come from outside. The game as for a duel."""
    _check(seed, time_limit)
    chosen = _game(players, game, "no-limit", stack)
    seated = [who if isinstance(who, OpenSeat) else _named(who) for who in players]
    kind = LiveSession if live else Session
    return kind(chosen, seated, seed=seed, hands=hands, freeze_out=freeze_out, time_limit=time_limit)


def restore_session(saved: Mapping[str, Any], time_limit: float = DEFAULT_TIME_LIMIT) -> Session:
    """The session that `save` wrote down, its agents found by name."""
    kind = LiveSession if isinstance(saved, Mapping) and saved.get("cards") == LiveSession.cards else Session
    return kind.restore(saved, _named, time_limit)


def _game(players: Sequence[Who | OpenSeat], game: str | Game | None, usual: str, stack: int | None) -> Game:
    """The game by name, or what a champion among the players evolved for, or the usual one."""
    return named_game(game_for(players, usual) if game is None else game, len(players), stack)


def _precision(text: str | None) -> Precision | None:
    return None if text is None else Precision.parse(text)


def _hand_file(path: str | Path | None, game: Game) -> AbstractContextManager[HandFile | None]:
    return nullcontext() if path is None else new_hand_file(path, game)


def _named(who: Who) -> Player:
    """A player whose label is the name that finds it again."""
    return Player(who, partial(agent, who)) if isinstance(who, str) else player(who)


def _check(seed: int, time_limit: float) -> None:
    SEED.check(seed)
    TIME_LIMIT.check(time_limit)


def _workers_for(players: Sequence[Player], game: Game, hands: int) -> int:
    """Every core when the work is worth starting processes for, else this process alone."""
    return cores() if hands >= (_WORTH_A_POOL_SLOW if any_slow(players, game) else _WORTH_A_POOL) else 1
