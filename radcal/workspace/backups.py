"""Backups of a workspace: their names, where they are found, and which are retained.

A backup's name tells which workspace it is of (by the salt that all its copies share), its number and when it was made
(UTC).  The number counts on, whatever the clock says: where a clock was set back, the latest backup is still the one of
the highest number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from radcal.records import Backup

DAYS, WEEKS, MONTHS = 7, 4, 6
"""Of so many days, weeks and months that have backups, the last one is kept."""
_TIME = "%Y%m%dT%H%M%SZ"
_SERIES = 4
"""So many bytes of the salt, which a file begins with, tell workspaces of one name apart."""
_BESIDE = ("before-restore-", "schema-")
"""How files beside a workspace go on after its name that hold an earlier state of it."""


def folder_for(workspace: Path, chosen: Path | None = None) -> Path:
    """Where a workspace's backups are: beside it, or in the chosen folder, in a folder named after the workspace."""
    return (workspace.parent if chosen is None else chosen) / f"{workspace.stem}.backups"


def file_name(workspace: Path, series: str, number: int, made: datetime) -> str:
    """The file name of a backup."""
    return f"{workspace.stem}-{series}-{number:04}-{made.astimezone(UTC).strftime(_TIME)}{workspace.suffix}"


def series_of(salt: bytes) -> str:
    """The part of the name that all backups of one workspace share, and those of a namesake do not."""
    return salt[:_SERIES].hex()


def rotating(workspace: Path, folder: Path, series: str | None = None) -> list[Backup]:
    """The numbered backups of a workspace in a folder, latest first; none where there is no folder.

    series: of it alone; None for those of namesakes too
    """
    stem, suffix = re.escape(workspace.stem), re.escape(workspace.suffix)
    form = re.compile(rf"{stem}-({series or '[0-9a-f]{8}'})-(\d{{4,}})-(\d{{8}}T\d{{6}}Z){suffix}")
    found = []
    for path in _files(folder):
        match = form.fullmatch(path.name)
        if match is None:
            continue
        try:
            made, size = datetime.strptime(match[3], _TIME).replace(tzinfo=UTC), path.stat().st_size
        except (OSError, ValueError):  # gone meanwhile, or a name of somebody's own
            continue
        found.append(Backup(path, made, size, match[1], int(match[2])))
    return sorted(found, key=lambda backup: (backup.number, backup.made), reverse=True)


def all_of(workspace: Path, folders: Sequence[Path] = ()) -> list[Backup]:
    """Every file that holds an earlier state of a workspace, which may itself be gone.

    Its own backups come first, then those of namesakes (all that may be its own, where the file is gone), then what
    was put aside, which may be damaged; of each kind, those made last first.

    Looked for in its usual folder of backups, in ``folders``, and beside it: copies made before it was brought up to
    date, and what was put aside when a backup was restored.
    """
    found = [b for folder in dict.fromkeys((folder_for(workspace), *folders)) for b in rotating(workspace, folder)]
    for path in _files(workspace.parent):
        rest = path.stem.removeprefix(f"{workspace.stem}.")
        if path.suffix == workspace.suffix and rest != path.stem and rest.startswith(_BESIDE):
            stat = path.stat()
            found.append(Backup(path, datetime.fromtimestamp(stat.st_mtime, UTC), stat.st_size))
    own = series_on_disk(workspace)
    return sorted(found, key=lambda b: (bool(own) and b.series == own, bool(b.series), b.made, b.number), reverse=True)


def superfluous(backups: Sequence[Backup]) -> list[Backup]:
    """The backups of one workspace that can be deleted.

    Kept are the last backup of each of the latest 7 days that have any, and so of 4 weeks and 6 months: by the
    backups' own times alone, not by what the clock says now.  The latest backup is always kept.
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
    except OSError:  # no such folder, or a drive that is not there
        return []
