"""All messages of the window, declared with their action button, and the bar that shows them.

A message says what happened, what it means and what to do.  Its buttons have no mnemonics, which those of the page
below would collide with: a key of the window's leads to them.  Tests ask for messages by name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ui.words import translate, typographic

if TYPE_CHECKING:
    from ui.tasks import Failure


def QT_TRANSLATE_NOOP(_context: str, text: str) -> str:
    """Mark a text for translation on display; lupdate expects this name."""
    return text


class Weight(StrEnum):
    """The severity of a message; shown as an icon too, so that colour is never alone."""

    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"


GONE = "WorkspaceGone"
"""The kind of failure that nothing but a copy mends."""
_SIGN = {Weight.NOTE: "i", Weight.WARNING: "!", Weight.ERROR: "\u00d7"}


@dataclass(frozen=True, slots=True)
class Declared:
    """A declared message: severity, text with {fields}, and action button ('' for none).

    also: a second button, '' for none
    """

    weight: Weight
    text: str
    button: str = ""
    also: str = ""


class Message(Enum):
    """The messages of the window."""

    OPEN_FAILED = Declared(
        Weight.ERROR, QT_TRANSLATE_NOOP("messages", "{what}"), QT_TRANSLATE_NOOP("messages", "Try again")
    )
    UNREADABLE = Declared(
        Weight.ERROR,
        QT_TRANSLATE_NOOP("messages", "{what}"),
        QT_TRANSLATE_NOOP("messages", "Restore a backup\u2026"),
        QT_TRANSLATE_NOOP("messages", "Try again"),
    )
    RESTORED = Declared(Weight.NOTE, QT_TRANSLATE_NOOP("messages", "{name} was restored from a backup. {what}"))
    RESTORE_FAILED = Declared(
        Weight.ERROR, QT_TRANSLATE_NOOP("messages", "{what}"), QT_TRANSLATE_NOOP("messages", "Restore a backup\u2026")
    )
    RESTORE_STOPPED = Declared(
        Weight.NOTE,
        QT_TRANSLATE_NOOP(
            "messages", "Stopped. {name} is as it was, or wholly as in the backup; open it to see which."
        ),
        QT_TRANSLATE_NOOP("messages", "Restore a backup\u2026"),
    )
    PAGES_DAMAGED = Declared(
        Weight.ERROR,
        QT_TRANSLATE_NOOP(
            "messages",
            "Part of {name} is damaged ({damaged} of {pages} pages of the file) and cannot be read any more. Go back to"
            " a backup, or see first what can still be read.",
        ),
        QT_TRANSLATE_NOOP("messages", "Restore a backup\u2026"),
        QT_TRANSLATE_NOOP("messages", "Check the file\u2026"),
    )
    NOT_BACKED_UP = Declared(
        Weight.WARNING,
        QT_TRANSLATE_NOOP("messages", "Today\u2019s backup was not made. {what}"),
        QT_TRANSLATE_NOOP("messages", "Choose a folder\u2026"),
    )
    IN_USE = Declared(
        Weight.WARNING, QT_TRANSLATE_NOOP("messages", "{what}"), QT_TRANSLATE_NOOP("messages", "Open to read only")
    )
    READ_ONLY = Declared(
        Weight.NOTE,
        QT_TRANSLATE_NOOP(
            "messages",
            "{name} is open to read only: results can be looked at and saved as PDF, but nothing can be imported.",
        ),
    )
    OUT_OF_DATE = Declared(
        Weight.WARNING,
        QT_TRANSLATE_NOOP(
            "messages",
            "More reports were imported than these results are made from. Close the workspace in the other RadCal,"
            " then open it here again, to bring them up to date.",
        ),
    )
    SAMPLE_FAILED = Declared(
        Weight.ERROR,
        QT_TRANSLATE_NOOP("messages", "The sample could not be opened. {what}"),
        QT_TRANSLATE_NOOP("messages", "Try again"),
    )
    IMPORT_FAILED = Declared(
        Weight.ERROR, QT_TRANSLATE_NOOP("messages", "{what}"), QT_TRANSLATE_NOOP("messages", "Choose other files")
    )
    STOPPED = Declared(
        Weight.NOTE,
        QT_TRANSLATE_NOOP(
            "messages", "Stopped. What was done until then is kept in the workspace; it goes on from there."
        ),
        QT_TRANSLATE_NOOP("messages", "Go on"),
    )
    ROWS_LEFT_OUT = Declared(
        Weight.WARNING,
        QT_TRANSLATE_NOOP("messages", "{what}"),
        QT_TRANSLATE_NOOP("messages", "See the rows"),
        QT_TRANSLATE_NOOP("messages", "Choose another column"),
    )
    REPORTS_FAILED = Declared(
        Weight.WARNING,
        QT_TRANSLATE_NOOP(
            "messages",
            "{failed} of {total} reports could not be read by the engine. They are left out of every figure.",
        ),
        QT_TRANSLATE_NOOP("messages", "See why, or try again"),
    )
    UNKNOWN_PHRASES = Declared(
        Weight.NOTE,
        QT_TRANSLATE_NOOP(
            "messages",
            "{what} not in the list of phrases. Their findings are counted but have no meaning to compare with:"
            " {examples}.",
        ),
        QT_TRANSLATE_NOOP("messages", "Place them in Words"),
    )
    READING_CHOSEN = Declared(
        Weight.NOTE,
        QT_TRANSLATE_NOOP(
            "messages", "All results are made from another reading of the reports now. Nothing was read again or lost."
        ),
        QT_TRANSLATE_NOOP("messages", "Back to the one before"),
    )
    ENGINE_CHANGED = Declared(
        Weight.NOTE,
        QT_TRANSLATE_NOOP(
            "messages",
            "All results are made from what the engine has read now. What was read before is kept and can be shown"
            " again.",
        ),
        QT_TRANSLATE_NOOP("messages", "Back to the one before"),
    )
    NOT_COPIED = Declared(
        Weight.NOTE, QT_TRANSLATE_NOOP("messages", "{what}"), QT_TRANSLATE_NOOP("messages", "Back up\u2026")
    )
    FORGOTTEN = Declared(
        Weight.NOTE,
        QT_TRANSLATE_NOOP("messages", "{name} was taken off the list of workspaces. The file is where it was."),
        QT_TRANSLATE_NOOP("messages", "Put it back"),
    )
    NOTHING_TO_SHOW = Declared(Weight.WARNING, QT_TRANSLATE_NOOP("messages", "{what}"))
    SAVED = Declared(
        Weight.NOTE,
        QT_TRANSLATE_NOOP("messages", "The page for {author} was saved as {file}."),
        QT_TRANSLATE_NOOP("messages", "Open it"),
    )
    SAVE_FAILED = Declared(
        Weight.ERROR,
        QT_TRANSLATE_NOOP("messages", "The page for {author} was not saved. {what}"),
        QT_TRANSLATE_NOOP("messages", "Save elsewhere"),
    )
    WORK_FAILED = Declared(
        Weight.ERROR,
        QT_TRANSLATE_NOOP("messages", "This could not be done. {what}"),
        QT_TRANSLATE_NOOP("messages", "Try again"),
    )
    GONE = Declared(
        Weight.ERROR, QT_TRANSLATE_NOOP("messages", "{what}"), QT_TRANSLATE_NOOP("messages", "Save a copy\u2026")
    )
    FILE_SAVED = Declared(
        Weight.NOTE, QT_TRANSLATE_NOOP("messages", "Saved as {file}."), QT_TRANSLATE_NOOP("messages", "Open it")
    )
    FILE_FAILED = Declared(Weight.ERROR, QT_TRANSLATE_NOOP("messages", "{what}"))
    BUG = Declared(
        Weight.ERROR,
        QT_TRANSLATE_NOOP(
            "messages",
            "RadCal met an error of its own. What is stored in the workspace is safe."
            " The details name places in the program, no report text.",
        ),
        QT_TRANSLATE_NOOP("messages", "Copy the details"),
    )


class _Row(QFrame):
    def __init__(
        self,
        message: Message,
        text: str,
        mend: Callable[[], None] | None,
        also: Callable[[], None] | None,
        close: Callable[[], None],
    ) -> None:
        super().__init__()
        declared = message.value
        self.setProperty("weight", declared.weight.value)
        self.setObjectName("message")
        sign = QLabel(_SIGN[declared.weight])
        sign.setObjectName("messageSign")
        sign.setProperty("weight", declared.weight.value)
        sign.setAlignment(Qt.AlignmentFlag.AlignCenter)
        sign.setFixedSize(20, 20)
        self.label = QLabel(text)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setWordWrap(True)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 8, 8, 8)
        layout.setSpacing(12)
        layout.addWidget(sign)
        layout.addWidget(self.label, 1)
        self.button: QPushButton | None = None
        if declared.button and mend is not None:
            self.button = QPushButton(translate("messages", declared.button))
            self.button.clicked.connect(mend)
            layout.addWidget(self.button)
        self.also: QPushButton | None = None
        if declared.also and also is not None:
            self.also = QPushButton(translate("messages", declared.also))
            self.also.clicked.connect(also)
            layout.addWidget(self.also)
        dismiss = self.dismiss = QToolButton()
        dismiss.setText("\u00d7")
        dismiss.setToolTip(translate("messages", "Close this message"))
        dismiss.setAccessibleName(dismiss.toolTip())
        dismiss.setAutoRaise(True)
        dismiss.clicked.connect(close)
        layout.addWidget(dismiss)
        self.setAccessibleName(text)


class MessageBar(QWidget):
    """Shows messages above the page, one per row; a repeated message replaces itself.

    left: the message that had the keyboard is gone
    rescue: asks where a copy goes, of a workspace whose file is gone;  unsaved: there is such a one, and no copy yet
    """

    left = Signal()
    rescue: Callable[[], None] | None = None
    unsaved = False

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: dict[Message, _Row] = {}
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(1)
        self.hide()

    def show_message(
        self,
        message: Message,
        mend: Callable[[], None] | None = None,
        *,
        also: Callable[[], None] | None = None,
        **fields: str,
    ) -> None:
        """Show the message with its fields filled in; ``mend`` is the first button's action, ``also`` the second's."""
        self.clear(message)
        text = translate("messages", message.value.text).format(**fields)

        def clearing(call: Callable[[], None] | None) -> Callable[[], None] | None:
            return None if call is None else partial(self._clear_and, message, call)

        row = _Row(message, text, clearing(mend), clearing(also), lambda: self.clear(message))
        self._rows[message] = row
        self._layout.addWidget(row)
        self.show()

    def _clear_and(self, message: Message, call: Callable[[], None]) -> None:
        row = self._rows.get(message)
        call()
        # Not before: the page that it turns to takes the keyboard from here.  It may have shown the message anew.
        if self._rows.get(message) is row:
            self.clear(message)

    def focus_latest(self) -> bool:
        """Focus the first button of the latest message; False if it has the focus or there is no message."""
        if not self._rows:
            return False
        row = tuple(self._rows.values())[-1]
        first = row.button or row.dismiss
        if first.hasFocus():
            return False
        first.setFocus(Qt.FocusReason.ShortcutFocusReason)
        return True

    def show_failure(self, message: Message, failure: Failure, mend: Callable[[], None], **fields: str) -> None:
        """Show why an operation failed; a bug in RadCal is shown as such."""
        if failure.kind == GONE:
            self.unsaved = True
            self.show_message(Message.GONE, self.rescue, what=typographic(failure.text))
        elif failure.text:
            self.show_message(message, mend, also=None, what=typographic(failure.text), **fields)
        else:
            self.show_bug(failure.technical)

    def show_bug(self, technical: str) -> None:
        """Report a bug in RadCal; ``technical`` gives code locations."""
        self.show_message(Message.BUG, partial(QGuiApplication.clipboard().setText, technical))

    def clear(self, *messages: Message) -> None:
        """Remove the given messages, or all."""
        had_keyboard = False
        for message in messages or tuple(self._rows):
            row = self._rows.pop(message, None)
            if row is not None:
                focused = QApplication.focusWidget()
                had_keyboard = had_keyboard or (focused is not None and row.isAncestorOf(focused))
                row.hide()
                self._layout.removeWidget(row)
                row.deleteLater()
        self.setVisible(bool(self._rows))
        if had_keyboard:
            self.left.emit()

    def shown(self) -> tuple[Message, ...]:
        """The messages on screen."""
        return tuple(self._rows)

    def text(self, message: Message) -> str:
        """The text of a visible message, '' if not shown."""
        row = self._rows.get(message)
        return row.label.text() if row else ""

    def press(self, message: Message) -> None:
        """Trigger the message's button."""
        row = self._rows[message]
        if row.button is not None:
            row.button.click()
