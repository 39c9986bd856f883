"""What runs in the worker: the steps of radcal.workflow, and their results made into records to be shown.

Nothing here knows Qt.  Each function takes immutable input and a Progress; tables are turned into plain
values here, so that the GUI thread never touches a DataFrame.
"""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal.errors import DataError
from radcal.progress import Progress
from ui.records import BOTH, CT, XRAY, ChosenFile, GroupView, Imported, Opened, PlanOfImport, Rejected, Step

if TYPE_CHECKING:
    import pandas as pd

    from radcal.records import Analysis, Backup, Contents, Days, ExtractionSummary, Import, Sheet
    from radcal.workflow.imports.importing import ReportFile
    from radcal.workflow.imports.preview import Preview
    from ui.facade import Department, Workflow

LoadWorkflow = Callable[[], "Workflow"]


def radcal_workflow() -> Workflow:
    """RadCal's own workflow, imported when first needed."""
    from radcal import workflow

    # The module has the functions that the protocol asks for.
    return workflow


def warm_up(_progress: Progress) -> None:
    """Import the plotting library here, so that the window does not stand still for it."""
    importlib.import_module("pyqtgraph")


def look(load: LoadWorkflow, path: Path, progress: Progress) -> Preview:
    """The columns and first rows of a report file."""
    return load().preview_file(path, progress=progress)


def still_there(paths: Sequence[Path], _progress: Progress) -> frozenset[Path]:
    """Those of the files that are there; asked here, because a network drive may keep one waiting."""
    there = set()
    for path in paths:
        with contextlib.suppress(OSError):
            if path.is_file():
                there.add(path)
    return frozenset(there)


def find_backups(load: LoadWorkflow, path: Path, folders: Sequence[Path], _progress: Progress) -> list[Backup]:
    """The files that hold an earlier state of a workspace."""
    return load().backups_of(path, folders)


def look_into(load: LoadWorkflow, backup: Path, passphrase: str, progress: Progress) -> Contents:
    """What a backup holds, once it was read to its last page."""
    return load().look_into(backup, passphrase, progress)


def restore(
    load: LoadWorkflow, path: Path, backup: Path, passphrase: str, close: Callable[[], None], progress: Progress
) -> Opened:
    """Put a backup in a workspace's place and open it; ``close`` closes the workspace where it is open here."""
    workflow = load()
    workflow.look_into(backup, passphrase, progress)  # refuses while nothing is closed yet
    close()
    restored = workflow.restore(backup, path, passphrase, progress)
    return replace(open_workspace(load, path, passphrase, False, progress), restored=restored)


def open_workspace(load: LoadWorkflow, path: Path, passphrase: str, read_only: bool, progress: Progress) -> Opened:
    """Open a workspace and reload its analysis; where a run was stopped, go on from there."""
    progress.start(None, "Opening the workspace")
    department = load().open_department(path, passphrase, read_only=read_only)
    with _closed_on_error(department):
        return _shown(department, partial(_finished, department, progress))


def open_sample(load: LoadWorkflow, progress: Progress) -> Opened:
    """Open the shipped sample and analyse it."""
    progress.start(None, "Opening the sample")
    department = load().sample_department(progress)
    with _closed_on_error(department):
        opened = _shown(department, partial(_finished, department, progress))
        return replace(opened, sample=True, copied=None)


def create_workspace(load: LoadWorkflow, plan: PlanOfImport, progress: Progress) -> Opened:
    """Make a workspace, import the files into it, and analyse it.

    A stop after the workspace was made leaves it there with what was committed; ``plan.resume`` goes on from there.
    """
    if plan.workspace is None:
        raise ValueError("a new workspace needs a place")
    progress.start(None, "Making the workspace")
    department = load().open_department(plan.workspace, plan.passphrase, create=not plan.resume)
    with _closed_on_error(department):
        try:
            read = _imported(department, plan, progress)
        except BaseException:
            if not plan.resume:
                # Nothing is in it yet, and the same name is wanted when the user tries again.
                department.close()
                plan.workspace.unlink(missing_ok=True)
            raise
        return _gone_on(department, read, progress)


def import_files(department: Department, plan: PlanOfImport, progress: Progress) -> Opened:
    """Import further files into an open department, pair, extract and analyse."""
    return _gone_on(department, _imported(department, plan, progress), progress)


def reload(opened: Opened, progress: Progress) -> Opened:
    """Analyse an open department again; what was read before is not read again."""
    department = opened.department
    if department.read_only:
        shown = _shown(department, partial(_finished, department, progress))
    else:
        _read(department, progress)
        shown = _shown(department, partial(department.analyse, progress=progress))
    return replace(shown, sample=opened.sample, fresh=False)


def _imported(department: Department, plan: PlanOfImport, progress: Progress) -> Import:
    progress.start(None, "Reading the report files")
    return department.import_reports(report_files(plan.files), progress=progress)


def _gone_on(department: Department, read: Import, progress: Progress) -> Opened:
    n_pairs, summary = _read(department, progress)
    imported = Imported(
        rows_read=read.rows_read,
        n_pairs=n_pairs,
        rejected=_rejected(read.rejected),
        notes=read.notes,
        n_reports=summary.n_reports,
        n_failed=summary.n_failed,
        unknown_phrases=summary.unknown_phrases,
    )
    return replace(_shown(department, lambda: department.analyse(progress=progress)), imported=imported)


def report_files(files: Sequence[ChosenFile]) -> list[ReportFile]:
    """The files as the workflow takes them."""
    from radcal.records import Modality
    from radcal.workflow.imports.importing import ReportFile

    modality = {BOTH: None, XRAY: Modality.XRAY, CT: Modality.CT}
    return [ReportFile(f.path, modality[f.holds], f.mapping, f.day_first, f.replaces) for f in files]


def _finished(department: Department, progress: Progress) -> Analysis:
    """The analysis of all that was imported.  Steps that a stopped run left undone are done first."""
    stored = department.analysis() if department.read_only or department.up_to_date else None
    if stored is not None:
        return stored
    if department.read_only:
        raise DataError(
            "This workspace has no analysis yet, and none can be made while it is open to read only. "
            "Close it in the other RadCal, then open it here again."
        )
    _read(department, progress)
    return department.analyse(progress=progress)


def _read(department: Department, progress: Progress) -> tuple[int, ExtractionSummary]:
    """Pair the reports and extract the findings that are still to be extracted; how many pairs, and what came of it."""
    progress.start(None, "Pairing X-ray with CT reports")
    pairing = department.pair(progress)
    return len(pairing.pairs), department.extract(progress=progress)


def save_feedback(department: Department, author: str, out: Path, days: Days, sheet: Sheet, progress: Progress) -> Path:
    """Write the author's pages of these days as a PDF."""
    progress.start(None, "Writing the page")
    return department.write_feedback(author, out, days=days, sheet=sheet, progress=progress)


def _shown(department: Department, analyse: Callable[[], Analysis]) -> Opened:
    """The department with its analysis; without, and with the reason, where the data give none."""
    settings = department.settings
    reason = ""
    try:
        analysis: Analysis | None = analyse()
    except DataError as error:
        analysis, reason = None, str(error)
    opened = Opened(
        department=department,
        title=department.title,
        path=department.path,
        groups={},
        phrases=department.phrases(),
        min_phrase_n=settings.min_phrase_n,
        min_group_n=settings.min_group_n,
        rejected=_rejected(department.rejected()),
        attrition=tuple(
            Step(str(r["step"]), str(r["modality"]), int(r["kept"]), int(r["dropped"]), str(r["reason"]))
            for r in _rows(department.attrition())
        ),
        reason=reason,
        read_only=department.read_only,
        personal=department.personal,
        up_to_date=department.up_to_date,
        runs=() if department.personal else department.runs.choices(),
        copied=None if department.personal or department.read_only else department.copied(),
    )
    return opened if analysis is None else _with_results(opened, analysis)


def _with_results(opened: Opened, analysis: Analysis) -> Opened:
    from radcal.records import UNMENTIONED, Group

    made = analysis.provenance
    advices = {Group(a.author, a.topic): a for a in analysis.advices}
    groups = {
        (group := Group(r.author, r.topic)): GroupView(r, advices.get(group)) for r in analysis.reliabilities if r.n > 0
    }
    return replace(
        opened,
        groups=groups,
        engine=made.engine,
        engine_accuracy=made.extraction_accuracy,
        exams={p.author: (p.first_exam, p.last_exam) for p in analysis.pairs},
        n_pairs=made.n_pairs,
        not_mentioned={Group(author, topic): n for author, topic, what, n in analysis.counts if what == UNMENTIONED},
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
