"""Predictions of a stored hand are those that a walk through the player's hands gives."""

from pathlib import Path

import numpy as np
import pytest

from nemesis.believe.action_model import forecast, read_model, timeline
from nemesis.believe.stored_forecast import stored_forecast
from nemesis.observe.importing import import_files
from nemesis.observe.store import open_store
from nemesis.observe.stored_hands import stored_history

DATA = Path(__file__).parent.parent / "data" / "ongame.phhs"


def test_a_stored_hand_is_predicted_from_the_hands_before_it(tmp_path: Path) -> None:
    model = read_model()
    with open_store(tmp_path / "s.duckdb", writing=True) as store:
        import_files(store, [DATA])
        player, name, room = store.rows(
            "SELECT player, name, room FROM seats JOIN players USING (player) GROUP BY ALL ORDER BY count(*) DESC LIMIT 1"
        )[0]
        hands = [n for (n,) in store.rows("SELECT hand FROM seats WHERE player = ? ORDER BY time, hand", [player])]
        told = stored_forecast(store, model, player, hands[-1])
        line = timeline(next(stored_history(store, name, room)))
        with pytest.raises(ValueError, match="has no hand 999999"):
            stored_forecast(store, model, player, 999_999)
    said = forecast(model, line)
    mine = line.history.actions["hand"] == len(line.history) - 1
    assert len(told.predictions) == mine.sum() > 2
    assert np.allclose([p.likely for p in told.predictions], said.likely[mine])
    assert [p.done for p in told.predictions] == line.done[mine].tolist()
    assert all(abs(sum(p.likely) - 1) < 1e-6 and abs(sum(p.sizes.values()) - 1) < 1e-6 for p in told.predictions)
