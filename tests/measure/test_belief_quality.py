"""Growth, calibration and change of belief, against what can be computed exactly."""

import numpy as np
import pytest

from nemesis.believe.action_table import ActionTable, Variant
from nemesis.believe.situation import take_apart
from nemesis.believe.tables import action_table
from nemesis.measure.belief_quality import (
    divergences,
    gather_actions,
    gather_choices,
    measure_growth,
    measure_switch,
    posteriors_along,
    posteriors_of_choices,
)
from nemesis.play.by_name import player
from nemesis.rules import games
from observed import ObservedBelief

STYLES = [player(name) for name in ("la", "lp", "ta", "tp")]


@pytest.mark.parametrize(("window", "variant"), [(0, "plain"), (3, "street")])
def test_posteriors_along_a_sequence_are_those_of_the_python_face(window: int, variant: Variant) -> None:
    table = action_table("limit")
    kinds = np.array([[0, 4, 5, 11, 2], [1, 1, 8, 7, 3]])
    found = posteriors_along(table, kinds, window, variant)
    for row, sequence in enumerate(kinds):
        belief = ObservedBelief(table, 1, window, variant)
        for step, kind in enumerate(sequence):
            belief.learn(int(kind % 3), int(kind // 3), 1, 0)
            assert found[row, step + 1] == pytest.approx(belief.posterior(0))
    assert found[:, 0] == pytest.approx(np.full((2, 4), 0.25))


@pytest.mark.parametrize(("variant", "window"), [("situation", 0), ("showdown", 0), ("showdown", 3)])
def test_posteriors_of_choices_are_those_of_the_python_face(variant: Variant, window: int) -> None:
    """Whatever happened before the next informative action counts; a sequence begins with a hand."""
    game = games.one_card()
    table = action_table(game)
    choices = gather_choices(STYLES, game, 80, seed=4)[2]
    found = posteriors_of_choices(table, choices, 5, 6, variant, window)
    parts = take_apart(choices)
    belief, sequence, seen = ObservedBelief(table, 1, window, variant), -1, 5
    for i, (first, _, action, _, faced, opponents) in enumerate(zip(*parts[:6], strict=True)):
        if first:
            if i and parts.shown[i - 1]:
                belief.show(0, [parts.win[i - 1]])
            belief.next_hand()
            if seen == 5:
                belief.forget(0)
                sequence, seen = sequence + 1, -1
        if seen == 5 or sequence == 6:
            continue
        if parts.informative[i]:
            seen += 1
            assert found[sequence, seen] == pytest.approx(belief.posterior(0), rel=1e-4, abs=1e-9)
        if seen < 5:
            belief.learn(int(action), 0, int(faced > 0), 0, can_raise=faced < 2, opponents=int(opponents))
    assert sequence >= 6
    with pytest.raises(ValueError, match="hold 0 sequences of 100 informative actions, not 2"):
        posteriors_of_choices(table, choices[:90], 100, 2, variant)


@pytest.mark.parametrize("seats", [2, 4])
def test_situations_find_out_what_averages_do_not(seats: int) -> None:
    """TA is the hard one: by its averages it looks like LA and TP; issue: .8 after 30 informative actions."""
    game = games.one_card().seated(seats)
    ta = {}
    for variant in ("plain", "situation", "showdown"):
        grown = measure_growth(
            STYLES, game, action_table(game), actions=30, sequences=100, variant=variant, seed=1
        )  # fmt: skip
        ta[variant] = grown.mean[2]
        if variant != "plain":
            assert (grown.low[:, 30] > 0.8).all()
            assert grown.score.calibration.error < 0.02
    assert ta["plain"][10] < ta["situation"][10] < ta["showdown"][10]


def test_divergence_of_a_coin() -> None:
    """KL((.5, .5) ‖ (.25, .75)) = .5 ln 2 + .5 ln(2/3)."""
    table = ActionTable(("fair", "bent"), np.array([[[0.5, 0, 0.5]], [[0.25, 0, 0.75]]]))
    assert divergences(table)[0, 1] == pytest.approx(0.5 * np.log(2) + 0.5 * np.log(2 / 3), abs=0.002)
    assert divergences(table).diagonal() == pytest.approx([0, 0])


def test_belief_grows_and_the_ideal_is_calibrated() -> None:
    grown = measure_growth(
        STYLES, games.limit(), action_table("limit"), actions=20, sequences=400, variant="street", seed=1
    )
    assert grown.mean[:, 0] == pytest.approx([0.25] * 4)
    assert (grown.mean[:, 20] > 0.8).all()
    assert (grown.low <= grown.mean).all()
    assert grown.ideal_score is not None
    assert grown.ideal_score.calibration.error < 0.02
    assert grown.ideal_score.log_loss < grown.score.log_loss
    assert grown.nearest_rival(3)[0] == "ta"
    assert (grown.actions_until(0, 0.9) or 99) < 15


def test_a_window_notices_a_change_that_the_whole_history_does_not() -> None:
    """Baker 2010 section 7.5: a converged belief takes far too long to recover."""
    table, (la, _, _, tp) = action_table("limit"), gather_actions(STYLES, games.limit(), 40, 100, seed=2)
    switch = measure_switch(la, tp, table, "la", "tp", windows=(0, 8))
    assert switch.noticed_after(0) is None
    assert (switch.noticed_after(8) or 99) <= 8
    assert switch.old[:, 0] == pytest.approx([1.0, 0.9], abs=0.1)


def test_mistakes_are_explained() -> None:
    with pytest.raises(ValueError, match="both must be at least 1"):
        gather_actions(STYLES, games.limit(), 0, 10)
    with pytest.raises(ValueError, match="the players are la"):
        measure_growth(STYLES[:1], games.limit(), action_table("limit"))
