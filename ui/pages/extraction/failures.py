"""Reports that an engine could not read, why, and a retry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton

from ui.pages.extraction.comparison import TabContent
from ui.pages.extraction.models import failure_model
from ui.widgets.tables import DataTable
from ui.words import say, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from radcal.records.runs import EngineStatus, ReportFailure
    from ui.shell import Shell


class FailuresTab(TabContent):
    """Lists failures.  retry_wanted: identifiers of the reports to retry, None for the whole list."""

    retry_wanted = Signal(object)

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        self.model = failure_model()
        self.table = DataTable(
            "extraction failures",
            say("Reports that could not be read"),
            self.model,
            shell,
            widths=(180,),
        )
        super().__init__(self.table, parent=parent)
        self.retry_selected = QPushButton(say("Try s&elected again"))
        self.retry_selected.clicked.connect(self._retry_selected)
        self.retry_all = QPushButton(say("Try &all again"))
        self.retry_all.clicked.connect(self._retry_all)
        for button in (self.retry_selected, self.retry_all):
            self.table.add_to_bar(button)
        self._why = ""
        self.table.view.selectionModel().selectionChanged.connect(self._show_buttons)

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
        self._show_buttons()

    def set_locked(self, why: str) -> None:
        """Set why a retry is impossible now, '' if possible."""
        self._why = why
        self._show_buttons()

    @Slot()
    def _show_buttons(self, *_: object) -> None:
        none = say("Select the reports in the table first.")
        enable(self.retry_selected, self._why or ("" if self.table.selected_rows() else none))
        enable(self.retry_all, self._why)

    @Slot()
    def _retry_selected(self) -> None:
        self.retry_wanted.emit(tuple(self.model.row(row).report_id for row in self.table.selected_rows()))

    @Slot()
    def _retry_all(self) -> None:
        self.retry_wanted.emit(None)


def enable(button: QPushButton, why_not: str) -> None:
    """Enable the button, or give the reason in its tooltip."""
    button.setEnabled(not why_not)
    button.setToolTip(why_not)
