"""Keeps the open workspace safe in the background: daily backup and page check; problems are reported."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot

from ui import session
from ui.operations import LookedAfter, look_after
from ui.widgets.messages import Message
from ui.words import typographic, whole

if TYPE_CHECKING:
    from ui.shell import Shell

_AGAIN_MS = 3_600_000
"""Interval of the checks in a window open for days: one hour."""


class Keeping(QObject):
    """Maintains the workspace open for writing.

    restore: opens its backups;  choose_folder: opens the choice of their folder;  check: opens the integrity check
    """

    def __init__(
        self,
        shell: Shell,
        restore: Callable[[Path], None],
        choose_folder: Callable[[], None],
        check: Callable[[], None],
    ) -> None:
        super().__init__(shell)
        self._shell = shell
        self._restore, self._choose_folder, self._check = restore, choose_folder, check
        self._timer = QTimer(self)
        self._timer.setInterval(_AGAIN_MS)
        self._timer.timeout.connect(self.look_after)
        self._timer.start()

    @Slot()
    def look_after(self) -> None:
        """Make a backup and check the pages in the background, if due."""
        opened = self._shell.opened
        if opened is not None and not (opened.sample or opened.read_only or opened.kind):
            # Untitled, so not shown in the task bar.
            self._shell.run(session.KEEP, look_after, self._looked, shares=True)

    @Slot(object)
    def _looked(self, found: LookedAfter) -> None:
        opened, messages = self._shell.opened, self._shell.messages
        if found.failure:
            messages.show_message(Message.NOT_BACKED_UP, self._choose_folder, what=typographic(found.failure))
        else:
            messages.clear(Message.NOT_BACKED_UP)
        if found.checked is not None and found.checked.damaged and opened is not None:
            path = opened.path
            messages.show_message(
                Message.PAGES_DAMAGED,
                lambda: self._restore(path),
                also=self._check,
                name=path.name,
                damaged=whole(found.checked.damaged),
                pages=whole(found.checked.pages),
            )
