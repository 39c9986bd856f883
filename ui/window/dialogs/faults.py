"""The log of faults: what went wrong on this computer, to be looked at and sent on."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialogButtonBox, QPlainTextEdit, QWidget

from radcal.system import exports, faults
from radcal.system.exports import Export
from ui.kit.action import push_button
from ui.kit.dialog import Dialog
from ui.kit.text import wrapped
from ui.sentences import locked_words
from ui.shell import Shell
from ui.theme import px
from ui.words import say


class FaultsDialog(Dialog):
    """Shows the log, the latest entry last."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(say("Log of faults"), parent)
        self._shell = shell
        self.setMinimumSize(px(640), px(420))
        try:
            self._entries = faults.entries()
        except OSError:
            self._entries = []
        self.text = QPlainTextEdit("\n".join(self._entries))
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName(self.windowTitle())
        place = faults.folder()
        about = say(
            "What went wrong in RadCal on this computer: times, commands and pages, kinds of errors and places in the"
            " program. It has no texts of reports, no names and no paths, so that it can be sent to your IT department"
            " or to whoever gave you RadCal."
        )
        where = say("It is in {folder}.", folder=place) if place is not None else locked_words("fault_log")
        self.about = wrapped(f"{about} {where}", role="muted")
        self.copy = push_button(say("&Copy"), self.copy_text)
        self.save = push_button(say("&Save for IT\u2026"), self.save_text)
        for button in (self.copy, self.save):
            button.setEnabled(bool(self._entries))
        if not self._entries:
            self.text.setPlaceholderText(say("Nothing has gone wrong yet, as far as the log goes back."))
        for button in (self.copy, self.save):
            self.buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        self.lay_out(self.about, (self.text, 1), spacing=12)
        self.text.moveCursor(self.text.textCursor().MoveOperation.End)

    @Slot()
    def copy_text(self) -> None:
        """Copy the log."""
        QGuiApplication.clipboard().setText(self.text.toPlainText())

    @Slot()
    def save_text(self) -> None:
        """Ask where to save the log."""
        text, n = self.text.toPlainText() + "\n", len(self._entries)

        def make(_suffix: str) -> Export:
            return exports.text(text, "log of faults", entries=n)

        self._shell.save_file(self.windowTitle(), "radcal-faults.txt", [say("Text files (*.txt)")], make)
