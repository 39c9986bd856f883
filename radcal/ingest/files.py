"""Any supported file to its tables; the format is told by the content, not by the name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from radcal.errors import InputError
from radcal.ingest import excel
from radcal.ingest.decode import decode
from radcal.ingest.delimited import read_delimited
from radcal.ingest.parsers import LARGEST, WORKBOOK
from radcal.ingest.parsing import parse
from radcal.ingest.table import Cell, Table
from radcal.progress import Progress

_PART = 1 << 22
"""Bytes read between two looks at whether to stop."""


def read_tables(path: Path, file: str, recognise: Callable[[Sequence[Cell]], int], progress: Progress) -> list[Table]:
    """The tables of a file: one of a text file, the sheets of a workbook.

    Args:
        path: the file
        file: how it is called in messages and in lists of rows
        recognise: how many columns of a possible header are known by name
        progress: asked now and then whether to stop

    Raises:
        InputError: it cannot be opened, is damaged, is no table, or is protected.
        Cancelled: by ``progress``.
    """
    try:
        data = _read(path, progress)
    except FileNotFoundError as error:
        raise InputError(f"There is no file {path}. Check the name and the folder.") from error
    except OSError as error:
        raise InputError(f"{file} cannot be read ({error.strerror}). Check that you may open it.") from error
    if data.startswith(excel.SIGNATURES):
        if len(data) > LARGEST:
            raise InputError(
                f"{file} is too large: RadCal reads workbooks of up to {LARGEST >> 20:,} MB. "
                "Split it into several files, or export the reports as CSV."
            )
        return parse(WORKBOOK, data, file, progress)
    if data[:1000].lstrip().lower().startswith((b"<html", b"<!doctype html", b"<table", b"<?xml")):
        raise InputError(
            f"{file} is a web page or XML, whatever its name says. "
            "Open it in a spreadsheet and save it as .xlsx, or export the reports as CSV."
        )
    return [read_delimited(decode(data, file, progress), file, recognise, progress)]


def _read(path: Path, progress: Progress) -> bytes:
    """The bytes of a file, which may come slowly over a network."""
    parts = []
    with path.open("rb") as file:
        while part := file.read(_PART):
            parts.append(part)
            progress.raise_if_cancelled()
            if len(parts) * _PART > LARGEST + _PART and parts[0].startswith(excel.SIGNATURES):
                break  # it will be refused
    return b"".join(parts)


def labels(paths: Sequence[Path]) -> list[str]:
    """A short name for each file: its own, with its folder where two are called alike."""
    names = [path.name for path in paths]
    return [
        name if names.count(name) == 1 else f"{path.parent.name}/{name}"
        for name, path in zip(names, paths, strict=True)
    ]
