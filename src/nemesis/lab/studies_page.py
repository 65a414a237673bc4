"""Studies: every published figure beside ours, with its interval, its ceiling and a verdict; measured again from here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from nicegui import ui

from nemesis.lab.background import jobs
from nemesis.lab.fields import choice, number
from nemesis.lab.frame import Frame, button, drawn, empty, heading, note, tell, told
from nemesis.lab.jobs import Job, State
from nemesis.lab.reports import Found, documented_report, measured_report
from nemesis.lab.shapes.figures import whisker_rows
from nemesis.lab.study_work import REPORT, Measurement
from nemesis.names import STUDIES
from nemesis.studies.published_table import HEADINGS, table_lines, verdict_of
from nemesis.studies.study import SCALES, study_named
from nemesis.studies.study import number as short

FIRST = "ashe-table"
EVERY = "every figure"
MOST_DRAWN = 80
INTERVAL, VERDICT = 3, 4
GOOD, POOR = ("reproduced", "agrees", "holds", "above"), ("not reproduced", "does not hold", "below")


def build(frame: Frame) -> None:
    """The page."""
    _Page(frame).show()


class _Page:
    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        asked = frame.query.get("study") or frame.visitor.get("studies", {}).get("study", FIRST)
        self.name: str = asked if asked in STUDIES or asked == EVERY else FIRST
        self.scale = "smoke"
        self.seed = 0
        self.seen: tuple[Any, ...] = ()

    def show(self) -> None:
        """The list on the left, the report in the middle, running it on the right."""
        with self.frame.left:
            heading("Studies", "Each measures one published table or figure again.")
            find = ui.input(placeholder="find", on_change=lambda event: self._list(event.value or ""))
            find.props("outlined dense clearable")
            self.listed = ui.element("div").classes("study-list")
        with self.frame.centre:
            self.centre = ui.element("div").classes("stack")
        with self.frame.right:
            heading("Measure it here", "In a process of its own; it goes on when you leave this page.")
            choice("scale", list(SCALES), self.scale, lambda value: setattr(self, "scale", value))
            number("seed", 0, lambda value: setattr(self, "seed", int(value)), least=0, most=2**53)
            self.cost = note("")
            button("Measure", self._start, kind="main", key="n")
            self.jobs = ui.element("div").classes("stack")
        self._list("")
        self._choose(self.name)
        ui.timer(1.5, self._refresh)

    def _list(self, wanted: str) -> None:
        self.listed.clear()
        with self.listed:
            for name in (EVERY, *STUDIES):
                title = "All published figures in one table" if name == EVERY else study_named(name).title
                if wanted.lower() not in f"{name} {title}".lower():
                    continue
                row = (
                    ui.element("button").classes("list-row" + (" on" if name == self.name else "")).props("type=button")
                )
                row.on("click", lambda name=name: self._choose(name))
                with row:
                    ui.label(name).classes("list-name")
                    ui.label(title).classes("note")

    def _choose(self, name: str) -> None:
        self.name = name
        self.frame.visitor["studies"] = {"study": name}
        self._list("")
        self.centre.clear()
        with self.centre:
            if name == EVERY:
                self._show_every()
            else:
                self._show_study(name)
        self.cost.text = "" if name == EVERY else _cost(name)
        self._refresh(always=True)

    def _show_every(self) -> None:
        found = [report.content for name in STUDIES if (report := documented_report(name))]
        lines = table_lines(found)
        ui.label(f"Every published figure and ours: {len(lines):,} lines").classes("big")
        if not lines:
            empty("No reports are here", "The documentation's reports come with a clone of the sources.")
            return
        shown = ("report", "where", "what", "published", "ours", "95 % interval", "verdict")
        columns = [{"name": head, "label": head, "field": head, "sortable": True, "align": "left"} for head in shown]
        rows = [{"id": at, **dict(zip(HEADINGS, line, strict=True))} for at, line in enumerate(lines)]
        table = ui.table(columns=columns, rows=rows, row_key="id", pagination=25).classes("figures")
        table.props("flat dense wrap-cells")
        with table.add_slot("top-right"):
            ui.input(placeholder="filter").bind_value(table, "filter").props("outlined dense clearable")

    def _show_study(self, name: str) -> None:
        study = study_named(name)
        ui.label(study.title).classes("big").props("role=heading aria-level=1")
        note(f"{study.source}")
        report = documented_report(name)
        if report is None:
            empty("Nobody has measured this yet", "Choose a scale on the right and press Measure.")
        else:
            show_report(report)
        self.measured = ui.element("div").classes("stack")

    def _start(self) -> None:
        with told():
            if self.name == EVERY:
                raise ValueError("choose one study on the left; all of them at once would take days")
            asked = Measurement(self.name, self.scale, self.seed)
            jobs().add("study", f"{self.name}, {self.scale} scale", asked.to_json(), f"study-{self.name}")
            tell(f"{self.name} is being measured; its report appears below when it is done.")
            self._refresh(always=True)

    def _refresh(self, always: bool = False) -> None:
        """Show how the jobs of this study stand, if anything has changed."""
        mine = [job for job in jobs().all() if job.kind == "study" and job.options.get("study") == self.name]
        seen = tuple((job.name, job.state, job.line) for job in mine)
        if not always and seen == self.seen:
            return
        self.seen = seen
        self.jobs.clear()
        with self.jobs:
            for job in mine:
                self._show_job(job)
        if self.name != EVERY:
            self.measured.clear()
            with self.measured:
                for job in mine:
                    found = measured_report(job.folder / REPORT) if job.state is State.FINISHED else None
                    if found is not None:
                        ui.label(f"Measured here: {job.title}").classes("big")
                        show_report(found)

    def _show_job(self, job: Job) -> None:
        with ui.element("div").classes("panel"):
            ui.label(job.title).classes("heading")
            note(f"{job.state.value}" + (f": {job.line}" if job.line and job.active else ""))
            for sentence in job.told:
                note(sentence).classes("bad")
            if job.active:
                button("Stop", lambda: self._do(jobs().stop, job.name), kind="small")
            else:
                with ui.element("div").classes("row-line"):
                    if job.state is not State.FINISHED:
                        button("Go on", lambda: self._do(jobs().resume, job.name), kind="small")
                    button("Remove", lambda: self._do(jobs().forget, job.name), kind="small")

    def _do(self, what: Any, name: str) -> None:
        with told():
            what(name)
        self._refresh(always=True)


def _cost(name: str) -> str:
    full = study_named(name).full_cost
    return "Smoke shows that it works, quick takes a minute or a few" + (f", full takes {full}." if full else ".")


def show_report(report: Found) -> None:
    """Verdict, pictures, and all rows: drawn where they are figures, as a table with verdicts."""
    content = report.content
    with ui.element("div").classes("panel"):
        for paragraph in str(content["verdict"]).split("\n\n"):
            ui.label(paragraph)
        note(f"{content['scale']} scale, seed {content['seed']}; again with: {content['command']}")
    for picture in report.pictures:
        with ui.element("div").classes("panel paper"):
            shown = escape(str(content["title"]), quote=True)
            ui.image(picture).props(f'fit=contain no-transition alt="{shown}"').classes("picture")
    figures = [row for row in content["rows"] if row["kind"] == "figure"]
    claims = [row for row in content["rows"] if row["kind"] == "ordering"]
    if claims:
        with ui.element("div").classes("panel"):
            heading("What the source says")
            ui.html(_table(claims, "our difference", ceilings=False), sanitize=False).classes("scroll")
    if figures:
        with ui.element("div").classes("panel"):
            heading(
                "Figures", f"Dots are ours with 95 % intervals, diamonds published, dashes ceilings; {content['unit']}."
            )
            drawn(_drawn(figures, str(content["unit"])))
            with ui.expansion("as a table").props("dense").classes("as-table"):
                ui.html(_table(figures, "ours", ceilings=True), sanitize=False).classes("scroll")


def _drawn(rows: Iterable[Mapping[str, Any]], unit: str) -> str:
    shown = [row for row in rows if isinstance(row["ours"], (int, float))][:MOST_DRAWN]
    names = [str(row["what"]) for row in shown]
    figures = []
    for name, row in zip(names, shown, strict=True):
        low, high = row["ci95"] or (row["ours"], row["ours"])
        figures.append((name, (row["ours"], low, high), f"{row.get('sample', '')} {row['note']}"))
    published = {
        n: r["published"] for n, r in zip(names, shown, strict=True) if isinstance(r["published"], (int, float))
    }
    ceilings = {n: r["ceiling"] for n, r in zip(names, shown, strict=True) if r["ceiling"] is not None}
    room = min(330, 16 + round(6.7 * max((len(name) for name in names), default=10)))
    return whisker_rows(
        figures, width=660, unit=unit, ceilings=ceilings, published=published, with_sign=False, label=room
    )


def _table(rows: Iterable[Mapping[str, Any]], ours: str, *, ceilings: bool) -> str:
    head = ["", "published", ours, "95 % interval", "verdict", *(["ceiling"] if ceilings else []), "sample"]
    table: list[list[str]] = []
    looks = []
    for row in rows:
        interval = f"{short(row['ci95'][0])} … {short(row['ci95'][1])}" if row["ci95"] else ""
        published = row["published"] if isinstance(row["published"], str) else short(row["published"])
        verdict = verdict_of(row) if row["published"] not in (None, "") or row["kind"] == "ordering" else ""
        good = "good" if verdict.startswith(GOOD) else "bad" if verdict.startswith(POOR) else ""
        about = str(row["note"]).removeprefix(verdict).lstrip("; ")
        what = escape(str(row["what"])) + (f"<small>{escape(about)}</small>" if about else "")
        cells = [published or "", short(row["ours"]), interval, verdict]
        cells += [short(row["ceiling"])] if ceilings else []
        table.append([what, *(escape(str(cell or "")) for cell in (*cells, row.get("sample", "")))])
        looks.append(good)
    used = [at for at in range(len(head)) if any(cells[at] for cells in table)]
    samples = {cells[-1] for cells in table}
    if len(samples) == 1 and len(head) - 1 in used:  # said once
        used.remove(len(head) - 1)
        head[INTERVAL] += f" over {samples.pop()}"
    lines = ["".join(f"<th>{head[at]}</th>" for at in used)]
    for look, cells in zip(looks, table, strict=True):
        lines.append("".join(f'<td class="{look if at == VERDICT else ""}">{cells[at]}</td>' for at in used))
    return '<table class="numbers claims">' + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"
