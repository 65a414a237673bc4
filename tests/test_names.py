"""What names stand for, and what happens when they stand for nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import nemesis
from nemesis import names
from nemesis.believe.style_belief import StyleBelief
from nemesis.observe.event import Event
from nemesis.observe.view import View
from nemesis.play.recording import record_match
from nemesis.respond import by_name
from nemesis.rules.acpc import write_game
from nemesis.rules.cards import parse_cards
from nemesis.studies.study import study_named


class Believing(nemesis.Agent):
    """Calls, and tells a belief what it hears."""

    facts = ()

    def __init__(self, belief: StyleBelief) -> None:
        self.belief = belief

    def act(self, view: View) -> int:
        return 1

    def watch(self, event: Event) -> None:
        self.belief.watch(event)


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
        assert nemesis.game(name).about
    for name, about in by_name.agents().items():
        assert about, name


def test_an_acpc_definition_is_played_as_written(tmp_path: Path) -> None:
    path = tmp_path / "three.game"
    path.write_text(THREE)
    game = nemesis.game(str(path), 3)
    assert game.stacks == (1000, 2000, 3000)
    assert game.blinds == (5, 10, 20)
    assert nemesis.game(str(path), 2).seats == 2


def test_games_round_trip_through_a_file(tmp_path: Path) -> None:
    path = tmp_path / "no-limit.game"
    path.write_text(write_game(nemesis.game("no-limit")))
    assert nemesis.game(str(path)).stacks == nemesis.game("no-limit").stacks


def test_a_compiled_agent_of_a_users_file_can_be_loaded_again_in_another_process(tmp_path: Path) -> None:
    """Also from a copy in another folder: the cache of kernels cannot tell them apart."""
    text = (
        "from nemesis.respond.agent import ACT, CompiledAgent\n"
        "from nemesis.runtime.compiled import njit\n"
        "@njit(ACT)\n"
        "def _calls(view, memory, chance):\n    return 1\n"
        "def caller():\n    return CompiledAgent('caller', _calls, facts=())\n"
    )
    for folder in ("here", "here", "there"):
        mine = tmp_path / folder / "mine.py"
        mine.parent.mkdir(exist_ok=True)
        mine.write_text(text)
        code = f"import nemesis; nemesis.duel({str(mine) + ':caller'!r}, 'call', game='kuhn', hands=50)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-500:]


def test_objects_with_only_an_act_can_sit_down() -> None:
    class Bare:
        def act(self, view: object) -> int:
            return 1

    assert nemesis.duel(Bare(), "call", game="kuhn", hands=50).players == ("Bare", "call")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"is a class; pass an agent made from it, Bare\(\)"):
        nemesis.duel(Bare, "call", game="kuhn", hands=50)  # type: ignore[arg-type]


def test_an_object_with_a_watch_is_told_of_events() -> None:
    class Listener:
        def __init__(self) -> None:
            self.seats: list[int] = []
            self.told: list[str] = []

        def sit(self, game: object, seat: int) -> None:
            self.seats.append(seat)

        def act(self, view: object) -> int:
            return 1

        def watch(self, event: Event) -> None:
            self.told.append(event.name)

    listener = Listener()
    nemesis.duel(listener, "call", game="kuhn", hands=2)  # type: ignore[arg-type]
    assert listener.seats == [0, 1]
    assert listener.told == 2 * ["starts", "acts", "acts", "shows", "shows", "ends"]


def test_every_line_of_the_registry_leads_somewhere() -> None:
    tables = (names.GAMES, names.AGENTS, names.PATTERNS, names.BELIEFS, names.PLAYER_KINDS, names.STUDIES)
    for table in tables:
        for spec in table.values():
            assert names.resolve(spec) is not None


def test_a_study_is_called_by_its_name() -> None:
    for name in names.STUDIES:
        assert study_named(name).name == name


def test_listing_compiles_nothing(tmp_path: Path) -> None:
    """What lists names works on an empty cache and leaves it empty."""
    for listing in (["games"], ["agents"], ["evolve", "list"], ["study", "list"]):
        subprocess.run(
            [sys.executable, "-m", "nemesis.cli", *listing],
            check=True,
            capture_output=True,
            env={**os.environ, "NEMESIS_CACHE": str(tmp_path)},
        )
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.parametrize("name", names.BELIEFS)
@pytest.mark.parametrize("game", ["one-card", "limit", "no-limit-6"])
def test_every_belief_learns_from_a_table_and_stays_a_probability(name: str, game: str) -> None:
    table = nemesis.game(game)
    belief = names.find("belief", name, names.BELIEFS)(table)
    listener = Believing(belief)
    record_match(table, [listener, *(nemesis.agent("tp", table) for _ in range(table.seats - 1))], 30, seed=1)
    for seat in range(1, table.seats):
        believed = dict(zip(belief.table.styles, belief.posterior(seat), strict=True))
        assert sum(believed.values()) == pytest.approx(1)
        assert max(believed.values()) > 0.3


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
