"""Evolutions survive being killed, champions refuse damage, recipes refuse impossible values."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import nemesis
from killed import end_of
from nemesis import cli, names
from nemesis.evolve.run import Generation, RunError, locked
from nemesis.respond import by_name
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.champion import ChampionError, champion_agent
from nemesis.rules.game import Game
from nemesis.rules.games import one_card
from nemesis.train.ashe_kind import AsheKind
from nemesis.train.evolution import prepare, resumed, run_recipe
from nemesis.train.matches import Matches
from nemesis.train.recipe import Recipe, RecipeError
from nemesis.train.recipes import RECIPES
from nemesis.train.school import Seat
from nemesis.train.tournaments import TournamentFitness, Tournaments

FILES = ("recipe.json", "metrics.jsonl", "bests.jsonl", "checkpoint.json", "champion.json")


KINDS = {
    "ga-la": "genetic", "ga-belief": "genetic", "specialist-belief": "incremental", "dense-four-belief": "natural",
    "ashe-a1": "natural", "neat-belief": "neat", "neat-four": "neat", "tiered-a1": "tiered",
}  # fmt: skip


def small(name: str, generations: int) -> Recipe:
    recipe = RECIPES[name].resized(generations, population=8)
    if isinstance(recipe.school, Matches):
        return dataclasses.replace(recipe, school=dataclasses.replace(recipe.school, hands=50))
    return recipe.resized(games=4)


def run(
    recipe: Recipe,
    folder: Path,
    seed: int = 5,
    state: Any = None,
    resume: bool = False,
    progress: Callable[[Generation], None] = lambda told: None,
    seat: Seat = nemesis.agent,
    workers: int = 1,
) -> None:
    game = nemesis.game(recipe.game, recipe.seats)
    evolution = prepare(recipe, game, seat, seed=seed, state=state, workers=workers)
    run_recipe(evolution, folder, seed, progress, checks=40, resume=resume)


def files(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES}


@pytest.mark.parametrize("name", ["ga-la", "neat-four", "dense-four-belief"])
def test_a_run_that_came_to_its_end_and_is_made_longer_equals_a_long_one(name: str, tmp_path: Path) -> None:
    """True of all but tiered evolution, whose mutation follows a schedule from its first generation to its last."""
    run(small(name, 6), tmp_path / "whole")
    run(small(name, 3), tmp_path / "parts")
    with (tmp_path / "parts" / "metrics.jsonl").open("a") as metrics:
        metrics.write('{"generation": 3, "written by a process that')
    recipe, seed, state = resumed(tmp_path / "parts")
    assert (recipe, seed) == (small(name, 3), 5)
    run(small(name, 6), tmp_path / "parts", seed, state, resume=True)
    assert files(tmp_path / "whole") == files(tmp_path / "parts")


def test_every_kind_of_learner_is_killed_somewhere_here() -> None:
    assert set(KINDS.values()) == set(names.LEARNERS)
    assert {name: names.name_of(names.LEARNERS, RECIPES[name].learner) for name in KINDS} == KINDS


@pytest.mark.parametrize("name", KINDS)
def test_a_run_killed_in_a_generation_and_resumed_equals_one_left_alone(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process of its own kills itself after generation 3 was played and before it was saved."""
    monkeypatch.setattr("nemesis.evolve.run.SAVE_SECONDS", 0.0)
    run(small(name, 5), tmp_path / "whole")

    def die_in_fourth(told: Generation) -> None:
        if told.number == 3:
            os.kill(os.getpid(), signal.SIGKILL)

    assert end_of(lambda: run(small(name, 5), tmp_path / "killed", progress=die_in_fourth)) == -signal.SIGKILL
    recipe, seed, state = resumed(tmp_path / "killed")
    assert state is not None
    assert state["generation"] == 3
    run(recipe, tmp_path / "killed", seed, state, resume=True)
    assert files(tmp_path / "whole") == files(tmp_path / "killed")


class Mortal(CompiledAgent):
    """Plays like another agent, but the first worker that seats it dies on the spot."""

    def __init__(self, agent: CompiledAgent, mark: Path, parent: int) -> None:
        super().__init__(agent.name, agent.act_kernel, agent.watch_kernel, agent.template, agent.facts)
        self.agent, self.mark, self.parent = agent, mark, parent

    @property
    def hears(self) -> Collection[int]:
        if os.getpid() != self.parent and not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().hears

    def __reduce__(self) -> tuple[Any, ...]:
        return Mortal, (self.agent, self.mark, self.parent)


def test_a_worker_killed_in_a_generation_loses_nothing(tmp_path: Path) -> None:
    def seat(name: str, game: Game) -> CompiledAgent:
        agent = nemesis.agent(name, game)
        assert isinstance(agent, CompiledAgent)
        return Mortal(agent, tmp_path / "a worker died", os.getpid())

    run(small("neat-belief", 3), tmp_path / "disturbed", seat=seat, workers=2)
    assert (tmp_path / "a worker died").exists()
    run(small("neat-belief", 3), tmp_path / "alone")
    assert files(tmp_path / "disturbed") == files(tmp_path / "alone")


def test_a_run_killed_before_its_first_checkpoint_can_be_resumed(tmp_path: Path) -> None:
    run(small("ga-la", 2), tmp_path / "whole")
    run(small("ga-la", 2), tmp_path / "killed")
    for name in ("checkpoint.json", "champion.json"):
        (tmp_path / "killed" / name).unlink()
    recipe, seed, state = resumed(tmp_path / "killed")
    assert state is None
    with pytest.raises(RunError, match="holds a run already"):
        run(recipe, tmp_path / "killed", seed)
    run(recipe, tmp_path / "killed", seed, state, resume=True)
    assert files(tmp_path / "whole") == files(tmp_path / "killed")


def command(folder: Path, *more: str) -> list[str]:
    """`nemesis evolve` in a process of its own that keeps a checkpoint of every generation."""
    script = "import nemesis.evolve.run as r; r.SAVE_SECONDS = 0; from nemesis.cli import main; main()"
    sizes = ("--generations", "1000", "--population", "40", "--tournaments", "60", "--seed", "7", "--workers", "1")
    given = ("--out", str(folder), *more)
    return [sys.executable, "-c", script, "evolve", "ga-la", *(given if "--resume" in more else sizes + given)]


@pytest.mark.slow
def test_a_process_killed_in_the_middle_and_resumed_makes_the_same_champion(tmp_path: Path) -> None:
    subprocess.run(command(tmp_path / "whole"), check=True, capture_output=True, timeout=300)
    process = subprocess.Popen(command(tmp_path / "killed"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while not (tmp_path / "killed" / "checkpoint.json").exists() and time.monotonic() < deadline:
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert not (tmp_path / "killed" / "champion.json").exists(), "it was killed too late to prove anything"
    subprocess.run(
        command(tmp_path / "killed", "--resume", "--workers", "1"), check=True, capture_output=True, timeout=300
    )
    assert files(tmp_path / "whole") == files(tmp_path / "killed")


def test_hands_won_add_to_the_fitness_but_not_to_the_score() -> None:
    """The source's fitness at four seats; a genome's shares by table stay shares of tournaments."""
    recipe = small("dense-four", 1)
    game = nemesis.game(recipe.game, recipe.seats)
    genomes = prepare(recipe, game, nemesis.agent, seed=2).learner.ask()

    def fitness(weight: float) -> TournamentFitness:
        school = Tournaments(recipe.school.tables, 1, 4, hands_won=weight)
        return school.fitness(game, nemesis.agent, partial(recipe.player.agent, game=game, name="x"), 2, 1)

    plain, added = fitness(0.0), fitness(1.0)
    more = added(genomes, 0) - plain(genomes, 0)
    assert ((more > 0) & (more < 1)).all()
    assert (added.by_table(genomes, 0) == plain.by_table(genomes, 0)).all()


def test_a_generation_of_natural_evolution_is_remembered_by_its_mean(tmp_path: Path) -> None:
    run(small("dense-all", 2), tmp_path)
    evolution = prepare(small("dense-all", 2), one_card(), nemesis.agent, seed=5)
    first = json.loads((tmp_path / "bests.jsonl").read_text().splitlines()[0])
    assert first["genome"] == evolution.learner.ask()[0].tolist()
    content = json.loads((tmp_path / "champion.json").read_text())
    assert len(content["genome"]["nodes"]) == 12 + 3
    assert "hidden" not in content["player"]


@pytest.fixture(scope="module")
def champion(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run") / "ga-tp"
    run(small("ga-tp", 2), folder)
    return folder / "champion.json"


def damaged(champion: Path, folder: Path, text: str) -> Path:
    path = folder / "champion.json"
    path.write_text(text)
    return path


def test_a_damaged_champion_is_refused_with_a_sentence(champion: Path, tmp_path: Path) -> None:
    whole = champion.read_text()
    content = json.loads(whole)
    edited = {**content, "genome": [0.5, *content["genome"][1:]]}
    cases = {
        whole[: len(whole) // 2]: "cut short or damaged",
        json.dumps(edited): "was changed after it was saved",
        json.dumps({**content, "champion": 99}): "is of format 99; this version reads format 1",
        "[1, 2]": "is not a champion file",
    }
    for text, sentence in cases.items():
        with pytest.raises(ChampionError, match=sentence):
            champion_agent(damaged(champion, tmp_path, text), one_card())


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_is_plain_data_and_reads_back_the_same(name: str) -> None:
    assert Recipe.from_json(json.loads(json.dumps(RECIPES[name].to_json()))) == RECIPES[name]


@pytest.mark.parametrize(
    ("part", "changed", "sentence"),
    [
        ("learner", {"population": 1}, "has population 1; it must be a whole number from 2 to 10,000"),
        ("learner", {"mutation": 1.5}, "has mutation 1.5; it must be a number from 0.0 to 1.0"),
        ("learner", {"mutation": "often"}, "the learner genetic has mutation 'often', which is not a number"),
        ("learner", {"spread": 1.0}, "the learner genetic has no spread; its fields are"),
        ("learner", {"kind": "genetics"}, "there is no learner named 'genetics'; did you mean genetic?"),
        ("learner", {"kind": 5}, "has learner .*; it must name a kind"),
        ("player", {"kind": "ashe"}, "joins genetic, which changes probabilities, and ashe, whose genomes are weights"),
        ("player", {"beliefs": "plan"}, "there is no belief named 'plan'; did you mean plain?"),
        ("school", {"generations": 0}, "has generations 0; it must be a whole number from 1 to 1,000,000"),
        ("school", {"tables": []}, "must name tables of opponents"),
        ("school", {"tables": [["la"], ["la", "tp"]]}, "all with the same number of seats"),
        ("school", {"tables": [[5]]}, "has tables .*, which is not what it must be"),
        ("school", {"lessons": [[0, [["la"]]]]}, "a lesson of this school ends before its run"),
        ("school", {"kind": "matches", "earnings_scale": "logs", "games": 1}, "'logs', which is not log or linear"),
    ],
)
def test_an_impossible_recipe_is_refused_with_a_sentence(part: str, changed: dict[str, Any], sentence: str) -> None:
    data = json.loads(json.dumps(RECIPES["ga-la"].to_json()))
    data[part] = {
        key: value for key, value in (data[part] | changed).items() if "kind" not in changed or key in changed
    }
    if changed.get("kind") == "matches":
        data[part] |= {"tables": [["la"]]}
    with pytest.raises(RecipeError, match=sentence):
        Recipe.from_json(data)


def test_a_school_of_matches_is_heads_up() -> None:
    with pytest.raises(ValueError, match="heads-up, but its tables have 3 seats"):
        Matches((("la", "tp"),))


def test_a_recipe_starts_from_a_shipped_champion_of_its_size() -> None:
    game = nemesis.game("no-limit")
    assert (AsheKind(start="ashe-a1").space(game, 0).start != AsheKind().space(game, 0).start).any()
    with pytest.raises(ValueError, match="ashe-a1 is not an ASHE of 5 blocks x 2 cells"):
        AsheKind(5, 2, 8, start="ashe-a1").space(game, 0)
    with pytest.raises(ValueError, match="'ashe-a9' is not among the shipped champions"):
        AsheKind(start="ashe-a9").space(game, 0)


def test_two_runs_cannot_use_one_folder(tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(RunError, match="another run is using"):
        run(small("ga-la", 1), tmp_path)
    run(small("ga-la", 1), tmp_path)


def evolve_command(*arguments: str) -> Any:
    return CliRunner().invoke(cli.app, ["evolve", *arguments, "--workers", "1"])


def test_a_run_of_another_recipe_is_not_resumed(tmp_path: Path) -> None:
    run(small("ga-la", 2), tmp_path)
    told = evolve_command("ga-tp", "--resume", "--out", str(tmp_path), "--generations", "3")
    assert told.exit_code != 0
    assert "holds a run of ga-la, not of ga-tp" in str(told.exception)


def test_a_run_of_the_old_format_is_refused_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "recipe.json").write_text(json.dumps({"recipe": {"name": "ga-la", "tables": [["la"]]}, "seed": 1}))
    with pytest.raises(RunError, match="holds a run of an older version, which cannot go on"):
        resumed(tmp_path)


def test_a_champion_sits_down_by_the_name_of_its_run_in_the_game_it_evolved_for(champion: Path) -> None:
    asked = ["duel", str(champion.with_suffix("")), "tp", "--hands", "200", "--json"]
    told = CliRunner().invoke(cli.app, asked)
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["game"] == "one-card"


def test_the_game_is_a_champions_or_the_usual_one() -> None:
    assert by_name.game_for(["tp", "ashe-a1"], "limit") == "no-limit"
    assert by_name.game_for(["tp", object()], "limit") == "limit"
