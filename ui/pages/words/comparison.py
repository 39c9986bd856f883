"""Two lexicons compared: distributions overlaid, and differences of the means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from radcal.words import editing
from radcal.words.phrases import mean_of
from ui.kit.column import Column, RecordModel
from ui.kit.layout import scrolled, vbox
from ui.kit.picture import PictureCard
from ui.kit.table import DataTable
from ui.kit.text import wrapped
from ui.pages.words import work
from ui.pages.words.side_by_side import NARROW, SideBySide
from ui.plots.lexicon_plot import LexiconPlot
from ui.words import counted, percent, percent_range, say

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from radcal.words.editing import Difference
    from radcal.words.phrases import Lexicon
    from radcal.words.records import Phrase
    from ui.shell import Shell

_NONE = "\u2013"


class ComparedView(QWidget):
    """Plots and lists the differences of two lexicons."""

    def __init__(self, shell: Shell, key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.note = wrapped(role="muted")
        self.plot = LexiconPlot()
        self.plot.set_editable(False)
        self._picture = scrolled(PictureCard(self.plot, shell, say("Two lists compared")), sideways=True)
        self.model = RecordModel(
            (
                Column(say("phrase"), lambda d: str(d.name), width=140),
                Column(say("first"), lambda d: _mean(d.first), True, lambda d: _value(d.first), width=64),
                Column(say("second"), lambda d: _mean(d.second), True, lambda d: _value(d.second), width=64),
                Column(say("points apart"), _difference, True, lambda d: d.of_means or 0.0, width=84),
                Column(say("first, range"), lambda d: _range(d.first), width=84),
                Column(say("second, range"), lambda d: _range(d.second)),
            ),
            self,
        )
        self.table = DataTable(key, say("Differences"), self.model, shell)
        self.table.setMinimumHeight(140)
        self._split = SideBySide(self._picture, self.table)
        vbox(self.note, (self._split, 1), parent=self)
        self.plot.picked.connect(self._picked)
        self.table.current_changed.connect(self._row_chosen)

    def show_lists(self, first: Lexicon, second: Lexicon, names: tuple[str, str]) -> None:
        """Compare two lexicons; the first is drawn in colour, the second as an outline."""
        differences = editing.compare(first, second)
        self.model.set_rows(differences)
        drawn = {d.name: d.second for d in differences if d.second is not None}
        outlines = dict(zip(drawn, work.ridges(tuple(drawn.values())), strict=True))
        # The plot wants the weakest first; phrases of the second list alone are drawn as outlines.
        shown = [d.first or d.second for d in reversed(differences)]
        ridges = work.ridges([p for p in shown if p is not None])
        self.plot.set_ridges(ridges, outlines)
        self.plot.set_dimmed({d.name for d in differences if d.first is None})
        both = [d.of_means for d in differences if d.of_means is not None]
        self.note.setText(_sentence(names, len(differences), both))

    @Slot(object)
    def _picked(self, name: str) -> None:
        self.table.select_row([d.name for d in self.model.rows].index(name))

    @Slot(object)
    def _row_chosen(self, row: int) -> None:
        if 0 <= row < self.model.rowCount():
            self.plot.select(str(self.model.row(row).name))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = event.size().width() < NARROW
        self._split.stack(narrow)
        self._picture.setMinimumHeight(220 if narrow else 0)
        self.table.setMinimumHeight(180 if narrow else 140)


def _sentence(names: tuple[str, str], n: int, both: list[float]) -> str:
    first, second = names
    if not both:
        return say("Coloured: {first}. Dashed: {second}. They have no phrase in common.", first=first, second=second)
    mean = sum(abs(d) for d in both) / len(both)
    return say(
        "Coloured: {first}. Dashed: {second}. Of {n} phrases, {both} are in both; mean difference: {points}.",
        first=first,
        second=second,
        n=n,
        both=len(both),
        points=counted(round(100 * mean), "{n} point", "{n} points"),
    )


def _mean(phrase: Phrase | None) -> str:
    return _NONE if phrase is None else percent(mean_of(phrase))


def _value(phrase: Phrase | None) -> float:
    return -1.0 if phrase is None else mean_of(phrase)


def _range(phrase: Phrase | None) -> str:
    return _NONE if phrase is None else percent_range(phrase.low, phrase.high)


def _difference(difference: Difference) -> str:
    of_means = difference.of_means
    if of_means is None:
        return _NONE
    points = round(100 * of_means)
    return f"{points:+d}".replace("-", "\u2212") if points else "0"
