"""Hands that were shown on a complete board: what was known of each before anybody turned a card.

`shown_hands` goes through a timeline and gives every hand shown, one after another, with a row of numbers (`COLUMNS`): what
the action model read at the player's last decision, the betting street by street as the player saw it, a summary of the
posterior over his holdings (`range_posterior`), and how the hands that he showed earlier differed from theirs. The row
depends on the betting, the board and earlier hands only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe import public_situation as public
from nemesis.believe.action_model import INPUTS, Forecast, Timeline
from nemesis.believe.range_posterior import SLOPES, kind_of, learn_decision, uniform, win_probabilities
from nemesis.rules.game import STREETS

QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
ON_STREET = (
    "decisions",
    "first_action",
    "last_action",
    "size",
    "raises",
    "calls",
    "dearest_call",
    "surprise",
    "fold",
    "call",
    "raise",
    "live",
    "last",
    "depth",
    "price",
    "spent",
    "others_raises",
    "others_calls",
    "others_size",
)
"""The player's own decisions on a street, then what the others did; actions count from 1, and 0 is none."""
AT_END = (
    "live_at_end",
    "all_in",
    "pot_at_end",
    "last_street",
    "others_all_in",
    "last_bettor",
    "last_bet_street",
    "actions_after",
    "shows_after",
    "seats_dealt",
    "position_from_button",
)
BOARD = (
    *(f"{name}_on_{street}" for street in STREETS[1:] for name in ("suited", "run", "pairs", "last_card")),
    "highest_card",
    "second_highest_card",
    "broadway_cards",
)
RANGE = ("mean", *(f"q{100 * q:.0f}" for q in QUANTILES), "spread", "above_90", "above_97", "entropy")
"""The posterior's strengths on the river."""
BEFORE = ("shown", "residual", "residual_calling", "residual_betting", "residual_size", "mean_shown")
"""Of the hands the player showed before; a residual is the strength shown minus the mean of the posterior."""
COLUMNS = (
    *INPUTS,
    *(f"{name}_{street}" for street in STREETS for name in ON_STREET),
    *AT_END,
    *BOARD,
    *(f"range_{name}" for name in RANGE),
    *(f"before_{name}" for name in BEFORE),
)
"""What is known of a hand before it is shown."""
_SHRINK = 8.0
"""Hands that a mean over earlier hands begins with."""
_USUAL_STRENGTH, _USUAL_RESIDUAL = 0.63, 0.17


class Shown(NamedTuple):
    """A hand that was shown. `weights` is the posterior after the player's last decision."""

    hand: int
    position: int
    row: NDArray[np.float32]
    board: NDArray[np.int8]
    win: NDArray[np.float32]
    """(4, holdings) win probability against a random hand by street."""
    weights: NDArray[np.float64]
    held: int
    """Which of the holdings was shown."""

    @property
    def strength(self) -> float:
        """Its win probability on the river."""
        return float(self.win[3, self.held])


def shown_hands(
    line: Timeline,
    said: Forecast,
    told: Callable[[int, int], None] = lambda done, total: None,
    among: NDArray[np.bool_] | None = None,
) -> Iterator[Shown]:
    """The hands of a timeline that were shown on a complete board, in their order.

    `among` chooses hands of the timeline; the others count only as what their players showed before.
    """
    hands, actions = line.history.hands, line.history.actions
    bits = hands["shown"][:, None] >> np.arange(hands["player"].shape[1]) & 1
    found = np.argwhere((bits == 1) & (hands["hole"][:, ::2] >= 0) & (hands["board"][:, 4:] >= 0))
    decided = []
    for hand, position in found.tolist():
        at = np.arange(hands["first"][hand], hands["first"][hand] + hands["actions"][hand])
        own = at[actions["position"][at] == position]
        if len(own):
            decided.append((hand, position, at, own, int(line.player[own[-1]])))
    wanted = {player for hand, *_, player in decided if among is None or among[hand]}
    decided = [each for each in decided if each[-1] in wanted]
    earlier: defaultdict[int, NDArray[np.float64]] = defaultdict(lambda: np.zeros(6))
    pending: list[tuple[int, NDArray[np.float64]]] = []
    last, win = -1, np.zeros((0, 0), np.float32)
    for count, (hand, position, at, own, player) in enumerate(decided):
        told(count, len(decided))
        if hand != last:
            for who, sums in pending:
                earlier[who] += sums
            pending.clear()
            last, win = hand, win_probabilities(hands["board"][hand])
        weights = _walked(line, said.likely, own, win)
        summary = _summary(weights, win[3])
        high, low = sorted(hands["hole"][hand, 2 * position : 2 * position + 2].tolist(), reverse=True)
        held = high * (high - 1) // 2 + low
        betting = _betting(line, said.likely, at, position)
        if among is None or among[hand]:
            texture = _texture(hands["board"][hand])
            parts = [said.inputs[own[-1]], betting, texture, summary, _before(earlier[player])]
            row = np.concatenate(parts).astype(np.float32)
            yield Shown(hand, position, row, hands["board"][hand], win, weights, held)
        bet_last = betting[_LAST_BETTOR] == 1
        strength = float(win[3, held])
        residual = strength - summary[0]
        sums = np.array([1, residual, bet_last, residual * bet_last, abs(residual), strength])
        pending.append((player, sums))


def _walked(
    line: Timeline, likely: NDArray[np.float64], own: NDArray[np.int64], win: NDArray[np.float32]
) -> NDArray[np.float64]:
    """The posterior after the player's decisions."""
    weights = uniform(win)
    for at in own.tolist():
        action = line.history.actions[at]
        street = int(action["street"])
        kind = kind_of(street, int(action["to_call"]), int(line.situations.rows[at, public.RAISES]))
        weights = learn_decision(weights, win[street], likely[at], int(action["action"]), kind, SLOPES)
    return weights


def summary_of(weights: NDArray[np.float64], strength: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
    """The mean and the `QUANTILES` of strength over weighted holdings."""
    order = np.argsort(strength)
    places = np.searchsorted(np.cumsum(weights[order]), QUANTILES).clip(max=len(order) - 1)
    return float(weights @ strength), strength[order][places]


def _summary(weights: NDArray[np.float64], win: NDArray[np.float32]) -> NDArray[np.float64]:
    strength = np.nan_to_num(win.astype(np.float64))
    mean, quantiles = summary_of(weights, strength)
    return np.array([
        mean, *quantiles, np.sqrt(weights @ (strength - mean) ** 2), weights[strength > 0.9].sum(),
        weights[strength > 0.97].sum(), -(weights * np.log(weights + 1e-12)).sum(),
    ])  # fmt: skip


def _betting(line: Timeline, likely: NDArray[np.float64], at: NDArray[np.int64], position: int) -> NDArray[np.float64]:
    """The columns `ON_STREET` of every street, and `AT_END`."""
    rows, sizes = line.situations.rows, line.situations.size
    actions = line.history.actions[at]
    hand = line.history.hands[int(actions["hand"][0])]
    streets = [dict.fromkeys(ON_STREET, 0.0) for _ in STREETS]
    bettor, bet_street, after = -1, -1, 0
    folded = set()
    for place, action in zip(at.tolist(), actions, strict=True):
        street, done, to_call = int(action["street"]), int(action["action"]), int(action["to_call"])
        told, row = streets[street], rows[place]
        if int(action["position"]) == position:
            after = 0
            if told["decisions"] == 0:
                told["first_action"], told["depth"] = done + 1.0, float(row[public.DEPTH])
                told["fold"], told["call"], told["raise"] = likely[place].tolist()
            told["decisions"] += 1
            told["last_action"] = done + 1.0
            told["size"] = max(told["size"], float(sizes[place]))
            told["raises"] += done == 2
            if done == 1 and to_call > 0:
                told["calls"] += 1
                told["dearest_call"] = max(told["dearest_call"], float(row[public.PRICE]))
            told["surprise"] -= float(np.log(likely[place, done]))
            told["live"], told["last"] = float(row[public.LIVE]), float(row[public.LAST])
            told["price"] = float(row[public.PRICE])
            told["spent"] += int(action["amount"]) / max(int(action["pot"]), 1)
        else:
            after += 1
            told["others_raises"] += done == 2
            told["others_calls"] += done == 1 and to_call > 0
            told["others_size"] = max(told["others_size"], float(sizes[place]))
        if done == 0:
            folded.add(int(action["position"]))
        elif done == 2:
            bettor, bet_street = int(action["position"]), street
    seats, last_street = int(hand["seats"]), int(actions["street"][-1])
    live = [each for each in range(seats) if each not in folded]
    first = bettor if bet_street == last_street else live[0]
    before = [each for each in live if (each - first) % seats < (position - first) % seats]
    unit = max(int(actions["pot"][0]), 1)
    put_in = int(actions["amount"][actions["position"] == position].sum())
    end = (
        len(live), int(hand["stacks"][position]) - put_in <= unit,
        np.log((int(actions["pot"][-1]) + int(actions["amount"][-1])) / unit), last_street, rows[at[-1], public.ALL_IN],
        0 if bettor < 0 else 1 if bettor == position else 2, bet_street, after, len(before), seats, seats - 1 - position,
    )  # fmt: skip
    return np.array([*(value for told in streets for value in told.values()), *end], np.float64)


_LAST_BETTOR = len(STREETS) * len(ON_STREET) + AT_END.index("last_bettor")


def _texture(board: NDArray[np.int8]) -> NDArray[np.float32]:
    """The columns `BOARD`."""
    cards = board.astype(np.int64)
    found = np.zeros((3, len(public.FEATURES)), np.float32)
    for street in range(3):
        public.describe_board(cards, street + 3, found[street])
    by_street = found[:, [public.SUITED, public.RUN, public.BOARD_PAIRS, public.LAST_CARD]]
    return np.append(by_street.ravel(), found[2, [public.HIGH_CARD, public.SECOND_CARD, public.BROADWAY]])


def _before(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """The columns `BEFORE`, of sums over the hands that the player showed."""
    count, residual, bets, residual_bets, sizes, strength = sums
    return np.array([
        np.log1p(count), residual / (count + _SHRINK), (residual - residual_bets) / (count - bets + _SHRINK),
        residual_bets / (bets + _SHRINK), (sizes + _USUAL_RESIDUAL * _SHRINK) / (count + _SHRINK),
        (strength + _USUAL_STRENGTH * _SHRINK) / (count + _SHRINK),
    ])  # fmt: skip
