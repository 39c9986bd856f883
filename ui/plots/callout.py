"""A small box beside the pointer or the focused mark with the effect of a change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPen

from ui.theme import SMALL, sized

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFont, QPainter

    from ui.theme import Colours

_ASIDE, _ABOVE, _PAD = 16.0, 6.0, (8.0, 4.0)


def draw_callout(
    painter: QPainter, lines: Sequence[str], at: QPointF, seen: QRectF, colours: Colours, font: QFont
) -> QRectF:
    """Draw the lines above and beside ``at``, inside ``seen``; the first is bold.  Returns the box, in pixels.

    seen: the visible part of the picture; if it is too small, the box is aligned to its left and top
    """
    strong, plain = sized(font, SMALL, strong=True), sized(font, SMALL)
    rooms = []
    for i, line in enumerate(lines):
        painter.setFont(plain if i else strong)
        rooms.append(painter.fontMetrics().boundingRect(line))
    width = max(room.width() for room in rooms) + 2 * _PAD[0]
    box = QRectF(0, 0, width, sum(room.height() for room in rooms) + 2 * _PAD[1])
    box.moveTopLeft(QPointF(at.x() + _ASIDE, at.y() - box.height() - _ABOVE))
    if box.right() > seen.right() - 4.0:
        # Left of the pointer, so as not to cover its target.
        box.moveRight(at.x() - _ASIDE)
    box.moveLeft(min(max(box.left(), seen.left() + 4.0), max(seen.right() - 4.0 - width, seen.left() + 4.0)))
    if box.top() < seen.top() + 2.0:
        below = at.y() + _ASIDE
        box.moveTop(below if below + box.height() <= seen.bottom() else seen.top() + 2.0)
    painter.setPen(QPen(QColor(colours.line), 1))
    painter.setBrush(QColor(colours.surface))
    painter.drawRoundedRect(box, 4, 4)
    painter.setPen(QColor(colours.text))
    row = QRectF(box.left() + _PAD[0], box.top() + _PAD[1], width, 0)
    for i, (text, room) in enumerate(zip(lines, rooms, strict=True)):
        painter.setFont(plain if i else strong)
        row.setHeight(room.height())
        painter.drawText(row, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        row.moveTop(row.bottom())
    return box
