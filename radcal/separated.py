"""Text tables: records with their line numbers, and why a record cannot be read."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from radcal.progress import SILENT, Progress
from radcal.text import Text

_MAX_OPEN_ENDS = 20
_BATCH = 5000
_SLICE = 1 << 20
"""Characters whose lines are found in one call."""
_LINE_END = re.compile(r"\r\n?|\n")


class Records(Protocol):
    """The type of csv.reader's result, which the standard library names for type checkers only."""

    @property
    def line_num(self) -> int: ...
    def __iter__(self) -> Iterator[list[str]]: ...


class Trouble(Enum):
    """Why a record cannot be read."""

    STRAY_QUOTE = Text("a quotation mark stands in the wrong place or is never closed")
    OPEN_QUOTE = Text("a quotation mark opens here and is never closed")
    TOO_LONG = Text("a cell is longer than any text that belongs there")


@dataclass(frozen=True, slots=True)
class Unread:
    """A record that could not be read.

    opened: the line in which the quotation mark stands, for an OPEN_QUOTE; else the line where the record begins
    """

    trouble: Trouble
    opened: int


@dataclass(frozen=True, slots=True)
class Dialect:
    """Separator and quoting."""

    delimiter: str
    escape: str | None = None
    skip_blank: bool = False
    quoting: bool = True

    def reader(self, lines: Iterable[str], *, strict: bool = False) -> Records:
        """The records of some lines; a ``strict`` one raises csv.Error at a quotation mark in the wrong place."""
        return csv.reader(
            lines,
            delimiter=self.delimiter,
            escapechar=self.escape,
            doublequote=True,
            skipinitialspace=self.skip_blank,
            quoting=csv.QUOTE_MINIMAL if self.quoting else csv.QUOTE_NONE,
            strict=strict,
        )


def lines_of(text: str, progress: Progress = SILENT) -> list[str]:
    """The lines with their ends, slice by slice, since one call for all could not be cancelled."""
    lines: list[str] = []
    start = 0
    while start < len(text):
        progress.raise_if_cancelled()
        end = _LINE_END.search(text, start + _SLICE)
        stop = len(text) if end is None else end.end()
        lines.extend(io.StringIO(text[start:stop], newline=""))
        start = stop
    return lines


def records_of(
    lines: Sequence[str], dialect: Dialect, skipped: int = 0, progress: Progress = SILENT
) -> Iterator[tuple[int, list[str] | Unread]]:
    """The records after the first ``skipped`` lines, each with the number of its first line, counted from 1.

    A record with a quotation mark in the wrong place is given up, and reading goes on in the line below
    its first: otherwise one stray mark would take the next patient's row into this patient's report.

    Raises:
        Cancelled: by ``progress``.
    """
    open_ends = 0
    while skipped < len(lines):
        progress.raise_if_cancelled()
        reader = dialect.reader(map(lines.__getitem__, range(skipped, len(lines))), strict=True)
        start = skipped + 1
        try:
            for n, row in enumerate(reader):
                yield start, row
                start = skipped + reader.line_num + 1
                if n % _BATCH == 0:
                    progress.raise_if_cancelled()
            break
        except csv.Error as error:
            at_end = "end of data" in str(error)
            trouble = Trouble.OPEN_QUOTE if at_end else Trouble.STRAY_QUOTE
            if "field limit" in str(error):
                trouble = Trouble.TOO_LONG
            yield start, Unread(trouble, _opened(lines, start) if at_end else start)
            open_ends += skipped + reader.line_num == len(lines)
            skipped = start
        if open_ends > _MAX_OPEN_ENDS:
            # Each of them was read to the end of the file: do not do that for every line.
            dialect = Dialect(dialect.delimiter, quoting=False)


def _opened(lines: Sequence[str], start: int) -> int:
    """The line of the opening quotation mark that keeps the record of line ``start`` from ending."""
    opened, quoted = start, False
    for line in range(start, len(lines) + 1):
        if lines[line - 1].count('"') % 2:
            quoted = not quoted
            opened = line if quoted else opened
    return opened
