"""Where RadCal keeps what belongs to a user: in the user's own folders, or beside a portable program."""

from __future__ import annotations

import os
import sys
import tempfile
from functools import cache
from pathlib import Path

PORTABLE = "portable"
"""A file of this name beside a packaged program makes it portable."""
DATA = "data"
"""The folder beside a portable program that holds settings and caches."""


@cache
def portable_data() -> Path | None:
    """The folder beside a portable program in which it keeps everything that is not a workspace.

    None for a program that is installed, and for a portable one that lies where this user may not write, such as a
    share for all: it keeps things in the user's own folders, as an installed one does.
    """
    if not getattr(sys, "frozen", False):
        return None
    program = Path(sys.executable).parent
    folder = program / DATA
    try:
        if not (program / PORTABLE).is_file():
            return None
        folder.mkdir(exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None


def state_folder() -> Path:
    """The folder for what is kept from one start to the next and is neither data nor settings: the log of faults.

    On Linux that of the XDG Base Directory Specification, ``~/.local/state/radcal``.
    """
    return _of_user("state", "RadCal/State", "Application Support/RadCal/State", "XDG_STATE_HOME", ".local/state")


def cache_folder() -> Path:
    """The folder for what can be made again."""
    return _of_user("cache", "radcal", "Caches/radcal", "XDG_CACHE_HOME", ".cache")


def _of_user(portable: str, windows: str, macos: str, variable: str, linux: str) -> Path:
    """A folder beside a portable program, else below the one that the system has for the user's."""
    if (data := portable_data()) is not None:
        return data / portable
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / windows
    if sys.platform == "darwin":
        return Path.home() / "Library" / macos
    return Path(os.environ.get(variable) or Path.home() / linux) / "radcal"


def settings_file() -> Path | None:
    """The file of the window's settings; None for the one that the system has for it."""
    portable = portable_data()
    return None if portable is None else portable / "RadCal.ini"
