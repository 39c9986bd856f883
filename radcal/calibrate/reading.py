"""Files of observations: one line for each statement, with what the reference said of it."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from radcal.cells import freed
from radcal.errors import InputError
from radcal.records import OBSERVATION_COLUMNS, REJECTED_COLUMNS

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

_SEP_LINE = re.compile(r"sep=.?", re.IGNORECASE)
_WORDS = ("author", "topic", "phrase", "reference_phrase")


class ObservationFile(NamedTuple):
    """The rows that can be used, and those that cannot with file, row and reason (REJECTED_COLUMNS)."""

    observations: pd.DataFrame
    rejected: pd.DataFrame


def read_observations(path: Path) -> ObservationFile:
    """Observations from a file separated by commas, semicolons, tabs or vertical bars.

    The file has a header with author, topic, phrase and outcome (0-1) or reference_phrase, in any case and
    order; where it has both of the last two, the outcomes count unless the column is empty.  In files
    not separated by commas the decimal sign may be a comma; "true" and "false" are outcomes of 1 and 0.
    Further columns are kept as text, blank lines are no rows.  The encoding is UTF-8, UTF-16 with its mark, or
    else Windows-1252.

    Returns:
        Observations, the words as categories and outcomes as numbers, and the rejected rows.  A row's number
        is that of its record in the file, the header being 1.

    Raises:
        InputError: the file cannot be read, is empty, lacks a column, or none of its rows can be used.
    """
    import pandas as pd

    path = Path(path)
    encoding = _encoding(path)
    header, lead = _header(path, encoding)
    separator = _separator(header)
    bad: list[tuple[int, str, str]] = []
    try:
        frame = _parse(path, encoding, separator, lead)
    except pd.errors.ParserError:
        bad = _ragged(path, encoding, separator, lead)
        frame = _parse(path, encoding, separator, lead, [row - 1 for row, _, _ in bad])
    except pd.errors.EmptyDataError as error:
        raise InputError(f"{path.name} is empty. Choose a file with observations.") from error
    ragged = {row for row, _, _ in bad}
    first = lead + 2
    frame.index = pd.Index([row for row in range(first, first + len(frame) + len(ragged)) if row not in ragged])

    for column in ("author", "topic", "phrase"):
        if column not in frame:
            raise InputError(f"{path.name} has no column {column!r}. Its columns: {', '.join(frame.columns)}.")
    frame = _without_blank_lines(frame)
    if "outcome" in frame and "reference_phrase" in frame and (frame["outcome"].str.strip() == "").all():
        frame = frame.drop(columns="outcome")
    if "outcome" not in frame and "reference_phrase" not in frame:
        raise InputError(f"{path.name} has neither a column 'outcome' nor 'reference_phrase'. Add one of them.")

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
            frame[column] = _stripped(frame[column])
            name = column.replace("_", " ")
            _reject(bad, usable, frame[column] == "", f"The {name} is missing.", f"Enter the {name}.")
    rows = [(path.name, row, reason, remedy) for row, reason, remedy in sorted(bad)]
    if rows and not usable.any():
        _, row, reason, remedy = rows[0]
        raise InputError(f"No row of {path.name} can be used. The first of {len(rows)} is row {row}. {reason} {remedy}")
    return ObservationFile(
        frame if usable.all() else frame[usable], pd.DataFrame(rows, columns=pd.Index(REJECTED_COLUMNS))
    )


def _encoding(path: Path) -> str:
    try:
        with path.open("rb") as file:
            start = file.read(3)
        if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
            return "utf-16"
        with path.open(encoding="utf-8-sig") as file:
            while file.read(1 << 20):
                pass
    except UnicodeDecodeError:
        return "cp1252"
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}. Check the name and your rights to it.") from error
    return "utf-8-sig"


def _header(path: Path, encoding: str) -> tuple[str, int]:
    """The first line that is neither blank nor a spreadsheet's "sep=;", and how many lines stand before it."""
    with path.open(encoding=encoding, errors="replace") as file:
        for lead, line in enumerate(file):
            if line.strip() and not _SEP_LINE.fullmatch(line.strip()):
                return line, lead
    return "", 0


def _separator(header: str) -> str:
    """The one that splits the header into the most columns that are meant for us."""
    return max(",;\t|", key=lambda s: sum(_name(cell) in OBSERVATION_COLUMNS for cell in header.split(s)))


def _name(cell: str) -> str:
    """A column's name: ours in lower case, others as they stand."""
    cell = cell.strip().strip('"').strip()
    return cell.casefold() if cell.casefold() in OBSERVATION_COLUMNS else cell


def _parse(path: Path, encoding: str, separator: str, lead: int, skip: Sequence[int] = ()) -> pd.DataFrame:
    """The records below ``lead`` lines, without the lines ``skip`` (0 the first of the file); blank ones are kept."""
    import pandas as pd

    header = pd.read_csv(path, sep=separator, encoding=encoding, encoding_errors="replace", nrows=0, skiprows=lead)
    frame = pd.read_csv(
        path,
        sep=separator,
        encoding=encoding,
        encoding_errors="replace",
        dtype={name: "category" if _name(str(name)) in _WORDS else str for name in header.columns},
        keep_default_na=False,
        index_col=False,
        skip_blank_lines=False,
        skiprows=[*range(lead), *skip],
    )
    return frame.rename(columns=lambda name: _name(str(name)))


def _ragged(path: Path, encoding: str, separator: str, lead: int) -> list[tuple[int, str, str]]:
    """The records with more cells than the header, which stands below ``lead`` other lines, has columns."""
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        records = islice(csv.reader(file, delimiter=separator), lead, None)
        width = len(next(records))
        return [
            (row, "The row has more cells than there are columns.", "Put text that holds the separator in quotes.")
            for row, record in enumerate(records, start=lead + 2)
            if len(record) > width
        ]


def _without_blank_lines(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows in which something is written."""
    silent = frame[frame["author"].astype(str).str.strip() == ""] if _has_blank(frame["author"]) else frame[:0]
    if silent.empty:
        return frame
    blank = (silent.astype(str).apply(lambda column: column.str.strip()) == "").all(axis=1)
    return frame.loc[frame.index.difference(silent.index[blank])]


def _has_blank(words: pd.Series[str]) -> bool:
    return any(not str(word).strip() for word in words.cat.categories)


def _stripped(words: pd.Series[str]) -> pd.Series[str]:
    """Categories without guards and spaces around them, and without those that fall together by it."""
    import pandas as pd

    plain = [freed(str(word)).strip() for word in words.cat.categories]
    if plain == list(words.cat.categories):
        return words
    return pd.Series(pd.Categorical([plain[c] for c in words.cat.codes]), index=words.index)


def _reject(
    bad: list[tuple[int, str, str]], usable: pd.Series[bool], rows: pd.Series[bool], reason: str, remedy: str
) -> None:
    """Note rows that are unusable for a first reason."""
    new: NDArray[np.bool_] = (rows & usable).to_numpy(bool)
    bad.extend((int(row), reason, remedy) for row in usable.index[new])
    usable[new] = False
