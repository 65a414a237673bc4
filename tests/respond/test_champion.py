"""The champions that ship: whole, playable, and as good as their files say."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import nemesis
from nemesis.measure.chips import chips_won
from nemesis.measure.interval import mean_interval, share_interval
from nemesis.respond.by_name import compiled_agent
from nemesis.respond.champion import (
    ChampionError,
    champion_agent,
    champion_digest,
    read_champion,
    save_champion,
    shipped_champions,
)
from nemesis.respond.styles import STYLES
from nemesis.rules import games
from nemesis.solve.ceiling import best_response, value_against
from nemesis.solve.policy import policy_of

SHIPPED = shipped_champions()


@pytest.fixture(params=list(SHIPPED))
def champion(request: pytest.FixtureRequest) -> Path:
    return SHIPPED[request.param]


def test_it_says_how_it_was_made(champion: Path) -> None:
    made = read_champion(champion)["made"]
    assert made["command"].startswith(("nemesis evolve ", "nemesis cells "))
    assert {"recipe", "seed", "versions", "score"} <= set(made)


def test_it_wins_on_new_deals_what_its_file_says(champion: Path) -> None:
    """New deals at each table it was made for; 99.9 % of such shares and rates lie within 3.3 standard errors."""
    content = read_champion(champion)
    if content["player"]["kind"] == "ashe":
        hands = content["made"]["recipe"].get("school", {}).get("hands", 1000)
        earns_what_its_file_says(champion, content["made"]["score"], hands)
        return
    if content["player"]["kind"] == "hypercube":
        earns_what_its_file_says(champion, content["made"]["score"], 100)
        return
    if content["player"]["kind"] == "holdem-network":
        takes_what_its_file_says(champion, content["made"]["score"])
        return
    for table, told in content["made"]["score"]["tables"].items():
        players = [str(champion), *table.split()]
        played = nemesis.tournament(players, game="one-card", tournaments=4000, seed=77).scores[0]
        low, high = share_interval(told["share"] * 4000, 4000)[1]
        assert abs(played.mean - told["share"]) < 3.3 / 1.96 * (high - low)


@pytest.mark.parametrize("style", STYLES)
def test_a_specialist_has_99_percent_of_what_anybody_could_have(style: str) -> None:
    """Both computed exactly, so luck has no part in it."""
    game = games.one_card()
    opponent, champion = (nemesis.agent(name, game) for name in (style, f"specialist-{style}"))
    worth = value_against(policy_of(champion, game), policy_of(opponent, game), game).value
    assert 0.99 < worth / best_response(opponent, game).value <= 1.0 + 1e-9


def earns_what_its_file_says(champion: Path, score: dict[str, Any], match_hands: int) -> None:
    """New matches from every seat at each table it was made for."""
    game = read_champion(champion)["made"]["recipe"]["game"]
    for opponents, told in score["tables"].items():
        players = [str(champion), *opponents.split()]
        played = nemesis.table(players, game=game, hands=20_000, match_hands=match_hands, seed=77).scores[0]
        margin = (played.ci95[1] - played.ci95[0]) / 2 + (told["ci95"][1] - told["ci95"][0]) / 2
        assert abs(played.mean - told["mbb"]) <= 3.3 / 1.96 * margin


def takes_what_its_file_says(champion: Path, score: dict[str, Any]) -> None:
    """70 new matches at each table it was made for, whose chips vary as those of the file did."""
    for opponents, told in score["tables"].items():
        others = opponents.split()
        game = games.limit().seated(len(others) + 1)
        table = [compiled_agent(name, game) for name in others]
        me = champion_agent(champion, game)
        played, (low, high) = mean_interval(chips_won(game, [me], [table], 70, score["match"], seed=77)[0, 0])
        margin = (high - low) / 2 + (told["ci95"][1] - told["ci95"][0]) / 2
        assert abs(played - told["chips"]) < 3.3 / 1.96 * margin


def test_a_damaged_champion_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "champion.json"
    save_champion(path, "me", {"kind": "chromosome"}, [0.5] * 60, {"command": "by hand"})
    whole = path.read_text()
    assert champion_agent(path, games.one_card()).name == "me"
    for text, sentence in (
        (whole[: len(whole) // 2], "cut short or damaged"),
        (whole.replace("0.5", "0.6", 1), "was changed after it was saved"),
        (whole.replace('"champion": 1', '"champion": 99'), "is of format 99"),
        ("[]", "is not a champion file"),
    ):
        path.write_text(text)
        with pytest.raises(ChampionError, match=sentence):
            champion_agent(path, games.one_card())


def sealed(path: Path, content: dict[str, Any]) -> Path:
    """The content in a file with the digest that fits it, as anybody could write it."""
    path.write_text(json.dumps({**content, "digest": champion_digest(content)}))
    return path


def game_of(content: dict[str, Any]) -> Any:
    kinds = {"ashe": games.no_limit, "holdem-network": games.limit, "hypercube": games.ring}
    game = kinds.get(content["player"]["kind"], games.one_card)()
    return game.seated(4) if "four" in content["name"] else game


def deep(levels: int) -> str:
    return "[" * levels + "]" * levels


FORGED = {
    "made is a list": ("specialist-la", ("made",), ["by", "hand"], "as its made; it must be an object"),
    "recipe is a list": ("specialist-la", ("made", "recipe"), [], "a recipe is an object"),
    "player is a text": ("specialist-la", ("player",), "chromosome", "as its player; it must be an object"),
    "a name that is none": ("specialist-la", ("name",), {}, "as its name; it must be a text"),
    "a kind that is none": ("specialist-la", ("player", "kind"), [], "known kinds are"),
    "a huge gene": ("specialist-la", ("genome", 3), 10**400, "too large to be a number"),
    "an infinite gene": ("specialist-la", ("genome", 3), float("inf"), "not a finite number"),
    "a gene that is text": ("specialist-la", ("genome", 3), "0.5", "not a list of numbers"),
    "a thousand million inputs": ("dense-all", ("genome", "inputs"), 10**9, "cannot have 1000000000 inputs"),
    "a node of nothing": ("dense-all", ("genome", "nodes", 0), None, "a network is its numbers of inputs"),
    "a weight that is no number": ("dense-all", ("genome", "nodes", 0, 0), float("nan"), "must be finite"),
    "an option that is none": ("dense-all", ("player", "stakes"), [1], "must be true or false"),
    "an endless table of styles": ("dense-belief", ("player", "table", "counts"), [10**30], "whole numbers by style"),
    "genes cut short": ("ashe-a1", ("genome",), "AAAA=", "single-precision numbers in base 64"),
    "a size without end": ("ashe-a1", ("player", "blocks"), 10**9, "give from 1 to 1000"),
    "a size that is no number": ("ashe-a1", ("player", "cells"), 2.5, "must be a whole number"),
    "a depth of nothing": ("ashe-a1", ("player", "depth"), float("nan"), "depth must be a number"),
}


@pytest.mark.parametrize("forgery", FORGED)
def test_a_forged_champion_with_a_digest_that_fits_is_refused(forgery: str, tmp_path: Path) -> None:
    name, place, value, sentence = FORGED[forgery]
    content = read_champion(SHIPPED[name])
    at: Any = content
    for step in place[:-1]:
        at = at[step]
    game = game_of(content)
    at[place[-1]] = value
    with pytest.raises(ChampionError, match=sentence):
        champion_agent(sealed(tmp_path / "forged.json", content), game)


@pytest.mark.parametrize("text", [deep(100_000), '{"champion": 1, "made": ' + deep(5_000) + "}", "9" * 10_000, "\0"])
def test_a_file_that_no_reader_can_follow_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "champion.json"
    path.write_text(text)
    with pytest.raises(ChampionError):
        read_champion(path)


def places(at: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place of a JSON value; of long lists the first and the last."""
    if isinstance(at, dict):
        return [path, *(place for key in at for place in places(at[key], (*path, key)))]
    if isinstance(at, list) and at:
        return [path, *(place for i in {0, len(at) - 1} for place in places(at[i], (*path, i)))]
    return [path]


NONSENSE = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**40), 10**40), st.floats(), st.text(max_size=8),
    st.sampled_from([10**400, 10**9, -1, 0, [], {}, [[]], "NaN", 1e308, float("nan"), float("inf")]),
)  # fmt: skip


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True
)
@given(data=st.data())
def test_a_champion_with_nonsense_anywhere_is_refused_or_plays(data: st.DataObject, tmp_path: Path) -> None:
    content = read_champion(
        SHIPPED[data.draw(st.sampled_from(["specialist-la", "dense-belief", "neat-belief", "ashe-a1"]))]
    )
    game = game_of(content)
    place = data.draw(st.sampled_from([place for place in places(content) if place and place != ("digest",)]))
    at: Any = content
    for step in place[:-1]:
        at = at[step]
    at[place[-1]] = data.draw(NONSENSE)
    path = sealed(tmp_path / "odd.json", content)
    try:
        agent = champion_agent(path, game)
    except ChampionError:
        return
    assert nemesis.duel(agent, "call", game=game, hands=20).hands == 20
