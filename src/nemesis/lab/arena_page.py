"""Arena: choose who meets whom, and the matrix fills while you wait; then how the first of them learns the others."""

from __future__ import annotations

from functools import partial
from typing import Any

from nicegui import ui

from nemesis.lab.arena_work import (
    HANDS,
    LENGTH,
    MATCHES,
    Cell,
    Contest,
    cells,
    read_curves,
)
from nemesis.lab.background import jobs
from nemesis.lab.contest_tables import adaptation_chart, contest_csv, contest_matrix, contest_tables
from nemesis.lab.fields import choice, number, switch
from nemesis.lab.frame import Frame, button, drawn, empty, heading, note, sure_button, tell, told
from nemesis.lab.jobs import Job, State
from nemesis.lab.opponents import check_opponent, opponents
from nemesis.lab.progress import JobLine
from nemesis.lab.shapes.figures import whisker_rows
from nemesis.lab.shapes.heat import heat_map
from nemesis.measure.matrix import draw_matrix
from nemesis.names import GAMES
from nemesis.rules.by_name import game
from nemesis.runtime.limits import SEED

GROUPS = {
    "four styles": ("limit", ("la", "lp", "ta", "tp")),
    "styles and who beats them": ("limit", ("la", "lp", "ta", "tp", "anti-la", "anti-lp", "anti-ta", "anti-tp")),
    "learners at limit": ("limit", ("limit-belief", "analysis", "la", "lp", "ta", "tp")),
    "no-limit table": ("no-limit", ("ashe-a4", "hm", "cm", "sl", "cs", "nl-la", "nl-lp", "nl-tp", "nl-ta")),
}
USUAL: dict[str, Any] = {
    "game": "limit", "players": ["analysis", "la", "lp", "ta", "tp"], "hands": 20_000, "seed": 0, "curves": True,
    "matches": 40, "length": 500, "contest": None,
}  # fmt: skip


def build(frame: Frame) -> None:
    """The page: who plays on the left, the matrix and the curves, one row of it on the right."""
    _Arena(frame).show()


class _Arena:
    """What one visitor looks at."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        kept = frame.visitor.get("arena", {})
        self.settings = {key: kept.get(key, usual) for key, usual in USUAL.items()}
        self.rows: dict[str, JobLine] = {}
        self.listed: set[str] | None = None  # the names in the list
        self.row = 0
        self.drawn_at: object = None

    def show(self) -> None:
        """Put everything in its place."""
        s = self.settings
        with self.frame.left:
            heading("Everybody against everybody", "Heads-up, the same deals with seats swapped, so that luck cancels.")
            choice("take a group", ["", *GROUPS], "", self._take)
            self.game = choice("game", list(GAMES), s["game"], self._setter("game"))
            known = opponents()
            s["players"] = [name for name in s["players"] if name in known] or list(USUAL["players"])
            self.players = ui.select(known, label="agents", value=s["players"], multiple=True, with_input=True)
            self.players.props("outlined dense options-dense use-chips behavior=menu")
            self.players.on_value_change(lambda event: self._setter("players")(list(event.value or [])))
            with ui.element("div").classes("pair"):
                number("hands a pair", s["hands"], self._whole("hands"), least=HANDS.least, most=HANDS.most)
                number("seed", s["seed"], self._whole("seed"), least=0, most=SEED.most)
            switch("adaptation curves of the first agent", s["curves"], self._setter("curves"))
            with ui.element("div").classes("pair"):
                number("matches", s["matches"], self._whole("matches"), least=MATCHES.least, most=MATCHES.most)
                number("hands a match", s["length"], self._whole("length"), least=LENGTH.least, most=LENGTH.most)
            button("Play", self._start, kind="main", key="s", says="Play this contest")
            heading("Contests")
            self.list = ui.element("div").classes("stack")
        with self.frame.centre:
            self.centre = ui.element("div").classes("stack")
        with self.frame.right:
            self.right = ui.element("div").classes("stack")
        self._fill()
        names = [job.name for job in self._jobs()]
        wanted = self.frame.query.get("contest") or s["contest"]
        self._choose(wanted if wanted in names else next(iter(names), None))
        ui.timer(0.7, self._tick)

    # choosing

    def _setter(self, key: str) -> Any:
        def chosen(value: Any) -> None:
            self.settings[key] = value
            self.frame.visitor["arena"] = dict(self.settings)

        return chosen

    def _whole(self, key: str) -> Any:
        chosen = self._setter(key)
        return lambda value: chosen(int(value))

    def _take(self, name: str) -> None:
        if name in GROUPS:
            self.game.value, self.players.value = GROUPS[name][0], list(GROUPS[name][1])

    def _start(self) -> None:
        s = self.settings
        with told():
            for name in s["players"]:
                check_opponent(name)
            contest = Contest(
                tuple(s["players"]), s["game"], s["hands"], s["seed"], s["matches"] if s["curves"] else 0, s["length"]
            )
            name = jobs().add("arena", f"{len(contest.players)} at {contest.game}", contest.to_json())
            jobs().tend()
            self._fill()
            self._choose(name)

    def _jobs(self) -> list[Job]:
        return [job for job in jobs().all() if job.kind == "arena"]

    def _fill(self) -> None:
        found = self._jobs()
        if {job.name for job in found} != self.listed:
            self.list.clear()
            self.rows, self.listed = {}, {job.name for job in found}
            with self.list:
                if not found:
                    note("None yet. Choose agents and press Play.")
                for job in found:
                    self.rows[job.name] = JobLine(f"{job.name}: {job.title}", partial(self._choose, job.name))
        for job in found:
            self.rows[job.name].update(job, chosen=job.name == self.settings["contest"])

    def _choose(self, name: str | None) -> None:
        self._setter("contest")(name)
        self.drawn_at, self.row = None, 0
        self.centre.clear()
        self.right.clear()
        if name is None:
            with self.centre:
                empty(
                    "No contest yet",
                    "Take a group or choose agents on the left, then press Play. The matrix fills cell by cell, and goes on "
                    "when you close the page.",
                    do="Play a first contest", on_click=self._start,
                )  # fmt: skip
            with self.right:
                heading("What you will see")
                note("A heat map of what everybody takes from everybody, each cell with its 95 % interval.")
                note("Below it, how the first agent's earnings change over the hands of a match: whether it learns.")
            return
        job = jobs().job(name)
        self.contest = Contest(**job.options)
        with self.centre:
            with ui.element("div").classes("row-line"):
                ui.label(job.title).classes("big")
                self.state = ui.label().classes("chip")
                ui.space()
                self.stop = button("Stop", lambda: self._do("stop"), says="Stop playing; what was played stays")
                self.resume = button("Resume", lambda: self._do("resume"), key="r", says="Play what is missing")
                button("CSV", self._csv, key="c", says="Download the matrix and the curves as CSV")
                button("PNG", self._png, key="i", says="Download the matrix as a picture")
                self.remove = sure_button("Remove", self._remove, says="Remove this contest and what it played")
            self.told = note("")
            self.map = drawn(classes="panel scroll")
            self.curve_panel = ui.element("div").classes("panel")
            with self.curve_panel:
                about = (
                    f"What it takes in consecutive stretches of a match of {self.contest.length:,} hands; the band is "
                    f"the 95 % interval over {self.contest.matches:,} matches."
                )
                heading(f"How {self.contest.players[0]} learns", about)
                self.curves = drawn()
        with self.right:
            heading("One of them against all", "Dots are means, whiskers 95 % intervals.")
            names = dict(enumerate(self.contest.players))
            choice("whose row", names, 0, self._set_row)
            self.figures = drawn()
            self.row_note = note("")
        self._tick()

    def _set_row(self, row: int) -> None:
        self.row, self.drawn_at = row, None
        self._tick()

    # the chosen contest

    def _do(self, what: str) -> None:
        with told():
            getattr(jobs(), what)(self.settings["contest"])
            jobs().tend()
            self._tick()

    def _remove(self) -> None:
        with told():
            jobs().forget(self.settings["contest"])
            self._fill()
            self._choose(next(iter(self.rows), None))

    def _tick(self) -> None:
        self._fill()
        name = self.settings["contest"]
        if name is None or name not in self.rows:
            return
        job = jobs().job(name)
        self.state.text = str(job.state)
        self.state.classes(replace=f"chip {job.state}")
        at = f"{job.done:,} of {job.total:,}: {job.line}" if job.active and job.total else ""
        self.told.text = " · ".join(filter(None, [at, *job.told]))
        self.stop.set_visibility(job.active)
        self.resume.set_visibility(job.state in (State.STOPPED, State.PAUSED, State.FAILED))
        self.remove.set_visibility(not job.active)
        found, curves = cells(job.folder), read_curves(job.folder)
        if (len(found), len(curves)) != self.drawn_at:
            self.drawn_at = (len(found), len(curves))
            self._draw(found, curves)

    def _draw(self, found: list[Cell], curves: list[dict[str, Any]]) -> None:
        contest = self.contest
        unit = game(contest.game, 2).unit[0]
        means, margins = contest_tables(contest, found)
        self.map.content = heat_map(contest.players, contest.players, means, margins, unit=unit)
        rows = [
            (other, (mean, mean - (margin or 0.0), mean + (margin or 0.0)), f"{contest.hands:,} hands")
            for other, mean, margin in zip(contest.players, means[self.row], margins[self.row], strict=True)
            if mean is not None
        ]
        self.figures.content = whisker_rows(rows, width=300, unit=unit)
        self.row_note.text = f"{contest.hands:,} hands a pair, seed {contest.seed}." if rows else "Nothing played yet."
        self.curve_panel.set_visibility(bool(contest.matches))
        self.curves.content = adaptation_chart(contest, curves) if curves else ""
        self.frame.say("seed", f"seed {contest.seed}")

    def _csv(self) -> None:
        job = jobs().job(self.settings["contest"])
        ui.download.content(contest_csv(self.contest, cells(job.folder), read_curves(job.folder)), f"{job.name}.csv")

    def _png(self) -> None:
        job = jobs().job(self.settings["contest"])
        found = cells(job.folder)
        if len(found) < len(self.contest.pairs):
            tell("the picture can be had when every pair has been played")
            return
        with told():
            path = job.folder / "matrix.png"
            draw_matrix(contest_matrix(self.contest, found), path)
            ui.download.content(path.read_bytes(), f"{job.name}.png")
