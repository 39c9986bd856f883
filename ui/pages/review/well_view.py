"""How well it reads: the engine against people, and two readers compared, as they read."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot

from radcal.review.records import ENOUGH
from ui.kit.form import choice, offer
from ui.kit.layout import hbox, panel, scrolled, vbox
from ui.kit.opening import Opening
from ui.kit.part import Part
from ui.kit.table import DataTable
from ui.kit.text import caption, label, show_text, wrapped
from ui.pages.review import work
from ui.pages.review.models import differing_model, lines, overall_text, score_model
from ui.pages.review.readers_panel import ReadersPanel
from ui.pages.review.sentences import in_sight
from ui.sentences import engine_called, reports_text
from ui.words import say

if TYPE_CHECKING:
    from radcal.review.records import EngineAccuracy
    from ui.kit.part import Ask
    from ui.pages.review.work import Well
    from ui.shell import Shell

_TABLE, _LOW_TABLE = 300, 220
Question = tuple[int | None, tuple[str, str]]
"""The run of the engine that is measured, None for the one that was reviewed; and the readers compared."""


class WellView(Part[Question, "Well"]):
    """Shows a Well.

    report_wanted: the id of a report to open

    Args:
        own: the reports that the current reader has finished; of others, readers' answers stay hidden
    """

    operation = "review figures"
    report_wanted = Signal(str)

    def __init__(self, shell: Shell, own: Callable[[], Collection[str]]) -> None:
        super().__init__(shell, say("Looking\u2026"))
        self._own = own
        self.engine = choice("")
        self.engine.activated.connect(self._choose)
        self._choice = panel(hbox(caption(say("&Engine"), self.engine), self.engine, None))
        self.headline, self.notes = wrapped(role="strong"), wrapped(role="muted")
        self.scores, self.differing = score_model(), differing_model()
        self._table = DataTable("review-scores", say("How well it reads"), self.scores, shell)
        self._table.setMinimumHeight(_TABLE)
        self._table.view.horizontalHeader().setStretchLastSection(False)
        title = say("Where people and software differ, in reports that you have done; Enter opens one")
        self.differences = DataTable("review-differing", title, self.differing, shell, searchable=False)
        self.differences.setMinimumHeight(_LOW_TABLE)
        self.differences.activated.connect(self._open)
        self._differ = label(title, role="strong")
        self.readers = ReadersPanel(shell)
        self.readers.pair_wanted.connect(self._choose)
        self.readers.report_wanted.connect(self.report_wanted)
        method = wrapped(
            say(
                "A finding counts as read right where people and software name the same pathology and both take it as"
                " present, absent or hedged. Found is the recall, right the precision, overall their F1 score with its"
                " 95 % interval from drawing the reports anew. Beyond chance is Cohen\u2019s kappa; 1 is perfect."
            ),
            role="muted",
        )
        parts = (
            self._choice, self.headline, self.notes, (self._table, 1),
            self._differ, (self.differences, 1),
            self.readers,
            Opening(say("How is this worked out?"), method, name="review-method"),
        )  # fmt: skip
        self.lay_out((scrolled(panel(vbox(*parts, margins=(0, 0, 8, 0))), sideways=True), 1))

    def ask(self, question: Question) -> Ask[Well]:
        return partial(work.well, *question)

    def withheld(self, record: Well) -> str:
        return "" if record.measured else say("No report is done yet. The figures grow with every report.")

    def show_record(self, record: Well) -> None:
        found, own = record.measured, self._own()
        offer(self.engine, ((engine_called(e.engine, e.version, e.model), e.run_id) for e in record.engines))
        self._choice.setVisible(len(record.engines) > 1)
        self.scores.set_rows(lines(found))
        self.differing.set_rows([d for d in found.differing if d.report_id in own] if found else ())
        for part in (self._differ, self.differences):
            part.setVisible(bool(self.differing.rows))
        if found is not None:
            self.headline.setText(headline(found))
            show_text(self.notes, notes(found))
        self.readers.show_comparing(record.readers, record.comparing)

    @Slot()
    def look(self) -> None:
        """Show the figures as they are now, of the engine and the readers chosen."""
        self.forget()
        run = self.engine.currentData()
        self.show_for((None if run is None else int(run), self.readers.pair()))

    @Slot()
    def _choose(self) -> None:
        self.look()

    @Slot(object)
    def _open(self, place: int) -> None:
        self.report_wanted.emit(self.differing.row(place).report_id)


def headline(found: EngineAccuracy) -> str:
    """How much the engine reads right, and whether that is representative."""
    said = say(
        "{engine}: {right} of the findings read right in {reports}.",
        engine=engine_called(found.engine, found.version, found.model),
        right=overall_text(found.overall),
        reports=reports_text(found.reports),
    )
    if not found.representative:
        more = say("These reports were chosen for being difficult, so this does not stand for the engine.")
    elif found.reports < ENOUGH:
        more = say("{n} reports are needed before other pages quote it.", n=ENOUGH)
    elif found.in_sight:
        more = say("Other pages quote it beside the published figure.")
    else:
        more = say("Other pages quote this figure.")
    return f"{said[:1].upper()}{said[1:]} {more}"


def notes(found: EngineAccuracy) -> str:
    """What the figures exclude, and why."""
    parts = (
        (found.unread, say("Not yet read by the software: {reports}.", reports=reports_text(found.unread))),
        (
            found.unsure + found.waiting,
            say(
                "Left out: {n} as unsure, {m} on which readers differ.",
                n=found.unsure,
                m=found.waiting,
            ),
        ),
        (found.in_sight, in_sight(found)),
    )
    return " ".join(text for n, text in parts if n)
