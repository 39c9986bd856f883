"""The wheel scrolls pages: it never changes what is chosen in a field that lies under the pointer."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPointF, Slot
from PySide6.QtGui import QGuiApplication, QWheelEvent, QWindow
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QScrollBar,
    QTabBar,
    QWidget,
)

_FIELDS = (QComboBox, QAbstractSpinBox, QAbstractSlider, QTabBar)


class WheelGuard(QObject):
    """Watches what the system sends to the application's windows; the opened list of a field is a window of its own."""

    def __init__(self, app: QGuiApplication) -> None:
        super().__init__(app)
        app.focusWindowChanged.connect(self.watch)

    @Slot(QWindow)
    def watch(self, window: QWindow | None) -> None:
        """Guard the fields of a window from now on."""
        if window is not None:
            window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.Wheel or not isinstance(event, QWheelEvent):
            return False
        field = _field_at(event)
        if field is None:
            return False
        area = field.parentWidget()
        while area is not None and not isinstance(area, QAbstractScrollArea):
            area = area.parentWidget()
        if area is not None:
            _scroll(area.viewport(), event)
        return True


def _field_at(event: QWheelEvent) -> QWidget | None:
    """The field that the event would change."""
    widget = QApplication.widgetAt(event.globalPosition().toPoint())
    while widget is not None:
        if isinstance(widget, _FIELDS) and not isinstance(widget, QScrollBar):
            return widget
        if isinstance(widget, QAbstractScrollArea):
            return None
        widget = widget.parentWidget()
    return None


def _scroll(viewport: QWidget, event: QWheelEvent) -> None:
    """Have an area scroll instead."""
    at = QPointF(viewport.mapFromGlobal(event.globalPosition().toPoint()))
    QApplication.sendEvent(
        viewport,
        QWheelEvent(
            at,
            event.globalPosition(),
            event.pixelDelta(),
            event.angleDelta(),
            event.buttons(),
            event.modifiers(),
            event.phase(),
            event.inverted(),
        ),
    )
