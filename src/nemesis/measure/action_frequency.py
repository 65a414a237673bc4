"""How often each style folds, calls and bets: the table a style belief is built on (Baker 2010, sections 4.2.4, 7.5).

The source counts "over 100,000 hands (25,000 hands against a collection of each type of opponent)" and leaves out
checks that cost nothing. We let every ordered lineup of the styles meet equally often (or, when those are too many, draw
lineups at random), in the form the game is played in — a freeze-out goes on until one has every chip, so short stacks
count — and every seat is counted. In the source's one-card table every style folds far more than ours does; the study
`action-table` works out which reading of its rules comes nearest. `PUBLISHED` keeps the source's tables beside ours.

In the same hands every action is also counted by its situation and by the strength of the cards it was done with, which the
arena knows whether they are shown or not.

The tables in `nemesis/believe/tables` are made by `measure_shipped`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.action_table import ActionTable
from nemesis.believe.situation import SHOWN, SITUATIONS, take_apart
from nemesis.believe.tables import FOLDER, file_name
from nemesis.measure.notebook import play_noting
from nemesis.play.match import Player
from nemesis.play.tournament import DEFAULT_MOST_HANDS
from nemesis.rules.game import Game
from nemesis.runtime.streams import NumpyStream, generator

_MOST_LINEUPS = 4096
_FEW_LINEUPS = 256
_GUESSED_HANDS = 10
_CHOICES = 256  # of every seat in a match are looked at in their situation
_STYLES = ("la", "lp", "ta", "tp")


def measure_action_table(
    styles: Sequence[Player], game: Game, hands: int = 100_000, seed: int = 0, seats: int | None = None
) -> ActionTable:
    """Count the informative actions of every style, in at least `hands` hands each against a mix of all of them."""
    if hands < 1:
        raise ValueError(f"cannot count actions in {hands} hands; play at least 1")
    if seats is not None and seats != game.seats:
        game = game.seated(seats)
    agents = [player.make(game) for player in styles]
    length = DEFAULT_MOST_HANDS if game.freeze_out else game.match_hands
    counts = np.zeros((len(agents), game.streets, 3), np.int64)
    situations = np.zeros((len(agents), game.streets * SITUATIONS, 3), np.int64)
    shown = np.zeros((len(agents), game.streets * SHOWN, 3), np.int64)
    sat = np.zeros(len(agents), np.int64)
    matches = 0
    while sat.min() < hands:
        per_match = sat.min() / matches if matches else (_GUESSED_HANDS if game.freeze_out else length)
        wanted = (hands - sat.min()) / max(1.0, per_match)
        lineup = mixed_lineups(len(agents), game.seats, min(_MOST_LINEUPS, int(wanted) + 1), seed, matches)
        numbers = np.arange(matches, matches + len(lineup))
        notes = play_noting(
            game, agents, lineup, numbers, hands=length, seed=seed, freeze_out=game.freeze_out, choices=_CHOICES
        )
        for style in range(len(agents)):
            here = lineup == style
            done = notes.choices[here]
            choices = take_apart(done[done >= 0])
            np.add.at(situations[style], (choices.situation_rows(), choices.action), 1)
            np.add.at(shown[style], (choices.shown_rows(), choices.action), 1)
            counts[style] += notes.counts[here].sum(axis=0).reshape(-1, 3)[: game.streets]
            sat[style] += int((here * notes.played.hands[:, None]).sum())
        matches += len(lineup)
    how = {
        "game": game.name,
        "seats": game.seats,
        "hands": int(sat.min()),
        "matches": matches,
        "seed": seed,
        "opponents": [player.label for player in styles],
        "counted": "all actions but checks that cost nothing, of every seat, in every lineup of the opponents",
    }
    return ActionTable.from_counts([player.label for player in styles], counts, how).with_situations(situations, shown)


def mixed_lineups(styles: int, seats: int, wanted: int, seed: int, first: int = 0) -> NDArray[np.int64]:
    """Every ordered lineup equally often, at least `wanted` in all; random ones where there are more than that.

    `first` is the number of the first match, so that later lineups are others.
    """
    if styles**seats > max(wanted, _FEW_LINEUPS):
        return generator(seed, NumpyStream.LINEUPS, first).integers(0, styles, (wanted, seats))
    every = np.array(list(np.ndindex(*(styles,) * seats)), np.int64)
    return np.tile(every, (-(-wanted // len(every)), 1))


PUBLISHED: Mapping[str, ActionTable] = {
    "one-card": ActionTable(
        _STYLES,
        np.array([[[0.36, 0.05, 0.59]], [[0.60, 0.29, 0.11]], [[0.73, 0.02, 0.25]], [[0.87, 0.07, 0.06]]]),
        {"source": "Baker 2010 table 4.3", "hands": 100_000},
    ),
    "limit": ActionTable(
        _STYLES,
        np.array([[[0.03, 0.07, 0.90]], [[0.01, 0.94, 0.05]], [[0.25, 0.55, 0.20]], [[0.25, 0.70, 0.05]]]),
        {"source": "Baker 2010 table 7.1", "hands": 10_000},
    ),
}
"""The source's tables, pooled over streets. Of its table by street (7.2) LA's first rows are lost in our copy."""


def measure_shipped(styles: Sequence[Player], game: Game, hands: int = 1_000_000, folder: Path = FOLDER) -> Path:
    """Measure the table of one game that comes with the house and write its file."""
    table = measure_action_table(styles, game, hands, seed=2010)
    made = {"how": {**table.how, "made by": "nemesis.measure.action_frequency.measure_shipped"}}
    path = folder / file_name(game.name, game.seats)
    lines = (f" {json.dumps(name)}: {json.dumps(value)}" for name, value in (table.to_json() | made).items())
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    return path
