"""All reports: searched, sorted and filtered by what became of them, with the text of one beside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QSplitter, QWidget

from radcal.reports.records import State
from radcal.system.exports import ExamTime, ReportNumber
from radcal.system.text import begun
from ui.kit.action import enable, push_button
from ui.kit.column import Column, LongModel, count
from ui.kit.form import offer
from ui.kit.layout import vbox
from ui.kit.table import DataTable
from ui.kit.text import ElidedComboBox
from ui.language import spoken
from ui.pages.reports import work
from ui.pages.reports.beside import Beside
from ui.pages.reports.importing.sentences import place_in_file
from ui.pages.reports.work import ALL, NAMES, Found, Listed
from ui.widgets.names_box import NamesBox
from ui.words import moment, report_name, say, typographic, whole

if TYPE_CHECKING:
    from radcal.reports.deidentify.suspects import Suspicion
    from radcal.reports.records import ListedReport
    from ui.shell import Shell

LIST, FIND = "list of reports", "search in reports"
"""The operations in the worker."""
_FILTERS = (ALL, *State, NAMES)


def state_name(state: str) -> str:
    """What became of a report, or what the list shows."""
    return {
        ALL: say("all"),
        State.READ: say("read"),
        State.WAITING: say("not read yet"),
        State.FAILED: say("could not be read"),
        State.LEFT_OUT: say("left out"),
        NAMES: say("may contain names"),
    }[state]


def report_columns(called: Callable[[str], str]) -> tuple[Column, ...]:
    """The columns of the list: records.ListedReport; ``called``: what an author is."""
    return (
        Column(say("report"), _name, export=_number, tip=lambda r: place_in_file(r.file, r.unit, r.row), width=136),
        Column(
            say("examined on"),
            lambda r: moment(r.time) if r.time else "",
            sort=lambda r: r.time.isoformat() if r.time else "",
            export=lambda r: ExamTime(r.report_id, r.time) if r.time else "",
            width=138,
        ),
        Column(say("examination"), lambda r: r.exam, width=108),
        Column(say("radiologist"), lambda r: called(r.author), width=120),
        Column(say("state"), lambda r: state_name(r.state), width=72),
        Column(say("paired with"), _pair, export=lambda r: r.partner and ReportNumber(r.partner), width=176),
        count(say("findings"), lambda r: r.findings, width=64),
        Column(say("why"), lambda r: typographic(r.why), tip=lambda r: typographic(f"{r.why}") + _remedy(r)),
        Column(say("file"), lambda r: place_in_file(r.file, r.unit, r.row), hidden=True),
    )


def _name(r: ListedReport) -> str:
    return report_name(r.report_id) if r.report_id else r.accession or place_in_file(r.file, r.unit, r.row)


def _number(r: ListedReport) -> ReportNumber | str:
    number = r.report_id or r.accession
    return ReportNumber(number) if number else ""


def _pair(r: ListedReport) -> str:
    if r.hours is None:
        return ""
    return say("{report}, {n} h", report=report_name(r.partner), n=spoken().number(r.hours, 1))


def _remedy(r: ListedReport) -> str:
    return "\n" + typographic(r.remedy) if r.remedy else ""


class AllReports(QWidget):
    """The list, and the report that Enter opens beside it.

    retry_wanted: ids of reports that are to be read once more
    remove_wanted, leave_wanted: a Suspicion
    """

    retry_wanted = Signal(object)
    remove_wanted, leave_wanted = Signal(object), Signal(object)

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self._shell = shell
        self.listed = Listed()
        self._suspects: dict[str, list[Suspicion]] = {}
        self._to_open = ""
        self._may_change, self._locked = False, ""
        self.model = LongModel(report_columns(self._called))
        self.table = DataTable("all reports", say("All reports"), self.model, shell)
        self.which = ElidedComboBox()
        self.which.setAccessibleName(say("Show"))
        self.which.setSizeAdjustPolicy(ElidedComboBox.SizeAdjustPolicy.AdjustToContents)
        offer(self.which, ((begun(state_name(which)), which) for which in _FILTERS))
        self.which.activated.connect(self._find)
        self.retry = push_button("", self._retry)
        self.names = NamesBox(shell)
        self.names.turned.connect(self._names_turned)
        for control in (self.which, self.retry, self.names):
            self.table.add_to_bar(control)
        self.beside = Beside(shell, self._called)
        self.beside.hide()
        self.beside.closed.connect(self.close_report)
        self.beside.remove_wanted.connect(self.remove_wanted)
        self.beside.leave_wanted.connect(self.leave_wanted)
        self.split = QSplitter()
        self.split.setChildrenCollapsible(False)
        for part in (self.table, self.beside):
            self.split.addWidget(part)
        self.split.setSizes([500, 500])
        vbox(self.split, parent=self, margins=(0, 8, 0, 0))
        self.model.wanted.connect(self._find)
        self.table.activated.connect(self.open_report)
        self.table.current_changed.connect(self._follow)
        self.table.view.selectionModel().selectionChanged.connect(self._show_buttons)
        self._show_buttons()

    def renew(self) -> None:
        """List the reports of the open department anew."""
        self._shell.run(LIST, work.listed, self._came)

    def clear(self) -> None:
        """No department is open, or another."""
        self.close_report()
        self._shell.tasks.forget(LIST)
        self._came(Listed())

    def _called(self, author: str) -> str:
        opened = self._shell.opened
        return "" if opened is None else opened.called(author, named=self.names.isChecked())

    @Slot()
    def _names_turned(self) -> None:
        self.model.named = self.names.isChecked()
        self._came(replace(self.listed, texts=[]))  # who is looked for by name is not found by pseudonym

    @Slot(object)
    def _came(self, listed: Listed) -> None:
        self.listed = listed
        offer(self.which, ((self._filter_text(which), which) for which in _FILTERS))
        self._find()

    def _filter_text(self, which: str) -> str:
        return say("{what} ({n})", what=begun(state_name(which)), n=whole(self.listed.counts[which]))

    @Slot()
    def _find(self, *_: object) -> None:
        rows, which, wanted = self.listed.rows, self.which.currentData(), self.model.search
        if which == ALL and not wanted.words and wanted.column < 0:
            self._shell.tasks.forget(FIND)
            self._found(Found(rows, len(rows)))
        else:
            self._shell.run(FIND, partial(work.search, self.listed, self.model.columns, wanted, which), self._found)

    @Slot(object)
    def _found(self, found: Found) -> None:
        before, place = self.table.current_record(), self.table.current_row()
        self.model.show(found.rows, found.total)
        self._show_buttons()
        asked_for = next((k for k, row in enumerate(found.rows) if row.report_id == self._to_open), -1)
        if self._to_open and asked_for >= 0:
            self._to_open = ""
            self.table.select_row(asked_for)
            self.open_report(asked_for)
            return
        if before is None or not found.rows:
            self.close_report()
            return
        same = (k for k, row in enumerate(found.rows) if row[1:4] == before[1:4] and row.row == before.row)
        self.table.select_row(next(same, min(place, len(found.rows) - 1)))

    def show_only(self, which: str, words: str = "") -> None:
        """Show the reports of a state, ALL or NAMES, with these words."""
        self.which.setCurrentIndex(self.which.findData(which))
        self.table.search.setText(words)
        self.model.look_for(words)
        self._find()

    def show_report(self, report_id: str) -> None:
        """Find a report and open it, once the reports are listed."""
        self._to_open = report_id
        self.show_only(ALL, report_name(report_id))

    def set_suspects(self, suspects: Sequence[Suspicion], *, may_change: bool) -> None:
        """These words may identify somebody."""
        self._suspects, self._may_change = {}, may_change
        for found in suspects:
            self._suspects.setdefault(found.report_id, []).append(found)

    @Slot(object)
    def open_report(self, row: int) -> None:
        """Show a report beside the list."""
        self.beside.show()
        self._follow(row)
        self.beside.setFocus()

    @Slot()
    def close_report(self) -> None:
        """Show the list alone."""
        if not self.beside.isHidden():
            self.beside.hide()
            self.table.view.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(object)
    def _follow(self, row: int) -> None:
        if not self.beside.isHidden() and 0 <= row < self.model.rowCount():
            record: ListedReport = self.model.row(row)
            its = self._suspects.get(record.report_id, ())
            self.beside.show_report(record, _name(record), its, may_change=self._may_change)

    def set_locked(self, why: str) -> None:
        """Why nothing can be read now; '' if it can."""
        self._locked = why
        self._show_buttons()

    def _failed(self) -> list[str]:
        """The failed reports that are selected; if none is, all."""
        chosen = [self.model.row(row) for row in self.table.selected_rows()]
        some = [r.report_id for r in chosen if r.state == State.FAILED]
        return some or [r.report_id for r in self.listed.rows if r.state == State.FAILED]

    @Slot()
    def _show_buttons(self, *_: object) -> None:
        failed = self._failed() if self.listed.counts[State.FAILED] else []
        self.retry.setVisible(bool(failed) and self.which.currentData() == State.FAILED)
        self.retry.setText(say("&Try {n} again", n=whole(len(failed))))
        enable(self.retry, self._locked)

    @Slot()
    def _retry(self) -> None:
        self.retry_wanted.emit(tuple(self._failed()))
