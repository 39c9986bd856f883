"""Window layout, appearance, and where files are, stored in the platform's settings; no data."""

from __future__ import annotations

import hashlib
from pathlib import Path

from PySide6.QtCore import QSettings

from radcal.system import policy
from radcal.system.places import settings_file

_REMEMBERED = "key store/files"
_LOCK = "lock/minutes"
_TOUR = "tour/answered"


def lock_minutes() -> int:
    """Minutes without input after which the window locks; 0 for never."""
    own = preferences().value(_LOCK)
    minutes = max(0, int(str(own))) if str(own).isdigit() else None
    return int(policy.in_use().workstation("lock_minutes", minutes))


def choose_lock_minutes(minutes: int) -> None:
    """Lock after so many minutes without input from now on; 0 for never."""
    preferences().setValue(_LOCK, minutes)


def tour_answered() -> bool:
    """Whether the offer of the tour was taken or turned down."""
    return str(preferences().value(_TOUR, "")) == "yes"


def note_tour_answered() -> None:
    """Note that the tour need not be offered again."""
    preferences().setValue(_TOUR, "yes")


def remembered_files() -> frozenset[str]:
    """The identities of workspaces whose passphrases the key store was asked to remember; no other file asks it."""
    return frozenset(str(preferences().value(_REMEMBERED, "")).split())


def note_remembered(identity: str, *, remembered: bool) -> None:
    """Note that the key store has the passphrase of a workspace, or that it does not."""
    kept = remembered_files() - {identity}
    preferences().setValue(_REMEMBERED, " ".join(sorted({*kept, identity} if remembered else kept)))


def preferences() -> QSettings:
    """RadCal's settings of this user on this computer, or of a portable program."""
    if (portable := settings_file()) is not None:
        return QSettings(str(portable), QSettings.Format.IniFormat)
    return QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "RadCal", "RadCal")


def names_key_of(workspace: Path) -> Path | None:
    """Where this user keeps the names of a workspace's radiologists; None for beside the workspace."""
    file = preferences().value(_of(workspace))
    return Path(str(file)) if file else None


def remember_names_key(workspace: Path, file: Path) -> None:
    """Remember where the names of a workspace's radiologists are."""
    preferences().setValue(_of(workspace), str(file))


def _of(workspace: Path) -> str:
    """A path may hold characters that a key may not."""
    return f"names keys/{hashlib.sha256(str(workspace.absolute()).encode()).hexdigest()[:32]}"
