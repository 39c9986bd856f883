"""Findings: what the X-ray report said, and what the CT report said beside it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QDate, QLocale, QModelIndex, QObject, QPersistentModelIndex, Qt

from ui.tables import EXPORT, SORT
from ui.words import translate

if TYPE_CHECKING:
    from datetime import datetime

    from ui.work.reliability import FindingRow

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
SPAN = Qt.ItemDataRole.UserRole
"""Of the X-ray column: (start, end) of the certainty words, None where there is nothing to mark."""


class Column(IntEnum):
    """The columns, left to right."""

    DATE = 0
    PHRASE = 1
    XRAY = 2
    CT = 3
    CONFIRMED = 4
    CONTEST = 5
    AUTHOR = 6
    TOPIC = 7


class EvidenceTableModel(QAbstractTableModel):
    """One row a finding."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[FindingRow, ...] = ()
        self._headers = (
            translate("evidence", "X-ray on"),
            translate("evidence", "phrase"),
            translate("evidence", "the X-ray report said"),
            translate("evidence", "the CT report said"),
            translate("evidence", "CT"),
            translate("evidence", "contested"),
            translate("evidence", "radiologist"),
            translate("evidence", "pathology"),
        )

    def set_rows(self, rows: Sequence[FindingRow]) -> None:
        """Show these findings."""
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def replace_row(self, row: int, finding: FindingRow) -> None:
        """Show a finding that has changed in the place of the old one."""
        self._rows = (*self._rows[:row], finding, *self._rows[row + 1 :])
        self.dataChanged.emit(self.index(row, 0), self.index(row, len(Column) - 1))

    def finding_at(self, row: int) -> FindingRow:
        """The finding of a row."""
        return self._rows[row]

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(Column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(Column):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._headers[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        r, column = self._rows[index.row()], Column(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return _text(r, column)
        if role == SPAN and column is Column.XRAY:
            marked = 0 <= r.cue_start < r.cue_end <= len(r.xray_sentence)
            return (r.cue_start, r.cue_end) if marked else None
        if role == SORT:
            match column:
                case Column.DATE:
                    return r.time.isoformat() if r.time else ""
                case Column.CONFIRMED:
                    return float(r.outcome)
        if role == EXPORT and column is Column.DATE:
            return r.time or ""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
        if role == Qt.ItemDataRole.ToolTipRole and column in (Column.DATE, Column.CONTEST):
            return f"{r.xray_id}\n{r.ct_id}" if column is Column.DATE else r.contest
        return None


def _text(r: FindingRow, column: Column) -> str:
    match column:
        case Column.DATE:
            return day(r.time)
        case Column.PHRASE:
            return r.phrase
        case Column.XRAY:
            return r.xray_sentence
        case Column.CT:
            return r.ct_sentence or translate("evidence", "(not mentioned; taken as absent)")
        case Column.CONFIRMED:
            return verdict(r)
        case Column.CONTEST:
            return contest_text(r)
        case Column.AUTHOR:
            return r.author
        case Column.TOPIC:
            return r.topic


def day(time: datetime | None) -> str:
    """The day in the user's way of writing dates, '' if unknown."""
    if time is None:
        return ""
    return QLocale().toString(QDate(time.year, time.month, time.day), QLocale.FormatType.ShortFormat)


def verdict(r: FindingRow) -> str:
    """What CT makes of a finding, in words; an uncertain CT keeps its share."""
    if r.outcome in (0.0, 1.0):
        return translate("evidence", "confirmed") if r.outcome else translate("evidence", "not confirmed")
    side = translate("evidence", "confirmed") if r.confirmed else translate("evidence", "not confirmed")
    return translate("evidence", "{side}, CT itself unsure").format(side=side)


def contest_text(r: FindingRow) -> str:
    """Whether a finding is contested, and whether it still counts; '' where neither is of note."""
    if r.contest is None:
        return "" if r.entered else translate("evidence", "left out until the next analysis")
    if not r.entered:
        return translate("evidence", "contested, left out")
    return translate("evidence", "contested, counted")
