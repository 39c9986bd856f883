"""The edits of the page: when feedback was given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date

from PySide6.QtGui import QUndoCommand


class ChangeDates(QUndoCommand):
    """Another date on which feedback was given; ``apply`` keeps and shows them."""

    def __init__(
        self,
        text: str,
        before: Mapping[str, date | None],
        after: Mapping[str, date | None],
        apply: Callable[[dict[str, date | None]], None],
    ) -> None:
        super().__init__(text)
        self._before, self._after, self._apply = dict(before), dict(after), apply

    def redo(self) -> None:
        self._apply(dict(self._after))

    def undo(self) -> None:
        self._apply(dict(self._before))
