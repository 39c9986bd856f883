"""The findings behind a phrase: X-ray sentence with the phrase marked, CT sentence beside it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QHBoxLayout, QHeaderView, QPushButton, QTableView, QWidget

from ui.delegates import MarkedTextDelegate
from ui.models.evidence import Column, EvidenceTableModel
from ui.models.phrases import PhraseTableModel
from ui.operations import evidence as find_evidence
from ui.operations import is_confirmed
from ui.pages.page import label
from ui.pages.stage import StagePage
from ui.records import Evidence, EvidenceRow, Group, Selection
from ui.shell import Shell
from ui.theme import Colours
from ui.words import counted, translate, whole

_SETTLE_MS = 80


class EvidencePage(StagePage):
    """Lists the findings of a phrase of the chosen group."""

    uses_selection = True

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._rows: tuple[EvidenceRow, ...] = ()
        self._group: Group | None = None
        self._phrases = PhraseTableModel(self)
        self.back_button = QPushButton(translate("evidence", "&Back to the diagram"))
        self.back_button.setToolTip(translate("evidence", "Esc"))
        self.back_button.clicked.connect(self._back)
        self.head.addWidget(self.back_button, 0, 2)

        self.filter = QComboBox()
        self.filter.setAccessibleName(translate("evidence", "Which findings"))
        self.filter.setMinimumWidth(200)
        self.filter.currentIndexChanged.connect(self._fill)
        show = label(translate("evidence", "Sho&w"))
        show.setTextFormat(Qt.TextFormat.AutoText)
        show.setBuddy(self.filter)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(show)
        line.addWidget(self.filter)
        line.addStretch(1)
        self.body.addLayout(line)

        self.model = EvidenceTableModel(self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(translate("evidence", "Findings"))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setTabKeyNavigation(False)
        self.table.setShowGrid(True)
        self.table.setWordWrap(True)
        self.table.verticalHeader().hide()
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        for column in Column:
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        for column, width in ((Column.DATE, 104), (Column.CONFIRMED, 136)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            header.resizeSection(column, width)
        self._delegate = MarkedTextDelegate(self.table)
        self.table.setItemDelegate(self._delegate)
        self.body.addWidget(self.table, 1)
        # Row heights follow the width once it has settled, not on every step of a resize.
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(self.table.resizeRowsToContents)

    def arrive(self, *, phrase: str = "", **_where: object) -> None:
        """Look up the findings behind a phrase of the chosen group."""
        self.focus_table()
        selection = self.shell.selection
        if phrase and selection is not None:
            self._group = selection.group
            self._rows = ()
            self.model.set_rows(())
            self.shell.run(
                "evidence",
                lambda department, progress: find_evidence(department, selection.group, phrase, progress),
                self.show_evidence,
            )

    @Slot(object)
    def show_selection(self, selection: Selection | None) -> None:
        """Another group was chosen: what is listed is not of it."""
        if self.isVisible() and (selection is None or selection.group != self._group):
            self.shell.go("reliability")

    @Slot()
    def _back(self) -> None:
        self.shell.go("reliability")

    def show_evidence(self, evidence: Evidence) -> None:
        """List the findings of a phrase."""
        self._rows = evidence.rows
        group = self._group = evidence.group
        self.sentence.setText(self._sentence_of(evidence))
        self.title.setText(
            translate("evidence", "{author} \u2013 {topic}: \u201c{phrase}\u201d").format(
                author=group.author, topic=group.topic, phrase=evidence.phrase
            )
        )
        found = counted(len(self._rows), translate("evidence", "finding"), translate("evidence", "findings"))
        self.meta.setText(found)
        confirmed = sum(is_confirmed(r.outcome) for r in self._rows)
        self.filter.blockSignals(True)
        self.filter.clear()
        self.filter.addItem(translate("evidence", "All ({n})").format(n=whole(len(self._rows))), None)
        self.filter.addItem(translate("evidence", "Confirmed ({n})").format(n=whole(confirmed)), True)
        self.filter.addItem(
            translate("evidence", "Not confirmed ({n})").format(n=whole(len(self._rows) - confirmed)), False
        )
        self.filter.blockSignals(False)
        self._fill()
        self.focus_table()

    def _sentence_of(self, evidence: Evidence) -> str:
        """What the phrase's row says, above the list."""
        opened = self.shell.opened
        view = opened.groups.get(evidence.group) if opened is not None else None
        if opened is None or view is None:
            return ""
        self._phrases.set_rates(view.reliability.phrases, {p.name: p for p in opened.phrases}, opened.min_phrase_n)
        row = self._phrases.row_of(evidence.phrase)
        return self._phrases.sentence(self._phrases.rate_at(row)) if row >= 0 else ""

    @Slot(object)
    def set_colours(self, colours: Colours) -> None:
        """Draw in the colours of the scheme."""
        self._delegate.set_colours(colours)
        self.table.viewport().update()

    def focus_table(self) -> None:
        """Put the keyboard where the findings are."""
        self.table.setFocus()
        if self.model.rowCount() and not self.table.currentIndex().isValid():
            self.table.selectRow(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settle.start()

    def sizeHint(self) -> QSize:
        return QSize(800, 480)

    @Slot()
    def _fill(self) -> None:
        wanted = self.filter.currentData()
        self.model.set_rows([r for r in self._rows if wanted is None or is_confirmed(r.outcome) == wanted])
        self.table.resizeRowsToContents()
        self.table.scrollToTop()
