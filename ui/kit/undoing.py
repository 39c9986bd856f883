"""Undo: the command that most pages use, and fields that leave undo to their page."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence, QUndoCommand
from PySide6.QtWidgets import QLineEdit, QWidget

T = TypeVar("T")


class Edit(QUndoCommand, Generic[T]):
    """Replace one immutable value by another; ``show`` displays either."""

    def __init__(self, text: str, before: T, after: T, show: Callable[[T], object]) -> None:
        super().__init__(text)
        self.before, self.after = before, after
        self._show = show

    def redo(self) -> None:
        self._show(self.after)

    def undo(self) -> None:
        self._show(self.before)


class Step(Edit[T]):
    """An edit that is undone together with those before it of the same ``key``; '' stands alone."""

    def __init__(self, text: str, before: T, after: T, show: Callable[[T], object], key: str) -> None:
        super().__init__(text, before, after, show)
        self._id = zlib.crc32(key.encode()) & 0x7FFFFFFF if key else -1

    def id(self) -> int:
        return self._id

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, Step):
            return False
        self.after = other.after
        return True


def is_about_to_undo(event: QEvent) -> bool:
    """Whether a field is asked to handle an undo or redo key; ignoring the event leaves it to the page."""
    return (
        event.type() == QEvent.Type.ShortcutOverride
        and isinstance(event, QKeyEvent)
        and any(event.matches(key) for key in (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo))
    )


class UndoOnward(QObject):
    """Forwards undo to the page when a field has nothing left to undo; a child of the page.

    Fields handle undo and redo keys themselves.  A spin box is represented by its line edit.
    """

    def __init__(self, page: QWidget, *fields: QWidget) -> None:
        super().__init__(page)
        for field in fields:
            field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the keys to the window if the field cannot use them."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            line = watched if isinstance(watched, QLineEdit) else watched.findChild(QLineEdit)
            if line is not None and (
                (event.matches(QKeySequence.StandardKey.Undo) and not line.isUndoAvailable())
                or (event.matches(QKeySequence.StandardKey.Redo) and not line.isRedoAvailable())
            ):
                event.ignore()
                return True
        return super().eventFilter(watched, event)
