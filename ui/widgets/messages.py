"""All messages of the window, declared with their action button, and the bar that shows them.

A message states what happened, what it means and what to do.  Its buttons have no mnemonics, which could collide with
those of the page: F6 leads to them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QSizePolicy, QWidget

from ui.kit.action import push_button, tool_button
from ui.kit.layout import hbox, vbox
from ui.kit.text import wrapped
from ui.theme import px
from ui.words import say, typographic

if TYPE_CHECKING:
    from ui.tasks import Failure


class Weight(StrEnum):
    """The severity of a message; shown as an icon too, so that colour is never alone."""

    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"


GONE = "WorkspaceGone"
"""The kind of failure for which only saving a copy helps."""
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


_NOTE, _WARNING, _ERROR = Weight


class Message(Enum):
    """The messages of the window."""

    OPEN_FAILED = Declared(_ERROR, "{what}", "Try again")
    UNREADABLE = Declared(_ERROR, "{what}", "Restore a backup\u2026", "Try again")
    UPDATED = Declared(
        _NOTE,
        "{name} was brought up to date for this RadCal. The file as it was is kept beside it as {copy}: a RadCal from"
        " before the update opens that one alone.",
    )
    RESTORED = Declared(_NOTE, "{name} was restored from a backup. {what}")
    RESTORE_FAILED = Declared(_ERROR, "{what}", "Restore a backup\u2026")
    RESTORE_STOPPED = Declared(
        _NOTE,
        "Stopped. {name} is as it was, or wholly as in the backup; open it to see which.",
        "Restore a backup\u2026",
    )
    PAGES_DAMAGED = Declared(
        _ERROR,
        "Part of {name} is damaged ({damaged} of {pages} pages of the file) and cannot be read any more. Go back to"
        " a backup, or see first what can still be read.",
        "Restore a backup\u2026",
        "Check the file\u2026",
    )
    NOT_BACKED_UP = Declared(_WARNING, "Today\u2019s backup was not made. {what}", "Choose a folder\u2026")
    IN_USE = Declared(_WARNING, "{what}", "Open to read only")
    REMEMBERED = Declared(
        _NOTE,
        "The key store of this computer ({store}) remembers the passphrase of {name}. Settings can make it forget.",
    )
    NOT_REMEMBERED = Declared(_WARNING, "The passphrase of {name} is not remembered. {what}")
    READ_ONLY = Declared(
        _NOTE, "{name} is open to read only: results can be looked at and saved as PDF, but nothing can be imported."
    )
    OUT_OF_DATE = Declared(
        _WARNING,
        "More reports were imported than these results are made from. Close the workspace in the other RadCal,"
        " then open it here again, to bring them up to date.",
    )
    TOUR_LATER = Declared(_NOTE, "You find the tour in the menu at the top left and on the Help page.")
    SAMPLE_FAILED = Declared(_ERROR, "The sample could not be opened. {what}", "Try again")
    IMPORT_FAILED = Declared(_ERROR, "{what}", "Choose other files")
    STOPPED = Declared(_NOTE, "{what}", "Go on")
    OPENING_STOPPED = Declared(_NOTE, "Opening {name} was stopped. Nothing in it is lost.", "Open it")
    WORK_STOPPED = Declared(
        _NOTE, "Stopped: {what}. What was finished before that is kept; the rest was not done.", "Try again"
    )
    NOT_RENEWED = Declared(
        _WARNING,
        "Stopped. The results are still those from before the change; what was changed is kept.",
        "Make them anew",
    )
    ROWS_LEFT_OUT = Declared(_WARNING, "{what}", "See the rows", "Choose another column")
    REPORTS_FAILED = Declared(
        _WARNING,
        "{failed} of {total} reports could not be read by the engine. They are left out of every figure.",
        "See why, or try again",
    )
    UNKNOWN_PHRASES = Declared(
        _NOTE,
        "{what} not in the list of phrases and left out of every figure: {examples}.",
        "Place them in Words",
    )
    RESULTS_RENEWED = Declared(
        _NOTE, "All results are made anew, from {now} instead of {before}. The findings were read by {engine}."
    )
    READING_CHOSEN = Declared(
        _NOTE,
        "All results are made from another reading of the reports now. Nothing was read again or lost.",
        "Back to the one before",
    )
    READING_ENDED = Declared(
        _NOTE,
        "{engine} has read {read}. All results are still made from what {shown} has read. Show those of {engine}"
        " instead?",
        "Show these results",
        "Keep the present ones",
    )
    SECOND_READER = Declared(
        _NOTE,
        "The second reader is ready. It checks the rules from the next reading on.",
        "Read the reports again",
    )
    NO_SECOND_READER = Declared(_WARNING, "The rules read alone, without the second reader. {what}")
    NOT_COPIED = Declared(_NOTE, "{what}", "Back up\u2026")
    FORGOTTEN = Declared(_NOTE, "{name} was taken off the list of workspaces. The file is where it was.", "Put it back")
    TAKEN_IN = Declared(_NOTE, "{what}")
    NOT_TAKEN_IN = Declared(_WARNING, "Not everything was taken in. {what}")
    NOTHING_TO_SHOW = Declared(_WARNING, "{what}")
    IN_MEETING = Declared(_NOTE, "The case is in the next meeting, which has {cases}.", "Open the meeting")
    NAMES_MADE = Declared(
        _NOTE,
        "The names of radiologists are kept apart, in {file}: the workspace has pseudonyms, and no backup and no file"
        " handed out has the names. Keep a copy elsewhere; without it the names are lost.",
        "Save a copy of the names key\u2026",
    )
    NAMES_MISSING = Declared(_NOTE, "{what}", "Find the names key\u2026")
    SAVED = Declared(_NOTE, "The page for {author} was saved.", "Open it")
    SAVE_FAILED = Declared(_ERROR, "The page for {author} was not saved. {what}", "Save elsewhere")
    WORK_FAILED = Declared(_ERROR, "This could not be done. {what}", "Try again")
    GONE = Declared(_ERROR, "{what}", "Save a copy\u2026")
    FILE_SAVED = Declared(_NOTE, "Saved as {file}.", "Open it")
    FILE_FAILED = Declared(_ERROR, "{what}")
    BUG = Declared(
        _ERROR,
        "RadCal met an error of its own. What is stored in the workspace is safe."
        " The details name places in the program, no report text.",
        "Copy the details",
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
        sign.setFixedSize(px(20), px(20))
        self.label = wrapped(text)
        self.label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        calls = ((declared.button, mend), (declared.also, also))
        self.buttons = [push_button(say(name), call) for name, call in calls if name and call is not None]
        self.dismiss = tool_button("\u00d7", close, tip=say("Close this message"), flat=True)
        hbox(sign, (self.label, 1), *self.buttons, self.dismiss, parent=self, margins=(12, 8, 8, 8), spacing=12)
        self.setAccessibleName(text)


class MessageBar(QWidget):
    """Shows messages above the page, one per row; a repeated message replaces itself.

    left: the focused message was removed
    rescue: asks where to save a copy of a workspace whose file is gone;  unsaved: there is one without a copy
    """

    left = Signal()
    rescue: Callable[[], None] | None = None
    unsaved = False

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: dict[Message, _Row] = {}
        self._layout = vbox(parent=self, spacing=1)
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
        text = say(message.value.text, **fields)

        def clearing(call: Callable[[], None] | None) -> Callable[[], None] | None:
            return None if call is None else partial(self._clear_and, message, call)

        row = _Row(message, text, clearing(mend), clearing(also), lambda: self.clear(message))
        self._rows[message] = row
        self._layout.addWidget(row)
        self.show()

    def _clear_and(self, message: Message, call: Callable[[], None]) -> None:
        row = self._rows.get(message)
        call()
        # After the call, which may move the focus from here, or show the message again.
        if self._rows.get(message) is row:
            self.clear(message)

    def focus_latest(self) -> bool:
        """Focus the first button of the latest message; False if it has the focus or there is no message."""
        if not self._rows:
            return False
        row = tuple(self._rows.values())[-1]
        first = next(iter(row.buttons), row.dismiss)
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

    def tell_bug(self, failure: Failure) -> None:
        """Report a bug in RadCal; a failure that has a text is told where it happened."""
        if not failure.text:
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
        if row.buttons:
            row.buttons[0].click()
