"""What is stored between runs: the decoded prompt, and checksums of large models.  Never a word of a report."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from radcal.errors import InputError
from radcal.files import writing

_SUFFIX, _TRIED = ".state", ".tried"
_MOST_STATES = 4
_CHECKSUMS = "checksums.json"


def default_folder() -> Path:
    """The user's folder for caches of programs."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "radcal" / "llama"


def take(folder: Path, key: str) -> bytes | None:
    """The state of a key, None where there is none or it is damaged.

    The file is set aside until :func:`put_back`: if restoring it ends the process, the next one will not find it.
    """
    path = folder / f"{key}{_SUFFIX}"
    try:
        data = path.read_bytes()
        path.replace(path.with_suffix(_TRIED))
    except OSError:
        return None
    return data[32:] if hashlib.sha256(data[32:]).digest() == data[:32] else None


def put_back(folder: Path, key: str) -> None:
    """Store the state that was taken again: it did no harm."""
    path = folder / f"{key}{_SUFFIX}"
    with suppress(OSError):
        path.with_suffix(_TRIED).replace(path)


def save(folder: Path, key: str, state: bytes) -> str:
    """Store a state and remove the oldest others; the reason where that fails, '' otherwise."""
    try:
        with writing(folder / f"{key}{_SUFFIX}", "wb") as file:
            file.write(hashlib.sha256(state).digest())
            file.write(state)
    except InputError as error:
        return f"The decoded prompt is not kept for the next run. {error}"
    with suppress(OSError):
        files = sorted(folder.glob(f"*{_SUFFIX}"), key=lambda p: p.stat().st_mtime, reverse=True)
        for old in files[_MOST_STATES:]:
            old.unlink()
    return ""


def known_checksum(folder: Path, path: Path, signature: Sequence[int]) -> str:
    """The checksum that a file of this size, time and number had; '' if it is not known."""
    entry = _checksums(folder).get(str(path))
    return str(entry[1]) if entry is not None and entry[0] == list(signature) else ""


def keep_checksum(folder: Path, path: Path, signature: Sequence[int], checksum: str) -> None:
    """Store a file's checksum; where that fails, it is computed again next time."""
    known = {name: entry for name, entry in _checksums(folder).items() if Path(name).exists()}
    with suppress(InputError, OSError), writing(folder / _CHECKSUMS) as file:
        json.dump(known | {str(path): [list(signature), checksum]}, file)


def _checksums(folder: Path) -> dict[str, list[Any]]:
    try:
        found = json.loads((folder / _CHECKSUMS).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return {k: v for k, v in found.items() if isinstance(v, list) and len(v) == 2} if isinstance(found, dict) else {}
