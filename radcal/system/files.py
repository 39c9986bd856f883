"""Atomic writing of files, and records as JSON."""

from __future__ import annotations

import errno
import itertools
import math
import os
import re
import secrets
import shutil
import tempfile
import time
import typing
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal, TypeVar

from radcal.system.errors import InputError, reason_of
from radcal.system.text import Text, made_of

if TYPE_CHECKING:
    from cattrs import Converter


Json = dict[str, Any]

T = TypeVar("T")
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", *(f"{device}{k}" for device in ("com", "lpt") for k in "123456789¹²³")]
)
"""Device names that Windows reserves, with any suffix."""
_SPELLED = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "æ": "ae", "ø": "o", "ł": "l"}
    | {"Æ": "Ae", "Ø": "O", "Ł": "L", "ð": "d", "þ": "th", "đ": "d", "\N{RIGHT SINGLE QUOTATION MARK}": "", "'": ""}
)
"""How letters are written without their marks, where leaving the marks out is not enough."""
_SUFFIX = re.compile(r"[A-Za-z0-9]{1,8}")
_LONGEST_NAME = 80
_PART = ".radcal-part"
"""Part of the names of unfinished files."""
_SHORT = 40
"""Characters of the file name repeated in the hidden name: at most 160 of the 255 bytes allowed."""
_UNENDED = re.compile(rf"\..*({re.escape(_PART)}(\..*)?|\.[0-9a-f]{{8}}\.unfinished(-journal)?)", re.DOTALL)
"""Names of unfinished files, including the journal of an unfinished workspace, but not of a complete one."""
_ABANDONED_S = 600.0
_cleared: dict[Path, float] = {}
"""Time of the last clean-up of each folder, by time.monotonic."""


def file_stem(text: str) -> str:
    """The text as a file name without suffix that every system and every mail program takes.

    'Müller, Dr. A.' becomes 'Mueller-Dr-A': letters a-z without accents, digits, hyphens and underscores, at most 80,
    with nothing but a letter, a digit or an underscore at either end; neither empty nor reserved.
    """
    import unicodedata

    latin = unicodedata.normalize("NFC", text).translate(_SPELLED)
    plain = unicodedata.normalize("NFKD", latin)
    kept = "".join(c for c in plain if not unicodedata.combining(c))
    kept = re.sub(r"[^A-Za-z0-9_]+", "-", kept)[:_LONGEST_NAME].strip("-")
    if kept.casefold() in _RESERVED:
        kept += "_"
    return kept or "radcal"


def file_name(proposed: str) -> str:
    """A proposed name as :func:`file_stem` has it, with its suffix: 'Edema: all.csv' becomes 'Edema-all.csv'."""
    stem, dot, suffix = proposed.rpartition(".")
    if dot and _SUFFIX.fullmatch(suffix):
        return f"{file_stem(stem)}.{suffix.lower()}"
    return file_stem(proposed)


def free_name(path: Path) -> Path:
    """The path, numbered if it is taken: 'avery.radcal', 'avery-2.radcal', ..."""
    numbered = (path.with_stem(f"{path.stem}-{k}") for k in itertools.count(2))
    return next(p for p in itertools.chain([path], numbered) if not p.exists())


def _beside(path: Path) -> tuple[int, Path]:
    """A new open file in the folder of ``path``, which is created if necessary and cleared of leftovers.

    Only the owner may read it, whatever the umask, and later the final file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    clear_leftovers(path.parent)
    # Truncated, so that the additions do not make a long name invalid.
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:_SHORT]}.", suffix=_PART, dir=path.parent)
    return handle, Path(name)


def clear_leftovers(folder: Path) -> None:
    """Remove unfinished files and folders that a crash or a power failure left in a folder.

    These are parts of exports and workspaces whose sources still exist.  Files written to within the last ten minutes
    are kept, because another RadCal may be at work; each folder is searched at most once in that time.
    """
    now = time.monotonic()
    if now - _cleared.get(folder, -math.inf) < _ABANDONED_S:
        return
    _cleared[folder] = now
    with suppress(OSError):
        for left in folder.glob(".*"):
            with suppress(OSError):
                if _UNENDED.fullmatch(left.name) and is_abandoned(left):
                    shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink()


def is_abandoned(path: Path) -> bool:
    """True if an unfinished file or folder has not been written to for ten minutes.

    Raises:
        OSError: the file cannot be examined.
    """
    return time.time() - path.stat().st_mtime > _ABANDONED_S


def unfinished_beside(path: Path) -> Path:
    """A temporary name beside ``path`` for a new workspace, recognisable as unfinished."""
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}.unfinished")


@contextmanager
def writing(
    path: Path, mode: Literal["w", "wb"] = "w", before: Callable[[], object] = lambda: None
) -> Iterator[IO[Any]]:
    """Open a hidden file beside ``path`` that replaces it on success and is removed on failure.

    Args:
        path: the final file, readable by its owner only.
        mode: "w" for UTF-8 text with unchanged line endings, "wb" for bytes.
        before: called when everything is on disk, before the replacement; an exception in it prevents that.

    Raises:
        InputError: the folder is not writable, the disk is full, or the system does not accept the name.
    """
    temporary: Path | None = None
    try:
        handle, temporary = _beside(path)
        text = mode == "w"
        with os.fdopen(handle, mode, encoding="utf-8" if text else None, newline="" if text else None) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        before()
        temporary.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink()


def cannot_write(path: Path, error: OSError) -> InputError:
    """The error for a file that cannot be written, with reason and remedy."""
    message = Text("{path} cannot be written: {reason}. Choose another place.")
    if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", None)):  # Windows has no quotas of this name
        message = Text("{path} cannot be written: {reason}. Make room there, or choose another place.")
    elif error.errno == errno.ENAMETOOLONG:
        message = Text("{path} cannot be written: {reason}. Choose a shorter name.")
    return InputError(message, path=path, reason=reason_of(error))


def sync_folder(folder: Path) -> None:
    """Flush a folder, and so the name of a new file, to disk where the system supports it."""
    with suppress(OSError):  # Windows cannot open folders, and some network shares cannot sync them
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@cache
def _converter() -> Converter:
    import numpy as np
    from cattrs.cols import is_namedtuple, namedtuple_dict_structure_factory, namedtuple_dict_unstructure_factory
    from cattrs.preconf.json import make_converter

    converter = make_converter()
    converter.register_unstructure_hook_func(_is_array, lambda array: array.tolist())
    converter.register_structure_hook_func(_is_array, lambda value, _: np.array(value, dtype=np.float64))
    converter.register_unstructure_hook_factory(is_namedtuple, namedtuple_dict_unstructure_factory)
    converter.register_unstructure_hook(Text, lambda text: Text(text).record())
    converter.register_structure_hook(Text, lambda value, _: Text(value) if isinstance(value, str) else made_of(value))
    converter.register_structure_hook_factory(is_namedtuple, namedtuple_dict_structure_factory)
    return converter


def _is_array(annotation: Any) -> bool:

    import numpy as np

    return annotation is np.ndarray or typing.get_origin(annotation) is np.ndarray


def record_to_plain(record: Any) -> Any:
    """A record as JSON-compatible values; arrays become lists."""
    return _converter().unstructure(record)


def plain_to_record(value: Any, kind: type[T]) -> T:
    """The inverse of :func:`record_to_plain`."""
    return _converter().structure(value, kind)
