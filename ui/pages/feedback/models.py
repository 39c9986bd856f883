"""The radiologists with the files written for each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from radcal.records import ALL_DAYS
from ui.widgets.tables import EXPORT, SORT
from ui.words import listed, say, typographic, whole

if TYPE_CHECKING:
    from radcal.records import Days
    from radcal.workflow.handing_out.batch import Written

PACKET = ".radcal"
"""The ending of personal files."""
Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class BatchColumn(IntEnum):
    """The columns, left to right."""

    AUTHOR = 0
    STATEMENTS = 1
    SUGGESTIONS = 2
    OUTCOME = 3
    PASSPHRASE = 4


@dataclass(frozen=True, slots=True)
class Radiologist:
    """A radiologist with results, and the last files written; None if none.

    n: statements;  suggestions: None where they were not worked out for the days that are chosen
    """

    author: str
    n: float
    suggestions: int | None
    written: Written | None = None


class BatchModel(QAbstractTableModel):
    """One row per radiologist, by name."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Radiologist] = []
        self._days = ALL_DAYS
        self._said: Mapping[str, float] = {}

    def set_days(self, days: Days, said: Mapping[str, float] | None = None) -> None:
        """Show statement counts for the date range as far as known; for all dates they are known.

        How many suggestions there are within days is known once the pages are written.
        """
        self._days, self._said = days, said or {}
        if self._rows:
            last = self.index(len(self._rows) - 1, BatchColumn.SUGGESTIONS)
            self.dataChanged.emit(self.index(0, BatchColumn.STATEMENTS), last)

    def set_rows(self, rows: Sequence[Radiologist]) -> None:
        """Show other radiologists."""
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def set_written(self, written: Sequence[Written]) -> None:
        """Show the outcome of writing; a passphrase stays until replaced."""
        of = {w.author: w for w in written}
        self._put([_together(row.written, of.get(row.author)) for row in self._rows])

    def set_handed_out(self, handed_out: Sequence[Written]) -> None:
        """Show earlier personal files unless there is a newer one."""
        of = {w.author: w for w in handed_out}
        self._put([_together(of.get(row.author), row.written) for row in self._rows])

    def _put(self, written: Sequence[Written | None]) -> None:
        self._rows = [replace(row, written=w) for row, w in zip(self._rows, written, strict=True)]
        if self._rows:
            last = self.index(len(self._rows) - 1, len(BatchColumn) - 1)
            self.dataChanged.emit(self.index(0, BatchColumn.SUGGESTIONS), last)

    def row(self, row: int) -> Radiologist:
        """The radiologist of a row."""
        return self._within(self._rows[row])

    def rows(self) -> tuple[Radiologist, ...]:
        """All radiologists."""
        return tuple(map(self._within, self._rows))

    def _within(self, row: Radiologist) -> Radiologist:
        if not self._days.are_limited:
            return row
        written = row.written
        suggestions = written.suggestions if written is not None and written.days == self._days else None
        return replace(row, n=self._said.get(row.author, math.nan), suggestions=suggestions)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(BatchColumn)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | int | None:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(BatchColumn):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(_alignment(section))
        if role == Qt.ItemDataRole.DisplayRole:
            return {
                BatchColumn.AUTHOR: say("radiologist"),
                BatchColumn.STATEMENTS: say("statements"),
                BatchColumn.SUGGESTIONS: say("suggestions"),
                BatchColumn.OUTCOME: say("files written"),
                BatchColumn.PASSPHRASE: say("passphrase of the personal file"),
            }[BatchColumn(section)]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self.row(index.row()), BatchColumn(index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(_alignment(column))
        if role in (SORT, EXPORT) and column in (BatchColumn.STATEMENTS, BatchColumn.SUGGESTIONS):
            return float(row.n) if column is BatchColumn.STATEMENTS else _number(row.suggestions)
        if role == SORT:
            return self._text(row, column)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, column)
        if role == Qt.ItemDataRole.ToolTipRole and column is BatchColumn.OUTCOME:
            return outcome(row.written)
        if role == Qt.ItemDataRole.ToolTipRole and column is BatchColumn.SUGGESTIONS and row.suggestions is None:
            return say("Known when the pages of these dates are written")
        return None

    def _text(self, row: Radiologist, column: BatchColumn) -> str:
        match column:
            case BatchColumn.AUTHOR:
                return row.author
            case BatchColumn.STATEMENTS:
                return "" if math.isnan(row.n) else whole(row.n)
            case BatchColumn.SUGGESTIONS:
                return "" if row.suggestions is None else whole(row.suggestions)
            case BatchColumn.OUTCOME:
                return outcome(row.written)
            case BatchColumn.PASSPHRASE:
                return row.written.passphrase if row.written else ""


def _together(before: Written | None, now: Written | None) -> Written | None:
    """The new files, with the earlier personal file if there is no newer one."""
    if before is None or now is None or now.passphrase or not before.passphrase:
        return now if now is not None else before
    packets = tuple(path for path in before.files if path.suffix == PACKET)
    return replace(now, files=(*now.files, *packets), passphrase=before.passphrase)


def _number(suggestions: int | None) -> float:
    return math.nan if suggestions is None else float(suggestions)


def outcome(written: Written | None) -> str:
    """The file names, or why there are none; both if only some were written."""
    if written is None:
        return ""
    names = listed([path.name for path in written.files])
    if not written.failure:
        return names
    why = typographic(written.failure)
    return say("{files} written. {why}", files=names, why=why) if names else why


def _alignment(column: int) -> Qt.AlignmentFlag:
    right = column in (BatchColumn.STATEMENTS, BatchColumn.SUGGESTIONS)
    return (Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft) | Qt.AlignmentFlag.AlignVCenter
