"""The price of information: calibration against information retained, one mark per price."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ui.theme import LIGHT, Colours
from ui.widgets.labels import wrapped
from ui.widgets.layouts import vbox
from ui.widgets.pictures import PictureCard
from ui.widgets.readout import Readout
from ui.words import say, typographic

if TYPE_CHECKING:
    from radcal.records import Frontier
    from ui.plots.frontier_plot import FrontierPlot
    from ui.shell import Shell

_HEIGHT = 320


class PricePanel(QWidget):
    """Built once and updated with records; the plot is created with the first one.

    chosen: a value of the setting that prices information
    """

    chosen = Signal(object)

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self._colours: Colours = LIGHT
        self.plot: FrontierPlot | None = None
        self.text = wrapped()
        self.readout = Readout(say("Click a point, or choose it with Left, Right and Enter, to try its price."))
        self.readout.hide()
        self._place = vbox()
        vbox(self.text, (self._place, 1), self.readout, parent=self, margins=(0, 8, 0, 0))

    def set_colours(self, colours: Colours) -> None:
        self._colours = colours
        if self.plot is not None:
            self.plot.set_colours(colours)

    def show_waiting(self) -> None:
        """Say that prices are being tried."""
        self.text.setText(say("Trying other prices on findings kept aside\u2026"))

    def show_record(self, record: Frontier | None, why: str) -> None:
        """Draw the frontier; without one, say ``why``."""
        if self.plot is None:
            self.plot = self._make_plot()
        shown = record is not None and any(p.kept is not None for p in record.points)
        self.card.setVisible(shown)
        self.readout.setVisible(shown)
        if shown:
            self.plot.set_record(record)
        if record is None:
            text = say("No plan can be tried. {why}", why=typographic(why))
        elif not shown:
            text = say("All findings came out alike, so that there is no information to keep or to lose.")
        elif self.plot.count == 1:
            text = say("Every price leads to the same plan here, tried on halves kept aside.")
        else:
            text = say(
                "Words that are merged tell less about the outcome. Each mark is a price of lost information, tried on"
                " halves of the findings that its plan was not made from; its bar holds 9 in 10 of them."
            )
        self.text.setText(text)

    def _make_plot(self) -> FrontierPlot:
        from ui.plots.frontier_plot import FrontierPlot

        plot = FrontierPlot()
        plot.set_colours(self._colours)
        plot.hovered.connect(self.readout.read)
        plot.chosen.connect(self.chosen)
        self.card = PictureCard(plot, self._shell, say("Calibration against information kept"))
        self.card.setMinimumHeight(_HEIGHT)
        self._place.addWidget(self.card)
        return plot
