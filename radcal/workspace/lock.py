"""One writer at a time: an operating-system lock on a small file beside the workspace.

The system releases the lock of an open file when its process ends, however it ends, so that a lock file left behind
blocks nobody.  SQLite's own locks do not suffice: they last for a transaction, and would exclude readers if held
longer.
"""

from __future__ import annotations

import contextlib
import errno
import getpass
import json
import os
import socket
import sys
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from radcal.system.errors import reason_of
from radcal.system.files import is_abandoned
from radcal.system.text import Text
from radcal.workspace.errors import Holder, NoAccess, WorkspaceInUse

# On Windows a locked byte cannot be read: lock one far behind the holder's name.
_LOCKED_BYTE = 1 << 20
_DENIED = (errno.EACCES, errno.EPERM, errno.EROFS)
_CANNOT_LOCK = Text(
    "{parent} cannot lock files ({strerror}). Move {name} to a local folder, or open it for reading only."
)
_READ_ONLY_FOLDER = Text(
    "{parent} does not allow writing, which {name} needs. Open it for reading only, or copy it to a folder of your own."
)
_CANNOT_SIGN = Text("{path} cannot be written ({strerror}). Free some space there.")
_CANNOT_OPEN = Text("{path} cannot be opened ({strerror}), so {name} is not opened.")


def lock_path(workspace: Path) -> Path:
    """The lock file that belongs to a workspace."""
    return workspace.with_name(workspace.name + ".lock")


def current_user() -> str:
    """The user of this process."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):  # an account without a name, as in containers
        return "unknown user"


class WriterLock:
    """Held from construction to :meth:`release`.

    Raises:
        WorkspaceInUse: somebody else holds it.
        NoAccess: the folder does not allow it.
    """

    def __init__(self, workspace: Path) -> None:
        self._path = lock_path(workspace)
        mode = 0o600
        with contextlib.suppress(FileNotFoundError):
            mode = workspace.stat().st_mode & 0o666  # all who may write the workspace must be able to lock it
        while True:
            self._fd = _opened(workspace, mode)
            try:
                taken = _try_lock(self._fd)
                holder = None if taken else _read_holder(self._fd)
                # The last holder deletes the file, and nobody sees a lock on a deleted file.
                current = taken and self._still_there()
            except OSError as error:
                os.close(self._fd)
                if not workspace.exists():
                    self._path.unlink(missing_ok=True)
                    raise _not_made(workspace, error) from error
                raise _refused(_CANNOT_LOCK, workspace, error) from error
            if current:
                break
            os.close(self._fd)
            if not taken:
                raise WorkspaceInUse(workspace, holder)
        try:
            self._sign()
        except OSError as error:  # such as a full disk: the lock would be anonymous
            with contextlib.suppress(OSError):
                self._path.unlink()
            os.close(self._fd)
            raise _refused(_CANNOT_SIGN, workspace, error) from error

    def _still_there(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._fd), self._path.stat())
        except FileNotFoundError:
            return False

    def _sign(self) -> None:
        now = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M")
        holder = Holder(current_user(), socket.gethostname(), os.getpid(), now)
        os.ftruncate(self._fd, 0)
        os.lseek(self._fd, 0, os.SEEK_SET)
        os.write(self._fd, json.dumps(asdict(holder)).encode())

    def release(self) -> None:
        """Let others write; may be called again."""
        if self._fd < 0:
            return
        with contextlib.suppress(OSError):  # Windows does not delete open files: an empty one stays
            os.ftruncate(self._fd, 0)
            if self._still_there():  # not a lock file of somebody else in its place
                self._path.unlink()
        os.close(self._fd)
        self._fd = -1


def is_in_use(workspace: Path) -> bool:
    """Whether a running program has, or may have, the workspace open for writing."""
    try:
        WriterLock(workspace).release()
    except (WorkspaceInUse, NoAccess):
        return True
    return False


def clear_locks(folder: Path) -> None:
    """Remove lock files without a workspace that killed processes left behind."""
    with contextlib.suppress(OSError):
        for left in folder.glob("*.radcal.lock"):
            workspace = left.with_suffix("")
            with contextlib.suppress(OSError, WorkspaceInUse, NoAccess):
                if not workspace.exists() and is_abandoned(left):
                    WriterLock(workspace).release()


def _opened(workspace: Path, mode: int) -> int:
    try:
        return os.open(lock_path(workspace), os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), mode)
    except OSError as error:
        if not workspace.exists():
            raise _not_made(workspace, error) from error
        message = _READ_ONLY_FOLDER if error.errno in _DENIED else _CANNOT_OPEN
        raise _refused(message, workspace, error) from error


def _not_made(workspace: Path, error: OSError) -> NoAccess:
    if error.errno == errno.ENAMETOOLONG:
        message = Text("The name {name} is too long for {parent}. Choose a shorter one.")
    elif error.errno in _DENIED:
        message = Text("{parent} does not allow writing. Choose another folder for {name}.")
    else:
        message = Text("{name} cannot be made in {parent} ({strerror}). Choose another folder.")
    return _refused(message, workspace, error)


def _refused(message: Text, workspace: Path, error: OSError) -> NoAccess:
    parent, name = workspace.parent, workspace.name
    return NoAccess(message, parent=parent, name=name, path=lock_path(workspace), strerror=reason_of(error))


def _read_holder(fd: int) -> Holder | None:
    os.lseek(fd, 0, os.SEEK_SET)
    try:
        return Holder(**json.loads(os.read(fd, 4096)))
    except (ValueError, TypeError):  # the holder is about to sign
        return None


if sys.platform == "win32":
    import msvcrt

    def _try_lock(fd: int) -> bool:
        os.lseek(fd, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

else:
    import fcntl

    def _try_lock(fd: int) -> bool:
        # Not lockf: a POSIX record lock is lost when any descriptor of the file is closed.
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
