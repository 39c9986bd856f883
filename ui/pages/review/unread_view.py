"""The findings that were left unread, with what both readers read; one key decides what the report says."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent

from radcal.findings.readers.pairs import NOT_STATED
from radcal.words.phrases import mean_of
from radcal.words.records import UNREAD
from ui.kit.action import enable, push_button
from ui.kit.column import Column, RecordModel, measured, report_column
from ui.kit.layout import hbox, panel, vbox
from ui.kit.part import Part
from ui.kit.table import DataTable
from ui.kit.text import wrapped
from ui.language import spoken
from ui.pages.review import work
from ui.pages.review.choosers import PhraseList
from ui.pages.review.keys import is_plain, phrase_keys
from ui.pages.review.sentences import read_only_text
from ui.sentences import both_readings, topic_name
from ui.widgets.report_view import ReportView
from ui.words import moment, say

if TYPE_CHECKING:
    from radcal.findings.records import Finding
    from ui.kit.part import Ask
    from ui.pages.review.work import Doubt
    from ui.shell import Shell


class UnreadView(Part[bool, "tuple[Doubt, ...]"]):
    """The findings left unread, those first that would change most, and the report of the selected one.

    why_wanted: the Finding to explain;  decided: the Finding, and the phrase; '' takes a decision back
    """

    operation = "left unread"
    why_wanted, decided = Signal(object), Signal(object, str)

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell, say("Looking\u2026"))
        self.model = RecordModel(
            (
                report_column(),
                Column(say("pathology"), lambda d: topic_name(d.finding.pathology), width=150),
                Column(say("the rules"), lambda d: d.finding.rules or "\u2013", width=116),
                Column(say("second reader"), lambda d: d.finding.second or "\u2013", width=116),
                measured(
                    say("effect"),
                    lambda d: None if d.effect is None else 100 * d.effect,
                    lambda points: spoken().number(points, 1),
                    say("How far it would move the results, in percentage points"),
                    missing="\u2013",
                    width=64,
                ),
                Column(say("decided"), lambda d: d.finding.decided or "\u2013", width=116),
                Column(say("sentence"), lambda d: d.finding.sentence),
            )
        )
        self.table = DataTable("left unread", say("Unread"), self.model, shell)
        self.table.current_changed.connect(self._row_chosen)
        self.table.view.installEventFilter(self)
        self.readings = wrapped()
        self.report = ReportView()
        self.phrases = PhraseList()
        self.phrases.chosen.connect(self._decide)
        self.why = push_button(say("Why?"), self._ask_why)
        self.none = push_button(say("Not stated (X)"), lambda: self._decide(NOT_STATED))
        self.back = push_button(say("Take back (U)"), lambda: self._decide(""))
        self.table.add_to_bar(self.why)
        self._choices = panel(vbox(self.readings, (self.phrases, 1), hbox(self.none, self.back, None)))
        self.lay_out((self.table, 1), (hbox((self.report, 3), (self._choices, 2)), 1))

    def ask(self, question: bool) -> Ask[tuple[Doubt, ...]]:
        return work.left_unread

    def withheld(self, record: tuple[Doubt, ...]) -> str:
        return "" if record else say("Nothing was left unread.")

    def summary(self, record: tuple[Doubt, ...]) -> str:
        return say(
            "Findings that may have been misread, those that matter most first. None counts until you decide what the"
            " report says, by the key beside a phrase."
        )

    def show_record(self, record: tuple[Doubt, ...]) -> None:
        opened = self.shell.opened
        phrases = opened.phrases if opened is not None else ()
        read_only = read_only_text() if opened is not None and opened.read_only else ""
        means = {p.name: mean_of(p) for p in phrases}
        self.report.set_means(means)
        self.phrases.set_phrases(means, {name: key for name, key in phrase_keys(phrases).items() if name in means})
        self.phrases.setEnabled(not read_only)
        self.model.set_rows(record)
        self.table.select_row(0)
        for button in (self.none, self.back):
            enable(button, read_only)

    @property
    def current(self) -> Doubt | None:
        """The selected finding."""
        found: Doubt | None = self.table.current_record()
        return found

    def show_decided(self, finding: Finding, phrase: str) -> None:
        """Show a decision, and go on to the next finding that waits for one; '' for a decision taken back."""
        rows = list(self.model.rows)
        here = next((n for n, doubt in enumerate(rows) if _place(doubt.finding) == _place(finding)), -1)
        if here < 0:  # the results on show are others by now
            return
        seen = replace(rows[here].finding, phrase=phrase or UNREAD, rules=finding.as_rules_read, decided=phrase)
        before, rows[here] = rows[here].finding, replace(rows[here], finding=seen, by="", at=None)
        order = self.table.shown_rows()
        with QSignalBlocker(self.table):
            self.model.set_rows(rows)
        later = [*order[order.index(here) + 1 :], *order] if before.unread and here in order else ()
        self.table.select_row(next((row for row in later if rows[row].finding.unread), here))

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and is_plain(event):
            keys = {Qt.Key.Key_X: NOT_STATED, Qt.Key.Key_Delete: NOT_STATED, Qt.Key.Key_U: ""}
            phrase = keys.get(Qt.Key(event.key()), self.phrases.of_key(event.text()) or None)
            if phrase is not None and self.phrases.isEnabled():
                self._decide(phrase)
                return True
        return False

    @Slot(str)
    def _decide(self, phrase: str) -> None:
        doubt = self.current
        if doubt is not None and phrase != doubt.finding.decided:
            self.decided.emit(doubt.finding, phrase)

    @Slot(int)
    def _row_chosen(self, _row: int) -> None:
        doubt = self.current
        self._choices.setVisible(doubt is not None)
        self.why.setEnabled(doubt is not None)
        if doubt is None:
            self.report.show_report("")
            return
        finding = doubt.finding
        self.report.show_report(doubt.text)
        self.report.show_items((doubt,), doubt, None)
        said = [both_readings(finding)]
        if doubt.at is not None:
            who = {"who": doubt.by, "when": moment(doubt.at)}
            said.append(say("Decided by {who}, {when}.", **who))
        self.readings.setText(" ".join(filter(None, said)))
        self.phrases.point_at(finding.decided)

    @Slot()
    def _ask_why(self) -> None:
        if (doubt := self.current) is not None:
            self.why_wanted.emit(doubt.finding)


def _place(finding: Finding) -> tuple[str, str, int]:
    return finding.report_id, finding.pathology, finding.term_start
