"""The whole reports behind a finding, with all versions that the source has of the X-ray report."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from radcal.findings.to_review import to_findings
from radcal.reliability.drafts import Drafts, pieces
from radcal.reliability.evidence import Case, CaseReport
from radcal.reports.records import ReportVersion
from radcal.workspace.context import Context

_COLUMNS = ("report_id", "accession", "exam", "exam_time", "author", "text")


class Cases:
    """Reads both reports of a case; a personal file has no reports, and only says which they are."""

    def __init__(self, context: Context, run: Callable[[], int | None]) -> None:
        """``run``: the extraction run behind the results, None where there is none."""
        self._context, self._workspace = context, context.workspace
        self._drafts = Drafts(context)
        self._run = run

    def case(self, xray_id: str, ct_id: str) -> Case:
        """Both reports as they are in the workspace now, with what the engine behind the results read in them."""
        from radcal.reports.deidentify.spans import SHIFTED

        reports = self._workspace.reports(_COLUMNS, [xray_id, ct_id])
        for number in self._workspace.numbers_of([xray_id, ct_id]):
            self._context.note_once("opened a report", number=number)
        run = self._run() if len(reports) else None
        read = [] if run is None else to_findings(self._workspace.findings(run, [xray_id, ct_id]))
        made = {i: CaseReport(i, i.partition(":")[2]) for i in (xray_id, ct_id)}
        names = self._context.names.known()
        for row in reports.to_dict("records"):
            report_id = row["report_id"]
            made[report_id] = CaseReport(
                report_id,
                row["accession"],
                row["exam_time"].to_pydatetime(),
                row["exam"],
                names.get(row["author"], row["author"]),
                row["text"],
                tuple(f for f in read if f.report_id == report_id),
                self._versions(report_id, names),
                SHIFTED in row["text"],
            )
        return Case(made[xray_id], made[ct_id], self._drafts.of_report(xray_id))

    def _versions(self, report_id: str, names: Mapping[str, str]) -> tuple[ReportVersion, ...]:
        rows = self._workspace.versions([report_id]).to_dict("records")
        return tuple(version for row in rows for version in pieces(row, names))
