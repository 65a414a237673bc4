"""Clones of real players: they play as often as their player does, and refuse when he is too little known."""

from pathlib import Path

import numpy as np
import pytest

import nemesis
from nemesis.believe.action_model import digest, forecast, read_model, timeline
from nemesis.believe.known_player import anybody, decide, follow, player_after
from nemesis.believe.public_situation import OWN_ACTIONS, RAISES, STREET
from nemesis.believe.sitting import SITTING
from nemesis.observe.history import read_history
from nemesis.observe.importing import import_files
from nemesis.observe.store import StoreError, open_store
from nemesis.observe.view import View, new_view
from nemesis.respond.clone import Clone
from nemesis.rules import games

ROOT = Path(__file__).parent.parent.parent
SAMPLE = ROOT / "examples/histories"
PLAYER, ROOM = "ABjbqbnS5RmWmm7K73KQvw", "Ongame Network"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("clones") / "sample.duckdb"
    with open_store(path, writing=True) as opened:
        import_files(opened, sorted(SAMPLE.glob("*.phhs")))
    return path


def test_a_clone_sits_down_and_plays(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEMESIS_STORE", str(store))
    result = nemesis.duel(f"clone:{PLAYER}", "call", hands=20, match_hands=10, seed=2)
    assert result.players[0] == f"clone:{PLAYER}"
    assert sum(score.mean for score in result.scores) == pytest.approx(0)
    assert isinstance(nemesis.agent(f"clone:{PLAYER}@{ROOM}", games.no_limit()), Clone)


def test_too_few_hands_are_refused_with_a_sentence(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEMESIS_STORE", str(store))
    with open_store(store) as opened:
        ((few, hands),) = opened.rows(
            "SELECT name, count(*) FROM seats JOIN players USING (player) GROUP BY name ORDER BY 2, 1 LIMIT 1"
        )
    with pytest.raises(StoreError, match=rf"has {hands} hands in the store; a clone needs at least 100"):
        nemesis.agent(f"clone:{few}", games.no_limit())
    with pytest.raises(StoreError, match="nobody called 'nobody'"):
        nemesis.agent("clone:nobody", games.no_limit())


def test_what_a_clone_sees_is_what_the_model_saw_in_the_recorded_hand(tmp_path: Path) -> None:
    """The situation built from views and events is the row of the hand as it was written down."""
    seen: list[np.ndarray] = []

    class Watched(Clone):
        def _situation(self, view: View) -> np.ndarray:
            row = super()._situation(view)
            seen.append(row[0])
            return row

    watched = Watched("watched", anybody(read_model()))
    file = tmp_path / "hands.phhs"
    others = [nemesis.agent(name, games.no_limit_6()) for name in ("nl-la", "call", "hp", "random", "nl-ta")]
    nemesis.table([watched, *others], game="no-limit-6", hands=6, match_hands=6, seed=4, hands_to=file, workers=1)
    line = timeline(read_history([file]))
    hands, actions = line.history.hands, line.history.actions
    number = list(line.history.players).index("watched")
    own = hands["player"][actions["hand"], actions["position"]] == number
    recorded = line.situations.rows[own]
    assert len(recorded) == len(seen) > 20
    np.testing.assert_allclose(np.array(seen), recorded, rtol=1e-5)


def test_over_its_whole_range_it_acts_as_often_as_the_model_says() -> None:
    """Dealt every hand before the flop, first to act of six, it raises as often as people do."""
    game = games.no_limit_6()
    clone = Clone("anybody", anybody(read_model()))
    chance = np.random.default_rng(0)
    row = None
    raised = 0
    for _ in range(400):
        clone.sit(game, 0)
        view = new_view()
        hole = chance.choice(52, 2, replace=False)
        view["hole"], view["seats"], view["position"], view["street"] = hole, 6, 2, 0
        view["to_call"], view["pot"], view["min_to"], view["max_to"] = 100, 150, 200, 20_000
        view["chips"][0, :6], view["live"][0, :6], view["button"] = 20_000, 1, 3
        view["stack"], view["opponents"], view["big_blind"], view["chance"] = 20_000, 5, 100, chance.uniform()
        row = clone._situation(View(view))
        raised += clone.act(View(view)) >= 2
    assert row is not None
    assert (row[0, STREET], row[0, RAISES], row[0, OWN_ACTIONS]) == (0, 0, 0)
    said = decide(clone.player, row).likely[0, 2]
    assert raised / 400 == pytest.approx(said, abs=3 * np.sqrt(said * (1 - said) / 400))


def test_a_known_player_is_predicted_as_the_forecast_does() -> None:
    """Following one player gives the forecast of his decisions, and stopping gives the state to go on from."""
    model = read_model()
    history = read_history([SAMPLE])
    history.about["key"] += np.uint64(1 << 40)  # as hands that the model was not trained on
    line = timeline(history)
    who = digest(ROOM, PLAYER)
    followed = follow(model, line, who)
    fresh = ~np.isin((line.history.about["key"] >> np.uint64(32)).astype(np.uint32), model.hands)
    own = (line.player == np.uint64(who)) & fresh[line.history.actions["hand"]]
    assert own.sum() == len(followed.done) > 100
    np.testing.assert_allclose(followed.likely, forecast(model, line).likely[own], atol=1e-6)
    last = np.flatnonzero(own)[-1:]
    before = line.history.part(np.arange(int(line.history.actions["hand"][last[0]])))
    known = player_after(model, timeline(before), who)
    first_of_hand = np.flatnonzero(own & (line.history.actions["hand"] == line.history.actions["hand"][last[0]]))[:1]
    sitting = forecast(model, line).inputs[first_of_hand, -len(SITTING) :]
    np.testing.assert_allclose(
        decide(known, line.situations.rows[first_of_hand], sitting).likely,
        followed.likely[[int(np.searchsorted(np.flatnonzero(own), first_of_hand[0]))]],
        atol=1e-5,
    )
