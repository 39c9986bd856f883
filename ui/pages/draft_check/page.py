"""Check a draft: its certainty words and the radiologist's own results for each; nothing is stored."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHideEvent,
    QKeySequence,
    QMouseEvent,
    QResizeEvent,
    QShortcut,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QBoxLayout, QFrame, QPlainTextEdit, QPushButton, QTextEdit, QWidget

from radcal.system.selection import ALL_DAYS, Selection
from ui.kit.action import later, push_button
from ui.kit.layout import hbox, scrolled, vbox
from ui.kit.text import label, show_text, wrapped
from ui.pages.draft_check import sentences as words
from ui.pages.stage import StagePage
from ui.theme import in_use
from ui.widgets.dates import describe
from ui.widgets.messages import Message
from ui.words import say, typographic, whole

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


class TryPage(StagePage):
    """The draft on the left, its words assessed on the right."""

    uses_selection = True
    selects = ("author", "dates")

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._author = ""
        self._days = ALL_DAYS
        self._department: object = None
        self._tried: CheckedDraft | None = None
        self._current = -1
        self.cards: list[WordCard] = []
        self._soon = later(self, self._read, _WAIT_MS)
        self.title.setText(say("Try a sentence"))
        self._build()

    # --- building ----------------------------------------------------------------------------------

    def _build(self) -> None:
        self.clear = push_button(say("&Clear"), self.forget, tip=say("Forget the draft"))
        self.back = push_button(say("&Back to the pages"), partial(self.shell.go, "feedback"))
        self.head.addWidget(self.clear, 0, 2)
        self.head.addWidget(self.back, 0, 3)

        self.draft = QPlainTextEdit()
        self.draft.setAccessibleName(say("Draft"))
        self.draft.setPlaceholderText(
            say(
                "Paste or type a sentence of a report, such as: Likely small left pleural effusion.\n\nNothing is"
                " stored: the draft is gone when you leave this page."
            )
        )
        self.draft.setTabChangesFocus(True)
        # Learning keyboards must not remember the text.
        self.draft.setInputMethodHints(Qt.InputMethodHint.ImhSensitiveData | Qt.InputMethodHint.ImhNoPredictiveText)
        self.draft.setMinimumSize(220, 120)
        self.draft.textChanged.connect(self._typed)
        self.draft.cursorPositionChanged.connect(self._moved)
        self.summary = wrapped(role="strong")
        self._list = vbox(margins=(0, 0, 8, 0))
        inner = QWidget()
        vbox(self._list, None, parent=inner)
        self.list = scrolled(inner)
        self.list.setMinimumWidth(220)
        self.keys = wrapped(
            say("F8 goes to the next suggestion, Ctrl+Enter uses it, Ctrl+Z takes it back."), role="muted"
        )
        key = wrapped(
            say(
                "Words with a suggestion are filled and underlined in waves. Words that agree with CT are"
                " underlined, those without advice dotted."
            ),
            role="muted",
        )
        right = vbox(self.summary, (self.list, 1), key, self.keys)
        self._both = hbox((self.draft, 1), (right, 1), spacing=16)
        self.body.addLayout(self._both, 1)
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

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """Set whose results are used; a draft is dropped with its department."""
        department = opened.department if opened else None
        if department is not self._department:
            self.forget()
        self._department = department
        self._show_author()

    @Slot(object)
    def show_selection(self, selection: Selection | None) -> None:
        """Check the same draft against another radiologist's results."""
        self._show_author()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.isVisible():
            self._mark()

    def arrive(self, **where: Any) -> None:
        """Focus the editor."""
        self.draft.setFocus()

    def leave(self) -> None:
        """Clear the draft."""
        self.forget()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():  # not when the window is minimised
            self.forget()

    @Slot()
    def forget(self) -> None:
        """Clear the draft, its undo history and its assessment."""
        self._soon.stop()
        self.shell.tasks.forget(TRY)
        self.shell.messages.clear(Message.WORK_FAILED)
        self.draft.blockSignals(True)
        self.draft.clear()
        self.draft.document().clearUndoRedoStacks()
        self.draft.blockSignals(False)
        self._show(None)

    def _show_author(self) -> None:
        opened, selection = self.shell.opened, self.shell.selection
        for button in (self.clear, self.back):
            button.setVisible(opened is not None and bool(opened.of_radiologists))
        if opened is None or not opened.of_radiologists:
            self._author = ""
            self.sentence.clear()
            if opened is None:
                self.show_closed(
                    say("Try a sentence"),
                    say("Open a workspace. A draft is compared with a radiologist\u2019s own results."),
                )
            else:
                text = say("There are no results yet to compare a draft with. {why}", why=typographic(opened.reason))
                self.show_empty(text.strip(), say("Go to Import"), "import")
            return
        authors = {group.author for group in opened.of_radiologists}
        author = opened.personal or (selection.author if selection else "")
        if author not in authors:
            author = min(authors)
        if opened.personal:
            text = say("Your own results beside the words of a draft. Nothing of it is stored.")
        else:
            text = say(
                "The results of {author} beside the words of a draft. Nothing of it is stored.",
                author=opened.called(author),
            )
        days = selection.days if selection else ALL_DAYS
        if days.are_limited:
            text += " " + say(
                "Only examinations of these dates count: {dates}.", dates=describe((days.first, days.last))
            )
        self.sentence.setText(text)
        self.show_content()
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
            self.shell.tasks.forget(TRY)
            self._show(None)
            return
        if self._tried is not None and _about(self._tried) == (text, self._author, self._days):
            self._show(self._tried)
            return
        author, days = self._author, self._days
        self.shell.run(
            TRY,
            lambda department, progress: department.draft_check.read(text, author, days, progress),
            self._show_tried,
            failed=self._failed,
        )

    def _show_tried(self, tried: CheckedDraft) -> None:
        if _about(tried) == (self.draft.toPlainText(), self._author, self._days):
            self.shell.messages.clear(Message.WORK_FAILED)
            self._show(tried)

    def _failed(self, failure: Failure) -> None:
        self._show(None)
        self.shell.messages.show_failure(Message.WORK_FAILED, failure, self._read)

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
            card = WordCard(word, self.shell.opened.min_phrase_n if self.shell.opened else 1)
            card.looked_at.connect(partial(self._set_current, place))
            card.use_wanted.connect(partial(self.apply, place))
            card.findings_wanted.connect(partial(self._list_findings, word))
            self._list.addWidget(card)
            self.cards.append(card)
        text = words.summary(tried) if tried is not None else ""
        if len(found) > _CARDS:
            text += " " + say("The first {n} are shown.", n=whole(_CARDS))
        show_text(self.summary, text)
        self.list.setVisible(bool(self.cards))
        self.keys.setVisible(any(w.replacement for w in found))
        if on_card:
            self.draft.setFocus()
        self._mark()

    def _list_findings(self, word: CheckedWord) -> None:
        """Lead to the findings behind a word; the selector bar follows."""
        self.shell.choose(Selection(self._author, word.topic, self._days))
        self.shell.go("evidence", phrase=word.phrase)

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


class WordCard(QFrame):
    """The assessment of one word.

    looked_at: it has the focus;  use_wanted: apply its suggestion;  findings_wanted: list what its numbers count
    """

    looked_at = Signal()
    use_wanted = Signal()
    findings_wanted = Signal()

    def __init__(self, word: CheckedWord, min_n: int) -> None:
        super().__init__()
        self.setObjectName("card")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        name, kind, text = words.name(word), words.kind(word), words.sentence(word, min_n)
        title, body = wrapped(name, role="strong"), wrapped(text)
        for part in (title, body):
            part.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        head = hbox((title, 1), (label(kind, role="muted"), 0, Qt.AlignmentFlag.AlignTop))
        written = words.as_written(word)
        layout = vbox(head, body, parent=self, margins=(12, 8, 12, 10), spacing=4)
        if written:
            layout.addWidget(wrapped(written, role="muted"))
        below = hbox()
        self.button: QPushButton | None = None
        if word.replacement:
            self.button = push_button(
                words.edit(word).replace("&", "&&"),
                self.use_wanted,
                tip=say("Put it into the draft (Ctrl+Enter); Ctrl+Z takes it back"),
            )
            self.button.installEventFilter(self)
            self.button.setAccessibleDescription(text)
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its button takes the focus
            below.addWidget(self.button)
        elif word.judged.closer:
            layout.addWidget(wrapped(words.by_hand(word), role="muted"))
        self.findings: QPushButton | None = None
        if word.judged.rate.n > 0 and word.judged.phrase is not None:
            n = round(word.judged.rate.n)
            self.findings = push_button(
                say("Read the {n:,} finding", many="Read the {n:,} findings", n=n),
                self.findings_wanted,
                tip=say("Leaves this page, and the draft with it"),
            )
            self.findings.installEventFilter(self)
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            below.addWidget(self.findings)
        if below.count():
            below.addStretch(1)
            layout.addLayout(below)
        self.setAccessibleName(" ".join(filter(None, (f"{name}. {kind}. {text}", written))))

    def set_usable(self, usable: bool) -> None:
        """Set whether the suggestion still fits the draft."""
        if self.button is not None:
            self.button.setEnabled(usable)

    def set_current(self, current: bool) -> None:
        """Highlight the current word's card."""
        self.setProperty("current", current)
        self.setFrameShape(QFrame.Shape.StyledPanel if current else QFrame.Shape.NoFrame)
        self.style().unpolish(self)
        self.style().polish(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn:
            self.looked_at.emit()
        return super().eventFilter(watched, event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.looked_at.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.looked_at.emit()
