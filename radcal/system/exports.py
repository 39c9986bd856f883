"""Exports: the only way tables, pages, pictures and lists leave RadCal as files.

Content is created in memory or written to a hidden file beside the target, never to a temporary folder.  A file appears
completely or not at all, is readable by its owner only, and is recorded in the audit log of its workspace.
"""

from __future__ import annotations

import csv
import io
import itertools
import math
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date, datetime
from numbers import Integral, Real
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from radcal.system.cells import guarded, printable
from radcal.system.errors import InputError, RadcalError
from radcal.system.files import writing

if TYPE_CHECKING:
    import pandas as pd


EXCEL_ROWS, EXCEL_COLUMNS, EXCEL_TEXT = 1_048_576, 16_384, 32_767
"""Capacity of a sheet: rows with the header, columns, and UTF-16 code units per cell."""
_EXACT = 2**53
"""Largest integer that spreadsheets, whose numbers are all floating-point, represent exactly."""
_FIRST_DAY = date(1900, 3, 1)
"""First day on which all spreadsheets agree."""
_LONGEST_NAME = 100
WORKSPACE_SUFFIX = ".radcal"
"""Suffix of workspaces, backups and personal files."""
CONTESTS_SUFFIX = ".radcal-contests"
"""Suffix of what radiologists contest in personal files."""

Rows = Iterable[Sequence[Any]]


class Cover(Protocol):
    """What is shown in place of the numbers of reports and patients, and of the times of examinations."""

    def number(self, number: str) -> str: ...
    def time(self, report_id: str, time: datetime) -> datetime: ...


@dataclass(frozen=True, slots=True)
class ReportNumber:
    """A cell with the number of a report or patient, which a department's exports may cover."""

    number: str


@dataclass(frozen=True, slots=True)
class ExamTime:
    """A cell with the time of a report's examination, which a department's exports may shift."""

    report_id: str
    time: datetime


_NUMBERS = frozenset({"accession", "report_id", "xray_id", "ct_id", "patient_id", "study_uid"})
"""Columns of frames whose cells are numbers of reports or patients."""
_cover: ContextVar[Cover | None] = ContextVar("cover", default=None)


class Log(Protocol):
    """Adds an entry to the audit log: an action, with counts."""

    def __call__(self, what: str, **counts: int) -> None: ...


@dataclass(frozen=True, slots=True, eq=False)
class Export:
    """Content to be written to a file.

    what: the kind of content for the audit log, such as "table as CSV", without names or data
    fill: writes the content to an open file and returns counts
    to: the pseudonym of the person whom it is for, '' where that is nobody in particular
    """

    what: str
    fill: Callable[[IO[bytes]], Mapping[str, int]]
    to: str = ""


class Exports:
    """Writes exports; each is logged before its file appears.

    log: adds to the audit log of the open workspace; None without a writable log.  A workspace open for reading only
        is not changed: whoever can read it can copy it unseen, and a personal file belongs to its radiologist.
    kept: files that must not be overwritten: the open workspace, and files being read
    cover: asked once an export for what is shown in place of numbers and times; None for these as they are
    """

    def __init__(
        self, log: Log | None = None, kept: Sequence[Path] = (), cover: Callable[[], Cover | None] = lambda: None
    ) -> None:
        self._log, self._kept, self._cover = log, kept, cover

    def numbers(self) -> Callable[[str], str]:
        """How exports of now show numbers of reports and patients; to be asked for once for many of them."""
        cover = self._cover()
        return str if cover is None else cover.number

    @property
    def entered(self) -> bool:
        """True if exports are logged."""
        return self._log is not None

    def write(self, path: Path, export: Export) -> Path:
        """Write to ``path``, creating its folder if necessary; an existing file is replaced.

        Raises:
            InputError: the file cannot be written or logged, or its format cannot hold the content; an existing file
                is unchanged.
        """
        self._spare(path)
        counts: dict[str, int] = {}
        with writing(path, "wb", before=lambda: self.enter(export.what, path, to=export.to, **counts)) as file:
            covered = _cover.set(self._cover())
            try:
                counts.update(export.fill(file))
            finally:
                _cover.reset(covered)
        return path

    def _spare(self, path: Path) -> None:
        """Refuse to overwrite a workspace or the input of the export."""
        with suppress(OSError, ValueError):  # a bad name is reported on writing
            if not path.exists():
                return
            if path.suffix.lower() == WORKSPACE_SUFFIX or any(path.samefile(kept) for kept in self._kept):
                raise InputError(
                    "{path} is a workspace, or what is being read. Choose another name for the export.", path=path
                )

    def enter(self, what: str, path: Path | None = None, *, to: str = "", **counts: int) -> None:
        """Log an export that takes another way: to a printer, or to a file with its own writer.

        The folder is left out: it may be long, and is private.  So is the name of a file for one person, which may be
        the person's: the log has the pseudonym ``to``.
        """
        if self._log is None:
            return
        if to:
            self._log(f"handed out {what} to {to}", **counts)
            return
        name = "".join(c if c.isprintable() else "_" for c in path.name) if path is not None else ""
        self._log(f"exported {what}{f': {name[:_LONGEST_NAME]}' if name else ''}", **counts)

    def copied(self, what: str, **counts: int) -> None:
        """Log what was copied to the clipboard, where it can be logged."""
        if self._log is not None:
            with suppress(RadcalError):  # it is on the clipboard already
                self._log(f"copied {what} to the clipboard", **counts)


def data(content: bytes, what: str, *, to: str = "", **counts: int) -> Export:
    """Unchanged bytes, such as pages and pictures; ``to`` as in :class:`Export`."""

    def fill(file: IO[bytes]) -> Mapping[str, int]:
        file.write(content)
        return counts

    return Export(what, fill, to)


def text(content: str, what: str, *, to: str = "", **counts: int) -> Export:
    """UTF-8 text with unchanged line endings; ``to`` as in :class:`Export`."""
    return data(content.encode("utf-8"), what, to=to, **counts)


def values(value: Any, what: str) -> Export:
    """Plain values as strict JSON in UTF-8; NaN becomes null."""
    import orjson

    options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE | orjson.OPT_SERIALIZE_NUMPY
    return data(orjson.dumps(value, option=options), what)


def table(rows: Rows, suffix: str = ".csv", what: str = "table", *, marked: bool = False) -> Export:
    """Rows, the header first, as an Excel workbook if ``suffix`` is ".xlsx", otherwise as CSV.

    Text never becomes a formula: Excel cells are typed, CSV cells guarded (:mod:`radcal.system.cells`).  Control
    characters become blanks.  Numbers stay numbers; None, NaN and NaT become empty cells.

    Args:
        rows: consumed while the file is written.
        suffix: of the file name.
        what: the kind of table, for the audit log.
        marked: start a CSV with a byte order mark, which spreadsheets need for non-ASCII letters.

    Raises:
        InputError: by :meth:`Exports.write`, if a sheet cannot hold all rows, columns or characters.
    """
    if suffix.lower() == ".xlsx":
        return Export(f"{what} as Excel", lambda file: {"rows": _write_excel(rows, file)})
    return Export(f"{what} as CSV", lambda file: {"rows": _write_csv(rows, file, "utf-8-sig" if marked else "utf-8")})


def frame(content: pd.DataFrame, what: str) -> Export:
    """A DataFrame as CSV, without its index; numbers of reports and patients are covered where the exports do that."""
    plain = content.astype(object).where(content.notna(), None)
    kinds = [name in _NUMBERS for name in content.columns]
    rows = (
        [
            ReportNumber(cell) if covered and isinstance(cell, str) and cell else cell
            for cell, covered in zip(row, kinds, strict=True)
        ]
        for row in plain.itertuples(index=False, name=None)
    )
    return table(itertools.chain([list(content.columns)], rows), what=what)


def archive(members: Mapping[str, Export], what: str) -> Export:
    """Exports by their names in one ZIP archive; the same exports make the same bytes."""

    def fill(file: IO[bytes]) -> Mapping[str, int]:
        with zipfile.ZipFile(file, "w") as whole:
            for name, member in members.items():
                entry = zipfile.ZipInfo(name)  # without the time of day
                entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
                with whole.open(entry, "w") as part:
                    member.fill(part)
        return {"files": len(members)}

    return Export(what, fill)


def _shown(cell: Any) -> Any:
    """A cell as the exports being written show it."""
    cover = _cover.get()
    if isinstance(cell, ReportNumber):
        return cell.number if cover is None else cover.number(cell.number)
    if isinstance(cell, ExamTime):
        return cell.time if cover is None else cover.time(cell.report_id, cell.time)
    return cell


def _write_csv(rows: Rows, file: IO[bytes], encoding: str) -> int:
    out = io.TextIOWrapper(file, encoding, newline="")
    # With both characters in the terminator, either of them gets a cell quoted.
    writer = csv.writer(out, lineterminator="\r\n")
    number = 0
    for number, row in enumerate(rows, start=1):
        try:
            writer.writerow([_csv_cell(_shown(cell)) for cell in row])
        except UnicodeEncodeError as error:
            raise _not_text(number) from error
    out.flush()
    out.detach()  # otherwise it would close the file
    return max(number - 1, 0)


def _csv_cell(value: Any) -> Any:
    if isinstance(value, str):
        return guarded(value)
    if _is_empty(value):
        return ""
    return value.isoformat(sep=" ") if isinstance(value, datetime) else value


def _write_excel(rows: Rows, file: IO[bytes]) -> int:
    import xlsxwriter

    # In memory: by default xlsxwriter writes its parts to the system's temporary folder.
    whole = io.BytesIO()
    book = xlsxwriter.Workbook(whole, {"in_memory": True})
    sheet = book.add_worksheet("RadCal")
    # Excel's own apostrophe, which is not part of the text: the cell stays text when edited.
    plain = book.add_format({"quote_prefix": True})
    day = book.add_format({"num_format": "yyyy-mm-dd"})
    moment = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
    number = 0
    for number, row in enumerate(rows, start=1):
        if number > EXCEL_ROWS:
            raise InputError(
                "Excel holds {excel_rows:,} rows below the header, and there are more. Save as CSV.",
                excel_rows=EXCEL_ROWS - 1,
            )
        if len(row) > EXCEL_COLUMNS:
            raise InputError(
                "Excel holds {excel_columns:,} columns, and there are {n:,}. Save as CSV.",
                excel_columns=EXCEL_COLUMNS,
                n=len(row),
            )
        for column, value in enumerate(_excel_cell(_shown(cell)) for cell in row):
            at = number - 1, column
            if isinstance(value, bool):
                sheet.write_boolean(*at, value)
            elif isinstance(value, Real):
                sheet.write_number(*at, value)
            elif isinstance(value, date):
                sheet.write_datetime(*at, value, moment if isinstance(value, datetime) else day)
            elif value:
                _check_text(value, number)
                sheet.write_string(*at, value, plain)
    book.close()
    file.write(whole.getbuffer())
    return max(number - 1, 0)


def _excel_cell(value: Any) -> Any:
    """A value that a sheet stores exactly: a number, a date, a time, or text."""
    if _is_empty(value):
        return ""
    if isinstance(value, float) and math.isinf(value):
        return str(value)
    if isinstance(value, Integral) and abs(int(value)) > _EXACT:
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat(sep=" ") if value.tzinfo is not None or value.date() < _FIRST_DAY else value
    if isinstance(value, date):
        return value.isoformat() if value < _FIRST_DAY else value
    return value if isinstance(value, Real) else printable(str(value))


def _check_text(value: str, number: int) -> None:
    try:
        units = len(value.encode("utf-16-le")) // 2
    except UnicodeEncodeError as error:
        raise _not_text(number) from error
    if units > EXCEL_TEXT:
        raise InputError(
            "Row {number} has a cell of {units:,} characters, and a cell of Excel holds {excel_text:,}. Save as CSV.",
            number=number,
            units=units,
            excel_text=EXCEL_TEXT,
        )


def _not_text(number: int) -> InputError:
    return InputError(
        "Row {number} has a character that is damaged and that no file can hold. Leave that row "
        "out, or import its report again.",
        number=number,
    )


def _is_empty(value: Any) -> bool:
    """True for None, NaN and NaT."""
    return value is None or value != value
