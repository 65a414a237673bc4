"""The studies of ASHE: reports at the smallest scale, and conclusions that follow from the figures they are given."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nemesis
from nemesis.evolve.natural import NaturalParameters
from nemesis.respond import champion
from nemesis.rules.games import no_limit
from nemesis.runtime.streams import Stages
from nemesis.solve.no_limit_ceiling import Ceiling, Kind
from nemesis.studies import ashe_ablations, ashe_adaptation, ashe_instances, ashe_rule, ashe_table
from nemesis.studies.ashe_instances import INSTANCES, PUBLISHED, instance, met
from nemesis.studies.ashe_table import Table, conclusions, grid, play_until_sure, shares
from nemesis.studies.ashe_team import KIN_FROM
from nemesis.studies.ashe_training import sizes
from nemesis.studies.ordering import decided
from nemesis.studies.published_opponents import OPPONENTS, PRESENT
from nemesis.studies.study import Setting, run_study, study_named
from nemesis.train.ashe_kind import AsheKind
from nemesis.train.ashe_recipes import TERMS
from nemesis.train.matches import BLIND, Matches, log_earnings, log_units
from nemesis.train.recipes import RECIPES
from nemesis.train.school import lesson_at

CODES = [opponent.code for opponent in OPPONENTS]
PLAYERS = (*INSTANCES, "SB")
PICTURES = {
    **{f"ashe-{name}": 1 for name in ("table", "adaptation", "ablations", "rule", "team", "training")},
    "ashe-calibration": 2,
}


def setting(folder: Path, seed: int = 3) -> Setting:
    return Setting("smoke", seed, 1, folder)


@pytest.mark.slow
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
    for row in report.rows:
        assert row.ci95 is not None
        assert row.ci95[0] - 1e-9 <= row.ours <= row.ci95[1] + 1e-9


def table_of(figures: dict[str, dict[str, float]], spread: float = 1.0) -> Table:
    """Everybody earns their figure from each opponent, give or take the same luck in every match."""
    luck = spread * np.array([-1.0, 0.0, 1.0])
    figures = {**figures, "SB": {**PUBLISHED["SB"], "SB": 0.0}}
    rates = {code: np.array([[figures[player][code]] * 3 + luck for player in PLAYERS]) for code in CODES}
    return Table(PLAYERS, rates, 2000)


def decisions(table: Table) -> dict[str, str]:
    return {row.what: decided(row.ci95) for row in conclusions(table) if row.ci95 is not None}


def test_the_published_figures_bear_out_the_published_conclusions() -> None:
    table = table_of({player: dict(PUBLISHED[player]) for player in INSTANCES})
    found = decisions(table)
    plain = {what: result for what, result in found.items() if "logarithms" not in what}
    assert len(plain) == 3 + 2 + len(PRESENT) + 2 + 4
    assert set(plain.values()) == {"holds"}


def test_ratios_to_the_equilibrium_player_are_those_of_the_source() -> None:
    """Conclusion 3: from 1.4 times (SL) to 24 times (LP) what Slumbot takes; conclusion 2: 5 mBB are a tie."""
    table = table_of({player: dict(PUBLISHED[player]) for player in INSTANCES}, spread=10.0)
    tie, *rest = ashe_table.ratios(table)
    assert tie.note == "even"
    found = {row.what.split()[2].rstrip(","): row.ours for row in rest}
    assert min(found, key=lambda code: found[code]) == "SL"
    assert found["LP"] == pytest.approx(24.7, abs=0.05)


def test_a_conclusion_is_turned_round_when_the_figures_are() -> None:
    swapped = {"A1": "A4", "A2": "A3", "A3": "A2", "A4": "A1"}
    table = table_of({player: dict(PUBLISHED[other]) for player, other in swapped.items()})
    found = decisions(table)
    assert found["A4 > A2, mean over all"] == "holds"  # A1's figures are above A3's
    assert found["A2 > A1, mean over all"] == "does not hold"
    assert found["A2 beats HP, a stranger"] == "does not hold"
    assert found["the others > A3 against CS"] == "does not hold"


def known(kind: Kind, mean: float) -> Ceiling:
    return Ceiling("somebody", kind, mean, (mean, mean), "somebody", "somehow")


def test_shares_of_a_ceiling_are_judged_only_where_there_is_one() -> None:
    table = table_of({player: dict(PUBLISHED[player]) for player in INSTANCES})
    ceilings = {"SL": known("exact", 1000), "CM": known("exact", 60_000), "HP": known("best known counter", 400)}
    found = {row.what: row.note for row in shares(table, ceilings)}
    assert found == {
        "A4 v CM, share of the ceiling": "95% not reached",
        "A4 v SL, share of the ceiling": "98% reached, surely",
    }
    notes = {row.what: row.note for row in ashe_table.cells(table, ceilings)}
    assert "100% of the ceiling" in notes["A4 v SL"]
    assert "70% of the best known counter" in notes["A4 v HP"]
    assert " of the " not in notes["A4 v HM"]
    assert "a stranger" in notes["A4 v RG"]
    assert "met in training" in notes["A4 v LA"]


def test_play_goes_on_for_everybody_while_one_is_unsure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, tuple[str, ...]]] = []

    def earned(game: Any, players: Any, opponents: Sequence[str], matches: int, hands: int, **more: Any) -> Any:
        asked.append((more["stage"] - Stages.ASHE_TABLE.at(0), tuple(opponents)))
        spread = {"sure": 1.0, "never": 1000.0}
        wave = np.where(np.arange(matches) % 2, 1.0, -1.0)
        return np.array([[100 + spread[name] * wave for name in opponents] for _ in players])

    monkeypatch.setattr(ashe_table, "earnings", earned)
    seats: Any = {"A1": None, "A2": None}
    faced: Any = {"X": "sure", "Y": "never"}
    table = play_until_sure(seats, faced, 4, 10, 1000, setting(tmp_path))
    assert asked == [(0, ("sure", "never")), (1, ("never",)), (2, ("never",))]
    assert {code: rates.shape for code, rates in table.rates.items()} == {"X": (2, 4), "Y": (2, 12)}
    assert table.average("A1").shape == (4,)
    assert table.unsure("Y")
    assert not table.unsure("X")


def test_log_units_have_the_logarithm_of_the_mean_and_ignore_luck_that_cancels() -> None:
    rates = np.array([[1000.0, 3000.0], [-500.0, -500.0]])
    units = log_units(rates)
    assert units.mean() == pytest.approx(log_earnings(np.array([2000.0, -500.0])).mean())
    assert units[1] - units[0] == pytest.approx(2000 / (BLIND + 2000) / 2)


def test_the_table_has_a_row_and_a_column_for_the_equilibrium_player() -> None:
    lines = grid(table_of({player: dict(PUBLISHED[player]) for player in INSTANCES})).splitlines()
    a4 = next(line for line in lines if line.startswith("| A4 |"))
    assert a4.count("|") == len(OPPONENTS) + 2
    assert "| 278 ± 2 |" in a4
    assert next(line for line in lines if line.startswith("| SB |")).count("|") == len(OPPONENTS) + 2


def test_each_instance_met_whom_the_source_says() -> None:
    assert met("A1") == {"HM", "CM", "SL", "CS"}
    assert met("A2") == {"LA", "LP", "TP", "TA"}
    assert met("A3") == {"HM", "SL", "LA", "TP"}
    assert met("A4") == met("A1") | met("A2")


def test_strangers_are_never_met() -> None:
    """RG, HP and the equilibrium player are for testing, in all that is called ASHE; `ashe-sharp` meets relations of HP."""
    ashes = [recipe for recipe in RECIPES.values() if isinstance(recipe.player, AsheKind)]
    assert {"ashe-a4", "ashe-team", "ashe-sharp", "tiered-a4"} <= {recipe.name for recipe in ashes}
    for recipe in ashes:
        lessons = (recipe.school.tables, *(tables for _, tables in recipe.school.lessons))
        met_here = {name for tables in lessons for table in tables for name in table}
        related = {name for name in met_here if ":kin=" in name} if recipe.name in RELATIONS else set()
        assert met_here - related <= {"hm", "cm", "sl", "cs", "nl-la", "nl-lp", "nl-tp", "nl-ta"}, recipe.name


RELATIONS = {"ashe-team": {"nl-tp": 2}, "ashe-sharp": {"nl-ta": 4, "hp": 6}}
"""How many other relations of whom come in every lesson."""


@pytest.mark.parametrize("recipe", RELATIONS)
def test_other_relations_come_in_every_lesson_and_none_that_a_study_keeps_for_later(recipe: str) -> None:
    school, wanted = RECIPES[recipe].school, RELATIONS[recipe]
    lessons = [tables for _, tables in (*school.lessons, (0, school.tables))]
    assert len(lessons) == TERMS
    met_here = [name for tables in lessons for (name,) in tables if ":kin=" in name]
    assert len(set(met_here)) == len(met_here)
    for tables in lessons:
        kinds = Counter(name.partition(":")[0] for (name,) in tables if ":kin=" in name)
        assert kinds == wanted
    assert all(0 < int(name.partition("=")[2]) < KIN_FROM for name in met_here)


def test_a_shortened_recipe_keeps_the_share_of_its_lessons() -> None:
    short = RECIPES["tiered-a4"].shortened(20).school
    assert (short.generations, [until for until, _ in short.lessons]) == (20, [8])
    assert [until for until, _ in RECIPES["tiered-a4"].shortened(2).school.lessons] == [1]
    cooled = RECIPES["ashe-a4"].shortened(20).learner
    assert isinstance(cooled, NaturalParameters)
    assert cooled.cools_from == 10


def test_an_opponent_named_twice_is_met_once_and_counts_twice() -> None:
    school = Matches((("hm",), ("sl",), ("hm",)), lessons=((5, (("cm",),)),))
    fitness = school.fitness(no_limit(), nemesis.agent, lambda genome: genome, seed=0, workers=1)
    assert [agent.name for (agent,) in lesson_at(fitness.lessons, 4).tables] == ["cm"]
    assert [agent.name for (agent,) in lesson_at(fitness.lessons, 5).tables] == ["hm", "sl"]
    rates = np.array([[40_000.0, 0.0], [0.0, 900.0]])
    assert fitness.joined(rates, 5) == pytest.approx(log_earnings(np.array([40_000.0, 900.0])) * [2 / 3, 1 / 3])


def test_an_instance_loses_the_memory_that_is_taken_from_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(champion, "SHIPPED", tmp_path)
    whole = instance("A1", no_limit(), setting(tmp_path))
    forgets = instance("A1", no_limit(), setting(tmp_path), forgets=True)
    assert not whole.shipped
    assert (whole.agent.template != forgets.agent.template).sum() == 1
    assert "evolved here" in ashe_instances.caution([whole], setting(tmp_path))


def cells(first: float, middle: float, last: float) -> Any:
    """Three matches in cells of 25 hands with these rates in hands 1-50, 51-200 and 201-1000, and a little luck."""
    return np.array([[first] * 2 + [middle] * 6 + [last] * 32] * 3) + np.array([[-1.0], [0.0], [1.0]])


def test_stretches_are_the_means_of_their_hands() -> None:
    rates = cells(-100, 50, 300)
    assert ashe_adaptation.stretch(rates, 50, 200).tolist() == [49, 50, 51]
    more, (low, high) = ashe_adaptation.gain(rates)
    assert (more, low, high) == pytest.approx((400, 400, 400))


def test_following_is_earning_more_in_second_halves() -> None:
    rates = cells(0, 0, 1000)
    assert ashe_adaptation.following(rates)[0] == pytest.approx(0)
    rates[:, 9::2] += 200
    rates[:, 1:8:2] += 9999  # the first 200 hands do not count
    assert ashe_adaptation.following(rates)[0] == pytest.approx(200)


def test_the_verdict_on_adaptation_counts_and_names() -> None:
    gains = {"HM": (5.0, (1.0, 9.0)), "SL": (0.0, (-1.0, 1.0)), "TA": (-5.0, (-9.0, -1.0))}
    words = ashe_adaptation.verdict(gains, (900.0, (800.0, 1000.0)), (3.0, (-5.0, 11.0)))
    assert "against 1 of 3 (HM), fewer than the 7 wanted; significantly less against TA" in words
    assert "RG is exploited on average (900 mBB/hand), and its changes are not followed" in words
    assert words.endswith("the source's finding holds for this player.")
    tracked = ashe_adaptation.verdict(gains, (900.0, (800.0, 1000.0)), (30.0, (5.0, 55.0)))
    assert tracked.endswith("the source's finding does not hold for this player.")
    rough = ashe_adaptation.verdict(gains, (900.0, (800.0, 1000.0)), (3.0, (-500.0, 506.0)))
    assert "not decided" in rough
    assert rough.endswith("the source's finding does not hold for this player.")


def test_the_first_hands_stand_beside_those_who_never_learn() -> None:
    firsts = {"HM": np.array([9.0, 10.0, 11.0]), "TA": np.array([-9.0, 0.0, 9.0])}
    words = ashe_adaptation.first_hands(firsts, {"HM": (-5.0, (-9.0, -1.0)), "TA": (1.0, (-9.0, 11.0))})
    assert "above zero against 1 of 2, not TA, and" in words
    assert words.endswith("takes significantly less than the best of thief, raise, call, patient from HM.")
    assert "above zero against 1 of 1 and" in ashe_adaptation.first_hands({"HM": firsts["HM"]}, {})
    assert [ashe_adaptation.beside_it(ci).split("; ")[1] for ci in ((1.0, 2.0), (-2.0, -1.0), (-1.0, 1.0))] == [
        "A4 takes more", "A4 takes less", "no clear difference",
    ]  # fmt: skip


def test_what_the_rule_leaves_out_is_told_with_its_sign() -> None:
    gaps = {"CM": (9_000.0, (8_000.0, 10_000.0)), "TA": (-50.0, (-90.0, -10.0)), "SL": (0.0, (-1.0, 1.0))}
    words = ashe_rule.verdict(gaps)
    assert "teach from CM (9,000); significantly more from TA (50). Of 3 opponents" in words


def test_a_part_that_costs_against_most_is_a_model_of_the_opponent() -> None:
    costly, free = np.array([99.0, 100.0, 101.0]), np.array([-1.0, 0.0, 1.0])
    costs = {"forgets": np.array([costly, costly, free]), "stepless": np.array([free, -costly, free])}
    words = ashe_ablations.verdict(costs, ["HM", "CM", "SL"])
    assert "Trees emptied every hand costs A4 significantly against 2 of 3 (HM and CM): it models" in words
    assert "LSTM without memory costs A4 significantly against 0 of 3 (none) and gains against CM" in words


def test_a_run_at_the_published_size_is_shown_as_far_as_it_has_gone() -> None:
    large = [{"generation": g, "mean": 10.0 * g} for g in range(10)]
    compact = [[{"generation": g, "mean": float(run)} for g in range(50)] for run in (1, 3)]
    own, other = sizes(large, compact)
    assert (own.ours, own.sample, own.note) == (85.0, "1 run", "10 of 500 generations so far")
    assert (other.ours, other.sample) == (2.0, "2 runs")
    assert "generations 8 to 9" in other.what
    assert [row.sample for row in sizes(large, [compact[0][:9]])] == ["1 run"]
