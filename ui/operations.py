"""What runs in the worker: the steps of radcal.workflow, and their results made into records to be shown.

Nothing here knows Qt.  Each function takes immutable input and a Progress; tables are turned into plain
values here, so that the GUI thread never touches a DataFrame.
"""

from __future__ import annotations

import contextlib
import importlib
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal.errors import DataError
from radcal.progress import Progress
from ui.records import Evidence, EvidenceRow, Group, GroupView, Imported, Opened, PlanOfImport, Rejected, Step

if TYPE_CHECKING:
    import pandas as pd

    from ui.facade import Department, Workflow

_NOT_MENTIONED = "not mentioned on X-ray, found on CT"
_CHECK_EVERY = 200
"""Rows between two looks at whether the user asked to stop."""

LoadWorkflow = Callable[[], "Workflow"]


def radcal_workflow() -> Workflow:
    """RadCal's own workflow, imported when first needed."""
    from radcal import workflow

    # The module has the functions that the protocol asks for.
    return workflow


def warm_up(_progress: Progress) -> None:
    """Import the plotting library here, so that the window does not stand still for it."""
    importlib.import_module("pyqtgraph")


def open_workspace(load: LoadWorkflow, path: Path, passphrase: str, progress: Progress) -> Opened:
    """Open a workspace and analyse it, or reload its analysis."""
    progress.start(None, "Opening the workspace")
    department = load().open_department(path, passphrase)
    with _closed_on_error(department):
        return _analysed(department, progress)


def open_sample(load: LoadWorkflow, progress: Progress) -> Opened:
    """Open the shipped sample and analyse it."""
    progress.start(None, "Opening the sample")
    department = load().sample_department(progress)
    with _closed_on_error(department):
        return replace(_analysed(department, progress), sample=True)


def create_workspace(load: LoadWorkflow, plan: PlanOfImport, progress: Progress) -> Opened:
    """Make a workspace, import the files into it, and analyse it.

    A stop after the workspace was made leaves it there with what was committed; ``plan.resume`` goes on from there.
    """
    if plan.workspace is None:
        raise ValueError("a new workspace needs a place")
    progress.start(None, "Making the workspace")
    department = load().open_department(plan.workspace, plan.passphrase, create=not plan.resume)
    with _closed_on_error(department):
        return import_files(department, plan, progress)


def import_files(department: Department, plan: PlanOfImport, progress: Progress) -> Opened:
    """Import further files into an open department, pair, extract and analyse."""
    progress.start(None, "Reading the report files")
    read = department.import_files(plan.reports, plan.xray, plan.ct, progress=progress)
    progress.start(None, "Pairing X-ray with CT reports")
    pairing = department.pair()
    summary = department.extract(progress=progress)
    imported = Imported(
        rows_read=int(read.rows_read),
        n_pairs=len(pairing.pairs),
        rejected=_rejected(read.rejected),
        notes=read.notes,
        n_reports=summary.n_reports,
        n_failed=summary.n_failed,
        unknown_phrases=summary.unknown_phrases,
    )
    return replace(_analysed(department, progress, anew=True), imported=imported)


def evidence(department: Department, group: Group, phrase: str, progress: Progress) -> Evidence:
    """The findings behind a phrase, newest first."""
    table = department.evidence(group.author, group.topic, phrase)
    rows: list[EvidenceRow] = []
    for i, r in enumerate(_rows(table)):
        if i % _CHECK_EVERY == 0:
            progress.raise_if_cancelled()
        time = r["xray_time"]
        rows.append(
            EvidenceRow(
                phrase=str(r["phrase"]),
                verbatim=str(r["verbatim"]),
                xray_id=str(r["xray_id"]),
                ct_id=str(r["ct_id"]),
                time=time.to_pydatetime() if time is not None and time == time else None,
                xray_sentence=str(r["xray_sentence"]),
                cue_start=int(r["xray_cue_start"]),
                cue_end=int(r["xray_cue_end"]),
                ct_sentence=str(r["ct_sentence"]),
                ct_pathology=str(r["ct_pathology"]),
                outcome=float(r["outcome"]),
            )
        )
    rows.sort(key=lambda row: (row.time is not None, row.time, row.xray_id), reverse=True)
    return Evidence(group, phrase, tuple(rows))


def save_feedback(department: Department, author: str, out: Path, paper: str, progress: Progress) -> Path:
    """Write the author's pages as a PDF."""
    progress.start(None, "Writing the page")
    return department.write_feedback(author, out, paper=paper, progress=progress)


def _analysed(department: Department, progress: Progress, *, anew: bool = False) -> Opened:
    settings = department.settings
    rejected = _rejected(department.rejected())
    attrition = tuple(
        Step(str(r["step"]), str(r["modality"]), int(r["kept"]), int(r["dropped"]), str(r["reason"]))
        for r in _rows(department.attrition())
    )
    try:
        analysis = None if anew else department.analysis()
        if analysis is None:
            analysis = department.analyse(progress=progress)
    except DataError as error:
        return Opened(
            department, department.title, department.path, {}, department.phrases(),
            settings.min_phrase_n, settings.min_group_n, rejected=rejected, attrition=attrition, reason=str(error),
        )  # fmt: skip
    made = analysis.provenance
    advices = {Group(a.author, a.topic): a for a in analysis.advices}
    groups = {
        (group := Group(r.author, r.topic)): GroupView(r, advices.get(group)) for r in analysis.reliabilities if r.n > 0
    }
    return Opened(
        department=department,
        title=department.title,
        path=department.path,
        groups=groups,
        phrases=department.phrases(),
        min_phrase_n=settings.min_phrase_n,
        min_group_n=settings.min_group_n,
        engine=made.engine,
        engine_accuracy=made.extraction_accuracy,
        exams={p.author: (p.first_exam, p.last_exam) for p in analysis.pairs},
        n_pairs=made.n_pairs,
        rejected=rejected,
        attrition=attrition,
        not_mentioned={Group(author, topic): n for author, topic, what, n in analysis.counts if what == _NOT_MENTIONED},
    )


@contextlib.contextmanager
def _closed_on_error(department: Department) -> Any:
    """Release the workspace's lock if what follows fails or is stopped."""
    try:
        yield
    except BaseException:
        department.close()
        raise


def _rejected(table: pd.DataFrame) -> tuple[Rejected, ...]:
    return tuple(Rejected(str(r["file"]), int(r["row"]), str(r["reason"]), str(r["remedy"])) for r in _rows(table))


def _rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    return [dict(zip(map(str, table.columns), row, strict=True)) for row in table.itertuples(index=False, name=None)]


def is_confirmed(outcome: float) -> bool:
    """Whether CT is taken to have confirmed a finding: certain, or more likely than not."""
    return not math.isnan(outcome) and outcome >= 0.5
