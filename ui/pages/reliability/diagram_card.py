"""The reliability diagram with legend and readout; without a curve, the reason."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QFrame, QStackedLayout, QWidget

from radcal.reliability.groups import hedged_uses
from ui.kit.action import later
from ui.kit.layout import hbox, vbox
from ui.kit.picture import image_of, picture
from ui.kit.text import caption, label, wrapped
from ui.pages.reliability import sentences as figures
from ui.pages.reliability.key import DiagramKey
from ui.plots.bands import Band
from ui.words import say, whole

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from radcal.advice.judged_records import JudgedGroup
    from radcal.reliability.records import Monotone, Reliability
    from radcal.system.selection import Selection
    from ui.plots.reliability_plot import ReliabilityPlot
    from ui.shell import Shell

ORDER = "order of words"
_LEAST_WIDTH = 460


class DiagramCard(QFrame):
    """Shows a group's reliability; ``plot`` is created when first shown.

    picked: a phrase of the diagram;  located: a certainty (0-1) on its curve
    """

    picked = Signal(object)
    located = Signal(object)

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self.setObjectName("card")
        self._shell = shell
        self._record: Reliability | None = None
        self._why = ""
        self._judged: JudgedGroup | None = None
        self._min_phrase_n = 1
        self._monotone: Monotone | None = None
        self._of: Selection | None = None
        self.plot: ReliabilityPlot | None = None
        # Drawn from the event loop, not in showEvent, where an exception would be lost.
        self._draw = later(self, self._show)
        self._picture = QStackedLayout()
        self.empty = wrapped(role="muted")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.key = DiagramKey()
        self.band = QComboBox()
        for band, text in (
            (Band.INTERVAL, say("Hedged words, with their interval")),
            (Band.LUCK, say("Hedged words, with what luck alone gives")),
            (Band.ORDER, say("All words in their order, with what luck alone gives")),
        ):
            self.band.addItem(text, band)
        self.band.currentIndexChanged.connect(self._band_chosen)
        self._bands = QWidget()
        hbox(caption(say("C&urve:"), self.band), self.band, None, parent=self._bands)
        self.order = wrapped(role="muted")
        self.order.hide()
        self.readout = label(role="muted")
        self.readout.setWordWrap(True)
        self.readout.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.readout.setFixedHeight(36)
        # Filled after parenting: a stack without a parent shows its widgets as windows.
        lines = (self._bands, (self._picture, 1), self.key, self.readout, self.order)
        vbox(*lines, parent=self, margins=(8, 8, 8, 8), spacing=4)
        self._picture.addWidget(self.empty)
        self.setMinimumWidth(_LEAST_WIDTH)

    def show_record(self, record: Reliability, min_phrase_n: int, why: str, judged: JudgedGroup) -> None:
        """Draw the record; ``why`` is the reason if there is no curve, ``judged`` what is said of its words."""
        self._record, self._min_phrase_n, self._why, self._judged = record, min_phrase_n, why, judged
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
            self.empty.setText(say("No curve yet. {why}\nThe counts of each phrase stand in the table.", why=self._why))
            self._picture.setCurrentWidget(self.empty)
        elif self.isVisible():
            plot = self.prepare()
            self._draw_band(record)
            self._picture.setCurrentWidget(plot)
        for part in (self.key, self._bands):
            part.setVisible(record.curve is not None)
        self.readout.setText(self._resting_text())

    def prepare(self) -> ReliabilityPlot:
        """The diagram, created when first wanted: the plotting library is not needed for the first paint."""
        if self.plot is None:
            self.plot = self._make_plot()
        return self.plot

    def _draw_band(self, record: Reliability) -> None:
        if self.plot is None:
            return
        band = Band(self.band.currentData())  # Qt keeps the text alone
        if band is Band.ORDER and self._monotone is None:
            self._ask_for_order()
        opened = self._shell.opened
        self.plot.speak_of_answers(opened is not None and record.author in opened.models)
        self.plot.set_record(record, self._min_phrase_n, band, self._monotone, self._judged)
        curve_is_drawn = band is Band.ORDER or hedged_uses(record.phrases) >= self._min_phrase_n
        self.key.show_band(band if curve_is_drawn else None)
        in_words = figures.order(self._monotone) if band is Band.ORDER and self._monotone is not None else ""
        self.order.setText(in_words)
        self.order.setVisible(bool(in_words))

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

    @Slot()
    def _band_chosen(self, *_: object) -> None:
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
        """Highlight a phrase, '' for none."""
        if self.plot is not None and self.plot.isVisible():  # or it is about to be drawn
            self.plot.select(phrase)

    @Slot(object)
    def _hovered(self, text: str) -> None:
        self.readout.setText(text or self._resting_text())

    def _resting_text(self) -> str:
        if self._record is None or self._record.curve is None:
            return ""
        hedges = hedged_uses(self._record.phrases)
        if hedges < self._min_phrase_n and self.band.currentData() != Band.ORDER:
            return say(
                "No curve: it is drawn through hedges, needs {min} of them and has {n}.",
                min=self._min_phrase_n,
                n=whole(hedges),
            )
        return say("Point at the diagram to read its numbers; click a word to read the findings behind it.")

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
