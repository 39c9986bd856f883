"""Restoring an earlier state of a workspace; the file that it replaces is kept beside it."""

from __future__ import annotations

import contextlib
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

from radcal.system.errors import RadcalError
from radcal.system.files import free_name
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text
from radcal.workspace import schema
from radcal.workspace.backups import BEFORE_RESTORE, TIME
from radcal.workspace.copies import RESTORED, TOOK_PLACE
from radcal.workspace.database import Database, sync
from radcal.workspace.errors import DamagedWorkspace, NotAWorkspace, no_access
from radcal.workspace.lock import WriterLock
from radcal.workspace.log_records import LogHead
from radcal.workspace.pages import PAGE, SALT, Key
from radcal.workspace.records import Contents, Restored
from radcal.workspace.schedule import DECISIONS
from radcal.workspace.store import Workspace, existing_file, new_file, share_alike, whole_or_nothing

_JOURNAL = "-journal"
_REMEDY = Text("Check the name of the backup.")
_PAGES_TRIED = 8


def look_into(backup: Path, passphrase: str, progress: Progress = SILENT) -> Contents:
    """The contents of a backup in counts, after reading every page of it.

    Args:
        backup: a file made by RadCal.
        passphrase: of the workspace when the backup was made.
        progress: one part per page.

    Raises:
        DamagedWorkspace: part of it cannot be read.
        NoSuchWorkspace, NotAWorkspace, WrongPassphrase, NewerWorkspace, NoAccess: as their names say.
    """
    backup = existing_file(backup, _REMEDY)
    with contextlib.closing(Database(backup, passphrase, read_only=True)) as database:
        if database.damaged_among_all(progress) or not database.is_consistent(progress):
            raise DamagedWorkspace("{name} is damaged itself. Choose another backup.", name=backup.name)
        return _contents(database)


def restore(backup: Path, path: Path, passphrase: str, progress: Progress = SILENT) -> Restored:
    """Replace a workspace by a verified copy of a backup; at any moment one of the two is there and whole.

    The present file, damaged or not, is kept beside it under another name, and the copy's audit log records this.

    Args:
        backup: is not changed.
        path: the workspace, which may be missing.
        passphrase: of the backup.
        progress: one part per page.

    Raises:
        NotAWorkspace: the backup is of another workspace, or may be.
        WorkspaceInUse: somebody has the workspace open.
        DamagedWorkspace, WrongPassphrase, NewerWorkspace, NoSuchWorkspace, NoAccess, DiskFull: nothing was changed.
        Cancelled: by ``progress``; nothing was changed.
    """
    backup, path = existing_file(backup, _REMEDY), Path(path).resolve()
    if backup == path:
        raise NotAWorkspace("{name} is the workspace itself. Choose a backup of it.", name=path.name)
    new_file(path, absent=False)
    held = look_into(backup, passphrase, progress)
    lock = WriterLock(path)
    try:
        before = _contents_of(path, passphrase) if path.exists() else None
        if before is not None and before.identity != held.identity:
            raise NotAWorkspace(
                "{name} is a backup of another workspace than {name2}. Nothing was changed. To "
                "look into it, restore it under a name of its own.",
                name=backup.name,
                name2=path.name,
            )
        with (
            contextlib.closing(Database(backup, passphrase, read_only=True)) as source,
            whole_or_nothing(path, replaces=True) as unfinished,
        ):
            if before is None and path.exists() and _is_of_another(path, source.key):
                raise NotAWorkspace(
                    "{name} cannot be opened with the passphrase of {name2}, and may be another workspace. Nothing was "
                    "changed. If it is to be replaced all the same, move it to another folder first.",
                    name=path.name,
                    name2=backup.name,
                )
            source.copy_to(unfinished, progress)
            with contextlib.closing(Database(unfinished, passphrase)) as database:
                _log_restored(Workspace(database, None), held, _head_of(path, passphrase))
            if path.exists():
                share_alike(unfinished, path)
            sync(unfinished)
            aside = _put_aside(path) if path.exists() else None
    finally:
        lock.release()
    return Restored(aside, held, before)


def _head_of(path: Path, passphrase: str) -> LogHead | None:
    """The head of the audit log of the file to be replaced, None if there is none that can be read."""
    with contextlib.suppress(RadcalError), contextlib.closing(Database(path, passphrase, read_only=True)) as database:
        workspace = Workspace(database, None)
        workspace.schema()
        return workspace.log_head()
    return None


def _log_restored(workspace: Workspace, held: Contents, replaced: LogHead | None) -> None:
    """Enter the restore in the copy's log, and the head of the log that it takes the place of."""
    with workspace.transaction():
        if workspace.schema() < schema.newest():
            workspace.migrate()
        if replaced is not None:
            workspace.log(f"{TOOK_PLACE}{replaced.hash.hex()}", entry=replaced.entry)
        workspace.log(RESTORED, reports=held.reports, decisions=held.decisions)


def _contents_of(path: Path, passphrase: str) -> Contents | None:
    """The contents of the present file, None if unreadable; opening it rolls back what a crash left half written."""
    with contextlib.suppress(RadcalError), contextlib.closing(Database(path, passphrase)) as database:
        return _contents(database)
    return None


def _is_of_another(path: Path, key: Key) -> bool:
    """Whether a file that could not be opened is probably not an earlier or damaged state of the workspace of ``key``.

    All copies of a workspace share one salt, whatever their passphrases.
    """
    with path.open("rb") as file:
        pages = [file.read(PAGE) for _ in range(_PAGES_TRIED)]
    salt = pages[0][:SALT]
    if salt == key.salt or not salt.strip(b"\0"):  # zeros after a power failure
        return False
    return not any(key.fits(page, number) for number, page in enumerate(pages, 1))


def _contents(database: Database) -> Contents:
    workspace = Workspace(database, None)
    workspace.schema()  # refuses files of another program or RadCal
    (reports,), (last,) = (
        database.execute(query)[0] for query in ("SELECT count(*) FROM reports", "SELECT max(at) FROM audit")
    )
    return Contents(
        reports=int(reports),
        decisions=workspace.decisions_since(None, DECISIONS),
        last=datetime.fromisoformat(str(last)),
        identity=f"{workspace.get_meta('_created')} {workspace.pseudonym_seed}",
    )


def _put_aside(path: Path) -> Path:
    """Give the file a second name, so that it can be replaced without a moment in which there is no file.

    Raises:
        NoAccess: it cannot be; nothing was changed.
    """
    time = datetime.now(UTC).strftime(TIME)
    aside = free_name(path.with_name(f"{path.stem}.{BEFORE_RESTORE}{time}{path.suffix}"))
    message = Text(
        "{name} could not be put aside ({strerror}), so nothing was changed. Make room in its folder, or restore the "
        "backup under another name."
    )
    with no_access(message, name=path.name):
        try:
            os.link(path, aside)
        except OSError:  # file systems without links
            shutil.copy2(path, aside)
        journal = path.with_name(path.name + _JOURNAL)
        if journal.exists():  # it could not be rolled back, and must not be applied to the new file
            journal.rename(aside.with_name(aside.name + _JOURNAL))
        sync(aside)
    return aside
