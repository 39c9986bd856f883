"""Files of observations: one line for each statement, with what the reference said of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from radcal import inputs
from radcal.cells import freed
from radcal.errors import InputError
from radcal.progress import SILENT, Progress
from radcal.quoting import NO_COLUMN_NAMES, column_list
from radcal.records import OBSERVATION_COLUMNS, REJECTED_COLUMNS
from radcal.separated import Dialect, Trouble, Unread, lines_of, records_of
from radcal.text import Text, joined

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

_REJECTED = [name for name in REJECTED_COLUMNS if name != "accession"]
_SEP_LINE = re.compile(r"sep=.?", re.IGNORECASE)
_WORDS = ("author", "topic", "phrase", "reference_phrase")
_BATCH = 5000
"""Rows that are read before their cells are put into columns."""
_SPLIT_DECIMAL = re.compile(r"\s*(?:0?,\d+|1,0+)\s*")
_STRAY = (Text("A quotation mark stands in the wrong place."), Text("Remove the quotation mark, or double it."))
_TROUBLES = {
    Trouble.STRAY_QUOTE: _STRAY,
    Trouble.OPEN_QUOTE: (
        Text("A quotation mark opens here and is never closed."),
        Text("Close or remove the quotation mark."),
    ),
    Trouble.TOO_LONG: (
        Text("A cell is longer than any field of such a table."),
        Text("Shorten the cell or remove the row."),
    ),
}
_MORE = (
    Text("The row has more cells than there are columns."),
    Text("Put text that holds the separator in quotes."),
)
_FEWER = (
    Text("The row has fewer cells than there are columns."),
    Text("Fill in the missing cells, or remove the row."),
)
_DECIMAL_COMMA = (
    Text("The outcome has a decimal comma, and commas separate the cells of this file."),
    Text("Write it with a point, 0.5, or separate the cells by semicolons."),
)


class ObservationFile(NamedTuple):
    """The rows that can be used, and those that cannot with file, row and reason (_REJECTED)."""

    observations: pd.DataFrame
    rejected: pd.DataFrame


def read_observations(path: Path, progress: Progress = SILENT) -> ObservationFile:
    """Observations from a file separated by commas, semicolons, tabs or vertical bars.

    The file has a header with author, topic, phrase and outcome (0-1) or reference_phrase, in any case and
    order; where it has both of the last two, the outcomes count unless the column is empty.  In files
    not separated by commas the decimal sign may be a comma; "true" and "false" are outcomes of 1 and 0.
    Further columns are kept as text, blank lines are no rows.  A row with more or fewer cells than the header is
    rejected: nobody can tell which cell belongs where.  The encoding is UTF-8, UTF-16 with its mark, or
    else Windows-1252.

    Returns:
        Observations, the words as categories and outcomes as numbers, and the rejected rows.  A row's number
        is that of the line in which it begins, 1 for the first of the file.

    Raises:
        InputError: the file cannot be read, is empty, lacks a column, or none of its rows can be used.
        Cancelled: by ``progress``.
    """
    import pandas as pd

    path = Path(path)
    lines = lines_of(inputs.read_text(path, progress), progress)
    lead = _lead(lines)
    if lead == len(lines):
        raise InputError("{name} is empty. Choose a file with observations.", name=path.name)
    separator = _separator(lines[lead])
    frame, bad = _parse(path, lines, separator, lead, progress)

    for column in ("author", "topic", "phrase"):
        if column not in frame:
            there = column_list(list(frame.columns), OBSERVATION_COLUMNS)
            columns = Text("Its columns are: {shown}.", shown=there) if there else NO_COLUMN_NAMES
            raise InputError(
                "{name} has no column {column!r}. {columns}", name=path.name, column=column, columns=columns
            )
    if "outcome" in frame and "reference_phrase" in frame and (frame["outcome"].str.strip() == "").all():
        frame = frame.drop(columns="outcome")
    if "outcome" not in frame and "reference_phrase" not in frame:
        raise InputError(
            "{name} has neither a column 'outcome' nor 'reference_phrase'. Add one of them.", name=path.name
        )

    usable = pd.Series(data=True, index=frame.index)
    judged = "outcome" if "outcome" in frame else "reference_phrase"
    for column in ("author", "topic", "phrase", judged):
        if column == "outcome":
            text = frame["outcome"].str.strip()
            number = pd.to_numeric(text if separator == "," else text.str.replace(",", "."), errors="coerce")
            if number.isna().any():
                number = number.fillna(text.str.casefold().map({"true": 1.0, "false": 0.0}))
            frame["outcome"] = number
            _reject(bad, usable, text == "", "The outcome is missing.", "Enter a number from 0 to 1.")
            _reject(bad, usable, number.isna(), "The outcome is no number.", "Enter a number from 0 to 1.")
            _reject(bad, usable, ~number.between(0, 1), "The outcome is outside 0 to 1.", "Enter a number from 0 to 1.")
        else:
            name = column.replace("_", " ")
            _reject(bad, usable, frame[column] == "", f"The {name} is missing.", f"Enter the {name}.")
    rows = [(path.name, row, reason, remedy) for row, reason, remedy in sorted(bad)]
    if rows and not usable.any():
        _, row, reason, remedy = rows[0]
        raise InputError(
            "No row of {name} can be used. The first of {n} is row {row}. {reason} {remedy}",
            name=path.name,
            n=len(rows),
            row=row,
            reason=reason,
            remedy=remedy,
        )
    return ObservationFile(frame if usable.all() else frame[usable], pd.DataFrame(rows, columns=pd.Index(_REJECTED)))


def _lead(lines: Sequence[str]) -> int:
    """How many lines come before the first that is neither blank nor a spreadsheet's "sep=;"."""
    counts = (n for n, line in enumerate(lines) if line.strip() and not _SEP_LINE.fullmatch(line.strip()))
    return next(counts, len(lines))


def _separator(header: str) -> str:
    """The one that splits the header into the most columns that are meant for us."""
    return max(",;\t|", key=lambda s: sum(_name(cell) in OBSERVATION_COLUMNS for cell in header.split(s)))


def _name(cell: str) -> str:
    """A column's name: ours in lower case, others verbatim."""
    cell = cell.strip().strip('"').strip()
    return cell.casefold() if cell.casefold() in OBSERVATION_COLUMNS else cell


def _parse(
    path: Path, lines: Sequence[str], separator: str, lead: int, progress: Progress
) -> tuple[pd.DataFrame, list[tuple[int, str, str]]]:
    """The records below ``lead`` lines by their line, and the lines that hold none, with reason and remedy."""
    import pandas as pd

    records = records_of(lines, Dialect(separator), lead, progress)
    line, header = next(records)
    if isinstance(header, Unread):
        raise InputError(
            "{name}, line {line}: the header cannot be read. {troubles}",
            name=path.name,
            line=line,
            troubles=joined(_TROUBLES[header.trouble]),
        )
    names = [_name(cell) for cell in header]
    width = max((n for n, name in enumerate(names, 1) if name), default=0)
    names = [name if name not in names[:n] else "" for n, name in enumerate(names)]  # of two alike the first counts
    place = names.index("outcome") if "outcome" in names and separator == "," else None
    columns = {name: _Words() if name in _WORDS else _Texts() for name in names if name}
    rows: list[list[str]] = []
    starts: list[int] = []
    bad: list[tuple[int, str, str]] = []

    def put_away() -> None:
        # Before there are so many that Python's collector of garbage spends its time on them.
        for name, cells in zip(names, zip(*rows, strict=True), strict=bool(rows)):
            if name:
                columns[name].add(cells)
        rows.clear()

    for line, cells in records:
        if isinstance(cells, Unread):
            bad.append((line, *_TROUBLES[cells.trouble]))
        elif len(cells) == len(names) and (width == len(names) or not any(cells[width:])):
            starts.append(line)
            rows.append(cells)
            if len(rows) == _BATCH:
                put_away()
        elif any(cell.strip() for cell in cells):
            bad.append((line, *_ragged(cells, len(names), place)))
    put_away()
    index = pd.Index(starts, dtype="int64")
    frame = pd.DataFrame({name: column.series(index) for name, column in columns.items()}, index=index)
    return _without_blank_lines(frame), bad


class _Texts:
    """A column of text."""

    def __init__(self) -> None:
        self._cells: list[str] = []

    def add(self, cells: Sequence[str]) -> None:
        """Put further cells below."""
        self._cells += cells

    def series(self, index: pd.Index[int]) -> pd.Series[Any]:
        """The whole column."""
        import pandas as pd

        return pd.Series(self._cells, index=index, dtype="str")


class _Words:
    """A column of words that occur again and again: kept as categories, without guards and spaces around them."""

    def __init__(self) -> None:
        self._plain: dict[str, int] = {}
        self._code_of: dict[str, int] = {}
        self._codes: list[int] = []

    def add(self, cells: Sequence[str]) -> None:
        """Put further cells below."""
        for word in set(cells).difference(self._code_of):
            self._code_of[word] = self._plain.setdefault(freed(word).strip(), len(self._plain))
        self._codes += map(self._code_of.__getitem__, cells)

    def series(self, index: pd.Index[int]) -> pd.Series[Any]:
        """The whole column, its categories in alphabetical order."""
        import pandas as pd

        words = pd.Categorical.from_codes(self._codes, pd.Index(list(self._plain), dtype="str"))
        return pd.Series(words.reorder_categories(sorted(self._plain)), index=index)


def _ragged(cells: Sequence[str], width: int, place: int | None) -> tuple[str, str]:
    """What is wrong with a row that is not as wide as the header; ``place`` is the outcome's in a comma's file."""
    if len(cells) < width:
        return _FEWER
    if place is not None and _SPLIT_DECIMAL.fullmatch(f"{cells[place]},{cells[place + 1]}"):
        return _DECIMAL_COMMA
    return _MORE


def _without_blank_lines(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows in which something is written."""
    if frame.empty or "author" not in frame or "" not in frame["author"].cat.categories:
        return frame
    silent = frame[frame["author"] == ""]
    blank = (silent.astype(str).apply(lambda column: column.str.strip()) == "").all(axis=1)
    return frame.loc[frame.index.difference(silent.index[blank])]


def _reject(
    bad: list[tuple[int, str, str]], usable: pd.Series[bool], rows: pd.Series[bool], reason: str, remedy: str
) -> None:
    """Note rows that are unusable for a first reason."""
    new: NDArray[np.bool_] = (rows & usable).to_numpy(bool)
    bad.extend((int(row), reason, remedy) for row in usable.index[new])
    usable[new] = False
