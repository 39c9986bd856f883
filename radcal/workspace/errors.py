"""Errors of a workspace file, as separate classes so that the user interface can offer the right remedy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from radcal.system.errors import InputError, reason_of
from radcal.system.text import Text

if TYPE_CHECKING:
    from pathlib import Path


class WorkspaceError(InputError):
    """Base of all errors of a workspace file."""


class NoSuchWorkspace(WorkspaceError):
    """The file, or the folder for it, does not exist."""


class WorkspaceExists(WorkspaceError):
    """The file exists and would be overwritten."""


class NotAWorkspace(WorkspaceError):
    """The file was not made by RadCal."""


class UnfitPassphrase(WorkspaceError):
    """The passphrase cannot be used, for example because it is empty."""


class WrongPassphrase(WorkspaceError):
    """The passphrase does not open the file."""


class NewerWorkspace(WorkspaceError):
    """The file was written by a newer RadCal."""


class OlderWorkspace(WorkspaceError):
    """The file must be migrated first, which is impossible in read-only mode, or its schema is too old for that."""


class DamagedWorkspace(WorkspaceError):
    """Part of the file cannot be read."""


class NoAccess(WorkspaceError):
    """The file, its folder, its disk or its open mode does not allow the operation, usually writing."""


@contextmanager
def no_access(message: Text, **values: Any) -> Iterator[None]:
    """Raise an OSError of the block as NoAccess, with the system's reason as ``strerror`` of the message.

    Raises:
        NoAccess: the operating system refused.
    """
    try:
        yield
    except OSError as error:
        raise NoAccess(message, strerror=reason_of(error), **values) from error


class DiskFull(WorkspaceError):
    """The disk is full; nothing of the current step was saved."""


class WorkspaceGone(WorkspaceError):
    """The file was deleted, moved or replaced while open; its contents can still be read and copied."""


class WorkspaceClosed(WorkspaceError):
    """The workspace was used after it was closed."""


@dataclass(frozen=True, slots=True)
class Holder:
    """The user and process that have a workspace open for writing; ``since`` is local time on that machine."""

    user: str
    host: str
    pid: int
    since: str

    def __str__(self) -> str:
        return Text("{user} on {host} since {since}, process {pid}", **asdict(self))


class WorkspaceInUse(WorkspaceError):
    """Another RadCal has the file open for writing; ``holder`` is None if unknown."""

    def __init__(self, path: Path, holder: Holder | None) -> None:
        who = Text(" ({holder})", holder=holder) if holder else ""
        message = Text("{name} is open in another RadCal{who}. Close it there, or open it here for reading only.")
        super().__init__(message, name=path.name, who=who)
        self.holder = holder


class WorkspaceBusy(WorkspaceError):
    """Another RadCal is reading or writing the file and did not finish in time."""
