"""The workspace: one encrypted file for reports, findings, results and settings.

Exports :class:`Workspace`, the records that it returns, and the errors that it raises.
"""

from radcal.workspace.backups import all_of, folder_for, rotating, series_on_disk
from radcal.workspace.copies import BackupChoice
from radcal.workspace.errors import (
    DamagedWorkspace,
    DiskFull,
    NewerWorkspace,
    NoAccess,
    NoSuchWorkspace,
    NotAWorkspace,
    OlderWorkspace,
    UnfitPassphrase,
    WorkspaceBusy,
    WorkspaceClosed,
    WorkspaceError,
    WorkspaceExists,
    WorkspaceGone,
    WorkspaceInUse,
    WrongPassphrase,
)
from radcal.workspace.lock import is_in_use
from radcal.workspace.log_check import Known, known_by, verify
from radcal.workspace.restoring import restore, verified
from radcal.workspace.reviews import StoredAction, StoredGoldSet, Turn
from radcal.workspace.store import Workspace, existing_file, telling_updates

__all__ = [
    "BackupChoice", "DamagedWorkspace", "DiskFull", "Known", "NewerWorkspace", "NoAccess",
    "NoSuchWorkspace", "NotAWorkspace", "OlderWorkspace", "StoredAction", "StoredGoldSet", "Turn",
    "UnfitPassphrase", "Workspace", "WorkspaceBusy", "WorkspaceClosed", "WorkspaceError", "WorkspaceExists",
    "WorkspaceGone", "WorkspaceInUse", "WrongPassphrase", "all_of", "existing_file", "folder_for",
    "is_in_use", "known_by", "restore", "rotating", "series_on_disk", "telling_updates", "verified", "verify",
]  # fmt: skip
