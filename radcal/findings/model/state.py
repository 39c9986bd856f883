"""Cache between runs: decoded prompts and checksums of large models, without any report text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from radcal.system.errors import InputError
from radcal.system.files import writing
from radcal.system.places import cache_folder
from radcal.system.text import EMPTY, Text

_SUFFIX, _TRIED = ".state", ".tried"
_MOST_STATES = 4
_CHECKSUMS = "checksums.json"


def default_folder() -> Path:
    """The folder of these states and checksums."""
    return cache_folder() / "llama"


def take(folder: Path, key: str) -> bytes | None:
    """The state stored under a key, None if it is missing or damaged.

    The file is renamed until :func:`put_back`: if restoring it crashes the process, the next one does not find it.
    """
    path = folder / f"{key}{_SUFFIX}"
    try:
        data = path.read_bytes()
        path.replace(path.with_suffix(_TRIED))
    except OSError:
        return None
    return data[32:] if hashlib.sha256(data[32:]).digest() == data[:32] else None


def put_back(folder: Path, key: str) -> None:
    """Put a state back that was restored without a crash."""
    path = folder / f"{key}{_SUFFIX}"
    with suppress(OSError):
        path.with_suffix(_TRIED).replace(path)


def save(folder: Path, key: str, state: bytes) -> Text:
    """Store a state and remove the oldest ones; returns the reason for a failure, an empty text otherwise."""
    try:
        with writing(folder / f"{key}{_SUFFIX}", "wb") as file:
            file.write(hashlib.sha256(state).digest())
            file.write(state)
    except InputError as error:
        return Text("The decoded prompt is not kept for the next run. {error}", error=error)
    with suppress(OSError):
        files = sorted(folder.glob(f"*{_SUFFIX}"), key=lambda p: p.stat().st_mtime, reverse=True)
        for old in files[_MOST_STATES:]:
            old.unlink()
    return EMPTY


def known_checksum(folder: Path, path: Path, signature: Sequence[int]) -> str:
    """The cached checksum of a file with this signature (size, time, inode); '' if there is none."""
    entry = _checksums(folder).get(str(path))
    return str(entry[1]) if entry is not None and entry[0] == list(signature) else ""


def keep_checksum(folder: Path, path: Path, signature: Sequence[int], checksum: str) -> None:
    """Cache a file's checksum; errors are ignored."""
    known = {name: entry for name, entry in _checksums(folder).items() if Path(name).exists()}
    with suppress(InputError, OSError), writing(folder / _CHECKSUMS) as file:
        json.dump(known | {str(path): [list(signature), checksum]}, file)


def _checksums(folder: Path) -> dict[str, list[Any]]:
    try:
        found = json.loads((folder / _CHECKSUMS).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return {k: v for k, v in found.items() if isinstance(v, list) and len(v) == 2} if isinstance(found, dict) else {}
