"""A folder of text files, one report each, with a manifest: a table of the files and their metadata."""

from __future__ import annotations

from pathlib import Path

from radcal.reports import reasons
from radcal.reports.decode import decode
from radcal.reports.formats import table_suffixes
from radcal.reports.table import Fault, Table, cell_text, notes_of
from radcal.system import inputs
from radcal.system.errors import InputError
from radcal.system.progress import Progress

_TEXTS = (".txt", ".text", ".rpt")
_REFUSALS: tuple[tuple[type[InputError], reasons.Reason], ...] = (
    (inputs.MissingFile, reasons.FILE_MISSING),
    (inputs.NameTooLong, reasons.FILE_NAME_TOO_LONG),
    (inputs.LinkLoop, reasons.FILE_LOOP),
    (inputs.NotAFile, reasons.NO_REGULAR_FILE),
    (InputError, reasons.FILE_UNREADABLE),
)


def manifest_of(folder: Path) -> Path:
    """The manifest: the only table in the folder, or the one named manifest.

    Raises:
        InputError: there is none, or more than one, or the folder cannot be read.
    """
    tables = _tables(folder)
    named = [p for p in tables if "manifest" in p.stem.lower()] or tables
    if len(named) == 1:
        return named[0]
    if named:
        raise InputError(
            "The folder {name} has several tables ({named}). Name the one that lists the text files manifest.csv.",
            name=folder.name,
            named=", ".join(p.name for p in named),
        )
    raise InputError(
        "The folder {name} has no manifest. Add manifest.csv with a column 'file' and the columns accession, patient "
        "id, exam, exam time and radiologist, one row for each text file. If a file in it is a table of reports "
        "itself, choose that file.",
        name=folder.name,
    )


def has_no_table(folder: Path) -> bool:
    """Whether no file in the folder could be its manifest.

    Raises:
        InputError: the folder cannot be read.
    """
    return not _tables(folder)


def _tables(folder: Path) -> list[Path]:
    try:
        return sorted(p for p in folder.iterdir() if p.suffix.lower() in table_suffixes() and p.is_file())
    except OSError as error:
        raise inputs.refusal(error, folder) from error


def texts_of(
    table: Table, column: int, folder: Path, manifest: Path, progress: Progress
) -> tuple[Table, list[str], list[Fault]]:
    """The rows of the manifest whose text files can be read, their texts, and the faults.

    A path that leads out of the folder counts as missing.
    """
    root = inputs.full_path(folder)
    read = Table(table.file, [], [])
    texts: list[str] = []
    faults: list[Fault] = []
    used: set[Path] = set()
    for row, line in zip(table.rows, table.lines, strict=True):
        progress.raise_if_cancelled()
        name = cell_text(row[column]).replace("\\", "/")
        path = inputs.full_path(root / name)
        if not name:
            faults.append(Fault(table.file, line, reasons.NO_FILE_NAMED))
        elif not path.is_relative_to(root):
            faults.append(Fault(table.file, line, reasons.FILE_MISSING))
        else:
            used.add(path)
            try:
                text = decode(inputs.read_bytes(path, progress), "")
                if "\ufffd" in text:
                    read.doubts.append(Fault(table.file, line, reasons.OF_DOUBT[reasons.Doubt.DAMAGED]))
                texts.append(text)
                read.rows.append(row)
                read.lines.append(line)
            except InputError as error:
                why = next(reason for kind, reason in _REFUSALS if isinstance(error, kind))
                faults.append(Fault(table.file, line, why))
    used.add(inputs.full_path(manifest))
    try:
        faults.extend(
            Fault(path.relative_to(root).as_posix(), 1, reasons.NOT_IN_MANIFEST)
            for path in sorted(root.rglob("*"))
            if path.suffix.lower() in _TEXTS and path not in used and path.is_file()
        )
    except OSError as error:
        raise inputs.refusal(error, folder) from error
    read.notes.extend(notes_of(read.doubts, read.unit_by_file))
    return read, texts, faults
