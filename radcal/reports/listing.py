"""All reports of a workspace, and the rows that were left out, with what became of each."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from radcal.reports.reasons import unit_of
from radcal.reports.records import ListedReport, State
from radcal.reports.stored_pairs import why_left_out
from radcal.system.progress import SILENT, Progress
from radcal.system.text import EMPTY, Text, text_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from radcal.workspace.context import Context
    from radcal.workspace.records import ListedRow

_AT_ONCE = 2000
_SECOND = 10**9
NOT_PAIRED = Text("not paired yet")


class ReportList:
    """Lists reports without their texts, the latest examination first, then the rows left out."""

    def __init__(self, context: Context, run: Callable[[], int | None]) -> None:
        """``run``: the extraction run that says which reports are read, None where there is none."""
        self._context, self._workspace, self._run = context, context.workspace, run

    def all(self, progress: Progress = SILENT) -> tuple[ListedReport, ...]:
        """Every report and every row left out; read in pieces, between which others may use the workspace."""
        return tuple(sorted(self._all(progress), key=_latest_first))

    def _all(self, progress: Progress) -> Iterator[ListedReport]:
        for file, row, reason, remedy, accession, unit, _ in self._workspace.rejected().itertuples(index=False):
            said = (text_in(reason), text_in(remedy), file, int(row), unit_of(reason, unit))
            yield ListedReport(State.LEFT_OUT, "", "", accession, "", None, "", "", None, None, *said, 0)
        run, why, after = self._run(), why_left_out(self._workspace, self._context.settings, progress), 0
        while part := self._workspace.listed(run, after, _AT_ONCE):
            progress.raise_if_cancelled()
            yield from (_listed(row, why) for row in part)
            after = part[-1].seq


def _latest_first(report: ListedReport) -> tuple[bool, float]:
    return report.time is None, 0.0 if report.time is None else -report.time.replace(tzinfo=UTC).timestamp()


def _listed(row: ListedRow, left_out: Mapping[str, str]) -> ListedReport:
    why: str = EMPTY
    if not row.partner:
        state, why = State.LEFT_OUT, left_out.get(row.report_id, NOT_PAIRED)
    elif row.failure is None:
        state = State.WAITING
    elif row.failure:
        state, why = State.FAILED, text_in(row.failure)
    else:
        state = State.READ
    return ListedReport(
        state, row.report_id, row.modality, row.accession, row.exam,
        datetime.fromtimestamp(row.exam_time // _SECOND, UTC).replace(tzinfo=None),
        row.author, row.partner, row.gap_hours, None if row.failure is None else row.findings,
        why, EMPTY, row.file, row.row, "", row.suspects,
    )  # fmt: skip
