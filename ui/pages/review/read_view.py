"""Annotating a report: its text, its statements, and a key for every verdict."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QSplitter, QVBoxLayout, QWidget

from radcal.lexicon.name_search import Names
from radcal.records import PRESENT
from radcal.records.gold import Action, Verdict, new_name
from ui.pages.review.findings_panel import ROW, FindingsPanel
from ui.pages.review.head import ReportHead
from ui.pages.review.hints import how_to_add, what_is, why_not
from ui.pages.review.keys import KeyStrip, act_of, is_plain
from ui.pages.review.report_view import ReportView
from ui.pages.review.session import Item, ReviewSession, phrase_keys
from ui.words import say

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from radcal.records import Sentence
    from ui.theme import Colours

_LOW = 420
"""Height below which the list of findings makes room while a pathology is chosen."""


class ReadView(QWidget):
    """Shows the reports of a session one by one.

    did: an Action of the reader and what to call it, to be kept and undone;  keys_wanted: the list of keys
    accuracy_wanted: all reports are done, and what came of it is to be seen
    """

    did = Signal(object, str)
    keys_wanted = Signal()
    accuracy_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session: ReviewSession | None = None
        self._current = ""
        self._adding: int | None = None
        self._new_pathology = ""
        self._read_only = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        self.head = ReportHead()
        self.head.previous.clicked.connect(self._previous)
        self.head.next.clicked.connect(self._next)
        self.head.accuracy.clicked.connect(self.accuracy_wanted)
        layout.addWidget(self.head)
        self.text = ReportView()
        self.text.pressed.connect(self._pressed)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(_card(self.text))
        self.findings = FindingsPanel()
        self.findings.item_chosen.connect(self._item_chosen)
        self.findings.phrase_chosen.connect(self._phrase_chosen)
        self.findings.pathology_chosen.connect(self._pathology_chosen)
        self.findings.left.connect(self._back)
        self.findings.below_changed.connect(self._make_room)
        self.splitter.addWidget(self.findings)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 2)
        self.splitter.setSizes([600, 400])
        layout.addWidget(self.splitter, 1)
        strip = KeyStrip(self._acts())
        self.buttons = strip.buttons
        layout.addWidget(strip)
        for watched in (self.text, self.findings.list):
            watched.installEventFilter(self)
        self.setTabOrder(self.text, self.findings.list)
        self.setTabOrder(self.findings.list, self.findings.phrases)
        self.setFocusProxy(self.text)

    def _acts(self) -> dict[str, Callable[[], None]]:
        """The action of each button or key; not stored, to avoid a reference cycle."""
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
            "next finding": self._next_finding,
            "previous finding": self._previous_finding,
            "next report": self._next,
            "previous report": self._previous,
            "scroll on": self._scroll_on,
            "scroll back": self._scroll_back,
            "back": self._back,
        }

    # --- showing -----------------------------------------------------------------------------------

    def set_colours(self, colours: Colours) -> None:
        self.text.set_colours(colours)
        self.findings.set_colours(colours)

    def show_session(self, session: ReviewSession | None, *, read_only: bool) -> None:
        """Show a reader's session, at the first unfinished report."""
        self.session, self._read_only = session, read_only
        self._adding, self._current = None, ""
        if session is None:
            return
        self.text.set_means(session.means)
        self.findings.phrases.set_phrases(session.means, phrase_keys(session.reading.phrases))
        self.findings.chooser.set_names(Names(session.reading.pathologies, session.reading.synonyms))
        self.findings.phrase_search.set_names(
            Names(tuple(session.means), {p.name: p.synonyms for p in session.reading.phrases})
        )
        self.show_report(session.current)

    def show_report(self, index: int, key: str = "") -> None:
        """Show a report, at the statement with that key or the first without verdict."""
        session = self.session
        if session is None or not session.reports:
            return
        session.current = max(0, min(index, len(session.reports) - 1))
        self._adding, self._new_pathology = None, ""
        self.findings.show_phrases()
        self.text.show_report(session.report.text)
        waiting = session.open_items(session.report) or session.items(session.report)
        self._current = key or (waiting[0].key if waiting else "")
        self.refresh()

    def refresh(self) -> None:
        """Update the current report."""
        session = self.session
        if session is None or not session.reports:
            return
        report = session.report
        items = session.items(report) if not report.changed else ()
        self._current = self.findings.show_items(items, session.means, blind=session.gold.blind, key=self._current)
        self._show_current()
        self.head.show_place(session)

    def _show_current(self) -> None:
        session, item = self.session, self.item()
        if session is None:
            return
        self.text.show_items(self.findings.model.items, item, self._sentence())
        self.findings.phrases.point_at(item.finding.phrase if item is not None and self._adding is None else "")
        self.findings.hint.setText(self._hint(item))
        why = self._why_not()
        finished = session.answers(session.report.report_id).done
        for name, button in self.buttons.items():
            if name == "keys":
                continue
            needs_item = name in ("accept", "unsure", "remove", "phrase", "pathology")
            possible = not why and (item is not None or not needs_item)
            if name == "done":
                possible = not self._read_only and not session.report.changed
            if name == "reopen":
                possible = finished and not self._read_only
                button.setVisible(finished)
            button.setEnabled(possible)

    def _why_not(self) -> str:
        """Why changes are disabled, '' if they are not."""
        return "" if self.session is None else why_not(self.session, read_only=self._read_only)

    def _hint(self, item: Item | None) -> str:
        if self.session is None:
            return ""
        if why := self._why_not():
            return why
        if self._adding is not None:
            return how_to_add(self._new_pathology)
        return what_is(self.session, item, self.findings.model)

    def item(self) -> Item | None:
        """The current statement."""
        return self.findings.model.item(self.findings.model.row_of(self._current))

    def _sentence(self) -> Sentence | None:
        if self.session is None or self._adding is None:
            return None
        return self.session.report.sentences[self._adding]

    @Slot()
    def _make_room(self) -> None:
        self.findings.list.setVisible(self.height() >= _LOW or self.findings.shows_phrases)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()
        self.findings.list.scrollTo(self.findings.list.currentIndex())

    # --- moving ------------------------------------------------------------------------------------

    @Slot()
    def _previous(self) -> None:
        if self.session is not None and self.session.current > 0:
            self.show_report(self.session.current - 1)

    @Slot()
    def _next(self) -> None:
        if self.session is not None and self.session.current + 1 < len(self.session.reports):
            self.show_report(self.session.current + 1)

    def step(self, by: int) -> None:
        """Go to another statement, or another sentence while adding one."""
        if self.session is None:
            return
        if self._adding is not None:
            self._adding = max(0, min(self._adding + by, len(self.session.report.sentences) - 1))
            self._show_current()
        elif n := self.findings.model.rowCount():
            self.findings.choose(max(0, min(self.findings.model.row_of(self._current) + by, n - 1)))

    @Slot()
    def _next_finding(self) -> None:
        self.step(1)

    @Slot()
    def _previous_finding(self) -> None:
        self.step(-1)

    @Slot(object)
    def _item_chosen(self, item: Item) -> None:
        if item.key != self._current:
            self._current, self._adding, self._new_pathology = item.key, None, ""
            self.findings.show_phrases()
            self._show_current()

    @Slot(int)
    def _pressed(self, place: int) -> None:
        """Select the clicked statement, or the sentence while adding one."""
        if self.session is None:
            return
        if self._adding is not None:
            for i, s in enumerate(self.session.report.sentences):
                if s.start <= place <= s.end:
                    self._adding = i
                    self._show_current()
            return
        best: tuple[int, int] | None = None
        for row, item in enumerate(self.findings.model.items):
            f = item.finding
            for start, end in ((f.term_start, f.term_end), (f.cue_start, f.cue_end)):
                if 0 <= start <= place <= end and (best is None or end - start < best[0]):
                    best = end - start, row
        if best is not None:
            self.findings.choose(best[1])

    # --- what a reader does ------------------------------------------------------------------------

    def _do(self, action: Action, text: str, then: Callable[[], None]) -> None:
        self.did.emit(action, text)
        then()

    def _judged(self) -> Item | None:
        """The current statement, if it can be judged."""
        return None if self._why_not() or self._adding is not None else self.item()

    def _onward(self) -> None:
        """Go to the next statement without verdict, else to the next one."""
        row = self.findings.model.row_of(self._current)
        items = self.findings.model.items
        for later in (*items[row + 1 :], *items[:row]):
            if later.verdict is None and not later.compared:
                self._current = later.key
                break
        else:
            self._current = items[min(row + 1, len(items) - 1)].key if items else ""
        self.refresh()

    @Slot()
    def accept(self) -> None:
        """Confirm the statement."""
        if self.session is not None and (item := self._judged()) is not None:
            self._do(self.session.accepted(item, new_name()), say("accept"), self._onward)

    @Slot()
    def doubt(self) -> None:
        """Mark the statement as undecidable."""
        if self.session is not None and (item := self._judged()) is not None:
            action = self.session.judged(item, Verdict.UNSURE, new_name())
            self._do(action, say("unsure"), self._onward)

    @Slot()
    def remove(self) -> None:
        """Reject the statement: the report does not say so."""
        if self.session is not None and (item := self._judged()) is not None:
            action = self.session.judged(item, Verdict.REMOVED, new_name())
            self._do(action, say("remove"), self._onward)

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
        self.findings.hint.setText(self._hint(item))
        self.findings.show_pathologies(item.finding.pathology if item is not None and self._adding is None else "")

    @Slot()
    def to_sentences(self) -> None:
        """Start adding a statement: choose its sentence."""
        session, item = self.session, self.item()
        if session is None or self._why_not() or not session.report.sentences:
            return
        start = item.finding.start if item is not None else 0
        self._adding = next((i for i, s in enumerate(session.report.sentences) if s.end > start), 0)
        self._show_current()
        self.text.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot(str)
    def _phrase_chosen(self, phrase: str) -> None:
        session = self.session
        if session is None or self._why_not():
            return
        self.findings.show_phrases()
        if self._adding is not None and self._new_pathology:
            action = session.added(self._adding, self._new_pathology, phrase, new_name())
            sentence, self._new_pathology = self._adding, ""
            self._current = action.marks[0].key
            self._do(action, say("add"), self.refresh)
            self._adding = sentence  # there may be more in it
            self._show_current()
        elif (item := self._judged()) is not None:
            action = session.reworded(item, phrase, new_name())
            self._do(action, say("correct the phrase"), self._onward)
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(str)
    def _pathology_chosen(self, pathology: str) -> None:
        session = self.session
        if session is None:
            return
        self.findings.show_phrases()
        if self._adding is not None:
            self._new_pathology = pathology
            self._show_current()
            self.findings.phrases.point_at(PRESENT)
            self.findings.phrases.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        if (item := self._judged()) is not None:
            action = session.renamed(item, pathology, new_name())
            self._do(action, say("correct the pathology"), self.refresh)
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
        """Finish the report and go to the next; in a blind set, show the engine's findings first."""
        session = self.session
        if session is None or self._read_only:
            return
        report = session.report
        if not report.changed and not session.answers(report.report_id).done:
            self._do(session.completed(new_name()), say("report done"), self._finished)
        else:
            self.show_report(session.next_open(session.current + 1))

    def _finished(self) -> None:
        session = self.session
        if session is None:
            return
        self._adding, self._new_pathology = None, ""
        if session.gold.blind:
            self.refresh()
        else:
            self.show_report(session.next_open(session.current))

    @Slot()
    def reopen(self) -> None:
        """Reopen the report."""
        session = self.session
        if session is not None and not self._read_only and session.answers(session.report.report_id).done:
            self._do(session.reopened(new_name()), say("take up again"), self.refresh)

    # --- keys --------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride and self._meaning(event) is not None:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress and (act := self._meaning(event)) is not None:
                act()
                return True
        return super().eventFilter(watched, event)

    def _meaning(self, event: QKeyEvent) -> Callable[[], None] | None:
        """A key's action while the report or the findings have the focus; None if not ours."""
        act = act_of(event)
        if act == "accept" and self._adding is not None:  # Enter takes the sentence
            act = "pathology"
        if act:
            return self._acts()[act]
        phrase = self.findings.phrases.of_key(event.text()) if is_plain(event) else ""
        return (lambda: self._phrase_chosen(phrase)) if phrase else None

    @Slot()
    def _scroll_on(self) -> None:
        self._scroll(1)

    @Slot()
    def _scroll_back(self) -> None:
        self._scroll(-1)

    def _scroll(self, pages: int) -> None:
        bar = self.text.verticalScrollBar()
        bar.setValue(bar.value() + pages * max(bar.pageStep() - 2 * ROW, ROW))


def _card(widget: QWidget) -> QFrame:
    card = QFrame()
    card.setObjectName("card")
    layout = QVBoxLayout(card)
    layout.setContentsMargins(1, 1, 1, 1)
    layout.addWidget(widget)
    return card
