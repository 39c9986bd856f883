"""De-identification from the command line: of what a workspace stores, and of texts into a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from radcal import exports
from radcal.exports import Exports
from radcal.progress import SILENT, Progress
from radcal.records import NO_PRESET, Preset
from radcal.workflow.commands.summaries import Summary, counted, left_out
from radcal.workflow.imports.deidentifying import notes_of
from radcal.workflow.opening import open_department


def deidentify_file(
    reports: Path,
    out: Path,
    *,
    mapping: Mapping[str, str] | None = None,
    preset: Preset = NO_PRESET,
    progress: Progress = SILENT,
) -> Summary:
    """Write the texts of some reports as an import would store them, for somebody to look at.

    Names in columns are known as at import. Dates are shifted by other days in every call, as no workspace has a secret
    here; the same days for all texts of a patient.

    Args:
        reports: what an import reads: a table, a folder of text files, or messages.
        out: a table (CSV, Excel) with the columns report_id, as in the file, and text; each version of a report has its
            row.
        mapping, preset: as in :func:`radcal.workflow.commands.single_steps.extract_file`.

    Returns:
        The summary: ``reports`` written, ``failures``, ``notes``, ``out`` and ``text``.

    Raises:
        InputError: the reports cannot be read, or ``out`` cannot be written.
        Cancelled: by ``progress``; nothing was written.
    """
    from radcal.ingest.documents import read_documents_csv

    documents, rejected, notes = read_documents_csv(
        reports, mapping=mapping, preset=preset, deidentify=True, versions=True, progress=progress
    )
    texts = [document for document in documents if document.text.strip()]
    rows = ((document.report_id, document.text) for document in texts)
    Exports(kept=[reports]).write(out, exports.table(_with_header(rows), out.suffix, "de-identified texts"))
    failures = rejected.assign(position=rejected["row"]).to_dict("records")
    written = counted(len(texts), "de-identified text is", "de-identified texts are")
    return {
        "reports": len(texts),
        "failures": failures,
        "notes": list(map(str, notes)),
        "out": str(out),
        "text": "\n".join([f"{written} in {out}.{left_out(failures)}", *map(str, notes)]),
    }


def _with_header(rows: Iterable[tuple[str, str]]) -> Iterator[Sequence[object]]:
    yield "report_id", "text"
    yield from rows


def deidentify_workspace(path: Path, passphrase: str, progress: Progress = SILENT) -> Summary:
    """Take identifiers out of the reports that are stored as they were read, after a backup.

    Returns:
        The summary: reports looked at, reports changed, ``removed`` (replacements by kind), ``suspects`` (words left
        that may be identifiers), and ``text``.

    Raises:
        InputError: the workspace cannot be opened for writing, or no backup can be made; nothing was changed.
        Cancelled: by ``progress``; what was done stays done, and the same command goes on.
    """
    with open_department(path, passphrase) as department:
        found = department.importing.deidentifying.stored(department.backups, progress)
        text: str = notes_of(found)
        if not found.reports:
            text = f"All reports in {path} are de-identified already."
        elif not text:
            reports = counted(found.reports, "report", "reports")
            text = f"{reports} of {path} were looked at; nothing had to be removed."
    return {
        "reports": found.reports,
        "changed": found.changed,
        "removed": dict(found.kinds),
        "suspects": found.suspects,
        "text": text,
    }
