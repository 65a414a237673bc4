import pytest

from nemesis.measure.speed import workloads
from nemesis.runtime.compiled import COMPILING

ALL_SEVENS = "seven-card evaluations, enumerated"
WORKLOADS = workloads(hands=100)


@pytest.mark.parametrize("name", list(WORKLOADS))
def test_a_workload_says_how_much_it_did(name: str) -> None:
    if name == ALL_SEVENS and not COMPILING:
        pytest.skip("133 million hands are too many uncompiled")
    unit, work = WORKLOADS[name]
    assert unit in ("hands/s", "evaluations/s", "pursuits/s")
    done = work()
    if name == ALL_SEVENS:
        assert done == 133_784_560
    elif unit != "hands/s":
        assert done == 100
    else:
        assert done == 1000  # one match
