"""Every study of chapters 5 and 6 at its smallest scale: files, rows with intervals, and runs that go on."""

import json
import os
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from killed import end_of
from nemesis.evolve.coevolution import Coevolution, CoevolutionParameters
from nemesis.evolve.run import RunError, read_checkpoint, read_metrics
from nemesis.measure.duels import duel_shares
from nemesis.measure.fitness import tournament_shares
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.chromosome import chromosome_player, genes_needed
from nemesis.respond.styles import STYLES
from nemesis.rules.games import one_card
from nemesis.runtime.streams import RUN_SEEDS
from nemesis.solve.ceiling import best_response, best_response_to_change
from nemesis.solve.policy import play_policy, tabulate
from nemesis.studies.bluffers import _bluffs, bluffer_ceiling
from nemesis.studies.evolved import evolve_champion, evolve_runs, judged, style_ceiling
from nemesis.studies.study import Setting, run_study, study_named
from nemesis.studies.style_changes import change_ceiling
from nemesis.train import rivals
from nemesis.train.recipes import RECIPES

PICTURES = {
    "ga-curves": 1,
    "first-generation": 1,
    "neat-curves": 2,
    "neat-growing": 2,
    "style-classifiers": 1,
    "four-seats": 3,
    "ablations": 1,
    "bluffers": 1,
    "style-changes": 1,
    "coevolution": 1,
    "adversary": 1,
    "belief-worth": 1,
}


def setting(folder: Path, seed: int = 3) -> Setting:
    return Setting("smoke", seed, 1, folder)


@pytest.mark.parametrize("name", PICTURES)
def test_a_study_writes_its_report_and_pictures(name: str, tmp_path: Path) -> None:
    study = study_named(name)
    report = run_study(study, setting(tmp_path))
    written = json.loads((tmp_path / "report.json").read_text())
    assert study.name == written["study"] == name
    assert report.verdict in (tmp_path / "report.md").read_text()
    assert len(report.pictures) == PICTURES[name]
    assert list(report.pictures) == list(study.pictures)
    for picture in report.pictures:
        assert (tmp_path / picture).read_bytes().startswith(b"\x89PNG")
    intervals = [(row.ours, *row.ci95) for row in report.rows if row.ci95 is not None]
    assert len(intervals) >= len(report.rows) - 3
    assert sum(row.kind == "ordering" for row in report.rows) >= (1 if name == "first-generation" else 3)
    for ours, low, high in intervals:
        assert low - 1e-9 <= ours <= high + 1e-9


def test_a_study_run_again_uses_the_run_it_has_and_says_the_same(tmp_path: Path) -> None:
    first = evolve_champion(RECIPES["ga-la"], setting(tmp_path))
    made = first.path.stat().st_mtime_ns
    again = evolve_champion(RECIPES["ga-la"], setting(tmp_path))
    assert again.path.stat().st_mtime_ns == made
    assert again.metrics == first.metrics


def test_an_interrupted_study_keeps_its_finished_runs_and_reports_over_them(tmp_path: Path) -> None:
    whole = setting(tmp_path)
    assert evolve_runs(RECIPES["ga-la"], replace(whole, finished=True)) == []
    first = evolve_champion(RECIPES["ga-la"], whole)
    made = first.path.stat().st_mtime_ns
    assert [run.seed for run in evolve_runs(RECIPES["ga-la"], replace(whole, finished=True))] == [3]
    runs = evolve_runs(RECIPES["ga-la"], whole)
    assert [run.seed for run in runs] == [3, 3 + RUN_SEEDS]
    assert runs[0].path.stat().st_mtime_ns == made
    assert runs[0].metrics != runs[1].metrics
    assert all(run.cpu > 0 for run in whole.made)


def test_a_study_over_finished_runs_says_what_it_left_out(tmp_path: Path) -> None:
    begun = replace(setting(tmp_path), finished=True)
    with pytest.raises(ValueError, match="no run of ga-100-… is finished at smoke scale"):
        run_study(study_named("ga-curves"), begun)
    evolve_champion(RECIPES["ga-100-la"], begun)
    report = run_study(study_named("ga-curves"), begun)
    assert (
        "Not run at this scale, so left out: ga-100-lp, ga-100-ta, ga-100-tp, ga-100-all, ga-100-belief, "
        "ga-100-belief-once." in report.verdict
    )
    assert {row.sample for row in report.rows if row.ci95} == {"deals of 1 run"}
    assert not any("reproduced" in row.note for row in report.rows)


def test_the_fitness_of_four_seats_is_equation_4_and_the_curve_the_share(tmp_path: Path) -> None:
    run = evolve_champion(RECIPES["neat-four"], setting(tmp_path))
    written = read_metrics(run.path.parent)
    assert all(line["share_best"] < line["best"] for line in written)
    assert [line["best"] for line in run.metrics] == [line["share_best"] for line in written]
    score = json.loads(run.path.read_text())["made"]["score"]
    assert 0 <= score["fitness"] <= 1


def test_the_runs_of_a_study_say_which_command_made_them_and_have_seeds_of_their_own(tmp_path: Path) -> None:
    report = run_study(study_named("adversary"), setting(tmp_path))
    made = [json.loads(path.read_text())["made"] for path in sorted(tmp_path.glob("runs/a*/champion.json"))]
    assert [each["recipe"]["name"] for each in made] == ["adversary"] * 2 + ["answer-alone"] * 2 + ["answer"] * 2
    assert {each["command"] for each in made} == {"nemesis study adversary --scale smoke --seed 3"}
    assert len({each["seed"] for each in made}) == 6
    before, after = (
        row.ours for row in report.rows if row.what in ("network v adversary", "network evolved again v adversary")
    )
    assert before != after


def test_the_best_response_to_a_bluffer_wins_what_it_computes_at_the_table() -> None:
    game = one_card()
    bluffer = tabulate(_bluffs(*STYLES["tp"], 0.3, game.ranks), game)
    best = best_response(bluffer, game)
    won = tournament_shares(
        game, [play_policy(best.policy)], [[compiled_agent("tp+bluff=0.3", game)]], 20_000, seed=1
    ).won
    assert won[0, 0] == pytest.approx(best.value, abs=0.011)
    assert bluffer_ceiling("tp", 0.0, game) == pytest.approx(style_ceiling("tp", game))
    assert best.value < bluffer_ceiling("tp", 1.0, game)


def test_the_ceiling_against_a_change_lies_where_it_must() -> None:
    game = one_card()
    alone = {style: style_ceiling(style, game) for style in ("lp", "tp")}
    assert change_ceiling("tp", "tp", game) == pytest.approx(alone["tp"])
    assert alone["tp"] < change_ceiling("tp", "lp", game) < alone["lp"]
    response = best_response_to_change(compiled_agent("tp", game), compiled_agent("lp", game), game, least=99)
    assert response.value == pytest.approx(alone["lp"])


def test_duels_of_the_same_players_are_fair_and_complementary() -> None:
    game = one_card()
    styles = [compiled_agent(name, game) for name in ("la", "tp")]
    shares = duel_shares(game, styles, styles, 400, seed=1)
    assert shares.shape == (2, 2)
    assert abs(shares[0, 1] + shares[1, 0] - 1.0) < 0.15
    assert abs(shares[0, 0] - 0.5) < 0.15
    assert duel_shares(game, styles, [], 4, seed=1).shape == (2, 0)
    with pytest.raises(ValueError, match="0 tournaments decide no duel"):
        duel_shares(game, styles, styles, 0, seed=1)


def test_a_killed_coevolution_goes_on_to_the_same_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nemesis.evolve.run.SAVE_SECONDS", 0.0)
    game, parameters = one_card(), CoevolutionParameters(population=4, hall_sample=2)
    whole, metrics = rivals.coevolve(tmp_path / "whole", game, parameters, 4, 2, seed=3)

    def die_in_third(learner: Coevolution, *arguments: object) -> None:
        played(learner, *arguments)  # type: ignore[arg-type]
        if learner.generation == 3:
            os.kill(os.getpid(), signal.SIGKILL)

    played = rivals.play_generation
    monkeypatch.setattr(rivals, "play_generation", die_in_third)
    cut = tmp_path / "cut"
    assert end_of(lambda: rivals.coevolve(cut, game, parameters, 4, 2, seed=3)) == -signal.SIGKILL
    monkeypatch.setattr(rivals, "play_generation", played)
    checkpoint = read_checkpoint(cut)
    assert checkpoint is not None
    assert checkpoint["generation"] == 2
    resumed, again = rivals.coevolve(cut, game, parameters, 4, 2, seed=3)
    assert again == metrics
    assert resumed.to_json() == whole.to_json() == read_checkpoint(cut)
    with pytest.raises(RunError, match="other settings"):
        rivals.coevolve(cut, game, parameters, 5, 2, seed=3)


def test_a_judgement_follows_from_the_numbers() -> None:
    assert judged((0.6, 0.7), 0.5) == "better than published"
    assert judged((0.4, 0.6), 0.5) == "as published"
    assert judged((0.4, 0.6), 0.5, sample="5 runs") == "reproduced"
    assert judged((0.3, 0.4), 0.5) == "below the published figure"
    assert "more than anyone can win" in judged((0.3, 0.4), 0.5, ceiling=0.45)


def test_a_player_that_always_bets_looks_loose_and_aggressive() -> None:
    from nemesis.believe.tables import action_table
    from nemesis.studies.style_verdicts import style_verdicts

    game = one_card()
    always = chromosome_player(np.ones(genes_needed(game)), game)
    table = action_table(game)
    verdicts = style_verdicts(always, compiled_agent("la", game), game, table, actions=20, tournaments=10, seed=0)
    verdict = verdicts.mean(axis=0)
    assert table.styles[int(verdict.argmax())] == "la"
    assert verdict.sum() == pytest.approx(1.0)
