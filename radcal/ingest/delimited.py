"""CSV and its relatives: any usual separator and quoting, the true line of every record."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from radcal.ingest.reasons import STRAY_QUOTE
from radcal.ingest.table import Cell, Fault, Table
from radcal.progress import Progress

HEADER_ROWS = 20
"""A header is looked for in this many rows: some systems print a title above it."""

_SAMPLE_LINES = 2000
_SAMPLE_RECORDS = 200
_MAX_OPEN_ENDS = 20
_BATCH = 5000
_SLICE = 1 << 20
"""Characters whose lines are found in one call."""
_LINE_END = re.compile(r"\r\n?|\n")
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

    def reader(self, lines: Iterable[str], *, strict: bool = False) -> _Records:
        return csv.reader(
            lines,
            delimiter=self.delimiter,
            escapechar=self.escape,
            doublequote=True,
            skipinitialspace=self.skip_blank,
            quoting=csv.QUOTE_MINIMAL if self.quoting else csv.QUOTE_NONE,
            strict=strict,
        )


def read_delimited(text: str, file: str, recognise: Callable[[Sequence[Cell]], int], progress: Progress) -> Table:
    """The records of a text table.

    Args:
        text: the whole file, decoded
        file: its name, for the list of faults
        recognise: how many columns of a possible header are known by name; decides between separators
        progress: asked now and then whether to stop

    A quotation mark in the wrong place costs the line it stands in: reading goes on below.
    """
    limit = csv.field_size_limit(2**31 - 1)
    try:
        return _read(text, file, recognise, progress)
    finally:
        csv.field_size_limit(limit)  # it is the whole process's, and other tables are better refused


def _read(text: str, file: str, recognise: Callable[[Sequence[Cell]], int], progress: Progress) -> Table:
    lines = _lines(text, progress)
    separators, skipped = ",;\t|", 0
    if lines and (match := _SEP_LINE.fullmatch(lines[0].rstrip("\r\n"))):
        separators, skipped = match.group(1), 1
    dialect = _best_dialect(lines[skipped : skipped + _SAMPLE_LINES], separators, recognise)
    table = _parse(lines, skipped, file, dialect, progress)
    if '"' in text and (bad := _misfits(table, recognise)):
        # Tab-separated exports often do not quote at all, so that a quotation mark is just a character.
        plain = _parse(lines, skipped, file, _Dialect(dialect.delimiter, quoting=False), progress)
        if _misfits(plain, recognise) < bad and not _quotes(plain):
            return plain
    return table


def _lines(text: str, progress: Progress) -> list[str]:
    """The lines with their ends; slice by slice, because a single call for all of them cannot be stopped."""
    lines: list[str] = []
    start = 0
    while start < len(text):
        progress.raise_if_cancelled()
        end = _LINE_END.search(text, start + _SLICE)
        stop = len(text) if end is None else end.end()
        lines.extend(io.StringIO(text[start:stop], newline=""))
        start = stop
    return lines


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


def _quotes(plain: Table) -> bool:
    """Whether a table that was read without quoting has cells in quotation marks: then it is quoted after all."""
    return any(len(c) > 1 and c[0] == c[-1] == '"' for row in plain.rows for c in row if isinstance(c, str))


def _parse(lines: list[str], skipped: int, file: str, dialect: _Dialect, progress: Progress) -> Table:
    """The records of ``lines`` below the first ``skipped``.

    A record with a quotation mark in the wrong place is given up, and reading goes on in the line below
    its first: otherwise one stray mark would take the next patient's row into this patient's report.
    """
    rows: list[list[Cell]] = []
    starts: list[int] = []
    faults: list[Fault] = []
    open_ends = 0
    while skipped < len(lines):
        progress.raise_if_cancelled()
        reader = dialect.reader(map(lines.__getitem__, range(skipped, len(lines))), strict=True)
        start = skipped + 1
        try:
            for n, row in enumerate(reader):
                if any(row):
                    rows.append(row)  # type: ignore[arg-type]  # a list of str is a list of cells that nobody writes to
                    starts.append(start)
                start = skipped + reader.line_num + 1
                if n % _BATCH == 0:
                    progress.raise_if_cancelled()
            break
        except csv.Error:
            faults.append(Fault(file, start, STRAY_QUOTE))
            open_ends += skipped + reader.line_num == len(lines)
            skipped = start
        if open_ends > _MAX_OPEN_ENDS:
            # Each of them was read to the end of the file: do not do that for every line.
            dialect = _Dialect(dialect.delimiter, quoting=False)
    return Table(file, rows, starts, faults)
