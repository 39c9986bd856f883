"""Passphrases in the key store of the system: looked up before asking, kept on request once they have opened a file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from ui.preferences import note_remembered, remembered_files
from ui.tasks import Failure, Tasks
from ui.widgets.messages import Message, MessageBar
from ui.words import typographic

if TYPE_CHECKING:
    from radcal.system.progress import Progress
    from ui.records import Opened

_LOOK_UP, _KEEP = "look up the passphrase", "remember the passphrase"


class Remembering(QObject):
    """The key store, asked in the worker: it may wait for the user to unlock it."""

    def __init__(self, tasks: Tasks, messages: MessageBar, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks, self._messages = tasks, messages
        self._kept: tuple[Path, str] | None = None
        """A file, and what is to be remembered once it was opened with that."""

    def look_up(self, path: Path, found: Callable[[str], None], ask: Callable[[str], None]) -> None:
        """Call ``found`` with the passphrase that is remembered of a file, or ``ask`` with why there is none, or ''."""
        self._tasks.start(
            _LOOK_UP,
            partial(_look_up, path, remembered_files()),
            done=lambda passphrase: found(passphrase) if passphrase else ask(""),
            failed=lambda failure: ask(typographic(failure.text)),
        )

    def keep(self, path: Path, passphrase: str) -> None:
        """Remember the passphrase if it opens the file."""
        self._kept = path, passphrase

    def drop(self) -> None:
        """What was to be remembered did not fit."""
        self._kept = None

    @Slot(object)
    def opened(self, opened: Opened) -> None:
        """A workspace was opened, perhaps with what is to be remembered."""
        kept, self._kept = self._kept, None
        if kept is None or kept[0].resolve() != opened.path:
            return
        passphrase = kept[1]
        identity, name = opened.department.identity, opened.path.name

        def done(store: str) -> None:
            note_remembered(identity, remembered=True)
            self._messages.show_message(Message.REMEMBERED, name=name, store=store)

        def failed(failure: Failure) -> None:
            self._messages.show_message(Message.NOT_REMEMBERED, name=name, what=typographic(failure.text))

        self._tasks.start(_KEEP, partial(_keep, identity, passphrase), done=done, failed=failed)


def _look_up(path: Path, known: frozenset[str], _progress: Progress) -> str | None:
    from radcal.opening import file_identity
    from radcal.system import key_store

    identity = file_identity(path)
    return key_store.remembered(identity) if identity in known else None


def _keep(identity: str, passphrase: str, _progress: Progress) -> str:
    from radcal.system import key_store

    return key_store.remember(identity, passphrase)
