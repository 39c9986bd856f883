"""When feedback was given: to one radiologist, or to all whose own date is not known."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QLocale, QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QDateEdit, QWidget

from ui.kit.layout import hbox
from ui.kit.undoing import Edit
from ui.sentences import read_only_reason
from ui.widgets.time_controls import ALL
from ui.words import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QUndoStack

    from ui.records import Opened
    from ui.shell import Shell

DATES, SAVE_DATES = "dates of feedback", "save dates of feedback"


class FeedbackDates(QWidget):
    """The date of one author, or of all; edits are commands on ``undo_stack`` and kept in the workspace.

    saved: the dates in the workspace have changed
    """

    saved = Signal()

    def __init__(self, shell: Shell, undo_stack: QUndoStack) -> None:
        super().__init__()
        self._shell, self._undo_stack = shell, undo_stack
        self._dates: dict[str, date | None] = {}
        self._author = ALL
        self.given = QCheckBox(say("&Feedback was given on"))
        self.day = QDateEdit()
        self.day.setCalendarPopup(True)
        self.day.setDisplayFormat(_day_format())
        self.day.setAccessibleName(self.given.text().replace("&", ""))
        self.day.setDate(QDate.currentDate())
        self.day.setKeyboardTracking(False)
        self.given.toggled.connect(self._edited)
        self.day.dateChanged.connect(self._edited)
        hbox(self.given, self.day, parent=self)

    def forget(self) -> None:
        """Another file is open."""
        self._dates = {}

    def show_department(self, opened: Opened | None) -> None:
        """Look up the dates."""
        why = read_only_reason() if opened is not None and opened.read_only else ""
        for widget in (self.given, self.day):
            widget.setEnabled(not why)
            widget.setToolTip(why)
        if opened is not None:
            self._shell.run(DATES, lambda department, _: department.comparison.feedback_dates(), self._show_all)

    def show_of(self, author: str) -> None:
        """Show the author's own date, else that of all."""
        self._author = author
        own = self._dates.get(author, self._dates.get(ALL))
        with QSignalBlocker(self.given):
            self.given.setChecked(own is not None)
        if own is not None:
            self._set_day(own)
        self.day.setEnabled(self.given.isChecked() and self.given.isEnabled())

    def propose(self, day: date) -> None:
        """Show a day to begin with while no date is given."""
        if not self.given.isChecked():
            self._set_day(day)

    def _set_day(self, day: date) -> None:
        with QSignalBlocker(self.day):
            self.day.setDate(QDate(day.year, day.month, day.day))

    @Slot()
    def _edited(self, *_: object) -> None:
        who, after = self._author, dict(self._dates)
        if self.given.isChecked():
            day = self.day.date()
            after[who] = date(day.year(), day.month(), day.day())
        else:
            after.pop(who, None)
            if who != ALL and ALL in after:
                after[who] = None  # otherwise the common date would apply
        if after != self._dates:
            self._undo_stack.push(Edit(say("Change when feedback was given"), self._dates, after, self._apply))
        else:
            self.show_of(who)

    def _apply(self, dates: Mapping[str, date | None]) -> None:
        self._show_all(dates)
        self._shell.run(SAVE_DATES, lambda department, _: department.comparison.set_feedback_dates(dates), self._kept)

    def _show_all(self, dates: Mapping[str, date | None]) -> None:
        self._dates = dict(dates)
        self.show_of(self._author)

    def _kept(self, _: None) -> None:
        self.saved.emit()


def _day_format() -> str:
    """The locale's short date format with a four-digit year."""
    pattern = QLocale().dateFormat(QLocale.FormatType.ShortFormat)
    return pattern if "yyyy" in pattern else pattern.replace("yy", "yyyy")
