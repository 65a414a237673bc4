"""Where things that can be made again are kept between runs: one folder per user.

A *table* is a handful of named arrays that take long to compute and never change: the evaluator's, the exact win
probabilities. Each is one file: a line of JSON saying what it holds, then the arrays. We trust a file only after its
checksum has been recomputed, so a torn, flipped or outdated one is simply built again. It is written to a temporary
file beside it and renamed, so nobody ever sees half of it, and under a lock that the system releases when its owner
dies, so of two processes that start at once one builds and the other waits and loads. Arrays are mapped, not copied:
processes share one copy in memory.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import math
import mmap
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import platformdirs
from numpy.typing import NDArray

Arrays = Mapping[str, NDArray[Any]]

_MAGIC = "nemesis-table-1"
_SUFFIX = ".table"
_PARTIAL = ".partial"
_LINE = 4096  # the JSON line is padded to one page, so that arrays start on a page
_ALIGN = 64


class CacheError(OSError):
    """The cache folder cannot be used; the message says which folder and what to do."""


class TableState(NamedTuple):
    """What `cache_state` knows of one stored table."""

    name: str
    size: int
    version: int | None
    ok: bool


def cache_folder() -> Path:
    """The folder named by `NEMESIS_CACHE`, or this user's cache folder; made if it does not exist.

    It need not be writable: a complete cache is only read, and who must write says so if that fails.
    """
    chosen = os.environ.get("NEMESIS_CACHE")
    folder = Path(chosen) if chosen else Path(platformdirs.user_cache_dir("nemesis"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unusable(folder, error) from error
    if not os.access(folder, os.R_OK | os.X_OK):
        raise _unusable(folder, PermissionError("permission denied"))
    return folder


def tell(message: str) -> None:
    """Say on standard error what the user is waiting for."""
    print(f"nemesis: {message}", file=sys.stderr, flush=True)


def load_or_build(
    name: str,
    version: int,
    build: Callable[[], Arrays],
    announce: Callable[[str], None] = tell,
    doing: str = "",
) -> dict[str, NDArray[Any]]:
    """The arrays of the table `name`, from the cache folder if a sound copy of `version` is there, else built and kept.

    `doing` is what to announce when it has to be built, such as "building exact win probabilities (once, about 5 s)…".
    """
    path = _tables() / (name + _SUFFIX)
    kept = _load(path, version)
    if kept is not None:
        return kept
    with _lock(path, announce):
        kept = _load(path, version)
        if kept is not None:
            return kept
        announce(doing or f"building the table {name} (once)…")
        _store(path, name, version, build())
        kept = _load(path, version)
    if kept is None:
        raise _unusable(path.parent, OSError(f"{path.name} read back differs from what was written"))
    return kept


def cache_state() -> list[TableState]:
    """Every stored table, with its size in bytes, its version and whether its checksum holds."""
    return [_state(path) for path in sorted(_tables().glob(f"*{_SUFFIX}"))]


def mend() -> list[str]:
    """Remove tables that are damaged and what interrupted writers left behind; return the names removed.

    A removed table is built again when it is next needed.
    """
    removed = []
    for path in sorted(_tables().glob(f"*{_SUFFIX}")):
        if not _state(path).ok:
            path.unlink(missing_ok=True)
            removed.append(path.name.removesuffix(_SUFFIX))
    for path in _tables().glob(f"*{_SUFFIX}{_PARTIAL}"):
        with _lock(path.with_name(path.name.removesuffix(_PARTIAL)), tell):
            path.unlink(missing_ok=True)
    return removed


def _tables() -> Path:
    folder = cache_folder() / "tables"
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise _unusable(folder, error) from error
    return folder


def _unusable(folder: Path, error: OSError) -> CacheError:
    reason = error.strerror or str(error)
    return CacheError(
        f"the cache folder {folder} cannot be used ({reason}): set NEMESIS_CACHE to a writable folder with free space"
    )


@contextmanager
def _lock(path: Path, announce: Callable[[str], None]) -> Iterator[None]:
    """Hold the lock of one table. The file stays; the system frees the lock when its holder ends, however it ends."""
    try:
        handle = open(path.with_name(path.name + ".lock"), "wb")
    except OSError as error:
        raise _unusable(path.parent, error) from error
    with handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            announce(f"waiting for another process that is building {path.name.removesuffix(_SUFFIX)}…")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _store(path: Path, name: str, version: int, arrays: Arrays) -> None:
    """Write the table so that it appears whole or not at all. The caller holds its lock."""
    partial = path.with_name(path.name + _PARTIAL)
    try:
        with open(partial, "wb") as handle:
            handle.write(b" " * _LINE)
            digest = hashlib.sha256()
            described = [_append(handle, digest, label, array) for label, array in arrays.items()]
            line = {"magic": _MAGIC, "name": name, "version": version, "arrays": described}
            handle.seek(0)
            handle.write(_header(line, digest.hexdigest()))
            handle.flush()
            os.fsync(handle.fileno())
        os.replace(partial, path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise _unusable(path.parent, error) from error
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def _append(handle: Any, digest: Any, label: str, array: NDArray[Any]) -> dict[str, Any]:
    data = np.ascontiguousarray(array)
    start = handle.tell()
    raw = data.reshape(-1).view(np.uint8)
    padding = bytes(-raw.nbytes % _ALIGN)
    for piece in (raw, padding):
        handle.write(piece)
        digest.update(piece)
    return {"label": label, "dtype": data.dtype.str, "shape": list(data.shape), "start": start}


def _header(line: dict[str, Any], payload_digest: str) -> bytes:
    """One page: the description, the digest of the arrays, and the digest of both, so no byte goes unguarded."""
    text = json.dumps(line | {"sha256": payload_digest}, sort_keys=True)
    guard = hashlib.sha256(text.encode()).hexdigest()
    page = f"{guard} {text}".encode()
    if len(page) >= _LINE:
        raise ValueError(f"a table's description must fit {_LINE} bytes, this one has {len(page)}")
    return page.ljust(_LINE - 1) + b"\n"


def _load(path: Path, version: int) -> dict[str, NDArray[Any]] | None:
    """The arrays of a sound table of this version, mapped; None if it is missing, damaged or of another version."""
    line, mapped = _open(path)
    if line is None or mapped is None or line["version"] != version or not _sound(line, mapped):
        return None
    return {entry["label"]: _array(mapped, entry) for entry in line["arrays"]}


def _open(path: Path) -> tuple[dict[str, Any] | None, mmap.mmap | None]:
    try:
        with open(path, "rb") as handle:
            # Copy on write: kernels are compiled for writable arrays, yet nothing they do can reach the file.
            mapped = mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_COPY)
    except (FileNotFoundError, ValueError):
        return None, None
    except OSError as error:
        raise _unusable(path.parent, error) from error
    guard, _, text = mapped[:_LINE].rstrip().partition(b" ")
    if hashlib.sha256(text).hexdigest().encode() != guard:
        return None, mapped
    line = json.loads(text)
    return (line if line.get("magic") == _MAGIC else None), mapped


def _sound(line: dict[str, Any], mapped: mmap.mmap) -> bool:
    with memoryview(mapped) as whole, whole[_LINE:] as payload:
        return hashlib.sha256(payload).hexdigest() == str(line["sha256"])


def _array(mapped: mmap.mmap, entry: dict[str, Any]) -> NDArray[Any]:
    count = math.prod(entry["shape"])
    flat = np.frombuffer(mapped, dtype=np.dtype(entry["dtype"]), count=count, offset=entry["start"])
    return flat.reshape(entry["shape"])


def _state(path: Path) -> TableState:
    name = path.name.removesuffix(_SUFFIX)
    line, mapped = _open(path)
    if line is None or mapped is None:
        return TableState(name, path.stat().st_size, None, False)
    return TableState(name, len(mapped), int(line["version"]), _sound(line, mapped))
