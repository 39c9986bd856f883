"""Findings: what the X-ray report said, and what the CT report said beside it."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QLocale, QObject

from ui.widgets.delegates import SPAN
from ui.widgets.lists import ListColumn, ListTableModel
from ui.words import translate

if TYPE_CHECKING:
    from datetime import datetime

    from ui.pages.evidence.work import FindingRow


class FindingColumn(IntEnum):
    """The columns, left to right."""

    DATE = 0
    PHRASE = 1
    XRAY = 2
    CT = 3
    CONFIRMED = 4
    CONTEST = 5
    AUTHOR = 6
    TOPIC = 7


class EvidenceTableModel(ListTableModel):
    """One row a finding."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(
            (
                ListColumn(
                    translate("evidence", "X-ray on"),
                    lambda r: day(r.time),
                    sort=lambda r: r.time.isoformat() if r.time else "",
                    export=lambda r: r.time or "",
                    tip=lambda r: f"{r.xray_id}\n{r.ct_id}",
                ),
                ListColumn(translate("evidence", "phrase"), lambda r: r.phrase),
                ListColumn(
                    translate("evidence", "the X-ray report said"), lambda r: r.xray_sentence, roles={SPAN: _span}
                ),
                ListColumn(translate("evidence", "the CT report said"), _ct_said),
                ListColumn(translate("evidence", "CT"), verdict, sort=lambda r: float(r.outcome)),
                ListColumn(translate("evidence", "contested"), contest_text, tip=lambda r: r.contest or ""),
                ListColumn(translate("evidence", "radiologist"), lambda r: r.author),
                ListColumn(translate("evidence", "pathology"), lambda r: r.topic),
            ),
            parent,
            tall=True,
        )

    def replace_row(self, row: int, finding: FindingRow) -> None:
        """Show a finding that has changed in the place of the old one."""
        self._rows = (*self._rows[:row], finding, *self._rows[row + 1 :])
        self.dataChanged.emit(self.index(row, 0), self.index(row, self.columnCount() - 1))


def _span(r: FindingRow) -> tuple[int, int] | None:
    marked = 0 <= r.cue_start < r.cue_end <= len(r.xray_sentence)
    return (r.cue_start, r.cue_end) if marked else None


def _ct_said(r: FindingRow) -> str:
    return r.ct_sentence or translate("evidence", "(not mentioned; taken as absent)")


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
