"""Annotating a report: its text, its statements, and a key for every verdict."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSplitter, QWidget

from radcal.review.records import Action, Verdict
from radcal.review.session import Item, ReviewSession, first_of_findings
from radcal.words.name_search import Names
from radcal.words.records import PRESENT
from ui.kit.layout import card, vbox
from ui.pages.review.findings_panel import ROW, FindingsPanel
from ui.pages.review.head import ReportHead
from ui.pages.review.hints import how_to_add, unfinished, what_is, why_not
from ui.pages.review.keys import KeyStrip, act_of, is_plain, phrase_keys
from ui.widgets.report_view import ReportView
from ui.words import say

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from radcal.reports.records import Sentence

_MOVES = ("next finding", "previous finding")
"""What letters do while a sentence is being chosen; all others begin the name of a pathology."""
_LOW = 420
"""Height below which the list of findings is hidden while the user chooses from a searchable list."""


class ReadView(QWidget):
    """Shows the reports of a session one by one.

    session: the reader's, set before the view is first shown
    did: an Action of the reader;  keys_wanted: show the list of keys
    accuracy_wanted: all reports are done, show the results
    """

    session: ReviewSession
    did = Signal(object)
    keys_wanted = Signal()
    accuracy_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._current = ""
        self._adding: int | None = None
        """The sentence to which the reader adds a statement."""
        self._new_pathology = ""
        self._read_only = False
        self.head = ReportHead(self._turn)
        self.head.accuracy.clicked.connect(self.accuracy_wanted)
        self.text = ReportView()
        self.text.pressed.connect(self._pressed)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(card(vbox(self.text, margins=(1, 1, 1, 1))))
        self.findings = FindingsPanel()
        self.findings.item_chosen.connect(self._item_chosen)
        self.findings.phrase_chosen.connect(self._phrase_chosen)
        self.findings.pathology_chosen.connect(self._pathology_chosen)
        self.findings.states_nothing.connect(self._complete)
        self.findings.left.connect(self._back)
        self.findings.below_changed.connect(self._make_room)
        self.splitter.addWidget(self.findings)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 2)
        self.splitter.setSizes([600, 400])
        self.strip = strip = KeyStrip(self._acts())
        self.buttons = strip.buttons
        vbox(self.head, (self.splitter, 1), strip, parent=self)
        for watched in (self.text, self.findings.list):
            watched.installEventFilter(self)
        self.setTabOrder(self.text, self.findings.list)
        self.setTabOrder(self.findings.list, self.findings.phrases)
        self.setFocusProxy(self.text)

    def _acts(self) -> dict[str, Callable[[], None]]:
        """The handler of each button or key; not stored, to avoid a reference cycle."""
        return {
            "accept": self.accept,
            "unsure": self.doubt,
            "remove": self.remove,
            "phrase": self.to_phrases,
            "find phrase": self.to_phrase_search,
            "pathology": self.to_pathologies,
            "add": self.to_sentences,
            "done": self.finish,
            "reopen": self.reopen,
            "keys": self.keys_wanted.emit,
            "next finding": partial(self.step, 1),
            "previous finding": partial(self.step, -1),
            "next report": partial(self._turn, 1),
            "previous report": partial(self._turn, -1),
            "scroll on": partial(self._scroll, 1),
            "scroll back": partial(self._scroll, -1),
            "back": self._back,
        }

    # --- showing -----------------------------------------------------------------------------------

    def show_session(self, session: ReviewSession, *, read_only: bool) -> None:
        """Show a reader's session, at the first unfinished report."""
        self.session, self._read_only = session, read_only
        phrases = session.reading.phrases
        self.text.set_means(session.means)
        self.findings.phrases.set_phrases(session.means, phrase_keys(phrases))
        self.findings.chooser.set_names(Names(session.reading.pathologies, session.reading.synonyms))
        self.findings.phrase_search.set_names(Names(tuple(session.means), {p.name: p.synonyms for p in phrases}))
        self.show_report(session.current)

    def show_report(self, index: int, key: str = "") -> None:
        """Show a report, at the statement with that key or the first without verdict."""
        session = self.session
        session.current = max(0, min(index, len(session.reports) - 1))
        self._adding, self._new_pathology = None, ""
        self.findings.show_phrases()
        self.text.show_report(session.report.text)
        waiting = session.open_items(session.report) or session.items(session.report)
        first = next((item for item in waiting if item.finding.unread), waiting[0] if waiting else None)
        self._current = key or (first.key if first is not None else "")
        self.refresh()

    def refresh(self) -> None:
        """Update the current report."""
        report = self.session.report
        items = self.session.items(report) if not report.changed else ()
        self._current = self.findings.show_items(items, self.session.means, self._current)
        self._show_current()
        self.head.show_place(self.session)

    def _show_current(self) -> None:
        session, item = self.session, self.item()
        self.text.show_items(self.findings.model.rows, item, self._sentence())
        self.findings.phrases.point_at(item.finding.phrase if item is not None and self._adding is None else "")
        self.findings.show_hint(self._hint(item))
        self.findings.why.setVisible(item is not None and item.engine is not None and not session.apart)
        finished = session.answers(session.report.report_id).done
        may_change = not self._why_not()
        may_judge = may_change and item is not None
        possible = dict.fromkeys(("unsure", "remove", "phrase", "pathology"), may_judge) | {
            "accept": may_judge and item is not None and not item.finding.unread,
            "add": may_change,
            "done": not self._read_only and not session.report.changed,
            "reopen": finished and not self._read_only,
        }
        for name, enabled in possible.items():
            self.buttons[name].setEnabled(enabled)
        self.buttons["reopen"].setVisible(finished)
        goes_on = finished or session.report.changed
        self.strip.say_what_done_does(say("Next report") if goes_on else say("Done"))

    @property
    def _compares(self) -> bool:
        """Whether a report that is done shows what the engine found, before the next one comes."""
        return self.session.blind and not self.session.apart

    def _why_not(self) -> str:
        """Why changes are disabled, '' if they are not."""
        return why_not(self.session, read_only=self._read_only)

    def _hint(self, item: Item | None) -> str:
        if why := self._why_not():
            return why
        return what_is(self.session, item) if self._adding is None else how_to_add(self._new_pathology)

    def item(self) -> Item | None:
        """The current statement."""
        return self.findings.model.item(self._current)

    def _sentence(self) -> Sentence | None:
        return None if self._adding is None else self.session.report.sentences[self._adding]

    @Slot()
    def _make_room(self) -> None:
        self.findings.list.setVisible(self.height() >= _LOW or self.findings.shows_phrases)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()
        self.findings.list.scrollTo(self.findings.list.currentIndex())

    # --- moving ------------------------------------------------------------------------------------

    def _turn(self, by: int) -> None:
        """Go to the next report (1) or the previous one (-1), if any."""
        if 0 <= self.session.current + by < len(self.session.reports):
            self.show_report(self.session.current + by)

    def step(self, by: int) -> None:
        """Go to another statement, or to another sentence while adding one."""
        if self._adding is not None:
            self._adding = max(0, min(self._adding + by, len(self.session.report.sentences) - 1))
            self._show_current()
        elif n := self.findings.model.rowCount():
            self.findings.choose(max(0, min(self.findings.model.row_of(self._current) + by, n - 1)))

    @Slot(object)
    def _item_chosen(self, item: Item) -> None:
        if item.key != self._current:
            self._current, self._adding, self._new_pathology = item.key, None, ""
            self.findings.show_phrases()
            self._show_current()

    @Slot(int)
    def _pressed(self, place: int) -> None:
        """Select the clicked statement, or the clicked sentence while adding one."""
        if self._adding is not None:
            for i, s in enumerate(self.session.report.sentences):
                if s.start <= place <= s.end:
                    self._adding = i
                    self._show_current()
            return
        hits = [
            (end - start, row)
            for row, f in enumerate(item.finding for item in self.findings.model.rows)
            for start, end in ((f.term_start, f.term_end), (f.cue_start, f.cue_end))
            if 0 <= start <= place <= end
        ]
        if hits:
            self.findings.choose(min(hits)[1])  # the shortest span

    # --- what a reader does ------------------------------------------------------------------------

    def _do(self, action: Action, then: Callable[[], None]) -> None:
        self.did.emit(action)
        then()

    def _judged(self) -> Item | None:
        """The current statement, if it can be judged."""
        return None if self._why_not() or self._adding is not None else self.item()

    def _onward(self) -> None:
        """Go to the next statement without verdict, else to the next one."""
        row, items = self.findings.model.row_of(self._current), self.findings.model.rows
        for later in (*items[row + 1 :], *items[:row]):
            if later.verdict is None and not later.compared:
                self._current = later.key
                break
        else:
            self._current = items[min(row + 1, len(items) - 1)].key if items else ""
        self.refresh()

    def _judge(self, verdict: Verdict) -> None:
        if (item := self._judged()) is not None:
            self._do(self.session.judged(item, verdict), self._onward)

    @Slot()
    def accept(self) -> None:
        """Confirm the statement."""
        item = self._judged()
        if item is not None and item.finding.unread:
            self.to_phrases()
        elif item is not None:
            self._do(self.session.accepted(item), self._onward)

    @Slot()
    def doubt(self) -> None:
        """Mark the statement as undecidable."""
        self._judge(Verdict.UNSURE)

    @Slot()
    def remove(self) -> None:
        """Reject the statement: the report does not say so."""
        self._judge(Verdict.REMOVED)

    @Slot()
    def to_phrases(self) -> None:
        """Go to the phrases."""
        if self._judged() is not None:
            self.findings.show_phrases()
            self.findings.phrases.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def to_phrase_search(self) -> None:
        """Search for a phrase by the report's words."""
        if self._judged() is not None:
            self.findings.show_phrase_search()

    @Slot()
    def to_pathologies(self) -> None:
        """Choose the pathology, also of a statement being added."""
        item = self.item()
        if self._why_not() or (self._adding is None and item is None):
            return
        self.findings.show_hint(self._hint(item))
        self.findings.show_pathologies(item.finding.pathology if item is not None and self._adding is None else "")

    def _type_pathology(self, text: str) -> None:
        """Take the sentence and begin to type its pathology, of which this is the first letter."""
        self.to_pathologies()
        self.findings.chooser.field.insert(text)

    @Slot()
    def to_sentences(self) -> None:
        """Start adding a statement: choose its sentence."""
        item, sentences = self.item(), self.session.report.sentences
        if self._why_not() or not sentences:
            return
        if item is not None:
            self._adding = next((i for i, s in enumerate(sentences) if s.end > item.finding.start), 0)
        else:
            self._adding = first_of_findings(sentences)
        self._show_current()
        self.text.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot(str)
    def _phrase_chosen(self, phrase: str) -> None:
        if self._why_not():
            return
        self.findings.show_phrases()
        if self._adding is not None and self._new_pathology:
            action = self.session.added(self._adding, self._new_pathology, phrase)
            sentence, self._new_pathology = self._adding, ""
            self._current = action.marks[0].key
            self._do(action, self.refresh)
            self._adding = sentence  # it may hold more statements
            self._show_current()
        elif (item := self._judged()) is not None:
            self._do(self.session.reworded(item, phrase), self._onward)
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(str)
    def _pathology_chosen(self, pathology: str) -> None:
        self.findings.show_phrases()
        if self._adding is not None:
            self._new_pathology = pathology
            self._show_current()
            self.findings.phrases.point_at(PRESENT)
            self.findings.phrases.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        if (item := self._judged()) is not None:
            self._do(self.session.renamed(item, pathology), self.refresh)
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _back(self) -> None:
        """Leave a list without choosing; in the report itself, cancel adding."""
        if self.findings.shows_phrases and not self._new_pathology and self.text.hasFocus():
            self._adding = None
        self._new_pathology = ""
        self.findings.show_phrases()
        self._show_current()
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def finish(self) -> None:
        """Finish the report and go to the next; read blind, show the engine's findings first.

        What was not judged does not count: a report with findings to judge stays open, and one read blind in which
        nothing is marked is finished once the reader confirms that it states nothing, whatever the engine finds.
        """
        session, report = self.session, self.session.report
        if self._read_only:
            return
        answers = session.answers(report.report_id)
        if report.changed or answers.done:
            self.show_report(session.next_open(session.current + 1))
        elif waiting := session.open_items(report):
            self._current = waiting[0].key
            self.refresh()
            self.findings.show_hint(unfinished(len(waiting)))
        elif answers.marks or not session.blind:
            self._complete()
        else:
            self.findings.show_hint(unfinished(0), asks=True)

    @Slot()
    def _complete(self) -> None:
        self._do(self.session.completed(), self._finished)
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _finished(self) -> None:
        self._adding, self._new_pathology = None, ""
        if self._compares:
            self.refresh()
        else:
            self.show_report(self.session.next_open(self.session.current))

    @Slot()
    def reopen(self) -> None:
        """Reopen the report."""
        if not self._read_only and self.session.answers(self.session.report.report_id).done:
            self._do(self.session.reopened(), self.refresh)

    # --- keys --------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and (act := self._meaning(event)) is not None:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                act()
                return True
        return super().eventFilter(watched, event)

    def _meaning(self, event: QKeyEvent) -> Callable[[], None] | None:
        """The handler of a key while the report or the findings have the focus; None for other keys."""
        act = act_of(event)
        if self._adding is not None and not self._new_pathology:
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and act == "accept":
                act = "pathology"  # Enter takes the sentence
            elif is_plain(event) and event.text().isalpha() and act not in _MOVES:
                return partial(self._type_pathology, event.text())
        if act:
            return self._acts()[act]
        phrase = self.findings.phrases.of_key(event.text()) if is_plain(event) else ""
        return partial(self._phrase_chosen, phrase) if phrase else None

    def _scroll(self, pages: int) -> None:
        bar = self.text.verticalScrollBar()
        bar.setValue(bar.value() + pages * max(bar.pageStep() - 2 * ROW, ROW))
