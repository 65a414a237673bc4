"""The champions that ship: whole, playable, and as good as their files say."""

from pathlib import Path
from typing import Any

import pytest

import nemesis
from nemesis.measure.interval import share_interval
from nemesis.respond.champion import ChampionError, champion_agent, read_champion, save_champion, shipped_champions
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
    assert made["command"].startswith("nemesis evolve ")
    assert {"recipe", "seed", "versions", "score"} <= set(made)


def test_it_wins_on_new_deals_what_its_file_says(champion: Path) -> None:
    """New deals at each table it was made for; 99.9 % of such shares and rates lie within 3.3 standard errors."""
    content = read_champion(champion)
    if content["player"]["kind"] == "ashe":
        earns_what_its_file_says(champion, content["made"]["score"])
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


def earns_what_its_file_says(champion: Path, score: dict[str, Any]) -> None:
    """20 new matches from both seats against each opponent it was made for."""
    for opponent, told in score["tables"].items():
        players = [str(champion), opponent]
        played = nemesis.table(players, game="no-limit", hands=20_000, match_hands=1000, seed=77).scores[0]
        margin = (played.ci95[1] - played.ci95[0]) / 2 + (told["ci95"][1] - told["ci95"][0]) / 2
        assert abs(played.mean - told["mbb"]) < 3.3 / 1.96 * margin


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
