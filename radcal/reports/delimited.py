"""CSV and similar formats: any usual separator and quoting, with the line number of every record."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import compress, islice

from radcal.reports.reasons import OF_DOUBT, OPEN_QUOTE, STRAY_QUOTE, UNENDED_ROW, Doubt
from radcal.reports.table import Cell, Fault, Table
from radcal.system.errors import InputError
from radcal.system.progress import Progress
from radcal.system.separated import Dialect, Trouble, Unread, batches_of

HEADER_ROWS = 20
"""The header is one of this many first rows: some systems print a title above it."""

MOST_COLUMNS = 16_384
"""Columns of the widest table that is read: as many as an Excel sheet has."""

_SAMPLE_LINES = 2000
_SAMPLE_RECORDS = 200
_SEP_LINE = re.compile(r"sep=(.)\s*", re.IGNORECASE)


def read_delimited(
    lines: list[str], file: str, recognise: Callable[[Sequence[Cell]], int], progress: Progress
) -> Table:
    """The records of a text table.  A misplaced quotation mark makes only its own line unreadable.

    Args:
        lines: all of the file, with their endings
        file: its name, for the list of faults
        recognise: the number of known column names in a possible header; decides between separators

    Raises:
        InputError: one of the first lines has more cells than any table.
    """
    limit = csv.field_size_limit(2**31 - 1)
    try:
        return _read(lines, file, recognise, progress)
    finally:
        csv.field_size_limit(limit)  # it applies to the whole process, and other tables keep the lower limit


def _read(lines: list[str], file: str, recognise: Callable[[Sequence[Cell]], int], progress: Progress) -> Table:
    separators, skipped = ",;\t|", 0
    if lines and (match := _SEP_LINE.fullmatch(lines[0].rstrip("\r\n"))):
        separators, skipped = match.group(1), 1
    if any(line.count(separator) >= MOST_COLUMNS for line in lines[:HEADER_ROWS] for separator in separators):
        raise InputError(
            "{file} has more than {most:,} columns, more than a table of reports has. Export the columns with the "
            "reports alone, or check that its rows end in line breaks.",
            file=file,
            most=MOST_COLUMNS,
        )
    dialect = _best_dialect(lines[skipped : skipped + _SAMPLE_LINES], separators, recognise)
    table = _parse(lines, skipped, file, dialect, progress)
    if any('"' in line for line in lines) and (bad := _misfits(table, recognise)):
        # Tab-separated exports often do not quote at all: a quotation mark is then an ordinary character.
        plain = _parse(lines, skipped, file, Dialect(dialect.delimiter, quoting=False), progress)
        if _misfits(plain, recognise) < bad and not _quotes(plain):
            return _without_open_end(plain)
    return table


def best_header(rows: Sequence[Sequence[Cell]], recognise: Callable[[Sequence[Cell]], int]) -> tuple[int, int]:
    """The first row with the most known column names among the first rows, and their number: (row, known)."""
    known, negative = max(((recognise(row), -i) for i, row in enumerate(rows[:HEADER_ROWS])), default=(0, 0))
    return -negative, known


def _best_dialect(sample: list[str], separators: str, recognise: Callable[[Sequence[Cell]], int]) -> Dialect:
    text = "".join(sample)

    def score(dialect: Dialect) -> tuple[int, float, int]:
        records = [r for r in islice(iter(dialect.reader(sample)), _SAMPLE_RECORDS) if any(r)]
        if not records:
            return (0, 0.0, 0)
        header, known = best_header(records, recognise)
        width = len(records[header])
        below = records[header + 1 :]
        share = sum(len(r) == width for r in below) / len(below) if below else 1.0
        return (known, share, width)

    dialects = [
        Dialect(separator, escape, skip)
        for separator in separators
        for escape in ((None, "\\") if '\\"' in text else (None,))
        for skip in ((False, True) if f'{separator} "' in text else (False,))
    ]
    return max(dialects, key=score)


def _misfits(table: Table, recognise: Callable[[Sequence[Cell]], int]) -> int:
    """The number of unusable rows below the header."""
    header, _ = best_header(table.rows, recognise)
    if header >= len(table.rows):
        return len(table.faults)
    return len(table.body(header)[1])


def _quotes(plain: Table) -> bool:
    """Whether a table that was read without quoting has cells in quotation marks."""
    return any(len(c) > 1 and c[0] == c[-1] == '"' for row in plain.rows for c in row if isinstance(c, str))


def _without_open_end(plain: Table) -> Table:
    """Such a table without the row in which a quotation mark only opens, if there is one such row and no row behind it
    is as wide: it is cut short."""
    opened = [n for n, row in enumerate(plain.rows) if any(c[:1] == '"' and c.count('"') % 2 for c in map(str, row))]
    if len(opened) != 1 or any(len(row) >= len(plain.rows[opened[0]]) for row in plain.rows[opened[0] + 1 :]):
        return plain
    [at] = opened
    fault = Fault(plain.file, plain.lines[at], OPEN_QUOTE)
    return replace(plain, rows=plain.rows[:at], lines=plain.lines[:at], faults=[*plain.faults, fault], doubts=[])


def _parse(lines: list[str], skipped: int, file: str, dialect: Dialect, progress: Progress) -> Table:
    """The records of ``lines`` after the first ``skipped``."""
    rows: list[list[str]] = []
    starts: list[int] = []
    faults: list[Fault] = []
    last: list[list[str]] | Unread = []
    for begun, last in batches_of(lines, dialect, skipped, progress):
        if isinstance(last, Unread):
            reason = OPEN_QUOTE if last.trouble is Trouble.OPEN_QUOTE else STRAY_QUOTE
            faults.append(Fault(file, begun[0], reason))
            continue
        filled = list(map(any, last))
        rows.extend(compress(last, filled))
        starts.extend(compress(begun, filled))
    damaged = [at for at, row in zip(starts, rows, strict=True) if "\ufffd" in "".join(row)]
    cut = bool(lines) and not lines[-1].endswith(("\n", "\r")) and isinstance(last, list) and any(map(any, last[-1:]))
    doubts = [Fault(file, at, OF_DOUBT[Doubt.DAMAGED]) for at in damaged]
    doubts += [Fault(file, starts[-1], UNENDED_ROW)] if cut else []
    # Lists are invariant, but the cells are never replaced.
    return Table(file, rows, starts, faults, doubts=doubts)  # type: ignore[arg-type]
