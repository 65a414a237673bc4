"""How many hands ASHE plays a second, and where the time goes, in ns per decision.

The player is the champion `ashe-a4` if there is one (else the sketch that evolution starts from), against all ten
opponents in turn. It plays at the compact size and, the same player, at the reference size: its weights in a corner of the
large estimators and zeros elsewhere, which does the arithmetic of the large ones and takes the same decisions, so the two
differ in size alone.

Hands/s are those of evaluation: duplicate matches on the same deals, dealing included, one worker. For the parts, one match
against each opponent is recorded: every view that ASHE acted on, where it stood in its tree, which actions it weighed,
every event it heard. The kernels are then run over the recording one by one, with the memory as the match left it. What is
left of the whole after deciding and watching is dealing, betting and the opponent.

The LSTM's floor is what its multiplications would take at the rate of a large float32 matrix product (NumPy, one thread)
and its activations at the rate of our own `tanh_all` over a long array. Beside it stands NumPy's matrix times vector in
the shape of the reference size's recurrent weights, because a network that plays poker has one vector at a time.

CPU time of one process; medians of repeats. Two cores play twice the figure of one, for blocks share nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from benchmarks.apart import ONE_THREAD
from benchmarks.clock import measure
from benchmarks.section import Finding, Options, Section, Verdict, markdown_table
from nemesis.believe.activation import tanh_all
from nemesis.believe.lstm import Shape, candidate_inputs, estimate_all, estimator_inputs, listen, prepare
from nemesis.believe.pattern_tree import ALL_IN, TREE, child_of
from nemesis.measure.earnings import SEATS, earnings
from nemesis.observe.event import Event
from nemesis.observe.view import View
from nemesis.play.match import play_lineups
from nemesis.respond.agent import Uncompiled
from nemesis.respond.ashe import (
    AT,
    COMPACT,
    OPTION,
    OPTION_SIZE,
    OPTIONS,
    REFERENCE,
    Ashe,
    Size,
    _act,
    _watch,
    state_inputs,
    write_node,
)
from nemesis.respond.ashe_file import unpacked_genes
from nemesis.respond.ashe_sketch import sketch
from nemesis.respond.champion import read_champion, shipped_champions
from nemesis.rules.games import no_limit
from nemesis.runtime.borrowed import borrowed
from nemesis.runtime.compiled import njit
from nemesis.runtime.lanes import LANES
from nemesis.studies.published_opponents import PRESENT

CORES = 2
TARGETS = {"compact": (COMPACT, 40_000), "reference": (REFERENCE, 1_500)}
HANDS = {"compact": 1000, "reference": 200}
"""In a match; fewer where a hand takes a millisecond."""
KEPT = {"compact": 2000, "reference": 100}
"""Decisions of a match, evenly spread, that the kernels are run over."""
CHAMPION = "ashe-a4"


@dataclass(frozen=True)
class Spent:
    """One size: hands a second on one core, decisions and actions weighed, ns per decision by part, and the LSTM's floor."""

    size: str
    player: str
    hands_per_second: float
    decisions: float
    weighed: float
    parts: dict[str, float]
    floor: dict[str, float]


def champion_genes() -> tuple[str, np.ndarray]:
    """The shipped champion's name and genome, or the sketch that evolution starts from."""
    path = shipped_champions().get(CHAMPION)
    if path is not None:
        content = read_champion(path)
        if [content["player"][key] for key in ("blocks", "cells", "hidden")] == list(asdict(COMPACT).values()):
            return CHAMPION, unpacked_genes(content["genome"])
    return "the sketch", sketch(COMPACT)


def grown(genes: np.ndarray, small: Size, large: Size) -> np.ndarray:
    """The same player with larger estimators: its weights where they belong, and zeros."""
    cut = small.win.genes
    return np.concatenate([_grown(genes[:cut], small.win, large.win), _grown(genes[cut:], small.fold, large.fold)])


def _grown(genes: np.ndarray, small: Shape, large: Shape) -> np.ndarray:
    states = np.array([cell * large.blocks + block for cell in range(small.cells) for block in range(small.blocks)])
    gates = np.array([large.states + g * large.blocks + block for g in range(3) for block in range(small.blocks)])
    rows, hidden, inputs = np.concatenate([states, gates]), np.arange(small.hidden), np.arange(small.inputs)
    places: dict[str, tuple[np.ndarray, ...]] = {
        "input": (inputs, rows),
        "recurrent": (states, rows),
        "bias": (rows,),
        "peephole": (np.arange(3), states),
        "first_cells": (states,),
        "first_outputs": (states,),
        "hidden": (states, hidden),
        "hidden_bias": (hidden,),
        "out": (hidden,),
        "out_bias": (np.arange(1),),
    }
    found = np.zeros(large.genes)
    parts = large.split(found)
    for name, values in small.split(genes).items():
        parts[name][np.ix_(*places[name])] = values
    return found


class Recorder(Uncompiled):
    """An agent that plays on and writes down what it was shown, where it stood, what it weighed and what it heard."""

    def __init__(self, agent: Ashe) -> None:
        super().__init__(agent)
        self.views: list[np.ndarray] = []
        self.nodes: list[float] = []
        self.options: list[np.ndarray] = []
        self.events: list[np.ndarray] = []
        self.choices: list[float] = []

    def act(self, view: View) -> int:
        memory = self.agent.memory
        self.views.append(view.record.copy())
        self.nodes.append(memory[int(memory[AT.tree]) + TREE.now])
        chosen = super().act(view)
        thoughts = self.agent.memory[AT.thoughts : AT.thoughts + OPTIONS * OPTION_SIZE].reshape(OPTIONS, OPTION_SIZE)
        self.options.append(np.isfinite(thoughts[1:, OPTION.utility]))
        return chosen

    def watch(self, event: Event) -> None:
        self.events.append(event.record.copy())
        self.choices.append(self.agent.memory[AT.choice])
        super().watch(event)


@dataclass(frozen=True)
class Recording:
    """One match as arrays, with the memory it left."""

    memory: np.ndarray
    views: np.ndarray
    nodes: np.ndarray
    options: np.ndarray  # decision, label -> was it weighed
    events: np.ndarray
    choices: np.ndarray


def record(agent: Ashe, opponent: Any, hands: int) -> Recording:
    """Play one match and keep everything."""
    recorder = Recorder(agent)
    play_lineups(no_limit(), [recorder, opponent], np.array([[0, 1]]), np.zeros(1, np.int64), hands=hands, seed=1)
    return Recording(
        agent.memory, np.concatenate(recorder.views), np.array(recorder.nodes), np.array(recorder.options),
        np.concatenate(recorder.events), np.array(recorder.choices),
    )  # fmt: skip


@njit(error_model="numpy")
def run_acts(memory: Any, views: Any, nodes: Any, options: Any) -> None:
    now = np.int64(memory[AT.tree]) + TREE.now
    for i in range(views.size):
        memory[now] = nodes[i]
        _act(borrowed(views, i, 1), memory, 0.5)


@njit(error_model="numpy")
def run_features(memory: Any, views: Any, nodes: Any, options: Any) -> None:
    win_x, fold_x = _inputs(memory)
    for i in range(views.size):
        state_inputs(views[i], 20_000.0, win_x, fold_x)
        write_node(memory, np.int64(nodes[i]), 0.5, win_x, fold_x, 0, 1)


@njit(error_model="numpy")
def run_tree(memory: Any, views: Any, nodes: Any, options: Any) -> None:
    tree = np.int64(memory[AT.tree])
    win_x = candidate_inputs(memory, np.int64(memory[AT.win]))
    fold_x = candidate_inputs(memory, np.int64(memory[AT.fold]))
    for i in range(views.size):
        for label in range(ALL_IN + 1):
            if options[i, label]:
                child = child_of(memory, tree, np.int64(nodes[i]), label)
                write_node(memory, child, 0.5, win_x, fold_x, label, LANES)


@njit(error_model="numpy")
def _inputs(memory: Any) -> Any:
    return estimator_inputs(memory, np.int64(memory[AT.win])), estimator_inputs(memory, np.int64(memory[AT.fold]))


@njit(error_model="numpy")
def run_listen(memory: Any, views: Any, nodes: Any, options: Any) -> None:
    for _ in range(views.size):
        listen(memory, np.int64(memory[AT.win]))
        listen(memory, np.int64(memory[AT.fold]))


@njit(error_model="numpy")
def run_prepare(memory: Any, views: Any, nodes: Any, options: Any) -> None:
    for _ in range(views.size):
        prepare(memory, np.int64(memory[AT.win]))
        prepare(memory, np.int64(memory[AT.fold]))


@njit(error_model="numpy")
def run_win(memory: Any, views: Any, nodes: Any, options: Any) -> None:
    for _ in range(views.size):
        estimate_all(memory, np.int64(memory[AT.win]))


@njit(error_model="numpy")
def run_fold(memory: Any, views: Any, nodes: Any, options: Any) -> None:
    for _ in range(views.size):
        estimate_all(memory, np.int64(memory[AT.fold]))


@njit(error_model="numpy")
def run_watch(memory: Any, events: Any, choices: Any) -> None:
    for i in range(events.size):
        memory[AT.choice] = choices[i]
        _watch(borrowed(events, i, 1), memory)


@njit(error_model="numpy")
def run_tanh(values: Any, times: Any) -> None:
    for _ in range(times):
        tanh_all(values)


KERNELS: dict[str, Any] = {
    "features of the hand": run_features,
    "tree: nodes of the candidates": run_tree,
    "LSTM: listening": run_listen,
    "LSTM: inputs that candidates share": run_prepare,
    "LSTM: win rate of the candidates": run_win,
    "LSTM: fold rate of the candidates": run_fold,
}


def spent(name: str, seconds: float) -> Spent:
    """Measure one size."""
    size = TARGETS[name][0]
    game = no_limit()
    player, genes = champion_genes()
    agent = Ashe(game, size, grown(genes, COMPACT, size), name=name)
    opponents = [opponent.seated(game) for opponent in PRESENT]
    hands = HANDS[name]
    recordings = [record(agent, opponent, hands) for opponent in opponents]
    decisions = sum(len(r.views) for r in recordings)
    kept = [np.linspace(0, len(r.views), KEPT[name], endpoint=False).astype(int) for r in recordings]
    samples = [(r.memory, r.views[at], r.nodes[at], r.options[at]) for r, at in zip(recordings, kept, strict=True)]

    def ns(kernel: Any) -> float:
        """Median ns per decision of a kernel over the samples of all recordings, compiled before the clock starts."""
        kernel(*samples[0])

        def work() -> int:
            for sample in samples:
                kernel(*sample)
            return KEPT[name] * len(samples)

        return 1e9 / measure(work, seconds).median

    def watch() -> int:
        for r in recordings:
            run_watch(r.memory, r.events, r.choices)
        return decisions

    def evaluate() -> int:
        earnings(game, [agent], opponents, 1, hands, seed=1)
        return len(opponents) * SEATS * hands

    run_watch(agent.memory.copy(), recordings[0].events, recordings[0].choices)
    earnings(game, [agent], opponents[:1], 1, 1, seed=1)
    rate = measure(evaluate, 2 * seconds).median
    deciding, parts = ns(run_acts), {what: ns(kernel) for what, kernel in KERNELS.items()}
    a_hand = decisions / (len(opponents) * hands)
    parts["choosing, and what the above overlap"] = deciding - sum(parts.values())
    parts["watching: tree brought up to date"] = 1e9 / measure(watch, seconds).median
    parts["dealing, betting, the opponent"] = (
        1e9 / rate / a_hand - deciding - parts["watching: tree brought up to date"]
    )
    weighed = np.concatenate([options for _, _, _, options in samples])
    floor = lstm_floor(size, float(weighed.sum(axis=1).mean()), float(weighed[:, 1:].sum(axis=1).mean()), seconds)
    return Spent(name, player, rate, a_hand, float(weighed.sum(axis=1).mean()), parts, floor)


def lstm_work(shape: Shape, candidates: float) -> tuple[float, float]:
    """Multiplications and activations of an estimator in one decision with so many candidates."""
    fixed = shape.inputs - shape.varying
    step = shape.rows + shape.states  # activations: cells' inputs and gates, then the cells themselves
    products = shape.rows * (shape.inputs + shape.states + fixed) + 6 * shape.states
    each = shape.rows * shape.varying + shape.states * shape.hidden + shape.hidden + 6 * shape.states
    return products + candidates * each, step + candidates * (step + shape.hidden + 1)


def lstm_floor(size: Size, wins: float, folds: float, seconds: float) -> dict[str, float]:
    """What the LSTMs of one decision would take at the machine's limits, in ns, and those limits."""
    work = [lstm_work(size.win, wins), lstm_work(size.fold, folds)]
    products, activations = (sum(column) for column in zip(*work, strict=True))
    square, shape = np.ones((512, 512), np.float32), REFERENCE.win
    matrix, vector = np.ones((shape.states, shape.rows), np.float32), np.ones(shape.states, np.float32)
    values = np.random.default_rng(0).normal(0.0, 1.0, 1 << 14).astype(np.float32)
    flops = _rate(lambda: square @ square, 2 * 512**3, seconds)
    vector_flops = _rate(lambda: vector @ matrix, 2 * matrix.size, seconds)
    run_tanh(values[:1].copy(), 1)
    ours = _rate(lambda: run_tanh(values.copy(), 50), 50 * values.size, seconds)
    numpy = _rate(lambda: np.tanh(values), values.size, seconds)
    return {
        "sgemm, GFLOP/s": flops / 1e9,
        "matrix times vector, GFLOP/s": vector_flops / 1e9,
        "activation, ns": 1e9 / ours,
        "activation by NumPy, ns": 1e9 / numpy,
        "multiplications": products,
        "activations": activations,
        "floor at sgemm, ns": 1e9 * 2 * products / flops + 1e9 * activations / ours,
        "floor at matrix times vector, ns": 1e9 * 2 * products / vector_flops + 1e9 * activations / ours,
    }


def _rate(work: Callable[[], Any], units: int, seconds: float) -> float:
    def some() -> int:
        for _ in range(20):
            work()
        return 20 * units

    return measure(some, seconds).median


def lstm_ns(found: Spent) -> float:
    """The LSTM's share of a decision."""
    return sum(ns for what, ns in found.parts.items() if what.startswith("LSTM"))


def verdicts(found: Sequence[Spent]) -> Iterator[Verdict]:
    """The targets of evaluation."""
    for one in found:
        note = f"twice the CPU-time rate of one core; {one.decisions:.2f} decisions a hand; {one.player}"
        rate = CORES * one.hands_per_second
        yield Verdict(
            f"ASHE, {one.size} size, evaluation on two cores", "hands/s", TARGETS[one.size][1], rate, note=note
        )


def as_text(found: Sequence[Spent]) -> str:
    """Where the time goes, for the page."""
    sizes = [f"{one.size} ({asdict(TARGETS[one.size][0])['blocks']} × {TARGETS[one.size][0].cells})" for one in found]
    rows = [[what, *(f"{one.parts[what]:,.0f}" for one in found)] for what in found[0].parts]
    sums: dict[str, Callable[[Spent], str]] = {
        "**all**": lambda one: f"**{sum(one.parts.values()):,.0f}**",
        "hands/s on one core": lambda one: f"{one.hands_per_second:,.0f}",
        "decisions a hand": lambda one: f"{one.decisions:.2f}",
        "actions weighed a decision": lambda one: f"{one.weighed:.2f}",
        "LSTM, together": lambda one: f"{lstm_ns(one):,.0f}",
    }
    rows += [[what, *map(cell, found)] for what, cell in sums.items()]
    rows += [[what, *(f"{one.floor[what]:,.4g}" for one in found)] for what in found[0].floor]
    for at in ("sgemm", "matrix times vector"):
        times = [f"{lstm_ns(one) / one.floor[f'floor at {at}, ns']:.1f}" for one in found]
        rows.append([f"LSTM, times the floor at {at}", *times])
    table = markdown_table(["", *sizes], rows, right=range(1, len(sizes) + 1))
    return f"Champion `{found[0].player}`, CPU time of one core, ns per decision.\n\n{table}"


def measure_apart(seconds: float) -> list[Spent]:
    """Both sizes, measured in a process of their own with one thread."""
    command = [sys.executable, "-m", "benchmarks.ashe", "--seconds", str(seconds)]
    run = subprocess.run(command, env={**os.environ, **ONE_THREAD}, stdout=subprocess.PIPE, text=True, check=True)
    return [Spent(**one) for one in json.loads(run.stdout)]


def measure_sizes(options: Options) -> Finding:
    """Both sizes, for the page."""
    found = measure_apart(options.seconds)
    for one in found:
        options.tell(f"{one.size}: {one.hands_per_second:,.0f} hands/s, {sum(one.parts.values()):,.0f} ns a decision")
    return Finding(as_text(found), list(verdicts(found)), [asdict(one) for one in found])


SECTIONS = [Section("ashe", "ASHE: where its time goes", 2, measure_sizes)]


def main() -> int:
    """The child's side: measure both sizes and print them as JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ashe", description="Where ASHE's time goes.")
    parser.add_argument("--seconds", type=float, default=1.0, help="about so long for every part")
    print(json.dumps([asdict(spent(name, parser.parse_args().seconds)) for name in TARGETS]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
