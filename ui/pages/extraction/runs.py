"""Extraction runs, and the choice of the one that the results come from."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot

from ui.kit.action import enable, menu_button, push_button
from ui.kit.table import DataTable
from ui.pages.extraction.content import TableContent
from ui.pages.extraction.models import run_model
from ui.words import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radcal.findings.run_records import RunSummary
    from ui.shell import Shell


_LEAST = 220
"""Minimum height of the table: a few runs with header and bar."""


class RunsPart(TableContent):
    """Lists runs, latest first.

    use_wanted: number of the run to show the results of;  hand_on_wanted: number of the run whose findings to save,
    and whether reports go by their accession numbers
    """

    use_wanted, hand_on_wanted = Signal(object), Signal(int, bool)

    def __init__(self, shell: Shell) -> None:
        self.model = run_model()
        table = DataTable("extraction runs", say("Runs of engines"), self.model, shell)
        table.setMinimumHeight(_LEAST)
        super().__init__(table, say("No engine has read any report yet."), heading=say("What has been read"))
        self.use = push_button(say("Sho&w results of this run"), self._use_selected)
        entries = [
            (say("As a &table\u2026"), partial(self._hand_on, False)),
            (say("As a table with accession &numbers\u2026"), partial(self._hand_on, True)),
        ]
        self.hand_on = menu_button(say("Save findings \u25be"), say("Save the findings of this run"), entries)
        menu = self.hand_on.menu()
        menu.setToolTipsVisible(True)
        tip = say("A RIS needs them. Without them, de-identified reports carry other numbers.")
        menu.actions()[1].setToolTip(tip)
        self.table.add_to_bar(self.hand_on)
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
        about = say("What the run has read, for a spreadsheet or another program")
        enable(self.hand_on, "" if self._to_hand_on() is not None else say("Select one run in the table first."), about)

    @Slot()
    def _use_selected(self) -> None:
        (selected,) = self.table.selected_rows()
        self.use_wanted.emit(self.model.row(selected).run_id)

    def _hand_on(self, numbers: bool) -> None:
        run = self._to_hand_on()
        if run is not None:
            self.hand_on_wanted.emit(run.run_id, numbers)

    def _to_hand_on(self) -> RunSummary | None:
        """The selected run; while none is selected, the one whose results are on show."""
        runs: Sequence[RunSummary] = self.model.rows
        selected = self.table.selected_rows()
        wanted = [runs[row] for row in selected] if selected else [run for run in runs if run.shown]
        return wanted[0] if len(wanted) == 1 else None
