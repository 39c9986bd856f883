"""The findings that were left unread, with what both readers read; a person decides in the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot

from ui.kit.action import enable, push_button
from ui.kit.column import Column, RecordModel, measured, report_column
from ui.kit.part import Part
from ui.kit.table import DataTable
from ui.kit.text import wrapped
from ui.language import spoken
from ui.pages.review import work
from ui.sentences import both_readings, topic_name
from ui.words import percent, say

if TYPE_CHECKING:
    from ui.kit.part import Ask
    from ui.pages.review.work import Doubt
    from ui.shell import Shell


class UnreadView(Part[bool, "tuple[Doubt, ...]"]):
    """The findings left unread, those first that would change most.

    why_wanted: the Finding to explain;  read_wanted: the selected report, and how many reports there are
    """

    operation = "left unread"
    why_wanted, read_wanted = Signal(object), Signal(str, int)

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell, say("Looking up what was left unread\u2026"))
        self.model = RecordModel(
            (
                report_column(),
                Column(say("pathology"), lambda d: topic_name(d.finding.pathology), width=150),
                Column(say("the rules"), lambda d: d.finding.rules or "\u2013", width=116),
                Column(say("second reader"), lambda d: d.finding.second or "\u2013", width=116),
                measured(
                    say("chance"),
                    lambda d: d.finding.probability,
                    percent,
                    say("The chance that the rules read it right"),
                    missing="\u2013",
                    width=72,
                ),
                measured(
                    say("effect"),
                    lambda d: 100 * d.effect,
                    lambda points: spoken().number(points, 1),
                    say(
                        "How far it would move the results, were it present or absent: the mean certainty stated or"
                        " the confirmed rate of a radiologist on a pathology, in percentage points."
                    ),
                    width=64,
                ),
                Column(say("sentence"), lambda d: d.finding.sentence),
            )
        )
        self.table = DataTable("left unread", say("Findings that were left unread"), self.model, shell)
        self.table.current_changed.connect(self._row_chosen)
        self.readings = wrapped()
        self.why = push_button(say("Why?"), self._ask_why)
        self.read = push_button(say("Decide in the reports\u2026"), self._ask_to_read)
        for button in (self.why, self.read):
            self.table.add_to_bar(button)
        self.lay_out((self.table, 1), self.readings)

    def ask(self, question: bool) -> Ask[tuple[Doubt, ...]]:
        return work.left_unread

    def withheld(self, record: tuple[Doubt, ...]) -> str:
        return "" if record else say("Nothing was left unread in the results on show.")

    def summary(self, record: tuple[Doubt, ...]) -> str:
        return say(
            "What may have been misread is left unread, and enters no figure. Reports with the same text are listed"
            " once."
        )

    def show_record(self, record: tuple[Doubt, ...]) -> None:
        self.model.set_rows(record)
        self.table.select_row(0)
        opened = self.shell.opened
        read_only = say("The workspace is open to read only.") if opened is not None and opened.read_only else ""
        about = say("Draws their reports, which somebody then reads with both readings in view")
        enable(self.read, read_only, about)

    @property
    def current(self) -> Doubt | None:
        """The selected finding."""
        row = self.table.current_row()
        return self.model.row(row) if row >= 0 else None

    @Slot(int)
    def _row_chosen(self, _row: int) -> None:
        doubt = self.current
        self.why.setEnabled(doubt is not None)
        self.readings.setText(both_readings(doubt.finding) if doubt is not None else "")

    @Slot()
    def _ask_why(self) -> None:
        if (doubt := self.current) is not None:
            self.why_wanted.emit(doubt.finding)

    @Slot()
    def _ask_to_read(self) -> None:
        if (doubt := self.current) is not None:
            self.read_wanted.emit(doubt.report_id, len({d.report_id for d in self.model.rows}))
