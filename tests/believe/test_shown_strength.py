"""The strength of hands that will be shown: what is read of them, and that it is known before they are shown."""

from pathlib import Path

import numpy as np
import pytest

from nemesis.believe.action_model import ModelError, forecast, read_model, timeline
from nemesis.believe.boosted_trees import Trees
from nemesis.believe.shown_strength import (
    COLUMNS,
    StrengthModel,
    predict_strength,
    read_strength,
    shown_hands,
    write_strength,
)
from nemesis.observe.history import History, read_history
from nemesis.rules.strength import win_probability

SAMPLE = Path(__file__).parent.parent.parent / "examples/histories"


@pytest.fixture(scope="module")
def history() -> History:
    found = read_history([SAMPLE])
    return found.part(np.flatnonzero(found.hands["shown"] != 0)[:12])


def test_the_strength_is_that_of_the_shown_cards_on_the_river(history: History) -> None:
    line = timeline(history)
    shown = shown_hands(line, forecast(read_model(), line))
    assert len(shown.hand) >= 10
    assert shown.rows.shape == (len(shown.hand), len(COLUMNS))
    for hand, position, strength in zip(shown.hand, shown.position, shown.strength, strict=True):
        row = line.history.hands[hand]
        cards = row["hole"][2 * position : 2 * position + 2].tolist()
        assert strength == pytest.approx(win_probability(cards, row["board"].tolist()), abs=1e-4)


def test_what_is_read_does_not_depend_on_the_cards(history: History) -> None:
    """Other cards in the players' hands change the truth and nothing that is known before it."""
    line = timeline(history)
    said = forecast(read_model(), line)
    before = shown_hands(line, said)
    other = line.history.hands.copy()
    for row in other:
        for place in np.flatnonzero(row["hole"] >= 0):
            used = {*row["hole"].tolist(), *row["board"].tolist()}
            row["hole"][place] = next(card for card in range(52) if card not in used)
    changed = line._replace(history=type(line.history)(**{**vars(line.history), "hands": other}))
    after = shown_hands(changed, said)
    np.testing.assert_array_equal(before.rows, after.rows)
    assert (before.strength != after.strength).any()


def test_a_model_reads_back_and_answers_between_0_and_1(history: History, tmp_path: Path) -> None:
    line = timeline(history)
    shown = shown_hands(line, forecast(read_model(), line))
    median, mean = predict_strength(read_strength(), shown.rows)
    for said in (median, mean):
        assert ((said >= 0) & (said <= 1)).all()
    write_strength(tmp_path / "copy.npz", read_strength())
    np.testing.assert_array_equal(predict_strength(read_strength(tmp_path / "copy.npz"), shown.rows)[1], mean)
    (tmp_path / "broken.npz").write_bytes(b"PK")
    with pytest.raises(ModelError, match="is not a model of strength"):
        read_strength(tmp_path / "broken.npz")


def test_trees_start_from_what_is_usual() -> None:
    """Trees without a split that add nothing leave the median and the odds where they start."""
    none = Trees(
        np.zeros(0, np.int16), np.zeros(0, np.float32), np.zeros(0, np.int16), np.zeros(0, np.int16),
        np.zeros(1, np.float32), np.zeros(2, np.int32), np.array([0, 1], np.int32),
    )  # fmt: skip
    model = StrengthModel(none, none, np.array([0.6, 0.0]), {})
    median, mean = predict_strength(model, np.zeros((2, len(COLUMNS)), np.float32))
    assert (median.tolist(), mean.tolist()) == ([0.6, 0.6], [0.5, 0.5])
