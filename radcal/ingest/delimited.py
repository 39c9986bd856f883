"""CSV and its relatives: any usual separator and quoting, the true line of every record."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Protocol

from radcal.ingest.reasons import UNCLOSED_QUOTE
from radcal.ingest.table import Cell, Fault, Table, name_count
from radcal.progress import Progress

HEADER_ROWS = 20
"""A header is looked for in this many rows: some systems print a title above it."""

_SAMPLE_LINES = 2000
_SAMPLE_RECORDS = 200
_MAX_RESUMPTIONS = 20
_BATCH = 5000
_END = "\ue000end"
"""A record of its own after the last line: missing where a quotation mark is still open."""
_SEP_LINE = re.compile(r"sep=(.)\s*", re.IGNORECASE)


class _Records(Protocol):
    """What csv.reader returns; the standard library names its type only for type checkers."""

    @property
    def line_num(self) -> int: ...
    def __iter__(self) -> Iterator[list[str]]: ...


@dataclass(frozen=True, slots=True)
class _Dialect:
    delimiter: str
    escape: str | None = None
    skip_blank: bool = False
    quoting: bool = True

    def reader(self, lines: Iterable[str]) -> _Records:
        return csv.reader(
            lines,
            delimiter=self.delimiter,
            escapechar=self.escape,
            doublequote=True,
            skipinitialspace=self.skip_blank,
            quoting=csv.QUOTE_MINIMAL if self.quoting else csv.QUOTE_NONE,
            strict=False,
        )


def read_delimited(text: str, file: str, recognise: Callable[[Sequence[Cell]], int], progress: Progress) -> Table:
    """The records of a text table.

    Args:
        text: the whole file, decoded
        file: its name, for the list of faults
        recognise: how many columns of a possible header are known by name; decides between separators
        progress: asked now and then whether to stop

    A quotation mark that is opened and never closed costs the line it stands in: reading goes on below.
    """
    csv.field_size_limit(2**31 - 1)
    lines = list(io.StringIO(text, newline=""))
    separators, skipped = ",;\t|", 0
    if lines and (match := _SEP_LINE.fullmatch(lines[0].rstrip("\r\n"))):
        separators, skipped = match.group(1), 1
    dialect = _best_dialect(lines[skipped : skipped + _SAMPLE_LINES], separators, recognise)
    table = _parse(lines, skipped, file, dialect, progress)
    if '"' in text and (bad := _misfits(table, recognise)):
        # Tab-separated exports often do not quote at all, so that a quotation mark is just a character.
        plain = _parse(lines, skipped, file, _Dialect(dialect.delimiter, quoting=False), progress)
        if _misfits(plain, recognise) < bad:
            return plain
        return _rescue(table, lines, dialect, recognise)
    return table


def best_header(rows: Sequence[Sequence[Cell]], recognise: Callable[[Sequence[Cell]], int]) -> tuple[int, int]:
    """The row among the first few with the most known column names, and how many: (row, known)."""
    known, negative = max(((recognise(row), -i) for i, row in enumerate(rows[:HEADER_ROWS])), default=(0, 0))
    return -negative, known


def _best_dialect(sample: list[str], separators: str, recognise: Callable[[Sequence[Cell]], int]) -> _Dialect:
    text = "".join(sample)

    def score(dialect: _Dialect) -> tuple[int, float, int]:
        records = [r for r in islice(iter(dialect.reader(sample)), _SAMPLE_RECORDS) if any(r)]
        if not records:
            return (0, 0.0, 0)
        header, known = best_header(records, recognise)
        width = len(records[header])
        below = records[header + 1 :]
        share = sum(len(r) == width for r in below) / len(below) if below else 1.0
        return (known, share, width)

    dialects = [
        _Dialect(separator, escape, skip)
        for separator in separators
        for escape in ((None, "\\") if '\\"' in text else (None,))
        for skip in ((False, True) if f'{separator} "' in text else (False,))
    ]
    return max(dialects, key=score)


def _misfits(table: Table, recognise: Callable[[Sequence[Cell]], int]) -> int:
    """How many rows below the header cannot be used."""
    header, _ = best_header(table.rows, recognise)
    if header >= len(table.rows):
        return len(table.faults)
    return len(table.body(header)[1])


def _parse(lines: list[str], skipped: int, file: str, dialect: _Dialect, progress: Progress) -> Table:
    rows: list[list[Cell]] = []
    starts: list[int] = []
    faults: list[Fault] = []
    for attempt in range(_MAX_RESUMPTIONS):
        if attempt == _MAX_RESUMPTIONS - 1:
            dialect = _Dialect(dialect.delimiter, quoting=False)
        progress.raise_if_cancelled()
        reader = dialect.reader(chain(islice(lines, skipped, None), (_END,)))
        start = skipped + 1
        row: list[str] = []
        for n, row in enumerate(reader):
            if any(row):
                rows.append(row)  # type: ignore[arg-type]  # a list of str is read as a list of cells, never written to
                starts.append(start)
            start = skipped + reader.line_num + 1
            if n % _BATCH == 0:
                progress.raise_if_cancelled()
        rows.pop()
        last = starts.pop()
        if row == [_END]:
            break
        faults.append(Fault(file, last, UNCLOSED_QUOTE))
        skipped = last
    return Table(file, rows, starts, faults)


def _rescue(table: Table, lines: list[str], dialect: _Dialect, recognise: Callable[[Sequence[Cell]], int]) -> Table:
    """Give back the rows that a stray quotation mark has swallowed.

    A misfit over several lines whose lines but the first are all proper rows is such a case.
    """
    header, _ = best_header(table.rows, recognise)
    width = name_count(table.rows[header])
    rows, starts, faults = list(table.rows[: header + 1]), list(table.lines[: header + 1]), list(table.faults)
    ends = [*(line - 1 for line in table.lines[1:]), len(lines)]
    for row, start, end in zip(table.rows[header + 1 :], table.lines[header + 1 :], ends[header + 1 :], strict=True):
        if len(row) != width and end > start and (inner := _rows_of(lines[start:end], start, width, dialect)):
            faults.append(Fault(table.file, start, UNCLOSED_QUOTE))
            for inner_row, line in inner:
                rows.append(inner_row)
                starts.append(line)
        else:
            rows.append(row)
            starts.append(start)
    return Table(table.file, rows, starts, faults)


def _rows_of(lines: list[str], above: int, width: int, dialect: _Dialect) -> list[tuple[list[Cell], int]]:
    """The rows in ``lines``, which begin below line ``above``; none unless all of them have ``width`` cells."""
    found: list[tuple[list[Cell], int]] = []
    reader = dialect.reader(lines)
    start = above + 1
    for row in reader:
        if any(row):
            if len(row) != width:
                return []
            found.append(([*row], start))
        start = above + reader.line_num + 1
    return found
