"""Common to all plots: marks read by pointer and keyboard, focus, and scheme colours.

A picture shows marks in reading order.  It provides their number (``count``), the mark at a position (``mark_at``), and
the values of each (``readout``); everything else is done here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from ui.kit.keyboard import is_about_to_escape
from ui.theme import SMALL, Colours, in_use, sized

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QFont, QKeyEvent, QMouseEvent, QPaintEvent

    _Widget = QWidget
else:
    _Widget = object  # mixed into the drawing widget: QWidget, QAbstractScrollArea or pyqtgraph's

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
CENTRE_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
CENTRE_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class Picture(_Widget):
    """A widget with individually readable marks.

    hovered: the readout of the mark at the pointer or keyboard position, '' for none
    """

    hovered = Signal(object)

    tooltip = False
    """Whether the readout is also shown as a tooltip."""
    opens = False
    """Whether Enter or a click activates a mark."""
    columns = 1
    """Marks per row of a grid."""
    usual_size = (640, 320)
    """The size hint in pixels."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        self.colours: Colours = in_use()  # before pyqtgraph changes its palette
        super().__init__(parent)
        self.current = -1
        """The current mark, -1 for none."""
        self.usage = ""
        """Keys beyond moving from mark to mark, for screen readers."""
        self.outlined = False
        """Whether the focus outline is drawn."""
        self._keyboard_at = -1
        self._text = ""
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)

    # --- defined by each picture -------------------------------------------------------------------

    @property
    def count(self) -> int:
        """The number of marks."""
        return 0

    def readout(self, number: int) -> str:
        """The values of a mark in one line."""
        return ""

    def mark_at(self, where: QPointF) -> int:
        """The mark at a pixel position, -1 for none."""
        return -1

    def readout_at(self, where: QPointF) -> str:
        """The readout at a pixel position without a mark."""
        return ""

    def summary(self) -> str:
        """The accessible description of the plot."""
        return ""

    def open_mark(self, number: int) -> None:
        """Activate a mark, by Enter or click."""

    def opens_at(self, where: QPointF, number: int) -> bool:
        """Whether a click on this mark, at this position, has an effect."""
        return self.opens and number >= 0

    def steps(self) -> dict[Qt.Key, tuple[int, int]]:
        """Key -> (marks, rows) moved."""
        key = Qt.Key
        return {key.Key_Left: (-1, 0), key.Key_Right: (1, 0), key.Key_Up: (0, -1), key.Key_Down: (0, 1)}

    def holds(self) -> bool:
        """Whether something is being dragged."""
        return False

    def let_go(self) -> None:
        """Cancel the drag."""

    def redraw(self) -> None:
        """Redraw everything in the current colours."""
        self.update()

    def show_current(self) -> None:
        """Called when the current mark or the focus changes."""
        self.update()

    # --- shared by all -----------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        return QSize(*self.usual_size)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.colours is not in_use():
            self.colours = in_use()
            self.redraw()

    def small(self, *, strong: bool = False) -> QFont:
        """The font of labels."""
        return sized(self.font(), SMALL, strong=strong)

    def metrics(self) -> QFontMetricsF:
        """The metrics of the label font."""
        return QFontMetricsF(self.small())

    def start_over(self, keyboard_at: int = -1) -> None:
        """Reset after a change of marks: none is current; the keyboard starts at ``keyboard_at``."""
        self._keyboard_at = keyboard_at
        self.point_at(-1)
        self._say("")

    def point_at(self, number: int) -> None:
        """Read out a mark, -1 for none."""
        self._read(number, self.readout(number) if number >= 0 else "")

    def go_to(self, number: int) -> None:
        """Read out a mark by keyboard, which continues from there."""
        self._keyboard_at, self.outlined = number, self.hasFocus()
        self.point_at(number)

    def hide_pointer(self) -> None:
        """Hide pointer and focus marks, which do not belong in copies and exports."""
        self.outlined = False
        self.point_at(-1)

    def _read(self, number: int, text: str) -> None:
        if number != self.current:
            self.current = number
            self.show_current()
        if text != self._text:
            self._say(text)
            self.hovered.emit(text)

    def _say(self, text: str) -> None:
        self._text = text
        self.setAccessibleDescription("\n".join(filter(None, (text or self.summary(), self.usage))))

    def _moved(self, where: QPointF) -> None:
        number = self.mark_at(where)
        text = self.readout(number) if number >= 0 else self.readout_at(where)
        self._pointed(number, text)
        self.set_cursor(where, number)
        if self.tooltip and text:
            QToolTip.showText(self.mapToGlobal(where.toPoint()), text, self)
        elif self.tooltip:
            QToolTip.hideText()

    def _pointed(self, number: int, text: str) -> None:
        """Read out the mark under the pointer, else the keyboard's mark."""
        if not text and self.hasFocus() and 0 <= self._keyboard_at < self.count:
            number, text = self._keyboard_at, self.readout(self._keyboard_at)
        self._read(number, text)

    def set_cursor(self, where: QPointF, number: int) -> None:
        """Set the cursor shape for this mark at this position."""
        hand = self.opens_at(where, number)
        self.setCursor(Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._moved(event.position())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        event.accept()  # so that the release event is delivered here

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        event.accept()
        number = self.mark_at(event.position())
        if self.opens and number >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.go_to(number)
            self.open_mark(number)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._pointed(-1, "")
        if self.tooltip:
            QToolTip.hideText()

    def event(self, event: QEvent) -> bool:
        """Escape cancels a drag first."""
        if is_about_to_escape(event) and self.holds():
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if self.holds():
            if key == Qt.Key.Key_Escape:
                self.let_go()
        elif (number := self._led_to(Qt.Key(key))) >= 0:
            self.go_to(number)
        elif self.opens and self.current >= 0 and key in ENTER:
            self.open_mark(self.current)
        else:
            event.ignore()

    def _led_to(self, key: Qt.Key) -> int:
        """The mark a key moves to, -1 for none."""
        last, columns = self.count - 1, self.columns
        if last >= 0 and key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            return 0 if key == Qt.Key.Key_Home else last
        step = self.steps().get(key)
        if last < 0 or step is None:
            return -1
        now = self.current if self.current >= 0 else self._keyboard_at
        if now < 0:
            return 0
        on, down = step
        now = min(max(now + on, 0), last)
        row = min(max(now // columns + down, 0), last // columns)
        return min(row * columns + now % columns, last)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.outlined = True
        reason, came = Qt.FocusReason, event.reason()
        # Focus by click or window activation does not select a mark.
        first = -1 if came in (reason.MouseFocusReason, reason.ActiveWindowFocusReason) else 0
        at = min(max(self._keyboard_at, first), self.count - 1)
        if at >= 0 and came != reason.MouseFocusReason:
            self.go_to(at)
        self.show_current()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.outlined = False
        self.point_at(-1)
        self.show_current()

    def draw_focus(self, painter: QPainter, frame: QRect | QRectF) -> None:
        """The focus outline."""
        painter.setPen(QPen(QColor(self.colours.accent), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(frame.adjusted(1, 1, -1, -1))


class Painting(Picture, QWidget):
    """A plot painted with QPainter."""

    tooltip = True

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.small())
        self.draw(painter)
        if self.outlined:
            self.draw_focus(painter, self.rect())
        painter.end()

    def draw(self, painter: QPainter) -> None:
        """Draw everything; the painter has the label font."""
