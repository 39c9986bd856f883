"""Report files that were imported before are recognised by their bytes, whatever they are called."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from radcal import __version__
from radcal.errors import InputError
from radcal.progress import Progress

_CHUNK = 1 << 22


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """SHA-256 over the bytes of a file, or of all files of a folder.

    content: over these alone, 16 digits of it
    reading: and over how they are read, since another RadCal, modality or mapping of columns may read them differently
    """

    content: str
    reading: str


def fingerprint(path: Path, read_as: str, mapping: Mapping[str, str] | None, progress: Progress) -> Fingerprint:
    """The fingerprint of a file or folder that is read in some way.

    Raises:
        InputError: the file is missing or cannot be read.
        Cancelled: by ``progress``.
    """
    content = hashlib.sha256()
    reading = hashlib.sha256(json.dumps([__version__, read_as, sorted((mapping or {}).items())]).encode())
    try:
        files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
        for file in files:
            head = f"\n{file.relative_to(path).as_posix()}\n{file.stat().st_size}\n".encode()
            content.update(head)
            reading.update(head)
            with file.open("rb") as opened:
                while chunk := opened.read(_CHUNK):
                    progress.raise_if_cancelled()
                    content.update(chunk)
                    reading.update(chunk)
    except OSError as error:
        name = Path(error.filename or path)
        raise InputError(f"{name} cannot be read: {error.strerror}. Check its name and your rights to it.") from error
    return Fingerprint(content.hexdigest()[:16], reading.hexdigest())
