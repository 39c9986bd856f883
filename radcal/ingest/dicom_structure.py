"""Whether the elements, sequences and items of a DICOM data set fit into each other, to the last byte.

A library reads what is there of a damaged data set; half a report must not pass for a whole one.

Source: DICOM PS3.5, chapter 7.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

_LONG = frozenset((b"OB", b"OD", b"OF", b"OL", b"OV", b"OW", b"SQ", b"SV", b"UC", b"UN", b"UR", b"UT", b"UV"))
"""Value representations with a length of four bytes, behind two that are reserved."""
_UNDEFINED = 0xFFFFFFFF
_ITEM, _END_OF_ITEM, _END_OF_SEQUENCE = 0xFFFEE000, 0xFFFEE00D, 0xFFFEE0DD
_PIXELS = 0x7FE00000
_DEEPEST = 400


def is_whole(data: bytes, start: int, is_sequence: Callable[[int], bool]) -> bool:
    """Whether a data set from ``start`` to the end of a file is whole; what comes behind pixels is not looked at.

    Args:
        is_sequence: whether the element of a tag is a sequence, which implicit encoding leaves to the dictionary
    """
    big = data[start : start + 1] == b"\0" and data[start + 1 : start + 2] != b"\0"
    order: Literal["big", "little"] = "big" if big else "little"
    explicit = data[start + 4 : start + 6].isalpha() and data[start + 4 : start + 6].isupper()

    def number(at: int, size: int = 4) -> int:
        return int.from_bytes(data[at : at + size], order)

    # Of each open sequence and item: whether it is a sequence, where it ends (-1 if a mark ends it), where it must.
    todo: list[tuple[bool, int, int]] = [(False, len(data), len(data))]
    at = start
    while todo:
        of_items, end, limit = todo[-1]
        if at == end:
            todo.pop()
            continue
        if at + 8 > limit or len(todo) > _DEEPEST:
            return False
        tag = number(at, 2) << 16 | number(at + 2, 2)
        if of_items:
            size = number(at + 4)
            at += 8
            if tag == _END_OF_SEQUENCE and end < 0:
                todo.pop()
                continue
            if tag != _ITEM:
                return False
            inner = -1 if size == _UNDEFINED else at + size
            if inner > limit:
                return False
            todo.append((False, inner, limit if inner < 0 else inner))
            continue
        if tag == _END_OF_ITEM and end < 0:
            todo.pop()
            at += 8
            continue
        if len(todo) == 1 and (tag >= _PIXELS or not any(data[at:])):
            return True
        kind = data[at + 4 : at + 6]
        if not explicit:
            size, value = number(at + 4), at + 8
        elif kind in _LONG:
            size, value = number(at + 8), at + 12
        else:
            size, value = number(at + 6, 2), at + 8
        if kind == b"SQ" if explicit else size == _UNDEFINED or is_sequence(tag):
            inner = -1 if size == _UNDEFINED else value + size
            if inner > limit:
                return False
            todo.append((True, inner, limit if inner < 0 else inner))
            at = value
        elif size == _UNDEFINED or value + size > limit:
            return False
        else:
            at = value + size
    return at == len(data)
