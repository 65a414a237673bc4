"""Files of JSON lines that grow while somebody else reads them: a line counts once it is whole."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any


def add_line(path: Path, content: dict[str, Any]) -> None:
    """Add a line; what a killed writer left half written before it becomes a line that does not count."""
    with path.open("ab+") as handle:
        if handle.tell():
            handle.seek(-1, os.SEEK_END)
        half = handle.read(1) not in (b"", b"\n")
        handle.write(("\n" if half else "").encode() + json.dumps(content).encode() + b"\n")


def last_line(path: Path, most: int = 1 << 20) -> dict[str, Any] | None:
    """The last whole line of a file of JSON lines that grows."""
    try:
        with path.open("rb") as handle:
            handle.seek(max(0, path.stat().st_size - most))
            lines = handle.read().splitlines(keepends=True)
    except OSError:
        return None
    for line in reversed(lines):
        if line.endswith(b"\n"):
            try:
                content = json.loads(line)
            except ValueError:
                return None
            return content if isinstance(content, dict) else None
    return None


def whole_lines(path: Path) -> list[dict[str, Any]]:
    """The whole lines of such a file; what is not there is empty."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        return []
    found = []
    for line in text.splitlines(keepends=True):
        if line.endswith("\n"):
            try:
                content = json.loads(line)
            except ValueError:
                continue
            if isinstance(content, dict):
                found.append(content)
    return found
