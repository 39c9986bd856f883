"""Backups of the workspace: scheduling, restoring, and what would be lost without one.

Reports can be imported again, people's work cannot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.progress import SILENT, Progress
from radcal.workflow.context import LEXICON, SURVEY_RESPONSE

if TYPE_CHECKING:
    from radcal.records import Backup, Checked, Contents, Restored
    from radcal.workflow.context import Context

DECISIONS = (LEXICON, SURVEY_RESPONSE)
"""Kinds of results that are people's decisions."""
_WORTH_A_COPY = 20
"""So many decisions are an hour's work; fewer are soon made again."""
_OLD = timedelta(days=7)
_ONCE = timedelta(hours=20)
"""Backups and checks are made once in a working day, also where one day begins earlier than the one before."""


@dataclass(frozen=True, slots=True)
class Copied:
    """The last backup, the work done since, and the schedule.

    last: None if it never was, timezone-aware
    decisions: since then, or ever where the clock was set back since: steps of reviewing, findings contested, words
        and answers about words, settings saved
    on: backups are made by the clock;  folder: where they go;  chosen: by the user, None for beside the workspace
    backups: how many there are
    checked: when all pages were last read, and what was found; None if they never were
    """

    last: datetime | None
    decisions: int
    on: bool = False
    folder: Path = Path()
    chosen: Path | None = None
    backups: int = 0
    checked: Checked | None = None

    def is_due(self, now: datetime) -> bool:
        """Whether to ask for a copy, where none is made by the clock: not more than once a week."""
        # A copy from the future: the clock was put right since, and nobody knows how old it is.
        recent = self.last is not None and timedelta() <= now - self.last < _OLD
        return not self.on and self.decisions >= _WORTH_A_COPY and not recent


class Copies:
    """The backups of an open workspace."""

    def __init__(self, context: Context) -> None:
        self._workspace = context.workspace

    def known(self) -> Copied:
        """The current state of the backups."""
        last = self._workspace.last_backup()
        in_future = last is not None and last > datetime.now(UTC)
        decisions = self._workspace.decisions_since(None if in_future else last, DECISIONS)
        choice, folder = self._workspace.backup_choice, self.folder
        return Copied(
            *(last, decisions, choice.on, folder, Path(choice.folder) if choice.folder else None),
            *(len(self.made), self._workspace.checked),
        )

    @property
    def folder(self) -> Path:
        """Where backups go."""
        from radcal.workspace import folder_for

        chosen = self._workspace.backup_choice.folder
        return folder_for(self._workspace.path, Path(chosen) if chosen else None)

    @property
    def made(self) -> list[Backup]:
        """The backups of this very workspace in the folder, the latest first; a namesake's may lie there too."""
        from radcal.workspace import rotating

        return rotating(self._workspace.path, self.folder, self._workspace.series)

    def choose(self, *, on: bool, folder: Path | None) -> Copied:
        """Have backups made by the clock, or not, and in a folder; None for that of the workspace.

        Raises:
            NoAccess: the workspace is open for reading only.
        """
        from radcal.workspace import BackupChoice

        self._workspace.choose_backups(BackupChoice(on, "" if folder is None else str(folder.resolve())))
        return self.known()

    def back_up(self, progress: Progress = SILENT, now: datetime | None = None) -> Path:
        """Add a verified backup to those in the folder; those that need not be kept any more are deleted.

        Raises:
            NoAccess, NoSuchWorkspace, DiskFull, DamagedWorkspace: there is no backup, and none was deleted.
            Cancelled: by ``progress``.
        """
        return self._workspace.back_up_into(self.folder, now or datetime.now(UTC), progress)[0]

    def back_up_if_due(self, progress: Progress = SILENT, now: datetime | None = None) -> Path | None:
        """As :meth:`back_up` where backups are made by the clock, something has changed, and the last is a day old."""
        now = now or datetime.now(UTC)
        return self.back_up(progress, now) if self.is_due(now) else None

    def is_due(self, now: datetime, *, once: timedelta = _ONCE) -> bool:
        """Whether a backup is to be made: once a day at most, and where nothing has changed, none."""
        if self._workspace.read_only or not self._workspace.backup_choice.on:
            return False
        last = next(iter(self.made), None)
        if last is None:
            return True
        return not self._workspace.is_backed_up and not timedelta() <= now - last.made < once

    def back_up_before(self, progress: Progress = SILENT) -> None:
        """Keep what is there before much of it is replaced, where backups are made by the clock.

        Raises:
            As :meth:`back_up`.
        """
        now = datetime.now(UTC)
        if self.is_due(now, once=timedelta()):
            self.back_up(progress, now)

    def check_if_due(self, progress: Progress = SILENT, now: datetime | None = None) -> Checked | None:
        """Read every page, once a day until one is damaged; what was found, None where all were sound today.

        Raises:
            Cancelled: by ``progress``.
        """
        now, last = now or datetime.now(UTC), self._workspace.checked
        if self._workspace.read_only:
            return None
        if last is not None and not last.damaged and timedelta() <= now - last.at < _ONCE:
            return None
        return self._workspace.check_pages(now, progress)


def backups_of(path: Path, folders: Sequence[Path] = ()) -> list[Backup]:
    """Files that hold an earlier state of a workspace, which may be gone; files that a restore put aside come last.

    Args:
        path: the workspace.
        folders: that were chosen for its backups; those beside it are found without.
    """
    from radcal.workspace import all_of, folder_for

    path = path.resolve()
    return all_of(path, [folder_for(path, folder) for folder in folders])


def look_into(backup: Path, passphrase: str, progress: Progress = SILENT) -> Contents:
    """What a backup holds, once every page of it was read.

    Raises:
        DamagedWorkspace, NoSuchWorkspace, NotAWorkspace, WrongPassphrase, NewerWorkspace, NoAccess: as their names say.
        Cancelled: by ``progress``.
    """
    from radcal.workspace import verified

    return verified(backup, passphrase, DECISIONS, progress)


def restore(backup: Path, path: Path, passphrase: str, progress: Progress = SILENT) -> Restored:
    """Put a verified copy of a backup in the place of a workspace; the file that is there is kept beside it.

    Raises:
        NotAWorkspace: the backup is of another workspace than the one that is there.
        WorkspaceInUse: somebody has the workspace open.
        DamagedWorkspace, WrongPassphrase, NewerWorkspace, NoSuchWorkspace, NoAccess, DiskFull: nothing was changed.
        Cancelled: by ``progress``; nothing was changed.
    """
    from radcal.workspace import restore as put_back

    return put_back(backup, path, passphrase, DECISIONS, progress)
