"""Make the reports of this folder again: `python docs/studies/make.py [--redraw] [NAME …]`, all of them without a name.

Each study runs at quick scale with seed 0 in a temporary folder; its report, its pictures and the numbers in them are then
copied here. Those in `FULL` run at the documents' own scale on every core instead: coevolution takes about twenty minutes
on two. With `--redraw` nothing is measured: the pictures are drawn again from the numbers that are here.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from nemesis import names
from nemesis.play.workers import cores
from nemesis.studies.study import Setting, draw_pictures, numbers_of, run_study, study_named

HERE = Path(__file__).parent
FULL = ("coevolution",)


def copy_report(name: str, folder: Path) -> None:
    """Copy a report, its pictures and their numbers from the folder a study wrote."""
    shutil.copyfile(folder / "report.md", HERE / f"{name}.md")
    for picture in study_named(name).pictures:
        shutil.copyfile(folder / picture, HERE / picture)
        shutil.copyfile(numbers_of(folder / picture), numbers_of(HERE / picture))


def main() -> None:
    """Run the studies that were named, or draw their pictures again."""
    redraw, chosen = "--redraw" in sys.argv, [name for name in sys.argv[1:] if name != "--redraw"]
    for name in chosen or list(names.STUDIES):
        print(name, flush=True)
        if redraw:
            draw_pictures(study_named(name), HERE)
            continue
        with tempfile.TemporaryDirectory() as folder:
            setting = (
                Setting("full", 0, cores(), Path(folder)) if name in FULL else Setting("quick", 0, 1, Path(folder))
            )
            run_study(study_named(name), setting)
            copy_report(name, Path(folder))


if __name__ == "__main__":
    main()
