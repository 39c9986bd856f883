"""The contents of one radiologist's pages, as check boxes; edits can be undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QUndoCommand
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QWidget,
)

from radcal.feedback.records import PageChoice, Sheet
from ui.kit.action import push_button
from ui.kit.form import choice
from ui.kit.layout import Item, ScrollArea, hbox, scrolled, vbox
from ui.kit.text import caption, label, wrapped
from ui.kit.undoing import Edit, is_about_to_undo
from ui.language import LANGUAGES
from ui.sentences import topic_name
from ui.words import say, whole

A4, LETTER = "a4", "us-letter"
_ROWS = 7
_LINES = 4


class ChoicePanel(ScrollArea):
    """changed: the PageChoice after a user change, and whether the note was being typed.

    sheet_changed: the Sheet with the chosen paper size and language
    """

    changed = Signal(object, object)
    sheet_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._filling = False
        self._without: tuple[str, ...] = ()
        inner = QWidget()
        vbox(
            *self._build_parts(),
            4,
            *self._build_topics(),
            4,
            *self._build_note(),
            4,
            *self._build_sheet(),
            None,
            parent=inner,
            margins=(0, 0, 16, 0),
        )
        scrolled(inner, self)
        self._inner = inner
        inner.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)

    def minimum_width(self) -> int:
        """The width of the widest control, in any language."""
        return self._inner.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()

    # --- building ----------------------------------------------------------------------------------

    def _build_parts(self) -> list[QWidget]:
        self.recommendations = QCheckBox(say("S&uggestions"))
        self.recommendations.setToolTip(say("Which words would have been closer, and why"))
        self.diagrams = QCheckBox(say("&Diagrams and tables"))
        self.diagrams.setToolTip(say("Each pathology with its diagram and all of its words"))
        self.examples = QCheckBox(say("&Example sentences"))
        self.examples.setToolTip(say("The radiologist\u2019s own sentences with what the CT said"))
        self.comparison = QCheckBox(say("All &other readers together"))
        boxes = (self.recommendations, self.diagrams, self.examples, self.comparison)
        for box in boxes:
            box.toggled.connect(self._edited)
        return [label(say("What goes in"), role="strong"), *boxes]

    def _build_topics(self) -> tuple[Item, ...]:
        self.topics = QListWidget()
        self.topics.setAccessibleName(say("Pathologies"))
        self.topics.setToolTip(say("Space ticks or clears the pathology that is chosen."))
        self.topics.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.topics.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.topics.itemChanged.connect(self._edited)
        self.all = push_button(say("&All"), self._tick_all)
        self.none = push_button(say("&None"), self._tick_none)
        title = caption(say("&Pathologies"), self.topics, role="strong")
        return hbox((title, 1), self.all, self.none), self.topics

    def _build_note(self) -> tuple[Item, ...]:
        self.note = _Note()
        self.note.setTabChangesFocus(True)
        self.note.setUndoRedoEnabled(False)  # undo belongs to the page
        self.note.setFixedHeight(self.note.fontMetrics().lineSpacing() * _LINES + 16)
        self.note.setPlaceholderText(say("Printed at the top, as words of the QA staff"))
        self.note.setAccessibleName(say("Note at the top"))
        self.note.textChanged.connect(self._typed)
        self._note_title = caption(say("Note at t&he top"), self.note, role="strong")
        return self._note_title, self.note

    def _build_sheet(self) -> tuple[Item, ...]:
        self.paper = choice(say("Paper"), (say("A4"), A4), (say("US Letter"), LETTER))
        self.paper.currentIndexChanged.connect(self._sheet_chosen)
        names = ((name, code) for code, name in LANGUAGES.items())
        self.language = choice(say("Language of the pages"), *names)
        self.language.setToolTip(say("What the pages are written in; the words of the reports stay as they are"))
        self.language.currentIndexChanged.connect(self._sheet_chosen)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        for row, (text, box) in enumerate(((say("Paper si&ze"), self.paper), (say("&Language"), self.language))):
            grid.addWidget(caption(text, box, role="strong"), row, 0)
            grid.addWidget(box, row, 1)
        self.hint = wrapped(role="muted")
        return grid, self.hint

    # --- the choice --------------------------------------------------------------------------------

    def set_topics(self, topics: Sequence[tuple[str, float]], *, counted: bool = True) -> None:
        """Set the pathologies in the radiologist's statements, with counts if known."""
        self._filling = True
        self.topics.clear()
        for topic, n in topics:
            text = say("{topic} ({n})", topic=topic_name(topic), n=whole(n)) if counted else topic_name(topic)
            item = QListWidgetItem(text)
            item.setData(Qt.ItemDataRole.UserRole, topic)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked)
            self.topics.addItem(item)
        rows = min(max(len(topics), 3), _ROWS)
        self.topics.setFixedHeight(rows * max(self.topics.sizeHintForRow(0), 20) + 2 * self.topics.frameWidth() + 4)
        self._filling = False

    def set_choice(self, choice: PageChoice) -> None:
        """Show a choice."""
        self._filling = True
        self._without = choice.without
        for box, ticked in (
            (self.recommendations, choice.recommendations),
            (self.diagrams, choice.diagrams),
            (self.examples, choice.examples),
            (self.comparison, choice.comparison),
        ):
            box.setChecked(ticked)
        for item in self._items():
            left_out = item.data(Qt.ItemDataRole.UserRole) in choice.without
            item.setCheckState(Qt.CheckState.Unchecked if left_out else Qt.CheckState.Checked)
        if self.note.toPlainText() != choice.note:
            self.note.setPlainText(choice.note)
        self._filling = False

    def choice(self) -> PageChoice:
        """The current choice; pathologies not listed are unchanged."""
        listed = {str(item.data(Qt.ItemDataRole.UserRole)): item.checkState() for item in self._items()}
        cleared = (topic for topic, state in listed.items() if state == Qt.CheckState.Unchecked)
        return PageChoice(
            without=tuple(sorted({*cleared, *(t for t in self._without if t not in listed)})),
            recommendations=self.recommendations.isChecked(),
            diagrams=self.diagrams.isChecked(),
            examples=self.examples.isChecked(),
            comparison=self.comparison.isChecked(),
            note=self.note.toPlainText(),
        )

    def set_sheet(self, sheet: Sheet) -> None:
        """Show the paper size and language of the pages."""
        self._filling = True
        self.paper.setCurrentIndex(max(0, self.paper.findData(sheet.paper)))
        self.language.setCurrentIndex(max(0, self.language.findData(sheet.language)))
        self._filling = False

    def set_comparable(self, comparable: bool, why_not: str) -> None:
        """Set whether there are other readers to show together."""
        self.comparison.setEnabled(comparable)
        self.comparison.setToolTip(
            say("The same words of all other readers of the department, as one; nobody is named")
            if comparable
            else why_not
        )

    def set_personal(self, personal: bool) -> None:
        """In personal mode there are no other readers, and the staff's note is read-only."""
        for widget in (self.comparison, self.note, self._note_title):
            widget.setVisible(not personal)

    def set_hint(self, text: str) -> None:
        """Set the note on where the choice is stored."""
        self.hint.setText(text)
        self.hint.setVisible(bool(text))

    def _items(self) -> list[QListWidgetItem]:
        return [self.topics.item(row) for row in range(self.topics.count())]

    @Slot()
    def _tick_all(self) -> None:
        self._tick(Qt.CheckState.Checked)

    @Slot()
    def _tick_none(self) -> None:
        self._tick(Qt.CheckState.Unchecked)

    def _tick(self, state: Qt.CheckState) -> None:
        self._filling = True
        for item in self._items():
            item.setCheckState(state)
        self._filling = False
        self._edited()

    @Slot()
    def _edited(self, *_: object) -> None:
        if not self._filling:
            self.changed.emit(self.choice(), False)

    @Slot()
    def _typed(self) -> None:
        if not self._filling:
            self.changed.emit(self.choice(), True)

    @Slot(int)
    def _sheet_chosen(self, _index: int) -> None:
        if not self._filling:
            self.sheet_changed.emit(Sheet(self.paper.currentData(), language=self.language.currentData()))


class _Note(QPlainTextEdit):
    """A plain text editor that uses the page's undo stack."""

    def event(self, event: QEvent) -> bool:
        if is_about_to_undo(event):
            event.ignore()
            return False
        return super().event(event)


class ChoiceChange(Edit[PageChoice]):
    """One change of the contents; consecutive typing in the note is one step."""

    _NOTE = 1

    def __init__(
        self, before: PageChoice, after: PageChoice, show: Callable[[PageChoice], None], *, typed: bool
    ) -> None:
        text = say("change of the note") if typed else say("choice")
        super().__init__(text, before, after, show)
        self._typed = typed
        self._on_show = True  # a pushed change is already displayed

    def id(self) -> int:
        return self._NOTE if self._typed else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, ChoiceChange):
            return False
        self.after = other.after
        return True

    def redo(self) -> None:
        if self._on_show:
            self._on_show = False
        else:
            super().redo()
