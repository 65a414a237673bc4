"""Blocks on a Ray cluster of two nodes: the results of one worker, whatever dies on the way."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import nemesis
from nemesis.play import ray_workers
from nemesis.play.workers import blocks_at_once, run_blocks
from nemesis.respond.agent import AgentError

pytestmark = pytest.mark.slow

COUNT = 24
SQUARES = [number**2 for number in range(COUNT)]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes of one processor each."""
    import ray
    from ray.cluster_utils import Cluster

    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers do not have the tests on their path
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    nodes.second = nodes.add_node(num_cpus=1)
    nodes.wait_for_nodes()
    yield nodes
    ray.shutdown()
    nodes.shutdown()


@pytest.fixture
def two_nodes(cluster: Any) -> str:
    """The cluster's address."""
    address: str = cluster.address
    return address


def slow_square(number: int) -> tuple[int, int]:
    time.sleep(0.1)
    return number**2, os.getpid()


def test_a_cluster_plays_the_hands_that_one_worker_plays(two_nodes: str) -> None:
    assert blocks_at_once(two_nodes) == 2
    alone, cluster = (
        nemesis.duel("la", "random", game="limit", hands=900_000, seed=5, workers=workers) for workers in (1, two_nodes)
    )
    assert alone.scores == cluster.scores


def test_a_killed_worker_loses_nothing(two_nodes: str) -> None:
    squares = []
    for square, worker in run_blocks(slow_square, range(COUNT), two_nodes):
        squares.append(square)
        if len(squares) == 3:
            os.kill(worker, signal.SIGKILL)
    assert squares == SQUARES


class Deadly:
    """A block that leaves a line behind and ends its process."""

    who = "la, deadly"

    def __init__(self, deaths: Path) -> None:
        self.deaths = deaths


def die(block: Deadly) -> None:
    with block.deaths.open("a") as deaths:
        deaths.write(".")
    os._exit(7)


def test_a_block_that_kills_three_workers_is_named(two_nodes: str, tmp_path: Path) -> None:
    with pytest.raises(AgentError, match=r"died 3 times on the same block of work .*; one of la, deadly "):
        list(run_blocks(die, [Deadly(tmp_path / "deaths")], two_nodes))
    assert (tmp_path / "deaths").stat().st_size == 3


def test_an_agent_that_is_stuck_in_machine_code_is_named(two_nodes: str, tmp_path: Path) -> None:
    file = tmp_path / "stuck.py"
    file.write_text(
        "import itertools\nimport nemesis\n\nclass Stuck(nemesis.Agent):\n    facts = ()\n"
        "    def act(self, view):\n        return sum(itertools.repeat(1))\n"
    )
    with pytest.raises(AgentError, match=r"^agent Stuck did not answer within 0\.5 s$"):
        nemesis.duel("la", f"{file}:Stuck", game="limit", hands=600, workers=two_nodes, time_limit=0.5)


def complain(number: int) -> None:
    raise AgentError(f"agent number {number} raised")


def test_what_the_work_raises_arrives_as_it_was(two_nodes: str) -> None:
    with pytest.raises(AgentError, match=r"^agent number 0 raised$"):
        list(run_blocks(complain, range(3), two_nodes))


def complain_or_finish(number: int) -> None:
    if number == 0:
        complain(number)
    time.sleep(0.0005 * number)


def test_blocks_that_end_while_they_are_given_up_harm_nobody(two_nodes: str) -> None:
    with pytest.raises(AgentError, match=r"^agent number 0 raised$"):
        list(run_blocks(complain_or_finish, range(12), two_nodes))
    assert list(run_blocks(abs, range(-3, 0), two_nodes)) == [3, 2, 1]


def test_a_node_with_other_sources_is_refused(two_nodes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_workers, "fingerprint", lambda: "sources of another day")
    with pytest.raises(ValueError, match=r"but this process has sources of another day; install the same version"):
        list(run_blocks(abs, range(3), two_nodes))


@pytest.mark.parametrize("where", ["ray://127.0.0.1:9", "127.0.0.1:9"])
def test_an_address_where_nobody_answers_is_refused(where: str) -> None:
    with pytest.raises(ConnectionError, match=rf"no Ray cluster answers at {where}: .*refused"):
        list(run_blocks(abs, range(3), where))


def test_without_ray_a_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ValueError, match=r"pip install 'nemesis-poker\[ray\]'"):
        list(run_blocks(abs, range(3), "ray"))


def test_a_lost_node_loses_nothing(two_nodes: str, cluster: Any) -> None:
    """The last test: the second node is lost when both have worked, and ten more blocks are asked for."""
    workers: set[int] = set()
    squares: list[int] = []
    last = 500

    def numbers() -> Iterator[int]:
        number = 0
        while number < last:
            yield number
            number += 1

    for square, worker in run_blocks(slow_square, numbers(), two_nodes):
        squares.append(square)
        workers.add(worker)
        if len(workers) == 2 and cluster.second is not None:
            cluster.remove_node(cluster.second, allow_graceful=False)
            cluster.second = None
            last = len(squares) + 10
    assert cluster.second is None, "the second node never worked"
    assert squares == [number**2 for number in range(last)]
