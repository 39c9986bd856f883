"""Rows and columns of widgets, and areas that scroll, in one call each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLayout, QScrollArea, QVBoxLayout, QWidget

Box = TypeVar("Box", bound=QBoxLayout)
Part = QWidget | QLayout | int | tuple[Any, ...]
"""A widget or layout, alone or with its stretch factor and alignment; a number is empty space that stretches."""
Margins = tuple[int, int, int, int]
NO_MARGINS: Margins = (0, 0, 0, 0)


def row(*parts: Part, into: QWidget | None = None, margins: Margins = NO_MARGINS, spacing: int = 8) -> QHBoxLayout:
    """The parts from left to right, as the layout of the widget ``into`` if given."""
    return _filled(QHBoxLayout(), parts, into, margins, spacing)


def column(*parts: Part, into: QWidget | None = None, margins: Margins = NO_MARGINS, spacing: int = 8) -> QVBoxLayout:
    """The parts from top to bottom, as the layout of the widget ``into`` if given."""
    return _filled(QVBoxLayout(), parts, into, margins, spacing)


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


def scrolling(content: QWidget, area: QScrollArea | None = None, *, focusable: bool = False) -> QScrollArea:
    """Make the area, by default a new one, scroll the content, without a frame.

    focusable: the area takes the keyboard focus, for content without controls
    """
    area = area or QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    if not focusable:
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(content)
    for transparent in (area.viewport(), content):
        transparent.setAutoFillBackground(False)
    return area


def _filled(box: Box, parts: Iterable[Part], into: QWidget | None, margins: Margins, spacing: int) -> Box:
    if into is not None:
        into.setLayout(box)
    box.setContentsMargins(*margins)
    box.setSpacing(spacing)
    for part in parts:
        if isinstance(part, int):
            box.addStretch(part)
            continue
        item, *placing = part if isinstance(part, tuple) else (part,)
        if isinstance(item, QLayout):
            box.addLayout(item, *placing)
        else:
            box.addWidget(item, *placing)
    return box
