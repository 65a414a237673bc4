"""The hypercube: which cell decides, who is credited with what, and what it refuses."""

from pathlib import Path

import numpy as np
import pytest

import nemesis
from nemesis.measure.epochs import play_epochs
from nemesis.observe.event import ACTS, ENDS, Event, new_events
from nemesis.observe.view import View, new_view
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.betting_curves import LARGEST
from nemesis.respond.champion import ChampionError, save_champion
from nemesis.respond.hypercube import BETS, POSITIONS, STREETS, Hypercube, hypercube
from nemesis.respond.hypercube_file import HypercubeFile
from nemesis.respond.hypercube_starts import tight_aggressive_genes
from nemesis.respond.populations import CANDIDATE_SIZE, CANDIDATES, CELL_SIZE, ITS, OF, PARENTS, USES
from nemesis.rules import games
from nemesis.rules.game import Game, GameError

FOLDS = [0.99, 0.99, 0.5, 0.5, 0.0, 0.0, 0.0]
"""fold(x) is 1 at x = .99 and steep, call is nothing, raise is 1 everywhere."""
RAISES = [0.0, 0.99, 0.5, 0.5, 0.0, 0.99, 0.99]
"""fold(x) falls from 1 at x = 0 and raise(x) grows from about 1 there."""


def cells(groups: int, genes: list[float]) -> np.ndarray:
    return np.broadcast_to(np.array(genes), (groups, POSITIONS, BETS, STREETS, CANDIDATES, 7)).copy()


def seen(
    position: int = 2,
    street: int = 0,
    to_call: int = 10,
    live: tuple[int, ...] = (0, 1, 2),
    seats: int = 3,
    me: int = 0,
) -> View:
    """A view of seat 0, which holds a hand that beats half of all hands."""
    view = new_view()
    view["me"], view["seats"], view["position"], view["street"] = me, seats, position, street
    view["button"] = (me + seats - 1 - position) % seats
    view["to_call"], view["min_to"], view["max_to"], view["win"] = to_call, 20, 20, 0.5
    view["bet"], view["pot"], view["opponents"] = to_call, 15, len(live) - 1
    view["live"][0, list(live)] = 1
    view["chance"] = 0.5
    return View(view)


def action(player: Hypercube, view: View) -> str:
    return {0: "fold", 1: "call"}.get(player.act(view), "raise")


@pytest.mark.parametrize(
    ("position", "street", "to_call", "cell"),
    [
        (2, 0, 10, (0, 1, 0)),  # opens: under the gun
        (9, 0, 0, (2, 0, 0)),  # the button has seen seven others act
        (1, 0, 30, (2, 3, 0)),  # the big blind acts last
        (0, 1, 0, (0, 0, 1)),  # the small blind opens later rounds
        (9, 3, 40, (2, 2, 3)),  # on the river a bet is 20
        (4, 2, 5, (1, 1, 2)),  # part of a bet counts as one
        (2, 0, 50, (0, 3, 0)),  # more than three bets are three
    ],
)
def test_position_bets_and_street_choose_the_cell(
    position: int, street: int, to_call: int, cell: tuple[int, int, int]
) -> None:
    genes = cells(1, FOLDS)
    genes[0, *cell] = RAISES
    player = hypercube(games.ring(), genes, by="together", learning=False)
    view = seen(position, street, to_call, tuple(range(10)), 10)
    assert action(player, view) == "raise"
    genes[0, *cell] = FOLDS
    assert action(hypercube(games.ring(), genes, by="together", learning=False), view) == ("call", "fold")[to_call > 0]


def test_who_folded_in_an_earlier_round_does_not_count_for_the_position() -> None:
    """The middle one of three on the flop; had the first folded before the flop, it would be the first of two."""
    genes = cells(1, FOLDS)
    genes[0, 1, 0, 1] = RAISES
    player = hypercube(games.ring(), genes, by="together", learning=False)
    middle = seen(4, 1, 0, (0, 3, 7), 10)
    assert action(player, middle) == "raise"
    folds = new_events()
    folds["kind"], folds["seat"], folds["street"], folds["me"] = ACTS, 7, 0, 0
    player.watch(Event(folds))
    assert action(player, seen(4, 1, 0, (0, 3), 10)) != "raise"
    folds["street"] = 1
    player.watch(Event(folds))
    assert action(player, seen(4, 1, 0, (0, 3), 10)) == "raise"


def test_the_tightest_answer_of_those_still_in_is_played() -> None:
    genes = cells(3, RAISES)
    genes[2] = FOLDS
    player = hypercube(games.ring().seated(3), genes, by="seat", learning=False)
    assert action(player, seen(live=(0, 1, 2))) == "fold"
    assert action(player, seen(live=(0, 1))) == "raise"
    assert action(player, seen(live=(0, 2), to_call=0)) == "call"


def ended(payoffs: tuple[int, ...]) -> Event:
    event = new_events()
    event["kind"], event["seat"], event["me"], event["payoff"] = ENDS, -1, 0, payoffs[0]
    event["payoffs"][0, : len(payoffs)] = payoffs
    return Event(event)


def credits(player: Hypercube, group: int) -> np.ndarray:
    """Chips credited to every candidate of the group's cell before the flop, early, one bet to call."""
    blocks = player._blocks(None).reshape(-1, CELL_SIZE)
    cell = blocks[group * POSITIONS * BETS * STREETS + STREETS]
    chips: np.ndarray = cell[OF.candidates :].reshape(CANDIDATES, CANDIDATE_SIZE)[:, ITS.chips]
    return chips


def test_chips_are_credited_to_those_who_agreed_by_whom_they_came_from() -> None:
    """We won 30: seat 1 lost 10, seat 2 lost 20. Half of its candidates would have folded."""
    genes = cells(3, RAISES)
    genes[1, ..., PARENTS:, :] = FOLDS
    player = hypercube(games.ring().seated(3), genes, by="seat", alone=0)
    assert action(player, seen()) == "raise"
    player.watch(ended((30, -10, -20)))
    assert credits(player, 1).tolist() == pytest.approx([10 / PARENTS] * PARENTS + [0] * PARENTS)
    assert credits(player, 2).tolist() == pytest.approx([20 / CANDIDATES] * CANDIDATES)
    assert credits(player, 0).tolist() == [0] * CANDIDATES


def test_what_was_lost_is_credited_to_the_winner_alone() -> None:
    player = hypercube(games.ring().seated(3), cells(3, RAISES), by="seat", alone=0)
    player.act(seen())
    player.watch(ended((-40, -40, 80)))
    assert credits(player, 1).sum() == 0
    assert credits(player, 2).sum() == pytest.approx(-40)


def test_a_group_that_decides_alone_does_not_ask_the_others() -> None:
    """Seat 2 wants to fold whatever seat 1 says; only where seat 1 leads is its raise played."""
    genes = cells(3, RAISES)
    genes[2] = FOLDS
    player = hypercube(games.ring().seated(3), genes, by="seat", alone=1)
    taken = set()
    for hand in range(20):
        view = seen()
        view.record["hand"], view.record["chance"] = hand, hand / 20
        taken.add(action(player, view))
    assert taken == {"fold", "raise"}


def test_a_generation_keeps_the_better_half() -> None:
    """The first half folds, the second raises and wins 10 in each of its hands: only raisers stay, and their children."""
    genes = cells(1, FOLDS)
    genes[..., PARENTS:, :] = RAISES
    player = hypercube(games.ring().seated(3), genes, by="together")
    for hand in range(CANDIDATES * USES):
        view = seen()
        view.record["hand"] = hand
        won = 10 if action(player, view) == "raise" else 0
        event = ended((won, -won, 0))
        event.record["hand"] = hand
        player.watch(event)
    kept = player.genes()[0, 0, 1, 0]
    assert player.generations()[0, 0, 1, 0] == 1
    assert (kept[:PARENTS] == RAISES).all()
    assert not (kept[PARENTS:] == RAISES).all()
    assert np.abs(kept[PARENTS:] - RAISES).max() < 0.3
    assert ((kept >= 0) & (kept <= LARGEST)).all()
    assert (player.genes()[0, 1] == genes[0, 1]).all()


@pytest.fixture
def table() -> Game:
    return games.ring().seated(4)


def play(game: Game, player: CompiledAgent, hands: int) -> np.ndarray:
    others = [nemesis.agent(name, game) for name in ("la", "tp", "lp")]
    compiled = [agent for agent in others if isinstance(agent, CompiledAgent)]
    memory: np.ndarray = play_epochs(game, [player, *compiled], 1, hands=hands, seed=5).memories[0]
    return memory


def test_it_learns_while_it_plays_unless_it_is_frozen(table: Game) -> None:
    start = tight_aggressive_genes(4)
    learning, frozen = (hypercube(table, start, learning=learning) for learning in (True, False))
    learned = learning.genes(play(table, learning, 3000))
    assert learning.generations(play(table, learning, 3000)).sum() > 0
    assert (learned != start).any()
    assert (frozen.genes(play(table, frozen, 300)) == start).all()


def test_a_champion_file_plays_what_was_learned(table: Game, tmp_path: Path) -> None:
    start = hypercube(table, tight_aggressive_genes(4))
    memory = play(table, start, 3000)
    for learning in (True, False):
        told, genes = HypercubeFile.champion(start, memory, learning)
        path = tmp_path / f"{learning}.json"
        save_champion(path, "me", told, genes, {"command": "by hand"})
        again = nemesis.agent(str(path), table)
        assert isinstance(again, Hypercube)
        kept = CANDIDATES if learning else PARENTS
        assert np.allclose(again.genes()[..., :kept, :], start.genes(memory)[..., :kept, :], atol=1e-4)


@pytest.mark.parametrize("game", [games.no_limit(), games.one_card(), games.leduc()])
def test_a_game_without_cells_is_refused(game: Game) -> None:
    for name in ("hypercube-a", "hypercube-random"):
        with pytest.raises(GameError, match=f"{name} has cells for limit hold'em; {game.name} is another game"):
            nemesis.agent(name, game)


def test_cells_by_seat_fit_only_their_number_of_seats(tmp_path: Path) -> None:
    path = tmp_path / "four.json"
    told, genes = HypercubeFile.champion(four := hypercube(games.ring().seated(4), cells(4, RAISES), by="seat"),
                                         four.memory, False)  # fmt: skip
    save_champion(path, "four", told, genes, {"command": "by hand"})
    assert nemesis.agent(str(path), games.ring().seated(4)).name == "four"
    with pytest.raises(
        ChampionError, match="four has cells for the opponents at a table of 4 seats and none for ring of 10"
    ):
        nemesis.agent(str(path), games.ring())


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("hypercube-a:by_seat=2", "by_seat of a hypercube is 0 or 1, not 2"),
        ("hypercube-a:learning=0.5", "learning of a hypercube is 0 or 1, not 0.5"),
        ("hypercube-random:seed=-1", "a whole number from 0 on, not -1"),
    ],
)
def test_impossible_parameters_are_refused(name: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        nemesis.agent(name, games.ring())


def test_impossible_genes_are_refused() -> None:
    with pytest.raises(ValueError, match=r"lie between 0 and 0\.99"):
        hypercube(games.ring(), cells(4, [1.0] * 7))
    with pytest.raises(ValueError, match="needs genes of shape"):
        hypercube(games.ring(), cells(3, RAISES))
