"""Recognises files imported before by their contents, regardless of their names."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from radcal.system import inputs
from radcal.system.progress import Progress
from radcal.system.version import __version__


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """SHA-256 of a file, or of all files in a folder.

    content: of the bytes alone, 16 hexadecimal digits
    reading: of the bytes, RadCal's version, the modality and the mapping of columns, which all affect the result
    """

    content: str
    reading: str


def fingerprint(path: Path, read_as: str, mapping: Mapping[str, str] | None, progress: Progress) -> Fingerprint:
    """The fingerprint of a file or folder, with the way it is read.

    Raises:
        InputError: the file is missing or cannot be read.
    """
    content = hashlib.sha256()
    reading = hashlib.sha256(json.dumps([__version__, read_as, sorted((mapping or {}).items())]).encode())
    for file in inputs.files_of(path):
        with inputs.reading(file) as opened:
            head = f"\n{file.relative_to(path).as_posix()}\n{opened.seek(0, os.SEEK_END)}\n".encode()
            opened.seek(0)
            for chunk in chain([head], inputs.parts_of(opened, progress)):
                content.update(chunk)
                reading.update(chunk)
    return Fingerprint(content.hexdigest()[:16], reading.hexdigest())
