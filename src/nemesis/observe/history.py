"""Hand histories as columns: `.phh` and `.phhs` files read at a hundred thousand hands a second, memory flat.

`read_histories(paths)` gives the hands of files and folders in their order, a batch at a time; `read_history(paths)` gives
them all at once. A `History` has a row for every hand (`hands`, a `HAND_ROW`: seats, stacks, payoffs, players, cards, who
showed), one for every action (`actions`, an `ACTION_ROW`: street, position, to call, pot, amount) and one for what the
source tells of a hand (`about`, an `ABOUT_ROW`: key, file, line, time, room, stakes, where the payoffs come from, what the
rules would have paid). Numbers of players, labels (rooms, tables, currencies) and games lead into lists that only grow from
batch to batch, so a number means the same in all batches of one reading. `tape()` gives a batch as a `Tape`.

Cards in `hole` are all that the file knows; only positions in `shown` turned theirs up. Payoffs are what the source
publishes, after rake; else what the rules give; else 0 (`about["result"]`).

Plain hands are read by compiled code (`observe.phh_rows`), all others by `observe.phh`. A hand that neither can read
is in `rejected` with its file, line and reason.
"""

from __future__ import annotations

import datetime
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.about import FROM_RULES, FROM_STACKS, FROM_WINNINGS, NO_TIME, UNKNOWN
from nemesis.observe.hand import Hand, HandError
from nemesis.observe.hand import replay as replayed
from nemesis.observe.phh import parse_hand, split_hands
from nemesis.observe.phh_rows import FINISHED, read_on
from nemesis.observe.phh_rules import copy_games, games_full
from nemesis.observe.phh_sheet import LABELS, new_games, new_scratch, new_sheet
from nemesis.observe.phh_source import LONGEST_ID, days_since_1970, key_of
from nemesis.observe.replay import GROSS, hand_files, published_payoffs, with_returned
from nemesis.observe.tape import Tape
from nemesis.observe.tape_of_hands import tape_of
from nemesis.observe.toml_bytes import (
    LONGEST_NAME,
    NOTHING,
    Names,
    grown,
    is_nearly_full,
    mix_bytes,
    mix_number,
    new_names,
    number_of,
    texts_of,
)
from nemesis.rules.betting import FOLD
from nemesis.rules.evaluator import evaluator_tables
from nemesis.rules.game import MAX_SEATS, STRUCTURES, Game

TEXT = 1 << 22
"""Bytes of text that make a batch."""
_EMPTY = np.frombuffer(b" ", np.uint8)


class Rejected(NamedTuple):
    """A hand that could not be read."""

    file: str
    line: int
    hand: str
    reason: str


@dataclass(frozen=True, eq=False)
class History:
    """A batch of hands as columns. `ids` are the hands' own names, as the source gives them."""

    hands: NDArray[np.void]
    actions: NDArray[np.void]
    about: NDArray[np.void]
    ids: NDArray[np.bytes_]
    rejected: list[Rejected]
    files: Sequence[str]
    games: Sequence[Game]
    players: Sequence[str]
    labels: Sequence[str]

    def __len__(self) -> int:
        return len(self.hands)

    def tape(self) -> Tape:
        """The hands as a tape, for `retell`, `teach` and statistics. Hands with a free fold cannot be retold."""
        return Tape(tuple(self.games), tuple(self.players), self.hands, self.actions)

    def without(self, empty: NDArray[np.bool_]) -> History:
        """The history without the marked hands, which have no actions."""
        row = np.cumsum(~empty) - 1
        actions = self.actions
        actions["hand"] = row[actions["hand"]]
        return replace(self, hands=self.hands[~empty], about=self.about[~empty], ids=self.ids[~empty])

    def part(self, chosen: NDArray[Any]) -> History:
        """The hands of these rows, given as numbers or as a mask, in that order."""
        rows = np.flatnonzero(chosen) if chosen.dtype == bool else chosen
        hands = self.hands[rows]
        counts = hands["actions"]
        first = np.cumsum(counts) - counts
        actions = self.actions[np.repeat(hands["first"] - first, counts) + np.arange(counts.sum())]
        hands["first"] = first
        actions["hand"] = np.repeat(np.arange(len(rows)), counts)
        return History(
            hands,
            actions,
            self.about[rows],
            self.ids[rows],
            self.rejected,
            self.files,
            self.games,
            self.players,
            self.labels,
        )


class Span(NamedTuple):
    """Text of a file: which, its bytes, and the number of its first line; or a hand of it, put into PHH."""

    file: int
    text: bytes
    line: int
    converted: bool = False


def read_history(paths: Iterable[str | Path]) -> History:
    """All hands of the files and folders."""
    parts = list(read_histories(paths))
    if not parts:
        raise HandError("there are no files to read hands from")
    return joined(parts)


def joined(parts: Sequence[History]) -> History:
    """Batches of one reading as one history."""
    last = parts[-1]
    hands = np.concatenate([part.hands for part in parts])
    hands["first"] = np.cumsum(hands["actions"]) - hands["actions"]
    actions = np.concatenate([part.actions for part in parts])
    actions["hand"] = np.repeat(np.arange(len(hands)), hands["actions"])
    hands["hand"] = np.where(hands["match"] > 0, hands["hand"], np.arange(len(hands)))
    about = np.concatenate([part.about for part in parts])
    ids = np.concatenate([part.ids for part in parts])
    rejected = [hand for part in parts for hand in part.rejected]
    return History(hands, actions, about, ids, rejected, last.files, last.games, last.players, last.labels)


def in_order_of_time(history: History) -> History:
    """The hands in the order of time; hands without a time stay behind the one before them."""
    times = history.about["time"].astype(np.int64)
    known = np.maximum.accumulate(np.where(times == NO_TIME, -1, np.arange(len(times))))
    order = np.argsort(np.where(known >= 0, times[np.maximum(known, 0)], NO_TIME), kind="stable")
    return history.part(order)


def read_histories(paths: Iterable[str | Path], text: int = TEXT) -> Iterator[History]:
    """The hands of the files and folders in their order, in batches of about `text` bytes."""
    reader = Reader()
    batch: list[Span] = []
    size = 0
    for path in paths:
        for file in hand_files(Path(path)):
            for span in reader.spans(file, text):
                batch.append(span)
                size += len(span.text)
                if size >= text:
                    yield reader.read(batch)
                    batch, size = [], 0
    if batch:
        yield reader.read(batch)


@dataclass
class Reader:
    """What is kept from batch to batch: names, games and files by number."""

    files: list[str] = field(default_factory=list)
    games: list[Game] = field(default_factory=list)
    players: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._players, self._labels = new_names(), new_names()
        self._table = new_games(0)
        self._slow_games: dict[tuple[object, ...], int] = {}
        self._scratch = new_scratch()

    def spans(self, path: Path, size: int = TEXT) -> Iterator[Span]:
        """The text of a file in pieces that begin with a hand."""
        number = self.file_number(path)
        try:
            with path.open("rb") as handle:
                yield from _pieces(number, handle, size)
        except OSError as error:
            raise HandError(f"{path} cannot be read: {error.strerror or error}") from error

    def file_number(self, path: Path) -> int:
        """The number of one more file."""
        self.files.append(str(path))
        return len(self.files) - 1

    def read(self, batch: Sequence[Span]) -> History:
        """The hands of these texts."""
        text = b"".join([*(span.text for span in batch), b"\n"])  # so that there is a byte behind every value
        data = _bytes(text)
        ends = np.cumsum([len(span.text) for span in batch])
        spans = np.zeros((len(batch), 3), np.int64)
        spans[:, 0], spans[:, 1] = np.concatenate([[0], ends[:-1]]), ends
        spans[:, 2] = [span.line for span in batch]
        most = text.count(b"\n[") + len(batch) + 1
        sheet = new_sheet(len(text), most, self._players, self._labels, self._table, self._scratch)
        while read_on(data, spans, sheet, evaluator_tables()) != FINISHED:
            self._more_room()
            sheet = sheet._replace(players=self._players, labels=self._labels, games=self._table)
        self._learn_names()
        self._learn_games()
        place = sheet.place[0]
        count = int(place["hands"])
        hands, about = sheet.hands[:count], sheet.about[:count]
        actions = sheet.actions[: int(place["actions"])]
        about["file"] = np.array([span.file for span in batch])[about["file"]]
        ids = _ids(sheet.ids, sheet.id_ends[:count])
        history = History(hands, actions, about, ids, [], self.files, self.games, self.players, self.labels)
        _take_back_uncalled(history)
        empty = [span for span in batch if not span.text]
        if place["odd"] or empty:
            history = self._settle(history, text, batch, sheet.odd[: int(place["odd"])])
        return history

    def _settle(self, history: History, text: bytes, batch: Sequence[Span], odd: NDArray[np.void]) -> History:
        """Ask the complete reader about the odd hands; those that it reads keep their place, the others are rejected."""
        rejected = history.rejected
        taken = np.ones(len(history), bool)
        more: list[NDArray[np.void]] = [history.actions]
        written = len(history.actions)
        ids = history.ids.tolist()
        for row, at, start, end, line in odd.tolist():
            file = self.files[batch[at].file]
            passage = next(split_hands(io.BytesIO(text[start:end]), file))
            passage = passage._replace(line=line)
            try:
                hand = parse_hand(passage)
                tape = tape_of([hand], ())
            except HandError as error:
                reason = str(error).removeprefix(file).removeprefix(f", hand [{passage.number}]").lstrip(", ")
                where, _, said = reason.partition(": ")
                number = where.removeprefix("line ")
                taken[row] = False
                at_line = int(number) if number.isdigit() and not batch[at].converted else line
                rejected.append(Rejected(file, at_line, passage.number or "1", said or reason))
                continue
            self._more_room()
            ids[row] = self._write(history, row, hand, tape, written)
            more.append(tape.actions)
            written += len(tape.actions)
        for span in batch:
            if not span.text:
                rejected.append(Rejected(self.files[span.file], 1, "1", "the file is empty"))
        self._learn_names()
        if len(more) == 1:
            return history.without(~taken)
        return replace(history, actions=np.concatenate(more), ids=np.array(ids, "S")).part(taken)

    def _write(self, history: History, row: int, hand: Hand, tape: Tape, first: int) -> bytes:
        """Write the rows of a hand that the complete reader took; returns its name."""
        told = dict(hand.source)
        game = hand.game
        key = tuple(value for name, value in vars(game).items() if name != "stacks")
        if key not in self._slow_games:
            self._slow_games[key] = len(self.games)
            self.games.append(game)
            self._table.counts[0] += 1
        d, b = history.hands[row : row + 1], history.about[row : row + 1]
        d[:] = tape.hands
        d["first"], d["rules"] = first, self._slow_games[key]
        if not (d["match"][0] or isinstance(told.get("_match"), int)):
            d["hand"] = row
        played = replayed(hand)
        published = published_payoffs(hand, played)
        seats = game.seats
        d["payoffs"][0, :seats] = published or played.payoffs or 0
        results = (hand.payoffs, FROM_STACKS), (hand.winnings, FROM_WINNINGS), (played.payoffs, FROM_RULES)
        b["result"] = next((code for given, code in results if given is not None), UNKNOWN)
        b["decided"] = played.payoffs is not None
        b["scale"], b["big_blind"] = hand.scale, game.bets[0]
        b["posts"] = sum(1 << p for p in hand.posts)
        b["free_folds"] = 0
        folded = {int(a["position"]) for a in tape.actions if a["action"] == FOLD}
        b["live"] = sum(1 << p for p in range(seats) if p not in folded)
        b["spent"], b["uncalled"], b["replayed"] = 0, 0, 0
        b["spent"][0, :seats], b["uncalled"][0, :seats] = played.spent, played.uncalled
        b["replayed"][0, :seats] = played.payoffs or 0
        b["time"] = _time(told)
        for name, source in (("room", "venue"), ("table", "table"), ("currency", "currency_symbol")):
            b[name] = self._number(str(told.get(source, "")), self._labels)
        names = hand.players or tuple(f"p{p + 1}" for p in range(seats))
        d["player"][0, :seats] = [self._number(name, self._players) for name in names]
        called = str(told.get("hand", "")).encode()[:LONGEST_ID]
        known = bool("venue" in told and called and b["time"][0] != NO_TIME)
        value = _mix(NOTHING, f"'{told['venue']}'".encode() if "venue" in told else b"")
        value = np.uint64(mix_number(_mix(value, called), b["time"][0]))
        for player in hand.players:
            value = _mix(value, player.encode())
        alone = d[0].copy()
        alone["first"] = 0
        b["key"] = key_of(alone, tape.actions, hand.scale, np.uint64(value), known)
        return called

    def _number(self, text: str, names: Names) -> int:
        raw = text.encode()[:LONGEST_NAME]
        data = np.frombuffer(raw, np.uint8) if raw else _EMPTY
        return int(number_of(data, 0, len(raw), names))

    def _more_room(self) -> None:
        """Room for the names and games of one more hand."""
        if is_nearly_full(self._players, MAX_SEATS):
            self._players = grown(self._players)
        if is_nearly_full(self._labels, LABELS):
            self._labels = grown(self._labels)
        self._learn_games()
        if games_full(self._table):
            old = self._table
            self._table = new_games(len(self.games), 4 * len(old.hashes))
            copy_games(old, self._table)

    def _learn_names(self) -> None:
        self.players += texts_of(self._players, len(self.players))
        self.labels += texts_of(self._labels, len(self.labels))

    def _learn_games(self) -> None:
        """Make games of the rules that were met first in this batch."""
        fresh = int(self._table.counts[1])
        self.games += [_game(rules) for rules in self._table.fresh[:fresh]]
        self._table.counts[1] = 0


def _take_back_uncalled(history: History) -> None:
    """Put payoffs right that were made from winnings with the uncalled bets among them, as `published_payoffs` does."""
    told = np.flatnonzero(history.about["result"] == FROM_WINNINGS)
    if told.size:
        b, payoffs = history.about[told], history.hands["payoffs"]
        rooms = np.array([label in GROSS for label in history.labels])
        returned, spent = b["uncalled"].sum(axis=1), b["spent"].sum(axis=1)
        gross = rooms[b["room"]] | with_returned(payoffs[told].sum(axis=1), returned, spent - returned)
        payoffs[told[gross]] -= b["uncalled"][gross]


def _bytes(text: bytes) -> NDArray[np.uint8]:
    """The text for compiled code; if it is not UTF-8, with control characters for what it cannot judge."""
    data = np.frombuffer(text, np.uint8) if text else _EMPTY
    try:
        text.decode()
    except UnicodeDecodeError:
        data = np.where(data < 128, data, np.uint8(1))
        data.flags.writeable = False  # one type for all texts, so one compilation
    return data


def _pieces(number: int, handle: Any, size: int) -> Iterator[Span]:
    """Cut a file before headers, about every `size` bytes."""
    line = 1
    rest = b""
    while True:
        block = handle.read(size)
        text = rest + block
        cut = len(text)
        if len(block) == size:
            cut = text.rfind(b"\n[") + 1
            while cut > 0 and not text[cut + 1 : cut + 2].isdigit():
                cut = text.rfind(b"\n[", 0, cut - 1) + 1
            if cut == 0:
                rest = text
                continue
        piece = text[:cut]
        if piece or line == 1:
            yield Span(number, piece, line)
        line += piece.count(b"\n")
        rest = text[cut:]
        if len(block) < size:
            return


def _ids(texts: NDArray[np.uint8], ends: NDArray[np.int64]) -> NDArray[np.bytes_]:
    """The names of hands, one after another in `texts`, as an array."""
    starts = np.concatenate([[0], ends[:-1]])
    lengths = ends - starts
    width = max(1, int(lengths.max(initial=1)))
    cells = np.zeros((len(ends), width), np.uint8)
    inside = np.arange(width) < lengths[:, None]
    cells[inside] = texts[: ends[-1] if len(ends) else 0]
    return cells.view(f"S{width}").reshape(len(ends))


def _game(rules: Any) -> Game:
    """The game of a record of rules."""
    seats = int(rules["seats"])
    structure = STRUCTURES[int(rules["structure"])]
    return Game(
        name=f"{structure} hold'em",
        structure=structure,
        stacks=tuple(rules["stacks"][:seats].tolist()),
        antes=tuple(rules["antes"][:seats].tolist()),
        blinds=tuple(rules["blinds"][:seats].tolist()),
        bets=tuple(rules["bets"].tolist()),
        first=tuple(rules["first"].tolist()),
        max_raises=(4, 4, 4, 4) if structure == "limit" else (),
    )


def _mix(value: Any, text: bytes) -> Any:
    data = np.frombuffer(text, np.uint8) if text else _EMPTY
    return np.uint64(mix_bytes(np.uint64(value), data, 0, len(text)))


def _time(told: dict[str, object]) -> int:
    """Seconds since 1970 by the source's clock."""
    year, month, day = (told.get(name) for name in ("year", "month", "day"))
    clock = told.get("time", datetime.time())
    if not (isinstance(year, int) and isinstance(month, int) and isinstance(day, int)):
        return int(NO_TIME)
    if not (1 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= 31) or not isinstance(clock, datetime.time):
        return int(NO_TIME)
    seconds = 3600 * clock.hour + 60 * clock.minute + clock.second
    return 86400 * int(days_since_1970(year, month, day)) + seconds
