"""The table of phrases: how often each was said, how often CT confirmed it, and what it means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ui.tables import EXPORT, SORT, with_ends
from ui.words import percent, percent_range, rate, translate, whole

if TYPE_CHECKING:
    from radcal.records import Phrase, PhraseRate

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
BARS = Qt.ItemDataRole.UserRole
"""Of the rate column: (rate, low, high, meaning low, meaning high), shares of 0-1; None where nothing is known."""
CERTAINTY = Qt.ItemDataRole.UserRole + 1
"""Of the phrase column: the mean of its meaning, 0-1."""


class Column(IntEnum):
    """The columns, left to right."""

    PHRASE = 0
    SAID = 1
    CONFIRMED = 2
    RATE = 3
    MEANING = 4


class PhraseTableModel(QAbstractTableModel):
    """One row a phrase, strongest first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[PhraseRate, ...] = ()
        self._meanings: dict[str, Phrase] = {}
        self._min_n = 0
        self._headers = (
            translate("phrases", "phrase"),
            translate("phrases", "said"),
            translate("phrases", "confirmed"),
            translate("phrases", "rate, 95 % interval"),
            translate("phrases", "readers take it as"),
        )

    def set_rates(self, rates: Sequence[PhraseRate], meanings: Mapping[str, Phrase], min_n: int) -> None:
        """Show these phrases; those said less than ``min_n`` times are marked as too few for advice."""
        self.beginResetModel()
        self._rows = tuple(sorted((r for r in rates if r.n > 0), key=lambda r: (-r.mean, r.phrase)))
        self._meanings = dict(meanings)
        self._min_n = min_n
        self.endResetModel()

    def rate_at(self, row: int) -> PhraseRate:
        """The phrase of a row."""
        return self._rows[row]

    def row_of(self, phrase: str) -> int:
        """The row of a phrase, -1 if it is not there."""
        return next((i for i, r in enumerate(self._rows) if r.phrase == phrase), -1)

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(Column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(Column):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._headers[section]
        if role == EXPORT and section == Column.RATE:
            return with_ends(self._headers[section])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = (
                Qt.AlignmentFlag.AlignRight
                if section in (Column.SAID, Column.CONFIRMED)
                else Qt.AlignmentFlag.AlignLeft
            )
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        r, column = self._rows[index.row()], Column(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(r, column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = (
                Qt.AlignmentFlag.AlignRight if column in (Column.SAID, Column.CONFIRMED) else Qt.AlignmentFlag.AlignLeft
            )
            return side | Qt.AlignmentFlag.AlignVCenter
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            return self.sentence(r)
        if role == EXPORT and column is Column.RATE:
            return (float(r.rate), float(r.low), float(r.high))
        if role in (SORT, EXPORT) and (value := self._value(r, column, role)) is not None:
            return value
        if role == BARS and column is Column.RATE:
            low, high = self._range(r)
            return (float(r.rate), float(r.low), float(r.high), low, high)
        if role == CERTAINTY and column is Column.PHRASE:
            return float(r.mean)
        return None

    def sentence(self, r: PhraseRate) -> str:
        """The row in words, with its numbers."""
        text = translate(
            "phrases", "\u201c{phrase}\u201d: CT confirmed {positives} of {n}, {rate}. Readers take it as {meaning}."
        ).format(
            phrase=r.phrase,
            positives=whole(r.positives),
            n=whole(r.n),
            rate=rate(r.rate, r.low, r.high),
            meaning=self._meaning(r),
        )
        if not float(r.positives).is_integer():
            text += " " + translate("phrases", "Where CT itself was unsure, a finding counts in part.")
        if r.n < self._min_n:
            text += " " + translate("phrases", "Said {n} times; advice needs {min}.").format(
                n=whole(r.n), min=self._min_n
            )
        return text

    def _text(self, r: PhraseRate, column: Column) -> str:
        match column:
            case Column.PHRASE:
                return r.phrase
            case Column.SAID:
                return whole(r.n)
            case Column.CONFIRMED:
                return whole(r.positives)
            case Column.RATE:
                return rate(r.rate, r.low, r.high)
            case Column.MEANING:
                return self._meaning(r)

    def _value(self, r: PhraseRate, column: Column, role: int) -> float | str | None:
        """What a cell is sorted by, or exported as."""
        match column:
            case Column.PHRASE:
                return float(r.mean) if role == SORT else r.phrase
            case Column.SAID:
                return float(r.n)
            case Column.CONFIRMED:
                return float(r.positives)
            case Column.RATE:
                return float(r.rate) if role == SORT else None
            case Column.MEANING:
                return float(r.mean) if role == SORT else None

    def _range(self, r: PhraseRate) -> tuple[float, float]:
        phrase = self._meanings.get(r.phrase)
        return (float(phrase.low), float(phrase.high)) if phrase else (float(r.mean), float(r.mean))

    def _meaning(self, r: PhraseRate) -> str:
        phrase = self._meanings.get(r.phrase)
        return percent_range(phrase.low, phrase.high) if phrase else percent(r.mean)
