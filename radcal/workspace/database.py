"""The one module that talks to SQLCipher: an encrypted SQLite file, opened, written in transactions, checked.

Choices, and why:

* Key: SQLCipher 4's own derivation (PBKDF2-HMAC-SHA512, 256,000 rounds, random salt; AES-256-CBC with an
  HMAC-SHA512 on every page), set by name, so that a later SQLCipher with other defaults still opens the file.
* Rollback journal (DELETE), not a write-ahead log: the workspace stays one file, and it works on a network
  share, where the shared memory of a write-ahead log does not.  Journal pages are encrypted like the file's.
* synchronous=EXTRA and fullfsync: what was committed survives a power failure, at some ms a batch.
* temp_store=MEMORY: sorting never writes text to a temporary file.
* secure_delete: replaced texts are overwritten rather than left in free pages.
* cipher_memory_security stays off: it would wipe SQLCipher's copies of text that Python holds anyway.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self

from radcal.errors import DataError
from radcal.workspace import diagnose
from radcal.workspace.errors import (
    DamagedWorkspace,
    DiskFull,
    NoAccess,
    NotAWorkspace,
    UnfitPassphrase,
    WorkspaceBusy,
    WorkspaceClosed,
    WorkspaceGone,
)

if TYPE_CHECKING:
    from pathlib import Path

KDF_ITERATIONS = 256_000
APPLICATION_ID = 0x52436C31
"""Marks a decrypted file as RadCal's ("RCl1")."""
BUSY_SECONDS = 30.0
# Files that this process has open.  On POSIX systems, reading one of them through another descriptor and
# closing that would silently drop SQLite's locks.
_open_files: Counter[tuple[int, int]] = Counter()


def normalised(passphrase: str) -> str:
    """The passphrase in Unicode form NFC: keyboards of different systems compose letters differently.

    Raises:
        UnfitPassphrase: it is empty or holds control characters, which some keyboards cannot repeat.
    """
    if not passphrase:
        raise UnfitPassphrase("The passphrase is empty. Choose one; without it, reports would not be protected.")
    if any(unicodedata.category(c) in ("Cc", "Cs") for c in passphrase):
        raise UnfitPassphrase("The passphrase contains a control character, such as a line break. Leave it out.")
    return unicodedata.normalize("NFC", passphrase)


class Database:
    """One connection to an encrypted file; may be used from any thread, one at a time.

    Args:
        path: an existing file, which may be of no bytes.
        passphrase: any text but an empty one.
        read_only: nothing is ever written, not even a lock.

    Raises:
        WorkspaceError: the file cannot be opened; the class says why.
    """

    def __init__(self, path: Path, passphrase: str, *, read_only: bool = False) -> None:
        from sqlcipher3 import dbapi2

        self._driver = dbapi2
        self._mutex = threading.RLock()
        self._depth = 0
        self._connection: Any = None
        self.path = path
        self.read_only = read_only
        key = normalised(passphrase)
        with self._translated():
            self._connection = dbapi2.connect(
                os.fspath(path),
                timeout=BUSY_SECONDS,
                isolation_level=None,  # transactions are begun and ended here, by name
                check_same_thread=False,
                flags=dbapi2.SQLITE_OPEN_READONLY if read_only else dbapi2.SQLITE_OPEN_READWRITE,
            )
        stat = path.stat()
        self._file = (stat.st_dev, stat.st_ino)
        known_good = _open_files[self._file] > 0
        _open_files[self._file] += 1
        try:
            self._configure(key)
        except NotAWorkspace:
            self.close()
            if known_good:
                raise diagnose.wrong_passphrase(path) from None
            raise diagnose.explain(path, key, KDF_ITERATIONS) from None
        except BaseException:
            self.close()
            raise

    def _configure(self, key: str) -> None:
        self.execute("PRAGMA cipher_log_level = NONE")  # it would print to the console
        with self._translated():
            self._connection.set_key(key)
        for name, value in (
            ("cipher_compatibility", 4),
            ("kdf_iter", KDF_ITERATIONS),
            ("temp_store", "MEMORY"),
            ("cache_size", -65_536),  # KiB; twice as fast as the default on 100,000 reports
            ("foreign_keys", "ON"),
            ("recursive_triggers", "ON"),  # or REPLACE would get around the audit log's guard against deletion
            ("trusted_schema", "OFF"),
            ("cell_size_check", "ON"),
        ):
            self.execute(f"PRAGMA {name} = {value}")
        self.execute("SELECT count(*) FROM sqlite_master")  # derives the key and decrypts the first page
        if not self.read_only:
            for name, value in (
                ("journal_mode", "DELETE"),
                ("synchronous", "EXTRA"),
                ("fullfsync", "ON"),
                ("secure_delete", "ON"),
            ):
                self.execute(f"PRAGMA {name} = {value}")

    @property
    def cipher(self) -> str:
        """The cipher's settings in SQLCipher's own words."""
        return " ".join(row[0] for row in self.execute("PRAGMA cipher_settings"))

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one statement and fetch everything that it returns.

        Raises:
            WorkspaceError, DataError: see :meth:`_translated`.
        """
        with self._mutex, self._translated():
            rows: list[tuple[Any, ...]] = self._open_connection().execute(sql, values).fetchall()
            return rows

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each row; inside a transaction."""
        with self._mutex, self._translated():
            self._open_connection().executemany(sql, rows)

    def run_script(self, script: str) -> None:
        """Run several statements without ending the transaction that they are in."""
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
        """All or nothing: whatever leaves the block by an exception is as if it had never been done.

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
            try:
                yield self
                self.execute(commit)
                if saves:  # or the step would count as saved where nobody finds it
                    self.require_there()
            except BaseException:
                # A full disk ends the transaction by itself, and so does closing.
                if self._connection is not None and self._connection.in_transaction:
                    with contextlib.suppress(self._driver.Error):
                        for statement in undo.split(";"):
                            self._connection.execute(statement)
                raise
            finally:
                self._depth -= 1

    def require_there(self) -> None:
        """Refuse to go on where the open file is no more what its name leads to.

        Programs that synchronise a folder delete files and put others in their place.  POSIX systems let them, and
        keep what was deleted for as long as it is open: it would be written to, and nobody would find it again.
        Windows does not let them while the file is open.

        Raises:
            WorkspaceGone: it was deleted, moved or replaced.
        """
        name = self.path.name
        try:
            if self.path.stat().st_ino == self._file[1]:
                return
        except FileNotFoundError:
            raise WorkspaceGone(
                f"{name} was deleted or moved while it was open, perhaps by a program that synchronises its folder."
                " Nothing more can be saved in it. Save a copy now: until the workspace is closed, everything in it can"
                " still be read. Then open the copy."
            ) from None
        except OSError:  # a folder that is out of reach is told of by what fails there
            return
        raise WorkspaceGone(
            f"{name} was replaced by another file while it was open, perhaps by a program that synchronises its folder."
            " Nothing more can be saved in it. Save a copy now: until the workspace is closed, everything in it can"
            " still be read. Then open the copy."
        )

    def copy_to(self, path: Path) -> None:
        """Write a whole, compact copy under the same passphrase into the empty file ``path``, and verify it."""
        self.execute("VACUUM INTO ?", (os.fspath(path),))
        self.execute("ATTACH ? AS copy", (os.fspath(path),))
        try:
            bad = self.execute("PRAGMA copy.cipher_integrity_check")
            sound = self.is_consistent("copy")
        finally:
            self.execute("DETACH copy")
        if bad or not sound:
            raise DamagedWorkspace(f"The copy of {self.path.name} could not be read back. Check the disk it is on.")
        sync(path)

    def change_key(self, passphrase: str) -> None:
        """Encrypt the whole file anew under another passphrase, in one transaction."""
        key = normalised(passphrase)
        with self._mutex, self._translated():
            self._open_connection().reset_key(key)

    def damaged_pages(self) -> list[int]:
        """Numbers of the pages that do not decrypt; reads the whole file."""
        return [int(row[0].rsplit(" ", 1)[-1]) for row in self.execute("PRAGMA cipher_integrity_check")]

    def is_consistent(self, schema: str = "main") -> bool:
        """Whether tables and indexes are well formed; reads the whole file."""
        return self.execute(f"PRAGMA {schema}.quick_check") == [("ok",)]

    def number(self, pragma: str) -> int:
        """The value of a whole-number PRAGMA."""
        return int(self.execute(f"PRAGMA {pragma}")[0][0])

    def close(self) -> None:
        """Give the file back; harmless when called again."""
        with self._mutex:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
                _open_files[self._file] -= 1

    def _open_connection(self) -> Any:
        if self._connection is None:
            raise WorkspaceClosed(f"{self.path.name} was closed. Open it again.")
        if self._depth and not self._connection.in_transaction:  # or what follows would be saved by itself
            raise DataError("An earlier part of this change failed, so that nothing of it was saved. Do it again.")
        return self._connection

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        """Give the driver's errors the words of RadCal.

        Raises:
            DamagedWorkspace, DiskFull, NoAccess, NotAWorkspace, WorkspaceBusy, WorkspaceGone: by SQLite's result code.
            DataError: values that the file cannot take.
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
            code = getattr(error, "sqlite_errorname", "")  # the driver knows the primary codes only
            if code == "SQLITE_NOTADB":
                raise NotAWorkspace(f"{name} could not be decrypted.") from error
            if code in ("SQLITE_READONLY", "SQLITE_IOERR", "SQLITE_CANTOPEN") and not self.read_only:
                self.require_there()
            # A journal without a living writer must be rolled back, which a reader may not do.
            if code == "SQLITE_READONLY" and self.path.with_name(name + "-journal").exists():
                raise NoAccess(
                    f"{name} was not closed properly and must be put in order first: open it once for writing."
                ) from error
            if code == "SQLITE_READONLY":
                raise NoAccess(f"{name} is open for reading only. Open it for writing to change it.") from error
            if code == "SQLITE_CORRUPT":
                raise DamagedWorkspace(
                    f"{name} is damaged: part of it cannot be read. {diagnose.RESTORE}; a check of the workspace"
                    " tells which of its parts can still be read."
                ) from error
            if code == "SQLITE_FULL":
                raise DiskFull(
                    f"There is no space left to write {name}. This step was not saved, everything before it was."
                    " Free some space and go on."
                ) from error
            if code in ("SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_PERM"):
                raise NoAccess(
                    f"{name} could not be read or written ({code}). Check the disk or the network connection, and"
                    " whether the folder allows writing; everything saved before this step is safe."
                ) from error
            if code in ("SQLITE_BUSY", "SQLITE_LOCKED"):
                raise WorkspaceBusy(
                    f"Another RadCal is using {name} and did not finish within {BUSY_SECONDS:.0f} s. Try again."
                ) from error
            # The driver's own message names tables and columns, never values.
            raise DataError(f"{name} does not take these values ({error}).") from error


def sync(path: Path) -> None:
    """Force a file, and on POSIX systems its entry in the folder, onto the disk."""
    targets = [path] if sys.platform == "win32" else [path, path.parent]
    for target in targets:
        fd = os.open(target, os.O_RDWR if target.is_file() else os.O_RDONLY)
        try:
            os.fsync(fd)
        except OSError:  # some network shares cannot sync folders
            if target == path:
                raise
        finally:
            os.close(fd)
