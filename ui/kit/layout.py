"""Rows, columns, tabs and scrolling areas of widgets, made in one call."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QScrollArea,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from ui.theme import px

Item = QWidget | QLayout | int | tuple[QWidget | QLayout | None, int] | tuple[QWidget, int, Qt.AlignmentFlag] | None
"""What is laid out: a widget or layout, alone or with stretch and alignment; pixels of space; None for a stretch."""
Margins = tuple[int, int, int, int] | None
"""Left, top, right, bottom, in pixels; None for those of the style, as a spacing of -1 is."""


def hbox(*parts: Item, parent: QWidget | None = None, margins: Margins = (0, 0, 0, 0), spacing: int = 8) -> QHBoxLayout:
    """The parts left to right; ``parent``: the widget laid out this way."""
    layout = QHBoxLayout()
    _fill(layout, parts, parent, margins, spacing)
    return layout


def vbox(*parts: Item, parent: QWidget | None = None, margins: Margins = (0, 0, 0, 0), spacing: int = 8) -> QVBoxLayout:
    """The parts top to bottom; ``parent``: the widget laid out this way."""
    layout = QVBoxLayout()
    _fill(layout, parts, parent, margins, spacing)
    return layout


def panel(layout: QLayout) -> QWidget:
    """A widget with this layout."""
    made = QWidget()
    made.setLayout(layout)
    return made


def card(layout: QLayout | None = None) -> QFrame:
    """A framed widget with this layout, or with none yet."""
    made = QFrame()
    made.setObjectName("card")
    if layout is not None:
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


def _fill(layout: QBoxLayout, parts: tuple[Item, ...], parent: QWidget | None, margins: Margins, spacing: int) -> None:
    if parent is not None:
        parent.setLayout(layout)
    if margins is not None:
        layout.setContentsMargins(*map(px, margins))
    layout.setSpacing(px(spacing) if spacing > 0 else spacing)
    for part in parts:
        match part:
            case None:
                layout.addStretch(1)
            case (None, stretch):
                layout.addStretch(stretch)
            case int():
                layout.addSpacing(px(part))
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


class FlowLayout(QLayout):
    """Lays out widgets left to right, then below.

    Remembers its height for each width, which the layouts around it ask for again and again.
    Source: after the flow layout of the Qt examples, reduced to what is used here.
    """

    def __init__(self, parent: QWidget | None = None, spacing: int = 4) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._heights: dict[int, int] = {}
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(px(spacing))

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def invalidate(self) -> None:
        self._heights.clear()
        super().invalidate()

    def heightForWidth(self, width: int) -> int:
        height = self._heights.get(width)
        if height is None:
            height = self._heights[width] = self._place(QRect(0, 0, width, 0), moves=False)
        return height

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, moves=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _place(self, rect: QRect, *, moves: bool) -> int:
        """The height needed; ``moves``: put the items there, those of a row as high as the highest of them."""
        y, gap = rect.y(), self.spacing()
        for row in self._rows(rect.width()):
            x, height = rect.x(), max(item.sizeHint().height() for item in row)
            for item in row:
                width = item.sizeHint().width()
                if moves:
                    item.setGeometry(QRect(QPoint(x, y), QSize(width, height)))
                x += width + gap
            y += height + gap
        return max(y - gap, rect.y()) - rect.y()

    def _rows(self, width: int) -> list[list[QLayoutItem]]:
        rows: list[list[QLayoutItem]] = []
        x = 0
        for item in self._items:
            if item.isEmpty():
                continue
            needed = item.sizeHint().width()
            if not rows or x + needed > width:
                rows.append([])
                x = 0
            rows[-1].append(item)
            x += needed + self.spacing()
        return rows


class Tabs(QTabWidget):
    """A QTabWidget in which a tab that is shown again is really there.

    name: for screen readers;  document: without a frame around the pages
    """

    def __init__(self, name: str, *, document: bool = True) -> None:
        super().__init__()
        self.setDocumentMode(document)
        for part in (self, self.tabBar()):
            part.setAccessibleName(name)

    def setTabVisible(self, index: int, visible: bool) -> None:
        # Qt forgets that its tabs must be laid out anew when it is told of one of them what is so already.
        if visible != self.isTabVisible(index):
            super().setTabVisible(index, visible)
