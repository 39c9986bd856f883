"""Accuracy of the engine against human readers, as it accumulates: overall, by pathology, by phrase."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from radcal.records.gold import ENOUGH
from ui.pages.review.models import differing_model, score_model
from ui.sentences import engine_called, engine_name
from ui.widgets.labels import label, wrapped
from ui.widgets.tables import DataTable
from ui.words import counted, decimal_interval, say, whole

if TYPE_CHECKING:
    from radcal.records.gold import EngineAccuracy, EngineRun
    from ui.shell import Shell

_WIDTHS = (280, 84, 72, 60, 132, 132, 140)


class AccuracyView(QScrollArea):
    """Shows an engine's accuracy.

    engine_wanted: the run of the engine that is to be shown;  report_wanted: the id of a report to turn to
    """

    engine_wanted = Signal(object)
    report_wanted = Signal(str)

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.engine = QComboBox()
        self.engine.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.engine.activated.connect(self._choose)
        caption = QLabel(say("&Engine"))
        caption.setBuddy(self.engine)
        self.choice = QWidget()
        row = QHBoxLayout(self.choice)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(caption)
        row.addWidget(self.engine)
        row.addStretch(1)
        self.headline = wrapped()
        self.notes = wrapped(role="muted")
        self.grains = score_model(say("what is compared"), self)
        self.pathologies = score_model(say("pathology"), self)
        self.phrases = score_model(say("phrase"), self)
        self.differing = differing_model(self)
        inner = QWidget()
        layout = QVBoxLayout(inner)
        layout.setContentsMargins(0, 0, 8, 0)
        layout.setSpacing(8)
        layout.addWidget(self.choice)
        layout.addWidget(self.headline)
        layout.addWidget(self.notes)
        self.tables = []
        for key, title, model, height in (
            ("review-grains", say("Overall"), self.grains, 164),
            (
                "review-pathologies",
                say("By pathology: present, absent or hedged"),
                self.pathologies,
                300,
            ),
            ("review-phrases", say("By phrase: worded with it, both times"), self.phrases, 300),
        ):
            table = DataTable(key, title, model, shell, widths=_WIDTHS, searchable=model is not self.grains)
            table.setMinimumHeight(height)
            table.view.horizontalHeader().setStretchLastSection(False)
            layout.addWidget(label(title, role="strong"))
            if model is self.grains:
                table.setMaximumHeight(height)
            layout.addWidget(table, 1)
            self.tables.append(table)
        title = say("Where people and engine differ, in reports that you have done; Enter opens one")
        self.differences = DataTable("review-differing", title, self.differing, shell, widths=(160, 180, 160))
        self.differences.setMinimumHeight(260)
        self.differences.activated.connect(self._open)
        heading = wrapped(title)
        heading.setProperty("role", "strong")
        layout.addWidget(heading)
        layout.addWidget(self.differences, 1)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(inner)
        self.viewport().setAutoFillBackground(False)
        inner.setAutoFillBackground(False)
        self.show_engines(())
        self.show_measured(None)

    @property
    def run_id(self) -> int | None:
        """The run of the selected engine; None for the one that was reviewed."""
        chosen = self.engine.currentData()
        return None if chosen is None else int(chosen)

    def show_engines(self, engines: Sequence[EngineRun]) -> None:
        """Offer these engines if there are several; keeps the selection."""
        chosen = self.run_id
        self.engine.clear()
        for e in engines:
            self.engine.addItem(engine_called(e.engine, e.version, e.model), e.run_id)
        self.engine.setCurrentIndex(max(self.engine.findData(chosen), 0) if engines else -1)
        self.choice.setVisible(len(engines) > 1)

    @Slot()
    def _choose(self) -> None:
        self.engine_wanted.emit(self.run_id)

    @Slot(object)
    def _open(self, row: int) -> None:
        if 0 <= row < len(self.differing.rows):
            self.report_wanted.emit(self.differing.rows[row].report_id)

    def show_measured(self, measured: EngineAccuracy | None, own: Collection[str] = ()) -> None:
        """Show the figures; None until a report is finished.

        own: the reports that whoever looks has finished: nobody is to see what others say of the rest
        """
        self.differing.set_rows([d for d in measured.differing if d.report_id in own] if measured else ())
        for model, rows in (
            (self.grains, measured.grains if measured else ()),
            (self.pathologies, measured.pathologies if measured else ()),
            (self.phrases, measured.phrases if measured else ()),
        ):
            model.set_rows(rows)
        for table in self.tables:
            table.setEnabled(measured is not None)
        self.headline.setText(headline(measured))
        self.notes.setText(notes(measured) if measured else "")
        self.notes.setVisible(bool(self.notes.text()))


def headline(measured: EngineAccuracy | None) -> str:
    """The engine's representative figure, and whether it is valid yet."""
    if measured is None:
        return say("No report is done yet. The figures grow with every report.")
    s = measured.overall
    said = say(
        "{engine} {version} on {reports}: F1 {f1} for present, absent or hedged.",
        engine=engine_name(measured.engine),
        version=", ".join(part for part in (measured.version.split("+")[0], measured.model) if part),
        reports=counted(measured.reports, "{n} report", "{n} reports"),
        f1="\u2013" if s.f1 != s.f1 else decimal_interval(s.f1, s.f1_low, s.f1_high),
    )
    said = said[:1].upper() + said[1:]
    if not measured.representative:
        return " ".join(
            (
                said,
                say("These reports were chosen for being difficult, so this does not stand for the engine."),
            )
        )
    if measured.reports < ENOUGH:
        needed = say("{n} reports are needed before it stands for the engine on other pages.")
        return " ".join((said, needed.format(n=ENOUGH)))
    return " ".join((said, say("Other pages quote this figure.")))


def notes(measured: EngineAccuracy) -> str:
    """What the figures exclude, and why."""
    parts = (
        (measured.unread, say("Reports that people have read and the engine has not: {n}.")),
        (measured.unsure, say("Left out because a reader was unsure: {n}.")),
        (measured.waiting, say("Left out because readers differ and nothing was decided: {n}.")),
        (measured.late, say("Reports changed with the engine\u2019s findings in view: {n}.")),
    )
    return " ".join(text.format(n=whole(n)) for n, text in parts if n)
