"""The chain of steps: import, pair, extract, analyse; resumable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from radcal.advice.stored_analysis import Analysis
from radcal.department import Department, Results
from radcal.findings.records import ExtractionSummary
from radcal.reports.importing import ReportFile
from radcal.reports.no_pairs import why_no_pairs
from radcal.reports.records import Import, PairingSummary
from radcal.system import faults
from radcal.system.errors import DataError
from radcal.system.progress import SILENT, Progress, beside
from radcal.system.text import Text


@dataclass(frozen=True, slots=True, eq=False)
class ChainResult:
    """The results of the steps.

    imported: None if no files were given
    analysis: None if the data allow none;  reason: why, '' otherwise
    """

    imported: Import | None
    pairing: PairingSummary
    extraction: ExtractionSummary
    analysis: Analysis | None
    reason: str = ""


def run_chain(
    department: Department, files: Sequence[ReportFile] = (), progress: Progress = SILENT, *, leave_out: bool = False
) -> ChainResult:
    """Import the files, if any, pair, extract and analyse; completed work is not repeated.

    Args:
        files: report files; without any, the chain resumes with the reports in the workspace.
        leave_out: list unreadable files in the import and read the others.

    Raises:
        InputError: a file cannot be read; with ``leave_out``, none can.
        DataError: there are no reports.
        EngineError: extraction failed.
        Cancelled: by ``progress``; committed work is kept, and the next call resumes.
    """
    imported = import_files(department, files, progress, leave_out=leave_out) if files else None
    progress.start(None, Text("Pairing X-ray with CT reports"))
    pairing = _paired(department, progress)
    with beside(progress):
        extraction = department.runs.extract(progress)
        department.verification.go_on(progress)
    if extraction.n_failed:
        faults.listed("reading of reports", (failure.reason for failure in department.runs.failures()))
    try:
        return ChainResult(imported, pairing, extraction, department.analyse(progress))
    except DataError as error:
        return ChainResult(imported, pairing, extraction, None, _why_none(department, pairing, error, progress))


def import_files(
    department: Department, files: Sequence[ReportFile], progress: Progress = SILENT, *, leave_out: bool = False
) -> Import:
    """The first step alone; what could not be used is entered in the log of faults.

    Raises:
        InputError, Cancelled: as :func:`run_chain`.
    """
    progress.start(None, Text("Reading the report files"))
    imported = department.importing.import_reports(files, progress, leave_out=leave_out)
    faults.listed("import rows", imported.rejected["reason"])
    faults.listed("import files", (file.reason for file in imported.unread))
    return imported


def _paired(department: Department, progress: Progress) -> PairingSummary:
    """The pairs of the reports; none in a workspace that holds answers of models alone.

    Raises:
        DataError: nothing was imported.
    """
    try:
        return department.importing.pair(progress)
    except DataError:
        if not department.answers.models():
            raise
        return PairingSummary(0, department.workspace.attrition())


def _why_none(department: Department, pairing: PairingSummary, error: DataError, progress: Progress) -> Text:
    """Why the data allow no analysis: without pairs, why there are none."""
    reports = department.importing.reports(progress) if not pairing.n_pairs else None
    if reports is None:
        return error.text
    return why_no_pairs(reports, department.settings, department.importing.attrition_of_reading()) or error.text


def finished_analysis(results: Results, progress: Progress = SILENT) -> Analysis:
    """The analysis of everything imported; completes an interrupted chain first.

    Raises:
        DataError: the data allow none; or there is none and the workspace is open read-only.
        InputError, EngineError, Cancelled: as :func:`run_chain`.
    """
    stored = results.analysis() if results.read_only or results.up_to_date else None
    if stored is not None:
        return stored
    if results.read_only or not isinstance(results, Department):
        raise DataError(
            "This workspace has no analysis yet, and none can be made while it is open to read only. "
            "Close it in the other RadCal, then open it here again."
        )
    result = run_chain(results, progress=progress)
    if result.analysis is None:
        raise DataError(result.reason)
    return result.analysis
