"""What names stand for, and what happens when they stand for nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

import nemesis
from nemesis import names
from nemesis.rules.acpc import write_game
from nemesis.rules.cards import parse_cards

ROOT = Path(__file__).parent.parent
THREE = """GAMEDEF
nolimit
numPlayers = 3
numRounds = 4
stack = 1000 2000 3000
blind = 5 10 20
firstPlayer = 1 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""


def test_every_registered_name_can_be_made() -> None:
    for name in names.GAMES:
        assert names.game(name).about
    for name, about in names.agents().items():
        assert about, name


def test_an_acpc_definition_is_played_as_written(tmp_path: Path) -> None:
    path = tmp_path / "three.game"
    path.write_text(THREE)
    game = names.game(str(path), 3)
    assert game.stacks == (1000, 2000, 3000)
    assert game.blinds == (5, 10, 20)
    assert names.game(str(path), 2).seats == 2


def test_games_round_trip_through_a_file(tmp_path: Path) -> None:
    path = tmp_path / "no-limit.game"
    path.write_text(write_game(names.game("no-limit")))
    assert names.game(str(path)).stacks == names.game("no-limit").stacks


def test_a_compiled_agent_of_a_users_file_can_be_loaded_again_in_another_process(tmp_path: Path) -> None:
    """Numba's cache remembers modules by name, so a file's module must have the same name every time."""
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from nemesis.respond.agent import ACT, CompiledAgent\n"
        "from nemesis.runtime.compiled import njit\n"
        "@njit(ACT)\n"
        "def _call(view, memory, chance):\n    return 1\n"
        "def caller():\n    return CompiledAgent('caller', _call, facts=())\n"
    )
    code = (
        f"import nemesis; print(nemesis.duel({str(mine) + ':caller'!r}, 'call', game='kuhn', hands=50).scores[0].mean)"
    )
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-500:]


def test_objects_with_only_an_act_can_sit_down() -> None:
    class Bare:
        def act(self, view: object) -> int:
            return 1

    assert nemesis.duel(Bare(), "call", game="kuhn", hands=50).players == ("Bare", "call")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"is a class; pass an agent made from it, Bare\(\)"):
        nemesis.duel(Bare, "call", game="kuhn", hands=50)  # type: ignore[arg-type]


def test_equity_takes_text_and_numbers() -> None:
    assert nemesis.equity("AsKs", "7h8h9h2c3d") == nemesis.equity(parse_cards("AsKs"), parse_cards("7h8h9h2c3d"))


def test_a_fact_that_was_not_dealt_cannot_be_read_unnoticed() -> None:
    class Curious(nemesis.Agent):
        name = "curious"
        facts = ()

        def act(self, view: object) -> int:
            return int(view.win > 0.5)  # type: ignore[attr-defined]

    with pytest.raises(nemesis.AgentError, match="must list it in its `facts`"):
        nemesis.duel(Curious(), "call", game="limit", hands=50)
