"""Tables of outcomes to reference reports: what rows say of a patient at one time is a report, the rows as they stand.

A report of outcomes has one line for each row, "invasive carcinoma: yes"; :mod:`radcal.findings.outcomes` takes its
findings from there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from radcal.reports import reasons, times
from radcal.reports.attrition import BOTH, MODALITY, REPORTS, USABLE, WHOLE, Ledger
from radcal.reports.column_names import simplified
from radcal.reports.columns import Layout, layout_of, locate, shown_columns
from radcal.reports.reasons import Reason
from radcal.reports.records import Modality
from radcal.reports.rows import NO_CLOCK, Columns, Part, moments_of, people_of, shown_number
from radcal.reports.table import Table, cell_text, declared_frame
from radcal.reports.times import UNKNOWN_AGE
from radcal.system.errors import InputError
from radcal.system.progress import Progress
from radcal.system.resources import word_lists
from radcal.system.text import Text
from radcal.workspace.columns import REPORT_COLUMNS, VERSION_COLUMNS

if TYPE_CHECKING:
    from radcal.words.studies import Outcomes, Study

OUTCOME_FIELDS = {"finding": Text("the finding"), "outcome": Text("whether it was there")}
"""Fields of a table of outcomes besides patient, time and number, and what they are."""
SAYS = ": "
"""Between a finding and its outcome."""
WANTED = ("accession", "patient_id", "exam_time", "exam_date", "report_time")
"""The others, which are those of reports."""
_NEED = (("patient_id",), ("exam_time", "exam_date"))
_END_OF_DAY = np.timedelta64(24 * 60 - 1, "m")
_BY_STATE = {
    times.MISSING: reasons.NO_TIME,
    times.AMBIGUOUS: reasons.AMBIGUOUS_TIME,
    times.UNREADABLE: reasons.UNREADABLE_TIME,
}


def read_outcomes(
    tables: Sequence[Table],
    file: str,
    study: Study,
    mapping: Mapping[str, str],
    day_first: bool | None,
    progress: Progress,
    source: str,
) -> Part:
    """The reference reports of a table of outcomes; rows that say nothing of the study are faults.

    An outcome without a time of day is of the end of its day, so that it follows what was examined on that day; of a
    reference that comes before, of the begin.

    Args:
        tables: of the file;  file, source: as of :func:`radcal.reports.rows.read_rows`
        mapping: fields to columns, those of OUTCOME_FIELDS among them; before those that the study names

    Raises:
        InputError: there is no column of the patient, the time, the finding or the outcome.
    """
    outcomes = study.outcomes
    assert outcomes is not None  # noqa: S101 - a contract
    table, header, layout = locate(tables, _NEED, WANTED, _named(outcomes, mapping), file)
    layout = _with_outcomes(table, header, layout, mapping, outcomes)
    if lacking := [of for of in needed_of_outcomes(outcomes)[len(_NEED) :] if of[0] not in layout]:
        raise InputError(
            "{file} has no column of the {of}. Say which one it is with --map {of}=COLUMN, or under "
            "[reference.outcomes.columns] in the study file. Its columns: {columns}.",
            file=file,
            of=lacking[0][0],
            columns=shown_columns(
                table.rows[header], [name for cell in table.rows[header] if (name := cell_text(cell))]
            ),
        )
    body, broken = table.body(header)
    faults = list(broken)
    ledger = Ledger.of_reading(len(body.rows) + len(faults))
    part = Part(layout, declared_frame(_COLUMNS, ()), faults, len(body.rows) + len(faults), ledger)
    part.notes.extend((*table.notes, *body.notes))
    for fault in broken:
        part.ledger.drop(BOTH, WHOLE, fault.reason.sentence, 1)
    columns = Columns(body, layout)
    said: list[str] = []
    moment = moments_of(columns, day_first, said, progress)
    part.notes.extend(note for note in said if not (isinstance(note, Text) and note.template == NO_CLOCK.template))
    accession, patient, finding, outcome = (columns.words(of) for of in ("accession", "patient_id", *OUTCOME_FIELDS))
    cells = columns.cells("report_time") or [""] * len(body.rows)
    entered = times.parse_times(cells, day_first=moment.order.day_first, progress=progress).time
    if "finding" not in layout:
        finding = [outcomes.only] * len(body.rows)
    of_report: dict[tuple[str, str, Any], list[int]] = {}
    for i, state in enumerate(moment.state.tolist()):
        if (why := _why_not(outcomes, patient[i], state, finding[i], outcome[i])) is not None:
            part.faults.append(body.fault(i, why, shown_number(accession[i])))
            continue
        time = moment.time[i]
        if study.direction != "before" and time == time.astype("datetime64[D]"):
            time = time + _END_OF_DAY
        of_report.setdefault((patient[i], accession[i], time), []).append(i)
    rejected = part.faults[len(broken) :]
    joined_rows = sum(map(len, of_report.values())) - len(of_report)
    part.ledger.drop(BOTH, MODALITY, Text("joined to another row of the same patient and time"), joined_rows)
    part.ledger.begin(Modality.CT, REPORTS, len(of_report) + len(rejected))
    for fault in rejected:
        part.ledger.drop(Modality.CT, USABLE, fault.reason.sentence, 1)
    first = [rows[0] for rows in of_report.values()]
    lines = ["\n".join(f"{finding[i]}{SAYS}{outcome[i]}" for i in rows) for rows in of_report.values()]
    numbers = [number or _made_number(who, when) for who, number, when in of_report]
    n = len(first)
    data: dict[str, Any] = {
        "report_id": [f"{Modality.CT}:{number}" for number in numbers],
        "modality": [str(Modality.CT)] * n,
        "accession": numbers,
        "patient_id": [who for who, _, _ in of_report],
        "exam_time": np.array([when for _, _, when in of_report], dtype="datetime64[ns]"),
        "status": ["final"] * n,
        "text": lines,
        "file": [body.file_of(i) for i in first],
        "row": [body.lines[i] for i in first],
        "age": [UNKNOWN_AGE] * n,
        "signer": [None] * n,
        "report_time": np.array([entered[rows].max() for rows in of_report.values()], dtype="datetime64[ns]"),
        "corrected": [False] * n,
        "source": [source] * n,
    }
    blank = {name: [0 if kind.startswith("int") else ""] * n for name, kind in _COLUMNS.items() if name not in data}
    frame = declared_frame(_COLUMNS, ({**data, **blank}[name] for name in _COLUMNS))
    people = people_of(body.of_rows(first), layout)
    return replace(part, reports=frame, dates=moment.order, people=people, units=body.unit_by_file, given=True)


_COLUMNS = {**REPORT_COLUMNS, **VERSION_COLUMNS}


def _why_not(outcomes: Outcomes, patient: str, state: int, finding: str, outcome: str) -> Reason | None:
    """Why a row says nothing of the study, None if it does."""
    if not patient:
        return reasons.NO_PATIENT
    if state in _BY_STATE:
        return _BY_STATE[state]
    if not outcomes.pathology(finding):
        return reasons.OTHER_FINDING
    return reasons.NO_OUTCOME if outcomes.is_yes(outcome) is None else None


def needed_of_outcomes(outcomes: Outcomes) -> tuple[tuple[str, ...], ...]:
    """Groups of fields of which a table of outcomes must have one each; of one finding, none names it."""
    return (*_NEED, *((of,) for of in OUTCOME_FIELDS if of == "outcome" or not outcomes.only))


def layout_of_outcomes(table: Table, header: int, mapping: Mapping[str, str], outcomes: Outcomes) -> Layout:
    """The columns of a table of outcomes, as far as they are mapped or recognised."""
    layout = layout_of(table, header, _named(outcomes, mapping), WANTED)
    return _with_outcomes(table, header, layout, mapping, outcomes)


def _named(outcomes: Outcomes, mapping: Mapping[str, str]) -> dict[str, str]:
    """The columns of WANTED that a user or the study names."""
    return {of: column for of, column in {**outcomes.columns, **mapping}.items() if of in WANTED}


def _with_outcomes(table: Table, header: int, layout: Layout, mapping: Mapping[str, str], outcomes: Outcomes) -> Layout:
    """The layout with the columns of finding and outcome: as they are mapped, or by their usual names."""
    names = [cell_text(cell) for cell in table.rows[header]]
    plain, named = [simplified(name) for name in names], {**outcomes.columns, **mapping}
    usual = word_lists("reading", "outcomes.toml", table="columns")
    positions = dict(layout.positions)
    for of in OUTCOME_FIELDS:
        wanted = [simplified(named[of])] if of in named else usual[of]
        free = [i for i in range(len(plain)) if i not in positions.values()]
        if (at := next((i for one in wanted for i in free if plain[i] == one), None)) is not None:
            positions[of] = at
    return replace(layout, positions=positions, names={of: names[at] for of, at in positions.items()})


def _made_number(patient: str, when: Any) -> str:
    """A number for a report that has none: the same for the same patient and time."""
    return hashlib.sha256(f"{patient}\0{when}".encode()).hexdigest()[:12]
