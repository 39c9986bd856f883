"""User-supplied input files: only regular files are opened, and every refusal has its reason and remedy.

Pipes, devices and sockets could block a reader beyond cancellation.  Circular links and overlong names are reported as
such, not as missing files.
"""

from __future__ import annotations

import errno
import io
import json
import os
import re
import stat
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from radcal.system.errors import InputError, reason_of
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text

LONGEST_NAME = 255
"""Longest file name on all common file systems, in bytes."""
_PART = 1 << 22
"""Bytes read between two checks for cancellation."""
_SHOWN = 40
# Otherwise opening a pipe without a writer would block.
_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
_LOOP_OF_WINDOWS = 1921
_TOO_LONG_OF_WINDOWS = 206
_BITS = 64
"""Of the largest whole numbers in TOML."""
_LARGE = re.compile(r"(?<![\w.])[+-]?(?:0x[\da-fA-F_]{16,}|0o[0-7_]{21,}|0b[01_]{63,}|[\d_]{19,})(?![\w.])")
"""What may be a whole number beyond them."""


_LOOK_LINES = 1000
"""Lines between two looks at whether somebody wants to stop."""


class MissingFile(InputError):
    """There is no file of this name."""


class NameTooLong(InputError):
    """The file name is too long."""


class LinkLoop(InputError):
    """The name is a circular link."""


class NotAFile(InputError):
    """A folder, pipe, device or socket instead of a regular file."""


_held: dict[Path, bytes] = {}
"""Files that are in memory alone, by the path under which they are read."""


@contextmanager
def holding(path: Path, content: bytes) -> Iterator[None]:
    """While the block runs, :func:`reading` finds this content under a path where there is no file."""
    _held[path] = content
    try:
        yield
    finally:
        del _held[path]


def size_of(path: Path) -> int:
    """Bytes of a file.

    Raises:
        OSError: it cannot be looked at.
    """
    return len(_held[path]) if path in _held else path.stat().st_size


@contextmanager
def reading(path: Path, name: str = "", *, pipes: bool = False) -> Iterator[BinaryIO]:
    """Open a file for reading bytes.

    Args:
        path: a regular file, or a link to one.
        name: for messages; the file's own name by default.
        pipes: accept a pipe, and wait for its writer.

    Raises:
        InputError: the path is no such file, or cannot be read.
    """
    name = name or path.name
    if path in _held:
        yield io.BytesIO(_held[path])
        return
    try:
        # Checked before opening, to which devices may react, and afterwards, in case the file was exchanged meanwhile.
        mode = path.stat().st_mode
        waited_for = pipes and stat.S_ISFIFO(mode)
        if not waited_for:
            _require_regular(mode, name)
        handle = os.open(path, os.O_RDONLY | (0 if waited_for else _AT_ONCE))
    except (OSError, ValueError) as error:
        raise refusal(error, path, name) from error
    with os.fdopen(handle, "rb") as file:
        if not waited_for:
            _require_regular(os.fstat(handle).st_mode, name)
        try:
            yield file
        except OSError as error:
            raise refusal(error, path, name) from error


def parts_of(file: BinaryIO, progress: Progress = SILENT) -> Iterator[bytes]:
    """The rest of a file in parts, because it may be large or on a slow network.

    Raises:
        Cancelled: by ``progress``, between parts.
    """
    while part := file.read(_PART):
        progress.raise_if_cancelled()
        yield part


def read_bytes(path: Path, progress: Progress = SILENT) -> bytes:
    """All bytes of a file; errors as of :func:`reading`."""
    with reading(path) as file:
        return b"".join(parts_of(file, progress))


def read_text(path: Path, progress: Progress = SILENT) -> str:
    """Text in UTF-16 with byte order mark, in UTF-8, or else in Windows-1252; errors as of :func:`read_bytes`."""
    raw = read_bytes(path, progress)
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return raw.decode("utf-16", errors="replace")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace")


def is_there(path: Path) -> bool:
    """True if the path exists.

    Raises:
        InputError: this cannot be determined: an overlong name, a circular link, no permission.
    """
    return _mode(path) is not None


def is_folder(path: Path) -> bool:
    """True for a folder or a link to one; errors as of :func:`is_there`."""
    mode = _mode(path)
    return mode is not None and stat.S_ISDIR(mode)


def files_of(path: Path) -> list[Path]:
    """The sorted files of a folder and its subfolders, or the path itself if it is not a folder.

    Raises:
        InputError: the folder cannot be read.
    """
    if not is_folder(path):
        return [path]
    try:
        return sorted(file for file in path.rglob("*") if file.is_file())
    except OSError as error:
        raise refusal(error, path) from error


def refuse_unusable(path: Path) -> None:
    """Check a name for reading or writing.

    Raises:
        InputError: the name is invalid or too long, or a circular link.
    """
    if any(len(os.fsencode(part)) > LONGEST_NAME for part in path.parts):
        raise refusal(OSError(errno.ENAMETOOLONG, ""), path)
    try:
        path.stat()
    except (OSError, ValueError) as error:
        refused = refusal(error, path)
        if isinstance(error, ValueError) or isinstance(refused, NameTooLong | LinkLoop):
            raise refused from error


def full_path(path: Path) -> Path:
    """The absolute path with links resolved as far as possible; an invalid name is only made absolute."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return path.absolute()


def refusal(error: OSError | ValueError, path: Path, name: str = "") -> InputError:
    """The error for an unreadable file, from the operating system's error."""
    name = name or path.name or str(path)
    if not isinstance(error, OSError):  # a NUL, or a lone surrogate
        return MissingFile("This is no name that a file can have. Check the name.")
    windows = getattr(error, "winerror", None)
    if error.errno in (errno.ENOENT, errno.ENOTDIR) and windows != _TOO_LONG_OF_WINDOWS:
        return MissingFile("There is no file {path}. Check the name and the folder.", path=path)
    if error.errno == errno.ENAMETOOLONG or windows == _TOO_LONG_OF_WINDOWS:
        return NameTooLong(
            "{name}… is too long for the name of a file: a name may have {longest_name} bytes. Shorten it.",
            name=name[:_SHOWN],
            longest_name=LONGEST_NAME,
        )
    if error.errno == errno.ELOOP or windows == _LOOP_OF_WINDOWS:
        return LinkLoop("{name} is a link that leads back to itself. Choose the file that is meant.", name=name)
    if error.errno == errno.EISDIR:
        return _a_folder(name)
    if error.errno == errno.ENXIO:
        return _no_file(name)
    return InputError(
        "{name} cannot be read ({strerror}). Check that you may open it.", name=name, strerror=reason_of(error)
    )


def _mode(path: Path) -> int | None:
    try:
        return path.stat().st_mode
    except (OSError, ValueError) as error:
        refused = refusal(error, path)
        if isinstance(refused, MissingFile):
            return None
        raise refused from error


def _require_regular(mode: int, name: str) -> None:
    if stat.S_ISDIR(mode):
        raise _a_folder(name)
    if stat.S_ISFIFO(mode):
        raise NotAFile(
            "{name} is a pipe, not a file. Write what comes out of it into a file, and choose that.", name=name
        )
    if not stat.S_ISREG(mode):
        raise _no_file(name)


def _a_folder(name: str) -> NotAFile:
    return NotAFile("{name} is a folder. Choose a file in it.", name=name)


def _no_file(name: str) -> NotAFile:
    return NotAFile("{name} is a device or a socket, not a file. Choose a file.", name=name)


def toml_of(text: str) -> dict[str, Any]:
    """The tables of a text in TOML.

    Raises:
        tomllib.TOMLDecodeError: it is none, brackets stand within brackets, too deep, or it has a number beyond the
            bounds of TOML: of thousands of digits, Python could neither read nor show it.
    """
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise tomllib.TOMLDecodeError(Text("brackets nested too deeply")) from None
    except ValueError:
        raise _too_large(text) from None
    if _has_large(tables):
        raise _too_large(text)
    return tables


def _has_large(value: Any) -> bool:
    if isinstance(value, dict | list):
        return any(map(_has_large, value.values() if isinstance(value, dict) else value))
    return isinstance(value, int) and value.bit_length() > _BITS


def _too_large(text: str) -> tomllib.TOMLDecodeError:
    found = ((n, _LARGE.search(line.partition("#")[0])) for n, line in enumerate(text.splitlines(), start=1))
    line, number = next(((n, match[0]) for n, match in found if match), (1, ""))
    why = Text("a number of {n:,} characters, beyond the bounds of TOML (at line {line})", n=len(number), line=line)
    return tomllib.TOMLDecodeError(why)


def json_lines_of(text: str, progress: Progress = SILENT) -> Iterator[tuple[int, Any]]:
    """The lines of a text in JSON lines that are not blank: number, from 1 on, and value, None if it is no JSON."""
    # Not splitlines, which splits at characters that may stand in a text.
    for row, line in enumerate(text.split("\n"), start=1):
        if row % _LOOK_LINES == 0:
            progress.raise_if_cancelled()
        if line.strip():
            try:
                yield row, json_of(line)
            except ValueError:
                yield row, None


def json_of(text: str) -> Any:
    """The value of a text in JSON, which knows neither NaN nor infinity.

    Raises:
        ValueError: it is none, or nested too deeply.
    """
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except RecursionError as error:
        raise ValueError(str(error)) from error


def _refuse_constant(constant: str) -> float:
    raise ValueError(constant)
