"""How wide the columns of the table of phrases are."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTableView

from ui.pages.reliability.models import Column

_WIDTHS = ((Column.PHRASE, 124), (Column.SAID, 56), (Column.CONFIRMED, 80), (Column.MEANING, 116))
_AROUND_NAME = 20
"""Pixels beside the name of a column."""


def set_widths(table: QTableView) -> None:
    """Every column as wide as its name, without the room for the arrow of sorting; the rest is for the intervals."""
    header = table.horizontalHeader()
    header.setStretchLastSection(False)
    names = header.fontMetrics()
    for column, width in _WIDTHS:
        name = str(table.model().headerData(column, Qt.Orientation.Horizontal))
        header.resizeSection(column, max(width, names.horizontalAdvance(name) + _AROUND_NAME))
    header.setSectionResizeMode(Column.RATE, QHeaderView.ResizeMode.Stretch)
