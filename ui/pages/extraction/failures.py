"""Reports that an engine could not read, with reasons and a retry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot

from ui.kit.action import enable, push_button
from ui.kit.table import DataTable
from ui.pages.extraction.content import TableContent
from ui.pages.extraction.models import failure_model
from ui.words import say, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radcal.findings.run_records import EngineStatus, ReportFailure
    from ui.shell import Shell


class FailuresTab(TableContent):
    """Lists failures.  retry_wanted: identifiers of the reports to retry, None for all of them"""

    retry_wanted = Signal(object)

    def __init__(self, shell: Shell) -> None:
        self.model = failure_model()
        name = say("Reports that could not be read")
        super().__init__(DataTable("extraction failures", name, self.model, shell))
        self.retry_selected = push_button(say("Try s&elected again"), self._retry_selected)
        self.retry_all = push_button(say("Try &all again"), self._retry_all)
        for made in (self.retry_selected, self.retry_all):
            self.table.add_to_bar(made)

    @property
    def name(self) -> str:
        """The tab's title, with the count."""
        n = self.model.rowCount()
        return say("Not read ({n})", n=whole(n)) if n else say("Not read")

    def show_failures(self, failures: Sequence[ReportFailure], status: EngineStatus) -> None:
        """List the failures of the selected engine, or say why there are none."""
        self.model.set_rows(failures)
        if status.n_pending == status.n_reports:
            text = say("Nothing has been read yet, so nothing has failed.")
        else:
            text = say("Every report that this engine was given could be read.")
        self.otherwise.setText(text)
        self.show_content(bool(failures))
        self.show_buttons()

    @Slot()
    def show_buttons(self, *_: object) -> None:
        none = "" if self.table.selected_rows() else say("Select the reports in the table first.")
        enable(self.retry_selected, self.locked or none)
        enable(self.retry_all, self.locked)

    @Slot()
    def _retry_selected(self) -> None:
        self.retry_wanted.emit(tuple(self.model.row(row).report_id for row in self.table.selected_rows()))

    @Slot()
    def _retry_all(self) -> None:
        self.retry_wanted.emit(None)
