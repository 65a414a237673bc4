"""Agents play each other for somebody who looks on: decision by decision, hand by hand, or as fast as kernels go.

Every seat of a session is open, and each agent is asked through its Python face, which plays the very same hands as the
compiled loop, so the match can be stopped anywhere and every memory be read. All cards are face up. `leap` plays many hands
in one compiled call between two hands of the session: the agents remember them, the cards are others.
"""

from __future__ import annotations

import time

import numpy as np

from nemesis.lab.deal import Deal
from nemesis.lab.opponents import lab_agent
from nemesis.lab.shapes.felt import SeatShown
from nemesis.lab.table import style_observer
from nemesis.measure.adaptation import play_stretches
from nemesis.measure.mind import Mind, read_mind
from nemesis.measure.result import numbered
from nemesis.names import GAMES, unknown
from nemesis.observe.event import ACTS, ENDS, SHOWS, STARTS, Event
from nemesis.play.match import Arena
from nemesis.play.session import OpenSeat, Session
from nemesis.respond.agent import CompiledAgent
from nemesis.rules.betting import CALL, FOLD
from nemesis.rules.by_name import game as named_game
from nemesis.rules.game import MAX_SEATS
from nemesis.runtime.compiled import entry
from nemesis.runtime.limits import SEED

MOST_HANDS = 200_000
TRAIL = 300
"""Points of a belief's trail; when there are more, every second is left out."""


class Exhibition:
    """A match of agents that somebody watches."""

    def __init__(self, game: str, players: tuple[str, ...], seed: int) -> None:
        if game not in GAMES:
            raise unknown("game", game, GAMES)
        if not 2 <= len(players) <= MAX_SEATS:
            raise ValueError(f"a table has 2 to {MAX_SEATS} seats, not {len(players)}")
        SEED.check(seed)
        self.game = named_game(game, len(players))
        self.players, self.seed, self.names = players, seed, numbered(players)
        self.agents = [lab_agent(name, self.game) for name in players]
        for seat, agent in enumerate(self.agents):
            agent.sit(self.game, seat)
        self.results: list[tuple[int, ...]] = []
        """What every seat won, hand by hand."""
        self.looked_on = 0
        """Hands that were played one by one, which alone the onlooker sees."""
        self.observer = style_observer(self.game)
        self.trails: dict[int, list[tuple[float, ...]]] = {seat: [] for seat in range(len(players))}
        """By seat, what is believed of it after each hand."""
        self._gap = 1
        self._chips = self.game.stacks
        self._leaps = 0
        self.deal = Deal(0, 0, started=self._chips)
        self.session = Session(self.game, [OpenSeat(name) for name in self.names], seed=seed, time_limit=0)
        self._ahead: list[Event] = list(self.session.told)
        self._hear()

    @property
    def over(self) -> bool:
        """Whether the hand that is shown has ended; the next step shows the next one."""
        return bool(self.deal.payoffs)

    @property
    def finished(self) -> bool:
        """Whether the match has ended, or has been watched long enough."""
        return (self.session.finished and not self._ahead) or len(self.results) >= MOST_HANDS

    def step(self) -> None:
        """One decision, or from the end of a hand to the next."""
        if self._ahead:
            self._hear()
            return
        if self.finished:
            return
        legal, seat = self.session.legal, self.session.turn
        assert seat is not None
        wanted = int(self.agents[seat].act(self.session.view))
        if wanted == FOLD and not legal.to_call:
            wanted = CALL
        elif wanted > CALL:
            wanted = max(legal.least, min(legal.most, wanted)) if legal.most else CALL
        self.session.act(wanted)
        self._ahead = list(self.session.told)
        self._hear()

    def play(self, hands: int, seconds: float) -> int:
        """Play up to so many hands to their ends, in about so many seconds; returns how many."""
        began, first = time.monotonic(), len(self.results)
        while len(self.results) - first < hands and not self.finished and time.monotonic() - began < seconds:
            self.step()
        return len(self.results) - first

    def leap(self, hands: int) -> int:
        """Play so many hands in one compiled call, if all agents are compiled and chips are not carried over."""
        compiled = [agent for agent in self.agents if isinstance(agent, CompiledAgent)]
        if len(compiled) < len(self.agents) or self.session.freeze_out:
            return 0
        while not self.over and not self.finished:
            self.step()
        templates = [agent.template for agent in compiled]
        try:
            for agent in compiled:
                agent.template = agent.memory.copy() if agent.template.size else agent.template
            self._leaps += 1
            arena = Arena(self.game, compiled, self.seed + 1)
            seats = self.game.seats
            lineups = arena.lineups(np.arange(seats)[None, :], np.array([self._leaps]), hands, False)
            won = np.zeros((1, hands, seats), np.int64)
            parts = (
                arena.rules,
                arena.dealer,
                arena.desk,
                arena.seating,
                arena.bank,
                lineups,
                np.arange(1, hands + 1),
                won,
            )
            entry(play_stretches, *parts)(*parts)
        finally:
            for agent, template in zip(compiled, templates, strict=True):
                agent.template = template
        for seat, agent in enumerate(compiled):
            if agent.template.size:
                start = arena.seating.offsets[seat]
                agent.memory = arena.seating.memory[start : start + arena.seating.sizes[seat]].copy()
        self.results += [tuple(row) for row in np.diff(won[0], axis=0, prepend=0).tolist()]
        self._remember()
        return hands

    def mind(self, seat: int) -> Mind:
        """What an agent knows now."""
        return read_mind(self.agents[seat], self.game.seats)

    def believed(self, seat: int) -> tuple[tuple[str, ...], tuple[float, ...], str]:
        """Which style a seat is taken for: styles, shares, and by whom; the first opponent that believes counts."""
        for other in range(len(self.agents)):
            if other != seat and (mind := self.mind(other)).beliefs:
                return mind.styles, mind.beliefs[seat], self.names[other]
        if self.observer is None:
            return (), (), ""
        return self.observer.table.styles, tuple(self.observer.posterior(seat).tolist()), ""

    def seats(self) -> list[SeatShown]:
        """Everybody at the table, all cards face up."""
        deal, turn = self.deal, self.session.turn
        view = None if self.over or self.session.finished else self.session.view
        found = []
        for seat, name in enumerate(self.names):
            did, colour = deal.tag(seat, name)
            dealt = deal.started[seat] > 0
            cards = deal.shown.get(seat, ()) if self.over else self.session.hole(seat)
            chips = deal.started[seat] + deal.payoffs[seat] if self.over else view.chips[seat] if view else 0
            found.append(
                SeatShown(
                    name, int(chips), int(view.wagers[seat]) if view else 0, tuple(cards) if dealt else (),
                    seat in deal.folded, did, colour, not self.over and seat == turn, seat == deal.button,
                    deal.payoffs[seat] if self.over else None,
                )
            )  # fmt: skip
        return found

    def pot(self) -> int:
        """The chips in the middle."""
        return self.deal.pot if self.over or self.session.finished else int(self.session.view.pot)

    def _hear(self) -> None:
        """Tell the agents and the onlooker what happened, up to the end of a hand."""
        while self._ahead:
            event = self._ahead.pop(0)
            agent = self.agents[event.me]
            if event.kind in agent.hears:
                agent.watch(event)
            if event.me == 0:
                self._look_on(event)
            if event.kind == ENDS and event.me == self._last_told():
                return

    def _last_told(self) -> int:
        """The seat that is told last that a hand has ended."""
        return max(seat for seat in range(self.game.seats) if self.deal.started[seat] > 0)

    def _look_on(self, event: Event) -> None:
        if event.kind == STARTS:
            self.deal = Deal(event.hand, event.seat, started=self._chips)
        elif event.kind == ENDS:
            self._end(event)
        else:
            self.deal.tell(event, self.game, self.names)
        if self.observer is not None and event.kind in (ACTS, SHOWS):
            seen = event.record.copy()
            seen["me"] = -1
            self.observer.watch(Event(seen))

    def _end(self, event: Event) -> None:
        deal = self.deal
        deal.payoffs, deal.pot = tuple(event.payoffs[: self.game.seats]), event.pot
        hand = self.session.hands[-1]
        for position, label in enumerate(hand.players):
            deal.shown[self.names.index(label)] = hand.hole[position]
        if self.session.freeze_out:
            self._chips = tuple(c + p for c, p in zip(self._chips, deal.payoffs, strict=True))
        self.results.append(deal.payoffs)
        self.looked_on += 1
        self._remember()

    def _remember(self) -> None:
        """Note what is believed of everybody, at places that lie evenly over the match."""
        if len(self.results) % self._gap:
            return
        for seat, trail in self.trails.items():
            trail.append(self.believed(seat)[1])
        if len(self.trails[0]) > TRAIL:
            self.trails = {seat: trail[::2] for seat, trail in self.trails.items()}
            self._gap *= 2
