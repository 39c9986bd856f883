"""Worker operations that open, restore, import into and analyse a department.

Nothing here knows Qt.  Each function takes immutable input and a Progress; tables become plain values here, so that the
GUI thread never touches a DataFrame.
"""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from radcal.system import policy
from radcal.system.errors import DataError, InputError
from radcal.system.kinds import FileKind
from radcal.system.progress import Progress
from radcal.system.text import Text
from ui.records import GroupView, Halted, Imported, Opened

if TYPE_CHECKING:
    import pandas as pd

    from radcal.advice.stored_analysis import Analysis
    from radcal.calibration.records import Reliability
    from radcal.department import Department, Results
    from radcal.reports.importing import ReportFile
    from radcal.workspace.records import Checked, Updated

Row = TypeVar("Row", bound=NamedTuple)


@dataclass(frozen=True, slots=True)
class LookedAfter:
    """The outcome of maintenance.

    failure: why no backup was made, '' where one was or none was due
    checked: what was found in the pages, None where they were read today
    """

    failure: str
    checked: Checked | None


def warm_up(_progress: Progress) -> None:
    """Import here what pages and results need, so that the window does not freeze."""
    for name in (
        "pyqtgraph",
        "radcal.department",
        "radcal.review.gold_sets",
        "pandas",
        "scipy.special",
    ):
        importlib.import_module(name)


def still_there(paths: Sequence[Path], _progress: Progress) -> frozenset[Path]:
    """Which files exist; checked in the worker, because a network drive may be slow."""
    there = set()
    for path in paths:
        with contextlib.suppress(OSError):
            if path.is_file():
                there.add(path)
    return frozenset(there)


def restore(
    path: Path,
    backup: Path,
    passphrase: str,
    close: Callable[[], None],
    progress: Progress,
    *,
    names_key: Path | None = None,
) -> Opened:
    """Restore a backup of a workspace and open it; ``close`` closes it first if it is open here."""
    from radcal.workspace.restoring import look_into
    from radcal.workspace.restoring import restore as restored_from

    look_into(backup, passphrase, progress)  # refuses while nothing is closed yet
    close()
    restored = restored_from(backup, path, passphrase, progress)
    return replace(open_workspace(path, passphrase, False, progress, names_key=names_key), restored=restored)


def open_workspace(
    path: Path, passphrase: str, read_only: bool, progress: Progress, *, names_key: Path | None = None
) -> Opened:
    """Open a workspace or a personal file and load its analysis; resumes an interrupted chain.

    names_key: where the names of its radiologists are looked for; None for beside the workspace
    """
    from radcal.opening import open_workspace as opened_at
    from radcal.opening import telling_updates

    progress.start(None, Text("Opening the workspace"))
    updated: list[Updated] = []
    with telling_updates(updated.append):
        results = opened_at(path, passphrase, read_only=read_only)
    with _closed_on_error(results):
        if names_key is not None:
            results.names.look_in(names_key)
        return replace(_opened(results, progress), updated=next(iter(updated), None))


def open_sample(progress: Progress) -> Opened:
    """Open the shipped sample and analyse it."""
    from radcal.opening import sample_department

    progress.start(None, Text("Opening the sample"))
    department = sample_department(progress)
    with _closed_on_error(department):
        return replace(_opened(department, progress), sample=True, copied=None)


def create_workspace(
    path: Path, passphrase: str, names_key: Path | None, study: Path | None, progress: Progress
) -> Opened:
    """Create an empty workspace, and the file of its radiologists' names; None keeps them in the workspace.

    study: its study file, None for chest X-ray and CT
    """
    from radcal.opening import open_department
    from radcal.words.studies import chosen_study

    progress.start(None, Text("Making the workspace"))
    rules = policy.in_use()
    chosen = {} if study is None else chosen_study(study, rules.locked)
    department = open_department(path, passphrase, create=True, settings=rules.started(chosen), names_key=names_key)
    with _closed_on_error(department):
        return replace(opened_results(department, None), names_made=names_key is not None)


def choose_names_key(opened: Opened, file: Path, _progress: Progress) -> Opened:
    """The open department with the names of this file, where they are looked for from now on."""
    opened.department.names.choose(file)
    return named(opened)


def move_names_key(opened: Opened, file: Path, _progress: Progress) -> Opened:
    """The open department, its names moved into this file."""
    opened.department.names.move(file)
    return named(opened)


def replace_names(opened: Opened, file: Path, progress: Progress) -> Opened:
    """The open department, the names of its radiologists moved into this file."""
    opened.department.replace_names(file, progress)
    return replace(_opened(opened.department, progress), fresh=False)


def named(opened: Opened) -> Opened:
    """The open department with the names of its radiologists as they are known now."""
    from radcal.findings.served.server import served_host

    names = opened.department.names
    return replace(
        opened,
        served=served_host(opened.department.settings) if not opened.kind else "",
        names=names.called(opened.pseudonyms) | names.known(),
        names_key=names.file,
        names_missing=str(names.why_unknown()),
        names_made=False,
        imported=None,
        fresh=False,
    )


def import_files(department: Department, files: Sequence[ReportFile], progress: Progress) -> Opened:
    """Import files into an open department, pair, extract and analyse."""
    from radcal.chain import run_chain
    from radcal.reports.records import RejectedRow

    result = run_chain(department, files, progress)
    opened = opened_results(department, result.analysis, result.reason)
    if (read := result.imported) is None:
        return opened
    return replace(opened, imported=Imported(read.rows_read, rows_of(RejectedRow, read.rejected), result.extraction))


def reload(opened: Opened, progress: Progress) -> Opened:
    """Redo the analysis of an open department; reports already read are not read again."""
    from radcal.chain import run_chain

    if opened.department.read_only:
        shown = _opened(opened.department, progress)
    else:
        try:
            result = run_chain(opened.department, progress=progress)
            shown = opened_results(opened.department, result.analysis, result.reason)
        except DataError as error:  # nothing is left: there are no reports, and the last model was taken out
            shown = opened_results(opened.department, None, str(error))
    return replace(shown, sample=opened.sample, fresh=False)


def as_stored(opened: Opened, n_files: int, _progress: Progress) -> Opened:
    """The open department as it is stored, after work on it was stopped or failed; nothing is made anew.

    n_files: that were to be imported; 0 for other work
    """
    department = opened.department
    shown = opened_results(department, department.analysis() if department.kind.has_results else None)
    imported = department.importing.n_imported if n_files else 0
    unfinished = shown.n_imports > 0 and not department.up_to_date
    return replace(shown, sample=opened.sample, fresh=False, halted=Halted(n_files, min(imported, n_files), unfinished))


def _opened(results: Results, progress: Progress) -> Opened:
    from radcal.chain import finished_analysis

    if not results.kind.has_results:
        return opened_results(results, None)
    try:
        return opened_results(results, finished_analysis(results, progress))
    except (DataError, InputError) as error:  # such as a model or words that are gone, which Settings can mend
        return opened_results(results, None, str(error))


def opened_results(results: Results, analysis: Analysis | None, reason: str = "") -> Opened:
    """The open department with its analysis, or with the reason why there is none."""
    from radcal.findings.served.server import served_host
    from radcal.reports.records import AttritionStep, RejectedRow

    settings, whole = results.settings, results.kind is FileKind.DEPARTMENT
    # Of a file of another kind, the pages that it has ask for nothing that it lacks.
    department = cast("Department", results)
    opened = Opened(
        department=department,
        title=results.title,
        path=results.path,
        groups={},
        phrases=results.phrases(),
        min_phrase_n=settings.min_phrase_n,
        min_group_n=settings.min_group_n,
        rejected=rows_of(RejectedRow, results.workspace.rejected()),
        attrition=rows_of(AttritionStep, results.workspace.attrition()),
        reason=reason,
        n_imports=department.importing.n_imports if whole else 0,
        study=settings.study,
        served=served_host(settings) if whole else "",
        read_only=results.read_only,
        personal=results.personal,
        kind=results.kind,
        up_to_date=results.up_to_date,
        runs=department.runs.choices() if whole else (),
        copied=department.backups.known() if whole and not results.read_only else None,
    )
    names = results.names
    if names.kept_apart:
        opened = replace(opened, names_key=names.file, names_missing=str(names.why_unknown()))
    if analysis is None:
        return opened
    called = names.called(results.authors()) | names.known()
    return _with_results(replace(opened, pseudonyms=results.pseudonyms(), names=called), analysis)


def _with_results(opened: Opened, analysis: Analysis) -> Opened:
    from radcal.advice.first_to_show import telling
    from radcal.advice.judging import judge_all
    from radcal.advice.stored_analysis import results_of
    from radcal.calibration.comparisons import topics_to_compare
    from radcal.calibration.records import ALL_AUTHORS, CONTESTED_LEFT_OUT, UNMENTIONED
    from radcal.calibration.unread import unread_note
    from radcal.calibration.verified import share_told
    from radcal.system.selection import Group

    made, models = analysis.provenance, analysis.models
    phrases = {} if models is None else models.phrases
    every, advised = results_of(analysis)
    advices = {Group(a.author, a.topic): a for a in advised}
    judged = judge_all(every, advised, phrases, opened.phrases, opened.min_phrase_n)

    def views(measured: Sequence[Reliability]) -> dict[Group, GroupView]:
        return {
            (group := Group(r.author, r.topic)): GroupView(r, advices.get(group), judged[r.author, r.topic])
            for r in measured
            if r.n > 0
        }

    pooled = views([r for r in (*analysis.pooled, *(models.pooled if models else ())) if len(r.parts) > 1])
    groups = views([*analysis.reliabilities, *(models.reliabilities if models else ())])
    return replace(
        opened,
        groups=groups,
        pooled=pooled,
        telling=tuple(group for group in telling(analysis, opened.department.settings) if group in groups | pooled),
        comparable=topics_to_compare((*analysis.reliabilities, *analysis.pooled), opened.min_phrase_n),
        models=frozenset(phrases),
        said=tuple({p.name: p for words in phrases.values() for p in words}.values()),
        pseudonyms={**opened.pseudonyms, **{model: model for model in phrases}},
        engine=made.engine,
        engine_accuracy=made.extraction_accuracy,
        reading_errors=made.reading_errors,
        exams={p.author: (p.first_exam, p.last_exam) for p in analysis.pairs}
        | {ALL_AUTHORS: (made.first_exam, made.last_exam)},
        n_pairs=made.n_pairs,
        spread=analysis.spread,
        not_mentioned={Group(author, topic): n for author, topic, what, n in analysis.counts if what == UNMENTIONED},
        verified={
            Group(r.author, r.topic): str(share_told(r.verification, opened.department.settings.window_hours))
            for r in (*analysis.reliabilities, *analysis.pooled)
            if r.verification is not None
        },
        unread={Group(u.author, u.topic): str(unread_note(u)) for u in analysis.unread},
        left_out={Group(author, topic): n for author, topic, what, n in analysis.counts if what == CONTESTED_LEFT_OUT},
    )


def look_after(department: Department, progress: Progress) -> LookedAfter:
    """Make a backup and check the pages, each if due; other work may run in between."""
    failure = ""
    try:
        department.backups.back_up_if_due(progress)
    except InputError as error:
        failure = str(error)
    return LookedAfter(failure, department.backups.check_if_due(progress))


def rows_of(kind: type[Row], table: pd.DataFrame) -> tuple[Row, ...]:
    """Table rows as records, ignoring extra columns."""
    names = kind.__annotations__
    return tuple(kind(*(row[name] for name in names)) for row in table.to_dict("records"))


@contextlib.contextmanager
def _closed_on_error(results: Results) -> Iterator[None]:
    """Release the workspace's lock if what follows fails or is stopped."""
    try:
        yield
    except BaseException:
        results.close()
        raise
