"""Compiled kernels kept on disk, so that they are compiled once for each version of their sources.

Numba's own cache looks only at a function's own file, so a kernel would go on running the old text of a helper in another
file. Ours is keyed by a digest of the file and of every file of this package that it imports, directly or not; editing
a command does not recompile the betting engine. Every file carries a checksum and a damaged one is compiled again.

The files are pickles: whoever can write them can run code as their reader. The folder is therefore made private, and one
that others can write to is refused. Do not share it between users.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import shutil
import stat
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numba
from numba.core import caching

from nemesis.runtime.cache import CacheError, cache_folder, tell

_PACKAGE = Path(__file__).resolve().parent.parent
_IMPORT = re.compile(rb"^\s*(?:from\s+(nemesis[\w.]*)\s+import\s+(\([^)]*\)|[^\n]*)|import\s+(nemesis[\w.]*))", re.M)
_WORD = re.compile(rb"\w+")
_KEPT = 6
_DIGEST_BYTES = 32
_TOLD = "NEMESIS_COMPILING_TOLD"


def kernel_folder() -> Path:
    """The private folder of compiled kernels; made if it does not exist, refused if others can write to it."""
    folder = cache_folder() / "kernels"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.stat()
    except OSError as error:
        raise CacheError(f"the folder of compiled kernels {folder} cannot be used ({error.strerror})") from error
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH) or found.st_uid not in (os.getuid(), 0):
        raise CacheError(
            f"the folder of compiled kernels {folder} can be written to by others, and its files run as code: "
            f"make it private (chmod 700) or set NEMESIS_CACHE to a folder of your own"
        )
    return folder


def source_digest(path: Path) -> str:
    """A digest of a source file, of all files of the package it depends on, and of what else decides machine code."""
    digest = hashlib.sha256()
    for source in sorted(_closure(path)):
        digest.update(_text(source))
    asked = [os.environ.get(name, "") for name in ("NUMBA_BOUNDSCHECK", "NUMBA_OPT")]
    digest.update(" ".join([numba.__version__, *asked]).encode())
    return digest.hexdigest()[:16]


def kernel_files() -> list[Path]:
    """The files of compiled kernels, of this version and of earlier ones."""
    return sorted(kernel_folder().rglob("*.nb[ic]"))


def damaged_kernels() -> list[Path]:
    """The kernel files whose checksum does not hold."""
    return [path for path in kernel_files() if _payload(path) is None]


def mend_kernels() -> list[str]:
    """Remove the damaged kernel files; return their names. Their kernels are compiled again when they are next needed."""
    damaged = damaged_kernels()
    for path in damaged:
        path.unlink(missing_ok=True)
    return [path.relative_to(kernel_folder()).as_posix() for path in damaged]


def _closure(path: Path) -> set[Path]:
    """The file and every file of the package that it imports, directly or not."""
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        source = waiting.pop()
        if source not in found:
            found.add(source)
            waiting.extend(_imported(source))
    return found


@lru_cache(maxsize=1024)
def _text(path: Path) -> bytes:
    return path.read_bytes()


@lru_cache(maxsize=1024)
def _imported(path: Path) -> tuple[Path, ...]:
    return tuple(_sources(_text(path)))


def _sources(text: bytes) -> Iterator[Path]:
    """The files that the import statements of a source name; an imported name may itself be a module."""
    for home, names, plain in _IMPORT.findall(text):
        folder = _PACKAGE.joinpath(*(home or plain).decode().split(".")[1:])
        words = [folder, *(folder / word.decode() for word in _WORD.findall(names))]
        for place in words:
            for candidate in (place.with_suffix(".py"), place / "__init__.py"):
                if candidate.is_file():
                    yield candidate


class _Locator(caching._CacheLocator):  # type: ignore[misc]
    """Where the kernels of one source file are kept: a folder named after the file and the digest of its closure."""

    def __init__(self, line: int, folder: Path) -> None:
        self._line, self._folder = line, folder

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator | None:
        path = Path(py_file).resolve()
        if not path.is_file():
            return None
        room = path.relative_to(_PACKAGE).parent.name if path.is_relative_to(_PACKAGE) else "user"
        return cls(py_func.__code__.co_firstlineno, kernel_folder() / f"{room}-{path.stem}-{_digest(path)}")

    def ensure_cache_path(self) -> None:
        if not self._folder.is_dir():
            self._folder.mkdir(mode=0o700, exist_ok=True)
            forget_old(self._folder)

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return self._folder.name

    def get_disambiguator(self) -> str:
        return str(self._line)


_digest: Callable[[Path], str] = lru_cache(maxsize=1024)(source_digest)


def forget_old(folder: Path) -> None:
    """Remove the oldest folders of the same source file, so that the cache does not grow with every edit."""
    siblings = folder.parent.glob(folder.name.rpartition("-")[0] + "-" + "?" * 16)
    newest = sorted(siblings, key=lambda path: path.stat().st_mtime, reverse=True)
    for stale in newest[_KEPT:]:
        shutil.rmtree(stale, ignore_errors=True)


class _Files(caching.IndexDataCacheFile):  # type: ignore[misc]
    """Numba's index and data files, each behind a checksum; one that cannot be read is taken as absent."""

    def _load_index(self) -> dict[Any, str]:
        return _content(Path(self._index_path)) or {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_path, overloads)

    def _load_data(self, name: str) -> Any:
        content = _content(Path(self._data_path(name)))
        if content is None:
            raise FileNotFoundError(name)
        return content

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), data)

    def _write(self, path: str, content: Any) -> None:
        payload = self._dump(content)
        with self._open_for_write(path) as handle:
            handle.write(hashlib.sha256(payload).digest() + payload)


def _content(path: Path) -> Any:
    """What a file holds, or None. A source that was edited while a kernel was compiled can leave names that are gone."""
    payload = _payload(path)
    try:
        return None if payload is None else pickle.loads(payload)
    except Exception:
        return None


def _payload(path: Path) -> bytes | None:
    """What a file holds behind its checksum, or None if it is missing or damaged."""
    try:
        raw = path.read_bytes()
    except OSError:
        return None
    payload = raw[_DIGEST_BYTES:]
    return payload if hashlib.sha256(payload).digest() == raw[:_DIGEST_BYTES] else None


class _Implementation(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Locator,)


class KernelCache(caching.FunctionCache):  # type: ignore[misc]
    """Numba's cache of one function, with our folder, our digest and our checksums."""

    _impl_class = _Implementation

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel, or None if it must be compiled; says so once."""
        found = super().load_overload(sig, target_context)
        if found is None and _TOLD not in os.environ:
            os.environ[_TOLD] = "1"  # for worker processes too
            tell("compiling kernels (once for this version, up to a minute)…")
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the compiled kernel; where the folder cannot be written to it is compiled again next time."""
        try:
            super().save_overload(sig, data)
        except OSError:
            self.disable()
