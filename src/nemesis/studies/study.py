"""A study: one published table or figure, measured again, with what was published, an interval and a ceiling beside it.

A study is a short declaration: a name, what it is about, a function that measures at a scale and returns a `Report`,
and how its pictures are drawn. Running one writes `report.md` and `report.json` into a folder, and for every picture the
numbers in it, from which it is drawn and can be drawn again. `smoke` only shows that it works, `quick` takes a minute or
a few, `full` is the source's own scale or larger.

A finished player is measured on deals; what is said of an evolution has *runs* as its sample. Every row says which.
"""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from nemesis.names import STUDIES, find
from nemesis.play.workers import Workers
from nemesis.runtime.atomic import write_json, write_text

Scale = Literal["smoke", "quick", "full"]
SCALES: tuple[Scale, ...] = ("smoke", "quick", "full")

MOST_RUNS = 100

Draw = Callable[[Any, Path], None]
"""Draws a picture from plain data (what JSON can hold) into a file."""


@dataclass(frozen=True)
class RunCost:
    """One evolution that a study stands on: its recipe and size, its seed, and what it took, all its sessions together."""

    recipe: str
    size: str
    seed: int
    wall: float
    cpu: float


@dataclass(frozen=True)
class Setting:
    """How a study is to be run.

    `runs` is how many times everything that evolves is evolved, by the scale if not given. Finished runs are kept in
    `runs_in`, the study's folder if not given, and found there again. With `finished` nothing is evolved: the report is
    over those runs that are there. `made` collects the runs that were used.
    """

    scale: Scale
    seed: int
    workers: Workers
    folder: Path
    progress: Callable[[str], None] = lambda line: None
    study: str = ""
    runs: int | None = None
    runs_in: Path | None = None
    finished: bool = False
    made: list[RunCost] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.runs is not None and not 1 <= self.runs <= MOST_RUNS:
            raise ValueError(f"{self.runs} runs of each evolution is no sample; give from 1 to {MOST_RUNS}")

    @property
    def command(self) -> str:
        """What measures the same again."""
        runs = "" if self.runs is None else f" --runs {self.runs}"
        return f"nemesis study {self.study} --scale {self.scale} --seed {self.seed}{runs}"

    @property
    def evolutions(self) -> int:
        """How many times everything that evolves is evolved."""
        return self.runs or self.choose(2, 3, 5)

    @property
    def run_folder(self) -> Path:
        """Where runs are kept."""
        return self.runs_in or self.folder / "runs"

    def choose(self, smoke: int, quick: int, full: int) -> int:
        """The number that belongs to the scale."""
        return {"smoke": smoke, "quick": quick, "full": full}[self.scale]


@dataclass(frozen=True)
class Row:
    """One line of a comparison. `ours` comes with its 95 % interval; what does not exist is None.

    An `ordering` is a claim instead of a figure: `ours` is a difference that should be above 0 (see `studies.ordering`).
    `sample` is what the interval is over: `deals`, a number of runs (see `studies.sample`), or nothing if `exact`. `place`
    is where the published figure stands, which puts the row into the table of all published figures.
    """

    what: str
    ours: float
    ci95: tuple[float, float] | None = None
    published: float | str | None = None
    ceiling: float | None = None
    note: str = ""
    kind: Literal["figure", "ordering"] = "figure"
    sample: str = "deals"
    place: str = ""


@dataclass(frozen=True)
class Cost:
    """Seconds that measuring took, evolution included where it was done now; CPU time is the main process's."""

    wall: float
    cpu: float


@dataclass(frozen=True)
class Report:
    """What a study found: rows, the numbers of each picture by its file name, and one sentence."""

    verdict: str
    rows: Sequence[Row] = ()
    pictures: Mapping[str, Any] = field(default_factory=dict)
    unit: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    cost: Cost | None = None


@dataclass(frozen=True)
class Study:
    """One claim of the documents and how we measure it; `full_cost` is what full scale takes, where that is much."""

    name: str
    title: str
    source: str
    measure: Callable[[Setting], Report]
    pictures: Mapping[str, Draw] = field(default_factory=dict)
    full_cost: str = ""


def study_named(name: str) -> Study:
    """The registered study of that name."""
    found: Study = find("study", name, STUDIES, "nemesis study list shows them all")
    return found


def run_study(study: Study, setting: Setting) -> Report:
    """Measure, write report.md, report.json and the numbers of the pictures into the folder, and draw the pictures."""
    setting.made.clear()
    setting = dataclasses.replace(setting, study=study.name)
    setting.folder.mkdir(parents=True, exist_ok=True)
    wall, cpu = time.perf_counter(), time.process_time()
    report = study.measure(setting)
    cost = Cost(time.perf_counter() - wall, time.process_time() - cpu)
    report = dataclasses.replace(report, cost=cost)
    if setting.scale != "full":
        report = about_short_runs(report)
    for picture, numbers in report.pictures.items():
        write_json(numbers_of(setting.folder / picture), plain(numbers))
    draw_pictures(study, setting.folder)
    write_text(setting.folder / "report.md", markdown(study, setting, report))
    write_json(setting.folder / "report.json", report_json(study, setting, report))
    return report


def about_short_runs(report: Report) -> Report:
    """The report in the words that runs below the source's scale allow: a claim may hold for them, and is not reproduced."""
    rows = [
        dataclasses.replace(
            row,
            sample=f"{row.sample.removesuffix(' runs')} short runs",
            note=row.note.replace("not reproduced", "does not hold").replace(
                "reproduced", "holds" if row.kind == "ordering" else "agrees"
            ),
        )
        if row.sample.endswith(" runs")
        else row
        for row in report.rows
    ]
    words = report.verdict.replace("tested over runs", "tested over short runs")
    words = words.replace("are reproduced", "hold").replace("is reproduced", "holds")
    return dataclasses.replace(report, rows=rows, verdict=words)


def numbers_of(picture: Path) -> Path:
    """Where the numbers of a picture are."""
    return picture.with_suffix(".json")


def draw_pictures(study: Study, folder: Path) -> None:
    """Draw a study's pictures from the numbers in a folder."""
    found = {}
    for picture in study.pictures:
        path = numbers_of(folder / picture)
        try:
            found[picture] = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise ValueError(f"{path} is not there; measure first: nemesis study {study.name}") from None
        except ValueError as error:
            raise ValueError(f"{path} is damaged: {error}") from None
    for picture, numbers in found.items():
        study.pictures[picture](numbers, folder / picture)


def plain(value: Any) -> Any:
    """Numbers as JSON can hold them: lists, six significant digits, None for what is not finite."""
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, float | np.floating):
        return float(f"{value:.6g}") if np.isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value


def report_json(study: Study, setting: Setting, report: Report) -> dict[str, Any]:
    """The report for programs."""
    return {
        "study": study.name,
        "title": study.title,
        "source": study.source,
        "scale": setting.scale,
        "seed": setting.seed,
        "command": setting.command,
        "cost": None if report.cost is None else dataclasses.asdict(report.cost),
        "runs": [dataclasses.asdict(run) for run in setting.made],
        "unit": report.unit,
        "verdict": report.verdict,
        "rows": [dataclasses.asdict(row) for row in report.rows],
        "pictures": list(report.pictures),
        "data": dict(report.data),
    }


def markdown(study: Study, setting: Setting, report: Report) -> str:
    """The report for people."""
    lines = [
        f"# {study.title}",
        "",
        f"*{study.source}; scale {setting.scale}, seed {setting.seed}*",
        "",
        report.verdict,
        "",
    ]
    claims = [row for row in report.rows if row.kind == "ordering"]
    figures = [row for row in report.rows if row.kind == "figure"]
    if claims:
        lines += [
            "| what the source says | published | our difference | 95 % interval | sample | |",
            "|---|--:|--:|:-:|---|---|",
        ]
        lines += [_claim(row) for row in claims]
        lines.append("")
    lines += [f"![{study.title}]({picture})\n" for picture in report.pictures]
    if figures:
        lines += [
            f"| | published | ours ({report.unit}) | 95 % interval | sample | ceiling | |",
            "|---|--:|--:|:-:|---|--:|---|",
        ]
        lines += [_line(row) for row in figures]
        lines.append("")
    return "\n".join([*lines, *_runs(setting.made), *_effort(setting, report), ""])


def _line(row: Row) -> str:
    interval = f"{number(row.ci95[0])} … {number(row.ci95[1])}" if row.ci95 else ""
    published = row.published if isinstance(row.published, str) else number(row.published)
    sample = row.sample if row.ci95 else ""
    return f"| {row.what} | {published} | {number(row.ours)} | {interval} | {sample} | {number(row.ceiling)} | {row.note} |"


def _claim(row: Row) -> str:
    interval = f"{_signed(row.ci95[0])} … {_signed(row.ci95[1])}" if row.ci95 and row.ci95[0] != row.ci95[1] else ""
    return f"| {row.what} | {row.published or ''} | {_signed(row.ours)} | {interval} | {row.sample} | {row.note} |"


def _runs(made: Sequence[RunCost]) -> list[str]:
    """The evolutions behind the report, a line for each recipe."""
    if not made:
        return []
    lines = ["| evolved | size | runs | seeds | CPU seconds a run, workers apart | wall |", "|---|---|--:|---|--:|--:|"]
    for recipe, size in dict.fromkeys((run.recipe, run.size) for run in made):
        runs = list({run.seed: run for run in made if (run.recipe, run.size) == (recipe, size)}.values())
        seeds = ", ".join(str(run.seed) for run in runs)
        cpu, wall = (sum(getattr(run, kind) for run in runs) / len(runs) for kind in ("cpu", "wall"))
        lines.append(f"| `{recipe}` | {size} | {len(runs)} | {seeds} | {cpu:,.0f} | {wall:,.0f} |")
    return [*lines, ""]


def _effort(setting: Setting, report: Report) -> list[str]:
    """What it took and what makes it again."""
    took = ""
    if report.cost is not None:
        cpu = (
            f", {report.cost.cpu:,.0f} of CPU time"
            if str(setting.workers) == "1"
            else f" with {setting.workers} workers"
        )
        took = f"Measured in {report.cost.wall:,.0f} seconds{cpu}. "
    return [f"{took}Run again with `{setting.command}`."]


def _signed(value: float) -> str:
    return f"+{number(value)}" if value > 0 else number(value)


def number(value: float | None) -> str:
    """A number with as many digits as it deserves; nothing for None."""
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.4f}"
