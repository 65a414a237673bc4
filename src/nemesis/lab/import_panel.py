"""Imports of hand histories, on the left of the page: dropped files, the lab's folder or a sample, with their progress."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from nemesis.lab.background import jobs
from nemesis.lab.folder import inside, lab_folder
from nemesis.lab.frame import Frame, button, heading, note, tell, told
from nemesis.lab.import_work import HISTORIES, SAMPLE
from nemesis.lab.jobs import Job, State
from nemesis.lab.progress import JobLine
from nemesis.lab.uploads import MOST_BYTES, Parcel
from nemesis.measure.result import counted
from nemesis.observe.importing import SUFFIXES

MOST_LISTED = 6
_QUIET_SECONDS = 1.2


class ImportPanel:
    """Where hands come in; `imported` is called when some have come."""

    def __init__(self, frame: Frame, imported: Callable[[], Awaitable[None]]) -> None:
        self.frame, self.imported = frame, imported
        self.parcel = Parcel()
        self.rows: dict[str, tuple[JobLine, ui.label]] = {}

    def show(self) -> None:
        """Put everything where we are."""
        heading("Import hands", "PHH, the rooms' own texts, ACPC logs, PRF. A hand twice is one hand.")
        self.upload = (
            ui.upload(
                multiple=True, auto_upload=True, label="Drop files anywhere", max_file_size=MOST_BYTES,
                on_upload=self._received,
                on_rejected=lambda: tell(f"only files that end in {', '.join(SUFFIXES)}, up to {MOST_BYTES:,} bytes"),
            )
            .props(f'accept="{",".join(SUFFIXES)}" flat')
            .classes("drop")
        )  # fmt: skip
        with ui.element("div").classes("row-line"):
            pick = button("Choose files", key="o", says="Choose files to import")
            pick.on("click", js_handler=f"() => getElement({self.upload.id}).pickFiles()")
            button("Import folder", self._import_folder, says="Import what lies in the lab's folder of histories")
        note(f"Or put folders of histories into {lab_folder() / HISTORIES} and press Import folder.")
        self.list = ui.element("div").classes("stack")
        self.clear = button(
            "Clear this list", self._forget, kind="bare small", says="Take finished imports off the list"
        )
        self.finished = {job.name for job in _imports() if not job.active}
        self._draw()
        ui.timer(1.0, self._tick)

    def sample(self) -> None:
        """Import hands that six of our agents play."""
        self._start("hands of six agents", SAMPLE)

    async def _received(self, event: Any) -> None:
        parcel = self.parcel
        with told():
            await parcel.add(event.file.name, event.file)
            here = parcel.files
            self.frame.say("upload", f"{counted(here, 'file')} received")

            def start() -> None:
                if parcel.files == here and parcel is self.parcel:  # nothing came in the meantime
                    self.parcel = Parcel()
                    self.frame.say("upload", "")
                    self._start(counted(here, "dropped file"), parcel.place)
                    self.upload.reset()

            ui.timer(_QUIET_SECONDS, start, once=True)

    def _import_folder(self) -> None:
        with told():
            folder = inside(HISTORIES)
            folder.mkdir(exist_ok=True)
            if not any(path.suffix.lower() in SUFFIXES for path in folder.rglob("*")):
                raise ValueError(f"there are no hand histories in {folder} yet; copy files or folders into it first")
            self._start("the folder of histories", HISTORIES)

    def _start(self, title: str, place: str) -> None:
        with told():
            jobs().add("import", title, {"from": place, "game": None})
            jobs().tend()
            self._draw()

    def _forget(self) -> None:
        with told():
            for job in _imports():
                if not job.active:
                    jobs().forget(job.name)
            self._draw()

    def _draw(self) -> None:
        found = _imports()[:MOST_LISTED]
        if {job.name for job in found} != set(self.rows):
            self.list.clear()
            with self.list:
                self.rows = {job.name: (JobLine(job.title, lambda: None), note("")) for job in found}
        self.clear.set_visibility(any(not job.active for job in found))
        for job in found:
            line, words = self.rows[job.name]
            line.update(job)
            words.text = import_words(job)

    async def _tick(self) -> None:
        self._draw()
        ended = {job.name for job in _imports() if job.state is State.FINISHED}
        if ended - self.finished:
            self.finished |= ended
            await self.imported()


def _imports() -> list[Job]:
    return [job for job in jobs().all() if job.kind == "import"]


def import_words(job: Job) -> str:
    """How an import stands, or what it brought."""
    if job.state is State.FINISHED and isinstance(job.result, dict):
        done = job.result
        parts = [f"{done['hands']:,} new hands", f"{done['known']:,} known already"]
        if done["rejected"]:
            first = done["aside"][0] if done["aside"] else None
            why = f": {first['file']}, line {first['line']}: {first['reason']}" if first else ""
            parts.append(f"{done['rejected']:,} set aside{why}")
        if done["skipped"]:
            parts.append(f"{done['skipped']:,} files unchanged")
        return ", ".join(parts)
    return " · ".join(filter(None, [job.line, *job.told]))
