"""Where the text of a stop stands: beside what it points at, and never over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QPoint, QRect, QSize

GAP = 16
"""Pixels between the text and what it points at: room for the arrow."""
_LEAST = 24
"""Pixels of a place that are worth pointing at, each way."""
_WHOLE, _CUT = 0.02, 0.35
"""Shares of a place that may be given up: where it counts as whole, and for the side that is preferred."""

_DOWN = 2 / 3
"""How far down a place the text beside it is: what is worth reading there, too, is higher up."""


class Side(Enum):
    """Where the text stands, seen from what it points at; in order of preference where all of that stays in sight."""

    RIGHT = 1, 0
    LEFT = -1, 0
    BELOW = 0, 1
    ABOVE = 0, -1


@dataclass(frozen=True, slots=True)
class Placed:
    """Where the text stands, and what it points at; side None: at nothing, so that ``hole`` is empty.

    cut: the share of the place that had to be given up, 0-1
    """

    box: QRect
    hole: QRect
    side: Side | None
    cut: float = 0.0


def placed(place: QRect, sizes: Sequence[QSize], room: QRect) -> Placed:
    """A text in one of several sizes, preferably the first, beside a place, both within the room.

    Where there is not enough space beside the place, it points at a part of it: the text never lies over what it
    points at.  In a room that is too small for both it points at nothing.
    """
    place = place.intersected(room)
    found = [
        Placed(_beside(hole, size, room, side), hole, side, cut)
        for size in sizes
        for side in Side
        for cut, hole in [_left_of(place, size, room, side)]
        if _shows(hole)
    ]
    return min(found, key=_rank, default=in_the_middle(sizes[0], room))


def in_the_middle(size: QSize, room: QRect) -> Placed:
    """The text in the middle of the room, pointing at nothing."""
    box = QRect(QPoint(0, 0), size)
    box.moveCenter(room.center())
    return Placed(_within(box, room), QRect(), None)


def in_the_corner(size: QSize, room: QRect) -> Placed:
    """The text in the lower right corner of the room, out of the way."""
    box = QRect(QPoint(0, 0), size)
    box.moveBottomRight(room.bottomRight())
    return Placed(_within(box, room), QRect(), None)


def in_the_same_place(before: Placed, size: QSize, room: QRect) -> Placed:
    """The text where it stood before, pointing at nothing."""
    return Placed(_within(QRect(before.box.topLeft(), size), room), QRect(), None)


def _left_of(place: QRect, size: QSize, room: QRect, side: Side) -> tuple[float, QRect]:
    """The share of a place that has to be given up for a text on this side, and what is left of it."""
    hole = QRect(place)
    width, height = size.width() + GAP, size.height() + GAP
    match side:
        case Side.RIGHT:
            hole.setRight(min(place.right(), room.right() - width))
        case Side.LEFT:
            hole.setLeft(max(place.left(), room.left() + width))
        case Side.BELOW:
            hole.setBottom(min(place.bottom(), room.bottom() - height))
        case Side.ABOVE:
            hole.setTop(max(place.top(), room.top() + height))
    area = place.width() * place.height()
    fits = size.width() <= room.width() and size.height() <= room.height()
    if not fits or not hole.isValid() or not area:
        return 1.0, QRect()
    return 1.0 - hole.width() * hole.height() / area, hole


def _rank(one: Placed) -> tuple[bool, bool, bool, float]:
    """Whole before cut, cut a little before cut much, then from below, then as little as possible.

    What a page is about stands at its head: of a place that is too large, rather the lower part is given up.
    """
    return one.cut > _WHOLE, one.cut > _CUT, one.cut > _WHOLE and one.side is not Side.BELOW, max(one.cut, _WHOLE)


def _shows(hole: QRect) -> bool:
    return min(hole.width(), hole.height()) >= _LEAST // 2 and max(hole.width(), hole.height()) >= _LEAST


def _beside(hole: QRect, size: QSize, room: QRect, side: Side) -> QRect:
    box = QRect(QPoint(0, 0), size)
    box.moveCenter(QPoint(hole.center().x(), hole.top() + round(_DOWN * hole.height())))
    match side:
        case Side.RIGHT:
            box.moveLeft(hole.right() + 1 + GAP)
        case Side.LEFT:
            box.moveRight(hole.left() - 1 - GAP)
        case Side.BELOW:
            box.moveTop(hole.bottom() + 1 + GAP)
        case Side.ABOVE:
            box.moveBottom(hole.top() - 1 - GAP)
    return _within(box, room)


def _within(box: QRect, room: QRect) -> QRect:
    """The box moved into the room; if it is too large, to the room's left and top."""
    box.moveLeft(max(min(box.left(), room.right() + 1 - box.width()), room.left()))
    box.moveTop(max(min(box.top(), room.bottom() + 1 - box.height()), room.top()))
    return box
