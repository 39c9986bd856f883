"""Window layout and appearance, stored in the platform's settings; no data."""

from __future__ import annotations

from PySide6.QtCore import QSettings

_LOCK = "lock/minutes"
LOCK_MINUTES = 10
"""Minutes without input after which an open workspace is locked, unless chosen otherwise."""


def lock_minutes() -> int:
    """Minutes without input after which the window locks; 0 for never."""
    try:
        return max(0, int(str(preferences().value(_LOCK, LOCK_MINUTES))))
    except ValueError:
        return LOCK_MINUTES


def choose_lock_minutes(minutes: int) -> None:
    """Lock after so many minutes without input from now on; 0 for never."""
    preferences().setValue(_LOCK, minutes)


def preferences() -> QSettings:
    """RadCal's settings of this user on this computer."""
    return QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "RadCal", "RadCal")
