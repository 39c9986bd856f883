"""The icon of the programs, drawn from resources/icons/radcal.svg in the format that the system wants in a program."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.shipping.release import ROOT

_SIDE = 256
"""Pixels: Windows makes the smaller ones from it."""


def icon(folder: Path, system: str = sys.platform) -> Path | None:
    """A file with the icon, made in a folder; None where programs carry none, as on Linux."""
    if system != "win32":
        return None
    from PySide6.QtCore import QSize
    from PySide6.QtGui import QImageReader

    reader = QImageReader(str(ROOT / "resources/icons/radcal.svg"))
    reader.setScaledSize(QSize(_SIDE, _SIDE))
    file = folder / "radcal.ico"
    if not reader.read().save(str(file)):
        raise OSError(f"{file}: the icon cannot be written: {reader.errorString()}")
    return file
