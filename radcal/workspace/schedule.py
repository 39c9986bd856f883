"""The schedule of backups and page checks, and the work at risk without a backup.

Reports can be imported again, people's decisions cannot.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from radcal.system import policy
from radcal.system.progress import SILENT, Progress
from radcal.workspace.backups import folder_for, rotating
from radcal.workspace.context import LEXICON, SURVEY_RESPONSE, Context
from radcal.workspace.copies import BackupChoice
from radcal.workspace.records import Backup, Checked

DECISIONS = (LEXICON, SURVEY_RESPONSE)
"""Kinds of stored results that are people's decisions."""
_WORTH_A_COPY = 20
"""This many decisions are an hour's work; fewer are easily repeated."""
_OLD = timedelta(days=7)
_ONCE = timedelta(hours=20)
"""Interval of backups and checks: once per working day, even if it starts earlier than the previous one."""


@dataclass(frozen=True, slots=True)
class Copied:
    """The last backup, the work done since, and the schedule.

    last: timezone-aware, None if there was none
    decisions: since then, or in total if the clock was set back since: reviewing steps, contested findings, edits of
        the lexicon, survey answers, saved settings
    on: True for scheduled backups;  folder: their folder;  chosen: by the user, None for beside the workspace
    backups: their number
    checked: the latest check of all pages; None if there was none
    """

    last: datetime | None
    decisions: int
    on: bool = False
    folder: Path = Path()
    chosen: Path | None = None
    backups: int = 0
    checked: Checked | None = None

    def is_due(self, now: datetime) -> bool:
        """True if the user should be asked for a copy, without scheduled backups and at most once a week."""
        # A copy from the future is of unknown age: the clock was corrected since.
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
        return Copied(
            last=last,
            decisions=self._workspace.decisions_since(None if in_future else last, DECISIONS),
            on=self._workspace.backup_choice.on,
            folder=self.folder,
            chosen=self._chosen,
            backups=len(self.made),
            checked=self._workspace.checked,
        )

    @property
    def _chosen(self) -> Path | None:
        """The folder that was chosen, by IT where it has locked one, or to begin with."""
        folder = policy.in_use().workstation("backups_folder", self._workspace.backup_choice.folder or None)
        return Path(folder) if folder else None

    @property
    def folder(self) -> Path:
        """The folder of the backups."""
        return folder_for(self._workspace.path, self._chosen)

    @property
    def made(self) -> list[Backup]:
        """The backups of this workspace in the folder, without those of namesakes, the latest first."""
        return rotating(self._workspace.path, self.folder, self._workspace.series)

    def choose(self, *, on: bool, folder: Path | None) -> Copied:
        """Switch scheduled backups on or off, and choose their folder, None for the default.

        Raises:
            NoAccess: the workspace is open read-only.
            SetByPolicy: IT has locked another folder.
        """
        rules = policy.in_use()
        stored = "" if folder is None else str(folder.resolve())
        if "backups_folder" in rules.locked:
            if folder != self._chosen:
                rules.refuse({"backups_folder": "" if folder is None else str(folder)})
            stored = self._workspace.backup_choice.folder  # which holds again without the lock
        self._workspace.choose_backups(BackupChoice(on, stored))
        return self.known()

    def back_up(self, progress: Progress = SILENT, now: datetime | None = None) -> Path:
        """Add a verified backup to the folder, and delete backups past their retention.

        Raises:
            NoAccess, NoSuchWorkspace, DiskFull, DamagedWorkspace: no backup was made, and none was deleted.
        """
        return self._workspace.back_up_into(self.folder, now or datetime.now(UTC), progress)[0]

    def back_up_if_due(self, progress: Progress = SILENT, now: datetime | None = None) -> Path | None:
        """As :meth:`back_up` if scheduled, something has changed, and the last backup is a day old."""
        now = now or datetime.now(UTC)
        return self.back_up(progress, now) if self.is_due(now) else None

    def is_due(self, now: datetime, *, once: timedelta = _ONCE) -> bool:
        """True if a scheduled backup is due: at most once in ``once``, and only after changes."""
        if self._workspace.read_only or not self._workspace.backup_choice.on:
            return False
        last = next(iter(self.made), None)
        if last is None:
            return True
        return not self._workspace.is_backed_up and not timedelta() <= now - last.made < once

    def back_up_before(self, progress: Progress = SILENT) -> None:
        """Back up the present state before a large change, if backups are scheduled.

        Raises:
            As :meth:`back_up`.
        """
        now = datetime.now(UTC)
        if self.is_due(now, once=timedelta()):
            self.back_up(progress, now)

    def check_if_due(self, progress: Progress = SILENT, now: datetime | None = None) -> Checked | None:
        """Check every page, once a day unless one is damaged; None if not due."""
        now, last = now or datetime.now(UTC), self._workspace.checked
        if self._workspace.read_only:
            return None
        if last is not None and not last.damaged and timedelta() <= now - last.at < _ONCE:
            return None
        return self._workspace.check_pages(now, progress)
