"""Reports for extraction alone: their ids and texts, without patients, times or radiologists."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.reports import reasons
from radcal.reports.columns import Layout, check_mapping, locate
from radcal.reports.deidentify.rows import known_from, unnamed_note
from radcal.reports.deidentify.side_by_side import DeidentifierSideBySide, Raw
from radcal.reports.exams import classify
from radcal.reports.fields import IDENTIFYING
from radcal.reports.files import open_reports
from radcal.reports.folder import texts_of
from radcal.reports.records import NO_PRESET, Document, Modality, Preset
from radcal.reports.rows import people_of, report_texts, shown_number, too_long
from radcal.reports.sections import document
from radcal.reports.table import Table, cell_text, rejected_frame
from radcal.system.progress import SILENT, Progress, in_steps
from radcal.system.text import Text

if TYPE_CHECKING:
    import pandas as pd

_ABOUT = ("exam_code", "exam", "body_part")
_VERSION = ("status", "report_time")
_RISING = ("preliminary", "", "final", "corrected")
"""Statuses of versions, the last to count first."""
_FIELDS = ("report_id", "accession", "modality", "text", "findings", "impression")
_NEED = (("report_id", "accession"), ("text", "findings", "impression"))
_OF_PEOPLE = ("patient_id", "dictator", "signer", *IDENTIFYING)
_BATCH = 500


def read_documents_csv(
    path: Path,
    *,
    mapping: Mapping[str, str] | None = None,
    preset: Preset = NO_PRESET,
    deidentify: bool = False,
    versions: bool = False,
    progress: Progress = SILENT,
) -> tuple[list[Document], pd.DataFrame, list[Text]]:
    """The reports of a table (CSV, TSV or Excel) with report_id and text, or findings and impression, or of messages.

    A report without text becomes a document without sentences; it is listed as rejected, as are rows left out because
    their id is missing or repeated or their report is too long.

    A path may be a folder of text files with a table that names them, a file of HL7, FHIR or DICOM messages or a folder
    of such.  Of whatever examination they are, their
    reports go by :func:`message_ids`.  Of versions of one resource, as in the history of a FHIR server, the latest
    counts.

    Args:
        deidentify: take identifiers out of the texts; what columns say of people is known then, and the shift of dates
            is drawn anew.
        versions: take every row, also those of an id that has occurred, such as addenda in rows of their own.

    Returns:
        the documents in order of the file, a frame of REJECTED_COLUMNS, and notes on what is doubtful.

    Raises:
        InputError: the file cannot be read, or a column is missing.
    """
    wanted = (*_FIELDS, *_OF_PEOPLE) if deidentify else _FIELDS
    opened = open_reports(path, path.name, wanted, mapping or {}, progress, preset)
    manifest, wanted = opened.manifest, opened.wanted
    check_mapping(opened.mapping, wanted)
    if any(table.headed for table in opened.tables):
        wanted = (*wanted, *_ABOUT, *_VERSION)
    need = (_NEED[0], ("file",)) if manifest else _NEED
    table, header, layout = locate(opened.tables, need, wanted, opened.mapping, opened.file)
    table = table.as_whole() if preset.as_whole else table.judged(header, layout.texts)
    body, faults = table.body(header)
    texts: Sequence[str] | None = None
    if manifest:
        body, texts, missing = texts_of(body, layout.positions["file"], path, manifest, progress)
        faults += missing
    if table.headed and not versions:
        body = body.of_rows(_latest(body, layout))
    key = "report_id" if "report_id" in layout else "accession"
    ids = message_ids(body, layout) if table.headed else _cells(body, layout, key)
    about = zip(*(_cells(body, layout, field) for field in ("modality", "exam", "body_part")), strict=True)
    kinds = [classify(*of_exam)[0] for of_exam in about]
    documents: list[Document] = []
    seen: set[str] = set()
    progress.start(len(ids), Text("Reading reports"))
    texts = report_texts(body, layout, preset.breaks) if texts is None else texts
    notes = list(table.notes)
    if deidentify:
        if len(body.rows) and "patient_name" not in layout.identifying:
            notes.append(unnamed_note([path.name]))
        texts = _deidentified(texts, body, layout, ids, progress)
    for n, (report_id, kind, text) in enumerate(in_steps(zip(ids, kinds, texts, strict=True), progress, _BATCH)):
        repeated = report_id in seen and not versions
        reason = reasons.NO_ID if not report_id else reasons.REPEATED_ID if repeated else None
        if reason is None and too_long(text):
            reason = reasons.TOO_LONG
        elif reason is None:
            seen.add(report_id)
            documents.append(document(report_id, text, Modality(kind) if kind in tuple(Modality) else None))
            reason = None if text.strip() else reasons.NO_TEXT
        if reason is not None:
            faults.append(body.fault(n, reason, shown_number(report_id)))
        progress.advance()
    return documents, rejected_frame(faults, table.unit_by_file), notes


def message_ids(table: Table, layout: Layout) -> list[str]:
    """An id for each report of messages, none of them twice.

    That is its accession number; of the second and further reports of a number with the id of the message behind it, as
    in "4711/MSG0002", and of a message that has the same id again with its position as well, "4711/MSG0002/7".
    """
    taken: set[str] = set()
    ids = []
    for n, (number, own) in enumerate(
        zip(_cells(table, layout, "accession"), _cells(table, layout, "report_id"), strict=True)
    ):
        whole = f"{number}/{own}".strip("/") or str(table.lines[n])
        choices = (number, whole, f"{whole}/{table.lines[n]}")
        found = next((choice for choice in choices if choice and choice not in taken), f"{whole}/{table.lines[n]}/{n}")
        taken.add(found)
        ids.append(found)
    return ids


def _latest(table: Table, layout: Layout) -> list[int]:
    """The rows without those of which another has the same number and id and a later status.

    Messages of one status are no versions of each other, as systems that number none give all the same id.
    """
    number, own, status, time = (_cells(table, layout, of) for of in ("accession", "report_id", *_VERSION))
    best: dict[tuple[str, str], tuple[int, str]] = {}
    ranks = [(_RISING.index(s) if s in _RISING else len(_RISING), t) for s, t in zip(status, time, strict=True)]
    keys = list(zip(number, own, strict=True))
    for key, rank in zip(keys, ranks, strict=True):
        best[key] = max(best.get(key, rank), rank)
    return [n for n, (key, rank) in enumerate(zip(keys, ranks, strict=True)) if not key[1] or rank[0] == best[key][0]]


def _cells(table: Table, layout: Layout, field: str) -> list[str]:
    if field not in layout:
        return [""] * len(table.rows)
    return [cell_text(cell) for cell in table.column(layout.positions[field])]


def _deidentified(
    texts: Sequence[str], table: Table, layout: Layout, ids: Sequence[str], progress: Progress
) -> list[str]:
    """The texts without identifiers; a row without a patient is one of its own."""
    people = people_of(table, layout)
    patients = _cells(table, layout, "patient_id") if "patient_id" in layout else ids
    names: dict[str, dict[str, None]] = {}
    for patient, name in zip(patients, people["patient_name"].tolist(), strict=True):
        names.setdefault(patient, {})[name] = None  # what any row calls a patient holds for all of theirs
    own = zip(*(_cells(table, layout, of) for of in ("dictator", "signer", "patient_id", "accession")), strict=True)
    known = [
        known_from([name, *(names[of] if of else ())], (dictator, signer, staff), (patient, accession, numbers), born)
        for of, (dictator, signer, patient, accession), (name, staff, numbers, born) in zip(
            patients, own, people.itertuples(index=False, name=None), strict=True
        )
    ]
    staff = sorted({name for one in known for name in one.staff})
    rows = zip(texts, known, patients, ids, strict=True)
    raw = (Raw(text, about, patient or own_id) for text, about, patient, own_id in rows)
    return [made.text for made in DeidentifierSideBySide(secrets.token_bytes(32), staff)(raw, progress)]
