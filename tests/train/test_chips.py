"""The school of chips: what is won in matches at any table, and the penalty for a spread between tables."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import nemesis
from nemesis.measure.chips import chips_won
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.champion import champion_agent
from nemesis.rules import games
from nemesis.runtime.streams import FIRST_STAGE
from nemesis.train.chips import ChipFitness, Chips
from nemesis.train.evolution import prepare, run_recipe
from nemesis.train.holdem_layered_kind import HoldemLayeredKind
from nemesis.train.recipes import RECIPES
from nemesis.train.school import Lesson

GAME = games.limit()


def test_candidates_meet_the_same_deals_and_chips_are_neither_made_nor_lost() -> None:
    caller, folder = compiled_agent("call", GAME), compiled_agent("fold", GAME)
    won = chips_won(GAME, [caller, folder, caller], [[caller], [folder]], matches=2, hands=100, seed=1)
    assert won.shape == (3, 2, 2)
    assert won[0].tolist() == won[2].tolist()
    assert (won[0, 1] > 0).all()
    assert (won[1, 0] < 0).all()
    mirrored = chips_won(GAME, [caller], [[caller]], matches=2, hands=100, seed=1)[0, 0]
    assert mirrored.tolist() == won[0, 0].tolist()


def test_a_table_names_all_the_others() -> None:
    with pytest.raises(ValueError, match="every table names all the others"):
        chips_won(GAME, [compiled_agent("call", GAME)], [[]], seed=1)


def test_the_spread_between_the_best_and_the_worst_table_is_taken_off() -> None:
    """Chips 100, 300 and −100: the mean is 100, the spread 400, of which a half goes."""
    agent = compiled_agent("call", GAME)
    lesson = Lesson(1, ((agent,),) * 3, (1.0, 1.0, 1.0))
    fitness = ChipFitness(GAME, (lesson,), 1, 300, 0, 1, lambda genome: agent, 0.5)
    chips = np.array([[100.0, 300.0, -100.0], [90.0, 90.0, 90.0]])
    assert fitness.joined(chips, FIRST_STAGE).tolist() == [-100.0, 90.0]


def test_a_school_of_chips_refuses_impossible_values() -> None:
    with pytest.raises(ValueError, match="spread"):
        Chips((("la",),), spread=2.0)
    with pytest.raises(ValueError, match="hands"):
        Chips((("la",),), hands=0)


@pytest.mark.parametrize("name", ["limit-neat-belief", "limit-neat-four-30", "limit-la"])
def test_a_short_evolution_gives_a_champion_that_plays(name: str, tmp_path: Path) -> None:
    recipe = RECIPES[name].shortened(2).resized(population=6)
    if isinstance(recipe.player, HoldemLayeredKind):
        recipe = replace(recipe, player=replace(recipe.player, teachers=()))
    game = nemesis.game(recipe.game, recipe.seats)
    score = run_recipe(prepare(recipe, game, nemesis.agent, seed=1), tmp_path, 1, checks=600)
    assert set(score["tables"]) == {" ".join(table) for table in recipe.school.tables}
    assert champion_agent(tmp_path / "champion.json", game).name == name
