"""The contents of one radiologist's pages, as check boxes; edits can be undone."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QWidget,
)

from radcal.feedback.records import PageChoice, Sheet
from ui.kit.action import enable
from ui.kit.form import choice
from ui.kit.layout import Item, ScrollArea, panel, scrolled, vbox
from ui.kit.text import caption
from ui.kit.undoing import is_about_to_undo
from ui.language import LANGUAGES
from ui.sentences import topic_name
from ui.words import say, whole

A4, LETTER = "a4", "us-letter"
_ROWS = 7
_LINES = 4


class ChoicePanel(ScrollArea):
    """changed: the PageChoice after a user change, and whether the note was being typed.

    sheet_changed: the Sheet with the chosen length, paper size and language
    """

    changed = Signal(object, object)
    sheet_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._filling = False
        self._without: tuple[str, ...] = ()
        inner = QWidget()
        self.of_person = panel(vbox(*self._build_parts(), 4, *self._build_topics(), 4, *self._build_note(), 4))
        """What is chosen for one radiologist."""
        vbox(self.of_person, self._build_sheet(), None, parent=inner, margins=(0, 0, 16, 0))
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
        self.diagrams = QCheckBox(say("&Diagrams and tables"))
        self.examples = QCheckBox(say("&Example sentences"))
        self.comparison = QCheckBox(say("C&ompare with all others"))
        boxes = (self.recommendations, self.diagrams, self.examples, self.comparison)
        for box in boxes:
            box.toggled.connect(self._edited)
        return [*boxes]

    def _build_topics(self) -> tuple[Item, ...]:
        self.topics = QListWidget()
        self.topics.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.topics.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.topics.itemChanged.connect(self._edited)
        return caption(say("&Pathologies"), self.topics, role="strong"), self.topics

    def _build_note(self) -> tuple[Item, ...]:
        self.note = _Note()
        self.note.setTabChangesFocus(True)
        self.note.setUndoRedoEnabled(False)  # undo belongs to the page
        self.note.setFixedHeight(self.note.fontMetrics().lineSpacing() * _LINES + 16)
        self.note.textChanged.connect(self._typed)
        self._note_title = caption(say("Note at t&he top"), self.note, role="strong")
        return self._note_title, self.note

    def _build_sheet(self) -> QGridLayout:
        self.length = choice("", (say("Two sheets"), "two"), (say("Everything"), "full"))
        self.paper = choice("", ("A4", A4), ("US Letter", LETTER))
        self.language = choice("", *((name, code) for code, name in LANGUAGES.items()))
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        rows = ((say("L&ength"), self.length), (say("Paper si&ze"), self.paper), (say("&Language"), self.language))
        for row, (text, box) in enumerate(rows):
            box.currentIndexChanged.connect(self._sheet_chosen)
            grid.addWidget(caption(text, box, role="strong"), row, 0)
            grid.addWidget(box, row, 1)
        return grid

    # --- the choice --------------------------------------------------------------------------------

    def set_topics(self, topics: Sequence[tuple[str, float]], *, counted: bool = True) -> None:
        """Set the pathologies in the radiologist's statements, with counts if known."""
        self._filling = True
        self.topics.clear()
        for topic, n in topics:
            text = f"{topic_name(topic)} ({whole(n)})" if counted else topic_name(topic)
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
        for box, data in ((self.length, sheet.pages), (self.paper, sheet.paper), (self.language, sheet.language)):
            box.setCurrentIndex(max(0, box.findData(data)))
        self._filling = False

    def set_comparable(self, why_not: str) -> None:
        """Set why there are no other readers to show together, '' where there are."""
        enable(self.comparison, why_not)

    def set_personal(self, personal: bool) -> None:
        """In personal mode there are no other readers, and the staff's note is read-only."""
        for widget in (self.comparison, self.note, self._note_title):
            widget.setVisible(not personal)

    def _items(self) -> list[QListWidgetItem]:
        return [self.topics.item(row) for row in range(self.topics.count())]

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
            language, pages = self.language.currentData(), self.length.currentData()
            self.sheet_changed.emit(Sheet(self.paper.currentData(), language=language, pages=pages))


class _Note(QPlainTextEdit):
    """A plain text editor that uses the page's undo stack."""

    def event(self, event: QEvent) -> bool:
        if is_about_to_undo(event):
            event.ignore()
            return False
        return super().event(event)
