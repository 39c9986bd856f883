"""All phrases with their distributions, as plot and table, and the one that is chosen in words."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from radcal.system.errors import InputError
from radcal.words import editing
from radcal.words.phrases import mean_of, spread_of
from ui.kit.layout import scrolled, vbox
from ui.kit.picture import PictureCard
from ui.kit.table import DataTable
from ui.pages.words import work
from ui.pages.words.editor import PhraseEditor
from ui.pages.words.models import LexiconColumn, LexiconModel
from ui.pages.words.side_by_side import NARROW, SideBySide
from ui.plots.lexicon_plot import LexiconPlot
from ui.words import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ui.pages.words.desk import WordsDesk
    from ui.pages.words.work import WordList
    from ui.shell import Shell

_PICTURE = 340
"""Minimum width of the plot beside the table."""
_BAR = 16
"""Room for a scroll bar."""


class MeaningsPart(QWidget):
    """Plot, table and editor, showing the same phrase."""

    def __init__(self, shell: Shell, desk: WordsDesk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._uses: Mapping[str, int] | None = None
        self.plot = LexiconPlot()
        self.card = PictureCard(self.plot, shell, say("What readers take the words to mean"))
        self._picture = scrolled(self.card, sideways=True)
        self.model = LexiconModel(self)
        self.table = DataTable("words", say("Words"), self.model, shell)
        self.table.setMinimumHeight(180)
        self.editor = PhraseEditor(desk)
        self._column = QWidget()
        vbox((self.table, 1), self.editor, parent=self._column)
        self._side = scrolled(self._column, sideways=True)
        self._split = SideBySide(self._picture, self._side)
        vbox((self._split, 1), parent=self, margins=(0, 8, 0, 0))
        self.plot.picked.connect(self.choose)
        self.plot.moving.connect(self._moving)
        self.plot.moved.connect(self._moved)
        self.plot.stepped.connect(self._stepped)
        self.plot.given_up.connect(self._let_go)
        self.table.current_changed.connect(self._row_chosen)
        self.table.activated.connect(self._edit_row)
        self.model.allowed_changed.connect(self._allow)
        self.editor.resized.connect(self._share_room)
        desk.changed.connect(self.show_words)

    # --- showing -----------------------------------------------------------------------------------

    def set_uses(self, uses: Mapping[str, int] | None) -> None:
        """Set the use count of each phrase; None if nothing was read yet."""
        self._uses = uses
        if self._desk.words is not None:
            self._fill_table(self._desk.words)

    @Slot(object)
    def show_words(self, words: WordList) -> None:
        """Show the current words; keeps the selection if possible."""
        self.plot.set_editable(self._desk.editable)
        chosen = self.plot.selected
        self.plot.set_ridges(work.ridges(words.lexicon.phrases))
        self._fill_table(words)
        if all(p.name != chosen for p in words.lexicon.phrases):
            # Select the strongest phrase that can be edited.
            chosen = max(words.lexicon.phrases, key=lambda p: (spread_of(p) > 0, mean_of(p))).name
        self.choose(chosen)

    def _fill_table(self, words: WordList) -> None:
        self.model.set_rows(work.rows(words, self._uses), editable=self._desk.editable)
        self.table.view.setColumnHidden(LexiconColumn.SCALE, words.scale is None)

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
        self.editor.begin()

    # --- changing ----------------------------------------------------------------------------------

    @Slot(object)
    def _moving(self, wanted: tuple[str, float, float]) -> None:
        name, mean, spread = wanted
        try:
            phrase = editing.with_moments(editing.named(self._desk.lexicon, name), mean, spread)
        except InputError:
            return
        self.plot.set_ridge(work.ridges((phrase,))[0])
        self.editor.show_figures(phrase)

    @Slot(object)
    def _moved(self, wanted: tuple[str, float, float]) -> None:
        self._move(*wanted)

    @Slot(object)
    def _stepped(self, wanted: tuple[str, float, float]) -> None:
        self._move(*wanted, step=True)

    def _move(self, name: str, mean: float, spread: float, *, step: bool = False) -> None:
        if not self._desk.move(name, mean, spread, step=step):
            self._let_go()

    @Slot()
    def _let_go(self) -> None:
        """Show the words without the drag."""
        if self._desk.words is not None:
            self.show_words(self._desk.words)

    @Slot(object)
    def _allow(self, wanted: tuple[str, bool]) -> None:
        # Only after the click: new rows may remove the one whose view is still handling it.
        QTimer.singleShot(0, self, partial(self._desk.allow, *wanted))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    @Slot()
    def _share_room(self, *_: object) -> None:
        """Table and editor are never cut off; the plot gets the remaining width."""
        needed = self._column.minimumSizeHint().width() + _BAR
        narrow = self.width() < max(NARROW, needed + _PICTURE)
        self._side.setMinimumWidth(0 if narrow else needed)
        self._split.stack(narrow)
        # Stacked, both get the height that they need, and the page scrolls.
        self._picture.setMinimumHeight(self.card.minimumSizeHint().height() if narrow else 0)
        self._side.setMinimumHeight(self._column.minimumSizeHint().height() if narrow else 0)
