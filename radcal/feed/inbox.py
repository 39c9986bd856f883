"""The folder that a system drops files into: which of them are whole, and where they go once they were taken in.

Files alone are taken: neither folders nor links are followed.  A file that was taken in goes to the folder ``done``,
one that cannot be read to ``error``, beside a text with the reason; neither replaces what lies there already.
"""

from __future__ import annotations

import os
import stat
import time
from itertools import chain, count
from pathlib import Path

from radcal.system import exports, inputs
from radcal.system.errors import InputError, reason_of
from radcal.system.exports import Exports
from radcal.system.text import Text

DONE, ERROR, REASON = "done", "error", ".reason.txt"
_BEGINNINGS = (".", "~")
_ENDS = (
    ".part", ".tmp", ".temp", ".filepart", ".partial", ".crdownload", ".download", ".swp", ".lock", "~", ".radcal",
)  # fmt: skip
"""Of the names under which programs keep files that are not whole yet; and of workspaces, which are no reports."""
_OF_SYSTEMS = ("desktop.ini", "thumbs.db")
_LONGEST = 180
"""Bytes of a name that is kept as it is, so that there is room for a number and the ending of the reason."""
_NO_NAME = Text("Its name has signs that cannot be shown. Give it another name, and put it back into the folder.")

_UNFINISHED = Text(
    "{name} was still being written when it was taken in, and only its beginning was read. Put it back into the folder "
    "once it is whole."
)
_WRITTEN_ON_SECONDS, _MOST_MOVED = 3600.0, 500
"""For how long, and of how many files that were taken in, it is noticed that somebody writes on."""

_Seen = tuple[int, int, int, int]
"""What changes with the content of a file: device, number, size and time of the last change."""


def is_waiting(path: Path) -> bool:
    """Whether this is a file to be taken in, by its kind and its name."""
    name = path.name.lower()
    if name.startswith(_BEGINNINGS) or name.endswith(_ENDS) or name in _OF_SYSTEMS:
        return False
    return _seen(path) is not None


def _seen(path: Path) -> _Seen | None:
    """A file as it is now; None of what is none, or is gone."""
    try:
        its = path.lstat()
    except OSError:
        return None
    return (its.st_dev, its.st_ino, its.st_size, its.st_mtime_ns) if stat.S_ISREG(its.st_mode) else None


class Inbox:
    """A folder, as it is seen again and again."""

    def __init__(self, folder: Path, settle: float) -> None:
        """Watch a folder.

        Args:
            settle: seconds for which neither the size of a file nor the time of its last change may have changed.

        Raises:
            InputError: it is no folder, or what is to be its folders ``done`` and ``error`` is none.
        """
        self.folder, self.settle = inputs.full_path(folder), settle
        self._since: dict[Path, tuple[_Seen, float]] = {}
        self._left: dict[Path, _Seen] = {}
        self._moved: dict[Path, tuple[_Seen, float]] = {}
        if not inputs.is_folder(folder):
            raise InputError("There is no folder {folder}. Check the name.", folder=folder)
        for name in (DONE, ERROR):
            self._own(name)

    def _own(self, name: str) -> Path:
        """A folder within, which is made if it is missing, and never a link that leads elsewhere.

        Raises:
            InputError: it cannot be made, or is something else.
        """
        path = self.folder / name
        try:
            path.mkdir(exist_ok=True)
            if stat.S_ISDIR(path.lstat().st_mode):
                return path
        except OSError as error:
            raise InputError("{path} cannot be made: {reason}.", path=path, reason=reason_of(error)) from error
        raise InputError("{path} is no folder but a link. Remove it, so that files stay in this folder.", path=path)

    def whole(self) -> list[Path]:
        """The files that have not changed for as long as they must not, in the order of their names.

        Among them are those in ``done`` that were written on after they were moved there, which :meth:`refused` tells.

        Raises:
            InputError: the folder cannot be read.
        """
        try:
            there = {path: now for path in self.folder.iterdir() if is_waiting(path) and (now := _seen(path))}
        except OSError as error:
            raise inputs.refusal(error, self.folder) from error
        at, before = time.monotonic(), self._since
        recent = [each for each in self._moved.items() if at - each[1][1] < _WRITTEN_ON_SECONDS]
        self._moved = dict(recent[-_MOST_MOVED:])
        # Size and time alone, as network shares may number a file anew.
        there |= {p: now for p, (was, _) in self._moved.items() if (now := _seen(p)) and now[2:] != was[2:]}
        self._since = {p: before[p] if p in before and before[p][0] == now else (now, at) for p, now in there.items()}
        self._left = {path: was for path, was in self._left.items() if there.get(path) == was}
        settled = (path for path, (_, since) in self._since.items() if at - since >= self.settle)
        return sorted(path for path in settled if path not in self._left)

    def done(self, path: Path) -> str:
        """Move a file that was taken in.

        One that was changed since it was found whole stays, and is found again; of one that cannot be moved, why.

        Raises:
            InputError: there is no folder ``done``.
        """
        return self._move(path, _free(self._own(DONE), path.name))

    def place_of_failed(self, path: Path) -> Path:
        """Where a file that cannot be read goes.

        Raises:
            InputError: there is no folder ``error``.
        """
        return _free(self._own(ERROR), path.name)

    def failed(self, path: Path, place: Path, reason: str, write: Exports) -> str:
        """Move a file that cannot be read, beside a text that says why; otherwise as :meth:`done`.

        Raises:
            InputError: the reason cannot be written.
        """
        # Before the file, so that whoever finds that finds the reason; its name, which may be a patient's, in no log.
        told = exports.text(f"{reason}\n", "reason why a file was not read", to="the folder of the feed")
        write.write(place.with_name(place.name + REASON), told)
        return self._move(path, place)

    def is_unchanged(self, path: Path) -> bool:
        """Whether a file is still as it was found whole."""
        return _seen(path) == self._since[path][0]

    def _move(self, path: Path, place: Path) -> str:
        if not self.is_unchanged(path):
            return ""
        try:
            path.rename(place)
        except FileNotFoundError:  # somebody else was first
            return ""
        except OSError as error:
            self._left[path] = self._since[path][0]
            return Text("{name} cannot be moved: {reason}.", name=path.name, reason=reason_of(error))
        if place.parent.name == DONE:
            self._moved[place] = (self._since[path][0], time.monotonic())
        return ""

    def refused(self, path: Path) -> str:
        """Why a file is not even opened, '' for one that is."""
        if path in self._moved:
            return Text(_UNFINISHED, name=path.name)
        return "" if path.name.isprintable() else _NO_NAME


def _shown(name: str) -> str:
    """The name of a file without signs that cannot be shown, and not too long for endings."""
    plain = "".join(c if c.isprintable() else "_" for c in name)
    if len(plain.encode()) <= _LONGEST:
        return plain
    stem, dot, suffix = plain.rpartition(".")
    kept = suffix if dot and len(suffix) < 10 else ""
    short = (stem if kept else plain).encode()[: _LONGEST - 12].decode(errors="ignore")
    return f"{short}.{kept}" if kept else short


def _free(folder: Path, name: str) -> Path:
    """A path for a file of this name that neither takes the place of another nor has the reason of another."""
    path = folder / _shown(name)
    numbered = (path.with_stem(f"{path.stem}-{k}") for k in count(2))
    taken = (os.path.lexists, lambda p: os.path.lexists(f"{p}{REASON}"))
    return next(p for p in chain([path], numbered) if not any(is_there(p) for is_there in taken))
