"""This pathology: the cases left, the diagram and the words right, further advice below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QBoxLayout, QLabel, QSizePolicy, QStackedWidget, QWidget

from radcal.advice.wording import to_others
from ui.kit.layout import hbox, panel, scrolled, vbox
from ui.kit.opening import Opening
from ui.kit.table import DataTable
from ui.kit.text import clear, show_text, wrapped
from ui.pages.results.diagram_card import DiagramCard
from ui.pages.results.together import Together
from ui.pages.results.why import WhyPanel
from ui.pages.results.words import WordColumn, WordTableModel
from ui.sentences import advised, withheld, words_without_advice
from ui.widgets.empty import EmptyState
from ui.widgets.outlook import AheadPanel
from ui.words import counted, say, typographic

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from radcal.advice.judged_records import Said
    from radcal.system.selection import Group
    from ui.pages.results.cases.panel import CasesPanel
    from ui.records import GroupView, Opened
    from ui.shell import Shell

_ROW = 28
_ROWS_AT_LEAST, _ROWS_AT_MOST = 3, 12
_SIDE_BY_SIDE = 1000
"""Minimum width for the cases beside the diagram."""
_STACKED = 320
"""Height of the cases above the diagram."""
_AROUND_NAME = 18
"""Padding of a column in pixels."""
_CHIP = 16
"""Width of the mark before a word."""
_WIDEST_RATE = "100 % (88\N{EN DASH}100)"


class OneView(QWidget):
    """Shows a group.

    word_chosen: a word, to list its cases;  part_chosen: a certainty (0-1) of the curve
    group_wanted: the Group to show instead;  why_left: the explanation was closed
    """

    word_chosen = Signal(object)
    part_chosen = Signal(object)
    group_wanted = Signal(object)
    why_left = Signal()

    def __init__(self, shell: Shell, cases: CasesPanel) -> None:
        super().__init__()
        self.cases = cases
        self.why = WhyPanel()
        self.why.left.connect(self.why_left)
        self.why.help_wanted.connect(lambda: shell.explain("luck"))
        self.left = QStackedWidget()
        self.left.addWidget(cases)
        self.left.addWidget(self.why)
        self.card = DiagramCard(shell)
        self.card.picked.connect(self.word_chosen)
        self.card.located.connect(self.part_chosen)
        self.why.band_chosen.connect(self.card.show_band)
        self.card.order_known.connect(self.why.show_order)
        self.model = WordTableModel(self)
        self.words = DataTable("phrases", say("Words"), self.model, shell, searchable=False)
        for part in (self.words.count, self.words.more):
            part.hide()  # the page's menu exports it
        self.table = self.words.view
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setCursor(Qt.CursorShape.PointingHandCursor)
        self.table.setAccessibleDescription(say("Choose a word to see its cases."))
        self.table.horizontalHeader().geometriesChanged.connect(self._fit_rates)
        self.table.clicked.connect(self._row_clicked)
        self.words.activated.connect(self._row_opened)
        self.words.current_changed.connect(self._row_chosen)
        self.right = panel(vbox((self.card, 1), self.words))
        self.outlook = AheadPanel()
        self.vocabulary = wrapped(role="muted")
        self.vocabulary.hide()
        self._lines = vbox(spacing=4)
        self._sources: dict[str, QLabel] = {}
        self.reasons = wrapped(role="muted")
        self.withheld = Opening(say("Words without advice"), self.reasons)
        self.below = panel(vbox(self._lines, self.vocabulary, self.outlook, self.withheld))
        self._row = hbox((self.left, 5), (self.right, 6), spacing=12)
        inner = QWidget()
        vbox((self._row, 1), self.below, parent=inner, spacing=12, margins=(0, 8, 0, 8))
        self.nothing = EmptyState()
        self.views = QStackedWidget()
        self.views.addWidget(scrolled(inner))
        self.views.addWidget(self.nothing)
        vbox(self.views, parent=self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow window the diagram goes below the cases."""
        super().resizeEvent(event)
        narrow = self.width() < _SIDE_BY_SIDE
        direction = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if direction != self._row.direction():
            self._row.setDirection(direction)
            self.left.setMinimumHeight(_STACKED if narrow else 0)

    # --- showing -----------------------------------------------------------------------------------

    def show_view(
        self, opened: Opened, group: Group, view: GroupView, said: Said, why_no_curve: str, word: str
    ) -> None:
        """Show a group, of which ``said`` is said above, with the cases of a word marked."""
        self.views.setCurrentIndex(0)
        self.model.set_words(view.judged.words, opened.min_phrase_n)
        self._fit_table()
        self._set_widths()
        self.why.show_view(opened, group, view)
        self._show_advice(opened, group, view, said)
        self.card.show_record(view.reliability, opened.min_phrase_n, why_no_curve, view.judged, word)

    def show_nothing(self, text: str, button: str) -> None:
        """Say that there are no findings."""
        self.nothing.show_text(text, button)
        self.views.setCurrentWidget(self.nothing)

    @property
    def is_empty(self) -> bool:
        """Whether there are no findings to show."""
        return self.views.currentWidget() is self.nothing

    def _show_advice(self, opened: Opened, group: Group, view: GroupView, said: Said) -> None:
        """The advice on other words than that of the sentence, and why there is none on the rest."""
        clear(self._lines)
        self._sources = {}
        if group.author in opened.models:
            answers = say("Of a language model, \u201cconfirmed by CT\u201d means that the answer was right.")
            self._lines.addWidget(wrapped(answers, role="muted"))
        if view.reliability.parts:
            together = Together(view.reliability, opened)
            together.opened_group.connect(self.group_wanted)
            self._lines.addWidget(together)
        for j in advised(view.judged):
            if j.advice is None or (said.word is not None and j.name == said.word.name):
                continue
            text = j.advice.text if opened.personal else to_others(j.advice.text)
            self._sources[j.name] = line = wrapped(typographic(text))
            self._lines.addWidget(line)
        without = withheld(view.judged)
        self.withheld.setVisible(bool(without))
        self.withheld.note.setText(counted(len(without), "No advice on {n} word", "No advice on {n} words"))
        self.reasons.setText(words_without_advice(view.judged))

    def line_on(self, phrase: str) -> QLabel | None:
        """The advice on a word besides that of the sentence; None without."""
        return self._sources.get(phrase)

    def show_vocabulary(self, text: str) -> None:
        """How far the radiologist keeps to the department's vocabulary."""
        show_text(self.vocabulary, text)

    # --- the table of words ------------------------------------------------------------------------

    def _set_widths(self) -> None:
        """Size columns to their names without the sort arrow, and to what they show."""
        header, metrics = self.table.horizontalHeader(), self.table.fontMetrics()
        header.setStretchLastSection(False)
        for column in (c for c in WordColumn if c != WordColumn.RATE):
            name = str(self.model.headerData(column, Qt.Orientation.Horizontal))
            cells = [str(self.model.index(row, column).data()) for row in range(self.model.rowCount())]
            chip = _CHIP if column == WordColumn.WORD else 0
            widest = max(map(metrics.horizontalAdvance, cells), default=0) + chip
            header.resizeSection(column, max(header.fontMetrics().horizontalAdvance(name), widest) + _AROUND_NAME)
        self._fit_rates()

    @Slot()
    def _fit_rates(self) -> None:
        """Give the intervals what the other columns leave, and no less than they need: the table then scrolls."""
        header = self.table.horizontalHeader()
        others = sum(header.sectionSize(k) for k in range(header.count()) if k != WordColumn.RATE)
        needed = header.fontMetrics().horizontalAdvance(_WIDEST_RATE) + _AROUND_NAME
        header.resizeSection(WordColumn.RATE, max(needed, self.table.viewport().width() - others))

    def _fit_table(self) -> None:
        rows = min(max(self.model.rowCount(), _ROWS_AT_LEAST), _ROWS_AT_MOST)
        self.table.setFixedHeight(rows * _ROW + self.table.horizontalHeader().sizeHint().height() + 6)
        self.words.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def mark(self, phrase: str) -> None:
        """Mark the word whose cases are listed, in diagram and table, '' for none."""
        self.card.select(phrase)
        row = self.model.row_of(phrase)
        if row >= 0:
            self.words.select_row(row)
        else:
            self.table.clearSelection()

    @Slot(QModelIndex)
    def _row_clicked(self, _index: QModelIndex) -> None:
        self._row_opened(self.words.current_row())

    @Slot(object)
    def _row_opened(self, row: int) -> None:
        if row >= 0:
            self.word_chosen.emit(self.model.row(row).phrase)

    @Slot(object)
    def _row_chosen(self, row: int) -> None:
        if row >= 0 and self.table.hasFocus():  # by the keyboard
            self.word_chosen.emit(self.model.row(row).phrase)
