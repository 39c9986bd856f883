"""Accuracy of the engine against human readers, updated as they read: overall, by pathology, by phrase."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot

from radcal.review.records import ENOUGH
from ui.kit.form import choice, offer
from ui.kit.layout import Item, ScrollArea, hbox, panel, scrolled, vbox
from ui.kit.table import DataTable
from ui.kit.text import caption, label, wrapped
from ui.pages.review.models import differing_model, f1_text, grain_name, score_model
from ui.pages.review.sentences import in_sight
from ui.sentences import engine_called, reports_text, topic_name
from ui.words import say, whole

if TYPE_CHECKING:
    from radcal.review.records import EngineAccuracy, EngineRun
    from ui.shell import Shell


class AccuracyView(ScrollArea):
    """Shows an engine's accuracy.

    engine_wanted: the run of the selected engine;  report_wanted: the id of a report to open
    """

    engine_wanted = Signal(object)
    report_wanted = Signal(str)

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self.engine = choice(say("Engine"))
        self.engine.activated.connect(self._choose)
        self.choice = panel(hbox(caption(say("&Engine"), self.engine), self.engine, None))
        self.headline, self.notes = wrapped(), wrapped(role="muted")
        self.grains = score_model(say("what is compared"), grain_name)
        self.pathologies = score_model(say("pathology"), topic_name)
        self.phrases = score_model(say("phrase"))
        self.tables: list[DataTable] = []
        parts: list[Item] = [self.choice, self.headline, self.notes]
        for key, title, model, height in (
            ("review-grains", say("Overall"), self.grains, 164),
            ("review-pathologies", say("By pathology: present, absent or hedged"), self.pathologies, 300),
            ("review-phrases", say("By phrase: worded with it, both times"), self.phrases, 300),
        ):
            table = DataTable(key, title, model, shell, searchable=model is not self.grains)
            table.setMinimumHeight(height)
            if model is self.grains:
                table.setMaximumHeight(height)
            table.view.horizontalHeader().setStretchLastSection(False)
            parts += [label(title, role="strong"), (table, 1)]
            self.tables.append(table)
        title = say("Where people and engine differ, in reports that you have done; Enter opens one")
        self.differing = differing_model()
        self.differences = DataTable("review-differing", title, self.differing, shell)
        self.differences.setMinimumHeight(260)
        self.differences.activated.connect(self._open)
        parts += [wrapped(title, role="strong"), (self.differences, 1)]
        scrolled(panel(vbox(*parts, margins=(0, 0, 8, 0))), self, sideways=True)
        self.show_engines(())
        self.show_measured(None)

    @property
    def run_id(self) -> int | None:
        """The run of the selected engine; None for the one that was reviewed."""
        chosen = self.engine.currentData()
        return None if chosen is None else int(chosen)

    def show_engines(self, engines: Sequence[EngineRun]) -> None:
        """Offer these engines if there are several; keeps the selection."""
        offer(self.engine, ((engine_called(e.engine, e.version, e.model), e.run_id) for e in engines))
        self.choice.setVisible(len(engines) > 1)

    @Slot()
    def _choose(self) -> None:
        self.engine_wanted.emit(self.run_id)

    @Slot(object)
    def _open(self, place: int) -> None:
        self.report_wanted.emit(self.differing.row(place).report_id)

    def show_measured(self, measured: EngineAccuracy | None, own: Collection[str] = ()) -> None:
        """Show the figures; None until a report is finished.

        own: the reports that the current reader has finished; of others, readers' answers stay hidden
        """
        self.differing.set_rows([d for d in measured.differing if d.report_id in own] if measured else ())
        self.grains.set_rows(measured.grains if measured else ())
        self.pathologies.set_rows(measured.pathologies if measured else ())
        self.phrases.set_rows(measured.phrases if measured else ())
        for table in self.tables:
            table.setEnabled(measured is not None)
        self.headline.setText(headline(measured))
        self.notes.setText(notes(measured) if measured else "")
        self.notes.setVisible(bool(self.notes.text()))


def headline(measured: EngineAccuracy | None) -> str:
    """The engine's F1 score, and whether it is representative."""
    if measured is None:
        return say("No report is done yet. The figures grow with every report.")
    said = say(
        "{engine} on {reports}: F1 {f1} for present, absent or hedged.",
        engine=engine_called(measured.engine, measured.version, measured.model),
        reports=reports_text(measured.reports),
        f1=f1_text(measured.overall),
    )
    if not measured.representative:
        more = say("These reports were chosen for being difficult, so this does not stand for the engine.")
    elif measured.reports < ENOUGH:
        more = say("{n} reports are needed before it stands for the engine on other pages.", n=ENOUGH)
    elif measured.in_sight:
        more = say("Other pages quote it beside the published figure, marked as read with the answers in sight.")
    else:
        more = say("Other pages quote this figure.")
    return f"{said[:1].upper()}{said[1:]} {more}"


def notes(measured: EngineAccuracy) -> str:
    """What the figures exclude, and why."""
    parts = (
        (measured.unread, say("Reports that people have read and the engine has not: {n}.", n=whole(measured.unread))),
        (measured.unsure, say("Left out because a reader was unsure: {n}.", n=whole(measured.unsure))),
        (
            measured.waiting,
            say("Left out because readers differ and nothing was decided: {n}.", n=whole(measured.waiting)),
        ),
        (measured.in_sight, in_sight(measured)),
    )
    return " ".join(text for n, text in parts if n)
