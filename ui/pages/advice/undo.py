"""Undo commands for advice settings: trying them, and making them the department's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QUndoCommand

from ui.widgets.undoing import Edit
from ui.words import say

if TYPE_CHECKING:
    from collections.abc import Callable

Values = dict[str, Any]
"""Settings by name."""


class TrySettings(Edit[Values]):
    """Try other settings; consecutive moves of one slider are one step."""

    def __init__(self, show: Callable[[Values], None], before: Values, after: Values) -> None:
        super().__init__(say("try other settings"), before, after, show)

    def id(self) -> int:
        return 1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, TrySettings) or len(self._changed()) != 1 or self._changed() != other._changed():
            return False
        self.after = other.after
        return True

    def _changed(self) -> set[str]:
        names = {*self.before, *self.after}
        return {n for n in names if self.before.get(n) != self.after.get(n)}


class KeepSettings(Edit[Values]):
    """Make tried settings the department's; undo restores the previous ones."""

    def __init__(self, keep: Callable[[Values], None], before: Values, after: Values) -> None:
        super().__init__(say("use these settings for all"), before, after, keep)
