"""The lab's own folder: everything that the lab writes lies in it, and no page reaches a path outside it."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path

import platformdirs

from nemesis.runtime.atomic import write_text

PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
"""Names of files and folders that a visitor may choose."""


def lab_folder() -> Path:
    """The folder named by `NEMESIS_LAB`, or this user's; made if it does not exist, for nobody else to read."""
    chosen = os.environ.get("NEMESIS_LAB")
    folder = Path(chosen) if chosen else Path(platformdirs.user_data_dir("nemesis")) / "lab"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder.resolve()


def plain_name(name: object) -> str:
    """The name, if it is a plain one; a `ValueError` says what it must be otherwise."""
    if not isinstance(name, str) or not PLAIN_NAME.fullmatch(name):
        shown = f"{name[:60]!r}" if isinstance(name, str) else f"a {type(name).__name__}"
        raise ValueError(f"{shown} cannot be a name here: use letters, digits, '-', '_' and '.', at most 80 of them")
    return name


def inside(*parts: str) -> Path:
    """A path in the lab's folder; every part must be a plain name, and no link may lead out."""
    folder = lab_folder()
    path = folder.joinpath(*(plain_name(part) for part in parts))
    if not path.resolve().is_relative_to(folder):
        raise ValueError(f"{'/'.join(parts)} leads out of the lab's folder")
    return path


def cookie_secret() -> str:
    """The secret that signs visitors' cookies; kept, so that a visitor is known again after the lab is restarted."""
    path = inside("cookie-secret")
    if not path.exists():
        write_text(path, secrets.token_hex(32))
        path.chmod(0o600)
    return path.read_text(encoding="utf-8").strip()
