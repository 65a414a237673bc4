"""Listings: rows under headings that can be read at any width.

A cell is never cut. If the rows do not fit, the columns of prose wrap; if that leaves them too narrow to read, every row is
printed as a block of `heading: cell` lines instead.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rich.console import Console, ConsoleOptions, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

_GAP = 2
_NARROWEST_PROSE = 24

Cell = str | Text


class Listing:
    """Rows of cells under headings, the numbers of columns in `right` flush right, `prose` may wrap."""

    def __init__(self, *headings: str, prose: Collection[str] = (), right: Collection[str] = ()) -> None:
        self.headings = headings
        self.prose = prose
        self.right = right
        self.rows: list[tuple[Text, ...]] = []

    def add(self, *cells: Cell) -> None:
        """One more row."""
        self.rows.append(tuple(cell if isinstance(cell, Text) else Text(cell) for cell in cells))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        yield self._table() if self._fits(options.max_width) else self._blocks()

    def _fits(self, width: int) -> bool:
        columns = zip(self.headings, zip(*self.rows, strict=True), strict=True) if self.rows else ()
        needed = 0
        for heading, cells in columns:
            widest = max(len(heading), *(cell.cell_len for cell in cells))
            needed += _GAP + (min(widest, _NARROWEST_PROSE) if heading in self.prose else widest)
        return needed - _GAP <= width

    def _table(self) -> Table:
        table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold", show_header=self._headed)
        for heading in self.headings:
            prose = heading in self.prose
            table.add_column(
                heading,
                no_wrap=not prose,
                overflow="fold",
                justify="right" if heading in self.right else "left",
                min_width=None if prose else len(heading),
            )
        for row in self.rows:
            table.add_row(*row)
        return table

    @property
    def _headed(self) -> bool:
        return any(self.headings)

    def _blocks(self) -> Table:
        table = Table.grid()
        for row in self.rows:
            table.add_row(Text.assemble(row[0], overflow="fold"))
            for heading, cell in zip(self.headings[1:], row[1:], strict=True):
                if cell.plain:
                    label = Text(f"{heading}: " if heading else "", "dim")
                    table.add_row(Padding(Text.assemble(label, cell, overflow="fold"), (0, 0, 0, _GAP)))
        return table
