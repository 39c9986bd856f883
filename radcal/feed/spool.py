"""Messages that were received and wait to be imported: encrypted files in W.spool, beside the workspace W.

Whoever receives messages must be able to store them while another program, such as the window, has the workspace open.
So each message is a sealed file of its own (AES-256-GCM, :mod:`radcal.system.sealed`) under a random key that lies in
the workspace.  A pair of keys, of which the receiver would have the public one alone, was decided against: whoever may
write the folder could seal messages with that, and reports that nobody sent would enter the results.  Nor would it keep
a secret from the receiver, which imports by itself while no other program has the workspace, and needs the passphrase.

A file is called ``ARRIVED-DIGEST.message``: when it came, in nanoseconds since 1970, and the beginning of an HMAC of
its bytes, by which a message that comes again is known without being read.  Neither says anything of the message.
"""

from __future__ import annotations

import hmac
import threading
import time
from collections.abc import Iterable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.feed.inbox import ERROR
from radcal.system.files import cannot_write, sync_folder
from radcal.system.quoting import is_id
from radcal.system.sealed import Unsealable, new_key, seal, unseal

if TYPE_CHECKING:
    from radcal.workspace.store import Workspace

BEGIN, END = b"\x0b", b"\x1c\r"
"""What stands around a message (HL7, MLLP release 1)."""
_KEY = "key of the spool"
"""Of a workspace's single values: the key that seals messages, in hexadecimal digits."""
_KIND, _SUFFIX = "message", ".message"
_MOST_BYTES = 128 << 20
"""Bytes of the messages that are imported at once."""


def spool_folder(workspace: Path) -> Path:
    """The folder of the messages that wait for a workspace."""
    return workspace.with_name(f"{workspace.name}.spool")


def waiting(workspace: Path) -> list[Path]:
    """The messages that wait for a workspace, in the order in which they came; () where there is no spool."""
    return sorted(spool_folder(workspace).glob(f"*{_SUFFIX}"))


def key_in(workspace: Workspace) -> bytes | None:
    """The key of the spool; None where nothing was ever received for this workspace."""
    key = workspace.get_meta(_KEY)
    return bytes.fromhex(key) if key else None


def make_key(workspace: Workspace) -> bytes:
    """The key of the spool of a workspace that is open for writing; drawn where there is none."""
    key = key_in(workspace)
    if key is None:
        key = new_key()
        workspace.set_meta(_KEY, key.hex())
    return key


class Spool:
    """The messages that wait for one workspace, each stored once; any thread may use it."""

    def __init__(self, workspace: Path, key: bytes) -> None:
        """Open the spool of a workspace, or make it.

        Raises:
            InputError: it cannot be made.
        """
        self._workspace, self._key = workspace, key
        self._lock = threading.Lock()
        self._there: dict[str, Path] = {}
        self._many = self._last = 0
        try:
            spool_folder(workspace).mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise cannot_write(spool_folder(workspace), error) from error
        sync_folder(workspace.parent)
        self._look()

    def _look(self) -> None:
        """Take in which messages wait, as another program may have imported some."""
        self._there = {_digest_in(path): path for path in waiting(self._workspace)}
        self._many = 2 * len(self._there) + 10_000

    def store(self, message: bytes) -> None:
        """Put a message on the disk, its name included, unless it waits there already.

        Raises:
            InputError: it cannot be stored.
        """
        digest = hmac.digest(self._key, message, "sha256").hex()[:32]
        with self._lock:  # so that they are numbered as they came
            if digest in self._there and self._there[digest].exists():
                return
            self._last = max(time.time_ns(), self._last + 1)
            path = spool_folder(self._workspace) / f"{self._last:020}-{digest}{_SUFFIX}"
            seal(path, _KIND, self._key, message)
            self._there[digest] = path
            if len(self._there) > self._many:
                self._look()

    def batch(self, paths: Sequence[Path]) -> list[Path]:
        """The first of some messages, as many as are imported at once."""
        sizes = accumulate(path.stat().st_size for path in paths)
        return [path for path, size in zip(paths, sizes, strict=True) if size <= _MOST_BYTES] or [*paths[:1]]

    def content(self, paths: Sequence[Path]) -> bytes:
        """Messages as one file of frames, each once.

        Raises:
            Unsealable: one is damaged, or was not sealed for this workspace.
            InputError: one cannot be read.
        """
        each = {_digest_in(path): path for path in paths}
        return b"".join(BEGIN + unseal(path, _KIND, self._key) + END for path in each.values())

    def is_sound(self, path: Path) -> bool:
        """Whether a message can be read with the key of this workspace.

        Raises:
            InputError: it cannot be read at all.
        """
        try:
            unseal(path, _KIND, self._key)
        except Unsealable:
            return False
        return True

    def control_id(self, path: Path) -> str:
        """The control ID (MSH-10) of a message; '' where it cannot be read, or may not be repeated.

        Raises:
            InputError: it cannot be read at all.
        """
        try:
            header = unseal(path, _KIND, self._key).lstrip().partition(b"\r")[0]
        except Unsealable:
            return ""
        control = b"".join(header.split(header[3:4] or b"|")[9:10]).decode("latin-1").strip()
        return control if is_id(control) else ""

    def put_aside(self, paths: Iterable[Path]) -> None:
        """Move messages that cannot be imported into the folder ``error`` within, where they stay encrypted.

        Raises:
            InputError: one cannot be moved.
        """
        try:
            for path in paths:
                aside = path.parent / ERROR / path.name
                aside.parent.mkdir(mode=0o700, exist_ok=True)
                path.replace(aside)
        except OSError as error:
            raise cannot_write(aside, error) from error

    def remove(self, paths: Sequence[Path]) -> None:
        """Remove messages that were imported; those that are gone already stay so.

        Raises:
            InputError: one cannot be removed.
        """
        try:
            for path in paths:
                path.unlink(missing_ok=True)
        except OSError as error:
            raise cannot_write(path, error) from error
        sync_folder(spool_folder(self._workspace))
        with self._lock:
            for path in paths:
                self._there.pop(_digest_in(path), None)


def _digest_in(path: Path) -> str:
    return path.stem.partition("-")[2]
