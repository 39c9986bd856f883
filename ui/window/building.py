"""llama.cpp while set-up builds it: its progress at the foot of the window, and what has become of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer, Slot

from radcal.findings.model.library import library
from ui.stages import REPORTS
from ui.widgets.messages import Message, MessageBar
from ui.window.task_bar import TaskBar
from ui.words import duration, say, typographic

_EVERY_MS = 1000


class Building(QObject):
    """Looks every second until llama.cpp is there; does nothing where it is there from the start.

    Args:
        task_bar: the one in the window now.
        go: opens a page: where the reports can be read again, with the second reader.
    """

    def __init__(
        self, task_bar: Callable[[], TaskBar], messages: MessageBar, go: Callable[..., None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._task_bar, self._messages = task_bar, messages
        self._read_again = partial(go, REPORTS, {"tab": "reports"})
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.look)
        self._told = ""
        if not library().ready:
            self.look()
            self._timer.start(_EVERY_MS)

    @Slot()
    def look(self) -> None:
        """Show how far the build is, or how it has ended."""
        state = library()
        if state.doing:
            left = say("{time} left", time=duration(state.left)) if state.left else ""
            text = say("Building the second reader; until then the rules read alone")
            self._task_bar().show_beside(" \u00b7 ".join(filter(None, (text, left))), state.share)
            self._messages.clear(Message.NO_SECOND_READER)
            self._told = ""
            return
        self._task_bar().show_beside("", None)
        if state.ready:
            self._timer.stop()
            self._messages.clear(Message.NO_SECOND_READER)
            self._messages.show_message(Message.SECOND_READER, self._read_again)
        elif state.problem != self._told:
            self._told = state.problem
            self._messages.show_message(Message.NO_SECOND_READER, what=typographic(state.problem))
