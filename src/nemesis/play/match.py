"""Matches: agents at a table, the deals they get, and the chips they end with.

`play_lineups` plays many matches of the same players in any seats. If all of them are compiled, one kernel plays them all;
if a Python agent sits at the table, the same loop (`play.loop.advance`) stops for its decisions. Either way match `i`
gets the same deals and the same random choices, so the two ways play the same hands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.columns import Columns, more_room, new_columns
from nemesis.observe.desk import PYTHON_WATCHER, Desk, Seating, empty_seats, new_desk
from nemesis.observe.event import Event
from nemesis.observe.tape import Tape
from nemesis.observe.view import View
from nemesis.play.guard import MOST_ACTION, Guard, check_agent, check_time_limit, checked_action, guarded
from nemesis.play.loop import (
    DRAIN,
    FINISHED,
    NEEDS_DEALS,
    NO_ACTION,
    NOBODY,
    Lineups,
    Outcomes,
    advance,
    begin_match,
    deal_more,
    end_match,
    new_outcomes,
    play_matches,
)
from nemesis.respond.agent import Agent, CompiledAgent
from nemesis.rules.deal import Bank, Dealer, empty_bank, new_dealer
from nemesis.rules.game import MAX_SEATS, Game
from nemesis.runtime.compiled import entry
from nemesis.runtime.limits import FREEZE_OUT_HANDS, MATCH_HANDS, TOURNAMENT_HANDS
from nemesis.runtime.streams import Stream, stream_keys

BANK_ROWS = 1024
TAPE_HANDS = 1024
MOST_TAPE_HANDS = 1 << 20
ACTIONS_PER_HAND = 8
DEFAULT_TIME_LIMIT = 10.0


@dataclass(frozen=True)
class Player:
    """Somebody who can sit down: a label and how to make the agent for a game (picklable, for workers)."""

    label: str
    make: Callable[[Game], Agent]


@dataclass(frozen=True)
class Played:
    """What came out: chips won and hands that brought some by (match, seat), hands played by match, the tape if asked."""

    won: NDArray[np.int64]
    took: NDArray[np.int64]
    hands: NDArray[np.int64]
    tape: Tape | None = None


def play_lineups(
    game: Game,
    agents: Sequence[Agent],
    seats: NDArray[np.int64],
    numbers: NDArray[np.int64],
    *,
    hands: int,
    seed: int,
    freeze_out: bool = False,
    until_out: NDArray[np.int64] | None = None,
    time_limit: float = DEFAULT_TIME_LIMIT,
    taping: bool = False,
    advanced: Callable[[int], None] = lambda hands: None,
) -> Played:
    """Play one match per row of `seats` (agent indices by seat) on the deals of match number `numbers[row]`.

    Rows with the same number get the same deals. A match is `hands` long; in a freeze-out it ends when one seat has
    every chip, or after `hands` hands. Who asks only how one seat fares names it for each row, `until_out`: nothing can
    bring a seat back that has lost everything, so the match ends there too, and the other seats' chips mean little.
    With `taping`, every hand and action is written down (`Played.tape`).
    """
    (TOURNAMENT_HANDS if freeze_out else MATCH_HANDS).check(hands)
    arena = Arena(game, agents, seed, taping=taping)
    lineups = arena.lineups(seats, numbers, hands, freeze_out, until_out)
    return arena.play(lineups, new_outcomes(seats.shape), time_limit, advanced)


class Arena:
    """The arrays that playing needs, made once for many matches."""

    def __init__(
        self, game: Game, agents: Sequence[Agent], seed: int, bank: Bank | None = None, taping: bool = False
    ) -> None:
        for agent in agents:
            check_agent(agent)
        facts = frozenset[str]().union(*(agent.facts for agent in agents))
        self.game = game
        self.agents = agents
        self.seed = seed
        self.rules = rules_by_players(game)
        self.dealer: Dealer = new_dealer(game, seed, facts)
        self.desk: Desk = new_desk(_room_for(TAPE_HANDS) if taping else None)
        self.events: list[Event] = []
        self.bank: Bank = empty_bank(game, BANK_ROWS) if bank is None else bank
        self.desk.match["rows"] = 0 if bank is None else len(bank.ranks)
        compiled = [agent for agent in agents if isinstance(agent, CompiledAgent)]
        most = max((agent.template.size for agent in compiled), default=0)
        self.seating: Seating = empty_seats(MAX_SEATS * most)

    def lineups(
        self,
        seats: NDArray[np.int64],
        numbers: NDArray[np.int64],
        hands: int,
        freeze_out: bool,
        until_out: NDArray[np.int64] | None = None,
    ) -> Lineups:
        """The arrays of many matches that the loop reads."""
        if seats.shape[1] != self.game.seats:
            raise ValueError(f"{self.game.name} has {self.game.seats} seats, but the lineup names {seats.shape[1]}")
        addresses = [_addresses(agent) for agent in self.agents]
        templates = [agent.template if isinstance(agent, CompiledAgent) else np.zeros(0) for agent in self.agents]
        sizes = np.array([template.size for template in templates], np.int64)
        return Lineups(
            hands,
            freeze_out,
            np.ascontiguousarray(seats, np.int64),
            np.asarray(numbers, np.int64) * deals_apart(hands, freeze_out),
            stream_keys(self.seed, Stream.CHOICES, numbers),
            np.full(len(seats), NOBODY, np.int64) if until_out is None else np.asarray(until_out, np.int64),
            np.array([act for act, _ in addresses], np.int64),
            np.array([watch for _, watch in addresses], np.int64),
            np.array([sum(1 << kind for kind in agent.hears) for agent in self.agents], np.int64),
            np.cumsum(sizes) - sizes,
            sizes,
            np.concatenate([*templates, np.zeros(1)]),
        )

    def play(
        self,
        lineups: Lineups,
        outcomes: Outcomes,
        time_limit: float = DEFAULT_TIME_LIMIT,
        advanced: Callable[[int], None] = lambda hands: None,
    ) -> Played:
        """Play every match, in one go if all agents are compiled. Writes `outcomes`."""
        check_time_limit(time_limit)
        record = self.desk.match[0]
        record["match"] = record["begun"] = 0
        taping = len(self.desk.columns.hands) > 0
        if taping:
            expected = min(MOST_TAPE_HANDS, len(lineups.agents) * lineups.hands)
            self.desk = self.desk._replace(columns=_room_for(expected + 1))
        if all(isinstance(agent, CompiledAgent) for agent in self.agents):
            play_on = entry(
                play_matches, self.rules, self.dealer, self.desk, self.seating, self.bank, lineups, outcomes
            )
            while play_on(self.rules, self.dealer, self.desk, self.seating, self.bank, lineups, outcomes) != FINISHED:
                self.make_room()
        else:
            for match in range(len(lineups.agents)):
                self.play_with_python(lineups, match, time_limit)
                end_match(self.desk, self.seating, outcomes)
                advanced(int(outcomes.hands[match]))
        return Played(outcomes.won, outcomes.took, outcomes.hands, self.take_tape() if taping else None)

    def play_with_python(self, lineups: Lineups, match: int, time_limit: float) -> None:
        """Play one match in which Python agents sit, through the same loop."""
        begin_match(self.rules, self.desk, self.seating, lineups, match)
        agents = [self.agents[index] for index in lineups.agents[match]]
        view, answer = View(self.desk.views), NO_ACTION
        listening = bool((self.seating.watches[: self.game.seats] == PYTHON_WATCHER).any())
        play_on = entry(advance, self.rules, self.desk, self.seating, self.bank, answer)
        with guarded(time_limit, agents, lineups.agents[match].tolist()) as guard:
            for seat, agent in enumerate(agents):
                if not isinstance(agent, CompiledAgent):
                    guard(agent, agent.sit, self.game, seat)
            while True:
                seat = play_on(self.rules, self.desk, self.seating, self.bank, answer)
                answer = NO_ACTION
                if listening:
                    drain_log(self.desk, self.events, agents, guard)
                if seat >= 0:
                    answer = guard(agents[seat], agents[seat].act, view)
                    if type(answer) is not int or not 0 <= answer <= MOST_ACTION:
                        answer = checked_action(agents[seat], answer)
                elif seat == NEEDS_DEALS:
                    deal_more(self.dealer, self.desk, self.bank)
                elif seat == FINISHED:
                    return
                elif seat == DRAIN:
                    self.make_room()
                else:
                    raise RuntimeError(f"the loop returned {seat}, which nobody understands")

    def make_room(self) -> None:
        """Make the columns longer if they are what is full."""
        record, columns = self.desk.match[0], self.desk.columns
        if not len(columns.hands):
            return
        if record["taped_hands"] >= len(columns.hands) or record["taped_actions"] >= len(columns.actions):
            self.desk = self.desk._replace(columns=more_room(columns))

    def take_tape(self) -> Tape:
        """The hands played since the last time; between hands only."""
        record, columns = self.desk.match[0], self.desk.columns
        hands, actions = columns.hands[: record["taped_hands"]], columns.actions[: record["taped_actions"]]
        record["taped_hands"] = record["taped_actions"] = record["first_action"] = 0
        self.desk = self.desk._replace(columns=_room_for(TAPE_HANDS))
        return Tape(self.game.by_players(), tuple(agent.name for agent in self.agents), hands, actions, self.seed)


def _room_for(hands: int) -> Columns:
    """Columns for so many hands; memory that is not written to costs nothing."""
    return new_columns(hands, ACTIONS_PER_HAND * hands)


def deals_apart(hands: int, freeze_out: bool) -> int:
    """How far apart the first deals of two matches lie, so that none shares a deal with the next."""
    return max(FREEZE_OUT_HANDS, hands) if freeze_out else hands


def any_slow(players: Sequence[Player], game: Game) -> bool:
    """Whether a Python agent is among them, which makes hands a hundred times slower."""
    return any(not isinstance(player.make(game), CompiledAgent) for player in players)


def _addresses(agent: Agent) -> tuple[int, int]:
    if isinstance(agent, CompiledAgent):
        return agent.addresses
    return 0, PYTHON_WATCHER if agent.hears else 0


def rules_by_players(game: Game) -> NDArray[np.void]:
    """The compiled rules for every number of players up to the game's seats, at that index."""
    return np.concatenate([rules.compiled() for rules in game.by_players()])


def drain_log(desk: Desk, events: list[Event], agents: Sequence[Agent], guard: Guard) -> None:
    """Tell Python agents the events that are waiting for them; `events` reads the rows of the log."""
    record = desk.match[0]
    for i in range(int(record["logged"])):
        if i == len(events):
            events.append(Event(desk.log[i : i + 1]))
        event = events[i]
        agent = agents[event.me]
        guard(agent, agent.watch, event)
    record["logged"] = 0
