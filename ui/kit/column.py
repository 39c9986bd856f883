"""A table model over records: a column is a header and a function of the record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isnan
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from radcal.system import coarse
from radcal.system.exports import ReportNumber
from ui.sentences import too_few_to_hand_on, why_names_stay
from ui.words import report_name, say, whole

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractItemDelegate

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
SORT = Qt.ItemDataRole.UserRole + 100
"""A cell's sort key, if not its text: a number or a string, never None."""
EXPORT = Qt.ItemDataRole.UserRole + 101
"""A cell's exported value, if not its text: a number, a date or a string, or a tuple of them.

A column of tuples has as many names under this role in its header.
"""
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_TOP = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


@dataclass(frozen=True, slots=True)
class Column:
    """A column's header and text; numbers are right-aligned.

    value: sort key and exported value, if not the text; None and NaN are missing: sorted first, empty in exports
    sort, export: only one of them;  tip: tooltip, if not the text
    meaning: tooltip of the header;  ends: exported with both limits of its interval
    coarse: what exports of people under pseudonyms have in its place (:mod:`radcal.system.coarse`), a tuple of three
    where
        ``ends``; None: they leave the column out
    roles: further data roles, for delegates and screen readers
    width: wanted, in pixels; 0 for Qt's;  delegate: draws the cells;  hidden: until it is shown
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
    width: int = 0
    delegate: Callable[[QObject], QAbstractItemDelegate] | None = None
    hidden: bool = False


Interval = tuple[float | None, float | None, float | None]
"""An estimate and the ends of its interval; None where they are not known."""
UNKNOWN: Interval = None, None, None


def measured(
    header: str,
    value: Callable[[Any], float | None],
    written: Callable[[Any], str],
    meaning: str = "",
    *,
    missing: str = "",
    **look: Any,
) -> Column:
    """A column of numbers, in figures as ``written``, or ``missing``; ``look`` as of :class:`Column`."""

    def text(row: Any) -> str:
        found = value(row)
        return missing if _is_missing(found) else written(found)

    return Column(header, text, True, value, meaning=meaning, **look)


def estimated(
    header: str,
    of: Callable[[Any], Interval | None],
    written: Callable[[Any, Any, Any], str],
    *,
    missing: str = "",
    number: bool = True,
    alone: bool = False,
    sort: Callable[[Any], Any] | None = None,
    **look: Any,
) -> Column:
    """A column of estimates with their intervals, exported with both ends.

    An estimate whose value is not known is missing: shown as ``missing``.  One without its interval is, too, unless
    ``written`` takes None for the ends (``alone``).

    Args:
        of: the estimate of a record, None where there is none.
        written: an estimate in figures, of its value and both ends.
        sort: sort key, if not the value.
        number, look: as of :class:`Column`.
    """

    def known(row: Any) -> Interval:
        found = of(row) or UNKNOWN
        return UNKNOWN if None in found and not (alone and found[0] is not None) else found

    def text(row: Any) -> str:
        found = known(row)
        return missing if found[0] is None else written(*found)

    def export(row: Any) -> tuple[float | str, ...]:
        return tuple("" if end is None else end for end in known(row))

    return Column(header, text, number, sort=sort or (lambda row: known(row)[0]), export=export, ends=True, **look)


def count(
    header: str, value: Callable[[Any], float | None], meaning: str = "", *, leaves: bool = False, **look: Any
) -> Column:
    """A column of counts; ``leaves``: in coarse exports, too, as bands."""
    bands = measured(header, value, banded).text if leaves else None
    return measured(header, value, whole, meaning, coarse=bands, **look)


def report_column(width: int = 0) -> Column:
    """The report that a record is about: its name in the window, its id in exports."""
    return Column(say("report"), lambda row: report_name(row.report_id), export=lambda row: ReportNumber(row.report_id))


def by_name(row: Any) -> str:
    """What every column of a table of people but n sorts by: in the order of values it would be a league table."""
    return str(row.name.casefold())


def never_by_values() -> str:
    """What the headers of such columns say of their order."""
    return say("Radiologists are ordered by name or by n, never by their values.")


def with_ends(name: str) -> tuple[str, str, str]:
    """The names of three columns: an estimate and its two interval limits."""
    return name, say("{column}: low", column=name), say("{column}: high", column=name)


class RecordModel(QAbstractTableModel):
    """One row per record.

    tall: rows may have many lines, so texts are top-aligned
    describe: a record in words, for screen readers, and as tooltip of the columns that have none
    """

    def __init__(
        self,
        columns: Sequence[Column],
        parent: QObject | None = None,
        *,
        tall: bool = False,
        describe: Callable[[Any], str] | None = None,
    ) -> None:
        super().__init__(parent)
        self._describe = describe
        self._columns = tuple(columns)
        self._rows: tuple[Any, ...] = ()
        self._tall = tall
        self.coarse = False
        """Whether exports and copies have nobody's exact figures (:mod:`radcal.system.coarse`)."""
        self.named = False
        """Whether rows give radiologists by name, which IT may refuse to let leave."""
        self.said: Callable[[Any], float] | None = None
        """The statements of the radiologist of a row, where rows with figures of radiologists may leave coarsely."""

    def set_table(self, columns: Sequence[Column], rows: Sequence[Any]) -> None:
        """Show these records in these columns."""
        self.beginResetModel()
        self._columns, self._rows = tuple(columns), tuple(rows)
        self.endResetModel()

    def set_rows(self, rows: Sequence[Any]) -> None:
        """Show these records."""
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def update_rows(self, rows: Sequence[Any]) -> None:
        """Show these records; where their number is unchanged, selection and place stay."""
        if len(rows) != len(self._rows) or not rows:
            RecordModel.set_rows(self, rows)
            return
        self._rows = tuple(rows)
        self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, self.columnCount() - 1))

    def row(self, number: int) -> Any:
        """The record of a row."""
        return self._rows[number]

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns, left to right."""
        return self._columns

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
            return (column.tip or self._describe or column.text)(row) or column.text(row)
        if role == Qt.ItemDataRole.AccessibleDescriptionRole and self._describe is not None:
            return self._describe(row)
        if role == SORT:
            return sort_key(column, row)
        if role == EXPORT:
            if self.coarse:
                return "" if column.coarse is None else column.coarse(row)
            value = (column.export or column.value or column.text)(row)
            return "" if _is_missing(value) else value
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.number else _TOP if self._tall else _LEFT
        return None


@dataclass(frozen=True, slots=True)
class Search:
    """Which records of a long table are wanted, in which order.

    words: all of them, casefolded;  column: to sort by, -1 for the order of the records
    """

    words: tuple[str, ...] = ()
    column: int = -1
    descending: bool = False


class LongModel(RecordModel):
    """As many records as nobody can wait for Qt to go through: they are searched and sorted in the worker.

    wanted: ``search`` is another now;  total: number of records that it looks among
    """

    wanted = Signal()

    def __init__(self, columns: Sequence[Column], parent: QObject | None = None) -> None:
        super().__init__(columns, parent)
        self.search, self.total = Search(), 0

    def show(self, rows: tuple[Any, ...], total: int) -> None:
        """Show the records that were found among so many."""
        self.total = total
        self.set_rows(rows)

    def look_for(self, text: str) -> None:
        """Want the records with all words of ``text``, in any case and order."""
        self._want(replace(self.search, words=tuple(text.casefold().split())))

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._want(replace(self.search, column=column, descending=order is Qt.SortOrder.DescendingOrder))

    def _want(self, search: Search) -> None:
        if search != self.search:
            self.search = search
            self.wanted.emit()


def ordered(rows: Iterable[Any], columns: Sequence[Column], search: Search) -> tuple[Any, ...]:
    """The records in the order that a search wants; for the worker."""
    if search.column < 0:
        return tuple(rows)
    column = columns[search.column]

    def key(row: Any) -> Any:
        of = sort_key(column, row)
        return of.casefold() if isinstance(of, str) else of

    return tuple(sorted(rows, key=key, reverse=search.descending))


def searched_text(row: Any, columns: Sequence[Column]) -> str:
    """What a search looks for its words in."""
    return "\n".join(column.text(row) for column in columns).casefold()


def sort_key(column: Column, row: Any) -> str | float:
    """What a record is sorted by in a column."""
    key = (column.sort or column.value or column.text)(row)
    if _is_missing(key):
        return float("-inf")
    return float(key) if isinstance(key, int) else key  # Qt compares numbers of two kinds as whole ones


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and isnan(value))


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
