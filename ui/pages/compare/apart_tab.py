"""The words of a department that lie apart: whose, on which pathology, how, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot

from radcal.system.selection import Group
from ui.kit.part import Ask, Part
from ui.kit.table import DataTable
from ui.pages.compare.models import ApartRow, apart_columns
from ui.pages.compare.sentences import about_apart
from ui.pages.radiologists import Naming
from ui.words import say

if TYPE_CHECKING:
    from radcal.reliability.comparison_records import LyingApart
    from radcal.system.selection import Selection
    from ui.shell import Shell


class ApartTab(Part["Selection", "tuple[LyingApart, ...]"]):
    """The list of the latest analysis, whatever is selected.

    opened: the Group of an activated row
    """

    opened = Signal(object)
    operation = "who lies apart"

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell, say("Comparing\u2026"))
        self._naming = Naming(None)
        self.note.setProperty("role", "strong")
        self.table = DataTable("apart", say("Words that lie apart"), apart_columns(), shell)
        self.table.activated.connect(self._activated)
        self.lay_out((self.table, 1))

    def show_as(self, naming: Naming) -> None:
        """Under names or pseudonyms."""
        self._naming = naming
        self.table.withhold(naming.why_kept)
        self.renew()

    def ask(self, _selection: Selection) -> Ask[tuple[LyingApart, ...]]:
        return lambda department, _progress: department.comparison.apart()

    def summary(self, found: tuple[LyingApart, ...]) -> str:
        return about_apart(found)

    def withheld(self, found: tuple[LyingApart, ...]) -> str:
        return "" if found else self.summary(found)

    def show_record(self, found: tuple[LyingApart, ...]) -> None:
        self.table.model.set_rows([ApartRow(self._naming.called(row), row) for row in found])

    @Slot(object)
    def _activated(self, row: int) -> None:
        found = self.table.model.row(row).found
        self.opened.emit(Group(found.name, found.topic))
