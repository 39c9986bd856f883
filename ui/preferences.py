"""Window layout, appearance, and where files are, stored in the platform's settings; no data."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Signal

from radcal.system import policy
from radcal.system.places import settings_file

_REMEMBERED = "key store/files"
_LOCK = "lock/minutes"
_TOUR = "tour/answered"
_LAB = "lab/on"


class _Changes(QObject):
    """What an open window follows at once.

    lab_switched: whether the lab is on
    """

    lab_switched = Signal(object)


changes = _Changes()


def lab_is_on() -> bool:
    """Whether the lab, where language models are asked, is in the rail."""
    return str(preferences().value(_LAB, "")) == "yes"


def switch_lab(on: bool) -> None:
    """Put the lab into the rail, or take it out."""
    preferences().setValue(_LAB, "yes" if on else "no")
    changes.lab_switched.emit(on)


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


def visit(workspace: Path) -> datetime | None:
    """Note that a workspace is open now; returns when that was noted before, None for never."""
    key, before = _of(workspace, "visits"), preferences().value(_of(workspace, "visits"))
    preferences().setValue(key, datetime.now(UTC).isoformat())
    return None if before is None else datetime.fromisoformat(str(before))


def is_open(name: str, usual: bool) -> bool:
    """Whether the user left a heading open, by its name; ``usual`` before any choice."""
    return str(preferences().value(f"opened/{name}", "yes" if usual else "no")) == "yes"


def note_open(name: str, *, opened: bool) -> None:
    """Note that the user opened or closed a heading."""
    preferences().setValue(f"opened/{name}", "yes" if opened else "no")


def preferences() -> QSettings:
    """RadCal's settings of this user on this computer, or of a portable program."""
    if (portable := settings_file()) is not None:
        return QSettings(str(portable), QSettings.Format.IniFormat)
    return QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "RadCal", "RadCal")


def names_key_of(workspace: Path) -> Path | None:
    """Where this user keeps the names of a workspace's radiologists; None for beside the workspace."""
    file = preferences().value(_of(workspace, "names keys"))
    return Path(str(file)) if file else None


def remember_names_key(workspace: Path, file: Path) -> None:
    """Remember where the names of a workspace's radiologists are."""
    preferences().setValue(_of(workspace, "names keys"), str(file))


def _of(workspace: Path, what: str) -> str:
    """A path may hold characters that a key may not."""
    return f"{what}/{hashlib.sha256(str(workspace.absolute()).encode()).hexdigest()[:32]}"
