"""Saves the findings of a run for other programs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from ui.kit.files import ask_save
from ui.shell import open_file
from ui.widgets.messages import Message
from ui.words import say

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.shell import Shell
    from ui.tasks import Failure


class SavingFindings(QObject):
    """Asks where to, and writes there in the worker; the outcome is told in the message bar."""

    def __init__(self, page: QWidget, shell: Shell) -> None:
        super().__init__(page)
        self._page, self._shell = page, shell

    @Slot(int, bool)
    def ask(self, run_id: int, numbers: bool) -> None:
        """Ask for a file; ``numbers``: with accession numbers."""
        ask_save(
            self._page.window(),
            say("Save the findings"),
            f"{say('findings')}.csv",
            ("CSV (*.csv)", "Excel (*.xlsx)"),
            lambda name: self.write(Path(name), run_id, numbers),
        )

    def write(self, path: Path, run_id: int, numbers: bool) -> None:
        """Write the findings of a run."""
        self._shell.run(
            f"findings {path}",
            lambda department, progress: department.findings_export.write(
                path, run_id, progress, accession_numbers=numbers
            ),
            lambda _n: self._shell.messages.show_message(Message.FILE_SAVED, partial(open_file, path), file=path.name),
            failed=partial(self._not_saved, partial(self.write, path, run_id, numbers)),
            title=say("Writing {file}", file=path.name),
            keeps=True,
        )

    def _not_saved(self, again: partial[None], failure: Failure) -> None:
        self._shell.messages.show_failure(Message.FILE_FAILED, failure, again)
