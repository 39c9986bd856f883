"""Keeps the open workspace safe in the background: backed up once a day, its pages read; what goes wrong is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot

from ui import session
from ui.widgets.messages import Message
from ui.window import keeping_work as work
from ui.words import counted, moment, translate, typographic, whole

if TYPE_CHECKING:
    from radcal.records import Restored
    from radcal.workflow.keeping.copies import Copied
    from ui.shell import Shell

_AGAIN_MS = 3_600_000
"""A window that stays open for days is looked after every hour."""


class Keeping(QObject):
    """Looks after the workspace that is open for writing.

    restore: leads to its backups;  choose_folder: to where they go;  check: to what can still be read
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
        """Make a backup and read the pages in the background, where they are due."""
        opened = self._shell.opened
        if opened is not None and not (opened.sample or opened.read_only or opened.personal):
            # Untitled: it hinders nobody, so nobody need watch it.
            self._shell.run(session.KEEP, work.look_after, self._looked, shares=True)

    @Slot(object)
    def _looked(self, found: work.LookedAfter) -> None:
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


def kept_words(copied: Copied) -> str:
    """What is done by the clock, and what came of it."""
    said = []
    if copied.on:
        said.append(
            translate("copies", "Backed up once a day if something has changed; {backups} in {folder}.").format(
                folder=copied.folder,
                backups=counted(copied.backups, translate("copies", "backup"), translate("copies", "backups")),
            )
        )
    else:
        said.append(translate("copies", "No backups are made automatically."))
    if copied.checked is not None:
        sound = translate("copies", "Checked on {when}: the whole file can be read.")
        damaged = translate("copies", "Checked on {when}: {n} of {pages} pages of the file are damaged.")
        text = damaged if copied.checked.damaged else sound
        said.append(
            text.format(
                when=moment(copied.checked.at), n=whole(copied.checked.damaged), pages=whole(copied.checked.pages)
            )
        )
    return "\n".join(said)


def restored_words(restored: Restored) -> str:
    """What a restored workspace holds, what its file held beyond that, and where that file is."""
    held, before = restored.held, restored.before
    said = [translate("copies", "It holds {what}.").format(what=_what(held.reports, held.decisions))]
    if before is not None:
        more = (max(before.reports - held.reports, 0), max(before.decisions - held.decisions, 0))
        if any(more):
            text = translate("copies", "The file before held {what} more.")
            said.append(text.format(what=_what(*more)))
    elif restored.aside is not None:
        said.append(translate("copies", "What the file before held beyond that cannot be read."))
    if restored.aside is not None:
        said.append(translate("copies", "The file before is kept as {name}.").format(name=restored.aside.name))
    return " ".join(said)


def held_words(reports: int, decisions: int) -> str:
    """What a backup holds."""
    return translate("copies", "The whole backup can be read. It holds {what}.").format(what=_what(reports, decisions))


def _what(reports: int, decisions: int) -> str:
    return translate("copies", "{reports} and {decisions} by people").format(
        reports=counted(reports, translate("copies", "report"), translate("copies", "reports")),
        decisions=counted(decisions, translate("copies", "decision"), translate("copies", "decisions")),
    )
