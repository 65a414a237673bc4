"""A dealer that other programs connect to: the ACPC protocol 2.0.0 over TCP.

Seats are for agents of ours or for players who connect. The match is the one that `play` would play in this process, from
the same seed: the loop stops where somebody outside must act, and what happens is read from the rows of its columns. Every
player is sent the state of the hand when it begins and after every action, and all that was decided is sent before anybody
is waited for. As the protocol's authors advise, whoever answers late, with nonsense or with what the rules do not
allow ends the match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from nemesis.connect.guest import Absent
from nemesis.connect.match_log import MatchLog, match_log
from nemesis.connect.match_state import COMMENTS, VERSION, Betting, Notation, StateError, quoted
from nemesis.connect.wire import Peer, PeerError, listen, welcome
from nemesis.measure.result import Result, counted
from nemesis.observe.columns import new_columns
from nemesis.observe.view import View
from nemesis.play.guard import Guard, checked_action, guarded
from nemesis.play.loop import DRAIN, FINISHED, NEEDS_DEALS, NO_ACTION, advance, begin_match
from nemesis.play.match import Arena, Player, drain_log
from nemesis.play.session import OpenSeat
from nemesis.respond.agent import Agent, CompiledAgent
from nemesis.rules.betting import FOLD, RAISE
from nemesis.rules.deal import CHUNK, empty_bank, fill_bank
from nemesis.rules.game import Game
from nemesis.runtime.compiled import entry

LOCAL = "127.0.0.1"
MOST_COMMENTS = 100
_ACTIONS = 256
_EVERY = 100
_RESPONSE = "MATCHSTATE"


def deal_match(
    game: Game,
    players: Sequence[Player | OpenSeat],
    *,
    hands: int,
    seed: int = 0,
    host: str = LOCAL,
    ports: Sequence[int] = (),
    time_limit: float = 10.0,
    wait: float = 60.0,
    log: Path | None = None,
    announce: Callable[[Sequence[int]], None] = lambda ports: None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Result:
    """Deal a match to players who connect, within `wait` seconds, to the open seats, and to agents in the others.

    `ports` has one for every open seat, or one for all of them, who then sit down as they come; none takes free ones.
    `announce` is told the ports. `time_limit` is in seconds for a decision, `log` a new file.
    """
    notation = Notation(game)
    if len(players) != game.seats:
        raise ValueError(f"{game.name} has {game.seats} seats, but {len(players)} players are named")
    open_seats = [seat for seat, player in enumerate(players) if isinstance(player, OpenSeat)]
    if ports and len(ports) not in (1, len(open_seats)):
        raise ValueError(f"{len(ports)} ports are given for {len(open_seats)} open seats; give one for each, or one")
    names = [player.label for player in players]
    with match_log(log, game, seed) as written:
        peers = _seated(
            host, ports or [0] * len(open_seats), [names[s] for s in open_seats], time_limit, wait, announce
        )
        try:
            agents = [Absent(p.label) if isinstance(p, OpenSeat) else p.make(game) for p in players]
            written.begin(
                names,
                f"name/game/hands/seed {log.stem if log else 'match'} {game.name} {hands} {seed}",
                f"--t_response {1000 * time_limit:.0f}",
            )
            with guarded(time_limit, agents) as guard:
                at_seat = dict(zip(open_seats, peers, strict=True))
                _Table(notation, agents, at_seat, hands, seed, guard, written, progress).play()
        finally:
            for peer in peers:
                peer.close()
        return written.finish(
            f"one match, {counted(len(open_seats), 'player')} connected" if open_seats else "one match"
        )


def _seated(
    host: str,
    ports: Sequence[int],
    names: Sequence[str],
    time_limit: float,
    wait: float,
    announce: Callable[[Sequence[int]], None],
) -> list[Peer]:
    """The players, who have said which protocol they speak."""
    if not names:
        return []
    sockets = listen(host, ports)
    try:
        announce([listening.getsockname()[1] for listening in sockets])
        peers = welcome(sockets, names, time_limit, wait)
    finally:
        for listening in sockets:
            listening.close()
    try:
        for peer in peers:
            said = peer.line()
            if said != VERSION and not (said or "").startswith(VERSION.rpartition(".")[0] + "."):
                raise PeerError(f"{peer.name} should begin with {VERSION}, not with {quoted(said or '')}")
    except BaseException:
        for peer in peers:
            peer.close()
        raise
    return peers


class _Table:
    """One match, and what everybody connected has been told of it."""

    def __init__(
        self,
        notation: Notation,
        agents: Sequence[Agent],
        peers: dict[int, Peer],
        hands: int,
        seed: int,
        guard: Guard,
        log: MatchLog,
        progress: Callable[[int, int], None],
    ) -> None:
        self.game = game = notation.game
        self.notation = notation
        self.agents = agents
        self.peers = peers
        self.hands = hands
        self.guard = guard
        self.log = log
        self.progress = progress
        self.arena = arena = Arena(game, agents, seed, empty_bank(game, CHUNK))
        arena.desk = arena.desk._replace(columns=new_columns(2, _ACTIONS))
        self.read_columns()
        match = arena.desk.match
        self.number, self.first_row, self.rows = match["hand"], match["first_row"], match["rows"]
        self.taped_hands, self.taped_actions, self.first_action = (
            match[name] for name in ("taped_hands", "taped_actions", "first_action")
        )
        self.street = arena.desk.hand["street"]
        self.view = View(arena.desk.views)
        self.dealt = 0
        self.told = 0  # actions of this hand
        self.unsent: dict[int, list[str]] = {seat: [] for seat in peers}
        self.last: dict[int, str] = {}
        self.listening = any(a.hears for a in agents if not isinstance(a, CompiledAgent))
        lineups = arena.lineups(np.arange(game.seats)[None, :], np.zeros(1, np.int64), hands, False)
        self.rows[0] = 0
        begin_match(arena.rules, arena.desk, arena.seating, lineups, 0)

    def read_columns(self) -> None:
        """Where the loop writes down what happens."""
        hands, actions = self.arena.desk.columns
        self.shown, self.payoffs = hands["shown"], hands["payoffs"]
        self.streets, self.actions, self.amounts = actions["street"], actions["action"], actions["to"]

    def play(self) -> None:
        """Play the match to its end."""
        arena = self.arena
        for seat, agent in enumerate(self.agents):
            if not isinstance(agent, CompiledAgent):
                self.guard(agent, agent.sit, self.game, seat)
        play_on = entry(advance, arena.rules, arena.desk, arena.seating, arena.bank, NO_ACTION)
        answer = NO_ACTION
        while True:
            seat = play_on(arena.rules, arena.desk, arena.seating, arena.bank, answer)
            answer = NO_ACTION
            if self.listening:
                drain_log(arena.desk, arena.events, self.agents, self.guard)
            if self.dealt:
                self.tell()
            if seat >= 0:
                self.flush(seat)
                answer = self.ask(seat) if seat in self.peers else self.choice(seat)
            elif seat == NEEDS_DEALS:
                self.deal()
            elif seat == DRAIN:
                arena.make_room()
                self.read_columns()
            elif seat == FINISHED:
                self.flush(0)
                return

    def deal(self) -> None:
        """Let the loop see one deal more, so that it stops after every hand."""
        arena = self.arena
        hand = self.number.item()
        if hand == self.dealt:
            dealer = arena.dealer
            fill_bank(dealer.plan, dealer.tables, dealer.key, hand, 0, CHUNK, arena.bank)
            self.first_row[0], self.rows[0] = hand, 0
            self.dealt += CHUNK
        row = self.rows.item()
        self.rows[0] = row + 1
        positions = range(self.game.seats)
        self.hand = hand
        self.seat_at = [(hand + position) % self.game.seats for position in positions]
        self.holes = [self.notation.hole_text(cards) for cards in arena.bank.holes[row].tolist()]
        self.boards = self.notation.board_texts(arena.bank.boards[row].tolist())
        self.betting = Betting(self.notation)
        self.own: dict[int, tuple[int, str]] = {}
        for position, seat in enumerate(self.seat_at):
            if seat in self.peers:
                hidden = "|".join([self.holes[p] if p == position else "" for p in positions])
                self.own[seat] = position, hidden
        self.told = -1

    def tell(self) -> None:
        """Put down what has happened since the last time, for everyone connected and for the log."""
        over = bool(self.taped_hands.item())
        first, last = max(0, self.told), self.taped_actions.item()
        streets: list[int] = self.streets[first:last].tolist()
        shown = self.shown.item(0) if over else 0
        if not over:
            street = self.street.item()
        elif shown:
            street = self.game.streets - 1
        else:
            street = streets[-1] if streets else 0
        streets.append(street)
        if self.told < 0:
            self.state(streets[0], shown if first == last else 0)
        actions = zip(self.actions[first:last].tolist(), self.amounts[first:last].tolist(), strict=True)
        for at, (action, to) in enumerate(actions, 1):
            self.betting.add(action, to)
            self.state(streets[at], shown if first + at == last else 0)
        self.told = last
        if over:
            self.end(self.payoffs[0, : self.game.seats].tolist(), street)

    def state(self, street: int, shown: int) -> None:
        """Put the hand as it stands down for everyone connected; the positions `shown` (as bits) show their cards."""
        self.betting.reach(street)
        board = self.boards[street]
        for seat, (position, hidden) in self.own.items():
            if shown:
                turned = (cards if shown >> p & 1 or p == position else "" for p, cards in enumerate(self.holes))
                hidden = "|".join(turned)
            line = f"{_RESPONSE}:{position}:{self.hand}:{self.betting.text}:{hidden}{board}"
            self.last[seat] = line
            self.unsent[seat].append(line)

    def end(self, payoffs: Sequence[int], street: int) -> None:
        """Log the hand that has ended."""
        cards = "|".join(self.holes) + self.boards[street]
        self.log.add(self.hand, self.betting.text, cards, payoffs, self.seat_at)
        self.taped_hands[0] = self.taped_actions[0] = self.first_action[0] = 0
        self.told = 0
        if self.log.hands % _EVERY == 0:
            self.progress(self.log.hands, self.hands)

    def flush(self, first: int) -> None:
        """Send what is put down, to one seat before the others."""
        for seat in (first, *self.peers):
            if self.unsent.get(seat):
                self.peers[seat].send("\r\n".join(self.unsent[seat]) + "\r\n")
                self.unsent[seat].clear()

    def choice(self, seat: int) -> int:
        """What a Python agent of ours does."""
        agent = self.agents[seat]
        return checked_action(agent, self.guard(agent, agent.act, self.view))

    def ask(self, seat: int) -> int:
        """What a connected player does."""
        peer, asked, view = self.peers[seat], self.last[seat] + ":", self.view
        for _ in range(MOST_COMMENTS):
            answer = peer.line()
            if answer is None:
                raise PeerError(f"{peer.name} hung up in the middle of hand {self.hand}")
            if not answer.startswith(COMMENTS):
                break
        else:
            raise PeerError(f"{peer.name} sent {MOST_COMMENTS} comments and no action")
        if not answer.startswith(asked):
            raise PeerError(f"{peer.name} should answer {asked}ACTION, not {quoted(answer)}")
        text, before = answer[len(asked) :], view.spent - view.wager
        try:
            action = self.notation.read_action(text, before, view.max_to)
        except StateError as error:
            raise PeerError(f"{peer.name}: {error}") from None
        if action == FOLD and not view.to_call:
            raise PeerError(f"{peer.name} folds in hand {self.hand} where checking is free")
        if action >= RAISE and not max(RAISE, view.min_to) <= action <= max(RAISE, view.max_to):
            least, most = before + view.min_to, before + view.max_to
            right = f"r{least} to r{most} would be" if view.max_to and self.notation.sized else "no raise is"
            raise PeerError(f"{peer.name} answers {quoted(text)} in hand {self.hand}, where {right} allowed")
        return action
