"""Backups of a workspace: names, folders and retention.

The name of a backup contains the series (the salt that all copies of one workspace share), a number and the time in
UTC.  Numbers increase independently of the clock: the latest backup always has the highest number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from radcal.workspace.records import Backup

DAYS, WEEKS, MONTHS = 7, 4, 6
"""The last backup of each of this many days, weeks and months is kept."""
TIME = "%Y%m%dT%H%M%SZ"
"""Times in file names, UTC."""
_SERIES = 4
"""Bytes of the salt, at the start of the file, that distinguish workspaces of one name."""
BEFORE_RESTORE, _BEFORE_UPDATE = "before-restore-", "schema-"
_BESIDE = (BEFORE_RESTORE, _BEFORE_UPDATE)
"""What follows the name of a workspace in files beside it that hold an earlier state."""


def folder_for(workspace: Path, chosen: Path | None = None) -> Path:
    """The folder of a workspace's backups, named after it: beside it, or in the chosen folder."""
    return (workspace.parent if chosen is None else chosen) / f"{workspace.stem}.backups"


def file_name(workspace: Path, series: str, number: int, made: datetime) -> str:
    """The file name of a backup."""
    return f"{workspace.stem}-{series}-{number:04}-{made.astimezone(UTC).strftime(TIME)}{workspace.suffix}"


def series_of(salt: bytes) -> str:
    """The part of the name that identifies the backups of one workspace among those of namesakes."""
    return salt[:_SERIES].hex()


def rotating(workspace: Path, folder: Path, series: str | None = None) -> list[Backup]:
    """The numbered backups of a workspace in a folder, latest first; without ``series``, also those of namesakes."""
    stem, suffix = re.escape(workspace.stem), re.escape(workspace.suffix)
    form = re.compile(rf"{stem}-({series or '[0-9a-f]{8}'})-(\d{{4,}})-(\d{{8}}T\d{{6}}Z){suffix}")
    found = []
    for path in _files(folder):
        match = form.fullmatch(path.name)
        if match is None:
            continue
        try:
            made, size = datetime.strptime(match[3], TIME).replace(tzinfo=UTC), path.stat().st_size
        except (OSError, ValueError):  # deleted meanwhile, or not one of our names
            continue
        found.append(Backup(path, made, size, match[1], int(match[2])))
    return sorted(found, key=lambda backup: (backup.number, backup.made), reverse=True)


def backups_of(workspace: Path, chosen: Sequence[Path] = ()) -> list[Backup]:
    """All files with earlier states of a workspace, which itself may be missing.

    Searched are its usual backup folder, those in the folders that were ``chosen`` for it, and the folder of the
    workspace, for copies made before updates and files put aside by restoring.  Its own backups come first, then those
    of namesakes (or possible ones, if the workspace is missing), then files put aside, which may be damaged; each kind
    latest first.
    """
    workspace = workspace.resolve()
    folders = dict.fromkeys(folder_for(workspace, folder) for folder in (None, *chosen))
    found = [b for folder in folders for b in rotating(workspace, folder)]
    for path in _files(workspace.parent):
        rest = path.stem.removeprefix(f"{workspace.stem}.")
        if path.suffix == workspace.suffix and rest != path.stem and rest.startswith(_BESIDE):
            stat = path.stat()
            found.append(Backup(path, datetime.fromtimestamp(stat.st_mtime, UTC), stat.st_size))
    own = series_on_disk(workspace)
    return sorted(found, key=lambda b: (bool(own) and b.series == own, bool(b.series), b.made, b.number), reverse=True)


def update_copy_name(workspace: Path, schema: int, at: datetime) -> str:
    """The name of the copy that is kept of a workspace of an older schema before it is brought up to date."""
    return f"{workspace.stem}.{_BEFORE_UPDATE}{schema}-{at.astimezone(UTC).strftime(TIME)}{workspace.suffix}"


def superfluous(backups: Sequence[Backup]) -> list[Backup]:
    """The backups of one workspace that can be deleted.

    The last backup of each of the latest 7 days with backups is kept, likewise of 4 weeks and 6 months: by the times of
    the backups alone, not by the present time.  The latest backup is always kept.
    """
    latest_first = sorted(backups, key=lambda backup: (backup.number, backup.made), reverse=True)
    kept: set[Path] = set()
    for period, most in (("%Y-%m-%d", DAYS), ("%G-%V", WEEKS), ("%Y-%m", MONTHS)):
        last_of: dict[str, Backup] = {}
        for backup in latest_first:
            last_of.setdefault(backup.made.strftime(period), backup)
        kept |= {backup.path for backup in list(last_of.values())[:most]}
    return [backup for backup in latest_first if backup.path not in kept]


def series_on_disk(workspace: Path) -> str:
    """The series of the workspace file, '' if there is none."""
    try:
        with workspace.open("rb") as file:
            return series_of(file.read(_SERIES))
    except OSError:
        return ""


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.is_file())
    except OSError:  # no such folder or drive
        return []
