"""What can be wrong with a workspace file, as separate classes so that a window can offer the right remedy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from radcal.errors import InputError
from radcal.text import Text

if TYPE_CHECKING:
    from pathlib import Path


class WorkspaceError(InputError):
    """Base of everything that can be wrong with a workspace file."""


class NoSuchWorkspace(WorkspaceError):
    """There is no file, or no folder to put one in."""


class WorkspaceExists(WorkspaceError):
    """A file would be overwritten."""


class NotAWorkspace(WorkspaceError):
    """The file was not made by RadCal."""


class UnfitPassphrase(WorkspaceError):
    """A passphrase that cannot be used, such as an empty one."""


class WrongPassphrase(WorkspaceError):
    """The passphrase does not open the file."""


class NewerWorkspace(WorkspaceError):
    """The file was written by a newer RadCal."""


class OlderWorkspace(WorkspaceError):
    """The file must be brought up to date first, which reading alone cannot do."""


class DamagedWorkspace(WorkspaceError):
    """Part of the file cannot be read."""


class NoAccess(WorkspaceError):
    """The file, its folder, its disk or the way it was opened does not allow what was requested, usually writing."""


class DiskFull(WorkspaceError):
    """No space was left; nothing of the current step was saved."""


class WorkspaceGone(WorkspaceError):
    """The file was deleted, moved or replaced while open; its content can still be read and copied."""


class WorkspaceClosed(WorkspaceError):
    """The workspace was closed while still in use."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who has a workspace open for writing; ``since`` is local time on their machine."""

    user: str
    host: str
    pid: int
    since: str

    def __str__(self) -> str:
        return Text(
            "{user} on {host} since {since}, process {pid}",
            user=self.user,
            host=self.host,
            since=self.since,
            pid=self.pid,
        )


class WorkspaceInUse(WorkspaceError):
    """Another RadCal has the file open for writing; ``holder`` is None where it could not be found out."""

    def __init__(self, path: Path, holder: Holder | None) -> None:
        who = Text(" ({holder})", holder=holder) if holder else ""
        super().__init__(
            Text(
                "{name} is open in another RadCal{who}. Close it there, or open it here for reading only.",
                name=path.name,
                who=who,
            )
        )
        self.holder = holder


class WorkspaceBusy(WorkspaceError):
    """Another RadCal reads or writes the file at this moment and did not finish in time."""
