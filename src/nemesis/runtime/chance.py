"""Chance by counter: the n-th draw of a stream is a function of its key, so nothing depends on the order of play.

SplitMix64 (Steele, Lea, Flood 2014): a counter stepped by the golden ratio and scrambled. Whoever needs a key asks
`runtime.streams`, which names them all; deal `number` of a game is drawn from `nth(deal_key(game, seed), number)`, so
any worker can draw any deal. A decision that throws several dice gets one number in [0, 1) and makes the others from
it with `another`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.runtime.compiled import inlined

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32, _S11 = (np.uint64(s) for s in (30, 27, 31, 32, 11))
_ALL = (1 << 64) - 1
_STEPS = 1 << 53


def _mix(x: Any) -> Any:
    """Mix 64 bits thoroughly; one-to-one. Of an array, every element."""
    x = (x ^ (x >> _S30)) * _M1
    x = (x ^ (x >> _S27)) * _M2
    return x ^ (x >> _S31)


scramble = inlined(_mix)


@inlined
def nth(key: Any, number: Any) -> Any:
    """The random bits at this place of the stream with this key."""
    return scramble(np.uint64(np.int64(key)) + np.uint64(number) * GOLDEN)


@inlined
def below(x: np.uint64, n: int) -> Any:
    """A whole number in [0, n) from 32 of the random bits `x`; n is at most a few hundred."""
    return np.int64(((x >> _S32) * np.uint64(n)) >> _S32)


@inlined
def uniform(x: np.uint64) -> float:
    """A float in [0, 1) from the random bits `x`."""
    return np.float64(x >> _S11) * (1.0 / _STEPS)


@inlined
def another(chance: float, number: int) -> float:
    """A further number in [0, 1) for a decision that was given `chance`; each `number` from 1 on gives its own."""
    return uniform(nth(np.int64(chance * _STEPS), number))


def folded(*parts: int | NDArray[np.int64]) -> NDArray[np.int64]:
    """Whole numbers folded into 64-bit keys, one for each element of the parts that are arrays. Use `streams` instead."""
    key: Any = np.zeros(1, np.uint64)  # an array, because NumPy warns when a single number wraps around
    for part in parts:
        bits = part.astype(np.uint64) if isinstance(part, np.ndarray) else np.uint64(part & _ALL)
        key = _mix((key ^ bits) + GOLDEN)
    signed: NDArray[np.int64] = key.view(np.int64)
    return signed
