"""How long evolutions at the documents' scale take on two workers, and the 66-pair maps.

Evolutions of one population are the commands a user would type, timed from start to end, imports included. A coevolution
would take a quarter of an hour, so that row times a few generations of the full size after the hall of fame has filled
(with shorter games, which only decide who is in it) and multiplies. A pair map is timed after a small one, when the workers
are there and have compiled; 10 000 tournaments a pair, and the best again on fresh deals.

Wall and CPU seconds, the latter of all processes together. Of their own times the documents say
two: a NEAT run took 30 hours at one-card poker and 200 at limit hold'em.
"""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

import nemesis
from benchmarks import networks
from benchmarks.command import load
from benchmarks.command import nemesis as run
from benchmarks.section import Finding, Options, Section, Verdict, markdown_table
from nemesis.evolve.coevolution import Coevolution, CoevolutionParameters
from nemesis.measure.epochs import Epochs, play_epochs
from nemesis.play.by_name import player
from nemesis.play.match import play_lineups
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.chromosome import genes_needed
from nemesis.respond.styles import STYLES
from nemesis.rules.game import Game
from nemesis.solve.pair_search import PairMap, search_pairs
from nemesis.train.rivals import play_generation

WORKERS = 2
COMMANDS = {
    "GA, 500 generations": ("evolve ga-la --generations 500", 60, ""),
    "NEAT with belief, 100 × 400 generations × 400 tournaments": (
        "evolve neat-belief --generations 400 --population 100 --tournaments 100", 180, "30 h",
    ),
    "NEAT at limit hold'em with round-based beliefs, 60 million hands": ("evolve limit-neat-belief", 240, "200 h"),
    "NEAT at limit hold'em without beliefs, 60 million hands": ("evolve limit-neat-all", 240, ""),
    "NEAT at limit hold'em at four seats, 60 million hands": ("evolve limit-neat-four-belief", 900, ""),
}  # fmt: skip
COEVOLUTION = CoevolutionParameters(population=100, hall_sample=50)
GENERATIONS, GAMES, WANTED = 550, 100, 1800
TIMED = 5
TOURNAMENTS, MAP_WANTED = 10_000, 10
TIMES_NEAT_PYTHON = 100
MIXED = ("la",) * 6 + ("tp",) * 3
EPOCHS, EPOCH, HYPERCUBE_WANTED, COUNTED = 1000, 100, 60, 5000
NETWORK, MATCHES, MATCH = "limit-belief", 1000, 300

Result = TypeVar("Result")


@dataclass(frozen=True)
class Took:
    """What one thing took, in seconds, and what was wanted and published."""

    what: str
    wall: float
    cpu: float
    wanted: float | None
    published: str
    note: str


def evolutions() -> Iterator[Took]:
    """The evolutions that have a command."""
    for what, (command, wanted, published) in COMMANDS.items():
        with tempfile.TemporaryDirectory() as folder:
            ran = run(*command.split(), "--out", f"{folder}/run", "--workers", str(WORKERS))
        yield Took(what, ran.wall, ran.cpu, wanted, published, f"`nemesis {command} --workers {WORKERS}`; {load()}")


def coevolution() -> Iterator[Took]:
    """A few generations at full size, multiplied."""
    game = nemesis.game("one-card", 2)
    learner = Coevolution(genes_needed(game), 0, COEVOLUTION)
    while learner.generation < COEVOLUTION.hall_sample:
        play_generation(learner, game, GAMES // 10, 0, WORKERS)
    play_generation(learner, game, GAMES, 0, WORKERS)

    def some() -> None:
        for _ in range(TIMED):
            play_generation(learner, game, GAMES, 0, WORKERS)

    _, wall, cpu = timed(some)
    times = GENERATIONS / TIMED
    first = learner.generation - TIMED + 1
    note = f"generations {first} to {learner.generation} took {wall:.1f} s, multiplied; {load()}"
    yield Took(f"coevolution, {GENERATIONS} generations of 2 × 100", times * wall, times * cpu, WANTED, "", note)


def pair_maps() -> Iterator[Took]:
    """One map for every pure table."""
    game = nemesis.game("one-card", 4)
    for style in STYLES:
        search: Callable[..., PairMap] = partial(search_pairs, [player(style)] * 3, game, workers=WORKERS)
        search(200, seed=1)
        found, wall, cpu = timed(partial(search, TOURNAMENTS, seed=2))
        note = f"{found.hands / wall / 1e6:.1f} M hands/s; {load()}"
        yield Took(f"66-pair map, {style.upper()} × 3", wall, cpu, MAP_WANTED, "", note)


def hypercube_table() -> Iterator[Took]:
    """The mixed table of the hypercube paper, one process."""
    game, hands = nemesis.game("ring", 10), EPOCHS * EPOCH

    def epochs(first: str, count: int) -> Callable[[], Epochs]:
        agents = [compiled_agent(name, game) for name in (first, *MIXED)]
        return partial(play_epochs, game, agents, count, hands=EPOCH, seed=1)

    for name in ("ta", "hypercube-a"):
        epochs(name, 1)()
    _, _, scripted = timed(epochs("ta", EPOCHS))
    _, wall, cpu = timed(epochs("hypercube-a", EPOCHS))
    cost = (cpu - scripted) / (hands * decisions_per_hand(game, ("hypercube-a", *MIXED)))
    note = (
        f"{hands / cpu:,.0f} hands/s of CPU, {1e9 * cost:,.0f} ns a decision with all it learns; one process; {load()}"
    )
    yield Took(f"hypercube, {EPOCHS} epochs of the ten-seat table", wall, cpu, HYPERCUBE_WANTED, "", note)


def limit_network() -> Iterator[Took]:
    """The round-based belief network at limit hold'em, one process."""
    game = nemesis.game("limit", 2)

    def matches(first: str, count: int) -> Callable[[], object]:
        agents = [compiled_agent(name, game) for name in (first, "la")]
        lineups = np.tile(np.arange(2), (count, 1))
        return partial(play_lineups, game, agents, lineups, np.arange(count), hands=MATCH, seed=1)

    for name in ("ta", NETWORK):
        matches(name, 1)()
    _, _, scripted = timed(matches("ta", MATCHES))
    _, wall, cpu = timed(matches(NETWORK, MATCHES))
    hands = MATCHES * MATCH
    cost = (cpu - scripted) / (hands * decisions_per_hand(game, (NETWORK, "la")))
    note = f"{hands / cpu:,.0f} hands/s of CPU, {1e9 * cost:,.0f} ns a decision with its beliefs; one process; {load()}"
    yield Took(f"`{NETWORK}` v LA, {hands:,} hands", wall, cpu, None, "", note)


def decisions_per_hand(game: Game, names: Sequence[str]) -> float:
    """How often the first of these decides; what a hand takes longer than with `ta` in its place is divided by it."""
    agents = [compiled_agent(name, game) for name in names]
    seats, number = np.arange(len(names))[None, :], np.zeros(1, np.int64)
    tape = play_lineups(game, agents, seats, number, hands=COUNTED, seed=1, taping=True).tape
    assert tape is not None
    return float((tape.actions["seat"] == 0).sum() / COUNTED)


def timed(work: Callable[[], Result]) -> tuple[Result, float, float]:
    """What the work found, and the wall and CPU seconds of this process and its workers, who must be there already."""
    cpu, started = _cpu(), time.perf_counter()
    found = work()
    return found, time.perf_counter() - started, _cpu() - cpu


def _cpu() -> float:
    ticks = os.sysconf("SC_CLK_TCK")
    used = time.process_time()
    for worker in multiprocessing.active_children():
        fields = Path(f"/proc/{worker.pid}/stat").read_text().rpartition(")")[2].split()
        used += (int(fields[11]) + int(fields[12])) / ticks
    return used


def measure(part: Callable[[], Iterator[Took]], options: Options) -> Finding:
    """One part, telling how it goes."""
    rows = []
    for took in part():
        options.tell(f"{took.what}: {took.wall:.1f} s, {took.cpu:.1f} s CPU; {took.note}")
        rows.append(took)
    cells = [
        (
            took.what, f"{took.wall:.1f}", f"{took.cpu:.1f}", f"≤ {took.wanted:g}" if took.wanted else "–",
            took.published or "–", took.note,
        )
        for took in rows
    ]  # fmt: skip
    text = "Seconds from start to end; CPU seconds of all processes together.\n\n"
    text += markdown_table(("what", "wall, s", "CPU, s", "wanted", "published", "note"), cells, right=range(1, 5))
    verdicts = [
        Verdict(took.what, "s", took.wanted, took.wall, True, f"{took.cpu:.1f} s CPU; {took.note}")
        for took in rows
        if took.wanted is not None
    ]
    return Finding(text, verdicts, [asdict(took) for took in rows])


def one_network(options: Options) -> Finding:
    """One activation of a network, ours and neat-python's, and a generation of NEAT without its games."""
    network = networks.measured(options.seconds)
    text = (
        f"One activation of a network of {networks.INPUTS} inputs, {network.nodes} nodes and {network.edges} edges, as "
        f"NEAT grew it, takes us {network.ours:.0f} ns and neat-python {network.neat_python:,.0f} ns, {network.ratio:.0f} "
        f"times as long (wanted: {TIMES_NEAT_PYTHON}). A generation of NEAT without its games, 100 genomes bred and "
        f"decoded, takes {network.generation:.1f} ms."
    )
    verdict = Verdict("network evaluation", "× neat-python's", TIMES_NEAT_PYTHON, network.ratio)
    return Finding(text, [verdict], asdict(network))


SECTIONS = [
    Section("evolve", "Evolution on two workers", 8, partial(measure, evolutions)),
    Section("coevolution", "Coevolution on two workers", 2, partial(measure, coevolution)),
    Section("pair-maps", "Maps of 66 pairs on two workers", 1, partial(measure, pair_maps)),
    Section("hypercube", "The hypercube", 0.5, partial(measure, hypercube_table)),
    Section("limit-network", "A network with beliefs at limit hold'em", 0.5, partial(measure, limit_network)),
    Section("networks", "One network", 0.5, one_network),
]
