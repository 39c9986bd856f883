"""The one module that talks to SQLCipher: an encrypted SQLite file, opened, written in transactions, checked.

Choices, and why:

* Key: SQLCipher 4's own derivation (PBKDF2-HMAC-SHA512, 256,000 rounds, random salt; AES-256-CBC with an
  HMAC-SHA512 on every page), set by name, so that a later SQLCipher with other defaults still opens the file.
* Rollback journal (DELETE), not a write-ahead log: the workspace stays one file, and works on network shares, where
  the shared memory of a write-ahead log does not.  Journal pages are encrypted like those of the file.
* synchronous=EXTRA and fullfsync: commits survive a power failure, at a few ms per batch.
* temp_store=MEMORY: sorting never writes text to a temporary file.
* secure_delete: replaced texts are overwritten, not left in free pages.
* cipher_memory_security stays off: it would wipe SQLCipher's copies of text that Python holds anyway.
"""

from __future__ import annotations

import contextlib
import errno
import hmac
import os
import secrets
import threading
import time
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import IO, TYPE_CHECKING, Any, Self

from radcal.system.errors import Cancelled, DataError
from radcal.system.files import sync_folder
from radcal.system.progress import SILENT, Progress
from radcal.system.text import EMPTY, Text
from radcal.workspace import contents
from radcal.workspace.contents import Amount, Contents
from radcal.workspace.errors import (
    DamagedWorkspace,
    DiskFull,
    NoAccess,
    NotAWorkspace,
    UnfitPassphrase,
    WorkspaceBusy,
    WorkspaceClosed,
    WorkspaceError,
    WorkspaceGone,
    no_access,
)
from radcal.workspace.pages import PAGE, RESTORE, SALT, Key, explain, wrong_passphrase
from radcal.workspace.passphrases import drawn_form

if TYPE_CHECKING:
    from pathlib import Path

KDF_ITERATIONS = 256_000
SYNCHRONOUS = "EXTRA"
"""When SQLite waits for the disk: before a commit is over, the folder included."""
APPLICATION_ID = 0x52436C31
"""Marks a decrypted file as RadCal's ("RCl1")."""
BUSY_SECONDS = 30.0
_PAGES_AT_ONCE = 256
"""Pages copied or checked before others may use the file again: 1 MiB, a few milliseconds."""
_ROWS = 5000
"""Rows of a query handed over at a time, where they are not fetched at once."""
_INSTRUCTIONS = 1000
"""Instructions of SQLite's virtual machine between two checks for cancellation: a few milliseconds."""
_TELL = "radcal_contents"
"""The function that triggers tell of rows."""
_CHANGING = ("INSERT", "UPDATE", "DELETE", "REPLACE")
_LOCK_PAGE = (1 << 30) // PAGE + 1
"""The page of SQLite's locks, which is never written."""
_BAD_SECTOR_OF_WINDOWS = 23
_TOUCHED_EVERY_S = 60.0
"""Seconds between updates of the time of an unfinished copy; see :func:`radcal.system.files.clear_leftovers`."""

_CODES = {
    "database disk image is malformed": "SQLITE_CORRUPT",
    "database or disk is full": "SQLITE_FULL",
    "disk I/O error": "SQLITE_IOERR",
    "database is locked": "SQLITE_BUSY",
}
"""Result codes by message, for errors while a copy is made."""

# The files that this process has open, and their salts.  On POSIX systems, closing another descriptor of such a file
# silently drops SQLite's locks.
_open_files: Counter[tuple[int, int]] = Counter()
_salts: dict[tuple[int, int], bytes] = {}


def normalised(passphrase: str) -> str:
    """The passphrase in Unicode normal form NFC, because keyboards compose letters differently.

    Raises:
        UnfitPassphrase: it is empty or contains control characters, which some keyboards cannot type.
    """
    if not passphrase:
        raise UnfitPassphrase("The passphrase is empty. Choose one; without it, reports would not be protected.")
    if any(unicodedata.category(c) in ("Cc", "Cs") for c in passphrase):
        raise UnfitPassphrase("The passphrase contains a control character, such as a line break. Leave it out.")
    return unicodedata.normalize("NFC", passphrase)


def _spellings(passphrase: str) -> list[str]:
    """What to try: the passphrase as it was typed, and as it was drawn if it looks like a drawn one.

    Raises:
        UnfitPassphrase: as :func:`normalised`.
    """
    drawn = drawn_form(passphrase)
    try:
        typed = normalised(passphrase)
    except UnfitPassphrase:  # such as a line break that came along from the clipboard
        if not drawn:
            raise
        return [drawn]
    return [typed] if drawn in ("", typed) else [typed, drawn]


def _beginning(path: Path) -> bytes:
    """The salt at the start of the file, or a random one for a new file."""
    with path.open("rb") as file:
        return (file.read(SALT) or secrets.token_bytes(SALT)).ljust(SALT, b"\0")


class Database:
    """One connection to an encrypted file; may be used from any thread, one at a time.

    Args:
        path: an existing file, which may be empty.
        passphrase: any non-empty text, or the key of the file of which this is a copy.
        read_only: nothing is ever written, not even a lock.

    Raises:
        WorkspaceError: the file cannot be opened; the class says why.
    """

    def __init__(self, path: Path, passphrase: str | Key, *, read_only: bool = False) -> None:
        from sqlcipher3 import dbapi2

        self._driver = dbapi2
        self._mutex = threading.RLock()
        self._depth = 0
        self._connection: Any = None
        self._contents: Contents | None = None
        self.path = path
        self.read_only = read_only
        tried = [passphrase] if isinstance(passphrase, Key) else _spellings(passphrase)
        for words in tried[:-1]:
            with contextlib.suppress(NotAWorkspace):
                self._open(words)
                return
        try:
            self._open(tried[-1])
        except NotAWorkspace:
            known_good = _open_files[self._file] > 0
            raise (wrong_passphrase(path) if known_good else explain(path, self.key)) from None

    def _open(self, words: str | Key) -> None:
        """Connect under one key.

        Raises:
            NotAWorkspace: it does not fit; the connection is closed.
        """
        path, dbapi2, read_only = self.path, self._driver, self.read_only
        self.key = self._known(words)
        with self._translated():
            self._connection = dbapi2.connect(
                os.fspath(path),
                timeout=BUSY_SECONDS,
                isolation_level=None,  # transactions are begun and ended here, by name
                check_same_thread=False,
                flags=dbapi2.SQLITE_OPEN_READONLY if read_only else dbapi2.SQLITE_OPEN_READWRITE,
            )
        _open_files[self._file] += 1
        _salts[self._file] = self.key.salt
        try:
            self._configure()
        except BaseException:
            self.close()
            raise

    def _known(self, words: str | Key) -> Key:
        """The key of the file under a normalised passphrase."""
        with no_access(Text("{name} cannot be read ({strerror}). Check the disk it is on."), name=self.path.name):
            stat = self.path.stat()
            self._file = (stat.st_dev, stat.st_ino)
            known_good = _open_files[self._file] > 0
            if isinstance(words, Key):
                return words
            salt = _salts[self._file] if known_good else _beginning(self.path)
        return Key.derived(words, salt, KDF_ITERATIONS)

    def _configure(self) -> None:
        self.execute("PRAGMA cipher_log_level = NONE")  # SQLCipher would log to the console
        with self._translated():
            self._connection.set_key(self.key.words)
        for name, value in (
            ("cipher_compatibility", 4),
            ("kdf_iter", KDF_ITERATIONS),
            ("temp_store", "MEMORY"),
            ("cache_size", -65_536),  # KiB; twice as fast as the default on 100,000 reports
            ("foreign_keys", "ON"),
            ("recursive_triggers", "ON"),  # otherwise REPLACE could delete from the audit log
            ("trusted_schema", "OFF"),
            ("cell_size_check", "ON"),
        ):
            self.execute(f"PRAGMA {name} = {value}")
        self.execute("SELECT count(*) FROM sqlite_master")  # decrypts the first page
        if not self.read_only:
            for name, value in (
                ("journal_mode", "DELETE"),
                ("synchronous", SYNCHRONOUS),
                ("fullfsync", "ON"),
                ("secure_delete", "ON"),
            ):
                self.execute(f"PRAGMA {name} = {value}")

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one statement and fetch all rows.

        Raises:
            WorkspaceError, DataError: see :meth:`_translated`.
        """
        changes = self._contents is not None and sql.lstrip().startswith(_CHANGING)
        with self._mutex:
            if changes and not self._depth:
                with self.transaction():
                    return self.execute(sql, values)
            with self._translated(), self._kept_if_undone():
                connection = self._open_connection()
                if sql.lstrip().startswith(("SELECT", "WITH")):
                    return self._read(connection, sql, values)
                rows: list[tuple[Any, ...]] = connection.execute(sql, values).fetchall()
                return rows

    def _read(self, connection: Any, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Run a query and verify that every page it read was intact."""
        if connection.in_transaction:
            return connection.execute(sql, values).fetchall()  # type: ignore[no-any-return]
        connection.execute("BEGIN")
        try:
            rows: list[tuple[Any, ...]] = connection.execute(sql, values).fetchall()
            self._look_on(connection)
        finally:
            with contextlib.suppress(self._driver.Error):
                connection.execute("ROLLBACK")
        return rows

    def batches(self, sql: str, values: Sequence[Any] = ()) -> Iterator[list[tuple[Any, ...]]]:
        """The rows of a query, some thousands at a time; within a transaction, and to be read to the end in it."""
        with self._mutex, self._translated():
            rows = self._open_connection().execute(sql, values)
            while some := rows.fetchmany(_ROWS):
                yield some

    @staticmethod
    def _look_on(connection: Any) -> None:
        """Fetch one more page from the file.

        SQLCipher returns a damaged page as zeros and fails only at the next page that it decrypts: without one, the
        last page of a long value would be read as zeros without an error.
        """
        connection.execute("PRAGMA shrink_memory")  # so that the page does not come from the cache
        connection.execute("SELECT 1 FROM sqlite_master ORDER BY rowid DESC LIMIT 1").fetchall()

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each row, within a transaction."""
        # In a block of its own, so that with rows taken back what they told is, too.
        block = self.transaction() if self._contents else contextlib.nullcontext()
        with self._mutex, block, self._translated(), self._kept_if_undone():
            self._open_connection().executemany(sql, rows)

    def run_script(self, script: str) -> None:
        """Run several statements without ending their transaction."""
        statement = ""
        for line in script.splitlines(keepends=True):
            statement += line
            if self._driver.complete_statement(statement):
                self.execute(statement)
                statement = ""
        if statement.strip():
            self.execute(statement)

    @contextlib.contextmanager
    def transaction(self, *, write: bool = True) -> Iterator[Self]:
        """A transaction, rolled back if the block raises an exception.

        Blocks nest; the outermost decides.  Other threads wait.
        """
        with self._mutex:
            saves = write and not self._depth and not self.read_only
            if saves:
                self.require_there()
            if self._depth:
                begin, commit, undo = "SAVEPOINT inner", "RELEASE inner", "ROLLBACK TO inner; RELEASE inner"
            else:
                begin, commit, undo = "BEGIN IMMEDIATE" if write else "BEGIN", "COMMIT", "ROLLBACK"
            self.execute(begin)
            self._depth += 1
            held = self._contents
            amounts = dict(held.amounts) if held else {}
            try:
                yield self
                if saves and held is self._contents and held and held.amounts != amounts:
                    self.save_contents()
                if not (write or self._depth > 1):
                    with self._translated():
                        self._look_on(self._open_connection())
                self.execute(commit)
                if saves:  # a step saved in a lost file does not count
                    self.require_there()
            except BaseException:
                # A full disk ends the transaction by itself, and so does closing.
                if self._connection is not None and self._connection.in_transaction:
                    with contextlib.suppress(self._driver.Error):
                        for statement in undo.split(";"):
                            self._connection.execute(statement)
                if held:
                    held.amounts = amounts
                raise
            finally:
                self._depth -= 1

    # --- digests of the tables ----------------------------------------------------------------------

    @contextlib.contextmanager
    def _kept_if_undone(self) -> Iterator[None]:
        """A statement that fails is undone by SQLite, and so is what it told of rows.

        One that found no room ends its transaction, of which it may have been a half.
        """
        held = self._contents
        amounts = dict(held.amounts) if held else {}
        try:
            yield
        except self._driver.Error as error:
            if held:
                held.amounts = amounts
            if self._code(error) in ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_NOMEM") and self._connection.in_transaction:
                with contextlib.suppress(self._driver.Error):
                    self._connection.execute("ROLLBACK")
            raise

    def save_contents(self) -> None:
        """Save the digests that are kept up to date, within a transaction."""
        if self._contents is not None:
            with self._translated():
                values = (contents.KEY, self._contents.written())
                self._open_connection().execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", values)

    def columns(self) -> dict[str, list[str]]:
        """The columns of each table of the file."""
        names = self.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        return {name: [row[1] for row in self.execute(f'PRAGMA main.table_info("{name}")')] for (name,) in names}

    def recorded_contents(self) -> Contents | None:
        """The digests that the file has of its tables; None where it has none.

        Raises:
            ValueError: they are not of RadCal's making.
        """
        rows = self.execute("SELECT value FROM main.meta WHERE key = ?", (contents.KEY,))
        return Contents.read(str(rows[0][0]), contents.watched(self.columns())) if rows else None

    def watch_contents(self, held: Contents) -> None:
        """From now on keep the digests up to date with every change through this connection."""
        with self._mutex, self._translated():
            self._open_connection().create_function(_TELL, -1, held.take)
            for table, columns in held.columns.items():
                for trigger in contents.triggers(table, columns, _TELL):
                    self._open_connection().execute(trigger)
            self._contents = held

    @property
    def contents(self) -> Contents | None:
        """The digests that are kept up to date; None where they are not."""
        return self._contents

    def take_contents(self, progress: Progress = SILENT) -> None:
        """Read the whole file once for the digests of its tables, save them, and keep them up to date."""
        held = Contents.new(contents.watched(self.columns()))
        progress.start(len(held.columns), Text("Noting what is in the workspace, once"))
        with self.transaction():
            for table in held.columns:
                held.amounts[table] = self._amount(held, table, progress)
                progress.advance()
            self.watch_contents(held)
            self.save_contents()

    def _amount(self, held: Contents, table: str, progress: Progress) -> Amount:
        def rows() -> Iterator[tuple[Any, ...]]:
            for batch in self.batches(contents.rows_of(table, held.columns[table])):
                progress.raise_if_cancelled()
                yield from batch

        return held.amount(rows())

    def unlike_recorded(self, held: Contents, progress: Progress = SILENT) -> list[str]:
        """The tables that are not what their digests say, reading the whole file; one that is gone, too."""
        progress.start(len(held.columns), Text("Comparing each table with its digest"))
        found = []
        with self.transaction(write=False):
            for table in {*held.columns, *held.amounts}:
                is_there = table in held.columns
                if not is_there or self._amount(held, table, progress) != held.amounts.get(table):
                    found.append(table)
                progress.advance()
        return sorted(found)

    def require_there(self) -> None:
        """Check that the open file is still the one at its path.

        Programs that synchronise folders delete and replace files.  POSIX systems allow this while the file is open,
        and writes would go to a file that nobody can find again; Windows does not.

        Raises:
            WorkspaceGone: it was deleted, moved or replaced.
        """
        name = self.path.name
        try:
            if self.path.stat().st_ino == self._file[1]:
                return
        except FileNotFoundError:
            raise WorkspaceGone(
                "{name} was deleted or moved while it was open, perhaps by a program that synchronises its folder. "
                "Nothing more can be saved in it. Save a copy now: until the workspace is closed, everything in it can "
                "still be read. Then open the copy.",
                name=name,
            ) from None
        except OSError:  # whatever fails in an unreachable folder reports it
            return
        raise WorkspaceGone(
            "{name} was replaced by another file while it was open, perhaps by a program that "
            "synchronises its folder. Nothing more can be saved in it. Save a copy now: until "
            "the workspace is closed, everything in it can still be read. Then open the copy.",
            name=name,
        )

    def copy_to(self, path: Path, progress: Progress = SILENT) -> None:
        """Write a copy under the same key into the empty file ``path``, and verify it by opening it.

        In steps of 1 MiB, between which ``progress`` may let others use this connection: the copy includes their
        changes.

        Raises:
            DamagedWorkspace: the copy could not be read back, or this file is damaged.
        """
        key, progress = self.key, _Touching(progress, path)  # the key may change meanwhile
        try:
            damaged = self.damaged_among_all(progress)
        except WorkspaceGone:  # its pages can be read only through this connection
            damaged = self.damaged_pages()
        if damaged:  # see _look_on: a damaged page could be copied as zeros
            raise DamagedWorkspace(_NOT_WHOLE, name=self.path.name, remedy=RESTORE)
        with self._mutex:
            with contextlib.closing(Database(path, key)) as copy:
                copy.execute("PRAGMA journal_mode = OFF")  # a failed copy is deleted anyway
                copy.execute("PRAGMA synchronous = OFF")  # synced once at the end
                held = self._copy_pages(copy, progress)
            self._verify(path, key, held, progress)

    def copy_as_is(self, path: Path, progress: Progress = SILENT) -> None:
        """Write a copy, byte for byte, into the empty file ``path``, and verify it by opening it.

        Nobody may write meanwhile: for whoever holds the writer's lock, with a ``progress`` that changes nothing.

        Raises:
            DamagedWorkspace: the copy could not be read back, or this file is damaged.
            DiskFull, NoAccess: the copy could not be written.
        """
        self.require_there()
        progress.start(self.number("page_count"), Text("Making a copy of the workspace"))
        with self._mutex, self._reachable():
            file = self.path.open("rb", buffering=0)
            try:
                with path.open("wb", buffering=0) as copy:
                    self._copy_bytes(file, copy, progress)
            except OSError as error:
                full = error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", None))
                kind, message = _COPY_ERRORS["SQLITE_FULL" if full else "SQLITE_IOERR"]
                raise kind(message, folder=path.parent, name=self.path.name) from error
            finally:
                file.close()
        self._verify(path, self.key, self.counts(), progress)

    def _copy_bytes(self, file: IO[bytes], copy: IO[bytes], progress: Progress) -> None:
        first = 1
        while pages := self._pages(file, first):
            if any(n != _LOCK_PAGE and not self.key.fits(page, n) for n, page in enumerate(pages, first)):
                raise DamagedWorkspace(_NOT_WHOLE, name=self.path.name, remedy=RESTORE)
            rest = memoryview(b"".join(pages))
            while rest:
                rest = rest[copy.write(rest) :]
            first += len(pages)
            progress.advance(len(pages))
            progress.raise_if_cancelled()

    def _verify(self, path: Path, key: Key, held: Mapping[str, int], progress: Progress) -> None:
        """Have a copy on the disk and read it; ``held``: the number of rows of each table.

        Raises:
            DamagedWorkspace: it is not what it should be.
        """
        sync(path)
        with contextlib.closing(Database(path, key, read_only=True)) as copy:
            if copy.damaged_among_all(progress):
                wrong = Text("pages are damaged")
            elif not copy.is_consistent(progress):
                wrong = Text("tables are not well formed")
            else:
                wrong = Text("") if copy.counts() == held else Text("entries are missing")
        if wrong:
            raise DamagedWorkspace(
                "The copy of {name} could not be read back: {wrong}. Check the disk it is on.",
                name=self.path.name,
                wrong=wrong,
            )

    def _copy_pages(self, copy: Database, progress: Progress) -> dict[str, int]:
        """Copy every page; return the number of rows of each table at that moment."""
        reported, pages = 0, self.number("page_count")

        def copied(_status: int, remaining: int, total: int) -> None:
            nonlocal reported
            if not remaining:  # finished: further changes would not be in the copy
                return
            progress.raise_if_cancelled()
            progress.advance(max(total - remaining - reported, 0))
            reported = max(total - remaining, reported)

        progress.start(pages, Text("Making a copy of the workspace"))
        with self._translated():
            try:
                self._open_connection().backup(copy._open_connection(), pages=_PAGES_AT_ONCE, progress=copied)
            except self._driver.Error as error:
                if (found := _COPY_ERRORS.get(self._code(error))) is None:
                    raise
                kind, message = found
                raise kind(message, folder=copy.path.parent, name=self.path.name) from error
        held = self.counts()
        progress.advance(max(pages - reported, 0))
        return held

    def counts(self) -> dict[str, int]:
        """The number of rows of each table."""
        names = self.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        return {
            str(name): int(self.execute(f'SELECT count(*) FROM "{name}"')[0][0])  # noqa: S608 - names of the schema
            for (name,) in names
        }

    def damaged_among_all(self, progress: Progress = SILENT) -> list[int]:
        """Numbers of the damaged pages, unreadable ones included, in steps between which others may write.

        Same result as :meth:`damaged_pages`, which reads the whole file at once.

        Raises:
            NoAccess: the file is out of reach.
        """
        self.require_there()
        damaged: list[int] = []
        progress.start(self.number("page_count"), Text("Reading every page of the workspace"))
        with self._reachable():
            file = self.path.open("rb", buffering=0)  # a buffer could be outdated
        try:
            first = 1
            while pages := self._pages(file, first):
                damaged += [n for n, page in enumerate(pages, first) if n != _LOCK_PAGE and not self.key.fits(page, n)]
                first += len(pages)
                progress.advance(len(pages))
                progress.raise_if_cancelled()
        finally:
            with self._mutex:  # closing drops this process's locks on the file, so not during a change
                file.close()
        return damaged

    def _pages(self, file: IO[bytes], first: int) -> list[bytes]:
        """Pages from number ``first`` on, read while nobody writes; truncated pages are short."""
        with self.transaction(write=False):
            self.execute("SELECT count(*) FROM sqlite_master")  # takes a lock against writers
            n = min(_PAGES_AT_ONCE, self.number("page_count") + 1 - first)
            if n <= 0:
                return []
            with self._reachable():
                return _read_pages(file, first, n)

    def _reachable(self) -> AbstractContextManager[None]:
        message = Text("{name} could not be read ({strerror}). Check the disk or the network connection.")
        return no_access(message, name=self.path.name)

    def change_key(self, passphrase: str) -> None:
        """Re-encrypt the whole file under another passphrase, in one transaction."""
        key = Key.derived(normalised(passphrase), self.key.salt, KDF_ITERATIONS)
        with self._mutex, self._translated():
            self._open_connection().reset_key(key.words)
            self.key = key

    def fits(self, passphrase: str) -> bool:
        """Whether this is the passphrase of the file, as open here; the file is not read."""
        try:
            spellings = _spellings(passphrase)
        except UnfitPassphrase:
            return False
        made = [Key.derived(words, self.key.salt, KDF_ITERATIONS).raw for words in spellings]
        return any(hmac.compare_digest(raw, self.key.raw) for raw in made)

    def damaged_pages(self) -> list[int]:
        """Numbers of the pages that do not decrypt, reading the whole file at once through this connection."""
        return [int(row[0].rsplit(" ", 1)[-1]) for row in self.execute("PRAGMA cipher_integrity_check")]

    def is_consistent(self, progress: Progress = SILENT, *, indexes: bool = False) -> bool:
        """Whether tables and indexes are well formed, reading the whole file; writers wait.

        Args:
            indexes: look up every row in each index, too.
        """
        stopped: list[Cancelled] = []

        def look() -> bool:
            try:
                progress.raise_if_cancelled()
            except Cancelled as error:  # which the driver would not pass on
                stopped.append(error)
            return bool(stopped)

        with self._mutex:
            self._open_connection().set_progress_handler(look, _INSTRUCTIONS)
            try:
                return self.execute(f"PRAGMA {'integrity_check' if indexes else 'quick_check'}") == [("ok",)]
            except DataError:
                if stopped:
                    raise stopped[0] from None
                raise
            finally:
                self._open_connection().set_progress_handler(None, 0)

    def number(self, pragma: str) -> int:
        """The value of a whole-number PRAGMA."""
        return int(self.execute(f"PRAGMA {pragma}")[0][0])

    def close(self) -> None:
        """Close the file; may be called again."""
        with self._mutex:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
                _open_files[self._file] -= 1

    def _open_connection(self) -> Any:
        if self._connection is None:
            raise WorkspaceClosed("{name} was closed. Open it again.", name=self.path.name)
        if self._depth and not self._connection.in_transaction:  # or the rest would be saved without it
            raise DataError("An earlier part of this change failed, so that nothing of it was saved. Do it again.")
        return self._connection

    @staticmethod
    def _code(error: Exception) -> str:
        """SQLite's name of an error: the driver knows only primary codes, and none while copying."""
        return str(getattr(error, "sqlite_errorname", "")) or _CODES.get(str(error), "")

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        """Translate the driver's errors.

        Raises:
            DamagedWorkspace, DiskFull, NoAccess, NotAWorkspace, WorkspaceBusy, WorkspaceGone: by SQLite's result code.
            DataError: the file does not accept the values.
        """
        name = self.path.name
        try:
            yield
        except UnicodeEncodeError:
            raise DataError(
                "A text contains half characters (unpaired surrogates), which cannot be stored."
                " Read its file again with the right encoding."
            ) from None
        except self._driver.Error as error:
            code = self._code(error)
            if code in ("SQLITE_READONLY", "SQLITE_IOERR", "SQLITE_CANTOPEN") and not self.read_only:
                self.require_there()
            # Only a writer can roll back a hot journal.
            if code == "SQLITE_READONLY" and self.path.with_name(name + "-journal").exists():
                raise NoAccess(
                    "{name} was not closed properly and must be put in order first: open it once for writing.",
                    name=name,
                ) from error
            # The driver's own message names tables and columns, never values.
            kind, message = _ERRORS.get(code, (DataError, Text("{name} does not take these values ({error}).")))
            remedy = RESTORE
            raise kind(message, name=name, code=code, remedy=remedy, busy_seconds=BUSY_SECONDS, error=error) from error


_NOT_WHOLE = Text("{name} is damaged, so that no whole copy of it can be made. {remedy}.")
_OUT_OF_REACH = Text(
    "{name} could not be read or written ({code}). Check the disk or the network connection, and whether the folder "
    "allows writing; everything saved before this step is safe."
)
_BUSY = Text("Another RadCal is using {name} and did not finish within {busy_seconds:.0f} s. Try again.")
_ERRORS: Mapping[str, tuple[type[WorkspaceError], Text]] = {
    "SQLITE_NOTADB": (NotAWorkspace, Text("{name} could not be decrypted.")),
    "SQLITE_READONLY": (NoAccess, Text("{name} is open for reading only. Open it for writing to change it.")),
    "SQLITE_CORRUPT": (
        DamagedWorkspace,
        Text(
            "{name} is damaged: part of it cannot be read. {remedy}; a check of the workspace tells which of its parts "
            "can still be read."
        ),
    ),
    "SQLITE_FULL": (
        DiskFull,
        Text(
            "There is no space left to write {name}. This step was not saved, everything before it was. Free some "
            "space and go on."
        ),
    ),
    "SQLITE_IOERR": (NoAccess, _OUT_OF_REACH),
    "SQLITE_CANTOPEN": (NoAccess, _OUT_OF_REACH),
    "SQLITE_PERM": (NoAccess, _OUT_OF_REACH),
    "SQLITE_BUSY": (WorkspaceBusy, _BUSY),
    "SQLITE_LOCKED": (WorkspaceBusy, _BUSY),
}
"""Errors by SQLite's result code."""
_COPY_ERRORS: Mapping[str, tuple[type[WorkspaceError], Text]] = {
    "SQLITE_FULL": (
        DiskFull,
        Text(
            "There is no space left in {folder} for a copy of {name}. Free some space there, or choose another folder."
        ),
    ),
    "SQLITE_IOERR": (
        NoAccess,
        Text(
            "A copy of {name} could not be written to {folder}. Check the disk or the network connection, and whether "
            "there is room."
        ),
    ),
}
"""The same while a copy is written."""


class _Touching:
    """Forwards progress and updates the time of a file, so that it is not deleted as abandoned."""

    def __init__(self, progress: Progress, path: Path) -> None:
        self._progress, self._path, self._touched = progress, path, time.monotonic()

    def start(self, total: int | None, what: Text) -> None:
        self._progress.start(total, what)

    def advance(self, n: int = 1, note: Text = EMPTY) -> None:
        self._touch()
        self._progress.advance(n, note)

    def raise_if_cancelled(self) -> None:
        self._touch()
        self._progress.raise_if_cancelled()

    def _touch(self) -> None:
        if time.monotonic() - self._touched > _TOUCHED_EVERY_S:
            self._touched = time.monotonic()
            with contextlib.suppress(OSError):
                os.utime(self._path)


def _read_pages(file: IO[bytes], first: int, n: int) -> list[bytes]:
    """``n`` pages of a file; unreadable ones are empty, those beyond its end short."""
    try:
        file.seek((first - 1) * PAGE)
        data = b""
        while part := file.read(n * PAGE - len(data)):  # network shares may return less than requested
            data += part
    except OSError as error:
        if error.errno != errno.EIO and getattr(error, "winerror", None) != _BAD_SECTOR_OF_WINDOWS:
            raise
        return [b""] if n == 1 else [page for k in range(n) for page in _read_pages(file, first + k, 1)]
    return [data[k * PAGE : (k + 1) * PAGE] for k in range(n)]


def sync(path: Path) -> None:
    """Flush a file, and where the system supports it its folder entry, to the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())
    sync_folder(path.parent)
