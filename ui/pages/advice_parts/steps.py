"""What can be undone of the settings of advice: trying them, and making them the department's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QUndoCommand

from ui.words import translate

if TYPE_CHECKING:
    from collections.abc import Callable

Values = dict[str, Any]
"""Settings by name."""


class TrySettings(QUndoCommand):
    """Other settings are tried; moves of one slider in a row are one step."""

    def __init__(self, show: Callable[[Values], None], before: Values, after: Values) -> None:
        super().__init__(translate("advice", "try other settings"))
        self._show, self._before, self._after = show, before, after

    def redo(self) -> None:
        self._show(self._after)

    def undo(self) -> None:
        self._show(self._before)

    def id(self) -> int:
        """Commands of one number may be merged."""
        return 1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, TrySettings) or len(self._changed()) != 1 or self._changed() != other._changed():
            return False
        self._after = other._after
        return True

    def _changed(self) -> set[str]:
        names = {*self._before, *self._after}
        return {n for n in names if self._before.get(n) != self._after.get(n)}


class KeepSettings(QUndoCommand):
    """Settings that were tried become the department's; undone, those from before are again."""

    def __init__(self, keep: Callable[[Values], None], before: Values, after: Values) -> None:
        super().__init__(translate("advice", "use these settings for all"))
        self._keep, self._before, self._after = keep, before, after

    def redo(self) -> None:
        self._keep(self._after)

    def undo(self) -> None:
        self._keep(self._before)
