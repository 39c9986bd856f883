"""The table of a department's phrases; advice may propose those whose box is ticked."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from ui.tables import EXPORT, SORT
from ui.words import percent, percent_range, translate, typographic, whole

if TYPE_CHECKING:
    from ui.work.words_stage import PhraseRow

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()


class Column(IntEnum):
    """The columns, left to right."""

    PHRASE = 0
    MEAN = 1
    RANGE = 2
    USES = 3
    ALLOWED = 4
    SYNONYMS = 5
    SOURCE = 6


_NUMBERS = (Column.MEAN, Column.USES, Column.SYNONYMS)


class LexiconModel(QAbstractTableModel):
    """One row a phrase, strongest first.

    allowed_changed: (name, whether advice may propose it), as the user wants it; the model waits for new rows
    """

    allowed_changed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[PhraseRow, ...] = ()
        self._editable = True
        self._headers = (
            translate("lexicon", "phrase"),
            translate("lexicon", "mean"),
            translate("lexicon", "readers take it as"),
            translate("lexicon", "said"),
            translate("lexicon", "advise"),
            translate("lexicon", "synonyms"),
            translate("lexicon", "source"),
        )

    def set_rows(self, rows: Sequence[PhraseRow], *, editable: bool = True) -> None:
        """Show these phrases; rows of the same names are changed and moved, so that the choice stays."""
        before, after = ([r.phrase.name for r in of] for of in (self._rows, rows))
        if editable != self._editable or sorted(before) != sorted(after):
            self.beginResetModel()
            self._rows, self._editable = tuple(rows), editable
            self.endResetModel()
            return
        if before != after:
            self.layoutAboutToBeChanged.emit()
            old = self.persistentIndexList()
            place = {name: i for i, name in enumerate(after)}
            new = [self.index(place[before[i.row()]], i.column()) for i in old]
            self._rows = tuple(rows)
            self.changePersistentIndexList(old, new)
            self.layoutChanged.emit()
        self._rows = tuple(rows)
        if rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(Column) - 1))

    def name_at(self, row: int) -> str:
        """The phrase of a row, '' if there is no such row."""
        return self._rows[row].phrase.name if 0 <= row < len(self._rows) else ""

    def row_of(self, name: str) -> int:
        """The row of a phrase, -1 if it is not there."""
        return next((i for i, r in enumerate(self._rows) if r.phrase.name == name), -1)

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(Column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(Column):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._headers[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            return {
                Column.USES: translate("lexicon", "How often it was found in the paired X-ray and CT reports."),
                Column.ALLOWED: translate("lexicon", "Advice may propose the words that are ticked."),
            }.get(Column(section))
        return _alignment(Column(section)) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.isValid() and index.column() == Column.ALLOWED and self._editable:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        r, column = self._rows[index.row()], Column(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return _text(r, column)
        if role in (SORT, EXPORT):
            known = column is not Column.USES or r.uses is not None
            return _value(r, column) if role == SORT or (column in _NUMBERS and known) else _text(r, column)
        if role == Qt.ItemDataRole.CheckStateRole and column is Column.ALLOWED:
            return Qt.CheckState.Checked if r.allowed else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.ToolTipRole:
            if column is Column.SYNONYMS:
                return ", ".join(r.phrase.synonyms)
            return typographic(r.phrase.source) if column is Column.SOURCE else _text(r, column)
        return _alignment(column) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or not index.isValid() or index.column() != Column.ALLOWED:
            return False
        wanted = Qt.CheckState(value) == Qt.CheckState.Checked
        self.allowed_changed.emit((self._rows[index.row()].phrase.name, wanted))
        return True


def _alignment(column: Column) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column in _NUMBERS else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def _text(r: PhraseRow, column: Column) -> str:
    match column:
        case Column.PHRASE:
            return r.phrase.name
        case Column.MEAN:
            return percent(r.mean)
        case Column.RANGE:
            return percent_range(r.phrase.low, r.phrase.high)
        case Column.USES:
            return "\u2013" if r.uses is None else whole(r.uses)
        case Column.ALLOWED:
            return translate("lexicon", "yes") if r.allowed else translate("lexicon", "no")
        case Column.SYNONYMS:
            return whole(len(r.phrase.synonyms))
        case Column.SOURCE:
            return typographic(r.phrase.source)


def _value(r: PhraseRow, column: Column) -> Any:
    match column:
        case Column.MEAN:
            return r.mean
        case Column.RANGE:
            return r.phrase.low + r.phrase.high
        case Column.USES:
            return -1 if r.uses is None else r.uses
        case Column.SYNONYMS:
            return len(r.phrase.synonyms)
        case _:
            return _text(r, column)
