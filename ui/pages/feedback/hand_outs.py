"""Pocket cards and dictation macros of one radiologist, or of the department, saved as files."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from ui.kit.files import ask_save
from ui.pages.feedback import work
from ui.pages.feedback.saving import page_name
from ui.sentences import author_name
from ui.shell import open_file
from ui.widgets.messages import Message
from ui.words import say

if TYPE_CHECKING:
    from radcal.feedback.records import Macros, PageChoice, Sheet
    from radcal.system.selection import Days
    from ui.shell import Shell
    from ui.tasks import Failure

CARD, MACROS = "save pocket card", "save dictation macros"
WINDOWS = os.name == "nt"
"""Whether files of macros have the line ends of Windows."""


class HandOuts(QObject):
    """Asks over ``window`` where to save what.

    sheet: paper and language of cards;  choice: what goes into the pages of the radiologist on show, as far as known
    """

    def __init__(
        self, shell: Shell, window: QWidget, sheet: Callable[[], Sheet], choice: Callable[[], PageChoice | None]
    ) -> None:
        super().__init__(window)
        self._shell, self._window, self._sheet, self._choice = shell, window, sheet, choice

    def ask_card(self, author: str, days: Days) -> None:
        """Ask where to save a radiologist's card, or with '' the department's."""
        # File names are not translated.
        suggested = page_name(f"card {author or 'department'}", days)
        chosen = partial(self.save_card, author, days)
        ask_save(self._window, say("Save the pocket card as PDF"), suggested, [say("PDF (*.pdf)")], chosen)

    def save_card(self, author: str, days: Days, name: str) -> None:
        """Write the card under a name."""
        path = Path(name)
        self._shell.run(
            CARD,
            partial(work.write_card, author=author, choice=self._choice(), days=days, sheet=self._sheet(), out=path),
            partial(self._saved, path),
            title=say("Writing the pocket card of {author}", author=self._called(author)),
            failed=partial(self._failed, partial(self.ask_card, author, days)),
            keeps=True,
        )

    def ask_macros(self, author: str, days: Days) -> None:
        """Ask where to save macros of the words advised to a radiologist, or with '' of the department's words."""
        kinds = [
            say("Phrases, one a line (*.txt)"),
            say("Name, tab and phrase (*.tsv)"),
            say("Name, comma and phrase (*.csv)"),
        ]
        suggested = Path(page_name(f"macros {author or 'department'}", days)).with_suffix(".txt").name
        chosen = partial(self.save_macros, author, days)
        ask_save(self._window, say("Save the dictation macros"), suggested, kinds, chosen)

    def save_macros(self, author: str, days: Days, name: str) -> None:
        """Write the macros under a name, in the form that its suffix stands for."""
        path = Path(name)
        self._shell.run(
            MACROS,
            partial(work.write_macros, author=author, choice=self._choice(), days=days, windows=WINDOWS, out=path),
            partial(self._macros_saved if author else self._saved, path),
            title=say("Writing the dictation macros of {author}", author=self._called(author)),
            failed=partial(self._failed, partial(self.ask_macros, author, days)),
            keeps=True,
        )

    def _saved(self, path: Path, _: object) -> None:
        self._shell.messages.show_message(Message.FILE_SAVED, partial(open_file, path), file=path.name)

    def _macros_saved(self, path: Path, macros: Macros) -> None:
        self._shell.messages.show_message(
            Message.MACROS_SAVED,
            partial(open_file, path),
            macros=say("1 macro", many="{n:,} macros", n=len(macros.macros)),
            file=path.name,
        )

    def _failed(self, again: Callable[[], None], failure: Failure) -> None:
        self._shell.messages.show_failure(Message.FILE_FAILED, failure, again)

    def _called(self, author: str) -> str:
        return author_name(author, self._shell.opened) if author else say("the department")
