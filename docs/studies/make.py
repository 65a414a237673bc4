"""Make the reports of this folder again, and the table of all published figures.

    python docs/studies/make.py NAME … [--scale quick] [--runs-in FOLDER] [--finished]   measure, and copy what is shown here
    python docs/studies/make.py --redraw NAME …     draw the pictures again from the numbers that are here
    python docs/studies/make.py --table             write README.md from `reports`
    python docs/studies/make.py --keep FOLDER       copy finished evolutions to `evolutions`

Without a name, all of them. Each study runs with seed 0 and one worker in a temporary folder; its report, its pictures and
the numbers in them are copied here, and its rows to `reports`, from which the table is made.

Evolutions at full scale take hours, so what a report needs of them is kept in `evolutions`: the recipe, the curve, the
champion and what it cost, not the checkpoint. `--runs-in docs/studies/evolutions --finished` measures those champions
again; without `--finished` it evolves what is missing there.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from pathlib import Path

from nemesis import names
from nemesis.runtime.atomic import write_json, write_text
from nemesis.studies.ashe_training import LARGE
from nemesis.studies.published_table import as_markdown, kept, missing_scale, read_reports
from nemesis.studies.study import SCALES, Setting, draw_pictures, numbers_of, plain, run_study, study_named

HERE = Path(__file__).parent
REPORTS = HERE / "reports"
EVOLUTIONS = HERE / "evolutions"


def copy_report(name: str, folder: Path) -> None:
    """Copy a report, its pictures and their numbers from the folder a study wrote."""
    shutil.copyfile(folder / "report.md", HERE / f"{name}.md")
    REPORTS.mkdir(exist_ok=True)
    write_json(REPORTS / f"{name}.json", plain(kept(json.loads((folder / "report.json").read_text()))))
    for picture in study_named(name).pictures:
        shutil.copyfile(folder / picture, HERE / picture)
        shutil.copyfile(numbers_of(folder / picture), numbers_of(HERE / picture))


def keep_runs(folder: Path) -> None:
    """Copy what reports need of the finished full-scale runs in a folder; of the generations' bests only the first.

    Of the run at ASHE's published size, which takes too long to be finished, the curve as far as it goes.
    """
    for metrics in sorted(folder.glob(f"{LARGE}-full-*/metrics.jsonl")):
        to = EVOLUTIONS / metrics.parent.name
        to.mkdir(parents=True, exist_ok=True)
        for name in ("recipe.json", "metrics.jsonl"):
            shutil.copyfile(metrics.parent / name, to / name)
    for champion in sorted(folder.glob("*-full-*/champion.json")):
        run = champion.parent
        to = EVOLUTIONS / run.name
        to.mkdir(parents=True, exist_ok=True)
        for name in ("recipe.json", "metrics.jsonl", "champion.json", "cost.json"):
            shutil.copyfile(run / name, to / name)
        with (run / "bests.jsonl").open(encoding="utf-8") as bests:
            write_text(to / "bests.jsonl", bests.readline())


def readme() -> str:
    """The page of the table, from `table-head.txt` and the reports."""
    reports = read_reports(REPORTS)
    head = (HERE / "table-head.txt").read_text(encoding="utf-8").rstrip()
    listed = "\n".join(
        f"- [{each['study']}]({each['study']}.md), {each['scale']} scale: {each['title']}" for each in reports
    )
    short = "\n".join(missing_scale(reports))
    below = f"\n\n## Below the documents' scale\n\n{short}" if short else ""
    return f"{head}\n\n{as_markdown(reports)}\n\n## Reports\n\n{listed}{below}\n"


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--scale", choices=SCALES, default="quick")
    parser.add_argument("--runs", type=int)
    parser.add_argument("--runs-in", type=Path)
    parser.add_argument("--finished", action="store_true")
    parser.add_argument("--redraw", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    asked = parser.parse_args()
    if asked.keep:
        keep_runs(asked.keep)
        return
    for name in [] if asked.table and not asked.names else asked.names or list(names.STUDIES):
        print(name, flush=True)
        if asked.redraw:
            draw_pictures(study_named(name), HERE)
            continue
        with tempfile.TemporaryDirectory() as folder:
            setting = Setting(
                asked.scale, 0, 1, Path(folder), runs=asked.runs, runs_in=asked.runs_in, finished=asked.finished
            )
            run_study(study_named(name), setting)
            copy_report(name, Path(folder))
    if not asked.redraw:
        write_text(HERE / "README.md", readme())


if __name__ == "__main__":
    main()
