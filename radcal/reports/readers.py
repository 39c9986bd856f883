"""Report files to one frame of reports, with the rejected rows and the attrition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from radcal.reports.attrition import LATEST, Ledger
from radcal.reports.authors import TraineeRule, attributed
from radcal.reports.column_names import simplified
from radcal.reports.columns import Layout, check_mapping, doubts, locate, misfits
from radcal.reports.exams import classify
from radcal.reports.fields import REPORT_FIELDS, reports_need
from radcal.reports.files import labels, open_reports
from radcal.reports.folder import texts_of
from radcal.reports.outcomes import OUTCOME_FIELDS, read_outcomes
from radcal.reports.records import NO_PRESET, Import, Modality, Preset, Unread
from radcal.reports.rows import Part, empty_reports, read_rows, shown_number
from radcal.reports.table import Fault, Table, rejected_frame
from radcal.reports.versions import READ_OTHERWISE, resolve, rows_of
from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.quoting import shared_terms
from radcal.system.text import EMPTY, Text, joined
from radcal.words.studies import Study

_NAMES_SHOWN = 8


def read_reports(
    paths: Sequence[Path], *, trainee_rule: TraineeRule = "signer", progress: Progress = SILENT, **options: Any
) -> Import:
    """Read the chest X-ray and chest CT reports of some files.

    A path is a CSV or TSV file of any usual encoding, an Excel workbook (.xlsx, .xls), a file of HL7, FHIR or DICOM
    messages, a folder of such files, or a folder of text files with a manifest.  Unusable rows are listed in
    ``rejected``; other examinations, repeated rows and superseded versions are counted in ``attrition``; notes state
    assumptions.

    Args:
        paths: the files
        trainee_rule: settings.trainee_rule
        progress: one part per file
        options: of :func:`read_parts`

    Returns:
        Import whose reports have REPORT_COLUMNS and VERSION_COLUMNS, one row per report_id.

    Raises:
        InputError: a file cannot be opened or is no table, or a required column is missing.
    """
    parts, unread = read_parts(paths, progress=progress, **options)
    return replace(assembled(parts, trainee_rule, progress), unread=unread)


def read_parts(
    paths: Sequence[Path],
    *,
    modality: Modality | None = None,
    mapping: Mapping[str, str] | None = None,
    day_first: bool | None = None,
    all_mapped: bool = True,
    names: Sequence[str] | None = None,
    sources: Sequence[str] | None = None,
    leave_out: bool = False,
    preset: Preset = NO_PRESET,
    study: Study | None = None,
    progress: Progress = SILENT,
) -> tuple[list[Part], tuple[Unread, ...]]:
    """The rows of some files, before versions of a report are resolved, and the files that could not be read.

    Args:
        paths, progress: as in :func:`read_reports`
        modality: the modality of rows that do not state it; rows of another modality drop out
        mapping: fields (keys of fields.FIELDS) to names of columns that are not recognised
        day_first: whether 03/04/2024 is 3 April; by default the dates of each file decide
        all_mapped: every column of ``mapping`` must be in at least one of the files
        names: of the files in lists of rows; by default :func:`radcal.reports.files.labels`
        sources: identify their contents in the column ``source``; by default ''
        leave_out: list unreadable files instead of raising an error
        preset: of the system that the files come from; columns that a file lacks are recognised
        study: whose examinations they are; None for chest X-ray and chest CT

    Raises:
        InputError, Cancelled: as :func:`read_reports` does.
    """
    mapping = dict(mapping or {})
    check_mapping(mapping, (*REPORT_FIELDS, "file", *(OUTCOME_FIELDS if study and study.outcomes else ())))
    progress.start(len(paths), Text("Reading reports"))
    parts: list[Part] = []
    unread: list[Unread] = []
    unknown = set(mapping)
    for path, label, source in zip(paths, names or labels(paths), sources or [""] * len(paths), strict=True):
        try:
            part = read_file(path, label, modality, mapping, day_first, progress, source, preset, study)
        except InputError as error:
            if not leave_out:
                raise
            unread.append(Unread(label, str(error)))
            continue
        unknown -= {f for f, name in part.layout.names.items() if simplified(name) == simplified(mapping.get(f, ""))}
        parts.append(part)
        progress.advance(1, Text(label))
    if all_mapped and unknown:
        field = min(unknown)
        raise InputError(
            "No column {mapping!r}, to which {field} was mapped, is in {labels}. Check how the column is written.",
            mapping=mapping[field],
            field=field,
            labels=", ".join(labels(paths)),
        )
    return parts, tuple(unread)


def combine(
    imports: Sequence[Import],
    *,
    held: Import | None = None,
    withdrawn: Collection[str] = (),
    trainee_rule: TraineeRule = "signer",
    progress: Progress = SILENT,
) -> Import:
    """Several imports, in the order of reading, as one; versions of a report in different files are resolved.

    ``held`` are the reports of earlier imports that ``imports`` contain again, ``withdrawn`` the report_ids of those
    that they no longer contain, which are entered in the attrition.
    """
    progress.raise_if_cancelled()
    imports = [*([] if held is None else [held]), *imports]
    ledger = Ledger.of(i.attrition for i in imports if i.attrition is not None)
    rows = [rows_of(i, ledger) for i in imports]
    n_held = 0 if held is None else len(rows[0])
    before = pd.concat(rows, ignore_index=True) if rows else empty_reports()
    found = resolve(before, ledger, n_held)
    for modality, n in Counter(report_id.partition(":")[0] for report_id in withdrawn).items():
        ledger.drop(modality, LATEST, READ_OTHERWISE, n)
    progress.raise_if_cancelled()
    units = {file: unit for i in imports for file, unit in i.units.items()}
    contradictions = rejected_frame(_numbered(found.faults, before), units)
    rejected = pd.concat([*(i.rejected for i in imports), contradictions], ignore_index=True)
    return Import(
        reports=attributed(found.reports, trainee_rule, progress).reset_index(drop=True),
        versions=found.versions.reset_index(drop=True),
        rejected=rejected,
        rows_read=sum(i.rows_read for i in imports),
        mapping=merged_names([i.mapping for i in imports]),
        attrition=ledger.frame(),
        notes=tuple(dict.fromkeys(note for i in imports for note in i.notes)),
        unread=tuple(file for i in imports for file in i.unread),
        units=units,
    )


def read_file(
    path: Path,
    label: str,
    modality: Modality | None,
    mapping: Mapping[str, str],
    day_first: bool | None,
    progress: Progress,
    source: str = "",
    preset: Preset = NO_PRESET,
    study: Study | None = None,
) -> Part:
    """The content of one file.

    Args:
        path, label, source: the file, its name in lists of rows, and an identifier of its content
        modality, mapping, day_first, progress, preset, study: as in :func:`read_parts`
    """
    opened = open_reports(path, label, REPORT_FIELDS, mapping, progress, preset)
    tables, file, wanted, manifest = opened.tables, opened.file, opened.wanted, opened.manifest
    order = preset.day_first if day_first is None else day_first
    if (
        study is not None and study.outcomes and not manifest and modality is not Modality.XRAY
        and (modality is Modality.CT or not _holds_reports(tables, modality, opened.mapping, file))
    ):  # fmt: skip
        return read_outcomes(tables, file, study, opened.mapping, order, progress, source)
    need = reports_need(modality, has_files=manifest is not None)
    try:
        table, header, layout = locate(tables, need, wanted, opened.mapping, file)
    except InputError as error:
        if manifest and _holds_reports(tables, modality, opened.mapping, file):
            raise InputError("{file} is a table of reports. Choose this file, not its folder.", file=file) from error
        raise
    table = table.as_whole() if preset.as_whole else table.judged(header, layout.texts)
    body, faults = table.body(header)
    texts: list[str] | None = None
    if manifest:
        body, texts, file_faults = texts_of(body, layout.positions["file"], path, manifest, progress)
        faults += file_faults
    progress.raise_if_cancelled()
    wrong = misfits(table, header, layout, wanted, opened.mapping)
    part = read_rows(body, layout, faults, modality, texts, order, progress, source, preset, wrong, study)
    part.notes[:0] = [
        *table.notes,
        *body.notes,
        *(() if table.headed else _lacking(file, preset, opened.mapping.keys() - mapping.keys(), layout)),
        *doubts(table, header, layout, wanted),
    ]
    return part


def _holds_reports(tables: Sequence[Table], modality: Modality | None, mapping: Mapping[str, str], file: str) -> bool:
    """Whether what was taken for a manifest is a table of reports itself."""
    try:
        locate(tables, reports_need(modality, has_files=False), REPORT_FIELDS, mapping, file)
    except InputError:
        return False
    return True


def _lacking(file: str, preset: Preset, fields: Collection[str], layout: Layout) -> list[Text]:
    """A note on the columns of a preset that a file lacks."""
    columns = dict(preset.columns)
    lacking = [f for f in columns if f in fields and simplified(layout.names.get(f, "")) != simplified(columns[f])]
    if not lacking:
        return []
    return [
        Text(
            "{file} lacks columns of the preset {preset!r}: {columns}. What they hold was recognised as without it.",
            file=file,
            preset=preset.name,
            columns=", ".join(columns[f] for f in lacking),
        )
    ]


def assembled(parts: Sequence[Part], trainee_rule: TraineeRule, progress: Progress = SILENT) -> Import:
    """The import of several files: versions of a report are resolved, and every dropped report is accounted for."""
    ledger = Ledger.of_reading()
    for part in parts:
        ledger.add(part.ledger)
    frames = [part.reports for part in parts]
    reports = pd.concat(frames, ignore_index=True) if frames else empty_reports()
    progress.raise_if_cancelled()
    found = resolve(reports, ledger)
    progress.raise_if_cancelled()
    faults = [fault for part in parts for fault in part.faults]
    units = {file: unit for part in parts for file, unit in part.units.items()}
    return Import(
        reports=attributed(found.reports, trainee_rule, progress).reset_index(drop=True),
        versions=found.versions.reset_index(drop=True),
        rejected=rejected_frame(faults + _numbered(found.faults, reports), units),
        rows_read=sum(part.rows_read for part in parts),
        mapping=merged_names([part.layout.names for part in parts]),
        attrition=ledger.frame(),
        notes=tuple(note for note in (*(n for part in parts for n in part.notes), _exams_note(parts)) if note),
        units=units,
    )


def rows_lost(parts: Sequence[Part]) -> Counter[Text]:
    """How many rows dropped out while reading, by the reason."""
    lost: Counter[Text] = Counter()
    for part in parts:
        for dropped, reason in part.ledger.frame()[["dropped", "reason"]].itertuples(index=False, name=None):
            lost[reason] += dropped
    return +lost


def told_of(lost: Mapping[Text, int]) -> list[Text]:
    """A sentence for each reason for which rows dropped out."""
    return [
        Text("{n:,} row was left out: {why}", many="{n:,} rows were left out: {why}", n=n, why=why)
        for why, n in lost.items()
    ]


def why_empty(part: Part, name: str) -> Text:
    """Why no report of a file could be used; empty where one could."""
    if not part.reports.empty:
        return EMPTY
    why = (*part.notes, _exams_note([part]), joined(told_of(rows_lost([part])), "; "))
    return joined([Text("Nothing in {file} could be used.", file=name), *why])


def _numbered(faults: Sequence[Fault], reports: pd.DataFrame) -> list[Fault]:
    """Faults of reports with the accession numbers of these."""
    if not faults:
        return []
    number = dict(zip(zip(reports["file"], reports["row"], strict=True), reports["accession"], strict=True))
    return [replace(f, accession=f.accession or shown_number(number.get((f.file, f.row), ""))) for f in faults]


def merged_names(mappings: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Fields to the column names of all files, with strokes between several."""
    merged: dict[str, dict[str, None]] = {}
    for mapping in mappings:
        for field, names in mapping.items():
            merged.setdefault(field, {}).update(dict.fromkeys(names.split(" / ")))
    return {field: " / ".join(names) for field, names in merged.items()}


def _exams_note(parts: Sequence[Part]) -> Text:
    """A note on the examinations left out as not of the chest, so that a misread name is noticed."""
    left_out = [said for part in parts for said in part.exams_left_out]
    if not left_out:
        return EMPTY
    # An unclassified name may come from another column and be a patient's.
    terms = shared_terms((exam, patient) for exam, patient in left_out if classify("", exam, "")[0])
    shown = list(terms.items())[:_NAMES_SHOWN]
    rest = len(left_out) - sum(n for _, n in shown)
    if not shown:
        return Text(
            "Left out because they do not show the chest: {rest:,}, under names that are too rare to be told.",
            rest=rest,
        )
    named = joined([Text("{name} ({n:,})", name=name, n=n) for name, n in shown], ", ")
    if rest:
        named = Text("{named} and {n:,} more", named=named, n=rest)
    return Text("Left out because they do not show the chest: {named}.", named=named)
