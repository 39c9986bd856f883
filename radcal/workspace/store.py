"""The workspace as a whole: creating, opening, migrating, copying and checking it."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import sys
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Self

from radcal.system import inputs, policy
from radcal.system.clock import now
from radcal.system.errors import RadcalError
from radcal.system.files import Json, clear_leftovers, free_name, unfinished_beside
from radcal.system.progress import SILENT, Progress
from radcal.system.settings import Settings
from radcal.system.text import Text, joined, listed
from radcal.system.version import __version__
from radcal.workspace import contents, schema
from radcal.workspace.backups import file_name, rotating, superfluous, update_copy_name
from radcal.workspace.copies import BACKED_UP, SETTINGS_SAVED, UP_TO_DATE, CopyStore
from radcal.workspace.database import APPLICATION_ID, Database, sync
from radcal.workspace.errors import (
    DamagedWorkspace,
    DiskFull,
    NewerWorkspace,
    NoAccess,
    NoSuchWorkspace,
    NotAWorkspace,
    OlderWorkspace,
    WorkspaceExists,
    WorkspaceGone,
    no_access,
)
from radcal.workspace.extractions import ExtractionStore, MarkStore
from radcal.workspace.lock import WriterLock, clear_locks
from radcal.workspace.log_records import DIGEST, LogHead
from radcal.workspace.pages import RESTORE, SALT, Key
from radcal.workspace.records import Checked, Updated
from radcal.workspace.reports import ReportStore
from radcal.workspace.results import ResultStore
from radcal.workspace.reviews import ReviewStore
from radcal.workspace.rewriting import RewritingStore

_LONGEST_SETTING = 40
_PUT_BACK = Text(
    "Every page is whole, but not all are of the same time: {parts} do not fit the digests that were saved with the "
    "last change. An older page of the file was put back, by a faulty disk, a program that synchronises folders, or "
    "somebody with access to the file. {remedy}."
)
_NO_ROOM_FOR_UPDATE = Text(
    "To bring {name} up to date, a copy of it is kept and what changes is noted: that needs up to {needed}, and "
    "{folder} has {free} left. Nothing was changed. Free some space there."
)
_NO_ROOM_FOR_COPY = Text(
    "A copy of the workspace needs {needed}, and {folder} has {free} left. Nothing was written. Free some space there, "
    "or choose another folder."
)
_PARTS = {
    Text("settings"): ("meta",),
    Text("reports"): ("imports", "rejected", "texts", "reports", "versions", "suspects"),
    Text("pairs"): ("pairs", "attrition"),
    Text("findings"): ("runs", "extractions", "findings", "decisions"),
    Text("marks of texts"): ("markers", "text_marks", "recommendations", "wording_marks"),
    Text("results"): ("results",),
    Text("observations"): ("frames", "frame_columns"),
    Text("gold sets"): ("gold_sets", "gold_reports", "gold_readers", "gold_actions"),
    Text("audit log"): ("audit",),
}


_tell: ContextVar[Callable[[Updated], None]] = ContextVar("tell", default=lambda _updated: None)


@contextlib.contextmanager
def telling_updates(tell: Callable[[Updated], None]) -> Iterator[None]:
    """Call ``tell`` for every workspace that is brought up to date by this thread within the block."""
    before = _tell.set(tell)
    try:
        yield
    finally:
        _tell.reset(before)


class Workspace(ReportStore, RewritingStore, ExtractionStore, MarkStore, ResultStore, ReviewStore, CopyStore):
    """An open workspace file, returned by :meth:`create` and :meth:`open`, closed by :meth:`close` or ``with``.

    While it is open for writing, nobody else can open it for writing, on this machine or another; reading remains
    possible.  Any thread may use it; during a transaction other threads wait.
    """

    def __init__(self, database: Database, lock: WriterLock | None, user: str | None = None) -> None:
        """Use :meth:`create` or :meth:`open` instead."""
        self._db = database
        self._lock = lock
        self._user = user
        if not database.read_only:
            self._watch()

    def _watch(self, progress: Progress | None = None) -> None:
        """Keep the digests of the tables up to date from now on.

        Args:
            progress: takes them first where the file has none.
        """
        if self._db.contents is not None or not self._is_of_this_radcal():
            return
        try:
            held = self._db.recorded_contents()
        except ValueError:  # which the check tells
            return
        if held is not None:
            self._db.watch_contents(held)
        elif progress is not None:
            self._db.take_contents(progress)

    def _is_of_this_radcal(self) -> bool:
        """Whether it is a workspace with the newest schema that this RadCal knows."""
        version = self._db.number("user_version")
        return self._db.number("application_id") == APPLICATION_ID and version == schema.newest()

    @classmethod
    def create(
        cls,
        path: Path | str,
        passphrase: str,
        settings: Settings | None = None,
        *,
        pseudonym_seed: int | None = None,
        user: str | None = None,
        fill: Callable[[Self], None] | None = None,
    ) -> Self:
        """Create a workspace, accessible to its owner alone, and open it for writing.

        Args:
            path: a new file in an existing folder.
            passphrase: at least one character and no control characters, in Unicode form NFC.  Without it the workspace
                is lost.
            settings: of the department; the defaults if None.
            pseudonym_seed: the secret from which pseudonyms are derived; None, to draw it, if the authors are real.
            user: in the audit log until the workspace is closed; None for the user of this process, '' for a file whose
                recipient must not know that.
            fill: writes the first contents before the file takes its name, so that it is never found half filled.

        Raises:
            WorkspaceExists, NoSuchWorkspace: the file exists; the folder does not.
            UnfitPassphrase: an empty passphrase.
            NoAccess, DiskFull, WorkspaceInUse: the folder cannot be written.
        """
        path = new_file(path)
        lock = WriterLock(path)
        try:
            _require_absent(path)  # again: it may have been created before the lock was taken
            with whole_or_nothing(path) as unfinished:
                with contextlib.closing(Database(unfinished, passphrase)) as database:
                    workspace = cls(database, lock, user)
                    workspace._lay_out(settings or Settings(), pseudonym_seed)
                    if fill is not None:
                        fill(workspace)
                sync(unfinished)
            return cls(Database(path, passphrase), lock, user)
        except BaseException:
            lock.release()
            raise

    def _lay_out(self, settings: Settings, pseudonym_seed: int | None) -> None:
        seed = secrets.randbits(63) if pseudonym_seed is None else pseudonym_seed
        with self._db.transaction():
            self._db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            self._run_scripts(0)
            self.set_meta("_created", now())
            self.set_meta("_cipher", " ".join(row[0] for row in self._db.execute("PRAGMA cipher_settings")))
            self.set_meta("_pseudonym_seed", str(seed))
            self.set_meta("_settings", json.dumps(settings.to_dict()))
            self._watch(SILENT)
            self.log("workspace created")

    @classmethod
    def open(cls, path: Path | str, passphrase: str, *, read_only: bool = False, progress: Progress = SILENT) -> Self:
        """Open a workspace; ``read_only`` works even while somebody else has it open for writing.

        A file of an older schema is brought up to date after a copy of it, byte for byte, was made beside it and
        verified; :func:`telling_updates` hears of it.

        Raises:
            NoSuchWorkspace, NotAWorkspace, WrongPassphrase, UnfitPassphrase, NewerWorkspace, OlderWorkspace,
            DamagedWorkspace, WorkspaceInUse, WorkspaceBusy, NoAccess, DiskFull: as their names say.
            Cancelled: by ``progress``; the file is as it was.
        """
        path = existing_file(path)
        with contextlib.ExitStack() as undo:
            lock = None
            if not read_only:
                if not os.access(path, os.W_OK):
                    raise NoAccess(
                        "{name} may not be changed. Open it for reading only, or ask its owner.", name=path.name
                    )
                lock = WriterLock(path)
                undo.callback(lock.release)
                clear_leftovers(path.parent)
                clear_locks(path.parent)
            workspace = cls(Database(path, passphrase, read_only=read_only), lock)
            undo.callback(workspace._db.close)
            workspace._bring_up_to_date(progress)
            if not read_only:
                workspace._watch(progress)
            undo.pop_all()
        return workspace

    def schema(self) -> int:
        """The version of the schema.

        Raises:
            NotAWorkspace, NewerWorkspace, OlderWorkspace: this RadCal does not know it.
        """
        name = self.path.name
        if self._db.number("application_id") != APPLICATION_ID:
            raise NotAWorkspace(
                "The passphrase fits {name}, but RadCal did not make it. Choose another file.", name=name
            )
        version = self._db.number("user_version")
        if version < schema.BASE:
            raise OlderWorkspace(
                "{name} was written by a RadCal from before the first release (schema {version}), which this RadCal "
                "does not read. Make a new workspace and import the reports again.",
                name=name,
                version=version,
            )
        if version > schema.newest():
            writer = ""
            with contextlib.suppress(RadcalError):  # a newer RadCal may store this elsewhere
                writer = self.get_meta("_radcal", "") or ""
            raise NewerWorkspace(
                "{name} was written by a newer RadCal{writer} and has schema {version}; this is RadCal {own}, which "
                "knows schemas up to {n}. Install {better} to open it.",
                name=name,
                writer=f" ({writer})" if writer else "",
                version=version,
                own=__version__,
                n=schema.newest(),
                better=Text("RadCal {writer} or later", writer=writer) if writer else Text("a newer RadCal"),
            )
        return version

    def _bring_up_to_date(self, progress: Progress = SILENT) -> None:
        version, newest = self.schema(), schema.newest()
        if version == newest:
            return
        if self.read_only:
            raise OlderWorkspace(
                "{name} was written by an older RadCal (schema {version}, now {n}). Open it once "
                "for writing to bring it up to date; a copy is kept beside it.",
                name=self.path.name,
                version=version,
                n=newest,
            )
        # A copy, and the journal of all that changes.
        _require_room(self.path.parent, 2 * self.path.stat().st_size, _NO_ROOM_FOR_UPDATE, name=self.path.name)
        copy = free_name(self.path.with_name(update_copy_name(self.path, version, datetime.now(UTC))))
        with whole_or_nothing(copy) as unfinished:
            self._db.copy_as_is(unfinished, progress)
            hand_over(unfinished, self.path)
        try:
            self.migrate()
        except BaseException:
            with contextlib.suppress(RadcalError, OSError):
                self._db.require_there()
                if self._db.number("user_version") == version:  # the file is as it was, and the copy superfluous
                    copy.unlink()
            raise
        _tell.get()(Updated(self.path, version, newest, copy))

    def migrate(self) -> None:
        """Bring the file to the newest schema, in one transaction."""
        version = self.schema()
        with self._db.transaction():
            self._run_scripts(version)
            self.set_meta(contents.KEY, "")  # a step may have changed any table
            self.log(UP_TO_DATE, from_schema=version, to_schema=schema.newest())

    def _run_scripts(self, version: int) -> None:
        for number, script in schema.scripts_from(version):
            self._db.run_script(script)
            self._db.execute(f"PRAGMA user_version = {number}")
        self.set_meta("_radcal", __version__)

    @property
    def path(self) -> Path:
        """The file, links resolved."""
        return self._db.path

    @property
    def key(self) -> Key:
        """The key, which opens the copies of the file as well."""
        return self._db.key

    @property
    def read_only(self) -> bool:
        """Whether it is open for reading only."""
        return self._db.read_only

    @property
    def settings(self) -> Settings:
        """The settings as last saved.

        Raises:
            InputError: they were saved by a newer RadCal.
        """
        return _settings_in(self.get_meta("_settings") or "{}")

    def save_settings(self, settings: Settings) -> None:
        """Store the settings; the audit log has each changed one with its value before and after.

        Raises:
            SetByPolicy: one was changed that IT has locked; what locks override is stored as it was.
        """
        stored = settings
        with contextlib.suppress(RadcalError):  # saved by a newer RadCal
            stored = self.settings
        settings = policy.in_use().to_store(settings, stored)
        with self._db.transaction():
            before, after = self._settings_before(), settings.to_dict()
            self.set_meta("_settings", json.dumps(after))
            changed = [name for name in after if before.get(name) != after[name]]
            for name in changed:
                self.log(f"setting {name}: {_shown(before.get(name))} before, {_shown(after[name])} now")
            self.log(SETTINGS_SAVED, changed=len(changed))

    def _settings_before(self) -> Json:
        with contextlib.suppress(RadcalError):
            return self.settings.to_dict()
        return {}

    @property
    def pseudonym_seed(self) -> int:
        """The secret number from which pseudonyms are derived."""
        return int(self.get_meta("_pseudonym_seed") or 0)

    def change_passphrase(self, current: str, new: str) -> None:
        """Re-encrypt the whole file; existing copies keep their passphrase.

        Raises:
            WrongPassphrase: ``current`` is not the passphrase.
            UnfitPassphrase: ``new`` is empty.
            NoAccess, DiskFull, WorkspaceGone: nothing was changed.
        """
        if self.read_only:
            raise NoAccess(
                "{name} is open for reading only. Open it for writing to change the passphrase.", name=self.path.name
            )
        self._db.require_there()
        Database(self.path, current, read_only=True).close()
        self._db.change_key(new)
        self.log("passphrase changed")

    def fits(self, passphrase: str) -> bool:
        """Whether this is the passphrase; the file need not be in reach."""
        return self._db.fits(passphrase)

    @staticmethod
    def identity_of(path: Path | str) -> str:
        """The :attr:`identity` of a file that is not open in this process.

        Raises:
            NoSuchWorkspace, NoAccess: it is not there, or cannot be read.
        """
        path = existing_file(path)
        unread = Text("{name} cannot be read ({strerror}). Check the disk it is on.")
        with no_access(unread, name=path.name), path.open("rb") as file:
            return file.read(SALT).hex()

    @property
    def identity(self) -> str:
        """What the file and its backups have in common, whatever they are called and wherever they lie: the salt."""
        return self._db.key.salt.hex()

    def backup(self, path: Path | str, progress: Progress = SILENT) -> LogHead:
        """Write a copy under the same passphrase, accessible to its owner alone, and verify it.

        In short steps, between which ``progress`` may let others use this workspace.  A copy rescues a workspace whose
        file was deleted or replaced while open.

        Returns:
            The head of the audit log in the copy.

        Raises:
            WorkspaceExists, NoSuchWorkspace: the file exists; its folder does not.
            NoAccess, DiskFull, DamagedWorkspace: there is no copy.
            Cancelled: by ``progress``; there is no copy.
        """
        head = self._copy_into(path, progress)
        if not self.read_only:
            with contextlib.suppress(WorkspaceGone):
                self._log_backup(head.entry)
        return head

    def _log_backup(self, up_to_entry: int) -> None:
        """Enter a backup, with the digests of the tables that the log does not have yet.

        By these nobody can put back the page with the digests along with those that it tells of.
        """
        held = self._db.contents
        new = {} if held is None else held.unlogged()
        before = None if held is None else (held.entry, held.logged)
        try:
            with self._db.transaction():
                self.log(BACKED_UP, up_to_entry=up_to_entry, **{f"{DIGEST}{table}": n for table, n in new.items()})
                if held is not None:
                    held.entry, held.logged = self.log_head().entry, {**held.logged, **new}
                    self._db.save_contents()
        except BaseException:
            if held is not None and before is not None:
                held.entry, held.logged = before
            raise

    def _copy_into(self, path: Path | str, progress: Progress = SILENT) -> LogHead:
        path = new_file(path)
        _require_room(path.parent, self._db.number("page_count") * self._db.number("page_size"), _NO_ROOM_FOR_COPY)
        with whole_or_nothing(path) as unfinished:
            key = self._db.key  # that of the copy, even if another is chosen meanwhile
            self._db.copy_to(unfinished, progress)
            with contextlib.closing(Database(unfinished, key, read_only=True)) as copy:
                return type(self)(copy, None).log_head()

    def back_up_into(self, folder: Path, at: datetime, progress: Progress = SILENT) -> tuple[Path, list[Path]]:
        """Add a backup to the series in a folder, created if necessary, and delete superfluous ones.

        Args:
            folder: see :func:`radcal.workspace.backups.folder_for`.
            at: now, timezone-aware.

        Returns:
            The backup, and the deleted ones.

        Raises:
            As :meth:`backup`, before any is deleted.
        """
        message = Text("Backups cannot be kept in {folder} ({strerror}). Choose another folder for them in Settings.")
        with no_access(message, folder=folder):
            folder.mkdir(mode=0o700, exist_ok=True)
        state = self.state()
        number = 1 + max((backup.number for backup in rotating(self.path, folder)), default=0)
        path = folder / file_name(self.path, self.series, number, at)
        self.backup(path, progress)
        if not self.read_only:
            self.note_backup(state)
        deleted = []
        for old in superfluous(rotating(self.path, folder, self.series)):  # never those of a namesake
            with contextlib.suppress(OSError):  # it is deleted after the next backup
                old.path.unlink()
                deleted.append(old.path)
        return path, deleted

    def check_pages(self, at: datetime, progress: Progress = SILENT) -> Checked:
        """Check every page, in short steps between which ``progress`` may let others use this workspace."""
        total = self._db.number("page_count")
        checked = Checked(at, total, len(self._db.damaged_among_all(progress)))
        if not self.read_only:
            with contextlib.suppress(RadcalError):  # a damaged file may not accept the note
                self.note_check(checked)
        return checked

    @classmethod
    def check(cls, path: Path | str, passphrase: str, progress: Progress = SILENT) -> tuple[str, ...]:
        """Read every byte of a workspace; return the problems found, in sentences.

        Raises:
            NoSuchWorkspace, NotAWorkspace, WrongPassphrase, NoAccess, WorkspaceGone: there is nothing to check.
        """
        path = existing_file(path, Text("Check the name; `radcal restore` puts a backup in its place."))
        try:
            database = Database(path, passphrase, read_only=True)
        except DamagedWorkspace:
            lost = Text(
                "The pages that say where everything is are damaged: nothing can be read. {remedy}.", remedy=RESTORE
            )
            return (lost,)
        with contextlib.closing(database):
            pages, total = database.damaged_among_all(progress), database.number("page_count")
            # Pages that are whole and do not go together break off in the middle of a table.
            with contextlib.suppress(DamagedWorkspace):
                if not pages and database.is_consistent(progress, indexes=True):
                    return cls(database, None)._put_back(progress)
        good: list[str] = []
        bad: list[str] = []
        for part, tables in _PARTS.items():
            progress.raise_if_cancelled()
            (good if _is_readable(path, passphrase, tables) else bad).append(part)
        what = Text("{n} of {total} pages are damaged.", n=len(pages), total=total)
        if not pages:
            what = Text("Every page is whole, but not all go together: some may be older ones that were put back.")
        return (
            what,
            Text("Can still be read: {good}.", good=joined(good, ", ") or Text("nothing")),
            Text("Cannot be read in full: {bad}.", bad=joined(bad, ", ") or Text("only indexes are damaged")),
        )

    def _put_back(self, progress: Progress) -> tuple[Text, ...]:
        """What shows that an older page of the same file stands in the place of a newer, in sentences."""
        if not self._is_of_this_radcal():
            return ()  # as of an older RadCal, or a newer
        try:
            held = self._db.recorded_contents()
        except ValueError:
            return (_PUT_BACK.with_values(parts=Text("the digests themselves"), remedy=RESTORE),)
        if held is None:
            return ()
        tables = set(self._db.unlike_recorded(held, progress))
        parts = [part for part, of in _PARTS.items() if tables & {*of}]
        entry, logged = 0, dict[str, int]()
        for found in self.entries():
            if found.what == BACKED_UP:
                entry = found.entry
                with contextlib.suppress(ValueError, AttributeError):
                    told = json.loads(found.counts).items()
                    logged |= {name.removeprefix(DIGEST): n for name, n in told if name.startswith(DIGEST)}
        if (entry, logged) != (held.entry, held.logged):
            parts.append(Text("the digests themselves"))
        return (_PUT_BACK.with_values(parts=listed(parts), remedy=RESTORE),) if parts else ()

    def close(self) -> None:
        """Close the file and let others write; may be called again."""
        self._db.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@lru_cache(maxsize=8)
def _settings_in(text: str) -> Settings:
    """The settings that are stored as this text; they are asked for often, and checking them takes a while."""
    return Settings.from_dict(json.loads(text))


def _shown(value: object) -> str:
    """A setting in the audit log: of a path the last part alone, of a list how long it is; either may be private."""
    if isinstance(value, list | tuple):
        return f"{len(value)} in the list"
    text = str(value)
    if isinstance(value, str):
        text = text.replace("\\", "/").rstrip("/").rpartition("/")[2] or "none"
    text = "".join(c if c.isprintable() else "_" for c in text)
    return text if len(text) <= _LONGEST_SETTING else f"{text[:_LONGEST_SETTING]}..."


def _is_readable(path: Path, passphrase: str, tables: tuple[str, ...]) -> bool:
    # A new connection, because SQLCipher refuses everything after one damaged page.
    try:
        with contextlib.closing(Database(path, passphrase, read_only=True)) as database:
            for table in tables:
                # Concatenated, because SQLite would take a plain value's length from its header.
                columns = [
                    f"total(length(\"{row[1]}\" || ''))" for row in database.execute(f"PRAGMA table_info({table})")
                ]
                database.execute(f"SELECT {', '.join(columns)} FROM {table}")  # noqa: S608 - names of the schema
    except DamagedWorkspace:
        return False
    return True


def existing_file(path: Path | str, remedy: str = Text("Check the name, or make a new workspace.")) -> Path:
    """The file, links resolved; ``remedy`` is what to do if it does not exist.

    Raises:
        NoSuchWorkspace, NotAWorkspace, NoAccess: it does not exist, cannot be a workspace, or may not be read.
    """
    path = inputs.full_path(Path(path))  # links to one file share its lock
    if inputs.is_folder(path):
        raise NotAWorkspace("{path} is a folder. Choose a workspace file in it.", path=path)
    if not path.exists():
        raise NoSuchWorkspace("There is no file {path}. {remedy}", path=path, remedy=remedy)
    if not os.access(path, os.R_OK):
        raise NoAccess("{name} may not be read by this user. Ask its owner.", name=path.name)
    if not path.is_file():
        raise NotAWorkspace("{name} is a pipe or a device. Choose a file that RadCal made.", name=path.name)
    if path.stat().st_size == 0:  # SQLite would take it for a new database
        raise NotAWorkspace("{name} is empty. Choose a file that RadCal made.", name=path.name)
    return path


def new_file(path: Path | str, *, absent: bool = True) -> Path:
    """The path of a file to be created, links resolved.

    Raises:
        NoSuchWorkspace: there is no such folder.
        WorkspaceExists: the file exists and should be ``absent``.
    """
    path = inputs.full_path(Path(path))
    inputs.refuse_unusable(path)
    if not inputs.is_folder(path.parent):
        raise NoSuchWorkspace("There is no folder {parent}. Make it first, or choose another.", parent=path.parent)
    if absent:
        _require_absent(path)
    return path


def _require_room(folder: Path, needed: int, message: Text, **values: str) -> None:
    """Refuse what a folder may lack room for.

    Raises:
        DiskFull: there are fewer bytes than are ``needed``.
    """
    free = shutil.disk_usage(folder).free
    if free < needed:
        shown = {"needed": f"{needed / 1e6:,.1f} MB", "free": f"{free / 1e6:,.1f} MB"}
        raise DiskFull(message, folder=folder, **shown, **values)


def _require_absent(path: Path) -> None:
    if path.exists():
        raise WorkspaceExists("{path} exists already. Choose another name; nothing is overwritten.", path=path)


@contextlib.contextmanager
def whole_or_nothing(path: Path, *, replaces: bool = False) -> Iterator[Path]:
    """An empty file beside ``path``, accessible to its owner alone, that is renamed to ``path`` if the block succeeds.

    ``replaces`` allows it to replace an existing file, atomically.
    """
    clear_leftovers(path.parent)
    unfinished = unfinished_beside(path)
    with no_access(Text("{path} cannot be written ({strerror}). Choose another folder."), path=path):
        os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        yield unfinished
        with no_access(Text("{path} could not be written to the disk ({strerror}). Check the disk."), path=path):
            (unfinished.replace if replaces else unfinished.rename)(path)
            sync(path)
    finally:
        for rest in (unfinished, unfinished.with_name(unfinished.name + "-journal")):
            with contextlib.suppress(OSError):
                rest.unlink()


def hand_over(new: Path, old: Path) -> None:
    """Give the new file to the owner of the old one: an administrator who works on it takes it away from nobody."""
    if sys.platform != "win32":  # the folder decides there
        found = old.stat()
        with contextlib.suppress(OSError):  # only root can
            os.chown(new, found.st_uid, found.st_gid)


def share_alike(new: Path, old: Path) -> None:
    """Give the new file the owner and the permissions of the old one as far as this user can, and never more."""
    if sys.platform == "win32":  # the folder decides there
        return
    found = old.stat()
    mode = found.st_mode & 0o666
    try:
        os.chown(new, -1, found.st_gid)
    except OSError:  # the user is not in that group, and no other group gets its permissions
        mode &= 0o606
    with contextlib.suppress(OSError):
        new.chmod(mode | 0o600)
    hand_over(new, old)
