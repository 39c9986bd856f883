"""Trying a sentence: the certainty words of a draft, with the radiologist's own results; nothing is stored."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtGui import (
    QColor,
    QHideEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QBoxLayout, QPlainTextEdit, QTextEdit, QWidget

from radcal.system.selection import ALL_DAYS, Selection
from ui.kit.action import later, push_button
from ui.kit.layout import hbox, scrolled, vbox
from ui.kit.text import tell, wrapped
from ui.pages.feedback import checked as words
from ui.pages.feedback.word_card import WordCard
from ui.theme import in_use
from ui.widgets.messages import Message
from ui.words import say, whole

if TYPE_CHECKING:
    from radcal.advice.draft_check import CheckedDraft, CheckedWord
    from radcal.system.selection import Days
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Failure

TRY = "try a sentence"
_WAIT_MS = 150
_CARDS = 40
_SIDE_BY_SIDE = 760


class TryTab(QWidget):
    """The draft on the left, its words assessed on the right."""

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self._shell = shell
        self._author = ""
        self._days = ALL_DAYS
        self._tried: CheckedDraft | None = None
        self._current = -1
        self.cards: list[WordCard] = []
        self._soon = later(self, self._read, _WAIT_MS)
        self._build()

    # --- building ----------------------------------------------------------------------------------

    def _build(self) -> None:
        self.whose = wrapped()
        self.clear = push_button(say("C&lear"), self.forget)
        self.draft = QPlainTextEdit()
        self.draft.setAccessibleName(say("Try a sentence"))
        self.draft.setPlaceholderText(
            say("Paste or type a sentence or a report, such as: Likely small left pleural effusion.")
        )
        self.draft.setTabChangesFocus(True)
        # Learning keyboards must not remember the text.
        self.draft.setInputMethodHints(Qt.InputMethodHint.ImhSensitiveData | Qt.InputMethodHint.ImhNoPredictiveText)
        self.draft.setMinimumSize(220, 120)
        self.draft.textChanged.connect(self._typed)
        self.draft.cursorPositionChanged.connect(self._moved)
        self.summary = wrapped()
        self.summary.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._list = vbox(margins=(0, 0, 8, 0))
        inner = QWidget()
        vbox(self._list, None, parent=inner)
        self.list = scrolled(inner)
        self.list.setMinimumWidth(220)
        self.keys = wrapped(say("F8 goes to the next suggestion, Ctrl+Enter uses it."), role="muted")
        self._both = hbox((self.draft, 1), (vbox(self.summary, (self.list, 1), self.keys), 1), spacing=16)
        vbox(hbox((self.whose, 1), self.clear), (self._both, 1), parent=self, margins=(0, 8, 0, 0))
        self.setTabOrder(self.draft, self.clear)
        self._show(None)
        for keys, call in (
            ("F8", partial(self._step, 1)),
            ("Shift+F8", partial(self._step, -1)),
            ("Ctrl+Return", self.apply_current),
            ("Ctrl+Enter", self.apply_current),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(call)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """On a narrow page the words go below the draft."""
        super().resizeEvent(event)
        narrow = self.width() < _SIDE_BY_SIDE
        direction = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if direction != self._both.direction():
            self._both.setDirection(direction)

    # --- what is shown -----------------------------------------------------------------------------

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.isVisible():
            self._mark()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():  # not when the window is minimised
            self.forget()

    @Slot()
    def forget(self) -> None:
        """Clear the draft, its undo history and its assessment."""
        self._soon.stop()
        self._shell.tasks.forget(TRY)
        self._shell.messages.clear(Message.WORK_FAILED)
        self.draft.blockSignals(True)
        self.draft.clear()
        self.draft.document().clearUndoRedoStacks()
        self.draft.blockSignals(False)
        self._show(None)

    def show_for(self, author: str, days: Days, opened: Opened) -> None:
        """Check the same draft against the results of another radiologist or date range."""
        author_s = opened.called(author)
        self.whose.setText(say("Compared with {author}\u2019s own results. The draft is not stored.", author=author_s))
        if (author, days) != (self._author, self._days):
            self._author, self._days = author, days
            self._soon.start()

    # --- reading -----------------------------------------------------------------------------------

    @Slot()
    def _typed(self) -> None:
        # Until the draft is read again, the marks may be in the wrong places.
        if self._tried is not None and self._tried.text != self.draft.toPlainText():
            self.draft.setExtraSelections([])
            for card in self.cards:
                card.set_usable(False)
        self._soon.start()

    @Slot()
    def _read(self) -> None:
        text = self.draft.toPlainText()
        if not text.strip() or not self._author:
            self._shell.tasks.forget(TRY)
            self._show(None)
            return
        if self._tried is not None and _about(self._tried) == (text, self._author, self._days):
            self._show(self._tried)
            return
        author, days = self._author, self._days
        self._shell.run(
            TRY,
            lambda department, progress: department.draft_check.read(text, author, days, progress),
            self._show_tried,
            failed=self._failed,
        )

    def _show_tried(self, tried: CheckedDraft) -> None:
        if _about(tried) == (self.draft.toPlainText(), self._author, self._days):
            self._shell.messages.clear(Message.WORK_FAILED)
            self._show(tried)

    def _failed(self, failure: Failure) -> None:
        self._show(None)
        self._shell.messages.show_failure(Message.WORK_FAILED, failure, self._read)

    def _show(self, tried: CheckedDraft | None) -> None:
        focused = self.focusWidget()
        on_card = focused is not None and any(card.isAncestorOf(focused) or card is focused for card in self.cards)
        self._tried = tried
        self._current = -1
        for card in self.cards:
            card.hide()
            self._list.removeWidget(card)
            card.deleteLater()
        self.cards = []
        found = tried.words if tried is not None else ()
        for place, word in enumerate(found[:_CARDS]):
            card = WordCard(word, self._shell.opened.min_phrase_n if self._shell.opened else 1)
            card.looked_at.connect(partial(self._set_current, place))
            card.use_wanted.connect(partial(self.apply, place))
            card.findings_wanted.connect(partial(self._list_findings, word))
            self._list.addWidget(card)
            self.cards.append(card)
        empty = say("Here you see what CT found after each word, and a closer word if one is known.")
        text = words.summary(tried) if tried is not None else empty
        if len(found) > _CARDS:
            text += " " + say("The first {n} are shown.", n=whole(_CARDS))
        tell(self.summary, text, role="strong" if tried is not None else "muted")
        self.list.setVisible(bool(self.cards))
        self.keys.setVisible(any(w.replacement for w in found))
        if on_card:
            self.draft.setFocus()
        self._mark()

    def _list_findings(self, word: CheckedWord) -> None:
        """Lead to the findings behind a word; the selector bar follows."""
        self._shell.choose(Selection(self._author, word.topic, self._days))
        self._shell.go("results", phrase=word.phrase)

    # --- marks -------------------------------------------------------------------------------------

    def _mark(self) -> None:
        tried = self._tried
        if tried is None or tried.text != self.draft.toPlainText():
            self.draft.setExtraSelections([])
            return
        marks = []
        for place, word in enumerate(tried.words):
            mark = QTextEdit.ExtraSelection()
            mark.cursor = self._cursor(word.start, word.end)
            mark.format = self._format(word, current=place == self._current)
            marks.append(mark)
        self.draft.setExtraSelections(marks)

    def _cursor(self, start: int, end: int) -> QTextCursor:
        text = self.draft.toPlainText()
        cursor = QTextCursor(self.draft.document())
        cursor.setPosition(words.utf16(text, start))
        cursor.setPosition(words.utf16(text, end), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _format(self, word: CheckedWord, *, current: bool) -> QTextCharFormat:
        """Suggestions filled with wavy underline, well-calibrated words underlined, others dotted."""
        c, made = in_use(), QTextCharFormat()
        style = QTextCharFormat.UnderlineStyle
        made.setUnderlineColor(QColor(c.neutral))
        if word.judged.advice is not None:
            made.setBackground(QColor(c.mark))
            made.setUnderlineStyle(style.WaveUnderline)
            made.setUnderlineColor(QColor(c.curve))
        elif word.judged.verdict == "matches":
            made.setUnderlineStyle(style.SingleUnderline)
        else:
            made.setUnderlineStyle(style.DotLine)
        if current:
            made.setBackground(QColor(c.selection))
        return made

    @Slot()
    def _moved(self) -> None:
        """Show the card of the word at the cursor."""
        tried = self._tried
        if tried is None or tried.text != self.draft.toPlainText():
            return
        at = self.draft.textCursor().position()
        inside = (
            i
            for i, w in enumerate(tried.words)
            if words.utf16(tried.text, w.start) <= at <= words.utf16(tried.text, w.end)
        )
        self._set_current(next(inside, -1))

    def _set_current(self, place: int) -> None:
        if place == self._current:
            return
        self._current = place
        for i, card in enumerate(self.cards):
            card.set_current(i == place)
        if 0 <= place < len(self.cards):
            self.list.ensureWidgetVisible(self.cards[place])
        self._mark()

    # --- using a suggestion ------------------------------------------------------------------------

    def _step(self, by: int) -> None:
        """Go to the next or previous suggestion in the draft."""
        tried = self._tried
        if tried is None:
            return
        advised = [i for i, w in enumerate(tried.words) if w.judged.advice is not None][::by]
        if not advised:
            return
        place = next((i for i in advised if (i - self._current) * by > 0), advised[0])
        cursor = self._cursor(tried.words[place].start, tried.words[place].start)
        self.draft.setTextCursor(cursor)
        self.draft.setFocus()
        self._set_current(place)

    @Slot()
    def apply_current(self) -> None:
        """Apply the current suggestion."""
        if self._current >= 0:
            self.apply(self._current)

    def apply(self, place: int) -> None:
        """Insert the suggested words into the draft; can be undone there."""
        tried = self._tried
        if tried is None or tried.text != self.draft.toPlainText() or place >= len(tried.words):
            return
        word = tried.words[place]
        if not word.replacement:
            return
        cursor = self._cursor(word.replace_start, word.replace_end)
        cursor.insertText(word.replacement)
        self.draft.setTextCursor(cursor)
        self.draft.setFocus()
        self._soon.start(0)


def _about(tried: CheckedDraft) -> tuple[str, str, Days]:
    return tried.text, tried.author, tried.days
