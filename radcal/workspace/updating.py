"""Updates of RadCal as a workspace sees them: what opening it would do, going back, and accepting.

Opening a workspace of an older schema for writing keeps a copy of the file, byte for byte, beside it, and migrates the
file in one transaction (:meth:`Workspace.open`).  A roll-back puts that copy in the place of the file, again byte for
byte, so that the older RadCal finds what it left; the newer file stays beside it under another name.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from radcal.errors import RadcalError
from radcal.files import free_name
from radcal.progress import SILENT, Progress
from radcal.records import RolledBack, UpdateCopy, UpdatePlan
from radcal.text import Text
from radcal.workspace import migrations
from radcal.workspace.backups import BEFORE_ROLL_BACK, update_copies, update_copy_name
from radcal.workspace.copies import ROLLED_BACK, UP_TO_DATE
from radcal.workspace.database import Database, sync
from radcal.workspace.errors import (
    DamagedWorkspace,
    NewerWorkspace,
    NoSuchWorkspace,
    NotAWorkspace,
    WorkspaceExists,
    WrongPassphrase,
    no_access,
)
from radcal.workspace.lock import WriterLock
from radcal.workspace.restoring import put_aside
from radcal.workspace.store import (
    Workspace,
    existing_file,
    require_room,
    room_for_update,
    share_alike,
    whole_or_nothing,
)

COPIES_REMOVED = "copies made before updates removed"
_OF_UPDATES = (UP_TO_DATE, ROLLED_BACK)
"""Entries that are no work of anybody."""
_TO_GO_BACK = Text(
    "To go back, a copy of {name} as it was is made: that needs {needed}, and {folder} has {free} left. Nothing was "
    "changed. Free some space there."
)
_AT_ONCE = 1 << 20


def plan_of(path: Path, passphrase: str) -> UpdatePlan:
    """What opening a workspace for writing would do with it; nothing is changed.

    Raises:
        NoSuchWorkspace, NotAWorkspace, WrongPassphrase, NewerWorkspace, DamagedWorkspace, NoAccess: as their names say.
    """
    path = existing_file(path)
    with contextlib.closing(Database(path, passphrase, read_only=True)) as database:
        workspace = Workspace(database, None)
        schema, writer = workspace.schema(), workspace.get_meta("_radcal") or ""
    target, size = len(migrations.steps()), path.stat().st_size
    due = schema < target
    return UpdatePlan(
        path,
        schema,
        target,
        writer,
        size,
        needed=room_for_update(size) if due else 0,
        free=shutil.disk_usage(path.parent).free,
        copy=free_name(path.with_name(update_copy_name(path, schema, datetime.now(UTC)))) if due else None,
        copies=tuple(update_copies(path)),
        changeable=all(os.access(place, os.W_OK) for place in (path, path.parent)),
    )


def roll_back(path: Path, passphrase: str, copy: Path | None = None, progress: Progress = SILENT) -> RolledBack:
    """Put the copy made before an update in the place of a workspace, byte for byte; one of the two is always there.

    Args:
        path: the workspace; nobody may have it open.
        passphrase: of the copy: the one that the workspace had before the update.
        copy: None for the latest copy of an older schema beside it.

    Raises:
        NoSuchWorkspace: there is no workspace, or no copy.
        NotAWorkspace: the copy is of another workspace.
        WorkspaceExists: the workspace is of the schema of the copy already.
        DamagedWorkspace, WrongPassphrase, WorkspaceInUse, NoAccess, DiskFull: nothing was changed.
        Cancelled: by ``progress``; nothing was changed.
    """
    path = existing_file(path)
    lock = WriterLock(path)
    try:
        now = _schema(path, passphrase)
        chosen = _chosen(path, copy, now)
        then, head = _verified(chosen, path, passphrase, progress)
        if now is not None and then >= now:
            raise WorkspaceExists(
                "{name} is of schema {now}, and the copy {copy} is of schema {then}: there is no update to go back "
                "from. `radcal restore` puts an earlier state of the same schema in its place.",
                name=path.name,
                now=now,
                copy=chosen.name,
                then=then,
            )
        require_room(path, chosen.stat().st_size, _TO_GO_BACK)
        with whole_or_nothing(path, replaces=True) as unfinished:
            _copy_bytes(chosen, unfinished)
            share_alike(unfinished, path)
            sync(unfinished)
            since, entered = _leave(path, passphrase, head, now, then)
            aside = put_aside(path, BEFORE_ROLL_BACK)
    finally:
        lock.release()
    return RolledBack(path, chosen, then, now or 0, aside, since, entered)


def accept(path: Path, passphrase: str, progress: Progress = SILENT) -> tuple[UpdateCopy, ...]:
    """Remove the copies made before updates, once the workspace is up to date and every page of it can be read.

    Raises:
        DamagedWorkspace: it cannot be read; the copies stay.
        WorkspaceError: it cannot be opened; the class says why.
        Cancelled: by ``progress``; the copies stay.
    """
    with Workspace.open(path, passphrase) as workspace:
        found = tuple(update_copies(workspace.path))
        if Workspace.check(workspace.path, passphrase, progress):
            raise DamagedWorkspace(
                "{name} is damaged, so the copies made before its update stay. `radcal check` says more.",
                name=workspace.path.name,
            )
        if found:
            workspace.log(COPIES_REMOVED, copies=len(found), bytes=sum(copy.size for copy in found))
        message = Text("{name} cannot be removed ({strerror}). Remove it yourself.")
        for copy in found:
            with no_access(message, name=copy.path.name):
                copy.path.unlink(missing_ok=True)
    return found


def _schema(path: Path, passphrase: str) -> int | None:
    """The schema of the present file, None where this RadCal cannot tell.

    Opening it for writing rolls back what a crash left half written.
    """
    unknown = (WrongPassphrase, DamagedWorkspace, NotAWorkspace)
    with contextlib.suppress(*unknown), contextlib.closing(Database(path, passphrase)) as file:
        return file.number("user_version")
    return None


def _chosen(path: Path, copy: Path | None, now: int | None) -> Path:
    if copy is not None:
        return existing_file(copy, Text("Check the name of the copy."))
    found = next((kept for kept in update_copies(path) if now is None or kept.schema < now), None)
    if found is None:
        raise NoSuchWorkspace(
            "There is no copy of {name} beside it that was made before an update. `radcal restore` puts a backup in "
            "its place.",
            name=path.name,
        )
    return found.path


def _verified(copy: Path, path: Path, passphrase: str, progress: Progress) -> tuple[int, int]:
    """The schema of a copy and the last entry of its audit log, after reading every page of it.

    Raises:
        DamagedWorkspace, NotAWorkspace, WrongPassphrase: it cannot take the place of the workspace.
    """
    if Workspace.identity_of(copy) != Workspace.identity_of(path):
        raise NotAWorkspace(
            "{name} is a copy of another workspace than {name2}. Nothing was changed.", name=copy.name, name2=path.name
        )
    with contextlib.closing(Database(copy, passphrase, read_only=True)) as database:
        if database.damaged_among_all(progress) or not database.is_consistent(progress):
            raise DamagedWorkspace("{name} is damaged itself. Choose another backup.", name=copy.name)
        workspace = Workspace(database, None)
        with contextlib.suppress(NewerWorkspace):
            workspace.schema()  # refuses files of another program
        return database.number("user_version"), workspace.log_head().entry


def _copy_bytes(source: Path, target: Path) -> None:
    """Fill the empty file ``target`` and read it again.

    Raises:
        NoAccess: the system refused.
        DamagedWorkspace: it is not as it was written.
    """
    read, written = hashlib.sha256(), hashlib.sha256()
    message = Text("The copy could not be written to {folder} ({strerror}). Nothing was changed.")
    with no_access(message, folder=target.parent), source.open("rb") as file, target.open("wb") as out:
        while part := file.read(_AT_ONCE):
            read.update(part)
            out.write(part)
    with no_access(message, folder=target.parent), target.open("rb") as file:
        while part := file.read(_AT_ONCE):
            written.update(part)
    if read.digest() != written.digest():
        raise DamagedWorkspace(
            "The copy of {name} could not be read back: {wrong}. Check the disk it is on.",
            name=source.name,
            wrong=Text("pages are damaged"),
        )


def _leave(path: Path, passphrase: str, head: int, now: int | None, then: int) -> tuple[Mapping[str, int] | None, bool]:
    """Enter the roll-back in the log of the newer file; what was entered there since the copy, and whether it took it.

    A file of a schema that this RadCal does not know is not written.
    """
    known = now is not None and now <= len(migrations.steps())
    since: Counter[str] = Counter()
    try:
        with contextlib.closing(Database(path, passphrase, read_only=not known)) as database:
            workspace = Workspace(database, None)
            since.update(entry.what for entry in workspace.entries(head + 1) if entry.what not in _OF_UPDATES)
            if known:
                counts = {"from_schema": now or 0, "to_schema": then, "entries_since": sum(since.values())}
                workspace.log(ROLLED_BACK, **counts)
    except RadcalError:  # damaged, under another passphrase, or of a RadCal that keeps its log elsewhere
        return None, False
    return since, known
