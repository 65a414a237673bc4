"""Are ASHE's two estimates honest? What it expected of the action it took, beside what happened.

Nobody tells the estimators what the true rates are; they are evolved for what the decision rule earns with them. So they
need not be probabilities, and the paper does not show whether they are. For every raise that ASHE makes, the estimated
chance of a fold stands against whether the opponent folded to it; for every decision of a hand that went to a showdown, the
estimated chance to win there against what was won (a tie is half). Decisions of one hand are not independent, so intervals
are over hands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from nemesis.measure.charts import draw_calibration, draw_key, draw_title, panels
from nemesis.measure.insight import Explanation, look_inside
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import BLUE, CEILING_LINE, ORANGE, save_figure
from nemesis.respond.ashe import Ashe
from nemesis.rules.games import no_limit
from nemesis.runtime.streams import Stream, derived_seed
from nemesis.studies.ashe_instances import caution, instance
from nemesis.studies.published_opponents import PRESENT, Opponent
from nemesis.studies.study import Report, Row, Setting, Study
from nemesis.studies.verdict import listed

ESTIMATES: Mapping[str, str] = {"win": "wins at showdown", "fold": "the opponent folds"}
BINS = 10
LEAST = 50
"""A dot stands for at least so many decisions."""

A4, TEAM = "A4", "ashe-team"
_PICTURES = {A4: "calibration.png", TEAM: "calibration-team.png"}
_COLUMNS = 5
_COLOURS = {"win": BLUE, "fold": ORANGE}


@dataclass
class Ledger:
    """What was expected and what came, by decision, and the hand each belongs to."""

    hands: list[int] = field(default_factory=list)
    expected: list[float] = field(default_factory=list)
    came: list[float] = field(default_factory=list)

    def add(self, hand: int, expected: float, came: float) -> None:
        """One decision."""
        self.hands.append(hand)
        self.expected.append(expected)
        self.came.append(came)

    def bias(self) -> tuple[float, tuple[float, float]]:
        """By how much more was expected than came, a mean over hands with its interval."""
        gap = np.array(self.expected) - np.array(self.came)
        _, place = np.unique(self.hands, return_inverse=True)
        counts = np.bincount(place)
        return mean_interval(np.bincount(place, gap) / counts)

    def curve(self) -> tuple[list[float], list[float]]:
        """Mean expectation and how often it came, by tenths of expectation that have enough decisions."""
        expected, came = np.array(self.expected), np.array(self.came)
        bins = np.minimum((BINS * expected).astype(int), BINS - 1)
        full = [b for b in range(BINS) if (bins == b).sum() >= LEAST]
        return [float(expected[bins == b].mean()) for b in full], [float(came[bins == b].mean()) for b in full]

    def error(self) -> float:
        """The expected calibration error: the mean distance from the diagonal."""
        expected, came = np.array(self.expected), np.array(self.came)
        bins = np.minimum((BINS * expected).astype(int), BINS - 1)
        gaps = np.bincount(bins, expected - came, BINS)
        return float(np.abs(gaps).sum() / len(expected))


def measure(setting: Setting) -> Report:
    """A4, and ASHE with four pairs of estimators, against everybody, watched from inside."""
    game = no_limit()
    players = {A4: instance(A4, game, setting), TEAM: instance("team", game, setting)}
    rows, drawn, words = [], {}, []
    for name, player in players.items():
        books = {
            opponent.code: _watched(player.agent, opponent, at, f"{name} v {opponent.code}", setting)
            for at, opponent in enumerate(PRESENT)
        }
        rows += [
            Row(f"{name} v {code}: {ESTIMATES[estimate]}, expected − came", *ledger.bias(), note=_note(ledger))
            for code, book in books.items()
            for estimate, ledger in book.items()
            if len(ledger.expected) >= LEAST
        ]
        drawn[_PICTURES[name]] = {
            code: {estimate: ledger.curve() for estimate, ledger in book.items() if len(ledger.expected) >= LEAST}
            for code, book in books.items()
        }
        words.append(f"{name}: {verdict(books)}")
    told = f"Expected calibration error, bins of a tenth. {' '.join(words)} Evolution rewards chips, not honesty."
    return Report(caution(list(players.values()), setting) + told, rows, drawn, "probability")


def _watched(agent: Ashe, opponent: Opponent, number: int, title: str, setting: Setting) -> Mapping[str, Ledger]:
    """What a player expected of an opponent and what came."""
    setting.progress(title)
    book = {name: Ledger() for name in ESTIMATES}
    game, hands = no_limit(), setting.choose(60, 1000, 1000)
    for match in range(setting.choose(1, 2, 20)):
        seed = derived_seed(setting.seed, Stream.ASHE_CALIBRATION, 100 * number + match)
        Listener(book, match * hands).listen(game, agent, opponent.seated(game), hands, seed)
    return book


class Listener:
    """Writes the decisions of a match into the ledgers of an opponent; hands are numbered from `first` on."""

    def __init__(self, book: Mapping[str, Ledger], first: int) -> None:
        self._book, self._first = book, first
        self._open: list[float] = []
        self._over = False

    def listen(self, game: Any, player: Any, opponent: Any, hands: int, seed: int) -> None:
        """Play the match."""
        look_inside(
            game, player, opponent, hands, seed=seed,
            on_decision=self.decided, on_answer=self.answered, on_hand_end=self.ended,
        )  # fmt: skip

    def decided(self, decision: Explanation) -> None:
        """ASHE takes an action."""
        if decision.chosen == "fold":
            self._over = True
        else:
            self._open.append(decision.choice.win)

    def answered(self, decision: Explanation, folded: bool) -> None:
        """The opponent answers a raise."""
        self._book["fold"].add(self._first + decision.hand, decision.choice.fold, float(folded))
        self._over = self._over or folded

    def ended(self, hand: int, payoff: int) -> None:
        """The hand is over; without a fold it was shown down."""
        if not self._over:
            for expected in self._open:
                self._book["win"].add(self._first + hand, expected, 0.5 + 0.5 * float(np.sign(payoff)))
        self._open, self._over = [], False


def verdict(books: Mapping[str, Mapping[str, Ledger]]) -> str:
    """How far from honest each estimate is, and against whom most."""
    words = []
    for name, what in ESTIMATES.items():
        errors = {code: book[name].error() for code, book in books.items() if len(book[name].expected) >= LEAST}
        if errors:
            worst = sorted(errors, key=lambda code: -errors[code])[:2]
            told = listed(f"{code} ({errors[code]:.2f})" for code in worst)
            mean = np.mean(list(errors.values()))
            words.append(f"“{what}” is off by {mean:.2f} in the mean over opponents, most against {told}")
    return f"{'; '.join(words)}."


def _note(ledger: Ledger) -> str:
    mean = float(np.mean(ledger.came))
    return f"came {mean:.2f} of the time, {len(ledger.expected):,} decisions; calibration error {ledger.error():.3f}"


def draw(who: str, numbers: Mapping[str, Any], path: Path) -> None:
    """A panel for every opponent: expected against came, for both estimates."""
    with save_figure(path, (11, 6)) as figure:
        every = panels(figure, len(numbers), _COLUMNS, sharex=True, sharey=True)
        for axes, (code, drawn) in zip(every, numbers.items(), strict=True):
            axes.plot([0, 1], [0, 1], **CEILING_LINE, label="honest")
            for name, (expected, came) in drawn.items():
                draw_calibration(axes, expected, came, _COLOURS[name], ESTIMATES[name])
            axes.set(title=code, xlim=(0, 1), ylim=(0, 1), xticks=(0, 0.5, 1), yticks=(0, 0.5, 1))
        for axes in every[-_COLUMNS:]:
            axes.set_xlabel("expected")
        for axes in every[::_COLUMNS]:
            axes.set_ylabel("came")
        draw_title(figure, f"Are the estimates of {who} honest? Expected against what happened")
        draw_key(figure, *every)


STUDY = Study(
    "ashe-calibration",
    "What ASHE expects and what happens",
    "the ASHE paper, section 3.1.2",
    measure,
    {picture: partial(draw, name) for name, picture in _PICTURES.items()},
)
