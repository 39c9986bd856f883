"""A case: both whole reports side by side, with what was read in them, or the X-ray's draft and signed text."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QPushButton, QSplitter, QStackedWidget, QWidget

from radcal.words.phrases import mean_of
from ui.kit.action import enable, push_button
from ui.kit.keyboard import takes_escape
from ui.kit.layout import FlowLayout, hbox, panel, vbox
from ui.kit.text import label, show_text, wrapped
from ui.pages.results.cases.draft_view import DraftView
from ui.pages.results.cases.models import contest_text, reason, verdict
from ui.pages.results.cases.readings import ct_readings, xray_readings
from ui.pages.results.cases.report_panel import ReportPanel
from ui.pages.results.cases.versions import apart_note, kept_apart
from ui.sentences import topic_name
from ui.words import moment, quoted, say, typographic, whole

if TYPE_CHECKING:
    from radcal.calibration.cases import Case, CaseReport
    from ui.pages.results.cases.work import FindingRow
    from ui.records import Opened


class CaseView(QWidget):
    """Shows the case of one finding.

    turned: to the next case (1) or the one before (-1);  left: back to the list
    agreed;  agreed_why: with a reason;  disagreed;  not_comparable: what the reader says of the case
    meeting_wanted: it is to become a teaching case
    """

    turned = Signal(int)
    left = Signal()
    agreed = Signal()
    agreed_why = Signal()
    disagreed = Signal()
    not_comparable = Signal()
    meeting_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        back = push_button(say("&Back to the list"), self.left, tip=say("Esc"))
        self.previous = push_button(say("\u2039 Pre&vious"), partial(self.turned.emit, -1), tip="\u2190")
        self.next = push_button(say("&Next \u203a"), partial(self.turned.emit, 1), tip="\u2192")
        self.place = label(role="muted")
        self.summary = wrapped()
        self.agree = push_button(say("&Agree"), self.agreed)
        self.disagree = push_button(say("&Disagree\u2026"), self.disagreed)
        self.apart = push_button(say("Not &comparable\u2026"), self.not_comparable)
        self.meeting = push_button(say("Add to meeting\u2026"), self.meeting_wanted)
        self.contest = wrapped(role="muted")
        self.xray, self.ct = ReportPanel(say("X-ray")), ReportPanel(say("CT"))
        both = QSplitter(Qt.Orientation.Horizontal)
        both.setChildrenCollapsible(False)
        for report in (self.xray, self.ct):
            both.addWidget(report)
            both.setStretchFactor(both.indexOf(report), 1)
        both.setSizes([500, 500])
        self.draft = DraftView()
        self.views = QStackedWidget()
        self.views.addWidget(both)
        self.views.addWidget(self.draft)
        self.compare = QPushButton()
        self.compare.setCheckable(True)
        self.compare.setToolTip(say("What changed from the draft to the signed X-ray report (D)"))
        self.compare.toggled.connect(self._turn_view)
        self._turn_view(draft=False)
        self.compare.hide()
        bar = FlowLayout(spacing=8)
        turning = panel(hbox(back, self.previous, self.next, self.place))
        for part in (turning, self.agree, self.disagree, self.apart, self.meeting, self.compare):
            bar.addWidget(part)
        vbox(bar, self.summary, self.contest, (self.views, 1), parent=self)
        self.setFocusProxy(self.xray.text)
        for key, call in (
            ("Left", partial(self.turned.emit, -1)),
            ("Right", partial(self.turned.emit, 1)),
            ("A", self.agree.click),
            ("Shift+A", self._agree_why),
            ("C", self.disagree.click),
            ("N", self.apart.click),
            ("D", self.compare.click),
            ("M", self.meeting.click),
            ("X", self.xray.study.click),
            ("T", self.ct.study.click),
        ):
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(call)

    def event(self, event: QEvent) -> bool:
        return takes_escape(event) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _agree_why(self) -> None:
        if self.agree.isEnabled():
            self.agreed_why.emit()

    @Slot(bool)
    def _turn_view(self, draft: bool) -> None:
        self.views.setCurrentIndex(int(draft))
        self.compare.setText(say("Both rep&orts") if draft else say("Draft and &signed text"))

    def show_finding(self, row: FindingRow, place: int, n: int, why_not: str, by: str) -> None:
        """Say what the case is about, and that it is the ``place``-th (from 0) of ``n`` in the list.

        why_not: why nothing can be said of it, '' if it can;  by: where a contest of it came from
        """
        self.place.setText(say("{n} of {total}", n=whole(place + 1), total=whole(n)))
        self.previous.setEnabled(place > 0)
        self.next.setEnabled(place + 1 < n)
        self.summary.setText(summary(row))
        enable(self.agree, why_not, say("CT is right here, and the next case follows (A; with a note Shift+A)"))
        enable(self.disagree, why_not, say("Something was read wrongly, with your reason (C)"))
        enable(self.apart, why_not, say("X-ray and CT show different things, with your reason (N)"))
        enable(self.meeting, why_not, say("Both sentences as a teaching case, with nobody\u2019s name (M)"))
        state, why = contest_text(row), reason(row)
        said = f"{state}: {why}" if state and why else state
        show_text(self.contest, " ".join(filter(None, (said, by))))

    def show_case(self, row: FindingRow, case: Case, opened: Opened) -> None:
        """Show both reports."""
        means = {p.name: mean_of(p) for p in opened.phrases}
        for report_panel, report, sentence, readings, facts, key in (
            (self.xray, case.xray, row.xray_sentence, xray_readings(case.xray, row), _xray_facts(case.xray, row), "X"),
            (self.ct, case.ct, row.ct_sentence, ct_readings(case.ct, row), _ct_facts(case), "T"),
        ):
            report_panel.show_head(facts, report.accession, report.study_uid)
            note = _note(report, sentence, opened) or apart_note(report.versions)
            note = " ".join(filter(None, (note, _shifted(report))))
            report_panel.show_text(report.text or sentence, readings, means, note, kept_apart(report.versions))
            report_panel.why.setVisible(not opened.personal)
            report_panel.study.setToolTip(say("In the program that your IT department has set ({key})", key=key))
        self.draft.show_draft(case.draft)
        self.compare.setVisible(case.draft is not None)
        if case.draft is None:
            self.compare.setChecked(False)


def summary(row: FindingRow) -> str:
    """How the finding was written and read, and what CT made of it."""
    words, values = " ".join(row.verbatim.split()), {"phrase": quoted(row.phrase), "topic": topic_name(row.topic)}
    written = (
        say("Written {words}, read as {phrase} for {topic}.", words=quoted(words), **values)
        if words
        else say("Stated plainly, read as {phrase} for {topic}.", **values)
    )
    silent = typographic(row.silence)
    return " ".join(filter(None, (written, say("CT: {verdict}.", verdict=verdict(row)), silent)))


def _xray_facts(report: CaseReport, row: FindingRow) -> tuple[str, ...]:
    at = report.time or row.time
    return moment(at) if at else "", report.exam


def _ct_facts(case: Case) -> tuple[str, ...]:
    xray, ct = case.xray.time, case.ct.time
    if ct is None:
        return ()
    later = say("{hours} h later", hours=whole(round((ct - xray).total_seconds() / 3600, 1))) if xray else ""
    return moment(ct), later, case.ct.exam


def _shifted(report: CaseReport) -> str:
    """That the dates in a text are not the true ones; '' if they are, or there are none."""
    return say("Dates within the text are shifted; the time above is the true one.") if report.shifted else ""


def _note(report: CaseReport, sentence: str, opened: Opened) -> str:
    """Why less than the whole report is shown; '' if it is whole."""
    if report.text:
        return ""
    if opened.personal:
        why = say("A personal file holds no whole reports.")
    else:
        why = say("This report is not in the workspace any more.")
    return f"{why} {say('This is the sentence that counted.')}" if sentence else why
