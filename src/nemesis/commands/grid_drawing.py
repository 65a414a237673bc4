"""A pursuit drawn in the terminal: the map with its ships and their wakes, and what is believed, round by round."""

from __future__ import annotations

from rich.text import Text

from nemesis.believe.grid_belief import RECOGNISERS
from nemesis.play.grid_pursuit import OUTCOMES, Pursuits
from nemesis.rules.grid_map import ROCK, GridMap
from nemesis.rules.grid_paths import grid_paths
from nemesis.rules.grid_search import DIRECTIONS

BAR = 20
_RUNNER, _INTERCEPTOR, _GOAL, _QUIET = "bold yellow", "bold green", "bold cyan", "dim"


class Drawing:
    """One traced pursuit."""

    def __init__(self, world: GridMap, found: Pursuits, recogniser: str, columns: int = 100) -> None:
        """`columns` is the width there is; a map too wide for cells two columns wide gets narrower ones."""
        self.world = world
        self.found = found
        self.recogniser = recogniser
        self.paths = grid_paths(world)
        self.gap = " " if 2 * world.width <= columns else ""
        self.rounds = int(found.moves[0].max())

    def frame(self, round_: int) -> Text:
        """The map after a round, and below it the belief about every runner."""
        text = self.map(round_)
        for runner in range(len(self.world.runners)):
            text.append("\n")
            text.append(self.belief_bars(runner, round_))
        return text

    def map(self, round_: int) -> Text:
        """The map after a round: ships, wakes, goals and rocks."""
        marks: dict[tuple[int, int], tuple[str, str]] = {}
        for sign, style, cells in (
            ("+", _INTERCEPTOR, self.found.interceptors[0]),
            ("*", _RUNNER, self.found.runners[0]),
        ):
            for cell in cells[: round_ + 1].ravel():
                if cell >= 0:
                    marks[self.paths.place(cell)] = sign, style
        for mark, place in zip(self.world.marks, self.world.goals, strict=True):
            marks[place] = mark, _GOAL
        for sign, style, cells in (
            ("i", _INTERCEPTOR, self.found.interceptors[0]),
            ("r", _RUNNER, self.found.runners[0]),
        ):
            for ship in range(cells.shape[1]):
                there = cells[: round_ + 1, ship]
                marks[self.paths.place(there[there >= 0][-1])] = sign, style
        for runner, moves in enumerate(self.found.moves[0]):
            if OUTCOMES[self.found.outcomes[0, runner]] == "intercepted" and moves <= round_:
                marks[self.paths.place(self.found.runners[0, moves, runner])] = "X", "bold red"
        text = Text(no_wrap=True, overflow="crop")
        for row, line in enumerate(self.world.rows):
            for column, cell in enumerate(line):
                sign, style = marks.get((row, column), ("#" if cell == ROCK else ".", "" if cell == ROCK else _QUIET))
                text.append(sign + self.gap, style)
            text.append("\n")
        return text

    def belief_bars(self, runner: int, round_: int) -> Text:
        """What the recogniser believes about a runner's goal after a round, as bars."""
        move = min(round_, int(self.found.moves[0, runner]))
        ended = round_ >= self.found.moves[0, runner]
        state = OUTCOMES[self.found.outcomes[0, runner]] if ended else "at sea"
        text = Text(f"{self.title(runner)}, move {move}: {state}\n", "bold")
        true = int(self.found.goals[0, runner])
        for goal, belief in enumerate(self.belief(runner, move)):
            filled = round(belief * BAR)
            text.append(f"  goal {self.world.marks[goal]} ", _GOAL)
            text.append("#" * filled + "." * (BAR - filled), "" if goal == true else _QUIET)
            text.append(f" {belief:.3f}{'  its goal' if goal == true else ''}\n")
        return text

    def belief(self, runner: int, move: int) -> list[float]:
        """The posterior of each goal after a move."""
        posterior: list[float] = self.found.posteriors[0, move, RECOGNISERS[self.recogniser], runner].tolist()
        return posterior

    def title(self, runner: int) -> str:
        """What a runner is called."""
        return "runner" if len(self.world.runners) == 1 else f"runner {runner + 1}"

    def move_lines(self, runner: int) -> list[tuple[str, ...]]:
        """For every move of a runner: its number, direction and the belief after it."""
        cells = self.found.runners[0, :, runner]
        lines = []
        for move in range(1, int(self.found.moves[0, runner]) + 1):
            step = int(cells[move] - cells[move - 1])
            direction = [int(offset) for offset in self.paths.offsets].index(step)
            lines.append((str(move), DIRECTIONS[direction], *(f"{belief:.3f}" for belief in self.belief(runner, move))))
        return lines


def pursuit_json(world: GridMap, found: Pursuits) -> dict[str, object]:
    """A traced pursuit as plain data: every position and every belief."""
    paths = grid_paths(world)
    runners = []
    for runner in range(len(world.runners)):
        moves = int(found.moves[0, runner])
        runners.append(
            {
                "goal": world.marks[found.goals[0, runner]],
                "outcome": OUTCOMES[found.outcomes[0, runner]],
                "moves": moves,
                "way": [list(paths.place(cell)) for cell in found.runners[0, : moves + 1, runner]],
                "beliefs": {
                    name: found.posteriors[0, : moves + 1, index, runner].tolist()
                    for name, index in RECOGNISERS.items()
                },
                "recognised": {
                    name: int(found.settled[0, runner, index]) if found.settled[0, runner, index] > 0 else None
                    for name, index in RECOGNISERS.items()
                },
            }
        )
    rounds = int(found.moves[0].max())
    ways = [
        [list(paths.place(cell)) for cell in found.interceptors[0, : rounds + 1, ship] if cell >= 0]
        for ship in range(found.interceptors.shape[2])
    ]
    return {"rows": list(world.rows), "goals": list(world.marks), "runners": runners, "interceptors": ways}
