"""Files that are dropped on a page: bounded in size and number, and named by the lab, never by whoever sends them."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from nemesis.lab.folder import inside
from nemesis.lab.import_work import UPLOADS
from nemesis.observe.importing import SUFFIXES

MOST_BYTES = 128 * 2**20
"""Of one file."""
MOST_IN_ALL = 1024 * 2**20
"""Of the files that are imported together."""
MOST_FILES = 2000


@dataclass
class Parcel:
    """Files that are imported together."""

    name: str = field(default_factory=lambda: secrets.token_hex(6))
    files: int = 0
    size: int = 0

    @property
    def place(self) -> str:
        """Where it lies in the lab's folder."""
        return f"{UPLOADS}/{self.name}"

    async def add(self, given: str, file: Any) -> None:
        """Keep a file under a name of our own; `ValueError` says why it is not taken."""
        suffix = PurePath(given).suffix.lower()
        shown = repr(PurePath(given).name[:60])
        if suffix not in SUFFIXES:
            raise ValueError(f"{shown} is not taken: hand histories end in {', '.join(SUFFIXES)}")
        size = int(file.size())
        if size > MOST_BYTES:
            raise ValueError(
                f"{shown} has {size:,} bytes; a file may have {MOST_BYTES:,}. Put it into the folder instead"
            )
        if self.files >= MOST_FILES or self.size + size > MOST_IN_ALL:
            raise ValueError(
                f"that is more than {MOST_FILES:,} files or {MOST_IN_ALL:,} bytes at once; {shown} is left out"
            )
        folder = inside(UPLOADS, self.name)
        folder.mkdir(parents=True, exist_ok=True)
        self.files += 1
        self.size += size
        stem = re.sub(r"[^A-Za-z0-9_-]+", "-", PurePath(given).stem)[:40].strip("-") or "hands"
        await file.save(folder / f"{self.files:04}-{stem}{suffix}")
