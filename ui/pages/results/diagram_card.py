"""The reliability diagram with its readout; without a curve, the reason."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QStackedLayout

from radcal.calibration.groups import hedged_uses
from ui.kit.action import later
from ui.kit.layout import vbox
from ui.kit.picture import image_of, picture
from ui.kit.text import label, wrapped
from ui.plots.bands import Band
from ui.words import say, whole

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from radcal.advice.judged_records import JudgedGroup
    from radcal.calibration.records import Monotone, Reliability
    from radcal.system.selection import Selection
    from ui.plots.reliability_plot import ReliabilityPlot
    from ui.shell import Shell

ORDER = "order of words"
_LEAST_WIDTH, _LEAST_HEIGHT = 320, 316


class DiagramCard(QFrame):
    """Shows a group's reliability; ``plot`` is created when first shown.

    picked: a word of the diagram;  located: a certainty (0-1) on its curve
    order_known: the Monotone that is drawn, None while none is
    """

    picked = Signal(object)
    located = Signal(object)
    order_known = Signal(object)

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self.setObjectName("card")
        self._shell = shell
        self._record: Reliability | None = None
        self._why = ""
        self._judged: JudgedGroup | None = None
        self._min_phrase_n = 1
        self._band = Band.INTERVAL
        self._selected = ""
        self._monotone: Monotone | None = None
        self._of: Selection | None = None
        self.plot: ReliabilityPlot | None = None
        # Drawn from the event loop, not in showEvent, where an exception would be lost.
        self._draw = later(self, self._show)
        self._picture = QStackedLayout()
        self.empty = wrapped(role="muted")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.readout = label(role="muted")
        self.readout.setWordWrap(True)
        self.readout.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.readout.setFixedHeight(2 * self.readout.fontMetrics().height() + 4)
        vbox((self._picture, 1), self.readout, parent=self, margins=(8, 4, 8, 4), spacing=0)
        # After parenting: a stack without a parent shows its widgets as windows.
        self._picture.addWidget(self.empty)
        self.setMinimumSize(_LEAST_WIDTH, _LEAST_HEIGHT)

    def show_record(
        self, record: Reliability, min_phrase_n: int, why: str, judged: JudgedGroup, selected: str = ""
    ) -> None:
        """Draw the record, with this word highlighted.

        why: the reason if there is no curve;  judged: what is said of its words
        """
        self._record, self._min_phrase_n, self._why, self._judged = record, min_phrase_n, why, judged
        self._selected = selected
        self._monotone, self._of = None, None
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
            self.empty.setText(say("No diagram yet. {why}\nThe table has the counts of each word.", why=self._why))
            self._picture.setCurrentWidget(self.empty)
        elif self.isVisible():
            plot = self.prepare()
            self._draw_band(record)
            self._picture.setCurrentWidget(plot)
        self.readout.setText(self._resting_text())

    def prepare(self) -> ReliabilityPlot:
        """The diagram, created when first wanted: the plotting library is not needed for the first paint."""
        if self.plot is None:
            self.plot = self._make_plot()
        return self.plot

    def _draw_band(self, record: Reliability) -> None:
        if self.plot is None:
            return
        if self._band is Band.ORDER and self._monotone is None:
            self._ask_for_order()
        opened = self._shell.opened
        self.plot.speak_of_answers(opened is not None and record.author in opened.models)
        self.plot.set_record(record, self._min_phrase_n, self._band, self._monotone, self._judged, self._selected)
        self.order_known.emit(self._monotone if self._band is Band.ORDER else None)

    def _ask_for_order(self) -> None:
        selection = self._shell.selection
        if selection is None or selection == self._of:
            return
        self._of = selection
        self._shell.run(
            ORDER,
            lambda department, progress: department.groups.monotone(selection, progress),
            partial(self._show_order, selection),
        )

    def _show_order(self, selection: Selection, monotone: Monotone) -> None:
        if selection == self._of and self._record is not None:
            self._monotone = monotone
            self._draw_band(self._record)

    @Slot(object)
    def show_band(self, band: Band) -> None:
        """Draw another curve."""
        self._band = band
        if self._record is not None and self._on_show() is not None:
            self._draw_band(self._record)
            self.readout.setText(self._resting_text())

    def _make_plot(self) -> ReliabilityPlot:
        from ui.plots.reliability_plot import ReliabilityPlot

        plot = ReliabilityPlot()
        plot.hovered.connect(self._hovered)
        plot.picked.connect(self.picked)
        plot.located.connect(self.located)
        self._picture.addWidget(plot)
        return plot

    def select(self, phrase: str) -> None:
        """Highlight a word, '' for none."""
        self._selected = phrase
        if self.plot is not None and self.plot.isVisible():  # or it is about to be drawn
            self.plot.select(phrase)

    @Slot(object)
    def _hovered(self, text: str) -> None:
        self.readout.setText(text or self._resting_text())

    def _resting_text(self) -> str:
        if self._record is None or self._record.curve is None:
            return ""
        hedges = hedged_uses(self._record.phrases)
        if hedges < self._min_phrase_n and self._band is not Band.ORDER:
            least = self._min_phrase_n
            return say("No curve: it needs {min} hedged findings and has {n}.", min=least, n=whole(hedges))
        return say("Dots: words, larger where said more often. Click one for its cases.")

    def _on_show(self) -> ReliabilityPlot | None:
        return self.plot if self._picture.currentWidget() is self.plot else None

    def copy(self) -> None:
        """Copy the diagram to the clipboard as shown."""
        if (plot := self._on_show()) is not None:
            QGuiApplication.clipboard().setImage(image_of(plot))
            self._shell.copied("picture")

    def ask_save(self, name: str) -> None:
        """Ask for a file and save the diagram as shown, named after its contents."""
        if (plot := self._on_show()) is not None:
            self._shell.save_file(
                say("Save the diagram"),
                f"{name}.svg",
                ("SVG (*.svg)", "PNG (*.png)"),
                partial(picture, plot, name),
            )
