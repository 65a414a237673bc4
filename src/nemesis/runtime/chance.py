"""Chance by counter: the n-th draw of a stream is a function of its key, so nothing depends on the order of play.

SplitMix64 (Steele, Lea, Flood 2014): a counter stepped by the golden ratio and scrambled. `scramble` is also how keys
are combined: a deal's key is `scramble(scramble(seed ^ game) + number)`, so any worker can draw any deal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nemesis.runtime.compiled import inlined

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32, _S11 = (np.uint64(s) for s in (30, 27, 31, 32, 11))
_ALL = (1 << 64) - 1
_UNIT = 1.0 / (1 << 53)


@inlined
def scramble(x: np.uint64) -> np.uint64:
    """Mix 64 bits thoroughly; one-to-one."""
    x = (x ^ (x >> _S30)) * _M1
    x = (x ^ (x >> _S27)) * _M2
    return x ^ (x >> _S31)


@inlined
def below(x: np.uint64, n: int) -> Any:
    """A whole number in [0, n) from 32 of the random bits `x`; n is at most a few hundred."""
    return np.int64(((x >> _S32) * np.uint64(n)) >> _S32)


@inlined
def uniform(x: np.uint64) -> float:
    """A float in [0, 1) from the random bits `x`."""
    return np.float64(x >> _S11) * _UNIT


def stream_key(*parts: int) -> int:
    """Fold whole numbers into one 64-bit key, as a signed number so that it fits an int64."""
    key = 0
    for part in parts:
        key = ((key ^ part) + int(GOLDEN)) & _ALL
        key = ((key ^ (key >> 30)) * int(_M1)) & _ALL
        key = ((key ^ (key >> 27)) * int(_M2)) & _ALL
        key ^= key >> 31
    return key - (1 << 64) if key >> 63 else key
