"""Is this installation well? Versions, cores, and the cache of tables and kernels, which is mended on the way."""

from __future__ import annotations

import platform
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from nemesis import __version__
from nemesis.play.workers import cores
from nemesis.rules.deal import deal_tables
from nemesis.rules.games import no_limit
from nemesis.runtime.cache import cache_folder, cache_state, mend
from nemesis.runtime.kernel_cache import kernel_files, mend_kernels


def examine(announce: Callable[[str], None] = print) -> dict[str, Any]:
    """A report on the installation. Removes damaged tables and kernels and builds the missing tables.

    A removed kernel is compiled again when it is next needed.
    """
    mended, mended_kernels = mend(), mend_kernels()
    for name in mended:
        announce(f"removed the damaged lookup table {name}")
    for name in mended_kernels:
        announce(f"removed the damaged kernel {name}")
    deal_tables(no_limit())
    kernels = kernel_files()
    return {
        "nemesis": __version__,
        "python": platform.python_version(),
        "numba": version("numba"),
        "numpy": version("numpy"),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": cores(),
        "cache_folder": str(cache_folder()),
        "mended": mended,
        "mended_kernels": mended_kernels,
        "kernels": {"files": len(kernels), "bytes": sum(path.stat().st_size for path in kernels)},
        "tables": [{"name": e.name, "version": e.version, "bytes": e.size, "ok": e.ok} for e in cache_state()],
    }
