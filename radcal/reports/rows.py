"""The rows of one table to reports; every unusable row gets its reason."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from radcal.reports import reasons, times
from radcal.reports.attrition import BOTH, CHEST, MODALITY, REPORTS, USABLE, WHOLE, WRONG_FILE, Ledger
from radcal.reports.columns import NO_LAYOUT, Layout
from radcal.reports.exams import OTHER_MODALITY, classify
from radcal.reports.fields import IDENTIFYING
from radcal.reports.later_texts import is_revised, packed, text_parts
from radcal.reports.named_ct import names_ct
from radcal.reports.reasons import Reason, Unit
from radcal.reports.records import NO_PRESET, Modality, Preset
from radcal.reports.sections import join_sections
from radcal.reports.statuses import status_of
from radcal.reports.table import Cell, Fault, Table, cell_text, declared_frame
from radcal.reports.times import UNKNOWN_AGE, age_in, years_between
from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.quoting import is_id
from radcal.system.text import Text, joined
from radcal.system.viewer import is_study_uid
from radcal.words.studies import Study
from radcal.workspace.columns import REPORT_COLUMNS, VERSION_COLUMNS

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    _Kinds = NDArray[np.object_]
    _Mask = NDArray[np.bool_]

_COLUMNS = {**REPORT_COLUMNS, **VERSION_COLUMNS}

_ROUNDED = re.compile(r"\d(?:[.,]\d+)?E\+?\d+", re.IGNORECASE)
LONGEST_REPORT = 1 << 20
"""Bytes (UTF-8) of the longest report that is read: no person writes a longer one."""
_LONGEST_SITE = 100
_SAMPLE = 200
"""Cells of a column that show whether it holds dates."""
_HL7_BREAK = re.compile(r"\\\.br\\|\\X0D\\(?:\\X0A\\)?|\\X0A\\")


@dataclass(frozen=True, eq=False)
class Part:
    """The content of one file.

    exams_left_out: exam and patient of each row that does not show the chest
    dates: how the order of day and month was settled; None if no row was read
    people: of each report, what identifies its people: columns patient_name, staff_names and identifiers, the cells of
        each joined by "; ", and birth_date; for de-identification alone, which takes them away
    units: what the rows of each file count
    given: texts are the outcomes of a table in the words of a study, which identify nobody and stay as they are
    """

    layout: Layout
    reports: pd.DataFrame
    faults: list[Fault]
    rows_read: int
    ledger: Ledger
    notes: list[str] = field(default_factory=list)
    exams_left_out: list[tuple[str, str]] = field(default_factory=list)
    dates: times.Order | None = None
    people: pd.DataFrame = field(default_factory=lambda: people_of(Table("", [], []), NO_LAYOUT))
    units: Mapping[str, Unit] = field(default_factory=dict)
    given: bool = False


def empty_reports() -> pd.DataFrame:
    """A frame without reports."""
    return _empty_reports().copy()


@cache
def _empty_reports() -> pd.DataFrame:
    return declared_frame(_COLUMNS, ())


def read_rows(
    table: Table,
    layout: Layout,
    faults: list[Fault],
    modality: Modality | None,
    texts: Sequence[str] | None,
    day_first: bool | None,
    progress: Progress = SILENT,
    source: str = "",
    preset: Preset = NO_PRESET,
    wrong: Sequence[Text] = (),
    study: Study | None = None,
) -> Part:
    """The reports of one table.

    Args:
        table: the usable rows below the header
        faults: the other rows of the table, and text files that it does not name
        modality: the modality where the file does not state it
        texts: the text of each row, if it is in a text file
        day_first: the order of day and month; None to infer it from the file
        source: identifies the content of the file
        preset: status words and marks of line breaks of the system
        wrong: what is wrong with the mapping, which is told in place of a column that it may have taken
        study: whose examinations are looked for; None for chest X-ray and chest CT

    Raises:
        InputError: the file has X-ray reports and no column that names a radiologist.
    """
    table, continued = _without_continuations(table, layout, faults) if texts is None else (table, 0)
    lost = [fault for fault in faults if fault.reason is not reasons.NOT_IN_MANIFEST]
    rows_read = len(table.rows) + len(lost)
    ledger = Ledger.of_reading(rows_read)
    part = Part(layout, empty_reports(), faults, rows_read, ledger, units=table.unit_by_file)
    if continued:
        part.notes.append(
            Text(
                "{file}: {n:,} row held only the rest of a report's text and was joined to the row above.",
                many="{file}: {n:,} rows held only the rest of a report's text and were joined to the row above.",
                file=table.file,
                n=continued,
            )
        )
    for fault in lost:
        part.ledger.drop(BOTH, WHOLE, fault.reason.sentence, 1)
    if not table.rows:
        part.notes.append(Text("{file} has no rows that can be used.", file=table.file))
        return part
    columns = Columns(table, layout)
    kinds, chest, exam = _exams(columns, modality, study)
    progress.raise_if_cancelled()
    keep = _of_the_chest(part, columns, kinds, chest, exam, modality)
    if not keep.any():
        return part
    xray = kinds[keep] == Modality.XRAY
    if xray.any() and "signer" not in layout and "dictator" not in layout:
        if wrong:
            raise InputError("{wrong} Map another column.", wrong=joined(wrong))
        raise InputError(
            "{file} has no column for the radiologist (looked for: signed by, attending, radiologist, dictated by, "
            "...). Say which one it is with --map signer=COLUMN, or export the reports with it.",
            file=table.file,
        )
    index = np.flatnonzero(keep).tolist()
    rows = table.of_rows(index)
    chosen = None if texts is None else [texts[i] for i in index]
    modalities = [str(kinds[i]) for i in index]
    progress.raise_if_cancelled()
    data, reason_of, dates = _read(Columns(rows, layout), chosen, day_first, part.notes, progress, preset)
    progress.raise_if_cancelled()
    data |= {
        "report_id": [f"{m}:{a}" for m, a in zip(modalities, data["accession"], strict=True)],
        "modality": modalities,
        "exam": [exam[i] for i in index],
        "file": [rows.file_of(i) for i in range(len(index))],
        "row": rows.lines,
        "source": [source] * len(index),
    }
    names = study is None or study.names_reference
    data |= _later_texts(modalities, data["text"], data["exam_time"], data["corrected"], names=names)
    for i, reason in reason_of.items():
        fault = rows.fault(i, reason, shown_number(data["accession"][i]))
        part.faults.append(fault)
        part.ledger.drop(modalities[i], USABLE, fault.reason.sentence, 1)
    progress.raise_if_cancelled()
    reports = declared_frame(_COLUMNS, (data[name] for name in _COLUMNS))
    people = people_of(rows, layout)
    if reason_of:
        reports = reports.drop(index=list(reason_of)).reset_index(drop=True)
        people = people.drop(index=list(reason_of)).reset_index(drop=True)
    return replace(part, reports=reports, dates=dates, people=people)


def _without_continuations(table: Table, layout: Layout, faults: Sequence[Fault]) -> tuple[Table, int]:
    """The table with texts that go on in the next row made whole, and how many rows were joined to the one above.

    Such a row has a text and nothing else but, perhaps, the accession number of the row above, which has more.  Behind
    a row that could not be read it is left alone without a number: it may be the rest of that row.
    """
    text, number = layout.positions.get("text"), layout.positions.get("accession")
    if text is None:
        return table, 0
    others = [place for place in layout.positions.values() if place not in (text, number)]
    unread = sorted((fault.file, fault.row) for fault in faults)
    kept: list[int] = []
    rows: list[list[Cell]] = []
    for i, row in enumerate(table.rows):
        alone = not any(row[place] for place in others) and _only(row, {text, number}) and cell_text(row[text]).strip()
        if alone and rows and table.file_of(i) == table.file_of(kept[-1]) and not _only(rows[-1], {text, number}):
            before, file = rows[-1], table.file_of(i)
            its, above = ("", "") if number is None else (cell_text(r[number]).strip() for r in (row, before))
            between = bisect(unread, (file, table.lines[i])) - bisect(unread, (file, table.lines[i - 1]))
            if its == above if its else not between:
                rows[-1] = [*before]
                rows[-1][text] = f"{cell_text(before[text])}\n{cell_text(row[text])}"
                continue
        kept.append(i)
        rows.append(row)
    if len(rows) == len(table.rows):
        return table, 0
    return replace(table.of_rows(kept), rows=rows), len(table.rows) - len(rows)


def _only(row: Sequence[Cell], places: Collection[int | None]) -> bool:
    """Whether a row has nothing in other places."""
    return not any(cell_text(cell).strip() for place, cell in enumerate(row) if place not in places)


def people_of(table: Table, layout: Layout) -> pd.DataFrame:
    """What identifies the people of each row, see :class:`Part`; the parts of a patient's name make one."""
    import pandas as pd

    born = (layout.positions["birth_date"],) if "birth_date" in layout else ()
    columns = {**dict.fromkeys(IDENTIFYING, ()), **layout.identifying, "birth_date": born}
    made = {}
    for of, places in columns.items():
        mark = " " if of == "patient_name" else "; "
        made[of] = [mark.join(filter(None, (cell_text(row[place]) for place in places))) for row in table.rows]
    return pd.DataFrame(made, dtype="str")


def _later_texts(
    modalities: Sequence[str],
    texts: Sequence[str],
    exam_times: NDArray[np.datetime64],
    corrected: Sequence[bool],
    *,
    names: bool,
) -> dict[str, list[Any]]:
    """Of each X-ray report whether it names a CT or is a correction, and its addenda; CT reports are not asked.

    names: whether a CT that is named would be the reference
    """
    xray = [modality == Modality.XRAY for modality in modalities]
    times_of = exam_times.astype("datetime64[us]").tolist()
    of = list(zip(xray, texts, times_of, strict=True))
    return {
        "names_ct": [names_ct(text, time) if its and names else 0 for its, text, time in of],
        "parts": [packed(text_parts(text, time)) if its else "" for its, text, time in of],
        "corrected": [was or (its and is_revised(text)) for was, (its, text, _) in zip(corrected, of, strict=True)],
    }


def shown_number(cell: str) -> str:
    """An accession number as lists of rows may show it: '' for what may be a name in the wrong column."""
    return cell if is_id(cell) else ""


class Columns:
    """The cells of a table by field."""

    def __init__(self, table: Table, layout: Layout) -> None:
        self.table, self.layout = table, layout

    def cells(self, name: str) -> list[Cell] | None:
        """The cells unchanged, None if there is no such column."""
        return self.table.column(self.layout.positions[name]) if name in self.layout else None

    def words(self, name: str) -> list[str]:
        """The cells as text, all empty if there is no such column."""
        cells = self.cells(name)
        return [""] * len(self.table.rows) if cells is None else [cell_text(cell) for cell in cells]


def _exams(columns: Columns, modality: Modality | None, study: Study | None) -> tuple[_Kinds, _Mask, list[str]]:
    """Modality ('' if unknown), whether the chest is examined, and name of the examination, for each row (n,)."""
    code, name = columns.words("exam_code"), columns.words("exam")
    if "exam" not in columns.layout and "exam_code" not in columns.layout:
        # The column mapped to the modality may be that of the examination, which tells it as well.
        name = [cell if " " in cell and classify("", cell, "")[0] else "" for cell in columns.words("modality")]
    exam = [f"{c} {n}".strip() if c != n else n for c, n in zip(code, name, strict=True)]
    keys = list(zip(columns.words("modality"), exam, columns.words("body_part"), strict=True))
    known: dict[tuple[str, str, str], tuple[str, bool]] = {}
    for key in set(keys):
        kind, chest = classify(*key, study)
        # Files given as chest reports need not state this in every row.
        unnamed = not (key[1] or key[2])
        known[key] = (kind or (modality or ""), chest or (modality is not None and unnamed))
    found = [known[key] for key in keys]
    return np.array([k for k, _ in found], dtype=object), np.array([c for _, c in found], dtype=bool), exam


def _of_the_chest(
    part: Part, columns: Columns, kinds: _Kinds, chest: _Mask, exam: Sequence[str], modality: Modality | None
) -> _Mask:
    """Mask of the rows that are chest X-rays or chest CTs (n,); the others are counted in ``part``."""
    table, patient, number = columns.table, columns.words("patient_id"), columns.words("accession")
    unknown = kinds == ""
    part.faults.extend(
        table.fault(i, reasons.UNKNOWN_MODALITY, shown_number(number[i])) for i in np.flatnonzero(unknown).tolist()
    )
    part.ledger.drop(BOTH, MODALITY, table.said(reasons.UNKNOWN_MODALITY).sentence, int(unknown.sum()))
    other = kinds == OTHER_MODALITY
    part.ledger.drop(BOTH, MODALITY, Text("another kind of examination"), int(other.sum()))
    right = ~unknown & ~other
    if modality is not None:
        wrong = right & (kinds != modality)
        part.ledger.drop(BOTH, MODALITY, WRONG_FILE[modality], int(wrong.sum()))
        right &= ~wrong
    for kind in Modality:
        of_kind = right & (kinds == kind)
        part.ledger.begin(kind, REPORTS, int(of_kind.sum()))
        elsewhere = of_kind & ~chest
        unnamed = sum(not exam[i] for i in np.flatnonzero(elsewhere).tolist())
        part.ledger.drop(kind, CHEST, Text(reasons.UNNAMED_EXAM.sentence), unnamed)
        part.ledger.drop(kind, CHEST, Text("another part of the body"), int(elsewhere.sum()) - unnamed)
    part.exams_left_out.extend((exam[i], patient[i]) for i in np.flatnonzero(right & ~chest).tolist() if exam[i])
    keep: _Mask = right & chest
    return keep


def _read(
    columns: Columns,
    texts: Sequence[str] | None,
    day_first: bool | None,
    notes: list[str],
    progress: Progress,
    preset: Preset,
) -> tuple[dict[str, Any], dict[int, Reason], times.Order]:
    """The values of each column, the first reason for rejecting each unusable row, and the order of dates."""
    accession, patient = columns.words("accession"), columns.words("patient_id")
    moment = moments_of(columns, day_first, notes, progress)
    progress.raise_if_cancelled()
    text = (
        report_texts(columns.table, columns.layout, preset.breaks)
        if texts is None
        else [_clean(t, preset.breaks) for t in texts]
    )
    progress.raise_if_cancelled()
    status, corrected, cancelled = _statuses(columns, notes, dict(preset.statuses))
    addendum = _numbers(columns.words("addendum"))
    status = ["addendum" if n > 0 else s for n, s in zip(addendum, status, strict=True)]
    reason_of: dict[int, Reason] = {}
    by_state = {times.MISSING: reasons.NO_TIME, times.AMBIGUOUS: reasons.AMBIGUOUS_TIME}
    written = columns.cells("exam_date") or columns.cells("exam_time") or []
    for i, (a, p, t, state) in enumerate(zip(accession, patient, text, moment.state.tolist(), strict=True)):
        if not a:
            reason_of[i] = reasons.NO_ACCESSION
        elif not p:
            reason_of[i] = reasons.NO_PATIENT
        elif _ROUNDED.fullmatch(a):
            reason_of[i] = reasons.DAMAGED_ACCESSION
        elif _ROUNDED.fullmatch(p):
            reason_of[i] = reasons.DAMAGED_PATIENT
        elif state in by_state:
            reason_of[i] = by_state[state]
        elif state == times.UNREADABLE:
            reason_of[i] = _why_unreadable(written[i])
        elif not t or t.isspace():
            reason_of[i] = reasons.NO_TEXT
        elif too_long(t):
            reason_of[i] = reasons.TOO_LONG
        elif cancelled[i]:
            reason_of[i] = reasons.CANCELLED
        elif moment.days_alone[i]:
            reason_of[i] = reasons.DAY_ALONE
    progress.raise_if_cancelled()
    n = len(accession)
    data: dict[str, Any] = {
        "accession": accession,
        "patient_id": patient,
        "exam_time": moment.time,
        "author": [""] * n,
        "author_rule": [""] * n,
        "status": status,
        "text": text,
        "dictator": columns.words("dictator"),
        "signer": columns.words("signer") if "signer" in columns.layout else [None] * n,
        "addendum": addendum,
        "report_time": times.parse_times(
            columns.cells("report_time") or [""] * n, day_first=moment.order.day_first, progress=progress
        ).time,
        "corrected": corrected,
        "site": [" ".join(place.split())[:_LONGEST_SITE] for place in columns.words("site")],
        "age": _ages(columns, moment, notes, progress),
        "study_uid": [uid if is_study_uid(uid) else "" for uid in columns.words("study_uid")],
    }
    return data, reason_of, moment.order


def _ages(columns: Columns, exams: times.Times, notes: list[str], progress: Progress) -> list[int]:
    """The age of each row's patient in years, as stated or since the day of birth; UNKNOWN_AGE where neither tells.

    Dates of birth are not stored.
    """
    cells, births = columns.cells("age"), columns.cells("birth_date")
    ages = [UNKNOWN_AGE] * len(exams.time) if cells is None else [age_in(cell) for cell in cells]
    if births is not None:
        born = times.parse_times(
            births,
            default_day_first=exams.order.day_first,
            first_year=times.FIRST_BIRTHS,
            progress=progress,
        ).time
        ages = [
            a if a != UNKNOWN_AGE else b for a, b in zip(ages, years_between(births, born, exams.time), strict=True)
        ]
    told = [cell for given in (cells, births) if given is not None for cell in given if cell_text(cell)]
    if told and (n := ages.count(UNKNOWN_AGE)):
        notes.append(
            Text(
                "{file}: {n:,} row does not tell the age of its patient; it is in no age group.",
                many="{file}: {n:,} rows do not tell the age of their patients; they are in no age group.",
                file=columns.table.file,
                n=n,
            )
        )
    return ages


def _why_unreadable(cell: Cell) -> Reason:
    if times.does_not_exist(cell):
        return reasons.IMPOSSIBLE_TIME
    return reasons.NO_DATE if times.parse_clock(cell) is not None else reasons.UNREADABLE_TIME


def too_long(text: str) -> bool:
    """Whether a report is longer than LONGEST_REPORT."""
    return len(text) > LONGEST_REPORT or (4 * len(text) > LONGEST_REPORT and len(text.encode()) > LONGEST_REPORT)


ASSUMED_ORDER = Text(
    "{file}: nothing tells whether dates such as 03/04/2024 have the day or the month first. They were read {order}. "
    "If this is wrong, import again and state the order."
)
NO_CLOCK = Text(
    "{file}: {no_clock:,} of {n:,} examination times have no time of day and count as midnight. Which of two "
    "examinations of one day was first is unknown for them."
)
_SOME_UTC = Text(
    "{file}: {utc:,} of {n:,} examination times are marked as UTC, the others not. All were read as times of the same "
    "clock."
)

_MOVED = Text(
    "{file}: {moved:,} of {n:,} examination times are marked as UTC. They were moved to the clock of the others, which "
    "state how far it is from UTC."
)


def moments_of(columns: Columns, day_first: bool | None, notes: list[str], progress: Progress) -> times.Times:
    """The examination times, from one column or from a date and a time of day; notes state what was assumed."""
    file, layout = columns.table.file, columns.layout
    cells, dates = columns.cells("exam_time"), columns.cells("exam_date")
    clocks: list[Cell] | None = None
    if cells is None or (dates is not None and not _mostly_dates(cells)):
        cells, clocks = dates, cells
    found = times.parse_times(
        cells or [], clocks, day_first=day_first, default_day_first=layout.day_first, progress=progress
    )
    n, order = len(found.state), found.order

    def note(message: Text, **values: Any) -> None:
        notes.append(Text(message, file=file, **values))

    if order.assumed:
        note(ASSUMED_ORDER, order=order.assumed)
    if order.mixed:
        note(Text("{file} writes some dates with the day first and some with the month first."))
    if found.no_clock > found.days_alone.sum():
        note(NO_CLOCK, no_clock=found.no_clock, n=n)
    if found.moved:
        note(_MOVED, moved=found.moved, n=n)
    if 0 < found.utc < n:
        note(_SOME_UTC, utc=found.utc, n=n)
    return found


def _mostly_dates(cells: Sequence[Cell]) -> bool:
    seen = [cell for cell in cells if cell_text(cell)][:_SAMPLE]
    return sum(map(times.has_date, seen)) * 2 > len(seen)


def report_texts(table: Table, layout: Layout, breaks: Sequence[str] = ()) -> list[str]:
    """The report of each row: the text, plus findings and impression unless it contains them.

    breaks: marks that stand for line breaks
    """
    columns = Columns(table, layout)
    whole, findings, impression = (
        None if cells is None else [_clean(c, breaks) if isinstance(c, str) else cell_text(c) for c in cells]
        for cells in map(columns.cells, ("text", "findings", "impression"))
    )
    n = len(table.rows)
    empty = [""] * n
    if findings is None and impression is None:
        return whole or empty
    return [_whole(*parts) for parts in zip(whole or empty, findings or empty, impression or empty, strict=True)]


def _whole(text: str, findings: str, impression: str) -> str:
    if not text.strip():
        return join_sections(findings, impression)
    words = " ".join(text.split())
    findings, impression = ("" if " ".join(part.split()) in words else part for part in (findings, impression))
    return join_sections(findings, impression, before=text) if findings or impression else text


def _clean(text: str, breaks: Sequence[str]) -> str:
    """Text with uniform line breaks."""
    for mark in breaks:
        text = text.replace(mark, "\n")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _HL7_BREAK.sub("\n", text) if "\\" in text else text


def _statuses(columns: Columns, notes: list[str], own: Mapping[str, str]) -> tuple[list[str], list[bool], list[bool]]:
    """For each row the status ('final', 'preliminary', 'addendum' or ''), whether corrected, and whether cancelled."""
    cells = columns.words("status")
    known = {cell: "?" if (status := status_of(cell, own)) is None else status for cell in set(cells)}
    if n := sum(known[cell] == "?" for cell in cells):
        # The unknown words themselves may be anything, so they are not repeated.
        notes.append(
            Text(
                "{file}: the report status of {n:,} of {n2:,} rows is not known and was left out of account.",
                file=columns.table.file,
                n=n,
                n2=len(cells),
            )
        )
    found = [known[cell] for cell in cells]
    plain = {"corrected": "final", "cancelled": "", "?": ""}
    return [plain.get(s, s) for s in found], [s == "corrected" for s in found], [s == "cancelled" for s in found]


def _numbers(cells: Sequence[str]) -> list[int]:
    return [int(cell) if cell.isdecimal() and len(cell) < 9 else 0 for cell in cells]
