"""The teaching cases of the next meeting, in their order, and slides of them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from ui.kit.action import enable, push_button
from ui.kit.column import Column
from ui.kit.files import ask_save
from ui.kit.layout import hbox, vbox
from ui.kit.table import DataTable
from ui.kit.text import caption, wrapped
from ui.kit.undoing import Edit, UndoOnward
from ui.language import spoken
from ui.sentences import read_only_reason, topic_name
from ui.shell import open_file
from ui.widgets.messages import Message
from ui.widgets.teaching_case import TeachingCaseDialog
from ui.words import say, whole

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent, QUndoStack

    from radcal.department import Department
    from radcal.feedback.records import TeachingCase
    from radcal.system.progress import Progress
    from ui.records import Opened
    from ui.shell import Shell

    Cases = tuple[TeachingCase, ...]
    Placed = tuple[TeachingCase, int | None]

LIST, KEEP, SLIDES = "teaching cases", "keep teaching case", "write slides"
_NAMES = 3
"""Lines for those who took part."""


class MeetingTab(QWidget):
    """Lists the cases; edits are undone on the page's stack."""

    def __init__(self, shell: Shell, undo_stack: QUndoStack, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell, self._undo = shell, undo_stack
        columns = (
            Column(say("case"), lambda r: whole(r[0]), number=True, value=lambda r: r[0], width=48),
            Column(say("pathology"), lambda r: topic_name(r[1].topic), width=120),
            Column(say("word"), lambda r: r[1].phrase, width=110),
            Column(say("the X-ray report said"), lambda r: r[1].xray, width=300),
            Column(say("the CT report said"), lambda r: r[1].ct, width=300),
            Column(say("what it teaches"), lambda r: r[1].point, width=200),
        )
        self.table = DataTable("teaching cases", say("Teaching cases"), columns, shell, searchable=False)
        self.table.view.horizontalHeader().setSectionsClickable(False)  # their order is that of the meeting
        self.table.activated.connect(self.edit)
        self.table.current_changed.connect(self._show_state)
        self.up, self.down = (
            push_button(say("Move up"), partial(self.shift, -1)),
            push_button(say("Move down"), partial(self.shift, 1)),
        )
        self.change, self.remove = push_button(say("Edit\u2026"), self.edit), push_button(say("Remove"), self.take_out)
        self.save = push_button(say("Save the slides\u2026"), self.ask_save, primary=True)
        self.about = wrapped(role="muted")
        self.title, self.when, self.attended = QLineEdit(), QLineEdit(), QPlainTextEdit()
        self.title.setPlaceholderText(say("Words on chest X-rays, and what CT showed"))
        self.attended.setTabChangesFocus(True)
        self.attended.setFixedHeight(self.attended.fontMetrics().lineSpacing() * _NAMES + 16)
        UndoOnward(self, self.title, self.when)
        vbox(
            hbox(self.up, self.down, self.change, self.remove, None, self.save),
            self.about,
            (self.table, 1),
            hbox(caption(say("Title"), self.title), (self.title, 2), caption(say("Month"), self.when), (self.when, 1)),
            caption(say("Who took part, one a line, for the last slide; it is not stored"), self.attended),
            self.attended,
            parent=self,
            margins=(0, 8, 0, 0),
        )
        self._show_cases(())

    def forget(self) -> None:
        """Another department: nothing of the former stays."""
        self._show_cases(())
        for field in (self.title, self.when, self.attended):
            field.clear()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._shell.run(LIST, lambda department, _: department.meeting.cases(), self._show_cases)

    def _show_cases(self, cases: Cases) -> None:
        chosen = self._current()
        self.cases = cases
        self.table.model.set_rows(list(enumerate(cases, 1)))
        place = next((i for i, case in enumerate(cases) if chosen and case.finding == chosen.finding), 0)
        self.table.select_row(place)
        self.about.setText(
            say("Each case makes two slides: the X-ray report with a vote, then what CT showed.")
            if cases
            else say("There is no case yet. Open one on the page Results and choose Add to meeting.")
        )
        self._show_state()

    cases: Cases = ()

    def _current(self) -> TeachingCase | None:
        row = self.table.current_row()
        return self.cases[row] if 0 <= row < len(self.cases) else None

    @Slot(object)
    def _show_state(self, *_: object) -> None:
        opened: Opened | None = self._shell.opened
        row, none = self.table.current_row(), "" if self._current() else say("Choose a case in the list.")
        why_not = read_only_reason() if opened is not None and opened.read_only else none
        for button in (self.change, self.remove):
            enable(button, why_not)
        enable(self.up, why_not or ("" if row > 0 else say("It is the first.")))
        enable(self.down, why_not or ("" if row + 1 < len(self.cases) else say("It is the last.")))
        enable(self.save, "" if self.cases else self.about.text(), say("As PowerPoint or PDF, with nobody\u2019s name"))

    # --- edits -------------------------------------------------------------------------------------

    @Slot(bool)
    def shift(self, by: int, *_: object) -> None:
        """Move the current case up (-1) or down (1)."""
        row = self.table.current_row()
        if (case := self._current()) is not None and 0 <= row + by < len(self.cases):
            self._push(say("move a teaching case"), (case, row), (case, row + by))

    @Slot()
    def take_out(self) -> None:
        """Take the current case out of the list."""
        if (case := self._current()) is not None:
            self._push(say("remove a teaching case"), (case, self.table.current_row()), (case, None))

    @Slot()
    def edit(self, *_: object) -> None:
        """Open the current case."""
        case, row = self._current(), self.table.current_row()
        if case is not None and self.change.isEnabled():
            text = say("edit a teaching case")
            TeachingCaseDialog(case, (), lambda now: self._push(text, (case, row), (now, row)), self).open()

    def _push(self, text: str, before: Placed, after: Placed) -> None:
        self._undo.push(Edit(text, before, after, self._keep))

    def _keep(self, placed: Placed) -> None:
        self._shell.run(KEEP, lambda department, _: department.meeting.put(*placed), self._show_cases, keeps=True)

    # --- slides ------------------------------------------------------------------------------------

    @Slot()
    def ask_save(self) -> None:
        """Ask where to save the slides."""
        kinds = (say("PowerPoint (*.pptx)"), say("PDF (*.pdf)"))
        ask_save(self, say("Save the slides"), "meeting.pptx", kinds, self.write)

    @Slot(str)
    def write(self, name: str) -> None:
        """Write the slides to a file of this name."""
        out, title, when = Path(name), self.title.text().strip(), self.when.text().strip()
        attended, tag = tuple(self.attended.toPlainText().splitlines()), spoken().code

        def work(department: Department, _progress: Progress) -> Path:
            from radcal.feedback.records import Sheet

            sheet = replace(Sheet(), language=tag)
            return department.meeting.write(out, title=title, when=when, attended=attended, sheet=sheet)

        messages = self._shell.messages
        self._shell.run(
            SLIDES,
            work,
            lambda path: messages.show_message(Message.FILE_SAVED, partial(open_file, path), file=path.name),
            title=say("Writing {file}", file=out.name),
            failed=lambda failure: messages.show_failure(Message.FILE_FAILED, failure, self.ask_save),
            keeps=True,
        )
