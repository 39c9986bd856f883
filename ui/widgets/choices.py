"""Combo boxes to choose from, and controls with their labels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from ui.widgets.labels import caption
from ui.widgets.layouts import hbox


def choice(name: str, *items: tuple[str, Any]) -> QComboBox:
    """A combo box as wide as its items, each a text and its data."""
    box = QComboBox()
    box.setAccessibleName(name)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    for text, data in items:
        box.addItem(text, data)
    return box


def offer(box: QComboBox, items: Iterable[tuple[str, Any]], chosen: Any = None) -> bool:
    """Offer other items, each a text and its data, without a signal.

    Args:
        chosen: the data of the item to choose; None for what is chosen now.

    Returns:
        Whether that is among them; if not, the first is chosen.
    """
    wanted = box.currentData() if chosen is None else chosen
    with QSignalBlocker(box):
        box.clear()
        for text, data in items:
            box.addItem(text, data)
        place = box.findData(wanted)
        box.setCurrentIndex(max(0, place))
    return place >= 0


def labelled(text: str, widget: QWidget) -> QHBoxLayout:
    """A control with its label before it and a gap behind it."""
    return hbox(caption(text, widget), widget, 8)
