"""Rows and columns of widgets, made in one call."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLayout, QScrollArea, QVBoxLayout, QWidget

Part = QWidget | QLayout | int | tuple[QWidget | QLayout | None, int] | tuple[QWidget, int, Qt.AlignmentFlag] | None
"""A widget or layout, alone or with stretch and alignment; pixels of empty space; None for space that stretches."""
Margins = tuple[int, int, int, int] | None
"""Left, top, right, bottom, in pixels; None for those of the style, as a spacing of -1 is."""


def hbox(*parts: Part, parent: QWidget | None = None, margins: Margins = (0, 0, 0, 0), spacing: int = 8) -> QHBoxLayout:
    """The parts left to right; ``parent``: the widget laid out this way."""
    layout = QHBoxLayout()
    _fill(layout, parts, parent, margins, spacing)
    return layout


def vbox(*parts: Part, parent: QWidget | None = None, margins: Margins = (0, 0, 0, 0), spacing: int = 8) -> QVBoxLayout:
    """The parts top to bottom; ``parent``: the widget laid out this way."""
    layout = QVBoxLayout()
    _fill(layout, parts, parent, margins, spacing)
    return layout


def panel(layout: QLayout) -> QWidget:
    """A widget with this layout."""
    made = QWidget()
    made.setLayout(layout)
    return made


def card(layout: QLayout) -> QFrame:
    """A framed widget with this layout."""
    made = QFrame()
    made.setObjectName("card")
    made.setLayout(layout)
    return made


_REFITTED = 8
"""How often the content of an area is fitted again while it is being fitted."""


class ScrollArea(QScrollArea):
    """A scroll area whose content may need another size as soon as it has one.

    Qt fits the content anew within each of its resizes.  Where one size calls for another and that for the first, as
    wrapped texts beside a scroll bar can, it does so until the stack is full.  Here it ends after a few times.
    """

    _fitting = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.Resize:
            return super().eventFilter(watched, event)
        if self._fitting >= _REFITTED:
            return False
        self._fitting += 1
        try:
            return super().eventFilter(watched, event)
        finally:
            self._fitting -= 1


def scrolled(
    content: QWidget, area: ScrollArea | None = None, *, sideways: bool = False, focusable: bool = False
) -> ScrollArea:
    """The content in a frameless area (``area``, or a new one) that scrolls vertically.

    sideways: it scrolls horizontally, too
    focusable: the area takes the keyboard focus, for content without controls
    """
    scroll = area if area is not None else ScrollArea()
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    scroll.setWidgetResizable(True)
    if not focusable:
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    if not sideways:
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scroll.setWidget(content)
    for transparent in (scroll.viewport(), content):
        transparent.setAutoFillBackground(False)
    return scroll


def _fill(layout: QBoxLayout, parts: tuple[Part, ...], parent: QWidget | None, margins: Margins, spacing: int) -> None:
    if parent is not None:
        parent.setLayout(layout)
    if margins is not None:
        layout.setContentsMargins(*margins)
    layout.setSpacing(spacing)
    for part in parts:
        match part:
            case None:
                layout.addStretch(1)
            case (None, stretch):
                layout.addStretch(stretch)
            case int():
                layout.addSpacing(part)
            case (QWidget() as widget, stretch):
                layout.addWidget(widget, stretch)
            case (QWidget() as widget, stretch, alignment):
                layout.addWidget(widget, stretch, alignment)
            case (QLayout() as inner, stretch):
                layout.addLayout(inner, stretch)
            case QWidget():
                layout.addWidget(part)
            case QLayout():
                layout.addLayout(part)
