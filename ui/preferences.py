"""Window layout and appearance, stored in the platform's settings; no data."""

from __future__ import annotations

from PySide6.QtCore import QSettings


def preferences() -> QSettings:
    """RadCal's settings of this user on this computer."""
    return QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "RadCal", "RadCal")
