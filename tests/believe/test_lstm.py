"""The estimator against its formulas in plain NumPy and against PyTorch, and what it promises about its state."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from nemesis.believe.lstm import Estimator, Shape, add_rows, estimator_block

SHAPES = [
    Shape(inputs=1, varying=1, blocks=1, cells=1, hidden=1),
    Shape(inputs=4, varying=0, blocks=3, cells=2, hidden=5),
    Shape(inputs=11, varying=5, blocks=8, cells=2, hidden=8),
    Shape(inputs=10, varying=3, blocks=50, cells=10, hidden=50),
]
CLOSE = 2e-5


def genome_of(shape: Shape, seed: int = 1) -> np.ndarray:
    """Weights that leave the activations somewhere in their middle, whatever the size."""
    spread = 2.0 / np.sqrt(shape.states + shape.inputs)
    return np.random.default_rng(seed).normal(0.0, spread, shape.genes).astype(np.float32)


def sigma(x: np.ndarray) -> np.ndarray:
    return 1.0 / (1.0 + np.exp(-x))


class Formulas:
    """The same network in double precision, one block and one cell at a time, straight from the formulas.

    Cells lie by their number within the block first: cell `k` of block `b` is number `k * blocks + b`.
    """

    def __init__(self, shape: Shape, genome: np.ndarray) -> None:
        self.shape = shape
        self.parts = {name: part.astype(np.float64) for name, part in shape.split(genome).items()}
        self.c, self.y = self.parts["first_cells"], self.parts["first_outputs"]

    def stepped(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        blocks, cells, states = self.shape.blocks, self.shape.cells, self.shape.states
        sums = x @ self.parts["input"] + self.y @ self.parts["recurrent"] + self.parts["bias"]
        p_i, p_f, p_o = self.parts["peephole"]
        c, y = np.zeros(states), np.zeros(states)
        for block in range(blocks):
            mine = [cell * blocks + block for cell in range(cells)]
            gate_i = sigma(sums[states + block] + p_i[mine] @ self.c[mine])
            gate_f = sigma(sums[states + blocks + block] + p_f[mine] @ self.c[mine])
            for cell in mine:
                c[cell] = np.tanh(sums[cell]) * gate_i + self.c[cell] * gate_f
            gate_o = sigma(sums[states + 2 * blocks + block] + p_o[mine] @ c[mine])
            for cell in mine:
                y[cell] = np.tanh(c[cell]) * gate_o
        return c, y

    def listen(self, x: np.ndarray) -> None:
        self.c, self.y = self.stepped(x)

    def estimate(self, x: np.ndarray) -> float:
        _, y = self.stepped(x)
        hidden = np.tanh(y @ self.parts["hidden"] + self.parts["hidden_bias"])
        return float(sigma(hidden @ self.parts["out"] + self.parts["out_bias"][0]))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_it_is_what_the_formulas_say(shape: Shape) -> None:
    """Three hands of up to six decisions with four candidates each."""
    genome = genome_of(shape)
    estimator, formulas = Estimator(shape, genome), Formulas(shape, genome)
    chance = np.random.default_rng(2)
    estimates = []
    for hand in range(3):
        estimator.reset()
        formulas = Formulas(shape, genome)
        for _ in range(2 * hand + 2):
            x = chance.random(shape.inputs)
            estimator.listen(x)
            formulas.listen(x)
            np.testing.assert_allclose(estimator.cells, formulas.c, atol=CLOSE)
            for candidate in chance.random((4, shape.inputs)):
                estimates.append(estimator.estimate(candidate))
                assert estimates[-1] == pytest.approx(formulas.estimate(candidate), abs=CLOSE)
    assert np.ptp(estimates) > 1e-3


@pytest.mark.parametrize(("inputs", "blocks", "hidden"), [(1, 1, 1), (3, 4, 2), (11, 16, 8)])
def test_with_one_cell_a_block_and_no_peepholes_it_is_the_lstm_of_pytorch(
    inputs: int, blocks: int, hidden: int
) -> None:
    torch = pytest.importorskip("torch")
    shape = Shape(inputs, inputs, blocks, 1, hidden)
    genome = genome_of(shape, seed=3)
    parts = shape.split(genome)
    parts["peephole"][:] = 0.0

    def pytorch_order(matrix: np.ndarray) -> "torch.Tensor":
        """Ours are cell input, input gate, forget gate, output gate; PyTorch has the cell input third."""
        z, i, f, o = np.split(np.asarray(matrix, np.float64), 4, axis=-1)
        return torch.tensor(np.concatenate([i, f, z, o], axis=-1).T.copy())

    lstm = torch.nn.LSTM(inputs, blocks, dtype=torch.float64)
    with torch.no_grad():
        lstm.weight_ih_l0.copy_(pytorch_order(parts["input"]))
        lstm.weight_hh_l0.copy_(pytorch_order(parts["recurrent"]))
        lstm.bias_ih_l0.copy_(pytorch_order(parts["bias"]))
        lstm.bias_hh_l0.zero_()
    x = np.random.default_rng(4).random((7, inputs))
    first = (torch.tensor(parts[name][None], dtype=torch.float64) for name in ("first_outputs", "first_cells"))
    with torch.no_grad():
        outputs, (_, cells) = lstm(torch.tensor(x), tuple(first))
    y = outputs[-1].numpy()
    top = np.tanh(y @ parts["hidden"] + parts["hidden_bias"]) @ parts["out"] + parts["out_bias"][0]

    estimator = Estimator(shape, genome)
    for row in x[:-1]:
        estimator.listen(row)
    assert estimator.estimate(x[-1]) == pytest.approx(float(sigma(top)), abs=CLOSE)
    estimator.listen(x[-1])
    np.testing.assert_allclose(estimator.cells, cells[0].numpy(), atol=CLOSE)


def test_an_estimate_leaves_the_state_alone() -> None:
    shape = SHAPES[2]
    asked, unasked = (Estimator(shape, genome_of(shape)) for _ in range(2))
    chance = np.random.default_rng(5)
    for _ in range(5):
        x = chance.random(shape.inputs)
        asked.listen(x)
        unasked.listen(x)
        before = asked.cells
        first = asked.estimate(x)
        for candidate in chance.random((6, shape.inputs)):
            asked.estimate(candidate)
        assert asked.estimate(x) == first
        assert (asked.cells == before).all()
        assert (asked.cells == unasked.cells).all()
        assert unasked.estimate(x) == first


def test_a_new_hand_begins_with_the_states_of_the_genome() -> None:
    shape = SHAPES[2]
    estimator = Estimator(shape, genome_of(shape))
    first = shape.split(genome_of(shape))["first_cells"]
    x = np.linspace(0, 1, shape.inputs)
    fresh = estimator.estimate(x)
    assert (estimator.cells == first).all()
    estimator.listen(x)
    assert (estimator.cells != first).any()
    assert estimator.estimate(x) != fresh
    estimator.reset()
    assert (estimator.cells == first).all()
    assert estimator.estimate(x) == fresh


@pytest.mark.parametrize("varying", range(5))
def test_which_inputs_may_vary_is_only_a_matter_of_speed(varying: int) -> None:
    """Sharing inputs between candidates adds the same rows in another order."""
    shape = Shape(4, varying, 3, 2, 4)
    whole = Shape(4, 4, 3, 2, 4)
    one, other = Estimator(shape, genome_of(shape)), Estimator(whole, genome_of(shape))
    chance = np.random.default_rng(6)
    for x in chance.random((4, 4)):
        one.listen(x)
        other.listen(x)
        assert one.estimate(x[::-1]) == pytest.approx(other.estimate(x[::-1]), abs=1e-6)


@pytest.mark.parametrize("count", range(10))
def test_rows_are_added_whatever_their_number(count: int) -> None:
    chance = np.random.default_rng(count)
    matrix, values = chance.random((12, 5)).astype(np.float32), chance.random(count).astype(np.float32)
    sums = np.ones(5, np.float32)
    add_rows(sums, matrix.ravel(), 2, values, count)
    np.testing.assert_allclose(sums, 1 + values @ matrix[2 : 2 + count], rtol=1e-6)


def test_parts_fill_the_genome_exactly_once() -> None:
    """11 inputs and 16 cells into 16 + 3 x 8 sums, biases, peepholes, first states, a network of 16-8-1."""
    shape = SHAPES[2]
    assert shape.genes == 11 * 40 + 16 * 40 + 40 + 3 * 16 + 16 + 16 + 16 * 8 + 8 + 8 + 1
    parts = shape.split(np.arange(shape.genes, dtype=np.float64))
    assert np.concatenate([part.ravel() for part in parts.values()]).tolist() == list(range(shape.genes))


def test_a_genome_of_another_size_is_refused() -> None:
    shape = SHAPES[0]
    with pytest.raises(ValueError, match=rf"an estimator of this size has {shape.genes} genes, but \(3,\) were given"):
        Estimator(shape, np.zeros(3))
    with pytest.raises(ValueError, match=r"has 21 genes, but \(21, 1\)"):
        estimator_block(shape, np.zeros((shape.genes, 1)))


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e39])
def test_genes_that_are_no_single_precision_numbers_are_refused(bad: float) -> None:
    genome = np.zeros(SHAPES[0].genes)
    genome[3] = bad
    with pytest.raises(ValueError, match="genes must be finite numbers"):
        Estimator(SHAPES[0], genome)


def test_inputs_of_another_number_are_refused() -> None:
    with pytest.raises(ValueError, match=r"an estimator of 11 inputs was given \(10,\)"):
        Estimator(SHAPES[2], genome_of(SHAPES[2])).listen(np.zeros(10))


@pytest.mark.parametrize(
    ("sizes", "sentence"),
    [
        ((0, 0, 1, 1, 1), "cannot have 0 inputs; give from 1 to 1000"),
        ((1, 0, 1001, 1, 1), "cannot have 1001 blocks; give from 1 to 1000"),
        ((1, 0, 1, -1, 1), "cannot have -1 cells"),
        ((1, 0, 1, 1, 0), "cannot have 0 hidden"),
        ((3, 4, 1, 1, 1), "4 of 3 inputs cannot vary"),
    ],
)
def test_impossible_sizes_are_refused(sizes: tuple[int, int, int, int, int], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Shape(*sizes)


@pytest.mark.parametrize("scale", [1e3, 1e18])
def test_extreme_weights_still_give_a_rate(scale: float) -> None:
    """Evolution adds noise without a bound; the largest weights saturate the gates and nothing worse."""
    shape = SHAPES[1]
    estimator = Estimator(shape, genome_of(shape) * np.float32(scale))
    for _ in range(3):
        estimator.listen(np.ones(4))
    assert 0.0 <= estimator.estimate(np.ones(4)) <= 1.0


def sequence_of_play() -> list[float]:
    """Cells and estimates of a few decisions, to the last bit."""
    found: list[float] = []
    for shape in SHAPES[:3]:
        estimator = Estimator(shape, genome_of(shape))
        chance = np.random.default_rng(7)
        for _ in range(5):
            estimator.listen(chance.random(shape.inputs))
            found += [float(cell) for cell in estimator.cells]
            found += [estimator.estimate(chance.random(shape.inputs)) for _ in range(3)]
    return found


@pytest.mark.slow
def test_compiled_and_uncompiled_kernels_estimate_alike() -> None:
    ran = subprocess.run(
        [sys.executable, __file__],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(ran.stdout) == sequence_of_play()


if __name__ == "__main__":
    print(json.dumps(sequence_of_play()))
