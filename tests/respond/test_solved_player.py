"""The player of a solved strategy: it follows the hand, translates bets that are not on the menu, and refuses bad files."""

import pickle
from pathlib import Path

import numpy as np
import pytest

import nemesis
from nemesis.observe.view import new_view
from nemesis.play.match import play_lineups
from nemesis.respond.agent import Agent, Uncompiled
from nemesis.respond.solved_player import SolvedPlayer, neighbours
from nemesis.respond.strategy_file import Strategy, StrategyError, quantised, read_strategy, save_strategy
from nemesis.rules.buckets import CLASSES, Clusters, cluster, hole_classes
from nemesis.rules.menu_tree import Menu, grow_menu
from nemesis.solve.abstract_game import AbstractGame
from nemesis.solve.solving import Run

NO_LIMIT = nemesis.game("no-limit")
MENU = Menu.same((0.5, 1.0), (1.0,), ())


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A strategy of few buckets, hardly trained."""
    game = AbstractGame(NO_LIMIT, MENU, cluster((4, 4, 6)))
    solution = Run(game, epoch=2000).train(deals=10_000)
    path = tmp_path_factory.mktemp("solved") / "few.npz"
    assert game.clusters is not None
    shares = quantised(game.average(solution.sums), game.widths)
    save_strategy(path, Strategy(NO_LIMIT, MENU, game.clusters, shares, {"deals": 10_000}))
    return path


def chips(agents: list[Agent], hands: int = 300) -> list[int]:
    return play_lineups(NO_LIMIT, agents, np.array([[0, 1]]), np.array([0]), hands=hands, seed=1).won[0].tolist()


@pytest.mark.parametrize("rival", ["random", "hm", "nl-la", "cs", "raise"])
def test_it_plays_whoever_bets_whatever_and_the_same_from_python(file: Path, rival: str) -> None:
    player, other = nemesis.agent(str(file), NO_LIMIT), nemesis.agent(rival, NO_LIMIT)
    won = chips([player, other])
    assert sum(won) == 0
    assert isinstance(player, SolvedPlayer)
    assert chips([Uncompiled(player), other]) == won


def test_it_travels_to_other_processes_by_its_file(file: Path) -> None:
    player = SolvedPlayer("few", NO_LIMIT, file)
    again = pickle.loads(pickle.dumps(player))
    other = nemesis.agent("nl-ta", NO_LIMIT)
    assert chips([again, other]) == chips([player, other])


def facing(bet: int, pot: int, behind: int) -> np.void:
    """The view of a bet on the flop into a pot, with so many chips left to the opponent."""
    view = new_view()
    view["street"], view["streets"], view["to_call"], view["pot"] = 1, 4, bet, pot + bet
    view["stack"] = behind + bet
    view["chips"][0, 1] = behind
    return view[0]


def translations(bet: int, pot: int, behind: int) -> dict[str, float]:
    """How often a bet of the first to act on a limped flop is taken for a check, and for each size on the menu."""
    tree = grow_menu(NO_LIMIT, MENU)
    flop = next(node for node in range(len(tree.nodes)) if tree.line(node) == "cc/")
    found: dict[str, float] = {}
    below, above, share = neighbours(facing(bet, pot, behind), tree.nodes, flop, True)
    for node, part in ((below, share), (above, 1.0 - share)):
        if part > 0.0:
            line = tree.line(int(node))
            found[line] = found.get(line, 0.0) + part
    return found


def test_a_bet_on_the_menu_is_itself() -> None:
    assert translations(200, 200, 19_000) == {"cc/r1": pytest.approx(1)}
    assert translations(100, 200, 19_000) == {"cc/r0.5": pytest.approx(1)}
    assert translations(19_900, 200, 0) == {"cc/rA": pytest.approx(1)}


def test_a_bet_between_two_sizes_is_mapped_pseudo_harmonically() -> None:
    """Ganzfried and Sandholm (2013): A has the probability (B - x)(1 + A) / ((B - A)(1 + x))."""
    assert translations(150, 200, 19_000)["cc/r0.5"] == pytest.approx((1 - 0.75) * 1.5 / (0.5 * 1.75), abs=2e-3)
    tiny = translations(20, 200, 19_000)
    assert tiny == {"cc/c": pytest.approx(0.4 / (0.5 * 1.1), abs=2e-3), "cc/r0.5": pytest.approx(0.2727, abs=2e-3)}
    most = (1000 + 18_900) / 200
    over = translations(1000, 200, 18_900)
    assert over["cc/r1"] == pytest.approx((most - 5) * 2 / ((most - 1) * 6), abs=2e-3)
    assert over["cc/rA"] == pytest.approx(1 - over["cc/r1"], abs=1e-9)


def test_bytes_add_up_and_small_probabilities_are_dropped() -> None:
    shares = quantised(np.array([0.5, 0.49, 0.01, 1 / 3, 1 / 3, 1 / 3, 1.0], np.float32), np.array([3, 3, 1]))
    assert shares[:3].sum() == shares[3:6].sum() == shares[6] == 255
    assert shares[2] == 0


def test_buckets_before_the_flop_are_the_169_kinds_of_holding() -> None:
    classes = hole_classes()
    assert sorted(np.unique(np.bincount(classes, minlength=CLASSES))) == [4, 6, 12]


def test_a_strategy_is_for_one_game(file: Path) -> None:
    with pytest.raises(
        StrategyError, match=r"does not play limit: its strategy was solved for no-limit with stacks of 20,000"
    ):
        nemesis.agent(str(file), nemesis.game("limit"))
    with pytest.raises(StrategyError, match="does not play no-limit"):
        nemesis.agent(str(file), nemesis.game("no-limit", stack=5000))


def test_a_damaged_file_is_refused(file: Path, tmp_path: Path) -> None:
    whole = file.read_bytes()
    cut = tmp_path / "cut.npz"
    cut.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StrategyError, match="not a strategy file, or it is cut short"):
        nemesis.agent(str(cut), NO_LIMIT)
    edited = read_strategy(file)
    with np.load(file) as archive:
        arrays = {name: archive[name] for name in archive.files}
    arrays["shares"] = arrays["shares"][::-1].copy()
    np.savez(tmp_path / "edited.npz", **arrays)
    with pytest.raises(StrategyError, match="changed after it was saved"):
        read_strategy(tmp_path / "edited.npz")
    save_strategy(
        tmp_path / "other.npz",
        Strategy(NO_LIMIT, Menu.same((1.0,)), Clusters(edited.clusters.centres), edited.shares, {}),
    )
    with pytest.raises(StrategyError, match="its tree has"):
        nemesis.agent(str(tmp_path / "other.npz"), NO_LIMIT)
    with pytest.raises(StrategyError, match="cannot be read"):
        nemesis.agent(str(tmp_path / "missing.npz"), NO_LIMIT)
