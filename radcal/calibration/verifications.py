"""What was said in a department's X-ray reports, with and without a CT: counted in its workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radcal.calibration.days import within
from radcal.calibration.records import Said, Verification
from radcal.calibration.verified import CELL, REPORTS, is_known, told_of, verifications
from radcal.findings.report_level import decide_table
from radcal.system.errors import DataError
from radcal.system.progress import SILENT, Progress
from radcal.system.selection import ALL_DAYS
from radcal.workspace.context import ANALYSED_FILES, UNPAIRED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    import pandas as pd

    from radcal.calibration.group_results import GroupResults
    from radcal.calibration.stored_analysis import StoredAnalysis
    from radcal.findings.runs import Runs
    from radcal.system.selection import Days, Selection
    from radcal.workspace.context import Context

_AT_ONCE = 10_000
"""Reports in memory at a time."""


def strata_of(exams: pd.DataFrame) -> pd.Series[str]:
    """Of X-rays (columns site and exam), where and how each was taken, as far as that is known."""
    from radcal.reports.exams import projection

    how = {name: projection(name) for name in exams["exam"].unique()}
    return exams["site"] + "|" + exams["exam"].map(how)


def statements_of_xrays(
    context: Context,
    run: int,
    progress: Progress = SILENT,
    *,
    authors: Collection[str] | None = None,
    days: Days = ALL_DAYS,
    partly: bool = False,
) -> Said:
    """What was said in the X-ray reports of these authors, with or without a CT, that the run has read.

    Args:
        authors: None for all.
        days: on which the X-rays were made.
        partly: also of authors of whose reports too many are unread, or all have a CT.
    """
    import pandas as pd

    workspace = context.workspace
    reports = pd.DataFrame(0, index=pd.Index([], dtype="str"), columns=REPORTS)
    for part in xray_reports(context, progress, authors):
        own = part[within(part["exam_time"], days)]
        own = own.assign(all=1, unread=~own["report_id"].isin(workspace.read_by(run, list(own["report_id"]))))
        reports = reports.add(own.groupby("author")[REPORTS].sum(), fill_value=0)
    known = (
        reports.index if partly else reports.index[[is_known(*own) for own in reports[REPORTS].itertuples(index=False)]]
    )
    made = [pd.DataFrame({c: pd.Series(dtype="str") for c in CELL} | {"n": pd.Series(dtype="int64")})]
    for part in xray_reports(context, progress, set(known)) if len(known) else ():
        own = part[within(part["exam_time"], days)].set_index("report_id")
        ids = list(workspace.read_by(run, list(own.index)))
        said = decide_table(workspace.findings(run, ids, ("report_id", "pathology", "phrase", "section", "start")))
        cells = own.loc[said["report_id"], ["author", "stratum"]].reset_index(drop=True)
        cells = cells.assign(topic=said["pathology"].to_numpy(), phrase=said["phrase"].to_numpy())
        made.append(cells.groupby(CELL).size().rename("n").reset_index())
    counts = pd.concat(made, ignore_index=True).groupby(CELL)["n"].sum().reset_index()
    return Said(reports.loc[known], counts)


def xray_reports(
    context: Context, progress: Progress = SILENT, authors: Collection[str] | None = None
) -> Iterator[pd.DataFrame]:
    """X-ray reports of these authors, or with any, some at a time: report_id, author, exam_time, stratum, paired."""
    from radcal.reports.authors import attributed

    workspace, rule = context.workspace, context.settings.trainee_rule
    columns = (
        "report_id", "modality", "exam_time", "exam", "site", "author", "author_rule", "status", "dictator", "signer",
    )  # fmt: skip
    for part in workspace.reports_in_parts(columns, _AT_ONCE):
        progress.raise_if_cancelled()
        own = attributed(part[part["modality"] == "xray"], rule)
        own = own[own["author"] != "" if authors is None else own["author"].isin(authors)]
        paired = own["report_id"].isin(workspace.xrays_of_pairs(own["report_id"]))
        yield own[["report_id", "author", "exam_time"]].assign(stratum=strata_of(own), paired=paired)


class Verifications:
    """The share of statements that a CT decided on; needs the reports and the runs of a department."""

    def __init__(self, context: Context, stored: StoredAnalysis, groups: GroupResults, runs: Runs) -> None:
        self._context = context
        self._stored = stored
        self._groups = groups
        self._runs = runs

    def of(self, selection: Selection, progress: Progress = SILENT) -> Verification:
        """The share of the author's statements on the topic that a CT decided on, with weighted rates and bounds.

        Counts all X-ray reports attributed to the author in the date range, with or without a CT, that were read by
        the engine behind the analysis, until now.  Verdicts are those of the analysis.

        Raises:
            DataError: there is no analysis yet, or the group has no statements at all.
        """
        context, days = self._context, selection.days
        parts = self._groups.parts(selection, progress)
        authors = {p.author for p in parts}
        said = statements_of_xrays(context, self._runs.on_show(), progress, authors=authors, days=days, partly=True)
        judged = self._groups.evidence(selection, (), progress)
        judged = judged[judged["entered"]].assign(n=1)
        progress.raise_if_cancelled()
        exams = context.workspace.reports(("report_id", "exam", "site"), judged["xray_id"].unique())
        judged["stratum"] = judged["xray_id"].map(strata_of(exams.set_index("report_id")))
        phrases, confidence = self._stored.phrases, context.settings.confidence
        made = verifications(said, judged, phrases, confidence).get((selection.author, selection.topic))
        if made is not None:
            own = self._groups.reliability(selection, progress)
            shut = {rate.phrase for rate in own.verification.rates if rate.closed} if own.verification else ()
            return told_of(made, own.phrases, shut)
        reports = said.reports.sum()
        return Verification(selection.author, selection.topic, (), None, None, *(int(reports[c]) for c in REPORTS))

    def read_unpaired(self, progress: Progress = SILENT) -> int:
        """Extract the X-ray reports without a CT, now and from now on; returns their number.

        Results then want to be made anew.  A stop loses nothing; the same call resumes.

        Raises:
            DataError: nothing was imported, or the current results are of another run than that of the engine in the
                settings.
            InputError, EngineError: the engine cannot be used, or failed.
        """
        if not self._context.workspace.has_reports(by_rows=True):
            raise DataError("There are no reports yet. Import report files first.")
        shown = self._runs.shown()
        if shown is not None and shown != self._runs.own():
            raise DataError(
                "The results on show were read by another engine than the one in the settings, so that what this one "
                "reads would not count with them. Show the results of the engine in the settings, or choose there the "
                "engine that read the results on show."
            )
        self.want_unpaired()
        return self._read_unpaired(progress)

    def want_unpaired(self) -> None:
        """Have the X-ray reports without a CT read from the next reading on."""
        self._context.workspace.set_meta(UNPAIRED, "read")

    def go_on(self, progress: Progress = SILENT) -> None:
        """Extract the X-ray reports without a CT that are new, or to be read anew, where they are wanted.

        Raises:
            InputError, EngineError, Cancelled: as :meth:`read_unpaired`.
        """
        if self._context.workspace.get_meta(UNPAIRED):
            self._read_unpaired(progress)

    def _read_unpaired(self, progress: Progress) -> int:
        parts = xray_reports(self._context, progress, None)
        ids = [report for part in parts for report in part.loc[~part["paired"], "report_id"]]
        self._runs.read_reports(ids, progress)
        self._context.workspace.set_meta(ANALYSED_FILES, "before reports without a CT")
        return len(ids)
