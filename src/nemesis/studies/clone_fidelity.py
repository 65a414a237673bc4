"""How faithful is a clone? Scored on the player's next hands, and by the numbers it plays (ours).

A clone knows its player's hands up to a point; the hands after it, none of which the shipped model was trained on, judge it.
Its log-loss stands beside that of a stranger (people in general) and of a model that goes on learning the player. Then it
plays at five seats among four clones of nobody in particular, and its numbers (VPIP to WTSD) are compared with the player's
own where five were dealt in: a number is reproduced if the difference is within what 95 % intervals of both allow.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.action_model import ActionModel, Timeline, as_ordered, digest, hand_digests, read_model, timeline
from nemesis.believe.known_player import KnownPlayer, anybody, decide, follow, player_after
from nemesis.measure.charts import draw_key, draw_title
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import BLUE, GREEN, GREY, INK, save_figure
from nemesis.measure.player_numbers import NUMBERS, Filter, Share, player_numbers
from nemesis.observe.hand_file import new_hand_file
from nemesis.observe.history import joined
from nemesis.observe.importing import import_files
from nemesis.observe.store import Store, open_store
from nemesis.observe.stored_hands import stored_history
from nemesis.play.match import Player
from nemesis.play.table import play_rounds
from nemesis.respond.clone import Clone
from nemesis.rules.games import no_limit_6
from nemesis.studies.ordering import ordering
from nemesis.studies.sample import Sampled, as_share, sampled_row
from nemesis.studies.stored_players import PLAYERS, StoredPlayer, people, players_with, told_of
from nemesis.studies.study import Report, Row, Setting, Study

SEATS = 5
"""Of the table at which clones play: the room's usual."""
STACK = 100
"""Big blinds that the clones sit down with, the room's usual."""
LEAST = 30
"""Opportunities of the player and of the clone below which a number is not compared, at full scale."""
CLONE, STRANGER, LEARNING = "clone, fixed", "people in general", "model that goes on learning"
_PICTURE = "clone-fidelity.png"


class _Judged(NamedTuple):
    """One player: mean losses by predictor, and how many decisions judged them."""

    losses: dict[str, float]
    decisions: int
    known: KnownPlayer
    """What the clone knew."""


def measure(setting: Setting) -> Report:
    """The players with the most hands that the shipped model has not seen."""
    players, hands = setting.choose(2, 20, 60), setting.choose(60, 300, 300)
    playing, played = setting.choose(1, 2, 6), setting.choose(30, 120, 400)
    model = read_model()
    judged: list[tuple[StoredPlayer, _Judged]] = []
    compared: list[dict[str, Any]] = []
    with people(setting) as store:
        for player in players_with(store, hands, players):
            if len(judged) == players:
                break
            setting.progress(f"player {len(judged) + 1} of {players}")
            found = _judge(store, player, model)
            if found is not None:
                judged.append((player, found))
        if len(judged) < 2:
            raise ValueError("fewer than 2 players of the store have hands that the shipped model has not seen")
        for number, (player, found) in enumerate(judged[:playing], 1):
            setting.progress(f"clone {number} of {playing} plays")
            compared += _numbers(
                store, player, found.known, played, setting.choose(5, LEAST, LEAST), setting.seed + number
            )
        data = told_of(store)
    rows = _rows([found for _, found in judged], compared)
    picture = {"losses": [found.losses for _, found in judged], "numbers": compared}
    about = {**data, "players": len(judged), "clones_that_played": min(playing, len(judged)), "hands_each": played}
    return Report(_verdict(rows, len(judged)), rows, {_PICTURE: picture}, "nats, shares", about)


def _judge(store: Store, player: StoredPlayer, model: ActionModel) -> _Judged | None:
    """Stop learning in the middle of the hands that the model has not seen, and judge by the rest of them."""
    line = timeline(joined(list(stored_history(store, player.name, player.room))))
    who = digest(player.room, player.name)
    fresh = np.flatnonzero(~np.isin(hand_digests(line.history), model.hands))
    if len(fresh) < 2:
        return None
    cut = int(fresh[len(fresh) // 2])
    known = player_after(model, as_ordered(line.history.part(np.arange(cut))), who)
    at = _own_after(line, who, cut, fresh)
    followed = follow(model, line, who)
    later = followed.hand >= cut
    if not len(at) or len(at) != int(later.sum()):
        return None
    rows, done = line.situations.rows[at], line.done[at].astype(np.int64)
    said = {
        CLONE: decide(known, rows).likely,
        STRANGER: decide(anybody(model), rows).likely,
        LEARNING: followed.likely[later],
    }
    losses = {name: float(-np.log(likely[np.arange(len(done)), done]).mean()) for name, likely in said.items()}
    return _Judged(losses, len(done), known)


def _own_after(line: Timeline, who: int, cut: int, fresh: NDArray[np.int64]) -> NDArray[np.int64]:
    hand = line.history.actions["hand"]
    return np.flatnonzero((line.player == np.uint64(who)) & (hand >= cut) & np.isin(hand, fresh))


def _numbers(
    store: Store, player: StoredPlayer, known: KnownPlayer, hands: int, least: int, seed: int
) -> list[dict[str, Any]]:
    """The clone's numbers beside the player's own."""
    game = no_limit_6()
    game = game.seated(SEATS, STACK * game.big_blind)
    clones = [Clone("clone", known), *(Clone(f"other {n}", anybody(known.model)) for n in range(1, SEATS))]
    seated = [Player(clone.name, _Same(clone)) for clone in clones]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "clones.phhs"
        with new_hand_file(file, game) as hand_file:
            play_rounds(seated, game, hands, seed=seed, match_hands=max(1, hands // SEATS), hand_file=hand_file)
        with open_store(Path(folder) / "clones.duckdb", writing=True) as opened:
            import_files(opened, [file])
            (theirs,) = player_numbers(opened, "clone")
    told = player_numbers(store, player.name, player.room, Filter(players=SEATS))
    if not told:
        return []
    own, found = told[0], []
    for number in NUMBERS:
        real, made = own.shares[number.name], theirs.shares[number.name]
        if min(real.of, made.of) >= least and number.name != "won_at_showdown":
            gap, allowed = _gap(real, made)
            found.append(
                {"player": player.name, "number": number.name, "title": number.title, "player_share": real.raw,
                 "clone_share": made.raw, "allowed": allowed, "within": abs(gap) <= allowed}
            )  # fmt: skip
    return found


class _Same:
    """Makes the agent that it was given, for one process."""

    def __init__(self, clone: Clone) -> None:
        self.clone = clone

    def __call__(self, game: Any) -> Clone:
        return self.clone


def _gap(real: Share, made: Share) -> tuple[float, float]:
    """The difference of two shares and how large 95 % of such differences are if both are the same."""
    one, other = real.made / real.of, made.made / made.of
    pooled = (real.made + made.made) / (real.of + made.of)
    return one - other, 1.96 * float(np.sqrt(pooled * (1 - pooled) * (1 / real.of + 1 / made.of)))


def _rows(judged: list[_Judged], compared: list[dict[str, Any]]) -> list[Row]:
    def over(values: Any) -> Sampled:
        return Sampled(*mean_interval(values), PLAYERS)

    gains = [each.losses[STRANGER] - each.losses[CLONE] for each in judged]
    missed = [each.losses[CLONE] - each.losses[LEARNING] for each in judged]
    within: dict[str, list[bool]] = {}
    for found in compared:
        within.setdefault(found["player"], []).append(found["within"])
    shares = [float(np.mean(each)) for each in within.values()]
    losses = [
        sampled_row(f"log-loss: {name}", over([each.losses[name] for each in judged]))
        for name in (CLONE, STRANGER, LEARNING)
    ]
    if not shares:
        raise ValueError(
            f"no player of the store has enough hands with {SEATS} dealt in to compare a clone's numbers with"
        )
    note = f"{len(compared)} numbers of {len(shares)} clones; 95 % if they were perfect"
    return [
        ordering("a clone predicts its player better than people in general do", "", over(gains)),
        *losses,
        sampled_row("what learning on would add", over(missed)),
        sampled_row("numbers reproduced within intervals", as_share(over(shares)), note=note),
    ]


def _verdict(rows: list[Row], players: int) -> str:
    told = {row.what: row.ours for row in rows}
    return (
        f"On the next hands of {players} players clones have log-loss {told[f'log-loss: {CLONE}']:.3f}, people in general "
        f"{told[f'log-loss: {STRANGER}']:.3f}; a model that goes on learning has {told[f'log-loss: {LEARNING}']:.3f}. "
        f"At a table of clones {told['numbers reproduced within intervals']:.0%} of their numbers agree with the player's "
        "own. The company differs from the player's, so some of the rest is not the clone's fault."
    )


def draw(numbers: Mapping[str, Any], path: Path) -> None:
    """Left the gain of each clone over people in general; right the clones' numbers against the players'."""
    with save_figure(path, (10, 4.6)) as figure:
        left, right = figure.subplots(1, 2)
        stranger = [each[STRANGER] for each in numbers["losses"]]
        clone = [each[CLONE] for each in numbers["losses"]]
        span = [min(stranger + clone) - 0.02, max(stranger + clone) + 0.02]
        left.plot(span, span, color=GREY, linewidth=1, label="no difference")
        left.plot(
            stranger, clone, "o", color=BLUE, markersize=4.5, label="a player: below the line the clone knows him"
        )
        left.set(xlabel="log-loss of people in general", ylabel="log-loss of the clone", xlim=span, ylim=span)
        right.plot([0, 100], [0, 100], color=GREY, linewidth=1)
        for within, colour, label in (
            (True, GREEN, "a number within intervals"),
            (False, INK, "a number that differs"),
        ):
            those = [each for each in numbers["numbers"] if each["within"] == within]
            shares = [[100 * each[kind] for each in those] for kind in ("player_share", "clone_share")]
            right.plot(*shares, "o", color=colour, markersize=4.5, label=label)
        right.set(xlabel="the player, per cent", ylabel="his clone, per cent", xlim=(0, 100), ylim=(0, 100))
        draw_title(figure, "How faithful clones are")
        draw_key(figure, left, right, columns=2)


STUDY = Study(
    "clone-fidelity",
    "How faithful clones of real players are",
    "ours",
    measure,
    {_PICTURE: draw},
)
