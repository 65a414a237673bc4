"""How fast Nemesis does the same workloads.

Each function returns jobs by workload name (`workloads.WORKLOADS`); a workload without a job is reported as
not measured. Kernels are compiled before the jobs are returned. What a job owes its reader:

* evaluate-*: hands dealt beforehand into an array, `work` returns how many it ranked.
* equity-*: the cards named in `workloads`, exactly; `check` returns the equity, which must equal the peers'.
  If a table is looked up instead of enumerated, the note says so, and what building it cost.
* limit-*, nolimit-*, six-nolimit-*: complete hands from the shuffle to the chips, cards dealt and showdowns
  ranked inside the clock (a bank dealt beforehand is other work and needs a workload of its own); `check`
  returns decisions a hand, to be held against the peers' (always call: 8 heads-up, 24 six-seat). Random means
  uniform over fold, call, raise (limit) or fold, call, pot, all-in (no-limit), no fold when checking is free.
"""

from __future__ import annotations

from benchmarks.apart import Jobs, answer


def evaluators() -> Jobs:
    """Ranks of hands, and exact equities."""
    return {}


def hands() -> Jobs:
    """Complete hands."""
    return {}


def nemesis() -> Jobs:
    """Everything we measure of our own."""
    return {**evaluators(), **hands()}


LIBRARIES = {"nemesis": nemesis}

if __name__ == "__main__":
    answer(LIBRARIES, {"nemesis": "nemesis-poker"})
