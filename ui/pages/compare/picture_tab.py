"""A view of the comparison: its plot with the legend, or a text instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from ui.pages.compare.key import ComparedKey, ComparisonMark
from ui.widgets.labels import label, wrapped
from ui.words import say, typographic

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from ui.widgets.pictures import PictureCard


_CARD = 1000
"""Stretch of the picture over that of the room below it."""


class PictureTab(QScrollArea):
    """A plot in a card with legend, readout and summary; or a text instead."""

    def __init__(self, *controls: QHBoxLayout) -> None:
        super().__init__()
        self._controls = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._controls.setSpacing(8)
        self._lines = controls
        for line in controls:
            self._controls.addLayout(line)
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
        self._layout = QVBoxLayout(inner)
        self._layout.setContentsMargins(0, 12, 0, 0)
        self._layout.setSpacing(8)
        if controls:
            self._controls.addStretch(1)
            self._layout.addLayout(self._controls)
        for widget in (self.about, self.key, self.readout):
            self._layout.addWidget(widget)
            widget.hide()
        self._layout.addWidget(self.text, _CARD)
        self._layout.addStretch(1)  # what a picture of few rows leaves
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

    def set_picture(self, card: PictureCard) -> None:
        """Insert the plot; called once."""
        self.card = card
        self._layout.insertWidget(self._layout.count() - 2, card, _CARD)

    def limit(self, height: int) -> None:
        """Limit the height of a plot with few rows."""
        if self.card is not None:
            self.card.setMaximumHeight(height)

    def name(self, text: str) -> None:
        """Set the plot's accessible name."""
        if self.card is not None:
            self.card.set_name(text)

    def show_picture(self, about: str, *entries: tuple[ComparisonMark, str]) -> None:
        """Show the plot with legend and summary."""
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
