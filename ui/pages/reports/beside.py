"""A report beside the list: what became of it, its text and that of its pair, and words in it that may be names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSplitter, QWidget

from ui.kit.action import push_button, tool_button
from ui.kit.keyboard import takes_escape
from ui.kit.layout import card, hbox, panel, vbox
from ui.kit.text import ElidedLabel, label, show_text, wrapped
from ui.pages.reports import work
from ui.widgets.report_view import ReportView
from ui.words import counted, moment, quoted, report_name, say, typographic

if TYPE_CHECKING:
    from radcal.calibration.cases import CaseReport
    from radcal.findings.records import Finding
    from radcal.reports.deidentify.suspects import Suspicion
    from radcal.reports.records import ListedReport
    from ui.shell import Shell

TEXTS = "texts of a report"
"""The operation in the worker."""


@dataclass(frozen=True, slots=True)
class _Mark:
    finding: Finding
    struck: bool = False
    strong: bool = False


class Beside(QWidget):
    """Shows one report, and below it the other one of its pair.

    called: what an author is;  closed: it is to be put away;  remove_wanted, leave_wanted: a Suspicion
    """

    closed = Signal()
    remove_wanted, leave_wanted = Signal(object), Signal(object)

    def __init__(self, shell: Shell, called: Callable[[str], str]) -> None:
        super().__init__()
        self._shell, self._called = shell, called
        self._suspect: Suspicion | None = None
        self.title = ElidedLabel()
        self.title.setProperty("role", "strong")
        self.close_button = tool_button("\u2715", self.closed, tip=say("Close the report (Esc)"), flat=True)
        self.said = wrapped(role="muted")
        self.asked = wrapped()
        self.remove = push_button(say("Re&move it"), lambda: self._settle(self.remove_wanted))
        self.remove.setToolTip(say("Takes the words out of every text of this report; what was read in it stays."))
        self.leave = push_button(say("&Leave it"), lambda: self._settle(self.leave_wanted))
        self._question = panel(hbox((self.asked, 1), self.remove, self.leave))
        self.parts = tuple(_Text() for _ in range(2))
        both = QSplitter(Qt.Orientation.Vertical)
        both.setChildrenCollapsible(False)
        for part in self.parts:
            both.addWidget(part)
        head = hbox((self.title, 1), self.close_button)
        vbox(head, self.said, self._question, (both, 1), (None, 0), parent=self, margins=(8, 0, 0, 0), spacing=4)
        self.setFocusProxy(self.parts[0].view)

    def event(self, event: QEvent) -> bool:
        return takes_escape(event) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def show_report(self, row: ListedReport, name: str, suspects: Sequence[Suspicion], *, may_change: bool) -> None:
        """Show a report or a row of the list."""
        self.title.setText(name)
        show_text(self.said, " ".join(typographic(part) for part in (row.why, row.remedy) if part))
        self._ask(suspects, may_change=may_change)
        ids = [i for i in (row.report_id, row.partner) if i]
        for part in self.parts[len(ids) :]:
            part.hide()
        if ids:
            self._shell.run(TEXTS, partial(work.texts, ids), self._show_texts)
        else:
            self._shell.tasks.forget(TEXTS)

    @Slot(object)
    def _show_texts(self, reports: Sequence[CaseReport]) -> None:
        opened = self._shell.opened
        means = {} if opened is None else {name: p.alpha / (p.alpha + p.beta) for name, p in opened.meanings.items()}
        for part, report in zip(self.parts, reports, strict=False):
            part.show_report(report, self._called(report.author), means)

    def _ask(self, suspects: Sequence[Suspicion], *, may_change: bool) -> None:
        """Ask about the first of the words that may identify somebody."""
        self._suspect = found = next(iter(suspects), None)
        self._question.setVisible(found is not None)
        for button in (self.remove, self.leave):
            button.setEnabled(may_change)
        if found is not None:
            may = say("{words} may identify somebody.", words=quoted(found.words))
            others = counted(found.reports, "{n} report has it.", "{n} reports have it.")
            self.asked.setText(f"{may} {others}")
            self.asked.setToolTip(found.sentence)

    def _settle(self, wanted: SignalInstance) -> None:
        if self._suspect is not None:
            for button in (self.remove, self.leave):
                button.setEnabled(False)
            wanted.emit(self._suspect)


class _Text(QWidget):
    """The text of one report below what it is."""

    def __init__(self) -> None:
        super().__init__()
        self.head = label(role="muted")
        self.head.setMinimumWidth(1)
        self.view = ReportView()
        vbox(self.head, (card(vbox(self.view, margins=(1, 1, 1, 1))), 1), parent=self, spacing=2)

    def show_report(self, report: CaseReport, author: str, means: dict[str, float]) -> None:
        facts = (report_name(report.report_id), moment(report.time) if report.time else "", author)
        self.head.setText(" \u00b7 ".join(filter(None, facts)))
        self.view.setAccessibleName(self.head.text())
        self.view.set_means(means)
        self.view.show_report(report.text)
        self.view.show_items([_Mark(finding) for finding in report.findings], None, None)
        self.show()
