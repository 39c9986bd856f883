"""A plain table over records: a column is a header and what to show of a record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ui.tables import EXPORT, SORT

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()


@dataclass(frozen=True, slots=True)
class ListColumn:
    """A column's header and its text; numbers stand at the right.

    value: what the column is sorted by and exported as, where that is not its text; never None
    tip: shown on hover, where there is more to say than the text
    """

    header: str
    text: Callable[[Any], str]
    number: bool = False
    value: Callable[[Any], Any] | None = None
    tip: Callable[[Any], str] | None = None


class ListTableModel(QAbstractTableModel):
    """One row a record."""

    def __init__(self, columns: Sequence[ListColumn], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns = tuple(columns)
        self._rows: tuple[Any, ...] = ()

    def set_rows(self, rows: Sequence[Any]) -> None:
        """Show these records."""
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def row(self, number: int) -> Any:
        """The record of a row."""
        return self._rows[number]

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self._columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._columns[section].header
        return self._alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            column, row = self._columns[index.column()], self._rows[index.row()]
            tip = column.tip(row) if column.tip is not None and role == Qt.ItemDataRole.ToolTipRole else ""
            return tip or column.text(row)
        if role in (SORT, EXPORT):
            column = self._columns[index.column()]
            return (column.value or column.text)(self._rows[index.row()])
        return self._alignment(index.column()) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignRight if self._columns[column].number else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter
