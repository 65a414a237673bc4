"""The strength of hands that will be shown: what is read of them, and that it is known before they are shown."""

from pathlib import Path

import numpy as np
import pytest

from nemesis.believe.action_model import ModelError, Timeline, forecast, read_model, timeline
from nemesis.believe.shown_hands import BEFORE, COLUMNS, Shown, shown_hands
from nemesis.believe.shown_strength import (
    SHIPPED,
    StrengthModel,
    holding_weights,
    predict_strength,
    read_strength,
    write_strength,
)
from nemesis.observe.history import read_history
from nemesis.rules.strength import win_probability

SAMPLE = Path(__file__).parent.parent.parent / "examples/histories"


@pytest.fixture(scope="module")
def line() -> Timeline:
    found = read_history([SAMPLE])
    return timeline(found.part(np.flatnonzero(found.hands["shown"] != 0)[:24]))


@pytest.fixture(scope="module")
def shown(line: Timeline) -> list[Shown]:
    return list(shown_hands(line, forecast(read_model(), line)))


def test_the_strength_is_that_of_the_shown_cards_on_the_river(line: Timeline, shown: list[Shown]) -> None:
    assert len(shown) >= 10
    for each in shown:
        row = line.history.hands[each.hand]
        cards = row["hole"][2 * each.position : 2 * each.position + 2].tolist()
        assert each.row.shape == (len(COLUMNS),)
        assert np.isfinite(each.row).all()
        assert each.strength == pytest.approx(win_probability(cards, row["board"].tolist()), abs=1e-4)


def test_what_is_read_does_not_depend_on_the_cards(line: Timeline, shown: list[Shown]) -> None:
    """Other cards in the players' hands change the truth and nothing that is known of the same hand before it."""
    other = line.history.hands.copy()
    for row in other:
        for place in np.flatnonzero(row["hole"] >= 0):
            used = {*row["hole"].tolist(), *row["board"].tolist()}
            row["hole"][place] = next(card for card in range(52) if card not in used)
    changed = line._replace(history=type(line.history)(**{**vars(line.history), "hands": other}))
    after = list(shown_hands(changed, forecast(read_model(), line)))
    in_hand = slice(0, len(COLUMNS) - len(BEFORE))
    for each, same in zip(shown, after, strict=True):
        np.testing.assert_array_equal(each.row[in_hand], same.row[in_hand])
        np.testing.assert_array_equal(each.weights, same.weights)
    assert any(each.strength != same.strength for each, same in zip(shown, after, strict=True))


def test_a_player_is_judged_by_the_hands_he_showed_earlier(line: Timeline, shown: list[Shown]) -> None:
    """Recounted from the strengths of the hands before; the same hand's other cards are not known yet."""
    count, residual = COLUMNS.index("before_shown"), COLUMNS.index("before_residual")
    mean = COLUMNS.index("range_mean")
    names = [line.history.hands["player"][each.hand, each.position] for each in shown]
    met = 0
    for at, each in enumerate(shown):
        earlier = [
            old for old, name in zip(shown[:at], names, strict=False) if name == names[at] and old.hand < each.hand
        ]
        assert each.row[count] == pytest.approx(np.log1p(len(earlier)))
        total = sum(old.strength - old.row[mean] for old in earlier)
        assert each.row[residual] == pytest.approx(total / (len(earlier) + 8), abs=1e-5)
        met += len(earlier) > 0
    assert met > 0


def test_choosing_hands_does_not_change_what_is_known_of_them(line: Timeline, shown: list[Shown]) -> None:
    chosen = np.zeros(len(line.history.hands), bool)
    chosen[shown[-1].hand] = True
    again = list(shown_hands(line, forecast(read_model(), line), among=chosen))
    of_hand = [each for each in shown if each.hand == shown[-1].hand]
    for each, same in zip(of_hand, again, strict=True):
        np.testing.assert_array_equal(each.row, same.row)


def test_a_model_gives_probabilities_of_possible_holdings(shown: list[Shown], tmp_path: Path) -> None:
    model = read_strength()
    for each in shown[:4]:
        weights = holding_weights(model, each)
        assert weights.sum() == pytest.approx(1)
        assert (weights >= 0).all()
        assert not weights[np.isnan(each.win[0])].any()
    found = predict_strength(model, shown)
    for said in (found.median, found.mean):
        assert ((said >= 0) & (said <= 1)).all()
    write_strength(tmp_path / "copy.npz", model)
    np.testing.assert_array_equal(predict_strength(read_strength(tmp_path / "copy.npz"), shown).mean, found.mean)
    (tmp_path / "broken.npz").write_bytes(b"PK")
    with pytest.raises(ModelError, match="is not a model of strength"):
        read_strength(tmp_path / "broken.npz")
    assert SHIPPED.stat().st_size < 1_500_000


def test_networks_without_weights_leave_the_posterior_as_it_is(shown: list[Shown]) -> None:
    model = read_strength()
    nothing = model.networks[0]._replace(score=np.zeros_like(model.networks[0].score), prior=np.ones(1, np.float32))
    found = predict_strength(StrengthModel(model.scales, (nothing,), {}), shown)
    np.testing.assert_allclose(found.mean, found.range_mean, atol=1e-4)
    np.testing.assert_allclose(
        holding_weights(StrengthModel(model.scales, (nothing,), {}), shown[0]), shown[0].weights, atol=1e-6
    )
