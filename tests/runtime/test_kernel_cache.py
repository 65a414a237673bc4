"""Compiled kernels on disk: used again, compiled again when damaged, and kept where nobody else can write."""

import hashlib
import importlib.util
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nemesis import doctor
from nemesis.runtime.cache import CacheError
from nemesis.runtime.compiled import COMPILING
from nemesis.runtime.kernel_cache import KernelCache, damaged_kernels, kernel_files, kernel_folder

pytestmark = pytest.mark.skipif(not COMPILING, reason="without compilation there are no kernels to keep")

SOURCE = """
from numba import types
from nemesis.runtime.compiled import njit

@njit(types.int64(types.int64))
def double(x):
    return 2 * x
"""
DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda whole: whole[: len(whole) // 2],
    "empty": lambda whole: b"",
    "random": lambda whole: bytes((7 * i) % 256 for i in range(len(whole))),
    "one bit": lambda whole: whole[:-1] + bytes([whole[-1] ^ 1]),
    "a plain pickle": lambda whole: whole[32:],
}


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Any]:
    """Loads a small kernel as a new process would, with a cache of its own."""
    monkeypatch.setenv("NEMESIS_CACHE", str(tmp_path / "kept"))
    monkeypatch.setenv("NEMESIS_COMPILING_TOLD", "1")
    source = tmp_path / "doubling.py"
    source.write_text(SOURCE)

    def again() -> Any:
        spec = importlib.util.spec_from_file_location("doubling", source)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.double

    return again


def hits(kernel: Any) -> int:
    """How often the kernel was taken from the cache, after it has doubled 21."""
    assert kernel(21) == 42
    return sum(kernel.stats.cache_hits.values())


def test_a_kernel_is_compiled_once(load: Callable[[], Any]) -> None:
    assert hits(load()) == 0
    assert hits(load()) == 1


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_compiled_again_and_play_goes_on(load: Callable[[], Any], damage: str, suffix: str) -> None:
    hits(load())
    (path,) = (path for path in kernel_files() if path.suffix == f".{suffix}")
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert damaged_kernels() == [path]
    assert hits(load()) == 0
    assert damaged_kernels() == []
    assert hits(load()) == 1


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
def test_a_file_that_names_what_is_no_longer_there_is_compiled_again(load: Callable[[], Any], suffix: str) -> None:
    hits(load())
    (path,) = (path for path in kernel_files() if path.suffix == f".{suffix}")
    gone = b"cnemesis.runtime.kernel_cache\nForgottenName\n."
    path.write_bytes(hashlib.sha256(gone).digest() + gone)
    assert hits(load()) == 0
    assert hits(load()) == 1


def test_the_doctor_removes_what_is_damaged(load: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "deal_tables", lambda game: None)
    hits(load())
    path = kernel_files()[0]
    path.write_bytes(b"not a kernel")
    said: list[str] = []
    report = doctor.examine(said.append)
    name = path.relative_to(kernel_folder()).as_posix()
    assert report["mended_kernels"] == [name]
    assert said == [f"removed the damaged kernel {name}"]
    assert doctor.examine(said.append)["mended_kernels"] == []
    assert hits(load()) == 0


def test_the_folder_is_private(load: Callable[[], Any]) -> None:
    hits(load())
    assert [path.stat().st_mode & 0o077 for path in (kernel_folder(), kernel_files()[0].parent)] == [0, 0]


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_folder_that_others_can_write_to_is_refused(load: Callable[[], Any], mode: int) -> None:
    kernel_folder().chmod(mode)
    with pytest.raises(CacheError, match=r"can be written to by others, .*: make it private \(chmod 700\)"):
        load()


def test_a_folder_of_somebody_else_is_refused(load: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    folder = kernel_folder()
    if folder.stat().st_uid == 0:
        os.chown(folder, 12345, -1)
    else:
        monkeypatch.setattr(os, "getuid", lambda: 12345)
    with pytest.raises(CacheError, match="can be written to by others"):
        load()


def test_where_nothing_can_be_written_kernels_are_compiled_every_time(
    load: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise PermissionError(13, "Permission denied")

    hits(load())
    kept = kernel_files()
    monkeypatch.setattr("nemesis.runtime.kernel_cache._Files._write", refuse)
    assert hits(load()) == 1, "what is there is read"
    for path in kept:
        path.unlink()
    assert hits(load()) == 0
    assert kernel_files() == []
    assert isinstance(load()._cache, KernelCache)
