"""Stored tables are whole, checked at every load, and built again when they are not."""

import errno
import multiprocessing
import os
import signal
import time

import numpy as np
import pytest

from nemesis.runtime import cache
from nemesis.runtime.cache import CacheError, cache_folder, cache_state, load_or_build, mend


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("NEMESIS_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def squares():
    return {"squares": np.arange(1000, dtype=np.uint16).reshape(10, 100), "half": np.array([0.5])}


def never():
    raise AssertionError("a sound table must not be built again")


def keep(build=squares, version=1):
    said = []
    return load_or_build("squares", version, build, said.append), said


def table(folder):
    return folder / "tables" / "squares.table"


def damage(path, position):
    data = bytearray(path.read_bytes())
    data[position] ^= 1
    path.write_bytes(data)


def test_a_table_is_built_once_and_then_loaded():
    built, said = keep()
    assert said == ["building the table squares (once)…"]
    loaded, said = keep(never)
    assert said == []
    for name, array in squares().items():
        for copy in (built[name], loaded[name]):
            assert copy.dtype == array.dtype
            assert np.array_equal(copy, array)


def test_what_is_announced_goes_to_standard_error(capsys):
    load_or_build("squares", 1, squares, doing="building exact win probabilities (once, about 5 s)…")
    assert capsys.readouterr() == ("", "nemesis: building exact win probabilities (once, about 5 s)…\n")


@pytest.mark.parametrize("position", [0, 70, 4096, 5000, -1])
def test_a_flipped_bit_anywhere_is_noticed_and_mended(folder, position):
    keep()
    damage(table(folder), position)
    arrays, said = keep()
    assert said
    assert np.array_equal(arrays["squares"], squares()["squares"])
    assert keep(never)[1] == []


@pytest.mark.parametrize("size", [0, 100, 4096, 5000])
def test_a_truncated_table_is_built_again(folder, size):
    keep()
    os.truncate(table(folder), size)
    assert keep()[1]
    assert keep(never)[1] == []


def test_another_version_is_built_again():
    keep(version=1)
    arrays, said = keep(lambda: {"cubes": np.arange(3)}, version=2)
    assert said
    assert list(arrays) == ["cubes"]


def test_writing_to_a_loaded_array_never_reaches_the_file():
    arrays, _ = keep()
    arrays["squares"][:] = 7
    assert np.array_equal(keep(never)[0]["squares"], squares()["squares"])


def test_the_state_of_the_cache_names_every_table(folder):
    keep()
    assert [(state.name, state.version, state.ok) for state in cache_state()] == [("squares", 1, True)]
    assert cache_state()[0].size == table(folder).stat().st_size
    damage(table(folder), 5000)
    assert [(state.name, state.ok) for state in cache_state()] == [("squares", False)]
    assert mend() == ["squares"]
    assert cache_state() == []
    assert mend() == []


def test_what_an_interrupted_writer_left_is_swept_away(folder):
    keep()
    left = folder / "tables" / "squares.table.partial"
    left.write_bytes(b"half")
    assert mend() == []
    assert not left.exists()
    assert keep(never)[1] == []


def test_a_failing_build_leaves_nothing_behind(folder):
    def fail():
        raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        keep(fail)
    assert list((folder / "tables").glob("*.table*")) == [folder / "tables" / "squares.table.lock"]


def test_a_full_disk_is_a_sentence_and_leaves_nothing_half_written(folder, monkeypatch):
    def full(_handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(cache.os, "fsync", full)
    with pytest.raises(
        CacheError, match=r"cannot be used \(No space left on device\): set NEMESIS_CACHE to a writable"
    ):
        keep()
    assert not list((folder / "tables").glob("*.table"))
    assert not list((folder / "tables").glob("*.partial"))


def test_a_folder_that_is_a_file_is_a_sentence(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NEMESIS_CACHE", str(tmp_path / "file"))
    with pytest.raises(CacheError, match=r"file cannot be used .*: set NEMESIS_CACHE to a writable folder"):
        cache_folder()


def test_a_folder_that_may_not_be_read_is_a_sentence(folder, monkeypatch):
    monkeypatch.setattr(cache.os, "access", lambda *_: False)
    with pytest.raises(CacheError, match="permission denied"):
        cache_folder()
    assert issubclass(CacheError, OSError)


@pytest.fixture
def read_only(monkeypatch):
    """A disk that takes no files, for whoever asks; root may write anywhere, so permissions cannot show it."""

    def refuse(path, mode="r", *rest):
        if "w" in mode:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return open(path, mode, *rest)

    def seal():
        monkeypatch.setattr(cache, "open", refuse, raising=False)
        monkeypatch.setattr(cache.os, "access", lambda path, mode: not mode & os.W_OK)

    return seal


def test_a_complete_cache_may_be_read_only(read_only):
    keep()
    read_only()
    arrays, said = keep(never)
    assert said == []
    assert np.array_equal(arrays["squares"], squares()["squares"])


def test_what_is_missing_in_a_read_only_cache_is_a_sentence(read_only):
    keep()
    read_only()
    with pytest.raises(
        CacheError, match=r"cannot be used \(Permission denied\): set NEMESIS_CACHE to a writable folder"
    ):
        keep(version=2)


def slowly(path):
    def build():
        with open(path, "a") as log:
            log.write("built\n")
        time.sleep(0.5)
        return squares()

    load_or_build("squares", 1, build, lambda _: None)


def test_of_two_processes_that_start_at_once_one_builds(folder, tmp_path):
    context = multiprocessing.get_context("fork")
    both = [context.Process(target=slowly, args=(tmp_path / "log",)) for _ in range(2)]
    for process in both:
        process.start()
    for process in both:
        process.join(20)
    assert [process.exitcode for process in both] == [0, 0]
    assert (tmp_path / "log").read_text() == "built\n"


def hang(path):
    def build():
        path.write_text("building")
        time.sleep(60)

    load_or_build("squares", 1, build, lambda _: None)


def test_the_lock_of_a_process_that_died_is_free_again(tmp_path):
    process = multiprocessing.get_context("fork").Process(target=hang, args=(tmp_path / "log",))
    process.start()
    while not (tmp_path / "log").exists():
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.join(20)
    assert keep()[1] == ["building the table squares (once)…"]
