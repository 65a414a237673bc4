"""What is measured: the workloads, one job per peer and workload, and the row a measured job becomes.

A *workload* is a sentence every library could be asked to carry out. A *job* is how one library does it:
`work()` does a batch and returns how many units it did; `check()` runs outside the clock and returns a number
by which a reader can see that the libraries did the same work (the equity found, or decisions in an average
hand). Where a library cannot do it, a sentence stands in the job's place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

OURS = "nemesis"

HERO = ("As", "Ks")
VILLAIN = ("Qh", "Qd")
FLOP = ("Js", "7d", "2s")
RIVER = ("Js", "7d", "2s", "7c", "3h")
VILLAIN_RANGE = "TT+,AQs+,AQo"

SMALL_BLIND, BIG_BLIND, STACK = 1, 2, 200


@dataclass(frozen=True)
class Workload:
    """One thing every library is asked to do."""

    name: str
    unit: str
    check: str
    text: str


_ON_FLOP = f"on {' '.join(FLOP)}, every turn and river"
_ALL = [
    Workload("evaluate-random", "evaluations", "", "Rank seven-card hands dealt at random beforehand."),
    Workload("evaluate-enumerated", "evaluations", "", "Rank seven-card hands in the order of combinations."),
    *(
        Workload(f"equity-{name}", "equities", "equity", f"{' '.join(HERO)} against {text}.")
        for name, text in (
            ("river-random", f"all 990 hands on {' '.join(RIVER)}"),
            ("flop-hand", f"{' '.join(VILLAIN)} {_ON_FLOP} (990 showdowns)"),
            ("flop-range", f"{VILLAIN_RANGE} {_ON_FLOP}"),
            ("flop-random", f"any hand {_ON_FLOP} (1 070 190 showdowns)"),
        )
    ),
    *(
        Workload(f"{game}-{how}", "hands", "decisions a hand", f"{text}, blinds 1/2, {players}.")
        for game, text in (
            ("limit", "Heads-up limit"),
            ("nolimit", "Heads-up no-limit, 100 big blinds"),
            ("six-nolimit", "Six-seat no-limit, 100 big blinds"),
        )
        for how, players in (("call", "everyone always calls"), ("random", "everyone chooses at random"))
    ),
    Workload("histories", "hands", "actions a hand", "Read the 600 sample hands from PHH text, through the rules."),
]
WORKLOADS = {workload.name: workload for workload in _ALL}

EVALUATOR_WORKLOADS = [name for name in WORKLOADS if name.startswith(("evaluate", "equity"))]
HISTORY_WORKLOADS = ["histories"]
HAND_WORKLOADS = [name for name in WORKLOADS if name not in (*EVALUATOR_WORKLOADS, *HISTORY_WORKLOADS)]
HISTORIES = Path(__file__).resolve().parent.parent / "examples" / "histories" / "ongame.phhs"


@dataclass(frozen=True)
class Job:
    """How one library does one workload."""

    work: Callable[[], int]
    note: str = ""
    check: Callable[[], float] | None = None


@dataclass(frozen=True)
class Row:
    """One line of the report: who, what, how many a second, and what to know about it."""

    name: str
    workload: str
    rate: float | None
    note: str = ""
    median: float | None = None
    check: float | None = None
    version: str = ""


def fastest_peer(rows: Sequence[Row]) -> float | None:
    """The best rate in `rows` that is not ours."""
    return max((row.rate for row in rows if row.rate and not row.name.startswith(OURS)), default=None)
