"""The radiologists with what was written for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ui.tables import EXPORT, SORT
from ui.words import listed, translate, typographic, whole

if TYPE_CHECKING:
    from radcal.workflow.pages import Written

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class Column(IntEnum):
    """The columns, from the left."""

    AUTHOR = 0
    STATEMENTS = 1
    SUGGESTIONS = 2
    OUTCOME = 3
    PASSPHRASE = 4


@dataclass(frozen=True, slots=True)
class Radiologist:
    """A radiologist with results, and what was written last; None before."""

    author: str
    n: float
    suggestions: int
    written: Written | None = None


class BatchModel(QAbstractTableModel):
    """A row a radiologist, by name."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Radiologist] = []

    def set_rows(self, rows: Sequence[Radiologist]) -> None:
        """Show other radiologists."""
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def set_written(self, written: Sequence[Written]) -> None:
        """Show what became of the files."""
        of = {w.author: w for w in written}
        self._rows = [replace(row, written=of.get(row.author, row.written)) for row in self._rows]
        if self._rows:
            last = self.index(len(self._rows) - 1, len(Column) - 1)
            self.dataChanged.emit(self.index(0, Column.OUTCOME), last)

    def row(self, row: int) -> Radiologist:
        """The radiologist of a row."""
        return self._rows[row]

    def rows(self) -> tuple[Radiologist, ...]:
        """All radiologists."""
        return tuple(self._rows)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(Column)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | int | None:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(Column):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(_alignment(section))
        if role == Qt.ItemDataRole.DisplayRole:
            return {
                Column.AUTHOR: translate("feedback", "radiologist"),
                Column.STATEMENTS: translate("feedback", "statements"),
                Column.SUGGESTIONS: translate("feedback", "suggestions"),
                Column.OUTCOME: translate("feedback", "files written"),
                Column.PASSPHRASE: translate("feedback", "passphrase of the personal file"),
            }[Column(section)]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], Column(index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(_alignment(column))
        if role in (SORT, EXPORT) and column in (Column.STATEMENTS, Column.SUGGESTIONS):
            return float(row.n) if column is Column.STATEMENTS else row.suggestions
        if role == SORT:
            return self._text(row, column)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, column)
        if role == Qt.ItemDataRole.ToolTipRole and column is Column.OUTCOME:
            return outcome(row.written)
        return None

    def _text(self, row: Radiologist, column: Column) -> str:
        match column:
            case Column.AUTHOR:
                return row.author
            case Column.STATEMENTS:
                return whole(row.n)
            case Column.SUGGESTIONS:
                return whole(row.suggestions)
            case Column.OUTCOME:
                return outcome(row.written)
            case Column.PASSPHRASE:
                return row.written.passphrase if row.written else ""


def outcome(written: Written | None) -> str:
    """The names of the files, or why there are none; both where only some were written."""
    if written is None:
        return ""
    names = listed([path.name for path in written.files])
    if not written.failure:
        return names
    why = typographic(written.failure)
    return translate("feedback", "{files} written. {why}").format(files=names, why=why) if names else why


def _alignment(column: int) -> Qt.AlignmentFlag:
    right = column in (Column.STATEMENTS, Column.SUGGESTIONS)
    return (Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft) | Qt.AlignmentFlag.AlignVCenter
