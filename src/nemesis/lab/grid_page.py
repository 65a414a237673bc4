"""Grid: a chase, with the belief as bars and as heat on the water (system S1)."""

from __future__ import annotations

import asyncio
from typing import Any

from nicegui import ui

from nemesis.believe.grid_belief import RECOGNISERS
from nemesis.lab.fields import choice, number, slider, switch
from nemesis.lab.frame import Frame, button, drawn, heading, note, relabel, told
from nemesis.lab.shapes.figures import belief_bars, whisker_rows
from nemesis.lab.shapes.sea import belief_at, sea_picture
from nemesis.measure.grid_recognition import outcome_shares
from nemesis.play.grid_pursuit import ANY_GOAL, OUTCOMES, STEERING, Pursuits, pursue
from nemesis.respond.grid_interceptor import MANNERS
from nemesis.rules.grid_map import GridMap, read_map, shipped_maps
from nemesis.runtime.limits import SEED

SPEEDS = {0.5: "slow", 0.25: "steady", 0.1: "fast", 0.05: "faster"}
COUNTED = 5_000
USUAL: dict[str, Any] = {
    "map": "halmoids", "noise": 0.1, "goal": "any", "steering": "directions", "manner": "cut-off", "any_way": False,
    "seed": 1, "heat": True, "speed": 0.25, "recogniser": "directions",
}  # fmt: skip
STEERS = {
    "directions": "directions, the source's",
    "cost": "cost difference",
    "ideal": "ideal: knows the noise",
    "told": "told the goal",
    "blind": "blind: guesses once",
}


def build(frame: Frame) -> None:
    """The page: the map in the middle, what is believed beside it."""
    _Chase(frame).show()


class _Chase:
    """One visitor's pursuit and where its animation stands."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        kept = frame.visitor.get("grid", {})
        self.settings = {key: kept.get(key, usual) for key, usual in USUAL.items()}
        self.round = 0
        self.world: GridMap
        self.found: Pursuits | None = None

    def show(self) -> None:
        """Put everything in its place and start."""
        with self.frame.left:
            heading(
                "The chase",
                "A ship sails for one of the goals. Another watches its moves, guesses which, and cuts it off.",
            )
            maps = shipped_maps()
            choice("map", list(maps), self.settings["map"], lambda v: self._set("map", v))
            slider(
                "noise: share of random moves", 0.01, 1.0, 0.01, self.settings["noise"], lambda v: self._set("noise", v)
            )
            self.goal = choice("the runner's goal", ["any"], "any", lambda v: self._set("goal", v))
            choice("who steers the interceptor", STEERS, self.settings["steering"], lambda v: self._set("steering", v))
            choice("how", list(MANNERS), self.settings["manner"], lambda v: self._set("manner", v))
            switch("runners take any shortest way", self.settings["any_way"], lambda v: self._set("any_way", v))
            number("seed", self.settings["seed"], lambda v: self._set("seed", int(v or 0)), least=0, most=SEED.most)
            button("Another chase", self._another, kind="main", key="n")
        with self.frame.centre:
            self.title = ui.label("The ships set sail … the first time they are compiled, which takes up to a minute.")
            self.title.classes("big").props("role=heading aria-level=1")
            self.sea = drawn(classes="sea panel")
            with ui.element("div").classes("row-line"):
                self.play = button("Pause", self._toggle, key="space")
                button("Step", lambda: self._step(1), key="→", says="One round on")
                button("Back", lambda: self._step(-1), key="←", says="One round back")
                button("From the start", self._restart, key="r")
                choice("speed", SPEEDS, self.settings["speed"], self._pace).classes("narrow")
                switch("heat on the water", self.settings["heat"], lambda v: self._set("heat", v, again=False))
            self.scrub = ui.slider(min=0, max=1, value=0, on_change=lambda e: self._jump(e.value)).props(
                "aria-label=round"
            )
        with self.frame.right:
            heading("What is believed", "Bayes after every move, from a uniform prior.")
            choice(
                "recogniser",
                list(RECOGNISERS),
                self.settings["recogniser"],
                lambda v: self._set("recogniser", v, again=False),
            )
            self.beliefs = drawn()
            heading("Over many chases", f"The same settings, {COUNTED:,} pursuits from the next seed on.")
            self.counts = drawn()
            note("Dots are shares of runners, whiskers their 95 % intervals.")
        self.timer = ui.timer(self.settings["speed"], self._tick, active=False)
        ui.timer(0.01, self._new_world, once=True)

    async def _set(self, key: str, value: Any, again: bool = True) -> None:
        if self.settings[key] == value:
            return
        self.settings[key] = value
        self.frame.visitor["grid"] = dict(self.settings)
        if key == "map":
            self.settings["goal"] = "any"
        if again:
            await self._new_world()
        else:
            self._draw()

    async def _pace(self, seconds: float) -> None:
        self.timer.interval = seconds
        await self._set("speed", seconds, again=False)

    async def _another(self) -> None:
        self.settings["seed"] = (int(self.settings["seed"]) + 1) % 10**9
        self.frame.visitor["grid"] = dict(self.settings)
        await self._new_world()

    async def _new_world(self) -> None:
        """Pursue with these settings and start the animation again."""
        with told():
            s = self.settings
            self.world = read_map(shipped_maps()[s["map"]])
            self.goal.set_options(["any", *self.world.marks], value=s["goal"])
            self.frame.say("seed", f"seed {s['seed']}")
            asked, seed = self._asked(), int(s["seed"])
            self.found = await asyncio.to_thread(lambda: pursue(self.world, traced=True, seed=seed, **asked))
            self.scrub.props(f"max={self._last}")
            self._restart()
            self._count_soon()

    def _asked(self) -> dict[str, Any]:
        s = self.settings
        goal = ANY_GOAL if s["goal"] == "any" else self.world.marks.index(s["goal"])
        return {
            "noise": s["noise"],
            "steering": s["steering"],
            "manner": s["manner"],
            "any_way": s["any_way"],
            "goal": goal,
        }

    def _count_soon(self) -> None:
        world, asked, seed = self.world, self._asked(), int(self.settings["seed"]) + 1

        async def count() -> None:
            many = await asyncio.to_thread(lambda: pursue(world, COUNTED, seed=seed, **asked))
            shares = outcome_shares(many.outcomes)
            rows = [(name, (mean, low, high), f"{COUNTED:,} pursuits") for name, (mean, (low, high)) in shares.items()]
            self.counts.content = whisker_rows(
                rows, width=298, with_sign=False, span=(0.0, 1.0), colours=OUTCOME_COLOURS
            )

        ui.timer(0.05, count, once=True)

    @property
    def _last(self) -> int:
        return 0 if self.found is None else int(self.found.moves[0].max())

    def _toggle(self) -> None:
        if not self.timer.active and self.round >= self._last:
            self.round = 0
        self._run(not self.timer.active)

    def _run(self, on: bool) -> None:
        self.timer.active = on
        relabel(self.play, "Pause" if on else "Play")

    def _restart(self) -> None:
        self.round = 0
        self._run(True)
        self._draw()

    def _step(self, by: int) -> None:
        self._run(False)
        self._jump(self.round + by)

    def _jump(self, to: Any) -> None:
        if not isinstance(to, (int, float)):
            return
        to = max(0, min(self._last, int(to)))
        if to != self.round:
            self.round = to
            self._draw()

    def _tick(self) -> None:
        if self.round >= self._last:
            self._run(False)
            return
        self.round += 1
        self._draw()

    def _draw(self) -> None:
        if (found := self.found) is None:
            return
        s = self.settings
        self.sea.content = sea_picture(self.world, found, s["recogniser"], self.round, heat=s["heat"])
        self.scrub.value = self.round
        pictures = []
        for runner in range(len(self.world.runners)):
            belief = belief_at(found, s["recogniser"], runner, self.round)
            last = min(self.round, int(found.moves[0, runner]))
            trail = [belief_at(found, s["recogniser"], runner, move) for move in range(last + 1)]
            names = [f"goal {mark}" for mark in self.world.marks]
            if len(self.world.runners) > 1:
                pictures.append(f'<div class="note">runner {runner + 1}</div>')
            pictures.append(belief_bars(names, belief, trail, width=298))
        self.beliefs.content = "".join(pictures)
        self.title.text = self._told(found)

    def _told(self, found: Pursuits) -> str:
        parts = []
        for runner, moves in enumerate(found.moves[0].tolist()):
            name = "The runner" if len(self.world.runners) == 1 else f"Runner {runner + 1}"
            goal = self.world.marks[found.goals[0, runner]]
            if self.round < moves:
                parts.append(f"{name} sails for a goal")
            else:
                end = OUTCOMES[found.outcomes[0, runner]]
                parts.append(
                    f"{name}, bound for {goal}, was {end}"
                    if end == "intercepted"
                    else f"{name}, bound for {goal}: {end}"
                )
        return f"{'; '.join(parts)} · round {self.round} of {self._last}"


OUTCOME_COLOURS = {"at sea": "var(--fold)", "arrived": "var(--ta)", "intercepted": "var(--green)"}
assert set(STEERS) == set(STEERING)
