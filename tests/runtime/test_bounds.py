"""`make bounds` runs the kernels with checked indices: that must reach ours, called directly or by address."""

import os
import subprocess
import sys

PROGRAM = """
import numpy as np
from numba import types
from nemesis.runtime.compiled import address, call_by_address, njit

SIGNATURE = types.float64(types.float64[::1], types.int64)
call = call_by_address(SIGNATURE)

@njit(error_model="numpy", forceinline=True, cache=False)
def element(array, at):
    return array[at]

@njit(SIGNATURE, error_model="numpy", cache=False)
def directly(array, at):
    return element(array, at)

@njit(cache=False)
def by_address(target, array, at):
    return call(target, array, at)

for ask in (directly, lambda array, at: by_address(address(directly, SIGNATURE), array, at)):
    assert ask(np.arange(3.0), 2) == 2.0
    try:
        ask(np.arange(3.0), 3)
    except IndexError:
        print("refused")
"""


def test_an_index_outside_its_array_is_refused() -> None:
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_DISABLE_JIT": "0"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["refused", "refused"]
