"""Files written whole or not at all, and records as JSON."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal, TypeVar

from radcal.errors import InputError

if TYPE_CHECKING:
    from cattrs import Converter

T = TypeVar("T")


@contextmanager
def writing(path: Path, mode: Literal["w", "wb"] = "w") -> Iterator[IO[Any]]:
    """A file beside ``path`` that takes its place when the block ends well, and goes when it does not.

    Mode "w" is UTF-8 text whose line ends stay as written, "wb" is bytes.

    Raises:
        InputError: the folder cannot be written to, or the disk is full.
    """
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        temporary = Path(name)
        text = mode == "w"
        with os.fdopen(handle, mode, encoding="utf-8" if text else None, newline="" if text else None) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}. Choose another place or make room.") from error
    finally:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path beside ``path``, of the same kind of file, for writers that want a name rather than an open file.

    What was written there takes the place of ``path`` when the block ends well, and goes when it does not.

    Raises:
        InputError: the folder cannot be written to, or the disk is full.
    """
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.stem}.", suffix=path.suffix, dir=path.parent)
        os.close(handle)
        temporary = Path(name)
        yield temporary
        temporary.replace(path)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputError(f"{path} cannot be written: {reason}. Choose another place or make room.") from error
    finally:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def write_json(path: Path, value: Any) -> None:
    """Write plain values as strict JSON (no NaN).

    Raises:
        InputError: the file cannot be written.
    """
    with writing(path) as file:
        json.dump(value, file, indent=1, ensure_ascii=False, allow_nan=False)
        file.write("\n")


@cache
def _converter() -> Converter:
    import numpy as np
    from cattrs.preconf.json import make_converter

    converter = make_converter()
    converter.register_unstructure_hook_func(_is_array, lambda array: array.tolist())
    converter.register_structure_hook_func(_is_array, lambda value, _: np.array(value, dtype=np.float64))
    return converter


def _is_array(annotation: Any) -> bool:
    import typing

    import numpy as np

    return annotation is np.ndarray or typing.get_origin(annotation) is np.ndarray


def record_to_plain(record: Any) -> Any:
    """A record as plain values fit for JSON; arrays become lists."""
    return _converter().unstructure(record)


def plain_to_record(value: Any, kind: type[T]) -> T:
    """The record that :func:`record_to_plain` was given."""
    return _converter().structure(value, kind)
