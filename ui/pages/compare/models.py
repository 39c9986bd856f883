"""The table of radiologists, in the order of the pictures."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ui.pages.compare.sentences import lacking
from ui.plots.figures import coverage, place_in_words
from ui.widgets.tables import EXPORT, SORT, with_ends
from ui.words import decimal, decimal_interval, rate, translate, whole

if TYPE_CHECKING:
    from radcal.records.comparison import Member

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()


class Column(IntEnum):
    """The columns, left to right."""

    NAME = 0
    N = 1
    BESIDE = 2
    """How many were confirmed, or what luck alone gives."""
    VALUE = 3
    POOLED = 4
    OTHERS = 5
    """The rate of all others, or what the same words come to in the department."""
    PLACE = 6


class ComparedTableModel(QAbstractTableModel):
    """One row a radiologist, in the order of the pictures."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._members: tuple[Member, ...] = ()
        self._names: tuple[str, ...] = ()
        self._score = True
        self._coverage = coverage(0.95)

    def set_rows(
        self, members: Sequence[Member], names: Sequence[str], *, score: bool, confidence: float = 0.95
    ) -> None:
        """Show these radiologists under these names; ``score``: values are ECE*, not rates."""
        self.beginResetModel()
        self._coverage = coverage(confidence)
        self._members, self._names, self._score = tuple(members), tuple(names), score
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._members)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(Column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(Column):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._header(Column(section))
        if role == EXPORT and section in self._with_intervals():
            return with_ends(self._header(Column(section)))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section in _NUMBERS else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole and section not in (Column.NAME, Column.N):
            return translate("compare", "Radiologists are ordered by name or by n, never by their values.")
        return None

    def _with_intervals(self) -> tuple[Column, ...]:
        return (Column.VALUE, Column.POOLED) if self._score else (Column.VALUE, Column.POOLED, Column.OTHERS)

    def _header(self, column: Column) -> str:
        match column:
            case Column.NAME:
                return translate("compare", "radiologist")
            case Column.N:
                return translate("compare", "n")
            case Column.BESIDE:
                return translate("compare", "luck alone") if self._score else translate("compare", "confirmed")
            case Column.VALUE:
                text = (
                    translate("compare", "ECE*, {coverage}")
                    if self._score
                    else translate("compare", "rate, {coverage}")
                )
                return text.format(coverage=self._coverage)
            case Column.POOLED:
                return translate("compare", "together with all, {coverage}").format(coverage=self._coverage)
            case Column.OTHERS if self._score:
                return translate("compare", "same words, everybody\u2019s rates")
            case Column.OTHERS:
                return translate("compare", "all others, {coverage}").format(coverage=self._coverage)
            case Column.PLACE:
                return translate("compare", "in the funnel")

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        m, column = self._members[index.row()], Column(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(m, column, index.row())
        if role == SORT:
            # A table in the order of values would be a league table: all columns but n sort by name.
            return m.n if column is Column.N else self._names[index.row()].casefold()
        if role == EXPORT:
            number = _number(m, column, score=self._score)
            return self._text(m, column, index.row()) if number is None else number
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column in _NUMBERS else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole and m.reason:
            return lacking(m)
        return None

    def _text(self, m: Member, column: Column, row: int) -> str:
        match column:
            case Column.NAME:
                return self._names[row]
            case Column.N:
                return whole(m.n)
            case Column.BESIDE if m.positives is None:
                return "" if m.luck is None else decimal(m.luck)
            case Column.BESIDE:
                return whole(m.positives or 0.0)
            case Column.VALUE:
                missing = translate("compare", "not enough data")
                return missing if m.value is None else self._interval(m.value, m.low, m.high)
            case Column.POOLED:
                return "" if m.pooled is None else self._interval(m.pooled, m.pooled_low, m.pooled_high)
            case Column.OTHERS if m.others is not None:
                shown = rate(m.others.value, m.others.low, m.others.high)
                return translate("compare", "{rate}, n = {n}").format(rate=shown, n=whole(m.others.n))
            case Column.OTHERS:
                return "" if m.value is None or m.beyond is None else decimal(m.value - m.beyond)
            case Column.PLACE:
                return place_in_words(m) if m.place else ""

    def _interval(self, value: float, low: float | None, high: float | None) -> str:
        if self._score or low is None or high is None:
            return decimal_interval(value, low, high)
        return rate(value, low, high)


_NUMBERS = (Column.N, Column.BESIDE, Column.VALUE, Column.POOLED, Column.OTHERS)


def _number(m: Member, column: Column, *, score: bool) -> float | tuple[float | str, ...] | None:
    """What a cell is exported as: a value with both ends of its interval, empty where there is none."""
    match column:
        case Column.N:
            return m.n
        case Column.BESIDE:
            return m.luck if m.positives is None else m.positives
        case Column.VALUE:
            return tuple("" if v is None else v for v in (m.value, m.low, m.high))
        case Column.POOLED:
            return tuple("" if v is None else v for v in (m.pooled, m.pooled_low, m.pooled_high))
        case Column.OTHERS if score:
            return None if m.value is None or m.beyond is None else m.value - m.beyond
        case Column.OTHERS:
            return ("", "", "") if m.others is None else (m.others.value, m.others.low, m.others.high)
    return None
