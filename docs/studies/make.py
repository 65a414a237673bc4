"""Make the reports of this folder again: `python docs/studies/make.py [NAME …]`, all of them without a name.

Each study runs at quick scale with seed 0 in a temporary folder; its report and pictures are then copied here. Those in
`FULL` run at the documents' own scale on every core instead: coevolution takes about twenty minutes on two.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from nemesis import names
from nemesis.play.workers import cores
from nemesis.studies.study import Setting, run_study, study_named

HERE = Path(__file__).parent
FULL = ("coevolution",)


def copy_report(name: str, folder: Path) -> None:
    """Copy a report and its pictures from the folder a study wrote."""
    shutil.copyfile(folder / "report.md", HERE / f"{name}.md")
    for picture in folder.glob("*.png"):
        shutil.copyfile(picture, HERE / picture.name)


def main() -> None:
    """Run the studies that were named."""
    for name in sys.argv[1:] or list(names.STUDIES):
        with tempfile.TemporaryDirectory() as folder:
            print(name, flush=True)
            setting = (
                Setting("full", 0, cores(), Path(folder)) if name in FULL else Setting("quick", 0, 1, Path(folder))
            )
            run_study(study_named(name), setting)
            copy_report(name, Path(folder))


if __name__ == "__main__":
    main()
