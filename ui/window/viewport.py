"""What a window shows of its content where the screen is smaller than that."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget


class Viewport(QScrollArea):
    """Shows all of its content where there is room for ``least``, else a part that follows the keyboard."""

    def __init__(self, content: QWidget, least: QSize, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        canvas = _Canvas(content)
        canvas.setMinimumSize(least)
        self.setWidget(canvas)


class _Canvas(QWidget):
    """As large as it is made: a layout would ask for the height at which no page has to scroll."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self._content = content
        content.setParent(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._content.setGeometry(self.rect())
