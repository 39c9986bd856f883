"""What holds diagram and table of the page of reliability."""

from __future__ import annotations

from PySide6.QtWidgets import QBoxLayout, QWidget


class Beside(QWidget):
    """Diagram and table.  Beside each other they are as high as there is room; stacked, as high as their texts ask."""

    def hasHeightForWidth(self) -> bool:
        layout = self.layout()
        beside = isinstance(layout, QBoxLayout) and layout.direction() == QBoxLayout.Direction.LeftToRight
        return not beside and super().hasHeightForWidth()
