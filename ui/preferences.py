"""Window layout, appearance, and where files are, stored in the platform's settings; no data."""

from __future__ import annotations

import hashlib
from pathlib import Path

from PySide6.QtCore import QSettings


def preferences() -> QSettings:
    """RadCal's settings of this user on this computer."""
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
