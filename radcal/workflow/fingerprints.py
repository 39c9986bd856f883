"""Report files that were imported before are recognised by their bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from radcal import __version__
from radcal.errors import InputError
from radcal.progress import Progress

_CHUNK = 1 << 22


def fingerprint(path: Path, read_as: str, mapping: Mapping[str, str] | None, progress: Progress) -> str:
    """SHA-256 over the bytes of a file, or of all files of a folder, and over how they are read.

    Another RadCal, modality or mapping of columns may read the same bytes differently, so that these count.

    Raises:
        InputError: the file is missing or cannot be read.
        Cancelled: by ``progress``.
    """
    digest = hashlib.sha256(json.dumps([__version__, read_as, sorted((mapping or {}).items())]).encode())
    try:
        files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
        for file in files:
            digest.update(f"\n{file.relative_to(path).as_posix()}\n{file.stat().st_size}\n".encode())
            with file.open("rb") as opened:
                while chunk := opened.read(_CHUNK):
                    progress.raise_if_cancelled()
                    digest.update(chunk)
    except OSError as error:
        name = Path(error.filename or path)
        raise InputError(f"{name} cannot be read: {error.strerror}. Check its name and your rights to it.") from error
    return digest.hexdigest()
