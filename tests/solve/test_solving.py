"""The sampling solver: Kuhn and Leduc with OpenSpiel as the judge, the same bits from the same seed, runs that go on."""

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.exploitability import exploitability as openspiel_exploitability
from openspiel_policy import Exported

import nemesis
from nemesis.rules.menu_tree import OVER, Menu, grow_menu
from nemesis.solve.abstract_game import AbstractGame, abstract_game
from nemesis.solve.abstract_response import as_policy, exploitability
from nemesis.solve.ceiling import value_against
from nemesis.solve.mccfr import METHODS, Solution
from nemesis.solve.solved import CHECKPOINT, solve_game
from nemesis.solve.solving import Run
from nemesis.solve.tree import trees


def solved(game: str, deals: int, method: str = "external-linear", workers: int = 1) -> tuple[AbstractGame, Solution]:
    small = abstract_game(nemesis.game(game))
    return small, Run(small, method=method, seed=3, workers=workers).train(deals=deals)


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_the_tree_is_the_one_of_the_exact_solver(name: str) -> None:
    tree = grow_menu(nemesis.game(name), Menu.same((1.0,)))
    assert {tree.line(node) for node in range(len(tree.nodes))} == set(trees(nemesis.game(name))[0].histories)


def test_kuhn_is_worth_an_eighteenth_and_openspiel_finds_the_same_exploitability() -> None:
    game, solution = solved("kuhn", 1_000_000)
    policy = as_policy(game, game.average(solution.sums))
    assert value_against(policy, policy, game.game).by_position[0] == pytest.approx(-1 / 18, abs=2e-4)
    taken, _ = exploitability(game, game.average(solution.sums))
    assert 0 < taken < 0.003
    theirs = pyspiel.load_game("kuhn_poker")
    assert openspiel_exploitability(theirs, Exported(theirs, policy)) == pytest.approx(taken, abs=1e-6)


def test_leduc_comes_near_its_published_value_and_openspiel_finds_the_same_exploitability() -> None:
    game, solution = solved("leduc", 1_000_000)
    strategy = game.average(solution.sums)
    policy = as_policy(game, strategy)
    assert value_against(policy, policy, game.game).by_position[0] == pytest.approx(-0.0856, abs=0.005)
    taken, _ = exploitability(game, strategy)
    assert 0 < taken < 0.04
    theirs = pyspiel.load_game("leduc_poker")
    assert openspiel_exploitability(theirs, Exported(theirs, policy)) == pytest.approx(taken, abs=1e-5)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_learns(method: str) -> None:
    small = abstract_game(nemesis.game("leduc"))
    begun, _ = exploitability(small, small.average(small.empty().sums))
    game, solution = solved("leduc", 30_000, method)
    taken, _ = exploitability(game, game.average(solution.sums))
    assert taken < begun / 5


def test_the_same_seed_gives_the_same_bits_and_a_run_that_was_stopped_goes_on_to_them(tmp_path: Path) -> None:
    game, whole = solved("leduc", 20_000)
    first = Run(game, seed=3)
    first.save(tmp_path / "half.npz", first.train(deals=10_000))
    second = Run(game, seed=3)
    rest = second.train(deals=20_000, start=second.resume(tmp_path / "half.npz"))
    assert np.array_equal(rest.regrets, whole.regrets)
    assert np.array_equal(rest.sums, whole.sums)
    assert second.progress.deals == 20_000
    other = Run(game, seed=4)
    with pytest.raises(ValueError, match="is of another run"):
        other.resume(tmp_path / "half.npz")
    (tmp_path / "half.npz").write_bytes((tmp_path / "half.npz").read_bytes()[:1000])
    with pytest.raises(ValueError, match="cut short"):
        second.resume(tmp_path / "half.npz")


def test_a_run_that_was_killed_goes_on_to_the_same_bits(nemesis: Any, tmp_path: Path) -> None:
    """SIGKILL after some checkpoint; resumed, it ends with the arrays of a run that nobody stopped."""
    words = ["solve", "leduc", "--workers", "1", "--seed", "5"]
    begin = [*words, "--deals", "50000000", "--out", str(tmp_path / "killed")]
    script = "import nemesis.solve.solving as s; s.CHECKPOINT_SECONDS = 0; from nemesis.cli import main; main()"
    process = subprocess.Popen([sys.executable, "-c", script, *begin], stderr=subprocess.DEVNULL)
    checkpoint = tmp_path / "killed" / CHECKPOINT
    deadline = time.monotonic() + 120
    while not checkpoint.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    with np.load(checkpoint) as archive:
        done = int(json.loads(str(archive["told"]))["deals"])
    deals = str(done + 20_000)
    nemesis(*words, "--deals", deals, "--out", str(tmp_path / "killed"), "--resume")
    nemesis(*words, "--deals", deals, "--out", str(tmp_path / "whole"))
    with np.load(checkpoint) as killed, np.load(tmp_path / "whole" / CHECKPOINT) as whole:
        for name in ("regrets", "sums"):
            assert np.array_equal(killed[name], whole[name])


def test_two_processes_learn_in_the_same_arrays() -> None:
    game, solution = solved("leduc", 60_000, workers=2)
    taken, _ = exploitability(game, game.average(solution.sums))
    assert taken < 0.3


def test_the_menu_is_offered_by_the_engine_and_all_in_comes_last() -> None:
    game = nemesis.game("no-limit")
    tree = grow_menu(game, Menu.same((0.5, 1.0), ()))
    root = tree.nodes[0]
    raises = tree.nodes[root["first"] + 2 : root["first"] + root["actions"]]
    assert root["actor"] == 1
    assert [float(size) for size in raises["pots"]] == [0.5, 1.0, np.inf]
    ends = tree.nodes[tree.nodes["actor"] == OVER]
    assert np.abs(ends["payoffs"]).max() == 20_000
    assert {"ff", "f"} & {tree.line(node) for node in range(50)} == {"f"}
    assert "rA" in {tree.line(node) for node in range(50)}


def test_pruning_visits_fewer_nodes_and_learns_the_same_game() -> None:
    """With a lower level than at hold'em, for regrets are smaller in Leduc."""
    small = abstract_game(nemesis.game("leduc"))
    plain, pruned = Run(small, seed=3), Run(small, seed=3)
    pruned.method = replace(METHODS["external-pruned"], pruned=500.0)
    left = []
    for run in (plain, pruned):
        solution = run.train(deals=200_000)
        left.append(exploitability(small, small.average(solution.sums))[0])
    assert pruned.progress.nodes < 0.9 * plain.progress.nodes
    assert left[1] < 1.5 * left[0]


def test_sizes_are_those_of_the_arrays() -> None:
    small = abstract_game(nemesis.game("limit"), (10, 10, 10))
    sizes = small.sizes
    assert sizes.slots == len(small.empty().sums) == small.widths.sum()
    assert sizes.information_sets == len(small.widths)
    average = small.average(small.empty().sums)
    assert average[:3].tolist() == pytest.approx([1 / 3] * 3)


def test_limit_with_few_buckets_loses_less_and_less_in_its_own_game(tmp_path: Path) -> None:
    small = abstract_game(nemesis.game("limit"), (5, 5, 5))
    run = Run(small, seed=1, epoch=4_000)
    report = solve_game(run, tmp_path, deals=60_000, measured_on=4_000).report
    taken = [point["exploitability"] for point in report["curve"]]
    assert taken[-1] < taken[0] / 2
    assert json.loads((tmp_path / "progress.json").read_text()) == report
    assert (tmp_path / CHECKPOINT).exists()
    player = str(tmp_path / "strategy.npz")
    result = nemesis.duel(player, "fold", game="limit", hands=2000)
    assert result.scores[0].ci95[0] > 0


def test_a_folder_with_a_run_is_not_overwritten(nemesis: Any, tmp_path: Path) -> None:
    nemesis("solve", "kuhn", "--deals", "2000", "--out", str(tmp_path))
    _, complaint = nemesis("solve", "kuhn", "--deals", "3000", "--out", str(tmp_path), code=2)
    assert "holds a run already" in complaint
    out, _ = nemesis("solve", "kuhn", "--deals", "4000", "--out", str(tmp_path), "--resume", "--json")
    assert json.loads(out)["deals"] == 4000
