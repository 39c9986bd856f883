"""Preview of a report file: its columns, first rows, and guessed mapping; of messages, one beside what it says."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.reports.decode import decode
from radcal.reports.records import Modality
from radcal.system import inputs
from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.text import EMPTY, Text

if TYPE_CHECKING:
    from radcal.reports.fields import Need
    from radcal.reports.table import Table
    from radcal.words.studies import Study

ROWS, CELL = 8, 160
"""Number of rows in a preview, and of characters in a cell."""
SHOWN = 1 << 18
"""Bytes of a file that are shown where its messages cannot be told apart."""


@dataclass(frozen=True, slots=True)
class Place:
    """A message of a file or folder.

    path, file: its file, and the name of that in lists
    position: in its file, from 1
    reason, remedy: why it is no report, or what is doubtful about one that was read, and what can be done; else ''
    folder: the folder that it was read with, in which it may refer to other files
    unit: what the position counts, one of radcal.reports.reasons.Unit;  where: its file and position in words
    """

    path: Path
    file: str
    position: int
    reason: str = ""
    remedy: str = ""
    folder: Path | None = None
    unit: str = ""
    where: Text = EMPTY


@dataclass(frozen=True, slots=True)
class Message:
    """A message as it is written, and what was read of it.

    raw: its text; '' where it is none
    reports: of each report in it, what it tells as (meaning, value), and its text
    """

    raw: str
    reports: tuple[tuple[tuple[tuple[str, str], ...], str], ...]


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
    asked: fields that somebody should decide about, with the columns that may hold them: as likely as each other, or
        used for nothing though their values look like it
    places: the messages, in order of file and position; none in a table
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    fields: tuple[tuple[str, str], ...]
    mapping: Mapping[str, str]
    needed: tuple[tuple[str, ...], ...]
    needed_of_both: tuple[tuple[str, ...], ...]
    needed_of_xray: tuple[tuple[str, ...], ...]
    asked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    places: tuple[Place, ...] = ()


def file_filter() -> str:
    """The formats of report files as a file dialog lists them: titles, and suffixes in brackets."""
    from radcal.reports.formats import formats

    titles = ", ".join(form.title for form in formats())
    return f"{titles} ({' '.join(f'*{suffix}' for form in formats() for suffix in form.suffixes if suffix)})"


def preview_file(
    path: Path, mapping: Mapping[str, str] | None = None, progress: Progress = SILENT, study: Study | None = None
) -> Preview:
    """Preview a report file without importing it.

    Args:
        path: a table, a file or folder of messages, or a folder of text files with a manifest.
        mapping: fields to known columns; the others are guessed.
        study: of the workspace; where its reference is outcomes, a table that is not of reports is taken for these.

    Raises:
        InputError: the file cannot be read, is not a table, or is empty.
    """
    from radcal.reports.columns import check_mapping, layout_of, locate, recognised
    from radcal.reports.delimited import best_header
    from radcal.reports.fields import FIELDS, REPORT_FIELDS, XRAY_NEEDS, reports_need
    from radcal.reports.files import open_reports
    from radcal.reports.outcomes import OUTCOME_FIELDS, WANTED, layout_of_outcomes, needed_of_outcomes
    from radcal.reports.table import cell_text, name_count

    opened = open_reports(path, path.name, REPORT_FIELDS, mapping or {}, progress)
    known, wanted, is_folder = opened.mapping, opened.wanted, opened.manifest is not None
    check_mapping(known, (*wanted, *(OUTCOME_FIELDS if study is not None and study.outcomes else ())))
    recognise = partial(recognised, mapping=known, wanted=wanted)
    tables = [table for table in opened.tables if table.rows]
    if not tables:
        raise InputError("{name} is empty. Export the reports again.", name=path.name)
    outcomes = None
    needed = reports_need(Modality.CT, has_files=is_folder)
    needed_of_both = [group for group in reports_need(None, has_files=is_folder) if group not in needed]
    try:
        # The table that an import would use, if any.
        table, header, _ = locate(tables, [*needed, *needed_of_both], wanted, known, path.name)
    except InputError:
        outcomes = study.outcomes if study is not None and not is_folder else None
        table = max(tables, key=lambda t: best_header(t.rows, recognise)[1])
        header, _ = best_header(table.rows, recognise)
    if table.headed:
        header = 0
    width = name_count(table.rows[header])
    names = tuple(cell_text(cell) for cell in table.rows[header][:width])
    rows = [tuple(cell_text(cell)[:CELL] for cell in row[:width]) for row in table.rows[header + 1 :][:ROWS]]
    meanings = {name: FIELDS[name].meaning for name in wanted}
    needs: list[Need] = [needed, needed_of_both, XRAY_NEEDS]
    layout = layout_of(table, header, known, wanted)
    if outcomes is not None:
        layout, needs = layout_of_outcomes(table, header, known, outcomes), [needed_of_outcomes(outcomes), (), ()]
        meanings = {name: FIELDS[name].meaning for name in WANTED} | OUTCOME_FIELDS
    return Preview(
        columns=names,
        rows=tuple(row + ("",) * (width - len(row)) for row in rows),
        fields=tuple(meanings.items()),
        mapping={of: names[columns[0]] for of, columns in layout.identifying.items()} | dict(layout.names),
        needed=tuple(needs[0]),
        needed_of_both=tuple(needs[1]),
        needed_of_xray=tuple(needs[2]),
        asked=layout.asked,
        places=_places(table, path) if table.headed else (),
    )


def read_message(place: Place, progress: Progress = SILENT) -> Message:
    """A message as it is written and as it is read, from its file; nothing of it is kept.

    Raises:
        InputError: the file cannot be read.
    """
    from radcal.reports.columns import layout_of
    from radcal.reports.fields import FIELDS
    from radcal.reports.formats import FIELDS_OF_MESSAGES, HEAD, LARGEST, format_of
    from radcal.reports.messages import read_message_folder
    from radcal.reports.parsing import parse_message
    from radcal.reports.rows import report_texts
    from radcal.reports.table import cell_text, stacked

    with inputs.reading(place.path, place.file) as opened:
        data = opened.read(LARGEST + 1)
    form = format_of(data[:HEAD])
    if form is None or not form.has_messages or len(data) > LARGEST:
        return Message("", ())
    if form.raw:
        found = parse_message(form, data, place.file, place.position, raw=True, progress=progress)
        raw = cell_text(found.rows[-1][0]) if len(found.rows) > 1 else ""
    else:
        raw = ""
        with suppress(InputError):  # pictures and the like
            raw = decode(data[:SHOWN], place.file, progress)
    if form.together and place.folder is not None:
        table = read_message_folder(place.folder, place.file.partition("/")[0], progress)
    else:
        found = parse_message(form, data, place.file, place.position, progress=progress)
        table = stacked([found], place.file, FIELDS_OF_MESSAGES)
    layout = layout_of(table, 0, {}, FIELDS_OF_MESSAGES)
    body, _ = table.as_whole().body(0)
    its = [n for n, line in enumerate(body.lines) if line == place.position and body.file_of(n) == place.file]
    body = body.of_rows(its)
    meanings = {name: field.in_messages or field.meaning for name, field in FIELDS.items()} | {"sex": _SEX}
    reports = []
    for row, text in zip(body.rows, report_texts(body, layout), strict=True):
        told = zip(FIELDS_OF_MESSAGES, map(cell_text, row), strict=True)
        values = tuple((meanings[name], value) for name, value in told if value and name not in _TEXTS)
        reports.append((values, text))
    return Message(raw, tuple(reports))


def _places(table: Table, path: Path) -> tuple[Place, ...]:
    """The messages of a table of messages, each once, with its fault or doubt if it has one."""
    from radcal.reports.reasons import Unit
    from radcal.reports.table import place_of

    folder = path if inputs.is_folder(path) else None

    def place(file: str, position: int, reason: str = "", remedy: str = "") -> Place:
        own = path if folder is None else folder / file.partition("/")[2]
        unit = table.units.get(file, Unit.MESSAGE)
        return Place(own, file, position, reason, remedy, folder, unit, place_of(file, position, unit))

    found = {
        (file, line): place(file, line) for file, line in zip(table.files[1:], table.lines[1:], strict=True)
    }  # fmt: skip
    for fault in (*table.doubts, *table.faults):
        found[fault.file, fault.row] = place(fault.file, fault.row, fault.reason.sentence, fault.reason.remedy)
    return tuple(found[at] for at in sorted(found, key=lambda at: (Path(at[0]), at[1])))


_TEXTS = ("text", "findings", "impression")
_SEX = Text("the patient\u2019s sex")
"""What messages tell and no table is asked for."""
