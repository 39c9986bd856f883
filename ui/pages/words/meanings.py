"""All phrases with their distributions, as plot and table, and an editor for the selected one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractItemModel, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QPushButton, QScrollArea, QSplitter, QVBoxLayout, QWidget

from radcal.errors import InputError
from radcal.lexicon import editing
from ui.pages.words import work
from ui.pages.words.editor import PhraseEditor
from ui.pages.words.models import LexiconModel
from ui.plots.lexicon_plot import LexiconPlot
from ui.widgets.labels import wrapped
from ui.widgets.pictures import PictureCard
from ui.widgets.tables import DataTable
from ui.words import say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ui.pages.words.desk import WordsDesk
    from ui.pages.words.work import WordList
    from ui.shell import Shell
    from ui.theme import Colours

SHARES = (5, 7)
"""Of the width, for the picture and for the table, whose columns are all in sight then."""
_NARROW = 860
"""Below this width the table stands under the picture."""
_PICTURE = 340
"""Least width of the picture beside the table."""
_BAR = 16
"""Room for a scroll bar."""


class MeaningsPart(QWidget):
    """Plot, table and editor, showing the same phrase.

    new_wanted: the user wants a new phrase
    """

    new_wanted = Signal()

    def __init__(self, shell: Shell, desk: WordsDesk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._uses: Mapping[str, int] | None = None
        self.plot = LexiconPlot()
        self.card = PictureCard(self.plot, shell, say("What readers take the phrases to mean"))
        self._picture = _scrolling(self.card)
        self._picture.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.model = LexiconModel(self)
        widths = widths_of(self.model, (140, 56, 120, 64, 64, 80))
        self.table = DataTable("words", say("Phrases"), self.model, shell, widths=widths)
        self.table.setMinimumHeight(180)
        self.new = QPushButton(say("&New phrase\u2026"))
        self.new.clicked.connect(self.new_wanted)
        self.table.add_to_bar(self.new)
        self.editor = PhraseEditor(desk)
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.table, 1)
        column.addWidget(self.editor)
        self._column, self._side = side, _scrolling(side)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(12)
        self._split.addWidget(self._picture)
        self._split.addWidget(self._side)
        for part, share in enumerate(SHARES):
            self._split.setStretchFactor(part, share)
        self._split.setSizes([share * _NARROW for share in SHARES])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 8, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(
            wrapped(
                say(
                    "Drag a curve to move its mean, its square to change its spread. The dot is the mean, the bar the"
                    " range that readers take it as."
                ),
                role="muted",
            )
        )
        layout.addWidget(self._split, 1)
        self.plot.picked.connect(self.choose)
        self.plot.moving.connect(self._moving)
        self.plot.moved.connect(self._moved)
        self.plot.stepped.connect(self._stepped)
        self.plot.given_up.connect(self._let_go)
        self.table.current_changed.connect(self._row_chosen)
        self.table.activated.connect(self._edit_row)
        self.model.allowed_changed.connect(self._allow)
        desk.changed.connect(self.show_words)

    # --- showing -----------------------------------------------------------------------------------

    def set_colours(self, colours: Colours) -> None:
        self.plot.set_colours(colours)

    def set_uses(self, uses: Mapping[str, int] | None) -> None:
        """Set the use count of each phrase; None if nothing was read yet."""
        self._uses = uses
        if self._desk.words is not None:
            self._fill_table(self._desk.words)

    @Slot(object)
    def show_words(self, words: WordList) -> None:
        """Show the current words; keeps the selection if possible."""
        self.plot.set_editable(self._desk.editable)
        self.new.setEnabled(self._desk.editable)
        chosen = self.plot.selected
        self.plot.set_ridges(work.ridges(words.lexicon.phrases))
        self._fill_table(words)
        if all(p.name != chosen for p in words.lexicon.phrases):
            # The strongest that can be moved.
            chosen = max(words.lexicon.phrases, key=lambda p: (editing.spread_of(p) > 0, editing.mean_of(p))).name
        self.choose(chosen)

    def _fill_table(self, words: WordList) -> None:
        self.model.set_rows(work.rows(words, self._uses), editable=self._desk.editable)

    @Slot(object)
    def choose(self, name: str) -> None:
        """Show a phrase in plot, table and editor."""
        self.plot.select(name)
        row = self.model.row_of(name)
        if row >= 0:
            self.table.select_row(row)
        self.editor.show_phrase(name)

    @property
    def chosen(self) -> str:
        """The selected phrase."""
        return self.plot.selected

    @Slot(object)
    def _row_chosen(self, row: int) -> None:
        name = self.model.name_at(row)
        if name and name != self.plot.selected:
            self.choose(name)

    @Slot(object)
    def _edit_row(self, row: int) -> None:
        self.choose(self.model.name_at(row))
        (self.editor.mean if self.editor.mean.isEnabled() else self.editor.new_words).setFocus()

    # --- changing ----------------------------------------------------------------------------------

    @Slot(object)
    def _moving(self, wanted: tuple[str, float, float]) -> None:
        name, mean, spread = wanted
        try:
            phrase = editing.with_moments(editing.named(self._desk.lexicon, name), mean, spread)
        except InputError:
            return
        self.plot.set_ridge(work.ridges((phrase,))[0])
        self.editor.preview(phrase)

    @Slot(object)
    def _moved(self, wanted: tuple[str, float, float]) -> None:
        if not self._desk.move(*wanted):
            self._let_go()

    @Slot(object)
    def _stepped(self, wanted: tuple[str, float, float]) -> None:
        if not self._desk.move(*wanted, step=True):
            self._let_go()

    @Slot()
    def _let_go(self) -> None:
        """Show the words without the drag."""
        if self._desk.words is not None:
            self.show_words(self._desk.words)

    @Slot(object)
    def _allow(self, wanted: tuple[str, bool]) -> None:
        # After the click is over: the answer may take the row from under the view that is handling it.
        QTimer.singleShot(0, self, partial(self._allow_now, *wanted))

    def _allow_now(self, name: str, allowed: bool) -> None:
        self._desk.allow(name, allowed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The table and what is changed below it are never cut off; the picture takes what is left.
        needed = self._column.minimumSizeHint().width() + _BAR
        narrow = event.size().width() < max(_NARROW, needed + _PICTURE)
        self._side.setMinimumWidth(0 if narrow else needed)
        self._split.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)
        # One below the other they get the room that they need, and the page scrolls.
        self._picture.setMinimumHeight(self.card.minimumSizeHint().height() if narrow else 0)
        self._side.setMinimumHeight(self._column.minimumSizeHint().height() if narrow else 0)


def widths_of(model: QAbstractItemModel, least: Sequence[int]) -> list[int]:
    """Widths of a table's first columns: at least those given, and enough for the headers in any language."""
    metrics = QFontMetrics(QApplication.font())
    headers = (str(model.headerData(c, Qt.Orientation.Horizontal)) for c in range(len(least)))
    return [max(w, metrics.horizontalAdvance(h) + 20) for w, h in zip(least, headers, strict=True)]


def _scrolling(widget: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setWidget(widget)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area
