"""Files of hand histories into a store: which kind each is, read ahead in one thread, written in another.

PHH files go through the compiled reader; rooms' own texts (`room_texts`), ACPC logs (`acpc_log`) and PRF records
(`prf`) are put into PHH first. A batch is one transaction together with the files that it finishes. So an import that
was stopped is resumed by giving the same files again: finished ones are skipped, and of the others only hands that
are not there are added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from nemesis.names import GAMES
from nemesis.observe.acpc_log import BEGINS as ACPC_BEGINS
from nemesis.observe.acpc_log import GAME as ACPC_GAME
from nemesis.observe.acpc_log import acpc_hands
from nemesis.observe.hand import HandError
from nemesis.observe.history import History, Reader, Rejected, Span
from nemesis.observe.prf import BEGINS as PRF_BEGINS
from nemesis.observe.prf import prf_hands
from nemesis.observe.room_texts import room_hands, room_of
from nemesis.observe.store import Store
from nemesis.rules.by_name import game as game_by_name
from nemesis.rules.game import Game

BATCH = 1 << 25
"""Bytes of text that make a transaction."""
PHH = (".phh", ".phhs")
SUFFIXES = (*PHH, ".txt", ".log", ".xml", ".prf")
_SNIFF = 1 << 16

Told = Callable[[int, int, int], None]


class Batch(NamedTuple):
    """Texts to read together, hands that were set aside before, and the store's numbers of files that end here."""

    spans: list[Span]
    rejected: list[Rejected]
    finished: list[int]
    size: int


@dataclass
class Imported:
    """What an import did."""

    hands: int = 0
    known: int = 0
    rejected: int = 0
    files: int = 0
    skipped: int = 0
    numbers: dict[str, int] = field(default_factory=dict)


def history_files(paths: Iterable[str | Path]) -> list[Path]:
    """The files themselves, and those in folders that may hold hands, each once and in order of name."""
    found: dict[Path, None] = {}
    for path in map(Path, paths):
        inside = (
            sorted(file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES) if path.is_dir() else [path]
        )
        if not inside:
            raise HandError(f"{path} has no hand histories in it: no {', '.join(SUFFIXES)} file")
        for file in inside:
            if not file.exists():
                raise HandError(f"there is no file {file}")
            if file.is_file():
                found[file] = None
            elif file == path:
                raise HandError(f"{file} is not a file or a folder")
    return list(found)


def import_files(
    store: Store, paths: Iterable[str | Path], game: Game | None = None, told: Told | None = None
) -> Imported:
    """Add the hands of files and folders to the store. `told` hears bytes done, bytes in all, and hands so far.

    `game` is that of ACPC logs that do not name one.
    """
    files = history_files(paths)
    total = sum(file.stat().st_size for file in files)
    done = Imported()
    bytes_done = 0
    reader = Reader()
    with ThreadPoolExecutor(1) as ahead:
        waiting = None
        for batch in _batches(store, reader, files, game, done):
            read = ahead.submit(copy_context().run, _read, reader, batch)
            if waiting is not None:
                bytes_done += _write(store, *waiting, done)
                if told is not None:
                    told(bytes_done, total, done.hands + done.known)
            waiting = (batch, read.result)
        if waiting is not None:
            bytes_done += _write(store, *waiting, done)
    if told is not None:
        told(total, total, done.hands + done.known)
    return done


def _read(reader: Reader, batch: Batch) -> History:
    return reader.read(batch.spans)


def _write(store: Store, batch: Batch, read: Callable[[], History], done: Imported) -> int:
    history = read()
    history.rejected.extend(batch.rejected)
    added = store.add(history, done.numbers, batch.finished)
    done.hands += added.new
    done.known += added.known
    done.rejected += added.rejected
    return batch.size


def _batches(store: Store, reader: Reader, files: list[Path], game: Game | None, done: Imported) -> Iterator[Batch]:
    """The files' texts in batches; those that were read before are skipped."""
    batch = Batch([], [], [], 0)
    for file in files:
        number = store.open_file(file)
        size = file.stat().st_size
        if number is None:
            done.skipped += 1
            batch = batch._replace(size=batch.size + size)
            continue
        done.files += 1
        done.numbers[str(file)] = number
        try:
            for part in _parts(reader, file, game):
                if isinstance(part, Rejected):
                    batch.rejected.append(part)
                    continue
                batch.spans.append(part)
                batch = batch._replace(size=batch.size + len(part.text))
                if batch.size >= BATCH:
                    yield batch
                    batch = Batch([], [], [], 0)
        except (HandError, OSError) as error:  # of the whole file, which may be read another time
            batch.rejected.append(Rejected(str(file), 1, "1", str(error)))
        else:
            batch.finished.append(number)
    if batch.spans or batch.rejected or batch.finished:
        yield batch


def _parts(reader: Reader, file: Path, game: Game | None) -> Iterator[Span | Rejected]:
    """The texts of a file, put into PHH if they are not."""
    if file.suffix.lower() in PHH:
        yield from reader.spans(file, BATCH)
        return
    text = _text(file)
    head = text[:_SNIFF]
    if ACPC_BEGINS.search(head):
        hands = acpc_hands(text, game or _logged_game(head))
    elif PRF_BEGINS.match(head):
        hands = prf_hands(text)
    elif (room := room_of(head)) is not None:
        hands = room_hands(text, room)
    elif "variant" in head and "starting_stacks" in head:
        yield from reader.spans(file, BATCH)
        return
    else:
        yield Rejected(
            str(file), 1, "1", "this is no hand history that is known: neither PHH, a room's text, ACPC nor PRF"
        )
        return
    number = reader.file_number(file)
    for count, (line, hand) in enumerate(hands, 1):
        if isinstance(hand, HandError):
            yield Rejected(str(file), line, str(count), str(hand))
        else:
            yield Span(number, hand.encode(), line, converted=True)


def _logged_game(head: str) -> Game:
    """The game that a log names in its first line, as our dealer's do."""
    named = ACPC_GAME.search(head)
    if named is None or named[1] not in GAMES:
        raise HandError("this ACPC log does not name a game that is known: give it with --game")
    return game_by_name(named[1])


def _text(file: Path) -> str:
    data = file.read_bytes()
    for encoding in ("utf-8-sig", "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("cp1252", errors="replace")
