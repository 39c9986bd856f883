"""What leaves the window as a file: a radiologist's page as PDF."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject, Slot
from PySide6.QtWidgets import QWidget

from radcal.files import file_stem
from ui import session as operation
from ui.language import spoken
from ui.records import Selection
from ui.session import Session
from ui.shell import open_file
from ui.tasks import Tasks
from ui.widgets.file_dialogs import ask_save
from ui.widgets.messages import Message, MessageBar
from ui.words import quoted, translate

if TYPE_CHECKING:
    from radcal.records import Days, Sheet


class Saving(QObject):
    """Asks where to, over ``window``; ``chosen`` gives the group and the days on show."""

    def __init__(
        self,
        window: QWidget,
        tasks: Tasks,
        session: Session,
        messages: MessageBar,
        chosen: Callable[[], Selection | None],
    ) -> None:
        super().__init__(window)
        self._window, self._tasks, self._session, self._messages = window, tasks, session, messages
        self._chosen = chosen
        self._author = ""
        session.saved.connect(self._saved)

    @Slot()
    def ask_page(self) -> None:
        """Ask where to save the author's page."""
        chosen = self._chosen()
        if chosen is None or self._session.current is None or self._tasks.is_running(operation.SAVE):
            return
        ask_save(
            self._window,
            translate("window", "Save the page as PDF"),
            page_name(chosen.author, chosen.days),
            [translate("window", "PDF (*.pdf)")],
            partial(self.save_page, chosen.author, chosen.days),
        )

    def save_page(self, author: str, days: Days, name: str) -> None:
        """Write the author's page of these days as a PDF of that name."""
        self._messages.clear(Message.SAVED, Message.SAVE_FAILED)
        self._author = author
        self._session.save_feedback(
            author,
            Path(name),
            days,
            local_sheet(),
            lambda failure: self._messages.show_failure(Message.SAVE_FAILED, failure, self.ask_page, author=author),
        )

    @Slot(object)
    def _saved(self, path: Path) -> None:
        self._messages.show_message(
            Message.SAVED, partial(open_file, path), author=quoted(self._author), file=path.name
        )


def page_name(author: str, days: Days) -> str:
    """The name that is suggested for a radiologist's pages; the days are part of it, so that none takes another's."""
    ends = [day.isoformat() for day in (days.first, days.last) if day is not None]
    # A file's name is no text of the window: the days as they sort.
    when = ends if len(ends) == 2 else [*(["from"] if days.first else ["until"]), *ends] if ends else []
    return f"{file_stem(' '.join([author, *when]))}.pdf"


def local_sheet() -> Sheet:
    """The paper that the user's country uses, and the language of the window."""
    from radcal.records import Sheet  # with NumPy, which the first sight of the window need not wait for

    imperial = QLocale.system().measurementSystem() == QLocale.MeasurementSystem.ImperialUSSystem
    return Sheet("us-letter" if imperial else "a4", language=spoken().code)
