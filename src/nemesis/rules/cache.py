"""Where things that can be made again are kept between runs: one folder per user."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def cache_folder() -> Path:
    """The folder named by `NEMESIS_CACHE`, or this user's cache folder; made if it does not exist."""
    chosen = os.environ.get("NEMESIS_CACHE")
    folder = Path(chosen) if chosen else Path(platformdirs.user_cache_dir("nemesis"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
