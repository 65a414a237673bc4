"""One visitor's table: a session with the visitor in seat 0, and what is to be told about it.

A table is its seating and the actions given, so that is what is kept, and `restored` plays it again. Events of the visitor's
seat become lines of the hand's history; what others hold is told when they show it and not before. Opponents that are
compiled are seated with open minds (`measure.mind`), which changes nothing about how they play.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Any

import numpy as np

from nemesis.believe.style_belief import StyleBelief
from nemesis.believe.tables import action_table
from nemesis.lab.deal import Choice, Deal
from nemesis.lab.opponents import watched_player
from nemesis.lab.shapes.felt import SeatShown
from nemesis.measure.interval import mean_interval
from nemesis.measure.mind import Mind, Watched
from nemesis.measure.result import numbered
from nemesis.names import GAMES, unknown
from nemesis.observe.event import ACTS, ENDS, SHOWS, STARTS, Event
from nemesis.observe.phh_text import check_game, write_hands
from nemesis.observe.view import View
from nemesis.play.match import Player
from nemesis.play.session import Legal, OpenSeat, Session
from nemesis.respond.agent import Agent
from nemesis.rules.by_name import game as named_game
from nemesis.rules.game import MAX_SEATS, Game
from nemesis.runtime.limits import SEED, STACK

YOU = 0
MOST_HANDS = 3_000
"""Hands that a visitor's table is kept for; then a new one is begun."""


@dataclass(frozen=True)
class Seating:
    """Which game, who sits in the seats after the visitor's, and the seed of the cards."""

    game: str
    opponents: tuple[str, ...]
    seed: int
    stack: int | None = None

    def made_game(self) -> Game:
        """The game for this many seats; a `ValueError` says what is wrong with it."""
        if self.game not in GAMES:
            raise unknown("game", self.game, GAMES)
        if not 1 <= len(self.opponents) < MAX_SEATS:
            raise ValueError(f"a table has 2 to {MAX_SEATS} seats, not {len(self.opponents) + 1}")
        SEED.check(self.seed)
        if self.stack is not None:
            STACK.check(self.stack)
        return named_game(self.game, len(self.opponents) + 1, self.stack)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"game": self.game, "opponents": list(self.opponents), "seed": self.seed, "stack": self.stack}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Seating:
        """From what `to_json` gave."""
        return cls(str(data["game"]), tuple(map(str, data["opponents"])), int(data["seed"]), data.get("stack"))


class Table:
    """A visitor at a table of agents."""

    def __init__(self, seating: Seating) -> None:
        self.seating = seating
        self.lock = Lock()
        """Held while somebody acts: a visitor may have two windows."""
        self.game = seating.made_game()
        self.names = ("you", *numbered(seating.opponents))
        self.minds: dict[int, Watched] = {}
        self.given: list[int] = []
        self.results: list[int] = []
        self.past: list[Deal] = []
        self._ended: list[Deal] = []
        self.counter: Agent | None = None
        self.counter_name = ""
        self.trail: list[tuple[float, ...]] = []
        """What was believed about the visitor after each hand."""
        self.observer = style_observer(self.game)
        self._deal: Deal | None = None
        self._chips = self.game.stacks
        players: list[Player | OpenSeat] = [OpenSeat("you")]
        players += [self._player(seat, name) for seat, name in enumerate(seating.opponents, 1)]
        self.session = Session(self.game, players, seed=seating.seed, time_limit=0)
        self._hear()
        self._ended.clear()  # a visitor who sits down sees a hand to play

    def _player(self, seat: int, name: str) -> Player:
        player = watched_player(name)
        return Player(player.label, partial(self._seated, seat, player))

    def _seated(self, seat: int, player: Player, game: Game) -> Agent:
        made = player.make(game)
        if isinstance(made, Watched):
            self.minds[seat] = made
        return made

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Table:
        """The table that was saved, at the same place of the same hand."""
        table = cls(Seating.from_json(saved["seating"]))
        for action in saved["given"]:
            table.act(int(action))
        showing = int(saved.get("showing", 0))
        table._ended = table._ended[-showing:] if showing else []
        return table

    def save(self) -> dict[str, Any]:
        """All that it takes to restore this table, as plain JSON."""
        return {"seating": self.seating.to_json(), "given": list(self.given), "showing": len(self._ended)}

    @property
    def finished(self) -> bool:
        """Whether somebody has every chip, or the table has seen enough hands."""
        return self.session.finished or len(self.results) >= MOST_HANDS

    @property
    def over(self) -> Deal | None:
        """The hand that has ended and that the visitor has not yet left; several may end before the next decision."""
        return self._ended[0] if self._ended else None

    @property
    def view(self) -> View:
        """What the visitor may know now."""
        return self.session.view

    @property
    def legal(self) -> Legal:
        """What the visitor may do now."""
        return self.session.legal

    @property
    def hand(self) -> Deal:
        """The hand to show: the one that has just ended, or the one in play."""
        shown = self.over or self._deal or (self.past[-1] if self.past else None)
        assert shown is not None
        return shown

    def act(self, action: int) -> None:
        """Play the visitor's action, and on until the visitor must act again."""
        view = self.session.view
        self.session.act(action)
        if self._deal is not None:
            self._deal.choices.append(Choice(view, action))
        self.given.append(action)
        self._ended.clear()
        self._hear()

    def next_hand(self) -> None:
        """The visitor has seen how the hand ended."""
        del self._ended[:1]

    def seats(self) -> list[SeatShown]:
        """Everybody at the table, as drawn now."""
        deal = self.hand
        ended = bool(deal.payoffs)
        view = None if ended else self.session.view
        found = []
        for seat, name in enumerate(self.names):
            folded = seat in deal.folded
            dealt = deal.started[seat] > 0
            cards: tuple[int | None, ...] = deal.hole if seat == YOU else deal.shown.get(seat, ())
            if not cards and dealt and not (folded and seat != YOU):
                cards = (None,) * self.game.hole_cards
            chips = deal.started[seat] + deal.payoffs[seat] if ended else view.chips[seat] if view else 0
            wager = 0 if ended or view is None else view.wagers[seat]
            won = deal.payoffs[seat] if ended else None
            acts = not ended and seat == YOU
            did, colour = deal.tag(seat, name)
            found.append(
                SeatShown(
                    name, int(chips), int(wager), cards if dealt else (), folded,
                    did, colour,
                    acts, seat == deal.button, won,
                )
            )  # fmt: skip
        return found

    def pot(self) -> int:
        """The chips in the middle."""
        return self.hand.pot if self.hand.payoffs else int(self.session.view.pot)

    def mind(self, seat: int) -> Mind | None:
        """What an opponent thought at its last decision of the hand that is shown; None if it made none."""
        return self.minds[seat].thought(self.hand.number) if seat in self.minds else None

    def believed(self) -> tuple[tuple[str, ...], tuple[float, ...], str]:
        """Which style the visitor is taken for: styles, shares, and by whom; the first opponent that believes counts."""
        for seat, watched in self.minds.items():
            mind = watched.now
            if mind.beliefs:
                return mind.styles, mind.beliefs[YOU], self.names[seat]
        if self.observer is not None:
            return self.observer.table.styles, tuple(self.observer.posterior(YOU).tolist()), ""
        return (), (), ""

    def advice(self, deal: Deal) -> list[int | None]:
        """What the best known counter would have done at each decision of the visitor in a hand."""
        if self.counter is None:
            return [None] * len(deal.choices)
        self.counter.sit(self.game, YOU)
        return [int(self.counter.act(View(choice.view.record.copy()))) for choice in deal.choices]

    def rate(self) -> tuple[float, float, float]:
        """What the visitor takes a hand, with the 95 % interval, in the game's unit."""
        mean, (low, high) = mean_interval(np.array(self.results) * self.game.unit[1])
        return mean, low, high

    def phh(self) -> str:
        """Every finished hand as PHH text."""
        check_game(self.game)
        return "".join(write_hands(self.session.hands))

    def _hear(self) -> None:
        """Write down what the last call brought."""
        for event in self.session.told:
            if event.me == YOU:
                self._tell(event)
                self._observe(event)
        if self._deal is not None and not self._deal.hole and not self.session.finished:
            self._deal.hole = self.session.hole(YOU)

    def _tell(self, event: Event) -> None:
        if event.kind == STARTS:
            self._deal = Deal(event.hand, event.seat, self.session.hole(YOU), started=self._chips)
        elif self._deal is not None and event.kind == ENDS:
            self._end(self._deal, event)
        elif self._deal is not None:
            self._deal.tell(event, self.game, self.names, YOU)

    def _end(self, deal: Deal, event: Event) -> None:
        deal.payoffs = tuple(event.payoffs[: self.game.seats])
        deal.pot = event.pot
        if not deal.hole:
            position = _position_of(self.session.hands[-1].players, "you") if self.session.hands else None
            deal.hole = self.session.hands[-1].hole[position] if position is not None else ()
        if self.session.freeze_out:
            self._chips = tuple(c + p for c, p in zip(self._chips, deal.payoffs, strict=True))
        self.results.append(event.payoff)
        self.past.append(deal)
        self._ended.append(deal)
        self._deal = None
        styles, shares, _ = self.believed()
        if styles:
            self.trail.append(shares)

    def _observe(self, event: Event) -> None:
        if self.observer is not None and event.kind in (ACTS, SHOWS):
            seen = event.record.copy()
            seen["me"] = -1  # somebody who only looks on
            self.observer.watch(Event(seen))


def _position_of(players: tuple[str, ...], label: str) -> int | None:
    return players.index(label) if label in players else None


def style_observer(game: Game) -> StyleBelief | None:
    """Somebody who looks on and believes by Bayes' rule; None where no table of the styles' actions is known."""
    try:
        table = action_table(game)
        return StyleBelief(table.for_variant("plain"), game.seats, variant="plain")
    except ValueError:
        return None
