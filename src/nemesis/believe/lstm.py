"""An LSTM with a small network on top that estimates one probability (the ASHE paper, section 3.1.2).

The vanilla LSTM of Greff et al. (2015), with peepholes, in *blocks* of cells that share their three gates (Hochreiter,
Schmidhuber 1997). With one z for each cell and one i, f and o for each block:

    z = tanh(W_z x + R_z y + b_z)            i = σ(W_i x + R_i y + p_i·c + b_i)      f = σ(W_f x + R_f y + p_f·c + b_f)
    c' = z i + c f                           o = σ(W_o x + R_o y + p_o·c' + b_o)     y' = tanh(c') o
    estimate = σ(w_2·tanh(W_1 y' + b_1) + b_2)

`reset` starts a hand with states that are part of the genome, `listen` moves the state on at every decision, and
`estimate_all` answers for all possible actions at once without changing the state. What they share, R y + b, the peepholes
of the cells and the inputs that do not vary, is formed once per decision (`prepare`); the rest is worked out side by side, a
*lane* for each action, because eight single-precision numbers are one vector of the processor. Everything is single
precision in one block; matrices are stored by input and cells by their number within the block, so that inner loops run
along contiguous memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import ArrayLike, NDArray

from nemesis.believe.activation import Singles, sigmoid_all, tanh, tanh_all
from nemesis.runtime.borrowed import borrowed, singles
from nemesis.runtime.compiled import entry, inlined, njit
from nemesis.runtime.lanes import LANES, put_products
from nemesis.runtime.memory import CELL, REST, Layout

Block = NDArray[np.float64]


@dataclass(frozen=True)
class Shape:
    """The size of an estimator. `varying` of its inputs, the first ones, differ between candidates."""

    inputs: int
    varying: int
    blocks: int
    cells: int
    hidden: int

    def __post_init__(self) -> None:
        for name in ("inputs", "blocks", "cells", "hidden"):
            value = getattr(self, name)
            if not 1 <= value <= 1000:
                raise ValueError(f"an estimator cannot have {value} {name}; give from 1 to 1000")
        if not 0 <= self.varying <= self.inputs:
            raise ValueError(f"{self.varying} of {self.inputs} inputs cannot vary")

    @property
    def states(self) -> int:
        """Cells of all blocks together."""
        return self.blocks * self.cells

    @property
    def rows(self) -> int:
        """Sums formed in a step: one for each cell's input, three gates for each block."""
        return self.states + 3 * self.blocks

    def parts(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """The parts of a genome, in order, with their shapes."""
        yield "input", (self.inputs, self.rows)
        yield "recurrent", (self.states, self.rows)
        yield "bias", (self.rows,)
        yield "peephole", (3, self.states)
        yield "first_cells", (self.states,)
        yield "first_outputs", (self.states,)
        yield "hidden", (self.states, self.hidden)
        yield "hidden_bias", (self.hidden,)
        yield "out", (self.hidden,)
        yield "out_bias", (1,)

    @property
    def genes(self) -> int:
        """How many numbers a genome has."""
        return sum(int(np.prod(shape)) for _, shape in self.parts())

    def split(self, genome: NDArray[np.floating[Any]]) -> dict[str, NDArray[np.floating[Any]]]:
        """A genome's parts by name."""
        if genome.shape != (self.genes,):
            raise ValueError(f"an estimator of this size has {self.genes} genes, but {genome.shape} were given")
        found, start = {}, 0
        for name, shape in self.parts():
            size = int(np.prod(shape))
            found[name] = genome[start : start + size].reshape(shape)
            start += size
        return found


class Places(NamedTuple):
    """A block: its sizes, where each of its parts begins, counted in single-precision numbers, and the parts."""

    inputs: int = CELL
    varying: int = CELL
    blocks: int = CELL
    cells: int = CELL
    hidden: int = CELL
    singles: int = CELL
    input_weights: int = CELL
    recurrent: int = CELL
    bias: int = CELL
    peephole: int = CELL
    first_cells: int = CELL
    first_outputs: int = CELL
    hidden_weights: int = CELL
    hidden_bias: int = CELL
    out_weights: int = CELL
    out_bias: int = CELL
    state: int = CELL
    outputs: int = CELL
    sums: int = CELL
    first_sums: int = CELL
    shared: int = CELL
    work: int = CELL
    new_cells: int = CELL
    new_outputs: int = CELL
    hidden_values: int = CELL
    cells_in_lanes: int = CELL
    output_peephole: int = CELL
    x: int = CELL
    candidates: int = CELL
    estimates: int = CELL
    parts: int = REST


LAYOUT = Layout(Places)
AT = LAYOUT.at
_PARTS = LAYOUT.names[AT.singles + 1 : AT.parts]


def estimator_block(shape: Shape, genome: ArrayLike) -> Block:
    """The memory of an estimator: header, genome, state and working space."""
    with np.errstate(over="ignore"):
        genes = np.asarray(genome, np.float32)
    shape.split(genes)
    if not np.isfinite(genes).all():
        raise ValueError("an estimator's genes must be finite numbers")
    sizes = [int(np.prod(part)) for _, part in shape.parts()]
    rows, states = shape.rows, shape.states
    sizes += [states, states, rows, rows, rows, LANES * rows, LANES * states, LANES * states, LANES * shape.hidden]
    sizes += [LANES * states, LANES * states, shape.inputs, LANES * shape.varying, LANES]
    starts = np.cumsum([0, *sizes])
    total = int(starts[-1])
    block = LAYOUT.template(
        inputs=shape.inputs, varying=shape.varying, blocks=shape.blocks, cells=shape.cells, hidden=shape.hidden,
        singles=total, parts=np.zeros((total + 1) // 2), **dict(zip(_PARTS, starts[:-1].tolist(), strict=True)),
    )  # fmt: skip
    whole = block[AT.parts :].view(np.float32)
    whole[: genes.size] = genes
    at = int(block[AT.output_peephole])
    whole[at : at + LANES * states] = np.repeat(shape.split(genes)["peephole"][2], LANES)
    _called(_first)(block)
    return block


@inlined
def _singles(memory: Block, at: Any) -> Any:
    return singles(memory, at + AT.parts, np.int64(memory[at + AT.singles]))


@inlined
def _sizes(memory: Block, at: Any) -> Any:
    """Cells of all blocks together, and sums formed in a step."""
    blocks = np.int64(memory[at + AT.blocks])
    states = blocks * np.int64(memory[at + AT.cells])
    return states, states + 3 * blocks


@inlined
def _part(memory: Block, at: Any, whole: Singles, place: Any, size: Any) -> Any:
    return borrowed(whole, np.int64(memory[at + place]), size)


@inlined
def add_rows(sums: Singles, matrix: Singles, first: Any, values: Singles, count: Any) -> None:
    """Add `count` rows of a matrix, from row `first` on, each times its value, to the sums; four rows at a time."""
    width = sums.size
    row = 0
    while row + 4 <= count:
        a = borrowed(matrix, (first + row) * width, width)
        b = borrowed(matrix, (first + row + 1) * width, width)
        c = borrowed(matrix, (first + row + 2) * width, width)
        d = borrowed(matrix, (first + row + 3) * width, width)
        va, vb, vc, vd = values[row], values[row + 1], values[row + 2], values[row + 3]
        for i in range(width):
            sums[i] += (va * a[i] + vb * b[i]) + (vc * c[i] + vd * d[i])
        row += 4
    while row < count:
        a = borrowed(matrix, (first + row) * width, width)
        va = values[row]
        for i in range(width):
            sums[i] += va * a[i]
        row += 1


@inlined
def put_sums(sums: Singles, bias: Singles, matrix: Singles, values: Singles, count: Any) -> None:
    """For every lane, the bias and `count` rows of a matrix, each times its value; sums and values are in lanes."""
    width = bias.size
    for place in range(width):
        put_products(sums, place, bias[place], matrix, place, width, values, count)


@inlined
def _in_lanes(source: Singles, target: Singles) -> None:
    """Write every number `LANES` times."""
    for i in range(source.size):
        for lane in range(LANES):
            target[i * LANES + lane] = source[i]


@inlined
def _add_peepholes(memory: Block, at: Any, whole: Singles, sums: Singles, c: Singles) -> None:
    """Add what the cells `c` tell the input and forget gates."""
    blocks = np.int64(memory[at + AT.blocks])
    cells = np.int64(memory[at + AT.cells])
    states = blocks * cells
    peephole = np.int64(memory[at + AT.peephole])
    gate_i = borrowed(sums, states, blocks)
    gate_f = borrowed(sums, states + blocks, blocks)
    for cell in range(cells):
        p_i = borrowed(whole, peephole + cell * blocks, blocks)
        p_f = borrowed(whole, peephole + states + cell * blocks, blocks)
        now = borrowed(c, cell * blocks, blocks)
        for b in range(blocks):
            gate_i[b] += p_i[b] * now[b]
            gate_f[b] += p_f[b] * now[b]


@inlined
def _step(memory: Block, at: Any, whole: Singles, work: Singles, c: Singles, new_c: Singles, new_y: Singles) -> None:
    """From finished sums in `work` and cells `c` to new cells and outputs. Writes the last three but `c`."""
    blocks = np.int64(memory[at + AT.blocks])
    cells = np.int64(memory[at + AT.cells])
    states = blocks * cells
    peephole = np.int64(memory[at + AT.peephole])
    gate_i = borrowed(work, states, blocks)
    gate_f = borrowed(work, states + blocks, blocks)
    gate_o = borrowed(work, states + 2 * blocks, blocks)
    _add_peepholes(memory, at, whole, work, c)
    tanh_all(borrowed(work, 0, states))
    sigmoid_all(borrowed(work, states, 2 * blocks))
    for cell in range(cells):
        z = borrowed(work, cell * blocks, blocks)
        p_o = borrowed(whole, peephole + 2 * states + cell * blocks, blocks)
        now = borrowed(c, cell * blocks, blocks)
        then = borrowed(new_c, cell * blocks, blocks)
        for b in range(blocks):
            value = z[b] * gate_i[b] + now[b] * gate_f[b]
            then[b] = value
            gate_o[b] += p_o[b] * value
    sigmoid_all(gate_o)
    for cell in range(cells):
        then = borrowed(new_c, cell * blocks, blocks)
        y = borrowed(new_y, cell * blocks, blocks)
        for b in range(blocks):
            y[b] = tanh(then[b]) * gate_o[b]


@inlined
def estimator_inputs(memory: Block, at: Any) -> Any:
    """Where the caller writes inputs."""
    return _part(memory, at, _singles(memory, at), AT.x, np.int64(memory[at + AT.inputs]))


@inlined
def _recurrent_sums(memory: Block, at: Any, y_place: Any, sums_place: Any) -> None:
    """Form R y + b of the outputs at `y_place`."""
    whole = _singles(memory, at)
    states, rows = _sizes(memory, at)
    sums = _part(memory, at, whole, sums_place, rows)
    bias = _part(memory, at, whole, AT.bias, rows)
    for i in range(rows):
        sums[i] = bias[i]
    matrix = _part(memory, at, whole, AT.recurrent, states * rows)
    add_rows(sums, matrix, 0, _part(memory, at, whole, y_place, states), states)


@inlined
def reset(memory: Block, at: Any) -> None:
    """A hand begins: cells and outputs are the genome's first ones."""
    whole = _singles(memory, at)
    states, rows = _sizes(memory, at)
    _copy(_part(memory, at, whole, AT.first_cells, states), _part(memory, at, whole, AT.state, states))
    _copy(_part(memory, at, whole, AT.first_sums, rows), _part(memory, at, whole, AT.sums, rows))


@inlined
def _copy(source: Singles, target: Singles) -> None:
    for i in range(source.size):
        target[i] = source[i]


@inlined
def listen(memory: Block, at: Any) -> None:
    """Take the inputs in and move the state on."""
    whole = _singles(memory, at)
    inputs = np.int64(memory[at + AT.inputs])
    states, rows = _sizes(memory, at)
    work = _part(memory, at, whole, AT.work, rows)
    _copy(_part(memory, at, whole, AT.sums, rows), work)
    matrix = _part(memory, at, whole, AT.input_weights, inputs * rows)
    add_rows(work, matrix, 0, _part(memory, at, whole, AT.x, inputs), inputs)
    c = _part(memory, at, whole, AT.state, states)
    new_c = _part(memory, at, whole, AT.new_cells, states)
    _step(memory, at, whole, work, c, new_c, _part(memory, at, whole, AT.outputs, states))
    _copy(new_c, c)
    _recurrent_sums(memory, at, AT.outputs, AT.sums)


@inlined
def prepare(memory: Block, at: Any) -> None:
    """Form what all candidates share, once: the inputs that do not vary, and what the cells hold."""
    whole = _singles(memory, at)
    inputs = np.int64(memory[at + AT.inputs])
    varying = np.int64(memory[at + AT.varying])
    states, rows = _sizes(memory, at)
    shared = _part(memory, at, whole, AT.shared, rows)
    _copy(_part(memory, at, whole, AT.sums, rows), shared)
    x = borrowed(whole, np.int64(memory[at + AT.x]) + varying, inputs - varying)
    matrix = _part(memory, at, whole, AT.input_weights, inputs * rows)
    add_rows(shared, matrix, varying, x, inputs - varying)
    c = _part(memory, at, whole, AT.state, states)
    _add_peepholes(memory, at, whole, shared, c)
    _in_lanes(c, _part(memory, at, whole, AT.cells_in_lanes, states * LANES))


@inlined
def candidate_inputs(memory: Block, at: Any) -> Any:
    """Where the caller writes the varying inputs of candidates: input `i` of the one in `lane` at `i * LANES + lane`."""
    return _part(memory, at, _singles(memory, at), AT.candidates, np.int64(memory[at + AT.varying]) * LANES)


@inlined
def estimates(memory: Block, at: Any) -> Any:
    """Where `estimate_all` leaves the estimates, by lane."""
    return _part(memory, at, _singles(memory, at), AT.estimates, LANES)


@inlined
def estimate_all(memory: Block, at: Any) -> None:
    """Estimate for every lane's candidate; the state stays as it is. What stands in lanes not in use does no harm."""
    whole = _singles(memory, at)
    varying, hidden = np.int64(memory[at + AT.varying]), np.int64(memory[at + AT.hidden])
    blocks, cells = np.int64(memory[at + AT.blocks]), np.int64(memory[at + AT.cells])
    states, rows = _sizes(memory, at)
    wide = blocks * LANES
    work = _part(memory, at, whole, AT.work, rows * LANES)
    shared = _part(memory, at, whole, AT.shared, rows)
    matrix = _part(memory, at, whole, AT.input_weights, varying * rows)
    put_sums(work, shared, matrix, _part(memory, at, whole, AT.candidates, varying * LANES), varying)
    tanh_all(borrowed(work, 0, cells * wide))
    sigmoid_all(borrowed(work, cells * wide, 2 * wide))
    gate_i, gate_f = borrowed(work, cells * wide, wide), borrowed(work, (cells + 1) * wide, wide)
    gate_o = borrowed(work, (cells + 2) * wide, wide)
    c, peephole = np.int64(memory[at + AT.cells_in_lanes]), np.int64(memory[at + AT.output_peephole])
    new_c = _part(memory, at, whole, AT.new_cells, cells * wide)
    new_y = _part(memory, at, whole, AT.new_outputs, cells * wide)
    for cell in range(cells):
        z, then = borrowed(work, cell * wide, wide), borrowed(new_c, cell * wide, wide)
        now, p_o = borrowed(whole, c + cell * wide, wide), borrowed(whole, peephole + cell * wide, wide)
        for b in range(wide):
            then[b] = z[b] * gate_i[b] + now[b] * gate_f[b]
        for b in range(wide):
            gate_o[b] += p_o[b] * then[b]
    sigmoid_all(gate_o)
    for cell in range(cells):
        then, y = borrowed(new_c, cell * wide, wide), borrowed(new_y, cell * wide, wide)
        for b in range(wide):
            y[b] = tanh(then[b]) * gate_o[b]
    hid = _part(memory, at, whole, AT.hidden_values, hidden * LANES)
    hidden_bias = _part(memory, at, whole, AT.hidden_bias, hidden)
    put_sums(hid, hidden_bias, _part(memory, at, whole, AT.hidden_weights, states * hidden), new_y, states)
    tanh_all(hid)
    found = _part(memory, at, whole, AT.estimates, LANES)
    out_bias = _part(memory, at, whole, AT.out_bias, 1)
    put_sums(found, out_bias, _part(memory, at, whole, AT.out_weights, hidden), hid, hidden)
    sigmoid_all(found)


_BLOCK_ARRAY = types.Array(types.float64, 1, "C")


@njit(types.void(_BLOCK_ARRAY), error_model="numpy")
def _first(block: Block) -> None:
    _recurrent_sums(block, 0, AT.first_outputs, AT.first_sums)
    reset(block, 0)


@njit(types.void(_BLOCK_ARRAY), error_model="numpy")
def _listen(block: Block) -> None:
    listen(block, 0)


@njit(types.float64(_BLOCK_ARRAY), error_model="numpy")
def _estimate(block: Block) -> Any:
    prepare(block, 0)
    x, lane = estimator_inputs(block, 0), candidate_inputs(block, 0)
    for i in range(lane.size // LANES):
        lane[i * LANES] = x[i]
    estimate_all(block, 0)
    return np.float64(estimates(block, 0)[0])


@cache
def _called(kernel: Any) -> Callable[[Block], Any]:
    """A kernel of one block to be called from Python, compiled when first asked for."""
    return entry(kernel, np.zeros(1))


class Estimator:
    """The Python face of an estimator; it steps the same kernels."""

    def __init__(self, shape: Shape, genome: ArrayLike) -> None:
        self.shape = shape
        self.block = estimator_block(shape, genome)

    def reset(self) -> None:
        """A hand begins."""
        _called(_first)(self.block)

    def listen(self, inputs: ArrayLike) -> None:
        """Take inputs in and move the state on."""
        self._write(inputs)
        _called(_listen)(self.block)

    def estimate(self, inputs: ArrayLike) -> float:
        """The estimate for these inputs; the state stays as it is."""
        self._write(inputs)
        return float(_called(_estimate)(self.block))

    @property
    def cells(self) -> NDArray[np.float32]:
        """The cells' states now."""
        start = int(self.block[AT.state])
        return self.block[AT.parts :].view(np.float32)[start : start + self.shape.states].copy()

    def _write(self, inputs: ArrayLike) -> None:
        values = np.asarray(inputs, np.float32)
        if values.shape != (self.shape.inputs,):
            raise ValueError(f"an estimator of {self.shape.inputs} inputs was given {values.shape}")
        start = int(self.block[AT.x])
        self.block[AT.parts :].view(np.float32)[start : start + values.size] = values
