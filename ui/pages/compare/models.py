"""The table of radiologists, in plot order."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ui.pages.compare.sentences import lacking
from ui.plots.figures import coverage, place_in_words
from ui.widgets.tables import EXPORT, SORT, with_ends
from ui.words import decimal, decimal_interval, rate, say, whole

if TYPE_CHECKING:
    from radcal.records.comparison import Member

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()


class RadiologistColumn(IntEnum):
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
    """One row per radiologist, in plot order."""

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
        return 0 if parent.isValid() else len(RadiologistColumn)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(RadiologistColumn):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._header(RadiologistColumn(section))
        if role == EXPORT and section in self._with_intervals():
            return with_ends(self._header(RadiologistColumn(section)))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section in _NUMBERS else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole and section not in (RadiologistColumn.NAME, RadiologistColumn.N):
            return say("Radiologists are ordered by name or by n, never by their values.")
        return None

    def _with_intervals(self) -> tuple[RadiologistColumn, ...]:
        return (
            (RadiologistColumn.VALUE, RadiologistColumn.POOLED)
            if self._score
            else (RadiologistColumn.VALUE, RadiologistColumn.POOLED, RadiologistColumn.OTHERS)
        )

    def _header(self, column: RadiologistColumn) -> str:
        match column:
            case RadiologistColumn.NAME:
                return say("radiologist")
            case RadiologistColumn.N:
                return say("n")
            case RadiologistColumn.BESIDE:
                return say("luck alone") if self._score else say("confirmed")
            case RadiologistColumn.VALUE:
                text = say("ECE*, {coverage}") if self._score else say("rate, {coverage}")
                return text.format(coverage=self._coverage)
            case RadiologistColumn.POOLED:
                return say("together with all, {coverage}", coverage=self._coverage)
            case RadiologistColumn.OTHERS if self._score:
                return say("same words, everybody\u2019s rates")
            case RadiologistColumn.OTHERS:
                return say("all others, {coverage}", coverage=self._coverage)
            case RadiologistColumn.PLACE:
                return say("in the funnel")

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        m, column = self._members[index.row()], RadiologistColumn(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(m, column, index.row())
        if role == SORT:
            # A table in the order of values would be a league table: all columns but n sort by name.
            return m.n if column is RadiologistColumn.N else self._names[index.row()].casefold()
        if role == EXPORT:
            number = _number(m, column, score=self._score)
            return self._text(m, column, index.row()) if number is None else number
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column in _NUMBERS else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole and m.reason:
            return lacking(m)
        return None

    def _text(self, m: Member, column: RadiologistColumn, row: int) -> str:
        match column:
            case RadiologistColumn.NAME:
                return self._names[row]
            case RadiologistColumn.N:
                return whole(m.n)
            case RadiologistColumn.BESIDE if m.positives is None:
                return "" if m.luck is None else decimal(m.luck)
            case RadiologistColumn.BESIDE:
                return whole(m.positives or 0.0)
            case RadiologistColumn.VALUE:
                missing = say("not enough data")
                return missing if m.value is None else self._interval(m.value, m.low, m.high)
            case RadiologistColumn.POOLED:
                return "" if m.pooled is None else self._interval(m.pooled, m.pooled_low, m.pooled_high)
            case RadiologistColumn.OTHERS if m.others is not None:
                shown = rate(m.others.value, m.others.low, m.others.high)
                return say("{rate}, n = {n}", rate=shown, n=whole(m.others.n))
            case RadiologistColumn.OTHERS:
                return "" if m.value is None or m.beyond is None else decimal(m.value - m.beyond)
            case RadiologistColumn.PLACE:
                return place_in_words(m) if m.place else ""

    def _interval(self, value: float, low: float | None, high: float | None) -> str:
        if self._score or low is None or high is None:
            return decimal_interval(value, low, high)
        return rate(value, low, high)


_NUMBERS = (
    RadiologistColumn.N,
    RadiologistColumn.BESIDE,
    RadiologistColumn.VALUE,
    RadiologistColumn.POOLED,
    RadiologistColumn.OTHERS,
)


def _number(m: Member, column: RadiologistColumn, *, score: bool) -> float | tuple[float | str, ...] | None:
    """A cell's export value: the estimate with both interval limits, empty if none."""
    match column:
        case RadiologistColumn.N:
            return m.n
        case RadiologistColumn.BESIDE:
            return m.luck if m.positives is None else m.positives
        case RadiologistColumn.VALUE:
            return tuple("" if v is None else v for v in (m.value, m.low, m.high))
        case RadiologistColumn.POOLED:
            return tuple("" if v is None else v for v in (m.pooled, m.pooled_low, m.pooled_high))
        case RadiologistColumn.OTHERS if score:
            return None if m.value is None or m.beyond is None else m.value - m.beyond
        case RadiologistColumn.OTHERS:
            return ("", "", "") if m.others is None else (m.others.value, m.others.low, m.others.high)
    return None
