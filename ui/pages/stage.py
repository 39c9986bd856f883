"""A stage's page: it knows the shell, reports its state to the rail, and has an empty state."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QStackedLayout, QTabBar, QWidget

from radcal.system.kinds import FileKind
from ui.kit import keyboard
from ui.kit.layout import vbox
from ui.kit.text import ElidedLabel, label
from ui.theme import px
from ui.widgets.empty import EmptyState, all_dates
from ui.words import say

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent, QUndoStack

    from radcal.system.selection import Selection
    from ui.records import Opened
    from ui.shell import Shell

_BUTTON = 30
"""Height in pixels of the row of the title, with buttons or without."""
_META = 200
"""Minimum width in pixels of the text beside the title."""


class StagePage(QWidget):
    """A stage's page: content goes into ``body``, extra controls into ``head`` on the right.

    state_changed: the state shown in the rail, a number for the most part; why the stage needs attention ('' if not);
        and the state in words, such as "18 unknown words"
    selects_changed: the page uses other parts of the selector bar
    """

    state_changed = Signal(object, object, object)
    selects_changed = Signal()
    selects: tuple[str, ...] = ("author", "topic", "dates", "run")
    """The parts of the selector bar that the page uses."""
    uses_selection = False
    """Whether the page depends on the selector bar, which is visible with such pages only."""

    kinds = frozenset(FileKind)
    """The kinds of files that the page is offered with."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lay_out_head()
        self.shell = shell
        self.undo_stack: QUndoStack = shell.undo_stack(self)
        """The page's edits, and the extraction runs chosen while it was open."""
        self._go = ""
        self._put_away: list[QWidget] = []
        self._leads_to_all_dates = False
        self._content = QWidget()
        self.body = vbox(parent=self._content, spacing=12)
        self._empty = EmptyState()
        self._empty.pressed.connect(self._lead)
        self._stack = QStackedLayout()
        vbox(self.head, (self._stack, 1), parent=self, margins=(16, 12, 16, 12), spacing=12)
        # After parenting: a stack without a parent shows its widgets as windows.
        self._stack.addWidget(self._content)
        self._stack.addWidget(self._empty)
        shell.opened_changed.connect(self._hand_on)
        if self.uses_selection:
            shell.selection_changed.connect(self.show_selection)

    def _lay_out_head(self) -> None:
        self.title = _Title()
        self.title.setProperty("role", "title")
        self.meta = _Meta()
        self.meta.setProperty("role", "muted")
        self.meta.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.sentence = label()
        self.sentence.setWordWrap(True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.head = QGridLayout()
        self.head.setContentsMargins(0, 0, 0, 0)
        self.head.setHorizontalSpacing(8)
        self.head.setVerticalSpacing(4)
        self.head.addWidget(self.title, 0, 0)
        self.head.addWidget(self.meta, 0, 1)
        self.head.addWidget(self.sentence, 1, 0, 1, 2)
        self.head.setColumnStretch(1, 1)
        self.head.setRowMinimumHeight(0, px(_BUTTON))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._steady_head()

    def _steady_head(self) -> None:
        """Where there are tabs, have room for two lines of a sentence: the bar stays where it is from tab to tab."""
        if self.findChild(QTabBar) is not None:
            self.sentence.setMinimumHeight(2 * self.sentence.fontMetrics().lineSpacing())

    def begin(self) -> None:
        """Called once by the window when the page is complete: show the current state."""
        self._hand_on(self.shell.opened)
        if self.uses_selection:
            self.show_selection(self.shell.selection)

    def prepare(self) -> None:
        """Called in an idle moment, before the page is shown: make what takes long."""

    @Slot(object)
    def _hand_on(self, opened: Opened | None) -> None:
        self._bring_back()
        hidden = opened is not None and opened.kind not in self.kinds
        self.show_department(None if hidden else opened)

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """Another department is open, or its results changed; None if none is open."""

    @Slot(object)
    def show_selection(self, selection: Selection | None) -> None:
        """Another group or date range was selected."""

    def arrive(self, **where: Any) -> None:
        """The page was opened; ``where`` says what to show, as given to ``shell.go``."""

    def leave(self) -> None:
        """Another page was opened."""

    def retire(self) -> None:
        """Another page has taken its place: hear no more of what is opened and selected."""
        self.shell.opened_changed.disconnect(self._hand_on)
        if self.uses_selection:
            self.shell.selection_changed.disconnect(self.show_selection)

    def take_over(self, before: Any) -> None:
        """Take over what the page in whose place this one came holds and nothing else keeps, such as a draft."""

    def landmark(self, name: str, phrase: str = "") -> QWidget | None:
        """A part of the page that can be pointed at, by its name; None if it is not there now.

        name: 'title', 'sentence', or what a page adds to these;  phrase: of the parts about one, the phrase meant
        """
        return {"title": self.title, "sentence": self.sentence}.get(name)

    def show_empty(self, text: str, button: str = "", go: str = "") -> None:
        """Show what is missing instead of the content; the button leads to the stage ``go``."""
        self._go, self._leads_to_all_dates = go, False
        self._empty.show_text(text, button)
        self._stack.setCurrentWidget(self._empty)

    def show_closed(self, name: str, text: str) -> None:
        """Without a workspace: show the page's name, what it needs one for, and a link; no other action."""
        self.title.setText(name)
        self.meta.clear()
        self.sentence.clear()
        for i in range(self.head.count()):
            item = self.head.itemAt(i)
            widget = item.widget() if item is not None else None
            # Widgets not yet on screen also count as hidden.
            if widget is None or widget in (self.title, self.meta, self.sentence) or _was_hidden(widget):
                continue
            self._put_away.append(widget)
            widget.hide()
        self.show_empty(text, say("&Open a workspace"), "home")

    def _bring_back(self) -> None:
        """Show the actions that need a workspace again."""
        while self._put_away and self.shell.opened is not None:
            self._put_away.pop().show()

    def show_no_findings(self, text: str) -> None:
        """Say that the date range has no findings instead of the content; the button selects all dates."""
        self.show_empty(text, all_dates())
        self._leads_to_all_dates = True

    @Slot()
    def choose_all_dates(self) -> None:
        """Remove the date limits."""
        if (selection := self.shell.selection) is not None:
            from radcal.system.selection import ALL_DAYS

            self.shell.choose(replace(selection, days=ALL_DAYS))

    def show_content(self) -> None:
        """Show the content; takes the focus from the empty state's button."""
        leaves = self.is_empty and keyboard.is_in(self._empty)
        self._stack.setCurrentWidget(self._content)
        self._steady_head()
        if leaves:
            keyboard.focus(self)

    @property
    def is_empty(self) -> bool:
        """Whether the empty state is shown."""
        return self._stack.currentWidget() is self._empty

    @property
    def empty_button(self) -> QPushButton:
        """The button of the empty state."""
        return self._empty.button

    @property
    def empty_text(self) -> str:
        """The text of the empty state."""
        return self._empty.text.text()

    @Slot()
    def _lead(self) -> None:
        if self._leads_to_all_dates:
            self.choose_all_dates()
        elif self._go:
            self.shell.go(self._go)


class _Title(ElidedLabel):
    """Shrinks only after the text beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        return QSize(px(80), super().minimumSizeHint().height())


class _Meta(ElidedLabel):
    """The text beside the title: shrinks first, except for its beginning."""

    elide = Qt.TextElideMode.ElideRight

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setMinimumWidth(min(self.fontMetrics().horizontalAdvance(text) + 4, px(_META)) if text else 0)


def _was_hidden(widget: QWidget) -> bool:
    return widget.isHidden() and widget.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide)
