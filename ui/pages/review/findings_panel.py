"""The findings of the current report with a hint on the current one, and the lists to choose from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QHeaderView, QSplitter, QStackedWidget, QWidget

from ui.kit.action import push_button
from ui.kit.delegate import PhraseDelegate
from ui.kit.layout import hbox, panel, vbox
from ui.kit.table import RowsView
from ui.kit.text import label
from ui.pages.review.choosers import PhraseList, pathology_chooser, phrase_chooser
from ui.pages.review.items import PATHOLOGY, PHRASE, SIGN, ReviewItemModel
from ui.words import say

if TYPE_CHECKING:
    from radcal.review.session import Item

ROW = 26
"""Height of a finding in the list."""
_PHRASES = 248
"""Height that shows all phrases with their keys."""


class FindingsPanel(QSplitter):
    """The findings above, the lists to choose from below.

    item_chosen: the selected Item;  why_wanted: the engine's Finding of it;  phrase_chosen, pathology_chosen: its name
    states_nothing: the report, as the reader confirms
    left: a list was left without choosing;  below_changed: another list is shown
    """

    item_chosen, why_wanted = Signal(object), Signal(object)
    phrase_chosen = Signal(str)
    pathology_chosen = Signal(str)
    states_nothing = Signal()
    left = Signal()
    below_changed = Signal()

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.setChildrenCollapsible(False)
        self.model = ReviewItemModel()
        self._delegate = PhraseDelegate(self)
        self.list = self._build_list()
        below = self._build_below()
        self.addWidget(self.list)
        self.addWidget(below)
        self.setStretchFactor(0, 1)
        self.setStretchFactor(1, 0)
        self.setSizes([_PHRASES, _PHRASES])  # shrunk in proportion; extra height goes to the findings
        self.list.setMinimumHeight(2 * ROW + 4)
        below.setMinimumHeight(96)

    def _build_list(self) -> RowsView:
        view = RowsView(ROW)
        view.setModel(self.model)
        view.setAccessibleName(say("Findings of this report"))
        header = view.horizontalHeader()
        header.hide()
        header.setMinimumSectionSize(28)
        header.setSectionResizeMode(SIGN, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(SIGN, 28)
        header.setSectionResizeMode(PATHOLOGY, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(PHRASE, QHeaderView.ResizeMode.Stretch)
        view.setItemDelegateForColumn(PHRASE, self._delegate)
        view.selectionModel().currentRowChanged.connect(self._row_chosen)
        return view

    def _build_below(self) -> QWidget:
        self.hint = label(role="muted")
        self.hint.setWordWrap(True)
        self.nothing = push_button(say("It states &nothing"), self.states_nothing.emit)
        self.why = push_button(say("Why?"), self._ask_why)
        self.phrases = PhraseList()
        self.phrases.chosen.connect(self.phrase_chosen)
        self.phrases.left.connect(self.left)
        self.phrases.search_wanted.connect(self.show_phrase_search)
        self.chooser = pathology_chooser()
        self.chooser.chosen.connect(self.pathology_chosen)
        self.chooser.left.connect(self.left)
        self.phrase_search = phrase_chooser()
        self.phrase_search.chosen.connect(self.phrase_chosen)
        self.phrase_search.left.connect(self._back_to_phrases)
        self._stack = QStackedWidget()
        for choices in (self.phrases, self.chooser, self.phrase_search):
            self._stack.addWidget(choices)
        self._stack.currentChanged.connect(self.below_changed)
        hint = hbox((self.hint, 1), (self.why, 0, Qt.AlignmentFlag.AlignTop))
        return panel(vbox(hint, hbox(self.nothing, None), (self._stack, 1), margins=(0, 4, 0, 0), spacing=4))

    def show_hint(self, text: str, *, asks: bool = False) -> None:
        """Show a hint; ``asks``: with a button for a report that states nothing."""
        self.hint.setText(text)
        self.nothing.setVisible(asks)

    @Slot()
    def _ask_why(self) -> None:
        item = self.model.row(self.list.currentIndex().row())
        self.why_wanted.emit(item.engine)

    def show_items(self, items: Sequence[Item], means: Mapping[str, float], key: str) -> str:
        """List these findings and select the key's, else the first; returns the selected key, '' if none."""
        self.model.set_items(items, means)
        row = max(self.model.row_of(key), 0)
        with QSignalBlocker(self.list.selectionModel()):  # not the user's choice
            self.list.setCurrentIndex(self.model.index(row, PATHOLOGY) if items else QModelIndex())
        self.list.scrollTo(self.list.currentIndex())
        return items[row].key if items else ""

    def choose(self, row: int) -> None:
        """Select a finding like a click."""
        self.list.setCurrentIndex(self.model.index(row, PATHOLOGY))

    @property
    def shows_phrases(self) -> bool:
        """True if the phrases with their keys are shown, not a searchable list."""
        return self._stack.currentWidget() is self.phrases

    def show_phrases(self) -> None:
        """Show the phrases."""
        self._stack.setCurrentWidget(self.phrases)

    @Slot()
    def show_phrase_search(self) -> None:
        """Show the phrases as a searchable list."""
        self._stack.setCurrentWidget(self.phrase_search)
        self.phrase_search.begin()

    @Slot()
    def _back_to_phrases(self) -> None:
        self.show_phrases()
        self.phrases.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_pathologies(self, current: str) -> None:
        """Show the pathologies as a searchable list; ``current`` is the present one, '' for none."""
        self._stack.setCurrentWidget(self.chooser)
        self.chooser.begin(current)

    @Slot(object, object)
    def _row_chosen(self, index: QModelIndex, _before: QModelIndex) -> None:
        if index.isValid():
            self.item_chosen.emit(self.model.row(index.row()))
