"""Evolution: a run is a line that grows; click a generation to meet its best, see its network think, and duel it."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Mapping
from functools import partial
from typing import Any

from nicegui import ui

from nemesis.lab.background import jobs
from nemesis.lab.best_panel import BestPanel
from nemesis.lab.evolve_work import GAMES, GENERATIONS, POPULATION, RUNS, options
from nemesis.lab.fields import choice, number
from nemesis.lab.folder import inside
from nemesis.lab.frame import Frame, button, drawn, empty, heading, note, sure_button, tell, told
from nemesis.lab.generation_curves import fitness_chart, growth_chart, score_rows
from nemesis.lab.jobs import Job, State
from nemesis.lab.progress import JobLine, on_place
from nemesis.lab.runs import Run, all_runs, run_named
from nemesis.measure.result import counted
from nemesis.runtime.limits import SEED
from nemesis.train.recipes import RECIPES

USUAL: dict[str, Any] = {"recipe": "neat-la", "generations": 40, "population": 40, "games": 50, "seed": 0, "run": None}
STATE_WORDS = {
    State.WAITING: "waits for its turn",
    State.RUNNING: "running",
    State.PAUSED: "paused",
    State.STOPPED: "stopped",
    State.FINISHED: "finished",
    State.FAILED: "failed",
}


def build(frame: Frame) -> None:
    """The page: recipes and runs on the left, the chosen run's curve and networks, what its best is worth on the right."""
    _Evolution(frame).show()


class _Evolution:
    """What one visitor looks at."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        kept = frame.visitor.get("evolution", {})
        self.settings = {key: kept.get(key, usual) for key, usual in USUAL.items()}
        if self.settings["recipe"] not in RECIPES:
            self.settings["recipe"] = USUAL["recipe"]
        self.run: Run | None = None
        self.drawn_at: object = None
        self.rows: dict[str, JobLine] = {}
        self.listed: set[str] | None = None  # the names in the list

    def show(self) -> None:
        """Put everything in its place."""
        with self.frame.left:
            heading("Evolve a player", "A recipe joins a game, a kind of player, a learner and whom it must beat.")
            choice("recipe", list(RECIPES), self.settings["recipe"], self._choose_recipe, typed=True)
            self.recipe_note = note("")
            with ui.element("div").classes("pair"):
                self.sizes = {
                    key: number(label, self.settings[key], self._setter(key), least=limit.least, most=limit.most)
                    for key, label, limit in (
                        ("generations", "generations", GENERATIONS),
                        ("population", "population", POPULATION),
                        ("games", "games each", GAMES),
                    )
                }
                number("seed", self.settings["seed"], self._setter("seed"), least=0, most=SEED.most)
            with ui.element("div").classes("row-line"):
                button("Start", self._start, kind="main", key="s", says="Start this evolution")
                button("As published", self._published, says="Take the recipe's own scale")
            heading("Runs")
            self.list = ui.element("div").classes("stack")
        with self.frame.centre:
            self.centre = ui.element("div").classes("stack")
        with self.frame.right:
            self.right = ui.element("div").classes("stack")
        self._describe_recipe()
        self._fill()
        wanted = self.frame.query.get("run") or self.settings["run"]
        names = self._names()
        self._choose(wanted if wanted in names else next(iter(names), None))
        ui.timer(1.0, self._tick)

    # choosing

    def _setter(self, key: str) -> Any:
        def chosen(value: Any) -> None:
            self.settings[key] = int(value)
            self._keep()

        return chosen

    def _keep(self) -> None:
        self.frame.visitor["evolution"] = dict(self.settings)

    def _choose_recipe(self, name: str) -> None:
        self.settings["recipe"] = name
        self._keep()
        self._describe_recipe()

    def _describe_recipe(self) -> None:
        recipe = RECIPES[self.settings["recipe"]]
        self.recipe_note.text = (
            f"{recipe.about}. As published: {recipe.school.generations} generations of {recipe.learner.population}, "
            f"{recipe.school.games} games at {counted(len(set(recipe.school.tables)), 'table')}."
        )

    def _published(self) -> None:
        recipe = RECIPES[self.settings["recipe"]]
        for key, value in (
            ("generations", recipe.school.generations),
            ("population", recipe.learner.population),
            ("games", recipe.school.games),
        ):
            self.settings[key] = value
            self.sizes[key].value = value
        self._keep()

    def _start(self) -> None:
        s = self.settings
        with told():
            asked = options(s["recipe"], s["seed"], s["generations"], s["population"], s["games"])
            name = jobs().add("evolve", RECIPES[s["recipe"]].about, asked, stem=s["recipe"])
            jobs().tend()
            self._fill()
            self._choose(name)

    def _names(self) -> dict[str, Job | None]:
        """Runs and jobs by name, the newest first."""
        found: dict[str, Job | None] = {job.name: job for job in jobs().all() if job.kind == "evolve"}
        return found | {name: None for name in all_runs() if name not in found}

    def _fill(self) -> None:
        """The list of runs; rows that are there are only brought up to date."""
        names = self._names()
        if set(names) != self.listed:
            self.list.clear()
            self.rows, self.listed = {}, set(names)
            with self.list:
                if not names:
                    note("None yet. Press Start: the line begins to grow within seconds, and goes on if you leave.")
                for name in names:
                    self.rows[name] = JobLine(name, partial(self._choose, name))
        for name, job in names.items():
            self.rows[name].update(job, chosen=name == self.settings["run"])

    def _choose(self, name: str | None) -> None:
        self.settings["run"] = name
        self._keep()
        self.run, self.drawn_at, self.best = None, None, BestPanel(lambda: int(self.settings["seed"]))
        self.centre.clear()
        self.right.clear()
        self._fill()
        if name is None:
            with self.centre:
                empty(
                    "No run yet",
                    "Choose a recipe on the left and press Start. A run is a line that grows: the best, the mean and the "
                    "worst of every generation. It runs in a process of its own and goes on when you close the page.",
                    do="Start a first run", on_click=self._start,
                )  # fmt: skip
            with self.right:
                heading("What you will see")
                note(
                    "Every generation is a point of the line, and its best is measured on deals that no generation plays."
                )
                note("Click a point to meet that generation's best: its network is drawn, and thinks about hands.")
                note("A finished run has a champion. Duel it from here, or choose it as an opponent at the Table.")
            return
        with self.centre:
            self._show_run(name)
        with self.right:
            self._show_best()
        with self.centre:
            ui.timer(0.01, self._tick, once=True)

    # the chosen run

    def _show_run(self, name: str) -> None:
        with ui.element("div").classes("row-line"):
            ui.label(name).classes("big")
            self.state = ui.label().classes("chip")
            ui.space()
            self.buttons = {
                "pause": button("Pause", lambda: self._do("pause"), key="p", says="End its process; it goes on later"),
                "resume": button("Resume", lambda: self._do("resume"), key="r", says="Go on from the last checkpoint"),
                "stop": button("Stop", lambda: self._do("stop"), says="Stop it; what it found stays"),
                "finish": button("Crown now", self._finish, says="Stop here and choose the champion on fresh deals"),
                "remove": sure_button("Remove", self._remove, says="Remove this run from the list and the disk"),
            }
        self.told = note("")
        with ui.element("div").classes("panel"):
            self.chart = drawn()
            on_place(self.chart, self._meet_at)
            self.growth = drawn()
            note("Fitness on the generation's own deals; orange is its best on deals that no generation plays, which "
                 "choose nothing. Click the curve to meet that generation's best, or step through them.")  # fmt: skip
            with ui.element("div").classes("row-line"):
                button("‹ earlier", lambda: self._meet_by(-1), kind="small", key="←", says="The generation before")
                button("later ›", lambda: self._meet_by(1), kind="small", key="→", says="The next generation")
        self.best.show_network()

    def _show_best(self) -> None:
        heading("On fresh deals", "The champion is chosen on deals that no generation saw, and scored on others again.")
        self.scores = drawn()
        self.score_note = note("")
        self.best.show_duel()

    async def _tick(self) -> None:
        self._fill()
        name = self.settings["run"]
        if name is None:
            return
        job = self._names().get(name)
        self._tell_state(job)
        if self.run is None:
            try:
                self.run = run_named(name)
            except ValueError:
                self.told.text = self.told.text or "Its process is starting; the first generation follows."
                return
        if self.run.changed != self.drawn_at:
            self.drawn_at = self.run.changed
            await self._draw(self.run)

    def _tell_state(self, job: Job | None) -> None:
        state = job.state if job else None
        self.state.text = STATE_WORDS[state] if state else "not started from here"
        self.state.classes(replace=f"chip {state or ''}")
        line = f"{job.done:,} of {job.total:,} generations · {job.line}" if job and job.total else ""
        if state is State.FINISHED and job:
            line = f"{job.total:,} generations; the champion was chosen on fresh deals"
        self.told.text = " · ".join(filter(None, [line, *(job.told if job else ())]))
        shown = {
            "pause": state is State.RUNNING or state is State.WAITING,
            "stop": state in (State.RUNNING, State.WAITING, State.PAUSED),
            "resume": state in (State.PAUSED, State.STOPPED, State.FAILED),
            "finish": state in (State.RUNNING, State.PAUSED, State.STOPPED, State.FAILED),
            "remove": state not in (State.RUNNING, State.WAITING),
        }
        for key, made in self.buttons.items():
            made.set_visibility(shown[key])

    async def _draw(self, run: Run) -> None:
        curve, score = run.curve(), run.score()
        unit = run.recipe.school.unit
        goal = max(run.recipe.school.generations, len(curve))
        self.chart.content = fitness_chart(curve, run.fresh(), self.best.generation, goal, unit)
        self.growth.content = growth_chart(curve, goal)
        self.frame.say("seed", f"seed {run.seed}")
        self._tell_score(score, unit)
        if curve and self.best.outdated(run):
            await self.best.meet(run, None)

    def _tell_score(self, score: Mapping[str, Any] | None, unit: str) -> None:
        if score is None:
            self.scores.content = ""
            self.score_note.text = "The champion's score stands here when the run has ended."
            return
        self.scores.content, behind = score_rows(score, unit)
        self.score_note.text = f"{behind} a table, 95 % intervals."

    # actions on the run

    async def _do(self, what: str) -> None:
        with told():
            getattr(jobs(), what)(self.settings["run"])
            jobs().tend()
            await self._tick()

    async def _finish(self) -> None:
        name = self.settings["run"]
        with told():
            if jobs().job(name).state is State.RUNNING:
                jobs().pause(name)
                for _ in range(100):
                    if jobs().job(name).state is not State.RUNNING:
                        break
                    await asyncio.sleep(0.1)
            reached = len(self.run.curve()) if self.run else 0
            if reached == 0:
                tell("no generation has been played yet")
                return
            jobs().resume(name, {"generations": reached})
            jobs().tend()
            await self._tick()

    def _remove(self) -> None:
        name = self.settings["run"]
        with told():
            if self._names().get(name) is not None:
                jobs().forget(name)
            shutil.rmtree(inside(RUNS, name), ignore_errors=True)
            self._choose(next(iter(self._names()), None))

    # the best of a generation

    async def _meet_at(self, share: float) -> None:
        if self.run is None:
            return
        played = len(self.run.curve())
        goal = max(self.run.recipe.school.generations, played)
        wanted = round(share * max(1, goal - 1))
        if 0 <= wanted < played:
            await self.best.meet(self.run, wanted)
            await self._draw(self.run)

    async def _meet_by(self, step: int) -> None:
        if self.run is not None and (played := len(self.run.curve())):
            at = played - 1 if self.best.generation is None else self.best.generation + step
            await self.best.meet(self.run, max(0, min(played - 1, at)))
            await self._draw(self.run)
