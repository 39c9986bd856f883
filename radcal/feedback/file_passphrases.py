"""Passphrases of personal files: drawn at random, and written to the disk before the file they open is complete.

A personal file without its passphrase is useless.  A passphrase is therefore synced to the disk before anything is
encrypted with it, so that no complete file lacks one, whenever the program or the machine stops.
"""

from __future__ import annotations

import csv
import io
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from radcal.system import inputs
from radcal.system.cells import guarded
from radcal.system.errors import InputError
from radcal.system.files import Json, cannot_write, sync_folder

if TYPE_CHECKING:
    from radcal.workspace.store import Workspace

_KIND = "passphrase"
"""Kind of the stored results that hold passphrases, by file."""


@dataclass(frozen=True, slots=True)
class FilePassphrase:
    """The passphrase of one personal file."""

    author: str
    file: Path
    passphrase: str


def refuse_beside(passphrases: Path, opened: Path, *, folder: bool = False) -> None:
    """Refuse to write passphrases to where they would be handed on together with the files that they open.

    Args:
        opened: the file that they open, or the ``folder`` of such files.

    Raises:
        InputError: they would lie beside the file, or anywhere in the folder.
    """
    there, opened = inputs.full_path(passphrases), inputs.full_path(opened)
    whole = opened if folder else opened.parent
    if whole in there.parents if folder else whole == there.parent:
        raise InputError(
            "{passphrases} lies in {folder}, beside the files that the passphrases open. Name a file elsewhere.",
            passphrases=passphrases,
            folder=whole,
        )


@contextmanager
def stored_before(out: Path, store: Callable[[], Callable[[], None]]) -> Iterator[None]:
    """The block that writes the file ``out``, begun once what belongs to it is on the disk.

    Args:
        store: stores that; its result takes it back, if the block fails without making the file.
    """
    before = out.exists()
    take_back = store()
    try:
        yield
    except BaseException:
        if before or not out.exists():
            take_back()
        raise


class PassphraseStore(ABC):
    """Stores the passphrases of personal files."""

    @abstractmethod
    def _store(self, entry: FilePassphrase) -> Callable[[], None]:
        """Write a passphrase to the disk; the result takes it back."""

    def keeping(self, entry: FilePassphrase) -> AbstractContextManager[None]:
        """The block that writes the file, begun once the passphrase is on the disk.

        If the block fails without making the file, the passphrase is removed.

        Raises:
            InputError: it cannot be stored.
        """
        return stored_before(entry.file, partial(self._store, entry))


class PassphraseFile(PassphraseStore):
    """A new CSV of radiologist, file and passphrase, readable only by its owner and synced to the disk by rows.

    Raises:
        InputError: the file exists or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o600)
        except FileExistsError:
            raise InputError(
                "{path} exists already, and may hold the only passphrases of files handed out "
                "before. Name another file.",
                path=path,
            ) from None
        except OSError as error:
            raise cannot_write(path, error) from error
        self._file = os.fdopen(handle, "wb", buffering=0)
        self._rows = 0
        try:
            self._write(_row("radiologist", "file", "passphrase"))
            sync_folder(path.parent)
        except BaseException:
            self.close()
            raise

    def _store(self, entry: FilePassphrase) -> Callable[[], None]:
        before = self._file.tell()
        try:
            self._write(_row(entry.author, entry.file.name, entry.passphrase))
        except BaseException:
            self._cut(before)
            raise
        self._rows += 1

        def take_back() -> None:
            self._rows -= 1
            self._cut(before)

        return take_back

    def _write(self, row: bytes) -> None:
        try:
            while row:
                row = row[self._file.write(row) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            raise cannot_write(self._path, error) from error

    def _cut(self, size: int) -> None:
        with suppress(OSError):  # a superfluous row names a file that does not exist
            self._file.truncate(size)
            self._file.seek(size)
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file; one without a passphrase is deleted."""
        self._file.close()
        if not self._rows:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class WorkspacePassphrases(PassphraseStore):
    """Stores passphrases in the department's encrypted workspace.

    They open nothing that a reader of the workspace cannot see anyway.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def latest(self) -> dict[str, FilePassphrase]:
        """The passphrase of each radiologist's latest personal file."""
        rows = sorted(self._rows(), key=lambda row: int(row["place"]))
        return {row["author"]: FilePassphrase(row["author"], Path(row["file"]), row["passphrase"]) for row in rows}

    def _rows(self) -> list[Json]:
        return [stored.payload for stored in self._workspace.results(_KIND).values()]

    def _store(self, entry: FilePassphrase) -> Callable[[], None]:
        if self._workspace.read_only:
            raise InputError(
                "{name} is open for reading only. No passphrase of a personal file can be kept "
                "in it. Open it for writing, or write the files with the command radcal personal.",
                name=self._workspace.path.name,
            )
        key = str(entry.file)
        place = 1 + max((int(row["place"]) for row in self._rows()), default=0)
        row = {"author": entry.author, "file": key, "passphrase": entry.passphrase, "place": place}
        self._workspace.save_result(_KIND, key, row, {})  # committed, and with that on the disk
        return lambda: self._workspace.delete_result(_KIND, key)


def _row(*values: str) -> bytes:
    line = io.StringIO(newline="")
    csv.writer(line, lineterminator="\n").writerow(map(guarded, values))
    return line.getvalue().encode("utf-8")
