"""Saves pages, pocket cards and dictation macros as files."""

from __future__ import annotations

import os
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLocale, QObject, Slot
from PySide6.QtWidgets import QWidget

from radcal.system.files import file_stem
from ui.kit.files import ask_save
from ui.language import spoken
from ui.pages.feedback import work
from ui.sentences import author_name
from ui.shell import open_file
from ui.widgets.messages import Message
from ui.words import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from radcal.feedback.records import PageChoice, Sheet
    from ui.shell import Shell
    from ui.tasks import Failure

SAVE = "save feedback"
WINDOWS = os.name == "nt"
"""Whether files of macros have the line ends of Windows."""


class Kind(StrEnum):
    """What is saved, as names of files have it: these are not translated."""

    PAGES = ""
    CARD = "card"
    MACROS = "macros"


class Saving(QObject):
    """Asks over ``window`` where to save what, and writes it.

    sheet: paper and language;  choice: what goes into a radiologist's pages, None for what is stored
    """

    def __init__(
        self,
        shell: Shell,
        window: QWidget,
        sheet: Callable[[], Sheet] | None = None,
        choice: Callable[[work.Whose], PageChoice | None] = lambda _: None,
    ) -> None:
        super().__init__(window)
        self._shell, self._window = shell, window
        self._sheet, self._choice = sheet or local_sheet, choice

    @Slot()
    def ask_page(self) -> None:
        """Ask where to save the pages of the radiologist who is selected."""
        from radcal.calibration.records import ALL_AUTHORS  # imports NumPy, which the first paint must not wait for

        chosen = self._shell.selection
        if chosen is not None and not self._shell.tasks.is_running(SAVE):
            self.ask(Kind.PAGES, work.Whose("" if chosen.author == ALL_AUTHORS else chosen.author, days=chosen.days))

    def ask(self, kind: Kind, whose: work.Whose) -> None:
        """Ask where to save."""
        kinds, ending = [say("PDF (*.pdf)")], ".pdf"
        if kind is Kind.MACROS:
            lines, ending = say("Phrases, one a line (*.txt)"), ".txt"
            kinds = [lines, say("Name, tab and phrase (*.tsv)"), say("Name, comma and phrase (*.csv)")]
        ask_save(
            self._window,
            say("Save feedback"),
            f"{file_name(kind, whose)}{ending}",
            kinds,
            partial(self.save, kind, whose),
        )

    def save(self, kind: Kind, whose: work.Whose, name: str) -> None:
        """Write a file of this name; macros in the form that its suffix stands for."""
        out, shell = Path(name), self._shell
        more: dict[str, Any] = {"whose": whose, "choice": self._choice(whose), "out": out}
        shell.messages.clear(Message.SAVED, Message.SAVE_FAILED)
        if kind is Kind.MACROS:
            write: Callable[..., Any] = partial(work.write_macros, windows=WINDOWS, **more)
        else:
            made = work.write_card if kind is Kind.CARD else work.write_pages
            write = partial(made, sheet=self._sheet(), **more)
        shell.run(
            f"{SAVE} {kind}".strip(),
            write,
            lambda _: self._saved(kind, whose, out),
            title=say("Writing feedback for {author}", author=self._called(whose)),
            failed=partial(self._failed, kind, whose),
            keeps=True,
        )

    def _saved(self, kind: Kind, whose: work.Whose, out: Path) -> None:
        show, opens = self._shell.messages.show_message, partial(open_file, out)
        if kind is Kind.PAGES:
            show(Message.SAVED, opens, author=self._called(whose))
        else:
            show(Message.FILE_SAVED, opens, file=out.name)

    def _failed(self, kind: Kind, whose: work.Whose, failure: Failure) -> None:
        show, again = self._shell.messages.show_failure, partial(self.ask, kind, whose)
        if kind is Kind.PAGES:
            show(Message.SAVE_FAILED, failure, again, author=self._called(whose))
        else:
            show(Message.FILE_FAILED, failure, again)

    def _called(self, whose: work.Whose) -> str:
        return author_name(whose.author, self._shell.opened) if whose.author else say("the department")


def file_name(kind: Kind, whose: work.Whose) -> str:
    """The suggested name, without its ending; it contains the dates, so that none overwrites another."""
    ends = [day.isoformat() for day in (whose.days.first, whose.days.last) if day is not None]
    # ISO dates sort correctly.
    when = ends if len(ends) == 2 else [*(["from"] if whose.days.first else ["until"]), *ends] if ends else []
    named = whose.author or "department"
    return file_stem(" ".join([*filter(None, (kind, named)), *(["drafts"] if whose.drafts else []), *when]))


def local_sheet() -> Sheet:
    """The paper size of the user's country, and the language of the window."""
    from radcal.feedback.records import Sheet  # imports NumPy, which the first paint must not wait for

    imperial = QLocale.system().measurementSystem() == QLocale.MeasurementSystem.ImperialUSSystem
    return Sheet("us-letter" if imperial else "a4", language=spoken().code)
