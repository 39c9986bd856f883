"""A plot beside a table, or above it in a narrow window."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QSplitter, QWidget

NARROW = 860
"""Width below which the table goes under the plot."""
_SHARES = (5, 7)
"""Of the width, for plot and table; all columns of the table are visible then."""
_DIALOG = (1060, 680)


class SideBySide(QSplitter):
    """Plot and table, which the user can resize."""

    def __init__(self, *parts: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(12)
        for place, (part, share) in enumerate(zip(parts, _SHARES, strict=True)):
            self.addWidget(part)
            self.setStretchFactor(place, share)
        self.setSizes([share * NARROW for share in _SHARES])

    def stack(self, narrow: bool) -> None:
        """Put the table below the plot, or beside it."""
        self.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)


def fit(dialog: QDialog) -> None:
    """Give a dialog with a plot and a table the room that they want, as far as the screen has it."""
    room = dialog.screen().availableSize()
    dialog.resize(min(_DIALOG[0], room.width() - 40), min(_DIALOG[1], room.height() - 80))
