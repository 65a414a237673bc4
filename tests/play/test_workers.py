"""Blocks on several processes: the results of one, in order, whoever dies on the way."""

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from nemesis.play.workers import blocks_at_once, checked_workers, cores, run_blocks
from nemesis.respond.agent import AgentError


@dataclass(frozen=True)
class Block:
    """A number to square, and the file in which every worker that takes the deadly one leaves a line before it dies."""

    number: int
    deaths: Path
    deadly: int = -1
    times: int = 99
    who: str = "la, fragile"


def square(block: Block) -> int:
    if block.number == block.deadly:
        with block.deaths.open("a") as deaths:
            deaths.write(".")
        if block.deaths.stat().st_size <= block.times:
            os._exit(7)
    return block.number**2


@pytest.mark.parametrize("workers", [1, 2, "2"])
def test_outcomes_come_in_the_order_of_the_blocks(workers: int | str, tmp_path: Path) -> None:
    blocks = [Block(number, tmp_path / "deaths") for number in range(9)]
    assert list(run_blocks(square, blocks, workers)) == [number**2 for number in range(9)]


def test_a_block_may_kill_two_workers(tmp_path: Path) -> None:
    blocks = [Block(number, tmp_path / "deaths", 4, times=2) for number in range(9)]
    assert list(run_blocks(square, blocks, 2)) == [number**2 for number in range(9)]
    assert (tmp_path / "deaths").stat().st_size == 3


def test_a_block_that_kills_three_workers_is_named_and_no_other(tmp_path: Path) -> None:
    """The deadly block is third in a window of four: all four see its first two deaths, only it has the last."""
    blocks = [Block(number, tmp_path / "deaths", 2, who=f"player {number}") for number in range(9)]
    outcomes = run_blocks(square, blocks, 2)
    assert [next(outcomes), next(outcomes)] == [0, 1]
    with pytest.raises(AgentError, match=r"died 3 times on the same block of work \(EXIT\(7\)\); one of player 2 "):
        next(outcomes)
    assert (tmp_path / "deaths").stat().st_size == 3


def raise_at_three(number: int) -> int:
    if number == 3:
        raise ValueError("three is not allowed")
    time.sleep(0.0 if number < 3 else 600.0)
    return number


def test_what_the_work_raises_arrives_and_the_rest_is_given_up() -> None:
    outcomes = run_blocks(raise_at_three, range(9), 2)
    with pytest.raises(ValueError, match="three is not allowed"):
        list(outcomes)
    assert list(run_blocks(abs, range(3), 2)) == [0, 1, 2]  # and not after ten minutes


@pytest.mark.parametrize(
    "given", [0, -1, 3000, 10**30, True, 2.0, "", "two", "1e3", "rays", "ray://", "ray:// :1", "host:"]
)
def test_workers_are_a_number_in_reach_or_a_ray(given: object) -> None:
    with pytest.raises(ValueError, match=f"cannot work with .* workers; give 1 to {4 * cores()} "):
        list(run_blocks(abs, [1], given))


@pytest.mark.parametrize("given", ["ray", "ray://head:10001", "10.0.0.7:6379", "[::1]:6379"])
def test_a_ray_is_ray_or_an_address(given: str) -> None:
    assert checked_workers(given) == given


def test_processes_work_on_one_block_each() -> None:
    assert [blocks_at_once(workers) for workers in (1, 2, "2")] == [1, 2, 2]


def own_signals(_: int) -> bool:
    return signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_workers_leave_ctrl_c_to_their_parent() -> None:
    assert all(run_blocks(own_signals, range(2), 2))
