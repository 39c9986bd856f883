"""The table of words: what each was confirmed in, what to say instead, and why there is no advice on it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ui.tables import EXPORT, SORT, with_ends
from ui.words import listed, percent, percent_range, quoted, rate, translate, typographic, whole

if TYPE_CHECKING:
    from ui.work.advice import AdvisedWord

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()


class Column(IntEnum):
    """The columns, left to right."""

    WORD = 0
    SAID = 1
    RATE = 2
    MEANING = 3
    INSTEAD = 4
    STABILITY = 5
    WHY = 6


class AdvisedWordsModel(QAbstractTableModel):
    """One row a word that was said, strongest first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[AdvisedWord, ...] = ()
        self._checked = False
        self._headers = (
            translate("advice", "word"),
            translate("advice", "said"),
            translate("advice", "confirmed, 95 %"),
            translate("advice", "meaning"),
            translate("advice", "say instead"),
            translate("advice", "stable"),
            translate("advice", "note"),
        )
        self._tips = {
            Column.RATE: translate("advice", "How often CT confirmed it, with its 95 % interval"),
            Column.MEANING: translate("advice", "What readers take the word to mean"),
            Column.STABILITY: translate("advice", "The share of bootstrap resamples that advise the same direction"),
        }

    def set_words(self, words: Sequence[AdvisedWord], *, checked: bool) -> None:
        """Show these words; unless ``checked``, how stable their advice is is still being worked out."""
        self.beginResetModel()
        self._rows, self._checked = tuple(words), checked
        self.endResetModel()

    def word_at(self, row: int) -> AdvisedWord:
        """The word of a row."""
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
            return self._alignment(Column(section))
        if role == EXPORT and section == Column.RATE:
            return with_ends(self._headers[section])
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tips.get(Column(section))
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        word, column = self._rows[index.row()], Column(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(word, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._text(word, column) or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(column)
        if role == SORT:
            return self._key(word, column)
        if role == EXPORT and column in (Column.SAID, Column.RATE, Column.STABILITY):
            return {
                Column.SAID: float(word.rate.n),
                Column.RATE: (float(word.rate.rate), float(word.rate.low), float(word.rate.high)),
                Column.STABILITY: "" if word.stability is None else float(word.stability),
            }[column]
        return None

    @staticmethod
    def _alignment(column: Column) -> Qt.AlignmentFlag:
        right = column in (Column.SAID, Column.STABILITY)
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter

    @staticmethod
    def _key(word: AdvisedWord, column: Column) -> float | str:
        keys: dict[Column, float | str] = {
            Column.WORD: float(word.rate.mean),
            Column.SAID: float(word.rate.n),
            Column.RATE: float(word.rate.rate),
            Column.MEANING: float(word.low + word.high),
            Column.INSTEAD: ", ".join(name for name, _ in word.instead),
            Column.STABILITY: -1.0 if word.stability is None else float(word.stability),
            Column.WHY: word.why,
        }
        return keys[column]

    def _text(self, word: AdvisedWord, column: Column) -> str:
        r = word.rate
        match column:
            case Column.WORD:
                return r.phrase
            case Column.SAID:
                return whole(r.n)
            case Column.RATE:
                return rate(r.rate, r.low, r.high)
            case Column.MEANING:
                return percent_range(word.low, word.high)
            case Column.INSTEAD:
                return instead(word)
            case Column.STABILITY:
                if word.stability is not None:
                    return percent(word.stability)
                return translate("advice", "\u2026") if word.instead and not self._checked else ""
            case Column.WHY:
                return self._note(word)

    @staticmethod
    def _note(word: AdvisedWord) -> str:
        if word.instead:
            return translate("advice", "changed")
        if word.matched:
            return translate("advice", "matches what readers take it to mean")
        return typographic(word.why)


def instead(word: AdvisedWord) -> str:
    """The words to say instead, with their shares where they are not for all cases."""
    from ui.plots.plan_flow import in_ten

    if len(word.instead) == 1 and word.instead[0][1] >= 0.95:
        return quoted(word.instead[0][0])
    return listed(
        [
            translate("advice", "{word} in {share}").format(word=quoted(name), share=in_ten(share))
            for name, share in word.instead
        ]
    )
