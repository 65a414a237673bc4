"""Files are replaced at once or not at all: written beside their place, flushed, and moved over it.

A file goes into a folder that exists. Who is told to fill a folder makes it; nobody makes one on the way to a file, because
a folder that is missing there is most often a mistyped name.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

LEFT_BEHIND = ".*.partial*"
"""What a killed writer may leave beside a file."""


def check_folder(path: Path) -> None:
    """Refuse a file whose folder is not there."""
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, f"there is no folder {path.parent}", str(path))


@contextmanager
def becoming(path: Path) -> Iterator[Path]:
    """A name to write a file under that takes the place of `path` when the block ends, and vanishes if that fails."""
    check_folder(path)
    temporary = path.with_name(f".{path.stem}.{os.getpid()}.partial{path.suffix}")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def replacing(path: Path) -> Iterator[TextIO]:
    """A text file to write to that takes the place of `path` when all is written, and vanishes if that fails."""
    with becoming(path) as temporary, temporary.open("w", encoding="utf-8") as handle:
        yield handle
        handle.flush()
        os.fsync(handle.fileno())


def write_text(path: Path, text: str) -> None:
    """Put `text` at `path` so that a reader, or a crash, sees the old file or the new one and nothing between."""
    with replacing(path) as handle:
        handle.write(text)


def write_json(path: Path, content: Any) -> None:
    """The same for JSON; floats are written so that they read back bit for bit."""
    write_text(path, json.dumps(content, ensure_ascii=False, allow_nan=False) + "\n")
