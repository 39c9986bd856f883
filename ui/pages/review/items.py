"""The statements of a report under review, as a list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from radcal.records.gold import Verdict
from ui.widgets.delegates import CERTAINTY
from ui.words import quoted, say

if TYPE_CHECKING:
    from ui.pages.review.session import Item

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
_SIGN = {
    None: "\u00b7",
    Verdict.ACCEPTED: "\u2713",
    Verdict.CORRECTED: "\u270e",
    Verdict.ADDED: "+",
    Verdict.UNSURE: "?",
    Verdict.REMOVED: "\u2715",
}


class StatementColumn(IntEnum):
    """The columns, left to right."""

    SIGN = 0
    PATHOLOGY = 1
    PHRASE = 2


class ReviewItemModel(QAbstractTableModel):
    """One row per statement."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._items: tuple[Item, ...] = ()
        self._means: Mapping[str, float] = {}
        self._blind = False

    def set_items(self, items: Sequence[Item], means: Mapping[str, float], *, blind: bool) -> None:
        """Show these statements."""
        self.beginResetModel()
        self._items, self._means, self._blind = tuple(items), means, blind
        self.endResetModel()

    @property
    def items(self) -> tuple[Item, ...]:
        """All statements."""
        return self._items

    def item(self, row: int) -> Item | None:
        """The statement of a row."""
        return self._items[row] if 0 <= row < len(self._items) else None

    def row_of(self, key: str) -> int:
        """The row of the statement with that key, -1 if absent."""
        return next((i for i, item in enumerate(self._items) if item.key == key), -1)

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._items)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(StatementColumn)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The header is hidden; screen readers read it before each cell."""
        if (
            orientation is Qt.Orientation.Horizontal
            and role == Qt.ItemDataRole.DisplayRole
            and 0 <= section < len(StatementColumn)
        ):
            return (
                say("judgement"),
                say("pathology"),
                say("phrase"),
            )[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        item, column = self._items[index.row()], StatementColumn(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            match column:
                case StatementColumn.SIGN:
                    return _SIGN[item.verdict] if not item.compared else "\u2260"
                case StatementColumn.PATHOLOGY:
                    return item.finding.pathology
                case StatementColumn.PHRASE:
                    return item.finding.phrase
        if role == Qt.ItemDataRole.AccessibleTextRole and column is StatementColumn.SIGN:
            return self.verdict(item)
        if role == CERTAINTY and column is StatementColumn.PHRASE:
            return self._means.get(item.finding.phrase, 0.5)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            return "\n".join([self.verdict(item), *self.engine(item)])
        return None

    def verdict(self, item: Item) -> str:
        """The reader's verdict on a statement, in words."""
        if item.compared:
            return say("Only the engine says so.")
        match item.verdict:
            case None:
                return say("Not judged yet.")
            case Verdict.ACCEPTED:
                return say("Accepted.")
            case Verdict.CORRECTED:
                return say("Corrected.")
            case Verdict.ADDED:
                return say("Added by the reader.")
            case Verdict.UNSURE:
                return say("Unsure: left out of every figure.")
            case Verdict.REMOVED:
                return say("Removed: the report does not say so.")

    def engine(self, item: Item) -> tuple[str, ...]:
        """The engine's version, if the reader changed it."""
        e = item.engine
        if e is None or item.compared or self._blind:
            return ()
        if (e.pathology, e.phrase) == (item.finding.pathology, item.finding.phrase):
            return ()
        said = say("The engine read {pathology}: {phrase}.")
        return (said.format(pathology=e.pathology, phrase=quoted(e.phrase)),)
