"""One report of a case: what it is, its number to copy, its text with the findings marked, and how each was read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHeaderView, QSplitter, QWidget

from radcal.system import policy
from ui.kit.action import later, push_button
from ui.kit.delegate import PhraseDelegate
from ui.kit.layout import card, hbox, vbox
from ui.kit.table import RowsView
from ui.kit.text import ElidedLabel, label, show_text, wrapped
from ui.pages.results.cases.readings import PATHOLOGY, PHRASE, WRITTEN, ReadingModel
from ui.widgets.report_view import ReportView
from ui.words import say

if TYPE_CHECKING:
    from ui.pages.results.cases.readings import Reading

_ROW = 26
_COPIED_MS = 1500


class ReportPanel(QWidget):
    """Shows one report.  ``kind``: 'X-ray' or 'CT'.

    why_wanted: the Finding to explain;  study_wanted: accession number and UID of a study to be opened
    """

    why_wanted = Signal(object)
    study_wanted = Signal(str, str)

    def __init__(self, kind: str) -> None:
        super().__init__()
        self._kind = kind
        self._accession = self._study_uid = ""
        self.head = ElidedLabel()
        self.head.setProperty("role", "strong")
        self.number = label()
        self.number.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.copy = push_button(say("Copy"), self.copy_number)
        self.study = push_button(say("Open {kind} in PACS", kind=kind), self._ask_study)
        self.note = wrapped(role="muted")
        self.text = ReportView()
        self.text.setAccessibleName(say("{kind} report", kind=kind))
        self.text.pressed.connect(self._pressed)
        self.model = ReadingModel()
        self._delegate = PhraseDelegate(self)
        self.readings = self._build_list()
        parts = QSplitter(Qt.Orientation.Vertical)
        parts.setChildrenCollapsible(False)
        parts.addWidget(card(vbox(self.text, margins=(1, 1, 1, 1))))
        parts.addWidget(self.readings)
        parts.setStretchFactor(0, 1)
        parts.setSizes([420, 9 * _ROW])
        self.why = push_button(say("Why?"), self._ask_why, tip=say("How the selected finding came about"))
        vbox(
            self.head,
            hbox(self.number, self.copy, self.study, None, self.why),
            self.note,
            (parts, 1),
            parent=self,
            spacing=4,
        )
        self._again = later(self, self._offer_copy, _COPIED_MS)

    def _build_list(self) -> RowsView:
        view = RowsView(_ROW)
        view.setModel(self.model)
        view.setAccessibleName(say("Findings read in the {kind} report", kind=self._kind))
        view.setMinimumHeight(3 * _ROW)
        header = view.horizontalHeader()
        header.setHighlightSections(False)
        for column in (PATHOLOGY, PHRASE, WRITTEN):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        view.setItemDelegateForColumn(PHRASE, self._delegate)
        view.selectionModel().currentRowChanged.connect(self._row_chosen)
        return view

    def show_head(self, facts: Sequence[str], accession: str, study_uid: str) -> None:
        """Say which report this is."""
        self._accession, self._study_uid = accession, study_uid
        self.head.setText(" \u00b7 ".join(filter(None, (self._kind, *facts))))
        self.number.setText(say("Accession number {number}", number=accession))
        self.copy.setAccessibleName(say("Copy the accession number {number}", number=accession))
        self._offer_copy()
        can = bool(accession) and policy.in_use().viewer.is_set
        self.study.setVisible(can)
        self.study.setEnabled(can)  # its key works where it is hidden

    def show_text(
        self, text: str, readings: Sequence[Reading], means: Mapping[str, float], note: str = "", below: str = ""
    ) -> None:
        """Show the report, or its sentence with a note why there is no more, at the finding that the case is about.

        below: what belongs to the report and does not count
        """
        show_text(self.note, note)
        self.text.set_means(dict(means))
        self.text.show_report(text, below)
        with QSignalBlocker(self.readings.selectionModel()):  # not the user's choice
            self.model.set_readings(readings, means)
            asked = next((i for i, r in enumerate(readings) if r.asked), -1)
            self.readings.setCurrentIndex(self.model.index(asked, PATHOLOGY) if asked >= 0 else QModelIndex())
        self.readings.scrollTo(self.readings.currentIndex())
        self._mark()

    @property
    def current(self) -> Reading | None:
        """The outlined finding."""
        index = self.readings.currentIndex()
        return self.model.row(index.row()) if index.isValid() else None

    @Slot()
    def _ask_study(self) -> None:
        self.study_wanted.emit(self._accession, self._study_uid)

    @Slot()
    def copy_number(self) -> None:
        """Copy the accession number."""
        QGuiApplication.clipboard().setText(self._accession)
        self.copy.setText(say("Copied"))
        self._again.start()

    @Slot()
    def _offer_copy(self) -> None:
        self._again.stop()
        self.copy.setText(say("Copy"))

    @Slot(object, object)
    def _row_chosen(self, _now: QModelIndex, _before: QModelIndex) -> None:
        self._mark()

    @Slot(int)
    def _pressed(self, place: int) -> None:
        """Select the finding whose words, or else whose sentence, was clicked."""
        rows = list(enumerate(r.finding for r in self.model.rows))
        words = [i for i, f in rows if f.term_start <= place <= f.term_end or f.cue_start <= place <= f.cue_end]
        near = words or [i for i, f in rows if f.start <= place < f.end]
        if near:
            self.readings.setCurrentIndex(self.model.index(near[0], PATHOLOGY))

    @Slot()
    def _ask_why(self) -> None:
        if (reading := self.current) is not None:
            self.why_wanted.emit(reading.finding)

    def _mark(self) -> None:
        self.why.setEnabled(self.current is not None)
        self.text.show_items(self.model.rows, self.current, None)
