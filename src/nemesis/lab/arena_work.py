"""Everybody against everybody as a job: every pair is written down when it is played, so that a page can show it.

After the matrix, if asked, come adaptation curves: what the first player takes from each of the others in consecutive
stretches of a match, over many matches. A job that was ended goes on with the pairs that are missing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from nemesis.lab.json_lines import add_line, whole_lines
from nemesis.runtime.limits import SEED, Limit

PAIRS = "pairs.jsonl"
CURVES = "curves.jsonl"
HANDS = Limit("hands for a pair", 100, 10_000_000)
MATCHES = Limit("matches of a curve", 2, 10_000)
LENGTH = Limit("the hands of a match", 10, 10_000)
PLAYERS = Limit("agents", 2, 24)
STRETCHES = 20


@dataclass(frozen=True)
class Contest:
    """What is played: everybody against everybody at a game, and curves of `matches` matches if there are any."""

    players: tuple[str, ...]
    game: str
    hands: int = 20_000
    seed: int = 0
    matches: int = 0
    length: int = 500

    def __post_init__(self) -> None:
        from nemesis.names import GAMES, unknown

        object.__setattr__(self, "players", tuple(self.players))
        PLAYERS.check(len(self.players))
        HANDS.check(self.hands)
        SEED.check(self.seed)
        LENGTH.check(self.length)
        if self.matches:
            MATCHES.check(self.matches)
        if self.game not in GAMES:
            raise unknown("game", self.game, GAMES)
        if len(set(self.players)) < len(self.players):
            raise ValueError("an agent is named twice; everybody meets everybody else once")

    def to_json(self) -> dict[str, Any]:
        """The options of the job."""
        return {**asdict(self), "players": list(self.players)}

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Who meets whom, in the order of play."""
        size = len(self.players)
        return [(row, column) for row in range(size) for column in range(row + 1, size)]


@dataclass(frozen=True)
class Cell:
    """What the row took from the column, with half the width of its 95 % interval."""

    row: int
    column: int
    mean: float
    margin: float
    hands: int


def play(chosen: dict[str, Any], folder: Path, tell: Callable[[int, int, str], None]) -> dict[str, Any]:
    """Play what is missing; returns the game's unit and how many hands were played."""
    import nemesis
    from nemesis.lab.agent_names import agent_path
    from nemesis.measure.adaptation import earnings_by_stretch
    from nemesis.measure.contest import measure_table
    from nemesis.measure.interval import mean_interval
    from nemesis.play.by_name import player
    from nemesis.respond.by_name import compiled_agent

    contest = Contest(**chosen)
    game = nemesis.game(contest.game, 2)
    named = [agent_path(name, folder.parent.parent) for name in contest.players]
    pairs = contest.pairs
    curves = [(0, other) for other in range(1, len(named))] if contest.matches else []
    total = len(pairs) + len(curves)
    done = {(cell.row, cell.column) for cell in cells(folder)}
    for at, (row, column) in enumerate(pairs):
        tell(at, total, f"{contest.players[row]} against {contest.players[column]}")
        if (row, column) in done:
            continue
        seated = [player(named[row]), player(named[column])]
        score = measure_table(seated, game, contest.hands, seed=contest.seed).scores[0]
        add_line(folder / PAIRS, asdict(Cell(row, column, score.mean, score.margin, contest.hands)))
    drawn = {curve["column"] for curve in read_curves(folder)}
    for at, (row, column) in enumerate(curves, len(pairs)):
        tell(at, total, f"{contest.players[row]} learns {contest.players[column]}")
        if column in drawn:
            continue
        ends = stretch_ends(contest.length)
        learner, opponent = (compiled_agent(named[place], game) for place in (row, column))
        rates = earnings_by_stretch(game, learner, opponent, ends, contest.matches, seed=contest.seed)
        points = [mean_interval(rates[:, stretch]) for stretch in range(len(ends))]
        add_line(
            folder / CURVES,
            {"row": row, "column": column, "ends": list(ends), "points": [[m, *ci] for m, ci in points]},
        )
    tell(total, total, "done")
    return {"unit": game.unit[0], "hands": len(pairs) * contest.hands}


def stretch_ends(length: int) -> Sequence[int]:
    """The hand numbers at which the stretches of a match end: narrow at first, where the learning is."""
    parts = min(STRETCHES, length)
    ends = {max(1, round(length * (part / parts) ** 1.6)) for part in range(1, parts + 1)}
    return sorted(ends)


def cells(folder: Path) -> list[Cell]:
    """What has been played so far."""
    return [Cell(**line) for line in whole_lines(folder / PAIRS)]


def read_curves(folder: Path) -> list[dict[str, Any]]:
    """The adaptation curves so far."""
    return whole_lines(folder / CURVES)
