"""Findings: the X-ray report's statement next to that of the CT report."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import IntEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from radcal.system.exports import ExamTime
from ui.kit.column import Column, RecordModel
from ui.kit.delegate import SPAN
from ui.pages.results.cases.work import NOT_COMPARABLE
from ui.sentences import topic_name
from ui.words import day, moment, say, typographic

if TYPE_CHECKING:
    from ui.pages.results.cases.work import FindingRow


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


class CaseTableModel(RecordModel):
    """One row per finding."""

    def __init__(self, parent: QObject | None = None) -> None:
        self.called: Callable[[str], str] = str
        """What a radiologist is called."""
        super().__init__(
            (
                Column(
                    say("X-ray on"),
                    lambda r: day(r.time.date()) if r.time else "",
                    sort=lambda r: r.time.isoformat() if r.time else "",
                    export=lambda r: ExamTime(r.xray_id, r.time) if r.time else "",
                    tip=lambda r: f"{r.xray_id}\n{r.ct_id}",
                    width=76,
                ),
                Column(say("word"), lambda r: r.phrase, width=100),
                Column(say("X-ray said"), lambda r: r.xray_sentence, roles={SPAN: _span}, width=380),
                Column(say("CT said"), _ct_said, width=380),
                Column(say("CT"), verdict, sort=lambda r: float(r.outcome), width=116),
                Column(
                    say("answer"),
                    contest_text,
                    tip=lambda r: "\n".join(filter(None, (reason(r), contested_by(r, self.called)))),
                    width=92,
                ),
                Column(say("radiologist"), lambda r: self.called(r.author), width=108, hidden=True),
                Column(say("pathology"), lambda r: topic_name(r.topic), width=108, hidden=True),
            ),
            parent,
            tall=True,
        )

    def replace_row(self, row: int, finding: FindingRow) -> None:
        """Replace the old version of a changed finding."""
        self._rows = (*self._rows[:row], finding, *self._rows[row + 1 :])
        self.dataChanged.emit(self.index(row, 0), self.index(row, self.columnCount() - 1))


def _span(r: FindingRow) -> tuple[int, int] | None:
    marked = 0 <= r.cue_start < r.cue_end <= len(r.xray_sentence)
    return (r.cue_start, r.cue_end) if marked else None


def _ct_said(r: FindingRow) -> str:
    return r.ct_sentence or typographic(r.silence)


def verdict(r: FindingRow) -> str:
    """The CT verdict in words; an uncertain one shows its side."""
    side = say("confirmed") if r.confirmed else say("not confirmed")
    if r.great:
        return say("great call, {side}", side=side)
    return side if r.outcome in (0.0, 1.0) else say("{side}, CT hedged", side=side)


def contest_text(r: FindingRow) -> str:
    """Whether a finding is contested and is included in the statistics; '' if it is an ordinary one."""
    if r.contest is None and r.agreed is not None:
        return say("agreed")
    if r.contest is None:
        return "" if r.entered else say("left out until the next analysis")
    if r.contest.startswith(NOT_COMPARABLE):
        return say("not comparable, counted") if r.entered else say("not comparable, left out")
    return say("contested, counted") if r.entered else say("contested, left out")


def reason(r: FindingRow) -> str:
    """Why it is contested or agreed with, as it was written."""
    return (r.contest or r.agreed or "").removeprefix(NOT_COMPARABLE)


def contested_by(r: FindingRow, called: Callable[[str], str]) -> str:
    """From whose personal file the contest came, and when it was made; '' for one that was made here."""
    if not r.contested_by:
        return ""
    at = moment(datetime.fromisoformat(r.contested_at))
    return say("(From the personal file of {author}, {time}.)", author=called(r.contested_by), time=at)
