"""What leaves the window as a file: a radiologist's page as PDF."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLocale, QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

from ui import session as operation
from ui.messages import Message, MessageBar
from ui.records import Group
from ui.session import Session
from ui.tasks import Tasks
from ui.words import quoted, translate


class Saving(QObject):
    """Asks where to, over ``window``; ``chosen`` gives the group on show."""

    def __init__(
        self,
        window: QWidget,
        tasks: Tasks,
        session: Session,
        messages: MessageBar,
        chosen: Callable[[], Group | None],
    ) -> None:
        super().__init__(window)
        self._window, self._tasks, self._session, self._messages = window, tasks, session, messages
        self._chosen = chosen
        self._author = ""
        session.saved.connect(self._saved)

    @Slot()
    def ask_page(self) -> None:
        """Ask where to save the author's page."""
        group = self._chosen()
        if group is None or self._session.current is None or self._tasks.is_running(operation.SAVE):
            return
        name, _ = QFileDialog.getSaveFileName(
            self._window, translate("window", "Save the page as PDF"), f"{_file_name(group.author)}.pdf", "PDF (*.pdf)"
        )
        if name:
            self.save_page(group.author, Path(name))

    def save_page(self, author: str, out: Path) -> None:
        """Write the author's page as a PDF."""
        self._messages.clear(Message.SAVED, Message.SAVE_FAILED)
        self._author = author
        self._session.save_feedback(
            author,
            out,
            _paper(),
            lambda failure: self._messages.show_failure(Message.SAVE_FAILED, failure, self.ask_page, author=author),
        )

    @Slot(object)
    def _saved(self, path: Path) -> None:
        self._messages.show_message(Message.SAVED, partial(_open, path), author=quoted(self._author), file=path.name)


def _open(path: Path) -> None:
    """Show a file in the program that the system has for it."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def _file_name(text: str) -> str:
    """The text as a file name."""
    return "".join(c if c.isalnum() or c in " -_" else "_" for c in text).strip() or "radcal"


def _paper() -> str:
    imperial = QLocale.system().measurementSystem() == QLocale.MeasurementSystem.ImperialUSSystem
    return "us-letter" if imperial else "a4"
