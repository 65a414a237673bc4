"""Names for the places of a compiled agent's memory, which is one flat array of float64.

A layout is declared as a NamedTuple whose defaults say how much room each field takes:

    class Places(NamedTuple):
        hand: int = CELL        # one number
        counts: int = 12        # twelve of them
        belief: int = WHERE     # one number: where a block of any size begins, behind the fields
        genes: int = REST       # the first such block; it begins where the fields end

    LAYOUT = Layout(Places)
    memory = LAYOUT.template(hand=-1, belief=belief_block(...), genes=genome)

Kernels use the offsets as constants, `AT = LAYOUT.at` and `memory[AT.hand]`. `read` gives a memory back by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

CELL, WHERE, REST = 1, 0, -1

Places = TypeVar("Places", bound=tuple[int, ...])


class Layout(Generic[Places]):
    """Where each field of a NamedTuple of sizes lies; `after` another layout if it continues that one's memory."""

    def __init__(self, places: type[Places], after: Layout[Any] | None = None) -> None:
        kind: Any = places
        self.rooms: Sequence[int] = kind()
        self.names: Sequence[str] = kind._fields
        if REST in self.rooms[:-1]:
            raise ValueError(f"the rest of a memory is the last field of its layout, not {self._name_of(REST)}")
        self.start: int = after.end if after else 0
        self.end: int = self.start
        offsets = []
        for room in self.rooms:
            offsets.append(self.end)
            self.end += _cells(room)
        self.at: Places = kind(*offsets)
        self.size = self.end - self.start
        """Cells of all fields, without the blocks behind them."""

    def template(self, **values: ArrayLike) -> NDArray[np.float64]:
        """A memory with these values by name, 0 for those not named, and the blocks behind; `start` is not counted."""
        unknown = sorted(set(values) - set(self.names))
        if unknown:
            raise ValueError(f"this memory has no {', '.join(unknown)}; it has {', '.join(self.names)}")
        memory = np.zeros(self.size)
        blocks, end = [], self.end
        for name, room, offset in self._rest_first():
            value = np.asarray(values.get(name, 0.0 if room > 0 else ()), np.float64)
            if room <= 0:
                blocks.append(value.ravel())
                value = np.asarray(end)
                end += blocks[-1].size
            elif value.size not in (1, room):
                raise ValueError(f"{name} takes {room} numbers, not {value.size}")
            if room != REST:
                memory[offset - self.start : offset - self.start + _cells(room)] = value
        return np.concatenate([memory, *blocks])

    def read(self, memory: NDArray[np.float64]) -> dict[str, Any]:
        """What each field of a memory holds: a number, an array, or the place where a block begins."""
        found: dict[str, Any] = {}
        for name, room, offset in zip(self.names, self.rooms, self.at, strict=True):
            if room > CELL:
                found[name] = memory[offset : offset + room].copy()
            else:
                found[name] = float(memory[offset]) if room == CELL else offset if room == REST else int(memory[offset])
        return found

    def _rest_first(self) -> Iterator[tuple[str, int, int]]:
        """Every field with its room and offset, the rest before all others because its block is the first."""
        fields = list(zip(self.names, self.rooms, self.at, strict=True))
        yield from sorted(fields, key=lambda field: field[1] != REST)

    def _name_of(self, room: int) -> str:
        return self.names[self.rooms.index(room)]


def _cells(room: int) -> int:
    return {WHERE: 1, REST: 0}.get(room, room)
