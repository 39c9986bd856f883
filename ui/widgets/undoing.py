"""Undo: the edit that most pages make, and fields that hand undo on to their page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence, QUndoCommand
from PySide6.QtWidgets import QLineEdit, QWidget

T = TypeVar("T")


class Edit(QUndoCommand, Generic[T]):
    """From one value to another, which are never changed themselves; ``show`` puts either in place."""

    def __init__(self, text: str, before: T, after: T, show: Callable[[T], object]) -> None:
        super().__init__(text)
        self.before, self.after = before, after
        self._show = show

    def redo(self) -> None:
        self._show(self.after)

    def undo(self) -> None:
        self._show(self.before)


def is_about_to_undo(event: QEvent) -> bool:
    """Whether a field is asked if it keeps a key of undo or redo; one that ignores the event leaves it to the page."""
    return (
        event.type() == QEvent.Type.ShortcutOverride
        and isinstance(event, QKeyEvent)
        and any(event.matches(key) for key in (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo))
    )


class UndoOnward(QObject):
    """Hands undo on to the page where nothing typed into a field is left to be undone; a child of the page.

    Watches fields, which keep the keys of undo and redo to themselves.  A spin box counts as the line that it is typed
    into.
    """

    def __init__(self, page: QWidget, *fields: QWidget) -> None:
        super().__init__(page)
        for field in fields:
            field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the keys from a field that has no use for them: then they are the window's."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            line = watched if isinstance(watched, QLineEdit) else watched.findChild(QLineEdit)
            if line is not None and (
                (event.matches(QKeySequence.StandardKey.Undo) and not line.isUndoAvailable())
                or (event.matches(QKeySequence.StandardKey.Redo) and not line.isRedoAvailable())
            ):
                event.ignore()
                return True
        return super().eventFilter(watched, event)
