"""The table of a department's phrases; checked ones may be proposed by advice."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal

from radcal.words.phrases import mean_of
from ui.kit.column import Column, Index, RecordModel
from ui.sentences import place_in_words
from ui.words import percent, percent_range, say, whole

if TYPE_CHECKING:
    from ui.pages.words.work import PhraseRow


class LexiconColumn(IntEnum):
    """The columns, left to right."""

    PHRASE = 0
    MEAN = 1
    RANGE = 2
    SCALE = 3
    USES = 4
    ALLOWED = 5
    SYNONYMS = 6


class LexiconModel(RecordModel):
    """One row per phrase, strongest first.

    allowed_changed: (name, whether advice may propose it), as ticked by the user; shown once new rows are set
    """

    allowed_changed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        self._editable = True
        super().__init__(
            (
                Column(say("word"), lambda r: r.phrase.name, width=140),
                Column(say("mean"), lambda r: percent(mean_of(r.phrase)), True, lambda r: mean_of(r.phrase), width=56),
                Column(
                    say("readers take it as"),
                    lambda r: percent_range(r.phrase.low, r.phrase.high),
                    sort=lambda r: r.phrase.low + r.phrase.high,
                    width=120,
                ),
                Column(
                    say("scale states"),
                    _stated,
                    sort=lambda r: -1.0 if r.stated is None else r.stated.low + r.stated.high,
                    width=124,
                ),
                Column(
                    say("X-ray and CT"),
                    _uses,
                    number=True,
                    sort=lambda r: -1 if r.uses is None else r.uses,
                    export=lambda r: _uses(r) if r.uses is None else r.uses,
                    width=64,
                ),
                Column(
                    say("advised"),
                    lambda r: say("yes") if r.allowed else say("no"),
                    roles={Qt.ItemDataRole.CheckStateRole: _ticked},
                    width=64,
                ),
                Column(
                    say("also written as"),
                    lambda r: ", ".join(r.phrase.synonyms),
                    sort=lambda r: len(r.phrase.synonyms),
                ),
            ),
            parent,
        )

    def set_rows(self, rows: Sequence[PhraseRow], *, editable: bool = True) -> None:
        """Show these phrases; rows of the same names are updated and moved, keeping the selection."""
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
        self.update_rows(rows)

    def name_at(self, row: int) -> str:
        """The phrase of a row, '' if none."""
        return self._rows[row].phrase.name if 0 <= row < len(self._rows) else ""

    def row_of(self, name: str) -> int:
        """The row of a phrase, -1 if absent."""
        return next((i for i, r in enumerate(self._rows) if r.phrase.name == name), -1)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.isValid() and index.column() == LexiconColumn.ALLOWED and self._editable:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or not index.isValid() or index.column() != LexiconColumn.ALLOWED:
            return False
        wanted = Qt.CheckState(value) == Qt.CheckState.Checked
        self.allowed_changed.emit((self._rows[index.row()].phrase.name, wanted))
        return True


def _stated(r: PhraseRow) -> str:
    if r.stated is not None:
        return percent_range(r.stated.low, r.stated.high)
    return place_in_words(r.place)


def _uses(r: PhraseRow) -> str:
    return "\u2013" if r.uses is None else whole(r.uses)


def _ticked(r: PhraseRow) -> Qt.CheckState:
    return Qt.CheckState.Checked if r.allowed else Qt.CheckState.Unchecked
