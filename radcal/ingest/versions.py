"""Several rows with one accession number: repeated rows, preliminary and final versions, addenda.

A final report supersedes a preliminary one, a corrected one a final one, and by report time the later of two of equal
rank the earlier.  An addendum that repeats its report replaces it; one that only adds to it is appended under the
heading ADDENDUM.  The joined report keeps the radiologists, the examination time and the row of the report itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from radcal.ingest.attrition import ADDENDUM, LATEST, REPEATED, UNIQUE, Ledger
from radcal.ingest.reasons import OTHER_PATIENT, OTHER_TEXT
from radcal.ingest.table import Fault
from radcal.text import Text

if TYPE_CHECKING:
    import pandas as pd

VERSION_COLUMNS: Mapping[str, str] = {
    "dictator": "str",
    "signer": "str: missing if the source has no column of signers",
    "addendum": "int",
    "report_time": "datetime64[ns]",
    "corrected": "bool",
    "source": "str: the content of the file that the row is in, '' if unknown",
}
"""Columns beside REPORT_COLUMNS that tell versions apart and name the radiologists."""
SUPERSEDED = Text("superseded by a later version")
READ_OTHERWISE = Text("its row was read again, otherwise")
"""Why a report drops out that is not in the latest reading of its file."""

_RISING = ("addendum", "preliminary", "", "final", "corrected")
_HEADING = re.compile(r"\s*addend(?:um|a)\b", re.IGNORECASE)
_NOTHING = -(2**63)


@dataclass(frozen=True, slots=True)
class _Version:
    index: int
    file: str
    row: int
    patient: str
    status: str
    corrected: bool
    addendum: int
    reported: int
    text: str
    dictator: str
    signer: str | None
    source: str
    held: bool

    @property
    def rank(self) -> tuple[int, int]:
        return (_RISING.index("corrected" if self.corrected else self.status), self.reported)

    @property
    def words(self) -> str:
        return " ".join(self.text.split())


def resolve(reports: pd.DataFrame, ledger: Ledger, n_held: int = 0) -> tuple[pd.DataFrame, list[Fault]]:
    """One row per report_id; dropped rows are entered in ``ledger``, contradictions are returned.

    Rows of one report_id that differ in text with none known to be the later, or that belong to two patients, are all
    rejected: any could be the wrong one.  If a file was read again, the last reading of each row counts.

    Args:
        reports: numbered from 0, in the order in which they were read
        ledger: continued
        n_held: the number of first reports that are held from earlier imports
    """
    import pandas as pd

    for modality in ("xray", "ct"):
        for step in (UNIQUE, REPEATED, LATEST, ADDENDUM):
            ledger.drop(modality, step)
    several = reports["report_id"].duplicated(keep=False).to_numpy()
    if not several.any():
        return reports, []
    subset = reports[several]
    reported = subset["report_time"].astype("int64").where(subset["report_time"].notna(), _NOTHING)
    signer = subset["signer"].astype(object).where(subset["signer"].notna(), None)
    fields = (
        subset.index, subset["file"], subset["row"], subset["patient_id"], subset["status"], subset["corrected"],
        subset["addendum"], reported, subset["text"], subset["dictator"], signer, subset["source"],
        subset.index < n_held,
    )  # fmt: skip
    groups: dict[str, list[_Version]] = {}
    # As lists, because iterating over a column of strings is slow.
    read = map(_Version, *(column.tolist() for column in fields))
    for report_id, version in zip(subset["report_id"].tolist(), read, strict=True):
        groups.setdefault(report_id, []).append(version)
    faults: list[Fault] = []
    kept: list[_Version] = []
    for report_id, versions in groups.items():
        result = _settle(versions, report_id.partition(":")[0], ledger, faults)
        if result is not None:
            kept.append(result)
    rest = reports[~several]
    index = [v.index for v in kept]
    chosen = subset.loc[index].assign(
        **{
            name: pd.Series([getattr(v, name) for v in kept], index=index, dtype="str")
            for name in ("text", "status", "dictator", "signer")
        }
    )
    return pd.concat([rest, chosen]).sort_index(), faults


def _settle(versions: list[_Version], modality: str, ledger: Ledger, faults: list[Fault]) -> _Version | None:
    now = _as_read_last(versions)
    ledger.drop(modality, LATEST, SUPERSEDED, len(versions) - len(now))
    versions = now
    if len({v.patient for v in versions}) > 1:
        faults += [Fault(v.file, v.row, OTHER_PATIENT) for v in versions]
        ledger.drop(modality, UNIQUE, OTHER_PATIENT.sentence, len(versions))
        return None
    distinct: dict[str, _Version] = {}
    for version in versions:
        same = distinct.get(version.words)
        distinct[version.words] = version if same is None else _merged(same, version)
    ledger.drop(modality, REPEATED, Text("the same text occurs again"), len(versions) - len(distinct))
    addenda = sorted(
        (v for v in distinct.values() if v.status == "addendum"), key=lambda v: (v.addendum, v.reported, v.index)
    )
    bases = sorted((v for v in distinct.values() if v.status != "addendum"), key=lambda v: v.rank)
    if not bases:
        base, addenda = addenda[0], addenda[1:]
    else:
        tied = [v for v in bases if v.rank == bases[-1].rank]
        if len(tied) > 1:
            faults += [Fault(v.file, v.row, OTHER_TEXT) for v in tied]
            ledger.drop(modality, UNIQUE, OTHER_TEXT.sentence, len(tied))
            rest = len(distinct) - len(tied)
            ledger.drop(modality, LATEST, Text("superseded by versions that contradict each other"), rest)
            return None
        base = bases[-1]
        ledger.drop(modality, LATEST, SUPERSEDED, len(bases) - 1)
    ledger.drop(modality, ADDENDUM, Text("an addendum, joined to its report"), len(addenda))
    # A final version may name only its signer, and the preliminary one the dictator.
    dictator = base.dictator or next((v.dictator for v in reversed(bases) if v.dictator), "")
    result = replace(base, dictator=dictator)
    for addendum in addenda:
        result = replace(result, text=_joined(base, result, addendum), status="addendum")
    return result


def _as_read_last(versions: list[_Version]) -> list[_Version]:
    """The versions without earlier readings of rows that now differ.

    A file that is read again, with another column of texts or patients, is no contradiction: its last reading counts.
    A report with joined addenda stays, under the patient of the row, if it contains the text of the row or if no
    addendum was read again.
    """
    versions = _without_former(versions)
    last = {(v.file, v.row): v for v in versions}
    if len(last) == len(versions):
        return versions
    added = any(v.status == "addendum" for v in last.values())
    held: list[_Version] = []
    for version in versions:
        final = last[version.file, version.row]
        if (version.words, version.patient) == (final.words, final.patient):
            held.append(version)
        elif version.status == "addendum" and (not added or final.words in version.words):
            held.append(replace(version, patient=final.patient))
    return held


def _without_former(versions: list[_Version]) -> list[_Version]:
    """The versions without earlier readings of files that were read again, in whichever row.

    A report with joined addenda stays, under the present patient, if the file now has no addendum or nothing that the
    report does not contain: its addenda may be from other files.
    """
    read: dict[str, list[_Version]] = {}
    for version in versions:
        if version.source and not version.held:
            read.setdefault(version.source, []).append(version)
    kept: list[_Version] = []
    for version in versions:
        now = read.get(version.source, []) if version.held else []
        if not now or any((v.words, v.patient) == (version.words, version.patient) for v in now):
            kept.append(version)
        elif version.status == "addendum" and (
            not any(v.status == "addendum" for v in now) or all(v.words in version.words for v in now)
        ):
            kept.append(replace(version, patient=now[0].patient))
    return kept


def _merged(one: _Version, other: _Version) -> _Version:
    # Of equal versions the later: reading a file again, with another column or order of dates, corrects it.
    best, less = (one, other) if _order(one) > _order(other) else (other, one)
    return replace(best, dictator=best.dictator or less.dictator, signer=best.signer or less.signer)


def _order(version: _Version) -> tuple[bool, tuple[int, int]]:
    return (version.status == "addendum", version.rank)


def _joined(base: _Version, report: _Version, addendum: _Version) -> str:
    if base.words in addendum.words:
        return addendum.text
    if addendum.words in report.words:
        return report.text
    heading = "" if _HEADING.match(addendum.text) else "ADDENDUM:\n"
    return f"{report.text.rstrip()}\n\n{heading}{addendum.text.strip()}"
