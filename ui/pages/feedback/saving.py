"""Saves a radiologist's pages as PDF."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject, Slot
from PySide6.QtWidgets import QWidget

from radcal.system.files import file_stem
from radcal.system.text import Text
from ui.kit.files import ask_save
from ui.language import spoken
from ui.sentences import author_name
from ui.shell import open_file
from ui.widgets.messages import Message
from ui.words import quoted, say

if TYPE_CHECKING:
    from radcal.department import Department
    from radcal.feedback.records import Sheet
    from radcal.system.progress import Progress
    from radcal.system.selection import Days
    from ui.shell import Shell

SAVE = "save"


class Saving(QObject):
    """Asks over ``window`` where to save the current radiologist's pages."""

    def __init__(self, shell: Shell, window: QWidget) -> None:
        super().__init__(window)
        self._shell, self._window = shell, window

    @Slot()
    def ask_page(self) -> None:
        """Ask where to save the author's pages."""
        chosen = self._shell.selection
        if chosen is None or self._shell.opened is None or self._shell.tasks.is_running(SAVE):
            return
        ask_save(
            self._window,
            say("Save the page as PDF"),
            page_name(chosen.author, chosen.days),
            [say("PDF (*.pdf)")],
            partial(self.save_page, chosen.author, chosen.days),
        )

    def save_page(self, author: str, days: Days, name: str) -> None:
        """Write the author's pages for these dates as a PDF of that name."""
        messages, out, sheet = self._shell.messages, Path(name), local_sheet()
        called = author_name(author, self._shell.opened)
        messages.clear(Message.SAVED, Message.SAVE_FAILED)

        def write(department: Department, progress: Progress) -> Path:
            progress.start(None, Text("Writing the page"))
            return department.pages.write(author, out, days=days, sheet=sheet, progress=progress)

        self._shell.run(
            SAVE,
            write,
            lambda path: messages.show_message(Message.SAVED, partial(open_file, path), author=quoted(called)),
            title=say("Writing the page for {author}", author=called),
            failed=lambda failure: messages.show_failure(Message.SAVE_FAILED, failure, self.ask_page, author=called),
            keeps=True,
        )


def page_name(author: str, days: Days) -> str:
    """The suggested file name; it contains the dates, so that none overwrites another."""
    ends = [day.isoformat() for day in (days.first, days.last) if day is not None]
    # File names are not translated; ISO dates sort correctly.
    when = ends if len(ends) == 2 else [*(["from"] if days.first else ["until"]), *ends] if ends else []
    return f"{file_stem(' '.join([author, *when]))}.pdf"


def local_sheet() -> Sheet:
    """The paper size of the user's country, and the language of the window."""
    from radcal.feedback.records import Sheet  # imports NumPy, which the first paint must not wait for

    imperial = QLocale.system().measurementSystem() == QLocale.MeasurementSystem.ImperialUSSystem
    return Sheet("us-letter" if imperial else "a4", language=spoken().code)
