"""A table model over records: a column is a header and a function of the record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from radcal import coarse
from radcal.exports import ReportNumber
from ui.sentences import too_few_to_hand_on, why_names_stay
from ui.widgets.tables import EXPORT, SORT, with_ends
from ui.words import report_name, say, whole

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_TOP = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


@dataclass(frozen=True, slots=True)
class ListColumn:
    """A column's header and text; numbers are right-aligned.

    value: sort key and exported value, if not the text; never None
    sort, export: only one of them;  tip: tooltip, if not the text
    meaning: tooltip of the header;  ends: exported with both limits of its interval
    coarse: what exports of people under pseudonyms have in its place (:mod:`radcal.coarse`), a tuple of three where
        ``ends``; None: they leave the column out
    roles: further data roles, for delegates and screen readers
    """

    header: str
    text: Callable[[Any], str]
    number: bool = False
    value: Callable[[Any], Any] | None = None
    tip: Callable[[Any], str] | None = None
    sort: Callable[[Any], Any] | None = None
    export: Callable[[Any], Any] | None = None
    meaning: str = ""
    ends: bool = False
    coarse: Callable[[Any], Any] | None = None
    roles: Mapping[int, Callable[[Any], Any]] = field(default_factory=dict)


Interval = tuple[float | None, float | None, float | None]
"""An estimate and the ends of its interval; None where they are not known."""
UNKNOWN: Interval = None, None, None


def measured(
    header: str, text: Callable[[Any], str], value: Callable[[Any], float | None], meaning: str = ""
) -> ListColumn:
    """A numeric column; NaN or None is missing: sorted first, empty in exports."""

    def sort(row: Any) -> float:
        found = value(row)
        return float("-inf") if found is None or isnan(found) else found

    def export(row: Any) -> float | str:
        found = value(row)
        return "" if found is None or isnan(found) else found

    return ListColumn(header, text, number=True, sort=sort, export=export, meaning=meaning)


def estimated(
    header: str,
    of: Callable[[Any], Interval],
    written: Callable[[Any, Any, Any], str],
    *,
    missing: str = "",
    number: bool = True,
    tip: Callable[[Any], str] | None = None,
    sort: Callable[[Any], Any] | None = None,
    meaning: str = "",
    roles: Mapping[int, Callable[[Any], Any]] = MappingProxyType({}),
) -> ListColumn:
    """A column of estimates with their intervals, exported with both ends.

    An estimate whose value or interval is not known is missing: shown as ``missing``, sorted first, empty in exports.

    Args:
        of: the estimate of a record.
        written: an estimate in figures, of its value and both ends.
        sort: sort key, if not the value.
        number, tip, meaning, roles: as of :class:`ListColumn`.
    """

    def known(row: Any) -> Interval:
        found = of(row)
        return UNKNOWN if None in found else found

    def text(row: Any) -> str:
        found = known(row)
        return missing if found[0] is None else written(*found)

    def value(row: Any) -> float:
        found = known(row)[0]
        return float("-inf") if found is None else found

    def export(row: Any) -> tuple[float | str, ...]:
        return tuple("" if end is None else end for end in known(row))

    return ListColumn(
        header, text, number, tip=tip, sort=sort or value, export=export, meaning=meaning, ends=True, roles=roles
    )


def count(header: str, value: Callable[[Any], float | None], meaning: str = "", *, leaves: bool = False) -> ListColumn:
    """A column of counts; None is unknown: shown and exported as an empty cell, sorted first.

    leaves: in coarse exports, too, as bands
    """

    def text(row: Any) -> str:
        n = value(row)
        return "" if n is None else whole(n)

    def sort(row: Any) -> float:
        n = value(row)
        return -1 if n is None else n

    def export(row: Any) -> float | str:
        n = value(row)
        return "" if n is None else n

    def bands(row: Any) -> str:
        n = value(row)
        return "" if n is None else banded(n)

    shown = bands if leaves else None
    return ListColumn(header, text, number=True, sort=sort, export=export, meaning=meaning, coarse=shown)


def report_column() -> ListColumn:
    """The report that a record is about: its name in the window, its id in exports."""
    return ListColumn(
        say("report"), lambda row: report_name(row.report_id), export=lambda row: ReportNumber(row.report_id)
    )


def by_name(row: Any) -> str:
    """What every column of a table of people but n sorts by: in the order of values it would be a league table."""
    return str(row.name.casefold())


def never_by_values() -> str:
    """What the headers of such columns say of their order."""
    return say("Radiologists are ordered by name or by n, never by their values.")


class ListTableModel(QAbstractTableModel):
    """One row per record.  ``tall``: rows may have many lines, so texts are top-aligned."""

    def __init__(self, columns: Sequence[ListColumn], parent: QObject | None = None, *, tall: bool = False) -> None:
        super().__init__(parent)
        self._columns = tuple(columns)
        self._rows: tuple[Any, ...] = ()
        self._tall = tall
        self.coarse = False
        """Whether exports and copies have nobody's exact figures (:mod:`radcal.coarse`)."""
        self.named = False
        """Whether rows give radiologists by name, which IT may refuse to let leave."""
        self.said: Callable[[Any], float] | None = None
        """The statements of the radiologist of a row, where rows with figures of radiologists may leave coarsely."""

    def set_table(self, columns: Sequence[ListColumn], rows: Sequence[Any]) -> None:
        """Show these records in these columns."""
        self.beginResetModel()
        self._columns, self._rows = tuple(columns), tuple(rows)
        self.endResetModel()

    def set_rows(self, rows: Sequence[Any]) -> None:
        """Show these records."""
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def row(self, number: int) -> Any:
        """The record of a row."""
        return self._rows[number]

    @property
    def rows(self) -> tuple[Any, ...]:
        """All records."""
        return self._rows

    def show_people(self, *, named: bool) -> None:
        """Rows are of people: by name, or under pseudonyms and without exact figures where they leave."""
        self.named, self.coarse = named, not named

    def may_leave(self, number: int) -> bool:
        """Whether a row is in coarse exports."""
        return self.said is None or self.said(self._rows[number]) >= coarse.FEWEST

    def columns_that_leave(self) -> list[int]:
        """The columns of coarse exports."""
        return [number for number, column in enumerate(self._columns) if column.coarse is not None]

    def why_kept(self) -> str:
        """Why rows are neither copied nor exported; '' if they are."""
        if self.named:
            return why_names_stay()
        if not self.coarse or self.said is None or sum(map(self.may_leave, range(len(self._rows)))) >= coarse.FEWEST:
            return ""
        return too_few_to_hand_on()

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self._columns):
            return None
        column = self._columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.header
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.meaning or None
        if role == EXPORT and column.ends:
            return with_ends(column.header)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.number else _LEFT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        column, row = self._columns[index.column()], self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(row)
        if role in column.roles:
            return column.roles[role](row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return (column.tip(row) if column.tip is not None else "") or column.text(row)
        if role == SORT:
            return (column.sort or column.value or column.text)(row)
        if role == EXPORT:
            if self.coarse:
                return "" if column.coarse is None else column.coarse(row)
            return (column.export or column.value or column.text)(row)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.number else _TOP if self._tall else _LEFT
        return None


def banded(n: float) -> str:
    """A count as coarse exports have it: "30-49"."""
    return coarse.range_of(n)


def to_five_points(value: float | None, low: float | None = None, high: float | None = None) -> tuple[Any, Any, Any]:
    """An estimate and its interval as coarse exports have them; empty cells where one is not known."""
    if value is None or low is None or high is None:
        return "", "", ""
    return coarse.rounded(value), *coarse.outward(low, high)


def settled(n: float, least: float) -> bool:
    """Whether the band of a count is all at or above a least number, so that a missing figure does not narrow it."""
    return coarse.band(n).low >= least
