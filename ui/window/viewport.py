"""A view of the window's content on small screens."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from ui.kit.layout import ScrollArea


class Viewport(ScrollArea):
    """Shows all of its content if ``least`` fits, else a part that follows the focus."""

    def __init__(self, content: QWidget, least: QSize, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(ScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        canvas = _Canvas(content)
        canvas.setMinimumSize(least)
        self.setWidget(canvas)


class _Canvas(QWidget):
    """Keeps its given size: a layout would request the height at which no page scrolls."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self._content = content
        content.setParent(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._content.setGeometry(self.rect())
