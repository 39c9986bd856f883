"""The tables of any supported file; the format is recognised by content, not by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from radcal.reports.columns import recognised
from radcal.reports.decode import decoded
from radcal.reports.delimited import read_delimited
from radcal.reports.folder import manifest_of
from radcal.reports.formats import HEAD, LARGEST, Format, format_of
from radcal.reports.messages import is_message_folder, message_format_of, read_message_folder, read_messages
from radcal.reports.parsing import parse
from radcal.reports.presets import with_preset
from radcal.reports.records import NO_PRESET, Preset
from radcal.reports.table import Cell, Table, notes_of
from radcal.system import inputs
from radcal.system.errors import InputError
from radcal.system.progress import Progress
from radcal.system.separated import lines_in


@dataclass(frozen=True, slots=True)
class Opened:
    """The tables of a report file or folder, and the fields that their columns may hold.

    file: its name in messages and in lists of rows;  mapping: fields to columns, those of the preset among them
    manifest: of a folder of text files, the table that names them, whose field ``file`` is wanted too; None of others
    """

    tables: list[Table]
    file: str
    wanted: tuple[str, ...]
    mapping: dict[str, str]
    manifest: Path | None = None


def open_reports(
    path: Path,
    label: str,
    wanted: tuple[str, ...],
    mapping: Mapping[str, str],
    progress: Progress,
    preset: Preset = NO_PRESET,
) -> Opened:
    """Read the tables of a table, a file or folder of messages, or a folder of text files with a manifest.

    Raises:
        InputError: it cannot be read.
    """
    messages = is_message_folder(path)
    manifest = manifest_of(path) if inputs.is_folder(path) and not messages else None
    wanted = (*wanted, "file") if manifest else wanted
    mapping = with_preset(preset, wanted, mapping)
    if messages:
        return Opened([read_message_folder(path, label, progress)], label, wanted, mapping)
    file = f"{label}/{manifest.name}" if manifest else label
    known = partial(recognised, mapping=mapping, wanted=wanted)
    tables = read_tables(manifest or path, file, known, progress, preset.encoding)
    return Opened(tables, file, wanted, mapping, manifest)


def read_tables(
    path: Path, file: str, recognise: Callable[[Sequence[Cell]], int], progress: Progress, encoding: str = ""
) -> list[Table]:
    """The tables of a file: one for a text file or a file of messages, the sheets of a workbook.

    Args:
        path: the file
        file: its name in messages and in lists of rows
        recognise: the number of known column names in a possible header
        encoding: of a text file where it is known

    Raises:
        InputError: it cannot be opened, is damaged, is no table, or is protected.
    """
    if (messages := message_format_of(path, file)) is not None:
        return [read_messages(messages, path, file, progress)]
    data, form = _read(path, file, progress)
    if form is not None:
        if len(data) > LARGEST:
            raise InputError(
                "{file} is too large: RadCal reads workbooks of up to {largest:,} MB. Split it "
                "into several files, or export the reports as CSV.",
                file=file,
                largest=LARGEST >> 20,
            )
        return parse(form, data, file, progress)
    if data[:1000].lstrip().lower().startswith((b"<html", b"<!doctype html", b"<table", b"<?xml")):
        raise InputError(
            "{file} is a web page or XML, whatever its name says. Open it in a spreadsheet and "
            "save it as .xlsx, or export the reports as CSV.",
            file=file,
        )
    lines = lines_in(decoded(data, file, progress, encoding), progress)
    del data  # the lines are as long again
    table = read_delimited(lines, file, recognise, progress)
    table.notes.extend(notes_of(table.doubts, table.unit_by_file))
    return [table]


def _read(path: Path, file: str, progress: Progress) -> tuple[bytes, Format | None]:
    """The bytes of a file and its format, None of text; of a workbook no more than needed to refuse it as too large."""
    parts: list[bytes] = []
    read = 0
    form: Format | None = None
    with inputs.reading(path, file) as opened:
        for part in inputs.parts_of(opened, progress):
            form = form if parts else format_of(part[:HEAD])
            parts.append(part)
            read += len(part)
            if read > LARGEST and form is not None:
                break
    return b"".join(parts), form


def labels(paths: Sequence[Path]) -> list[str]:
    """A short name for each file: its own, with its folder if two files share a name."""
    names = [path.name for path in paths]
    return [
        name if names.count(name) == 1 else f"{path.parent.name}/{name}"
        for name, path in zip(names, paths, strict=True)
    ]
