"""Player statistics: the numbers by which poker players describe each other, counted from what everybody can see.

A *page* of counts belongs to one player and learns from the events of its seat: a hand starts, somebody acts, the hand
ends. It needs no cards. One kernel counts in the arena (`measure.watched`) and over recorded hands (`statistics_of_hands`),
so a hand history and a tournament are described by the same rule.

    VPIP            hands in which the player put chips in before the flop by choice (blinds do not count)
    PFR             hands in which it raised before the flop
    3-bet           raises of the first raise before the flop, of the times it could
    c-bet           bets on the flop, of the times it had made the last raise before and nobody had bet yet
    aggression      bets and raises per call after the flop (factor), and of all its actions but checks (frequency)
    fold to bet     folds to a bet or raise, of the times it faced one, by street
    check-raise     raises after a check on the same street, of the times its check was bet into
    barrel          bets again after its bet of the street before was called, of the times it could
    float           bets after it called on the street before and is now checked to, of the times it could
    WTSD            showdowns, of the hands in which it saw the flop;  W$SD: showdowns won, ties count half

In games of one street "before the flop" is that street. In games of antes a bet is what a raise is elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.event import ACTS, ENDS, STARTS, WATCH
from nemesis.observe.hand import Hand
from nemesis.observe.retell import teach
from nemesis.observe.tape import Tape
from nemesis.observe.tape_of_hands import tape_of
from nemesis.observe.taped_players import players_dealt
from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.rules.game import MAX_STREETS, STREETS
from nemesis.runtime.compiled import inlined, njit

_PLAIN = (
    "hands", "vpip", "pfr", "three_bet_chances", "three_bets", "c_bet_chances", "c_bets", "bets", "calls", "folds", "checks",
    "check_raise_chances", "check_raises", "barrel_chances", "barrels", "float_chances", "floats", "saw_flop", "showdowns",
    "showdown_halves", "mbb",
)  # fmt: skip
COUNTS = (*_PLAIN, *(f"faced_{s}" for s in range(MAX_STREETS)), *(f"folded_{s}" for s in range(MAX_STREETS)))
"""What is counted, in the order of a page."""

(
    HANDS, VPIP, PFR, THREE_BET_CHANCES, THREE_BETS, C_BET_CHANCES, C_BETS, BETS, CALLS, FOLDS, CHECKS,
    CHECK_RAISE_CHANCES, CHECK_RAISES, BARREL_CHANCES, BARRELS, FLOAT_CHANCES, FLOATS, SAW_FLOP, SHOWDOWNS,
    SHOWDOWN_HALVES, MBB,
) = range(len(_PLAIN))  # fmt: skip
FACED = len(_PLAIN)
FOLDED = FACED + MAX_STREETS

# After the counts, what the page must remember of the hand in play.
(
    _STREET, _RAISES, _PAID, _RAISED, _OPENED, _CHECKED, _BET_LAST, _CALLED_LAST, _BET_NOW, _CALLED_NOW, _OUT, _FLOP,
    _CHECKED_TO, _LEFT,
) = range(len(COUNTS), len(COUNTS) + 14)  # fmt: skip
PAGE = len(COUNTS) + 14
"""How many numbers a page has."""


HEARS = (STARTS, ACTS, ENDS)
"""The kinds of events that a page is counted from."""


@inlined
def note_event(page: NDArray[np.float64], e: Any) -> None:
    """Count an event of the player's seat. Writes `page`."""
    if e.kind == ACTS:
        note_action(page, e.seat == e.me, e.street, e.to_call, e.action)
    elif e.kind == STARTS:
        note_start(page, e.seats)
    elif e.kind == ENDS:
        note_end(page, e.payoff, e.big_blind)


@njit(WATCH, error_model="numpy")
def count_event(event: NDArray[np.void], memory: NDArray[np.float64]) -> None:
    """`note_event` as a model that watches; its memory is a page."""
    note_event(memory, event[0])


@inlined
def note_start(page: NDArray[np.float64], seats: int) -> None:
    """A hand of so many players begins. Writes `page`."""
    for place in range(len(COUNTS), PAGE):
        page[place] = 0.0
    page[HANDS] += 1.0
    page[_LEFT] = seats


@inlined
def note_action(page: NDArray[np.float64], mine: bool, street: int, to_call: int, action: int) -> None:
    """Somebody acts: the player of this page, or another. Writes `page`."""
    if street != page[_STREET]:
        page[_BET_LAST] = page[_BET_NOW] if street == page[_STREET] + 1 else 0.0
        page[_CALLED_LAST] = page[_CALLED_NOW] if street == page[_STREET] + 1 else 0.0
        page[_STREET] = street
        page[_RAISES] = page[_CHECKED] = page[_BET_NOW] = page[_CALLED_NOW] = page[_CHECKED_TO] = 0.0
        if page[_OUT] == 0.0:
            page[_FLOP] = 1.0
    if mine:
        note_own(page, street, to_call, action)
    elif action >= RAISE:
        page[_BET_NOW] = 0.0
        if street == 0:
            page[_OPENED] = 0.0
    elif action == CALL and page[_RAISES] == 0.0:
        page[_CHECKED_TO] = 1.0
    if action >= RAISE:
        page[_RAISES] += 1.0
    elif action == FOLD:
        page[_LEFT] -= 1.0


@inlined
def note_own(page: NDArray[np.float64], street: int, to_call: int, action: int) -> None:
    """The player of this page acts. Writes `page`."""
    raises = action >= RAISE
    unbet = page[_RAISES] == 0.0
    if street == 0:
        if page[_PAID] == 0.0 and (raises or (action == CALL and to_call > 0)):
            page[_PAID] = 1.0
            page[VPIP] += 1.0
        if page[_RAISES] == 1.0 and page[_RAISED] == 0.0:
            page[THREE_BET_CHANCES] += 1.0
            page[THREE_BETS] += raises
        if raises:
            page[PFR] += page[_RAISED] == 0.0
            page[_RAISED] = page[_OPENED] = 1.0
    else:
        page[BETS] += raises
        page[CALLS] += action == CALL and to_call > 0
        page[FOLDS] += action == FOLD
        page[CHECKS] += action == CALL and to_call == 0
        if street == 1 and page[_OPENED] == 1.0 and unbet:
            page[C_BET_CHANCES] += 1.0
            page[C_BETS] += raises
        if unbet and street > 1 and page[_BET_LAST] == 1.0:
            page[BARREL_CHANCES] += 1.0
            page[BARRELS] += raises
        if unbet and street > 1 and page[_CALLED_LAST] == 1.0 and page[_CHECKED_TO] == 1.0:
            page[FLOAT_CHANCES] += 1.0
            page[FLOATS] += raises
        if page[_CHECKED] == 1.0 and page[_RAISES] == 1.0:
            page[CHECK_RAISE_CHANCES] += 1.0
            page[CHECK_RAISES] += raises
    if not unbet:
        page[FACED + street] += 1.0
        page[FOLDED + street] += action == FOLD
    page[_BET_NOW] = raises
    page[_CALLED_NOW] = action == CALL and not unbet
    page[_CHECKED] = action == CALL and unbet
    if action == FOLD:
        page[_OUT] = 1.0


@inlined
def note_end(page: NDArray[np.float64], payoff: int, big_blind: int) -> None:
    """The hand is over. Writes `page`."""
    showdown = page[_OUT] == 0.0 and page[_LEFT] > 1.0
    if showdown:
        page[SHOWDOWNS] += 1.0
        page[SHOWDOWN_HALVES] += 2.0 if payoff > 0 else (1.0 if payoff == 0 else 0.0)
    page[SAW_FLOP] += showdown or page[_FLOP] == 1.0
    page[MBB] += 1000.0 * payoff / big_blind


@dataclass(frozen=True, eq=False)
class Statistics:
    """What one player did, as counts (`COUNTS`) and as the ratios that players use; a ratio of nothing is NaN."""

    player: str
    counts: NDArray[np.float64]

    def __getitem__(self, name: str) -> float:
        """A count by its name."""
        return float(self.counts[COUNTS.index(name)])

    def _share(self, part: str, of: str) -> float:
        return self[part] / self[of] if self[of] else float("nan")

    @property
    def vpip(self) -> float:
        """Hands in which it put chips in by choice before the flop."""
        return self._share("vpip", "hands")

    @property
    def pfr(self) -> float:
        """Hands in which it raised before the flop."""
        return self._share("pfr", "hands")

    @property
    def three_bet(self) -> float:
        """Raises of the first raise."""
        return self._share("three_bets", "three_bet_chances")

    @property
    def c_bet(self) -> float:
        """Bets on the flop after the last raise before it."""
        return self._share("c_bets", "c_bet_chances")

    @property
    def aggression_factor(self) -> float:
        """Bets and raises per call after the flop; infinite for a player who bets and never calls."""
        if self["calls"] == 0 and self["bets"] > 0:
            return float("inf")
        return self._share("bets", "calls")

    @property
    def aggression_frequency(self) -> float:
        """Bets and raises of all its actions after the flop but checks."""
        acted = self["bets"] + self["calls"] + self["folds"]
        return self["bets"] / acted if acted else float("nan")

    @property
    def check_raise(self) -> float:
        """Raises after a check that was bet into."""
        return self._share("check_raises", "check_raise_chances")

    @property
    def barrel(self) -> float:
        """Bets again after its bet was called."""
        return self._share("barrels", "barrel_chances")

    @property
    def float_bet(self) -> float:
        """Bets after a call, when checked to."""
        return self._share("floats", "float_chances")

    @property
    def went_to_showdown(self) -> float:
        """Showdowns of the flops it saw."""
        return self._share("showdowns", "saw_flop")

    @property
    def won_at_showdown(self) -> float:
        """Showdowns won, ties half."""
        return self._share("showdown_halves", "showdowns") / 2

    def fold_to_bet(self, street: int) -> float:
        """Folds to a bet or raise on that street."""
        return self._share(f"folded_{street}", f"faced_{street}")

    @property
    def mbb_per_hand(self) -> float:
        """What it won, in thousandths of a big blind a hand."""
        return self._share("mbb", "hands")

    def __add__(self, other: Statistics) -> Statistics:
        """The same player over more hands."""
        return Statistics(self.player, self.counts + other.counts)


COLUMNS: Mapping[str, str] = {
    "VPIP": "vpip", "PFR": "pfr", "3-bet": "three_bet", "c-bet": "c_bet", "aggr. factor": "aggression_factor",
    "aggr. freq.": "aggression_frequency", "check-raise": "check_raise", "barrel": "barrel", "float": "float_bet",
    "WTSD": "went_to_showdown", "W$SD": "won_at_showdown",
}  # fmt: skip
"""The columns of a table of statistics, apart from the folds by street."""


def summary(statistics: Statistics, streets: int = 4) -> dict[str, float]:
    """Every ratio by the name of its column."""
    folds = {f"fold to bet, {name}": statistics.fold_to_bet(street) for street, name in enumerate(STREETS[:streets])}
    return {**{column: getattr(statistics, name) for column, name in COLUMNS.items()}, **folds}


def statistics_of_hands(hands: Iterable[Hand]) -> dict[str, Statistics]:
    """Statistics of everybody in recorded hands, by name; players without a name go by their position, p1, p2 …

    Winnings are the source's own where it gives them, else the replay's; a hand whose winner cannot be known counts as 0.
    """
    return statistics_of_tape(tape_of(hands, ()))


def statistics_of_tape(tape: Tape) -> dict[str, Statistics]:
    """Statistics of every player of a tape, by name."""
    pages = np.zeros((len(tape.players), PAGE))
    teach(tape, count_event, pages, players_dealt(tape), hears=HEARS, facts=())
    return {player: from_page(player, page) for player, page in zip(tape.players, pages, strict=True)}


def from_page(player: str, page: NDArray[np.float64]) -> Statistics:
    """The statistics of a page that was counted on."""
    return Statistics(player, page[: len(COUNTS)].copy())
