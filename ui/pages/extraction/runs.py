"""Extraction runs, and the choice of the one that the results come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot

from ui.pages.extraction.content import TableContent
from ui.pages.extraction.models import run_model
from ui.widgets.buttons import enable, push_button
from ui.widgets.tables import DataTable
from ui.words import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radcal.records.runs import RunSummary
    from ui.shell import Shell


_LEAST = 220
"""Minimum height of the table: a few runs with header and bar."""


class RunsPart(TableContent):
    """Lists runs, latest first.  use_wanted: number of the run to show the results of"""

    use_wanted = Signal(object)

    def __init__(self, shell: Shell) -> None:
        self.model = run_model()
        table = DataTable(
            "extraction runs", say("Runs of engines"), self.model, shell, widths=(236, 150, 96, 64, 80, 110)
        )
        table.setMinimumHeight(_LEAST)
        super().__init__(table, say("No engine has read any report yet."), heading=say("What has been read"))
        self.use = push_button(say("Sho&w results of this run"), self._use_selected)
        self.table.add_to_bar(self.use)

    def show_runs(self, runs: Sequence[RunSummary]) -> None:
        """List the runs."""
        self.model.set_rows(runs)
        self.show_content(bool(runs))
        self.show_buttons()

    @Slot()
    def show_buttons(self, *_: object) -> None:
        rows, why_not = self.table.selected_rows(), ""
        if len(rows) != 1:
            why_not = say("Select one run in the table first.")
        elif self.model.row(rows[0]).shown:
            why_not = say("Its results are on show already.")
        about = say("All results are made from this run until you choose another.")
        enable(self.use, self.locked or why_not, about)

    @Slot()
    def _use_selected(self) -> None:
        (selected,) = self.table.selected_rows()
        self.use_wanted.emit(self.model.row(selected).run_id)
