"""Tables that people name on the command line or in the window: declared columns, cells checked one column at a time.

A row that cannot be used is listed with file, line, reason and remedy, and the others go on.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from operator import methodcaller
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from radcal.system import inputs
from radcal.system.cells import freed
from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.quoting import NO_COLUMN_NAMES, column_list
from radcal.system.separated import Dialect, Unread, batches_of, lines_of
from radcal.system.text import Text, joined

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray


FAULT_COLUMNS = ("file", "row", "reason", "remedy")
"""Those of REJECTED_COLUMNS that a row of any table has."""

_AT_ONCE = 200_000
"""Lines read in one call, because a call for all could not be cancelled."""
_SEP_LINE = re.compile(r"sep=.?", re.IGNORECASE)
_SPLIT_DECIMAL = re.compile(r"\s*(?:0?,\d+|1,0+)\s*")
_MORE = (
    Text("The row has more cells than there are columns."),
    Text("Put text that holds the separator in quotes."),
)
_FEWER = (
    Text("The row has fewer cells than there are columns."),
    Text("Fill in the missing cells, or remove the row."),
)


class Checked(NamedTuple):
    """The rows that can be used, and those that cannot with file, row, reason and remedy."""

    rows: pd.DataFrame
    rejected: pd.DataFrame


def none_usable(what: Text, bad: Sequence[tuple[int, str, str]]) -> InputError:
    """The error for a file of which nothing is left, with its first fault.

    Args:
        what: the sentence that says so.
        bad: row, reason and remedy of each fault.
    """
    row, reason, remedy = min(bad)
    return InputError(
        "{what} The first of {n} is row {row}. {reason} {remedy}",
        what=what,
        n=len(bad),
        row=row,
        reason=reason,
        remedy=remedy,
    )


class Columns:
    """A table from a file separated by commas, semicolons, tabs or vertical bars, with a header.

    Declared columns are found in any case and order; further ones are kept as text under their own names.  Blank lines
    are no rows.  A row with more or fewer cells than the header is rejected: nobody can tell which cell belongs where.
    The encoding is UTF-8, UTF-16 with its mark, or else Windows-1252.

    Rows are numbered by the line in which they begin, 1 for the first line of the file.  The ``check`` methods reject a
    row for its first fault alone; :meth:`finish` returns what is left.  :meth:`places` numbers them as other programs
    do.

    Args:
        path: the file.
        known: the declared columns, in lower case.
        words: those whose values occur again and again; they become categories, without spaces around them.
        fractions: those that hold numbers from 0 to 1, in which a decimal comma splits a cell of a comma's file.
        keep_empty: rows in which no cell holds anything count, too; blank lines never do.

    Raises:
        InputError: the file cannot be read, or is empty.
        Cancelled: by ``progress``.
    """

    def __init__(
        self,
        path: Path,
        known: Collection[str],
        words: Collection[str] = (),
        fractions: Collection[str] = (),
        progress: Progress = SILENT,
        *,
        keep_empty: bool = False,
    ) -> None:
        import pandas as pd

        self.name, self._known = path.name, known
        lines = lines_of(inputs.read_text(path, progress), progress)
        lead = _lead(lines)
        if lead == len(lines):
            raise InputError("{name} is empty. Choose a file with rows.", name=self.name)
        self._separator = max(",;\t|", key=lambda s: sum(_name(cell, known) in known for cell in lines[lead].split(s)))
        self._keep_empty = keep_empty
        self._bad: list[tuple[int, str, str]] = []
        self._begun: list[int] = []
        self.frame = self._parse(lines, lead, words, fractions, progress)
        self._usable = pd.Series(data=True, index=self.frame.index)

    @classmethod
    def of(cls, frame: pd.DataFrame, known: Collection[str], words: Collection[str] = ()) -> Self:
        """The declared columns of a table at hand: cells as text, without spaces around them, '' where one is missing.

        A pair (a, b) becomes "Beta(a, b)".  Rows have the labels of the frame's index where these are whole numbers,
        each once, else they are numbered from 0.

        Args:
            frame, known, words: as for a file.
        """
        import pandas as pd

        table = cls.__new__(cls)
        table.name, table._separator, table._keep_empty = "DataFrame", ";", False
        table._bad, table._begun = [], []
        labelled = pd.api.types.is_integer_dtype(frame.index) and frame.index.is_unique
        index = frame.index if labelled else pd.RangeIndex(len(frame))
        columns: dict[str, pd.Series[Any]] = {}
        names = [_name(str(cell), known) for cell in frame.columns]
        table._times, table._known = Counter(names), (*known, *names)  # of a table at hand, columns may be named
        for place, name in enumerate(names):
            cells = frame.iloc[:, place].set_axis(index)
            if name not in columns:  # of two alike the first counts
                columns[name] = cells if name not in known else as_text(cells, as_words=name in words)
        table.frame = pd.DataFrame(columns, index=index)
        table._usable = pd.Series(data=True, index=index)
        return table

    def __contains__(self, column: str) -> bool:
        return column in self.frame

    def rename_one(self, column: str, others: Sequence[str], *, sole: bool) -> None:
        """Call one of other columns as it is asked for, if there is none of that name.

        Raises:
            InputError: several may be meant; with ``sole``, also where one has that name.
        """
        named = [name for name in (column, *others) for _ in range(self._times[name])]
        if len(named) > 1 and (sole or named[0] != column or self._times[column] > 1):
            raise InputError(
                "{name} has several columns that may be the {column}: {named}. Keep or rename one.",
                name=self.name,
                column=column.replace("_", " "),
                named=", ".join(named),
            )
        self.frame = self.frame.rename(columns=dict.fromkeys(named[:1], column))

    def require(self, *columns: str) -> None:
        """Insist on columns.

        Raises:
            InputError: one is missing.
        """
        for column in columns:
            if column not in self.frame:
                there = column_list([*filter(None, self._times)], self._known)
                columns_there = Text("Its columns are: {shown}.", shown=there) if there else NO_COLUMN_NAMES
                raise InputError(
                    "{name} has no column {column!r}. {columns}", name=self.name, column=column, columns=columns_there
                )

    def rename_alike(self, column: str) -> None:
        """Call a column as it is asked for, if there is none of that name and one alone that differs in case."""
        alike = [name for name in self.frame if str(name).casefold() == column.casefold()]
        if len(alike) == 1:
            self.frame = self.frame.rename(columns={alike[0]: column})

    def check_text(self, column: str) -> None:
        """Reject rows in which a cell is empty."""
        name = column.replace("_", " ")
        self.reject(
            _blank(self.frame[column]),
            Text("The {column} is missing.", column=name),
            Text("Enter the {column}.", column=name),
        )

    def check_number(
        self,
        column: str,
        low: float = -math.inf,
        high: float = math.inf,
        words: Mapping[str, float] | None = None,
        *,
        optional: bool = False,
    ) -> None:
        """Turn a column into numbers, NaN in rejected rows; where columns are not separated by commas, 0,5 is 0.5.

        Args:
            column: its name.
            low, high: least and greatest number that is accepted; without bounds, infinity is no number.
            words: numbers that may be written as words, in lower case.
            optional: an empty cell is no fault, and stays missing.
        """
        import numpy as np
        import pandas as pd

        name, remedy = column.replace("_", " "), Text("Enter a number from {low:g} to {high:g}.", low=low, high=high)
        codes, distinct = pd.factorize(self.frame[column])  # most columns repeat a few numbers
        text = pd.Series(distinct, dtype="str").str.strip()
        number = pd.to_numeric(text if self._separator == "," else text.str.replace(",", "."), errors="coerce")
        if math.isinf(low) and math.isinf(high):
            remedy, number = Text("Enter a number."), number.where(np.isfinite(number))
        if words and number.isna().any():
            number = number.fillna(text.str.casefold().map(dict(words)))
        number, text = (part.take(codes).set_axis(self.frame.index) for part in (number, text))
        self.frame[column] = number
        empty = text == ""
        if not optional:
            self.reject(empty, Text("The {column} is missing.", column=name), remedy)
        self.reject(number.isna() & ~empty, Text("The {column} is no number.", column=name), remedy)
        outside = ~number.between(low, high) & ~empty
        self.reject(
            outside, Text("The {column} is outside {low:g} to {high:g}.", column=name, low=low, high=high), remedy
        )

    def reject(self, rows: pd.Series[bool] | NDArray[np.bool_], reason: str, remedy: str) -> None:
        """Leave out rows that were usable so far."""
        import numpy as np

        new = np.asarray(rows, dtype=bool) & self._usable.to_numpy()
        if new.any():
            self._bad.extend((int(row), reason, remedy) for row in self._usable.index[new])
            self._usable[new] = False

    def places(self, lines: Sequence[int]) -> NDArray[np.intp]:
        """The rows that begin in these lines, 0-based as a program counts that skips blank lines alone.

        Rows in which no cell holds anything count, and those that cannot be used.
        """
        import numpy as np

        return np.searchsorted(np.array(self._begun, dtype=np.intp), lines)

    def finish(self) -> Checked:
        """What can be used, indexed by line, and what cannot.

        Raises:
            InputError: there are no rows, or none of them can be used.
        """
        if self.frame.empty and not self._bad:
            raise InputError("{name} has a header and no rows. Choose a file with rows below it.", name=self.name)
        if self._bad and not self._usable.any():
            raise none_usable(Text("No row of {name} can be used.", name=self.name), self._bad)
        frame = self.frame if self._usable.all() else self.frame[self._usable]
        return Checked(frame, self.rejected())

    def rejected(self) -> pd.DataFrame:
        """The rows that cannot be used so far: file, row, reason and remedy."""
        import pandas as pd

        rows = [(self.name, row, reason, remedy) for row, reason, remedy in sorted(self._bad)]
        return pd.DataFrame(rows, columns=pd.Index(FAULT_COLUMNS))

    def _parse(
        self,
        lines: Sequence[str],
        lead: int,
        words: Collection[str],
        fractions: Collection[str],
        progress: Progress,
    ) -> pd.DataFrame:
        """The records below ``lead`` lines by their line; lines that hold none are noted as bad."""
        import pandas as pd

        batches = batches_of(lines, Dialect(self._separator), lead, progress)
        heads, first = next(batches)
        if isinstance(first, Unread):
            raise InputError(
                "{name}, line {line}: the header cannot be read. {troubles}",
                name=self.name,
                line=heads[0],
                troubles=joined(first.trouble.value),
            )
        names = [_name(cell, self._known) for cell in first[0]]
        self._times = Counter(names)
        width = max((n for n, name in enumerate(names, 1) if name), default=0)
        names = [name if name not in names[:n] else "" for n, name in enumerate(names)]  # of two alike the first counts
        split = {n: name for n, name in enumerate(names) if name in fractions and self._separator == ","}
        if width == len(names) > 1 and not self._keep_empty and self._is_even(lines[lead:], len(names)):
            self._begun += range(lead + 2, len(lines) + 1)
            index = pd.Index(self._begun, dtype="int64")
            frame = self._tokens(lines, lead + 1, names, progress).set_axis(index)
            return _without_empty_rows(frame.assign(**{name: _worded(frame[name]) for name in words if name in frame}))
        columns = {name: _Words() if name in words else _Texts() for name in names if name}
        starts: list[int] = []
        for begun, rows in chain([(heads[1:], first[1:])], batches):
            if isinstance(rows, Unread):
                self._begun += begun
                self._bad.append((begun[0], *rows.trouble.value))
                continue
            at, whole = begun, rows
            if self._are_plain(rows, len(names), width):
                self._begun += begun
            else:
                at, whole = self._looked_at(begun, rows, lines, width, len(names), split)
            starts += at
            for name, cells in zip(names, zip(*whole, strict=True), strict=bool(whole)):
                if name:
                    columns[name].add(cells)
        index = pd.Index(starts, dtype="int64")
        frame = pd.DataFrame({name: column.series(index) for name, column in columns.items()}, index=index)
        return frame if self._keep_empty else _without_empty_rows(frame)

    def _is_even(self, lines: Sequence[str], cells: int) -> bool:
        """Whether a header is followed by lines each of which is one record as wide, no cell in quotes or too long."""
        text = "".join(lines)
        return (
            len(lines) > 1
            and not any(sign in text for sign in '"\0')
            and text.count(self._separator) == (cells - 1) * len(lines)
            and {*map(methodcaller("count", self._separator), lines)} == {cells - 1}
            and max(map(len, lines)) < csv.field_size_limit()
        )

    def _tokens(self, lines: Sequence[str], start: int, names: Sequence[str], progress: Progress) -> pd.DataFrame:
        """The cells of even lines from ``start`` on, in less time than record by record."""
        import pandas as pd

        parts = []
        for at in range(start, len(lines), _AT_ONCE):
            progress.raise_if_cancelled()
            part = pd.read_csv(
                io.StringIO("".join(lines[at : at + _AT_ONCE])),
                sep=self._separator,
                header=None,
                usecols=[n for n, name in enumerate(names) if name],
                index_col=False,
                dtype="str",
                na_filter=False,
                quoting=csv.QUOTE_NONE,
                skip_blank_lines=False,
                engine="c",
                low_memory=False,
            )
            parts.append(part)
        return pd.concat(parts).rename(columns=dict(enumerate(names)))

    def _are_plain(self, rows: Sequence[Sequence[str]], cells: int, width: int) -> bool:
        """Whether each of these rows has as many cells as the header, and nothing has to be said of any."""
        if {*map(len, rows)} != {cells} or (width < cells and any(any(row[width:]) for row in rows)):
            return False
        return (cells > 1 and not self._keep_empty) or all("".join(row).strip() for row in rows)

    def _looked_at(
        self,
        begun: Sequence[int],
        rows: Sequence[list[str]],
        lines: Sequence[str],
        width: int,
        cells: int,
        split: Mapping[int, str],
    ) -> tuple[list[int], list[list[str]]]:
        """Those of the rows, looked at one by one, that are as wide as the header; the others are noted as bad."""
        kept: list[tuple[int, list[str]]] = []
        for line, row in zip(begun, rows, strict=True):
            written = lines[line - 1]
            if not written.strip() and self._separator not in written:
                continue
            self._begun.append(line)
            silent = not any(map(str.strip, row))
            if silent and self._keep_empty:
                row = [""] * cells
            if len(row) == cells and (width == cells or not any(row[width:])):
                kept.append((line, row))
            elif not silent or (self._keep_empty and written.strip()):
                self._bad.append((line, *_ragged(row, cells, split)))
        return [line for line, _ in kept], [row for _, row in kept]


def _lead(lines: Sequence[str]) -> int:
    """How many lines come before the first that is neither blank nor a spreadsheet's "sep=;"."""
    counts = (n for n, line in enumerate(lines) if line.strip() and not _SEP_LINE.fullmatch(line.strip()))
    return next(counts, len(lines))


def _name(cell: str, known: Collection[str]) -> str:
    """A column's name: ours in lower case, others verbatim."""
    cell = cell.strip().strip('"').strip()
    return cell.casefold() if cell.casefold() in known else cell


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


def as_text(cells: pd.Series[Any], *, as_words: bool = False) -> pd.Series[Any]:
    """Cells of any kind as text, '' where one is missing, whole numbers without a point; in categories if words."""
    import numpy as np
    import pandas as pd

    if cells.dtype == object:
        cells = cells.map(lambda cell: tuple(cell) if isinstance(cell, list | np.ndarray) else cell)
    elif str(cells.dtype).lower() == "float32":  # with its own digits, without those that binary adds
        cells = cells.astype("str").astype(float)
    codes, distinct = pd.factorize(cells)

    def told(cell: Any) -> str:
        if isinstance(cell, tuple):
            return f"Beta({', '.join(map(told, cell))})"
        return format(cell, ".15g") if isinstance(cell, float) else str(cell).strip()

    texts = pd.Series([*map(told, distinct), *([""] if (codes < 0).any() else ())], dtype="str")
    if not as_words:
        return texts.take(codes).set_axis(cells.index)
    place, words = pd.factorize(texts, sort=True)
    return pd.Series(pd.Categorical.from_codes(place[codes], words), index=cells.index)


def _worded(cells: pd.Series[Any]) -> pd.Series[Any]:
    """A whole column as of :class:`_Words`."""
    import numpy as np
    import pandas as pd

    codes, distinct = pd.factorize(cells)
    words = _Words()
    words.add(distinct.tolist())
    plain = words.series(pd.RangeIndex(len(distinct))).cat
    return pd.Series(pd.Categorical.from_codes(np.asarray(plain.codes)[codes], plain.categories), index=cells.index)


def _ragged(cells: Sequence[str], width: int, split: Mapping[int, str]) -> tuple[str, str]:
    """What is wrong with a row that is not as wide as the header; ``split`` are cells that may be split."""
    if len(cells) < width:
        return _FEWER
    for place, column in split.items():
        if _SPLIT_DECIMAL.fullmatch(f"{cells[place]},{cells[place + 1]}"):
            return (
                Text("The {column} has a decimal comma, and commas separate the cells of this file.", column=column),
                Text("Write it with a point, 0.5, or separate the cells by semicolons."),
            )
    return _MORE


def _without_empty_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows in which something is written."""
    silent = frame.index
    # Comparing a category is cheaper than comparing text, and mostly enough.
    for column in sorted(frame.columns, key=lambda name: str(frame[name].dtype) != "category"):
        if silent.empty:
            break
        silent = silent[_blank(frame.loc[silent, column]).to_numpy(bool)]
    return frame if silent.empty else frame.drop(index=silent)


def _blank(cells: pd.Series[Any]) -> pd.Series[bool]:
    """Where nothing is written."""
    return (cells if str(cells.dtype) == "category" else cells.str.strip()) == ""
