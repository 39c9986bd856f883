"""Extraction runs, and which of them the results come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton

from ui.pages.extraction.comparison import TabContent
from ui.pages.extraction.failures import enable
from ui.pages.extraction.models import run_model
from ui.widgets.labels import label
from ui.widgets.tables import DataTable
from ui.words import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from radcal.records.runs import RunSummary
    from ui.shell import Shell


_LEAST = 220
"""Height of the table: a few runs and what is around them."""


class RunsPart(TabContent):
    """Lists runs, latest first.  use_wanted: number of the run whose results are wanted"""

    use_wanted = Signal(object)

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        self.model = run_model()
        self.table = DataTable(
            "extraction runs",
            say("Runs of engines"),
            self.model,
            shell,
            widths=(236, 150, 96, 64, 80, 110),
        )
        self.table.setMinimumHeight(_LEAST)
        head = label(say("What has been read"), role="strong")
        super().__init__(self.table, say("No engine has read any report yet."), parent, head=head)
        self.use = QPushButton(say("Sho&w results of this run"))
        self.use.setToolTip(say("All results are made from this run until you choose another, or read again."))
        self.use.clicked.connect(self._use_selected)
        self.table.add_to_bar(self.use)
        self._why = ""
        self.table.view.selectionModel().selectionChanged.connect(self._show_button)

    def show_runs(self, runs: Sequence[RunSummary]) -> None:
        """List the runs."""
        self.model.set_rows(runs)
        self.show_content(bool(runs))
        self._show_button()

    def set_locked(self, why: str) -> None:
        """Set why no other run can be selected now, '' if possible."""
        self._why = why
        self._show_button()

    @Slot()
    def _show_button(self, *_: object) -> None:
        rows = self.table.selected_rows()
        one = say("Select one run in the table first.")
        shown = say("Its results are on show already.")
        already = len(rows) == 1 and self.model.row(rows[0]).shown
        enable(self.use, self._why or (one if len(rows) != 1 else shown if already else ""))

    @Slot()
    def _use_selected(self) -> None:
        rows = self.table.selected_rows()
        if len(rows) == 1:
            self.use_wanted.emit(self.model.row(rows[0]).run_id)
