"""Layouts: named places in a flat memory, the same for Python and for kernels."""

from typing import NamedTuple

import numpy as np
import pytest

from nemesis.runtime.compiled import njit
from nemesis.runtime.memory import CELL, REST, WHERE, Layout


class Places(NamedTuple):
    hand: int = CELL
    counts: int = 3
    belief: int = WHERE
    genes: int = REST


LAYOUT = Layout(Places)
AT = LAYOUT.at


def test_fields_follow_one_another() -> None:
    assert AT._asdict() == {"hand": 0, "counts": 1, "belief": 4, "genes": 5}
    assert LAYOUT.size == 5


def test_a_template_has_its_blocks_behind_the_fields_the_rest_first() -> None:
    memory = LAYOUT.template(hand=-1, counts=(1, 2, 3), belief=(0.5, 0.25), genes=(7, 8, 9))
    assert memory.tolist() == [-1, 1, 2, 3, 8, 7, 8, 9, 0.5, 0.25]
    assert memory[int(memory[AT.belief])] == 0.5


def test_what_is_not_named_is_nothing() -> None:
    assert LAYOUT.template().tolist() == [0, 0, 0, 0, 5]


def test_a_memory_reads_back_by_name() -> None:
    found = LAYOUT.read(LAYOUT.template(hand=-1, counts=(1, 2, 3), belief=(0.5,), genes=(7, 8)))
    counts = found.pop("counts")
    assert counts.tolist() == [1, 2, 3]
    assert found == {"hand": -1.0, "belief": 7, "genes": 5}


def test_a_layout_can_go_on_where_another_ends() -> None:
    class First(NamedTuple):
        hand: int = CELL
        habit: int = CELL

    class More(NamedTuple):
        plan: int = CELL
        network: int = WHERE

    first = Layout(First)
    more = Layout(More, after=first)
    assert more.at == More(plan=2, network=3)
    memory = np.concatenate([first.template(hand=-1, habit=0.9), more.template(plan=2, network=(6, 7))])
    assert memory.tolist() == [-1, 0.9, 2, 4, 6, 7]


@njit(cache=False)
def _count(memory, kind):  # type: ignore[no-untyped-def]
    memory[AT.counts + kind] += 1
    return memory[np.int64(memory[AT.belief])] + memory[AT.genes]


def test_kernels_use_the_names() -> None:
    memory = LAYOUT.template(belief=(0.5,), genes=(7,))
    assert _count(memory, 2) == 7.5
    assert memory[AT.counts + 2] == 1


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(ValueError, match="this memory has no hnad; it has hand, counts, belief, genes"):
        LAYOUT.template(hnad=1)


def test_a_block_of_the_wrong_size_is_an_error() -> None:
    with pytest.raises(ValueError, match="counts takes 3 numbers, not 2"):
        LAYOUT.template(counts=(1, 2))


def test_the_rest_is_last() -> None:
    class Wrong(NamedTuple):
        genes: int = REST
        hand: int = CELL

    with pytest.raises(ValueError, match="the rest of a memory is the last field of its layout, not genes"):
        Layout(Wrong)
