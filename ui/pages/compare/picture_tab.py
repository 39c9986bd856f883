"""A view of the comparison: its plot with the legend, or a text instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QScrollArea, QWidget

from ui.pages.compare.key import ComparedKey, ComparisonMark
from ui.widgets.labels import label, wrapped
from ui.widgets.layouts import hbox, vbox
from ui.widgets.pictures import PictureCard
from ui.words import say, typographic

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QResizeEvent

    from ui.plots.chart import Chart
    from ui.shell import Shell
    from ui.theme import Colours

Plot = TypeVar("Plot", bound="Chart")
_CARD = 1000
"""Stretch of the plot, over that of the space below it."""


class PictureTab(QScrollArea, Generic[Plot]):
    """A plot in a card with legend, readout and summary; or a text instead."""

    def __init__(self, shell: Shell, make: Callable[[], Plot], *controls: QHBoxLayout) -> None:
        super().__init__()
        self._shell, self._make = shell, make
        self.plot: Plot | None = None
        self._withheld = ""
        self._lines = controls
        self._controls = hbox(*controls, None)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.key = ComparedKey()
        self.readout = label(role="muted")
        self.readout.setWordWrap(True)
        self.about = wrapped()
        self.text = wrapped(say("Comparing\u2026"), role="muted")
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.card: PictureCard | None = None
        inner = QWidget()
        # The last stretch is the space below a plot of few rows.
        parts = (self.about, self.key, self.readout, (self.text, _CARD), None)
        self._layout = vbox(*parts, parent=inner, margins=(0, 12, 0, 0))
        if controls:
            self._layout.insertLayout(0, self._controls)
        for widget in (self.about, self.key, self.readout):
            widget.hide()
        self.setWidget(inner)
        inner.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stack controls that do not fit side by side."""
        super().resizeEvent(event)
        width = sum(line.sizeHint().width() + self._controls.spacing() for line in self._lines)
        beside = width <= self.viewport().width()
        direction = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        if direction != self._controls.direction():
            self._controls.setDirection(direction)

    def picture(self) -> Plot:
        """The plot, made when first wanted: its library is slow to import."""
        if self.plot is None:
            self.plot = self._make()
            self.plot.set_colours(self._shell.colours)
            self.plot.hovered.connect(self.show_readout)
            self.card = PictureCard(self.plot, self._shell)
            self.card.withhold(self._withheld)
            self._layout.insertWidget(self._layout.count() - 2, self.card, _CARD)
        return self.plot

    def withhold(self, why: str) -> None:
        """As :meth:`PictureCard.withhold`."""
        self._withheld = why
        if self.card is not None:
            self.card.withhold(why)

    def limit(self, height: int) -> None:
        """Limit the height of a plot with few rows."""
        if self.card is not None:
            self.card.setMaximumHeight(height)

    def set_colours(self, colours: Colours) -> None:
        self.key.set_colours(colours)
        if self.plot is not None:
            self.plot.set_colours(colours)

    def show_picture(self, name: str, about: str, *entries: tuple[ComparisonMark, str]) -> None:
        """Show the plot, under this accessible name, with legend and summary."""
        if self.card is not None:
            self.card.set_name(name)
        self.key.set_entries(*entries)
        self.about.setText(typographic(about))
        self.show_readout("")
        self._show_parts(True)

    def show_text(self, text: str) -> None:
        """Show why there is no plot."""
        self.text.setText(text)
        self._show_parts(False)

    def _show_parts(self, picture: bool) -> None:
        for widget in (self.card, self.key, self.readout):
            if widget is not None:
                widget.setVisible(picture)
        self.about.setVisible(picture and bool(self.about.text()))
        self.text.setVisible(not picture)

    @Slot(object)
    def show_readout(self, text: str) -> None:
        """Show the values under the pointer."""
        self.readout.setText(text or say("Point at the picture, or use the arrow keys on it, to read its numbers."))
