"""The reliability diagram with legend and readout; without a curve, the reason."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QStackedLayout, QWidget

from radcal.lexicon.phrases import hedged_uses
from ui.pages.reliability.key import DiagramKey
from ui.theme import LIGHT, Colours
from ui.widgets.labels import label, wrapped
from ui.widgets.layouts import vbox
from ui.widgets.pictures import image_of, picture
from ui.words import say, whole

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from radcal.records import Reliability
    from ui.plots.reliability_plot import ReliabilityPlot
    from ui.shell import Shell

_LEAST_WIDTH = 460


class DiagramCard(QFrame):
    """Shows a group's reliability; ``plot`` is created when first shown.

    picked: a phrase of the diagram;  located: a certainty (0-1) on its curve
    """

    picked = Signal(object)
    located = Signal(object)

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._shell = shell
        self._colours: Colours = LIGHT
        self._record: Reliability | None = None
        self._why = ""
        self._min_phrase_n = 1
        self.plot: ReliabilityPlot | None = None
        # Drawn from the event loop, not in showEvent, where an exception would be lost.
        self._draw = QTimer(self)
        self._draw.setSingleShot(True)
        self._draw.timeout.connect(self._show)
        self._picture = QStackedLayout()
        self.empty = wrapped(role="muted")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.key = DiagramKey()
        self.readout = label(role="muted")
        self.readout.setWordWrap(True)
        self.readout.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.readout.setFixedHeight(36)
        # Filled after parenting: a stack without a parent shows its widgets as windows.
        vbox((self._picture, 1), self.key, self.readout, parent=self, margins=(8, 8, 8, 8), spacing=4)
        self._picture.addWidget(self.empty)
        self.setMinimumWidth(_LEAST_WIDTH)

    def set_colours(self, colours: Colours) -> None:
        self._colours = colours
        self.key.set_colours(colours)
        if self.plot is not None:
            self.plot.set_colours(colours)

    def show_record(self, record: Reliability, min_phrase_n: int, why: str) -> None:
        """Draw the record; ``why`` is the reason if there is no curve."""
        self._record, self._min_phrase_n, self._why = record, min_phrase_n, why
        if self.plot is not None and self.isVisible():
            self._show()  # in the same paint as the rest
        else:
            self._draw.start(0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw.start(0)

    @Slot()
    def _show(self) -> None:
        record = self._record
        if record is None:
            return
        if record.curve is None:
            self.empty.setText(say("No curve yet. {why}\nThe counts of each phrase stand in the table.", why=self._why))
            self._picture.setCurrentWidget(self.empty)
        elif self.isVisible():
            plot = self.prepare()
            plot.set_record(record, self._min_phrase_n)
            self._picture.setCurrentWidget(plot)
        self.key.setVisible(record.curve is not None)
        self.readout.setText(self._resting_text())

    def prepare(self) -> ReliabilityPlot:
        """The diagram, created when first wanted: the plotting library is not needed for the first paint."""
        if self.plot is None:
            self.plot = self._make_plot()
        return self.plot

    def _make_plot(self) -> ReliabilityPlot:
        from ui.plots.reliability_plot import ReliabilityPlot

        plot = ReliabilityPlot()
        plot.set_colours(self._colours)
        plot.hovered.connect(self._hovered)
        plot.picked.connect(self.picked)
        plot.located.connect(self.located)
        self._picture.addWidget(plot)
        return plot

    def select(self, phrase: str) -> None:
        """Highlight a phrase, '' for none."""
        if self.plot is not None:
            self.plot.select(phrase)

    @Slot(object)
    def _hovered(self, text: str) -> None:
        self.readout.setText(text or self._resting_text())

    def _resting_text(self) -> str:
        if self._record is None or self._record.curve is None:
            return ""
        hedges = hedged_uses(self._record.phrases)
        if hedges < self._min_phrase_n:
            return say(
                "No curve: it is drawn through hedges, needs {min} of them and has {n}.",
                min=self._min_phrase_n,
                n=whole(hedges),
            )
        return say("Point at the diagram to read its numbers.")

    def _on_show(self) -> ReliabilityPlot | None:
        return self.plot if self._picture.currentWidget() is self.plot else None

    def copy(self) -> None:
        """Copy the diagram to the clipboard as shown."""
        if (plot := self._on_show()) is not None:
            QGuiApplication.clipboard().setImage(image_of(plot))

    def ask_save(self, name: str) -> None:
        """Ask for a file and save the diagram as shown, named after its contents."""
        if (plot := self._on_show()) is not None:
            self._shell.save_file(
                say("Save the diagram"),
                f"{name.replace('/', '_')}.svg",
                ("SVG (*.svg)", "PNG (*.png)"),
                partial(picture, plot, name),
            )
