"""Preview of a report file: its columns, first rows, and guessed mapping."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from radcal import inputs
from radcal.errors import InputError
from radcal.progress import SILENT, Progress
from radcal.records import Modality

ROWS, CELL = 8, 160
"""Number of rows in a preview, and of characters in a cell."""


@dataclass(frozen=True, slots=True)
class Preview:
    """The table in a report file.

    columns: the names in its header
    rows: its first rows, as wide as the header, with long cells truncated
    fields: the possible fields, as (name, meaning), such as ('patient_id', 'the patient')
    mapping: recognised columns, by field
    needed: groups of fields of which a file must have at least one each
    needed_of_both: further groups for a file with both X-ray and CT reports
    needed_of_xray: further groups for a file with X-ray reports
    undecided: columns that are as likely as each other, by field; none was taken
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    fields: tuple[tuple[str, str], ...]
    mapping: Mapping[str, str]
    needed: tuple[tuple[str, ...], ...]
    needed_of_both: tuple[tuple[str, ...], ...]
    needed_of_xray: tuple[tuple[str, ...], ...] = (("signer", "dictator"),)
    undecided: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def preview_file(path: Path, mapping: Mapping[str, str] | None = None, progress: Progress = SILENT) -> Preview:
    """Preview a report file without importing it.

    Args:
        path: a table, or a folder of text files with a manifest.
        mapping: fields to known columns; the others are guessed.

    Raises:
        InputError: the file cannot be read, is not a table, or is empty.
        Cancelled: by ``progress``.
    """
    from radcal.ingest.columns import FIELDS, check_mapping, layout_of, locate, recognised
    from radcal.ingest.delimited import best_header
    from radcal.ingest.files import read_tables
    from radcal.ingest.folder import manifest_of
    from radcal.ingest.rows import REPORT_FIELDS, reports_need
    from radcal.ingest.table import Cell, cell_text, name_count

    known = dict(mapping or {})
    is_folder = inputs.is_folder(path)
    wanted = (*REPORT_FIELDS, "file") if is_folder else REPORT_FIELDS
    check_mapping(known, wanted)

    def recognise(cells: Sequence[Cell]) -> int:
        return recognised(cells, known, wanted)

    tables = [
        table for table in read_tables(manifest_of(path) if is_folder else path, path.name, recognise, progress)
        if table.rows
    ]  # fmt: skip
    if not tables:
        raise InputError("{name} is empty. Export the reports again.", name=path.name)
    needed = reports_need(Modality.CT, has_files=is_folder)
    needed_of_both = [group for group in reports_need(None, has_files=is_folder) if group not in needed]
    try:
        # The table that an import would use, if any.
        table, header, _ = locate(tables, [*needed, *needed_of_both], wanted, known, path.name)
    except InputError:
        table = max(tables, key=lambda t: best_header(t.rows, recognise)[1])
        header, _ = best_header(table.rows, recognise)
    width = name_count(table.rows[header])
    names = tuple(cell_text(cell) for cell in table.rows[header][:width])
    rows = [tuple(cell_text(cell)[:CELL] for cell in row[:width]) for row in table.rows[header + 1 :][:ROWS]]
    layout = layout_of(table, header, known, wanted)
    return Preview(
        columns=names,
        rows=tuple(row + ("",) * (width - len(row)) for row in rows),
        fields=tuple((name, FIELDS[name].meaning) for name in wanted),
        mapping={of: names[columns[0]] for of, columns in layout.identifying.items()} | dict(layout.names),
        needed=tuple(needed),
        needed_of_both=tuple(needed_of_both),
        undecided=layout.undecided,
    )
