"""Saves the findings of a run for other programs."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from radcal.findings.findings_export import form_of
from radcal.system.files import free_name
from ui.kit.files import ask_folder, ask_save
from ui.shell import open_file
from ui.widgets.messages import Message
from ui.words import say

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from radcal.findings.findings_export import Form
    from ui.shell import Shell
    from ui.tasks import Failure


class SavingFindings(QObject):
    """Asks where to, and writes there in the worker; the outcome is told in the message bar."""

    def __init__(self, page: QWidget, shell: Shell) -> None:
        super().__init__(page)
        self._page, self._shell = page, shell

    @Slot(str, int, bool)
    def ask(self, form: Form, run_id: int, numbers: bool) -> None:
        """Ask for a file, or for a folder where each report becomes a document; ``numbers``: of accession."""
        if form == "dicom":
            title = say("Choose a folder for the structured reports")
            ask_folder(self._page.window(), title, lambda name: self.write(_within(Path(name)), form, run_id, numbers))
            return
        kinds = {
            "table": ("CSV (*.csv)", "Excel (*.xlsx)"),
            "fhir-bundle": (say("FHIR Bundle (*.json)"), say("FHIR Observations by lines (*.ndjson)")),
        }[form]
        suffix = {"table": "csv", "fhir-bundle": "json"}[form]
        ask_save(
            self._page.window(),
            say("Save the findings"),
            f"{say('findings')}.{suffix}",
            kinds,
            lambda name: self.write(Path(name), form_of(Path(name)), run_id, numbers),
        )

    def write(self, path: Path, form: Form, run_id: int, numbers: bool) -> None:
        """Write the findings of a run."""
        self._shell.run(
            f"findings {path}",
            lambda department, progress: department.findings_export.write(
                path, form, run_id, progress, accession_numbers=numbers
            ),
            lambda _n: self._shell.messages.show_message(Message.FILE_SAVED, partial(open_file, path), file=path.name),
            failed=partial(self._not_saved, partial(self.write, path, form, run_id, numbers)),
            title=say("Writing {file}", file=path.name),
            keeps=True,
        )

    def _not_saved(self, again: partial[None], failure: Failure) -> None:
        self._shell.messages.show_failure(Message.FILE_FAILED, failure, again)


def _within(folder: Path) -> Path:
    """The folder that was chosen, or a new one in it where it has files already."""
    with suppress(OSError):  # told on writing
        if any(folder.iterdir()):
            return free_name(folder / say("structured-reports"))
    return folder
