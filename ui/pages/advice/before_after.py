"""Two reliability diagrams on the same axes: the wording as it was, and as it was changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QBoxLayout, QWidget

from ui.kit.layout import hbox, vbox
from ui.kit.picture import PictureCard, Readout

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from radcal.advice.judged_records import JudgedGroup
    from radcal.reliability.records import Reliability
    from ui.plots.reliability_plot import ReliabilityPlot
    from ui.shell import Shell

_BESIDE = 700
"""Width from which both fit side by side."""
_HEIGHT = 340


class BeforeAfter(QWidget):
    """Built once and updated with records; the plots are created when first shown."""

    def __init__(self, shell: Shell, names: tuple[str, str]) -> None:
        super().__init__()
        self._shell, self._names = shell, names
        self.plots: tuple[ReliabilityPlot, ReliabilityPlot] | None = None
        self.readout = Readout("")
        self._both = hbox(spacing=12)
        vbox((self._both, 1), self.readout, parent=self, margins=(0, 8, 0, 0))

    def show_both(self, before: Reliability, after: Reliability, fewest: int, judged: JudgedGroup | None) -> None:
        """Draw both; without a curve (too few findings), only the words are shown.

        judged: what is said of the words before
        """
        from radcal.advice.judging import judged_group  # imports NumPy, which the first paint must not wait for

        if self.plots is None:
            self.plots = self._make_plots()
        opened = self._shell.opened
        phrases = opened.meanings.values() if opened is not None else ()
        self.plots[0].set_record(before, fewest, judged=judged)
        self.plots[1].set_record(after, fewest, judged=judged_group(after, None, phrases, fewest))

    def _make_plots(self) -> tuple[ReliabilityPlot, ReliabilityPlot]:
        from ui.plots.reliability_plot import ReliabilityPlot

        plots = ReliabilityPlot(), ReliabilityPlot()
        for plot, name in zip(plots, self._names, strict=True):
            plot.hovered.connect(self.readout.read)
            plot.setAccessibleName(name)
            card = PictureCard(plot, self._shell, name)
            card.setMinimumHeight(_HEIGHT)
            self._both.addWidget(card, 1)
        return plots

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stack the diagrams when they do not fit side by side."""
        super().resizeEvent(event)
        narrow = self.width() < _BESIDE
        self._both.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)
