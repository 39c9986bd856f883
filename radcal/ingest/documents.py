"""Reports for extraction alone, from a table of ids and texts without patients, times or radiologists."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.ingest import reasons
from radcal.ingest.columns import IDENTIFYING, Layout, check_mapping, locate, recognised
from radcal.ingest.exams import classify
from radcal.ingest.files import read_tables
from radcal.ingest.presets import with_preset
from radcal.ingest.rows import report_texts, shown_number, too_long
from radcal.ingest.sections import document
from radcal.ingest.table import Fault, Table, cell_text, rejected_frame
from radcal.progress import SILENT, Progress
from radcal.records import NO_PRESET, Document, Modality, Preset

if TYPE_CHECKING:
    import pandas as pd

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
    progress: Progress = SILENT,
) -> tuple[list[Document], pd.DataFrame]:
    """The reports of a table (CSV, TSV or Excel) with report_id and text, or findings and impression.

    A report without text becomes a document without sentences; it is listed as rejected, as are rows left out because
    their id is missing or repeated or their report is too long.

    Args:
        deidentify: take identifiers out of the texts; what columns say of people is known then, and the shift of dates
            is drawn anew.

    Returns:
        the documents in order of the file, and a frame of REJECTED_COLUMNS.

    Raises:
        InputError: the file cannot be read, or a column is missing.
    """
    mapping = dict(mapping or {})
    wanted = (*_FIELDS, *_OF_PEOPLE) if deidentify else _FIELDS
    check_mapping(mapping, wanted)
    mapping = with_preset(preset, wanted, mapping)
    tables = read_tables(path, path.name, lambda cells: recognised(cells, mapping, wanted), progress, preset.encoding)
    table, header, layout = locate(tables, _NEED, wanted, mapping, path.name)
    body, faults = table.body(header)
    key = "report_id" if "report_id" in layout else "accession"
    ids = [cell_text(cell) for cell in body.column(layout.positions[key])]
    kinds = [""] * len(ids)
    if "modality" in layout:
        kinds = [classify(cell_text(cell), "", "")[0] for cell in body.column(layout.positions["modality"])]
    documents: list[Document] = []
    seen: set[str] = set()
    progress.start(len(ids), "Reading reports")
    texts = report_texts(body, layout, preset.breaks)
    if deidentify:
        texts = _deidentified(texts, body, layout, ids, progress)
    for n, (report_id, kind, text, line) in enumerate(zip(ids, kinds, texts, body.lines, strict=True)):
        if n % _BATCH == 0:
            progress.raise_if_cancelled()
        reason = reasons.NO_ID if not report_id else reasons.REPEATED_ID if report_id in seen else None
        if reason is None and too_long(text):
            reason = reasons.TOO_LONG
        elif reason is None:
            seen.add(report_id)
            documents.append(document(report_id, text, Modality(kind) if kind in tuple(Modality) else None))
            reason = None if text.strip() else reasons.NO_TEXT
        if reason is not None:
            faults.append(Fault(body.file, line, reason, shown_number(report_id)))
        progress.advance()
    return documents, rejected_frame(faults)


def _deidentified(
    texts: Sequence[str], table: Table, layout: Layout, ids: Sequence[str], progress: Progress
) -> list[str]:
    """The texts without identifiers; a row without a patient is one of its own."""
    from radcal.ingest.deidentified_rows import known_from
    from radcal.ingest.deidentify import Deidentifier

    def cells(*places: int) -> list[tuple[str, ...]]:
        return (
            list(zip(*([cell_text(c) for c in table.column(p)] for p in places), strict=True)) if places else [()] * n
        )

    n = len(ids)
    own = [layout.positions[of] for of in ("dictator", "signer") if of in layout]
    patients = cells(layout.positions["patient_id"]) if "patient_id" in layout else [(i,) for i in ids]
    rows = zip(
        cells(*layout.identifying.get("patient_name", ())),
        cells(*own, *layout.identifying.get("staff_names", ())),
        cells(*layout.identifying.get("identifiers", ())),
        patients,
        strict=True,
    )
    known = [known_from([" ".join(filter(None, name))], staff, numbers) for name, staff, numbers, _ in rows]
    deidentifier = Deidentifier(secrets.token_bytes(32), sorted({name for one in known for name in one.staff}))
    made = []
    for i, (text, about, (patient,)) in enumerate(zip(texts, known, patients, strict=True)):
        if i % _BATCH == 0:
            progress.raise_if_cancelled()
        made.append(deidentifier(text, about, patient or ids[i]).text)
    return made
