"""The findings behind a phrase: what the X-ray report said, and what the CT report said beside it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ui.operations import is_confirmed
from ui.records import EvidenceRow
from ui.words import translate

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
SPAN = Qt.ItemDataRole.UserRole
"""Of the X-ray column: (start, end) of the certainty words, None where there is nothing to mark."""


class Column(IntEnum):
    """The columns, left to right."""

    DATE = 0
    XRAY = 1
    CT = 2
    CONFIRMED = 3


class EvidenceTableModel(QAbstractTableModel):
    """One row a finding."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[EvidenceRow, ...] = ()
        self._headers = (
            translate("evidence", "X-ray on"),
            translate("evidence", "the X-ray report said"),
            translate("evidence", "the CT report said"),
            translate("evidence", "CT"),
        )

    def set_rows(self, rows: Sequence[EvidenceRow]) -> None:
        """Show these findings."""
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

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
            match column:
                case Column.DATE:
                    return r.time.strftime("%Y-%m-%d") if r.time else ""
                case Column.XRAY:
                    return r.xray_sentence
                case Column.CT:
                    return r.ct_sentence or translate("evidence", "(not mentioned; taken as absent)")
                case Column.CONFIRMED:
                    return _verdict(r.outcome)
        if role == SPAN and column is Column.XRAY:
            marked = 0 <= r.cue_start < r.cue_end <= len(r.xray_sentence)
            return (r.cue_start, r.cue_end) if marked else None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
        if role == Qt.ItemDataRole.ToolTipRole and column is Column.DATE:
            return f"{r.xray_id}\n{r.ct_id}"
        return None


def _verdict(outcome: float) -> str:
    """What CT makes of a finding, in words; an uncertain CT keeps its share."""
    if outcome in (0.0, 1.0):
        return translate("evidence", "confirmed") if outcome else translate("evidence", "not confirmed")
    side = translate("evidence", "confirmed") if is_confirmed(outcome) else translate("evidence", "not confirmed")
    return translate("evidence", "{side}, CT itself unsure").format(side=side)
