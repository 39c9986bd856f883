"""The reports behind a finding, and drafts against the wording that was signed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from difflib import SequenceMatcher
from itertools import groupby
from types import MappingProxyType
from typing import Any, Literal

from radcal.calibration.days import check_days, within
from radcal.findings.records import Finding
from radcal.findings.report_level import decide
from radcal.findings.to_review import to_findings
from radcal.reports.records import Modality, ReportVersion, Use
from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.quoting import is_person
from radcal.system.selection import ALL_DAYS, Days
from radcal.words.extraction_words import for_reading
from radcal.workspace.context import CURRENT, STUDY_UIDS, Context


@dataclass(frozen=True, slots=True)
class CaseReport:
    """One report of a case.

    accession: its number in the radiology system;  study_uid: that of its study, '' if unknown
    time: of the examination, local;  exam: as in the source, '' if none
    text: the whole report, '' where only its sentences are at hand
    findings: what the engine behind the results read in it, in order
    versions: all that the source has of it, in order, where that is more than one text
    shifted: dates within the text were shifted when it was de-identified
    """

    report_id: str
    accession: str
    time: datetime | None = None
    exam: str = ""
    author: str = ""
    text: str = ""
    findings: tuple[Finding, ...] = ()
    versions: tuple[ReportVersion, ...] = ()
    shifted: bool = False
    study_uid: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """A piece of two texts.  kind: 'removed', 'added', or '' where both have it"""

    kind: Literal["", "removed", "added"]
    text: str


@dataclass(frozen=True, slots=True)
class ChangedPhrase:
    """What a draft and the signed report say of a pathology, as phrases of the lexicon; '' for nothing."""

    pathology: str
    draft: str
    signed: str

    @property
    def changed(self) -> bool:
        """Whether they differ."""
        return self.draft != self.signed


@dataclass(frozen=True, slots=True)
class DraftAndSigned:
    """The preliminary text of a report against the signed one."""

    draft: ReportVersion
    signed: ReportVersion
    changes: tuple[Change, ...]
    phrases: tuple[ChangedPhrase, ...]


@dataclass(frozen=True, slots=True)
class OwnDrafts:
    """What became of one person's drafts that somebody else signed.

    compared: the day of each examination with its draft and signed report, the latest first
    days: date range of the examinations
    dated: whether the days of single examinations are printed
    """

    person: str
    compared: tuple[tuple[date, DraftAndSigned], ...]
    days: Days = ALL_DAYS
    dated: bool = True


@dataclass(frozen=True, slots=True)
class Case:
    """An X-ray report and the CT report that it was compared with."""

    xray: CaseReport
    ct: CaseReport
    draft: DraftAndSigned | None = None
    """Of the X-ray report, where the source has both texts."""


# --- A trainee's draft against the wording that was signed: word by word, and pathology by pathology

_WORDS = re.compile(r"\s+|\w+|[^\w\s]")


def changes(draft: str, signed: str) -> tuple[Change, ...]:
    """The texts as pieces that both have, that were removed, and that were added, in order.

    All but the added pieces make up the draft, all but the removed ones the signed text, except that of differing white
    space the signed one stands.
    """
    before, after = _WORDS.findall(draft), _WORDS.findall(signed)
    made: list[Change] = []
    # White space compares equal, so that other line breaks are no changes.
    said = [[" " if w.isspace() else w for w in words] for words in (before, after)]
    matcher = SequenceMatcher(None, said[0], said[1], autojunk=False)
    for what, i, j, k, m in matcher.get_opcodes():
        if what == "equal":
            made.append(Change("", "".join(after[k:m])))
            continue
        if removed := "".join(before[i:j]):
            made.append(Change("removed", removed))
        if added := "".join(after[k:m]):
            made.append(Change("added", added))
    return tuple(made)


def changed_phrases(draft: Iterable[Finding], signed: Iterable[Finding]) -> tuple[ChangedPhrase, ...]:
    """The phrase of each pathology in both texts, in the order of the signed text, changed or not.

    Args:
        draft, signed: one finding per pathology, as decided for the report
    """
    before, after = ({f.pathology: f for f in findings} for findings in (draft, signed))
    return tuple(
        ChangedPhrase(
            pathology,
            *(found[pathology].phrase if pathology in found else "" for found in (before, after)),
        )
        for pathology in dict.fromkeys([*after, *before])
    )


_SIGNED = ("final", "", "corrected")
"""What is compared with the draft, the first that there is."""
_Row = Mapping[Any, Any]


class Drafts:
    """Compares the last draft of an X-ray report with the report as it was first signed."""

    def __init__(self, context: Context) -> None:
        self._context, self._workspace = context, context.workspace

    def of_report(self, report_id: str) -> DraftAndSigned | None:
        """The draft of one report; None where the source has not both texts."""
        both = _both(self._workspace.versions([report_id]).to_dict("records"), self._context.names.known())
        return None if both is None else self._compared([both], SILENT)[0]

    def people(self) -> tuple[str, ...]:
        """Who dictated drafts that somebody else signed, by name."""
        return tuple(sorted(self._reports()))

    def of(self, person: str, days: Days = ALL_DAYS, progress: Progress = SILENT) -> OwnDrafts:
        """The drafts of a person that somebody else signed, of the examinations in the date range.

        Raises:
            InputError: there are none of that person at all, or an empty date range.
        """
        check_days(days)
        reports = self._reports()
        if person not in reports:
            apart = self._context.names.kept_apart  # whose pseudonyms nobody wrote into a file
            names = "; ".join(name for name in sorted(reports) if apart or is_person(name))
            raise InputError(
                "There are no drafts by {person!r} that somebody else signed. There are drafts by: {names}.",
                person=person,
                names=names or "-",
            )
        rows = self._workspace.versions(reports[person])
        rows = rows[within(rows["exam_time"], days)].sort_values("exam_time", ascending=False, kind="stable")
        found = [both for its in _by_report(rows.to_dict("records")) if (both := _both(its)) is not None]
        compared = self._compared(found, progress)
        dates = [draft["exam_time"].date() for (_, draft), _ in found]
        return OwnDrafts(self._context.names.name_of(person), tuple(zip(dates, compared, strict=True)), days)

    def _reports(self) -> dict[str, list[str]]:
        """The reports that each person drafted and somebody else signed, where the source names both."""
        from radcal.reports.authors import people

        found: dict[str, list[str]] = {}
        for rows in _by_report(self._workspace.versions(texts=False).to_dict("records")):
            if (both := _both(rows)) is None:
                continue
            (_, draft), (_, signed) = both
            signers = people(signed["signer"] if isinstance(signed["signer"], str) else "")
            for person in people(draft["dictator"] or signed["dictator"]) if signers else ():
                if person not in signers:
                    found.setdefault(person, []).append(draft["report_id"])
        return found

    def _compared(self, found: Sequence[_Both], progress: Progress) -> list[DraftAndSigned]:
        """The comparisons, with what the rules read in both texts; nothing is stored."""
        from radcal.findings.rules.engine import rules_engine
        from radcal.reports.sections import document
        from radcal.words.studies import laid_over

        study = laid_over(self._context.settings.changed(lexicon_dir=""))
        engine = rules_engine(lexicon=for_reading(self._context.lexicon), own=study)

        def read(text: str) -> list[Finding]:
            said = engine.extract([document("draft", text, Modality.XRAY)], SILENT)
            return decide(f for extraction in said for f in extraction.findings)

        made = []
        for (draft, _), (signed, _) in found:
            progress.raise_if_cancelled()
            said = changed_phrases(read(draft.text), read(signed.text))
            made.append(DraftAndSigned(draft, signed, changes(draft.text, signed.text), said))
        engine.forget()
        return made


_Piece = tuple[ReportVersion, _Row]
_Both = tuple[_Piece, _Piece]


def _by_report(rows: Sequence[_Row]) -> list[list[_Row]]:
    """The rows of each report; those of one report stand together."""
    return [list(its) for _, its in groupby(rows, key=lambda row: row["report_id"])]


def _both(rows: Sequence[_Row], names: Mapping[str, str] = MappingProxyType({})) -> _Both | None:
    """The last draft and the report as it was first signed, each with its row; None where one is missing."""
    every = [(version, row) for row in rows for version in pieces(row, names)]
    drafts = [piece for piece in every if piece[0].status == "preliminary"]
    signed = sorted((p for p in every if p[0].status in _SIGNED), key=lambda p: _SIGNED.index(p[0].status))
    return (drafts[-1], signed[0]) if drafts and signed else None


def pieces(row: Mapping[Any, Any], names: Mapping[str, str]) -> list[ReportVersion]:
    """The pieces of a row of a report; ``names`` are those of radiologists under pseudonyms, as far as known."""
    from radcal.reports.later_texts import unpacked

    signer = row["signer"] if isinstance(row["signer"], str) else ""
    named = ("; ".join(names.get(p, p) for p in cell.split("; ")) for cell in (row["dictator"], signer))
    people = " / ".join(dict.fromkeys(filter(None, named)))
    reported = None if row["report_time"] != row["report_time"] else row["report_time"].to_pydatetime()
    status = "corrected" if row["corrected"] else row["status"]
    spans = json.loads(row["uses"]) if row["uses"] else [(0, len(row["text"]), Use.SUPERSEDED)]
    inner = {part.start: part for part in unpacked(row["parts"])}
    made = []
    for start, end, use in spans:
        of, time = status, reported
        if (part := inner.get(start)) is not None:
            of = "addendum" if part.addendum else "" if status == "addendum" else status
            own = None if part.time is None else datetime(1970, 1, 1) + timedelta(seconds=part.time // 10**9)
            # The time of the row may be that of its last addendum.
            time = (own or reported) if part.addendum else None
        made.append(ReportVersion(of, time, people, row["text"][start:end].strip(), Use(use)))
    return made


_COLUMNS = ("report_id", "accession", "exam", "exam_time", "author", "text", "study_uid")


class Cases:
    """Reads both reports of a case; a personal file has no reports, and only says which they are."""

    def __init__(self, context: Context, run: Callable[[], int | None]) -> None:
        """``run``: the extraction run behind the results, None where there is none."""
        self._context, self._workspace = context, context.workspace
        self._drafts = Drafts(context)
        self._run = run

    def case(self, xray_id: str, ct_id: str) -> Case:
        """Both reports as they are in the workspace now, with what the engine behind the results read in them."""
        xray, ct = self.reports([xray_id, ct_id])
        return Case(xray, ct, self._drafts.of_report(xray_id))

    def reports(self, ids: Sequence[str]) -> tuple[CaseReport, ...]:
        """Reports in this order, as of :meth:`case`."""
        from radcal.reports.deidentify.spans import SHIFTED

        reports = self._workspace.reports(_COLUMNS, ids)
        for number in self._workspace.numbers_of(ids):
            self._context.note_once("opened a report", number=number)
        run = self._run() if len(reports) else None
        read = [] if run is None else to_findings(self._workspace.findings(run, ids))
        uids = self._workspace.load_result(STUDY_UIDS, CURRENT) or {}
        made = {i: CaseReport(i, i.partition(":")[2], study_uid=str(uids.get(i, ""))) for i in ids}
        names = self._context.names.known()
        for row in reports.to_dict("records"):
            report_id = row["report_id"]
            made[report_id] = CaseReport(
                report_id,
                row["accession"],
                row["exam_time"].to_pydatetime(),
                row["exam"],
                row["author"],
                row["text"],
                tuple(f for f in read if f.report_id == report_id),
                self._versions(report_id, names),
                SHIFTED in row["text"],
                row["study_uid"],
            )
        return tuple(made[i] for i in ids)

    def _versions(self, report_id: str, names: Mapping[str, str]) -> tuple[ReportVersion, ...]:
        rows = self._workspace.versions([report_id]).to_dict("records")
        return tuple(version for row in rows for version in pieces(row, names))
