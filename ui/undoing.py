"""Undo in a field goes on to undo on the page, where nothing typed into the field is left to be undone."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget


class UndoOnward(QObject):
    """Watches fields, which keep the keys of undo and redo to themselves; a child of their page.

    A spin box counts as the line that it is typed into.
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
