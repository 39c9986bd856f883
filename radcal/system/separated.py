"""Delimited text tables: records with line numbers, and reasons for unreadable records."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text

_MAX_OPEN_ENDS = 20
BATCH = 500
"""Records read at once: with more of them alive, Python's collector of garbage takes longer than the reading."""
_SLICE = 1 << 20
"""Characters split into lines in one call, because a call for all could not be cancelled."""


class Records(Protocol):
    """The type of a csv.reader, which the standard library does not export at run time."""

    @property
    def line_num(self) -> int: ...
    def __iter__(self) -> Iterator[list[str]]: ...


class Trouble(Enum):
    """Why a record cannot be read: the reason and the remedy as they are told."""

    STRAY_QUOTE = (
        Text("A quotation mark stands in the wrong place."),
        Text("Remove the quotation mark, or double it."),
    )
    OPEN_QUOTE = (
        Text("A quotation mark opens here and is never closed."),
        Text("Close or remove the quotation mark."),
    )
    TOO_LONG = (
        Text("A cell is longer than any field of such a table."),
        Text("Shorten the cell or remove the row."),
    )


@dataclass(frozen=True, slots=True)
class Unread:
    """An unreadable record.

    opened: line of the opening quotation mark for OPEN_QUOTE, otherwise the first line of the record
    """

    trouble: Trouble
    opened: int


@dataclass(frozen=True, slots=True)
class Dialect:
    """Delimiter and quoting."""

    delimiter: str
    escape: str | None = None
    skip_blank: bool = False
    quoting: bool = True

    def reader(self, lines: Iterable[str], *, strict: bool = False) -> Records:
        """The records of lines; ``strict`` raises csv.Error at a misplaced quotation mark."""
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
    """The lines of a text with their endings."""
    return lines_in((text[start : start + _SLICE] for start in range(0, len(text), _SLICE)), progress)


def lines_in(parts: Iterable[str], progress: Progress = SILENT) -> list[str]:
    """The lines with their endings of a text that comes in parts, which need not end where lines do.

    Raises:
        Cancelled: by ``progress``, between parts.
    """
    lines: list[str] = []
    begun: list[str] = []
    for part in parts:
        progress.raise_if_cancelled()
        begun.append(part)
        if "\n" in part or "\r" in part:
            lines.extend(io.StringIO("".join(begun), newline=""))
            # The last line may go on in the next part, as may its ending "\r\n".
            begun = [] if lines[-1].endswith("\n") else [lines.pop()]
    if any(begun):
        lines.extend(io.StringIO("".join(begun), newline=""))
    return lines


def records_of(lines: Sequence[str], dialect: Dialect) -> Iterator[tuple[int, list[str] | Unread]]:
    """The records of :func:`batches_of` one by one, each with the 1-based number of its first line."""
    for starts, rows in batches_of(lines, dialect):
        if isinstance(rows, Unread):
            yield starts[0], rows
        else:
            yield from zip(starts, rows, strict=True)


def batches_of(
    lines: Sequence[str], dialect: Dialect, skipped: int = 0, progress: Progress = SILENT
) -> Iterator[tuple[list[int], list[list[str]] | Unread]]:
    """The records after the first ``skipped`` lines, a few thousand at a time, with the 1-based numbers of their lines.

    An unreadable record comes alone.  After a record with a misplaced quotation mark, reading resumes in its second
    line: otherwise a stray mark would merge the next patient's row into this patient's report.

    Raises:
        Cancelled: by ``progress``, between batches.
    """
    open_ends = 0
    while skipped < len(lines):
        reader = dialect.reader(map(lines.__getitem__, range(skipped, len(lines))), strict=True)
        start = skipped + 1
        starts: list[int] = []
        rows: list[list[str]] = []
        trouble: Trouble | None = None
        try:
            for row in reader:
                starts.append(start)
                rows.append(row)
                start = skipped + reader.line_num + 1
                if len(rows) == BATCH:
                    progress.raise_if_cancelled()
                    yield starts, rows
                    starts, rows = [], []
        except csv.Error as error:
            trouble = Trouble.OPEN_QUOTE if "end of data" in str(error) else Trouble.STRAY_QUOTE
            if "field limit" in str(error):
                trouble = Trouble.TOO_LONG
        progress.raise_if_cancelled()
        if rows:
            yield starts, rows
        if trouble is None:
            break
        yield [start], Unread(trouble, _opened(lines, start) if trouble is Trouble.OPEN_QUOTE else start)
        open_ends += skipped + reader.line_num == len(lines)
        skipped = start
        if open_ends > _MAX_OPEN_ENDS:
            # Each of these was read to the end of the file, which must not happen for every line.
            dialect = Dialect(dialect.delimiter, quoting=False)


def _opened(lines: Sequence[str], start: int) -> int:
    """Line of the unclosed quotation mark in the record that starts at line ``start``."""
    opened, quoted = start, False
    for line in range(start, len(lines) + 1):
        if lines[line - 1].count('"') % 2:
            quoted = not quoted
            opened = line if quoted else opened
    return opened
