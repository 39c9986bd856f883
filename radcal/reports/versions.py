"""Several rows with one accession number: repeated rows, preliminary and final versions, addenda.

A final report supersedes a preliminary one, a corrected one a final one, and by report time the later of two of equal
rank the earlier.  An addendum that repeats its report replaces it; one that only adds to it is appended under the
heading ADDENDUM.  The joined report keeps the radiologists, the examination time and the row of the report itself.

The rows are kept beside the joined report: which of them was written before the CT is known only once the CTs are, see
:mod:`radcal.reports.before_ct`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from radcal.reports.attrition import ADDENDUM, LATEST, REPEATED, UNIQUE, Ledger
from radcal.reports.reasons import OTHER_PATIENT, OTHER_TEXT
from radcal.reports.table import Fault
from radcal.system.text import Text
from radcal.workspace.columns import ROLE

if TYPE_CHECKING:
    import pandas as pd

    from radcal.reports.records import Import

SUPERSEDED = Text("superseded by a later version")
JOINED = Text("an addendum, joined to its report")
_REPEATED = Text("the same text occurs again")
READ_OTHERWISE = Text("its row was read again, otherwise")
"""Why a report drops out that is not in the latest reading of its file."""

_RISING = ("addendum", "preliminary", "", "final", "corrected")
_HEADING = re.compile(r"[\W_]*(?:addend(?:um|a)\b|nachtrag\b|ergänzung zum befund\b)", re.IGNORECASE)
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
    parts: str
    study_uid: str

    @property
    def rank(self) -> tuple[int, int]:
        return (_RISING.index("corrected" if self.corrected else self.status), self.reported)

    @property
    def words(self) -> str:
        return " ".join(self.text.split())


@dataclass(frozen=True, eq=False)
class Resolved:
    """One row per report_id, and what it was made of.

    versions: all rows of the reports that have several, or addenda within their text, with ROLE
    faults: contradictions
    """

    reports: pd.DataFrame
    versions: pd.DataFrame
    faults: list[Fault]


def rows_of(imported: Import, ledger: Ledger | None = None) -> pd.DataFrame:
    """The rows that an import was made of; those that ``ledger`` counts as dropped are taken back into it."""
    import pandas as pd

    reports, versions = imported.reports, imported.versions
    if versions is None or versions.empty:
        return reports
    if ledger is not None:
        for modality, role in zip(versions["modality"].tolist(), versions[ROLE].tolist(), strict=True):
            if role in _DROPPED:
                ledger.drop(modality, *_DROPPED[role], -1)
    rest = reports[~reports["report_id"].isin(versions["report_id"])]
    rows = pd.concat([rest, versions[[c for c in versions.columns if c != ROLE]]], ignore_index=True)
    place = {report_id: k for k, report_id in enumerate(reports["report_id"].tolist())}
    order = sorted(range(len(rows)), key=[place[i] for i in rows["report_id"].tolist()].__getitem__)
    return rows.iloc[order].reset_index(drop=True)


_DROPPED = {
    "repeated": (REPEATED, _REPEATED),
    "superseded": (LATEST, SUPERSEDED),
    "addendum": (ADDENDUM, JOINED),
}


def resolve(reports: pd.DataFrame, ledger: Ledger, n_held: int = 0) -> Resolved:
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
    # An addendum within a text matters as soon as the report is asked how it stood before the CT.
    several = (reports["report_id"].duplicated(keep=False) | (reports["parts"] != "")).to_numpy(dtype=bool)
    if not several.any():
        return Resolved(reports, reports.iloc[:0].assign(**{ROLE: pd.Series(dtype="str")}), [])
    subset = reports[several]
    reported = subset["report_time"].astype("int64").where(subset["report_time"].notna(), _NOTHING)
    signer = subset["signer"].astype(object).where(subset["signer"].notna(), None)
    fields = (
        subset.index, subset["file"], subset["row"], subset["patient_id"], subset["status"], subset["corrected"],
        subset["addendum"], reported, subset["text"], subset["dictator"], signer, subset["source"],
        subset.index < n_held, subset["parts"], subset["study_uid"],
    )  # fmt: skip
    groups: dict[str, list[_Version]] = {}
    # As lists, because iterating over a column of strings is slow.
    read = map(_Version, *(column.tolist() for column in fields))
    for report_id, version in zip(subset["report_id"].tolist(), read, strict=True):
        groups.setdefault(report_id, []).append(version)
    faults: list[Fault] = []
    kept: list[_Version] = []
    rows: list[tuple[_Version, str]] = []
    for report_id, versions in groups.items():
        result, its = _settle(versions, report_id.partition(":")[0], ledger, faults)
        if result is not None:
            kept.append(result)
            rows += its
    index = [v.index for v in kept]
    chosen = subset.loc[index].assign(
        **{
            name: pd.Series([getattr(v, name) for v in kept], index=index, dtype="str")
            for name in ("text", "status", "dictator", "signer", "study_uid")
        }
    )
    rows.sort(key=lambda row: row[0].index)
    places = [v.index for v, _ in rows]
    found = subset.loc[places].assign(
        **{
            name: pd.Series([getattr(v, field) for v, _ in rows], index=places, dtype="str")
            for name, field in (("patient_id", "patient"), ("dictator", "dictator"), ("signer", "signer"))
        },
        **{ROLE: pd.Series([role for _, role in rows], index=places, dtype="str")},
    )
    return Resolved(pd.concat([reports[~several], chosen]).sort_index(), found, faults)


def _settle(
    versions: list[_Version], modality: str, ledger: Ledger, faults: list[Fault]
) -> tuple[_Version | None, list[tuple[_Version, str]]]:
    """The report made of its versions, None if they contradict each other, and their roles."""
    now = _as_read_last(versions)
    said = {v.words for v in now}
    again = sum(v.words in said for v in versions) - len(now)
    ledger.drop(modality, REPEATED, _REPEATED, again)
    ledger.drop(modality, LATEST, SUPERSEDED, len(versions) - len(now) - again)
    versions = now
    if len({v.patient for v in versions}) > 1:
        faults += [Fault(v.file, v.row, OTHER_PATIENT) for v in versions]
        ledger.drop(modality, UNIQUE, OTHER_PATIENT.sentence, len(versions))
        return None, []
    distinct: dict[str, _Version] = {}
    for version in versions:
        same = distinct.get(version.words)
        distinct[version.words] = version if same is None else _merged(same, version)
    ledger.drop(modality, REPEATED, _REPEATED, len(versions) - len(distinct))
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
            return None, []
        base = bases[-1]
        ledger.drop(modality, LATEST, SUPERSEDED, len(bases) - 1)
    ledger.drop(modality, ADDENDUM, JOINED, len(addenda))
    # A final version may name only its signer, and the preliminary one the dictator.
    dictator = base.dictator or next((v.dictator for v in reversed(bases) if v.dictator), "")
    study_uid = base.study_uid or next((v.study_uid for v in reversed(versions) if v.study_uid), "")
    result = replace(base, dictator=dictator, study_uid=study_uid)
    for addendum in addenda:
        result = replace(result, text=joined_text(base.text, result.text, addendum.text), status="addendum")
    roles = {v.index: "superseded" for v in bases} | {v.index: "addendum" for v in addenda} | {base.index: "base"}
    rows = _worth_keeping(versions, roles, modality)
    return result, rows if len(rows) > 1 or base.parts else []


def _worth_keeping(versions: list[_Version], roles: dict[int, str], modality: str) -> list[tuple[_Version, str]]:
    """The versions with their roles, without rows that repeat another in everything."""
    if modality != "xray":  # of a CT the last word counts, whenever it was written
        return []
    rows = [(v, roles.get(v.index, "repeated")) for v in versions]
    told = {_facts(v) for v, role in rows if role != "repeated"}
    kept = []
    for version, role in rows:
        if role == "repeated":
            if _facts(version) in told:
                continue
            told.add(_facts(version))
        kept.append((version, role))
    return kept


def _facts(version: _Version) -> tuple[object, ...]:
    return version.words, version.rank, version.addendum, version.dictator, version.signer


def _as_read_last(versions: list[_Version]) -> list[_Version]:
    """The versions without those held from an earlier reading of a file, or of a row, that was read again.

    That is no contradiction: the last reading counts.  A report with joined addenda stays, under the patient of the
    present reading, if that has no addendum or nothing that the report does not contain: its addenda may be from other
    files.
    """
    read = [v for v in versions if not v.held]
    added = any(v.status == "addendum" for v in read)
    held = []
    for version in (v for v in versions if v.held):
        again = [v for v in read if v.source and v.source == version.source]
        again = again or [v for v in read if (v.file, v.row) == (version.file, version.row)]
        if not again:
            held.append(version)
        elif version.status == "addendum" and (not added or all(v.words in version.words for v in again)):
            held.append(replace(version, patient=again[0].patient))
    return [*held, *read]


def _merged(one: _Version, other: _Version) -> _Version:
    # Of equal versions the later: reading a file again, with another column or order of dates, corrects it.
    best, less = (one, other) if _order(one) > _order(other) else (other, one)
    return replace(best, dictator=best.dictator or less.dictator, signer=best.signer or less.signer)


def _order(version: _Version) -> tuple[bool, tuple[int, int]]:
    return (version.status == "addendum", version.rank)


def joined_text(base: str, report: str, addendum: str) -> str:
    """The report with one more addendum; ``report`` is the base with those before."""
    said = " ".join(addendum.split())
    if " ".join(base.split()) in said:
        return addendum
    if said in " ".join(report.split()):
        return report
    heading = "" if _HEADING.match(addendum) else "ADDENDUM:\n"
    return f"{report.rstrip()}\n\n{heading}{addendum.strip()}"
