"""The whole reports behind a finding, with all versions that the source has of the X-ray report."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from radcal.progress import SILENT
from radcal.records import Case, CaseReport, DraftAndSigned, Finding, Modality, ReportVersion, Use
from radcal.workflow.context import Context
from radcal.workflow.runs.review import to_findings

_COLUMNS = ("report_id", "accession", "exam", "exam_time", "author", "text")


class Cases:
    """Reads both reports of a case; a personal file has no reports, and only says which they are."""

    def __init__(self, context: Context, run: Callable[[], int | None]) -> None:
        """``run``: the extraction run behind the results, None where there is none."""
        self._context, self._workspace = context, context.workspace
        self._run = run

    def case(self, xray_id: str, ct_id: str) -> Case:
        """Both reports as they are in the workspace now, with what the engine behind the results read in them."""
        reports = self._workspace.reports(_COLUMNS, [xray_id, ct_id])
        run = self._run() if len(reports) else None
        read = [] if run is None else to_findings(self._workspace.findings(run, [xray_id, ct_id]))
        made = {i: CaseReport(i, i.partition(":")[2]) for i in (xray_id, ct_id)}
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
                self._versions(report_id),
            )
        return Case(made[xray_id], made[ct_id], self._draft(made[xray_id].versions))

    def _versions(self, report_id: str) -> tuple[ReportVersion, ...]:
        rows = self._workspace.versions([report_id]).to_dict("records")
        return tuple(version for row in rows for version in _pieces(row))

    def _draft(self, versions: Sequence[ReportVersion]) -> DraftAndSigned | None:
        """The last draft against the report as it was first signed."""
        from radcal.advise.draft_and_signed import changed_phrases, changes

        drafts = [v for v in versions if v.status == "preliminary"]
        signed = sorted((v for v in versions if v.status in _SIGNED), key=lambda v: _SIGNED.index(v.status))
        if not drafts or not signed:
            return None
        draft, final = drafts[-1], signed[0]
        said = changed_phrases(*self._read(draft.text, final.text))
        return DraftAndSigned(draft, final, changes(draft.text, final.text), said)

    def _read(self, *texts: str) -> list[list[Finding]]:
        """What the rules read in texts, one finding per pathology; nothing is stored."""
        from radcal.extract.report_level import decide
        from radcal.extract.rules import rules_engine
        from radcal.ingest.sections import document
        from radcal.lexicon.extraction_words import for_reading

        engine = rules_engine(lexicon=for_reading(self._context.lexicon))
        read: list[list[Finding]] = []
        for text in texts:
            said = engine.extract([document("draft", text, Modality.XRAY)], SILENT)
            read.append(decide(f for extraction in said for f in extraction.findings))
        engine.forget()
        return read


_SIGNED = ("final", "", "corrected")
"""What is compared with the draft, the first that there is."""


def _pieces(row: Mapping[Any, Any]) -> list[ReportVersion]:
    """The pieces of a row of a report."""
    from radcal.ingest.later_texts import unpacked

    signer = row["signer"] if isinstance(row["signer"], str) else ""
    people = " / ".join(dict.fromkeys(filter(None, (row["dictator"], signer))))
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
