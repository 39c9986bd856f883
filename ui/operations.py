"""What runs in the worker to open, restore, import into and analyse a department.

Nothing here knows Qt.  Each function takes immutable input and a Progress; tables become plain values here, so that the
GUI thread never touches a DataFrame.
"""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from radcal.errors import DataError
from radcal.progress import Progress
from ui.records import GroupView, Imported, Opened

if TYPE_CHECKING:
    import pandas as pd

    from radcal.records import Analysis, ExtractionSummary
    from radcal.workflow import Department
    from radcal.workflow.imports.importing import ReportFile

Row = TypeVar("Row", bound=NamedTuple)


def warm_up(_progress: Progress) -> None:
    """Import the plotting library here, so that the window does not stand still for it."""
    importlib.import_module("pyqtgraph")


def still_there(paths: Sequence[Path], _progress: Progress) -> frozenset[Path]:
    """Those of the files that are there; asked here, because a network drive may keep one waiting."""
    there = set()
    for path in paths:
        with contextlib.suppress(OSError):
            if path.is_file():
                there.add(path)
    return frozenset(there)


def restore(path: Path, backup: Path, passphrase: str, close: Callable[[], None], progress: Progress) -> Opened:
    """Put a backup in a workspace's place and open it; ``close`` closes the workspace where it is open here."""
    from radcal import workflow

    workflow.look_into(backup, passphrase, progress)  # refuses while nothing is closed yet
    close()
    restored = workflow.restore(backup, path, passphrase, progress)
    return replace(open_workspace(path, passphrase, False, progress), restored=restored)


def open_workspace(path: Path, passphrase: str, read_only: bool, progress: Progress) -> Opened:
    """Open a workspace and reload its analysis; where a run was stopped, go on from there."""
    from radcal import workflow

    progress.start(None, "Opening the workspace")
    department = workflow.open_department(path, passphrase, read_only=read_only)
    with _closed_on_error(department):
        return opened_department(department, partial(_finished_analysis, department, progress))


def open_sample(progress: Progress) -> Opened:
    """Open the shipped sample and analyse it."""
    from radcal import workflow

    progress.start(None, "Opening the sample")
    department = workflow.sample_department(progress)
    with _closed_on_error(department):
        opened = opened_department(department, partial(_finished_analysis, department, progress))
        return replace(opened, sample=True, copied=None)


def create_workspace(path: Path, passphrase: str, progress: Progress) -> Opened:
    """Make an empty workspace."""
    from radcal import workflow

    progress.start(None, "Making the workspace")
    department = workflow.open_department(path, passphrase, create=True)
    with _closed_on_error(department):
        return opened_department(department, lambda: None)


def import_files(department: Department, files: Sequence[ReportFile], progress: Progress) -> Opened:
    """Import files into an open department, pair, extract and analyse."""
    from radcal.records import RejectedRow

    progress.start(None, "Reading the report files")
    read = department.import_reports(files, progress=progress)
    extraction = _pair_and_extract(department, progress)
    opened = opened_department(department, partial(department.analyse, progress=progress))
    return replace(opened, imported=Imported(read.rows_read, rows_of(RejectedRow, read.rejected), extraction))


def reload(opened: Opened, progress: Progress) -> Opened:
    """Analyse an open department again; what was read before is not read again."""
    department = opened.department
    if department.read_only:
        shown = opened_department(department, partial(_finished_analysis, department, progress))
    else:
        _pair_and_extract(department, progress)
        shown = opened_department(department, partial(department.analyse, progress=progress))
    return replace(shown, sample=opened.sample, fresh=False)


def opened_department(department: Department, analyse: Callable[[], Analysis | None]) -> Opened:
    """The department with its analysis; without, and with the reason, where the data give none."""
    from radcal.records import AttritionStep, RejectedRow

    settings = department.settings
    analysis, reason = None, ""
    try:
        analysis = analyse()
    except DataError as error:
        reason = str(error)
    opened = Opened(
        department=department,
        title=department.title,
        path=department.path,
        groups={},
        phrases=department.phrases(),
        min_phrase_n=settings.min_phrase_n,
        min_group_n=settings.min_group_n,
        rejected=rows_of(RejectedRow, department.rejected()),
        attrition=rows_of(AttritionStep, department.attrition()),
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


def _finished_analysis(department: Department, progress: Progress) -> Analysis:
    """The analysis of all that was imported.  Steps that a stopped run left undone are done first."""
    stored = department.analysis() if department.read_only or department.up_to_date else None
    if stored is not None:
        return stored
    if department.read_only:
        raise DataError(
            "This workspace has no analysis yet, and none can be made while it is open to read only. "
            "Close it in the other RadCal, then open it here again."
        )
    _pair_and_extract(department, progress)
    return department.analyse(progress=progress)


def _pair_and_extract(department: Department, progress: Progress) -> ExtractionSummary:
    progress.start(None, "Pairing X-ray with CT reports")
    department.pair(progress)
    return department.extract(progress=progress)


def rows_of(kind: type[Row], table: pd.DataFrame) -> tuple[Row, ...]:
    """The rows of a table as records; columns that the record lacks are left out."""
    names = kind.__annotations__
    return tuple(kind(*(row[name] for name in names)) for row in table.to_dict("records"))


@contextlib.contextmanager
def _closed_on_error(department: Department) -> Iterator[None]:
    """Release the workspace's lock if what follows fails or is stopped."""
    try:
        yield
    except BaseException:
        department.close()
        raise
