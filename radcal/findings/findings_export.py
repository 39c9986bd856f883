"""Findings as files for other programs: a table, FHIR Observations, DICOM structured reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Literal, TypeAlias

from radcal.findings.records import FINDING_COLUMNS, Extraction, Finding
from radcal.findings.runs import Runs
from radcal.findings.to_review import to_findings
from radcal.reports.records import Modality
from radcal.system import exports
from radcal.system.exports import Export, Exports
from radcal.system.files import Json
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text
from radcal.words.phrases import Lexicon
from radcal.workspace.context import Context

Form: TypeAlias = Literal["table", "fhir-bundle", "fhir-ndjson", "dicom"]
"""CSV or Excel; a Bundle of Observations; one Observation a line; a folder with a structured report for each report."""
_REPORTS = 1000
"""Reports whose findings are in memory at a time."""
_BY_SUFFIX: Mapping[str, Form] = {"": "dicom", ".json": "fhir-bundle", ".ndjson": "fhir-ndjson"}


def form_of(out: Path) -> Form:
    """The form that a name stands for: .json a Bundle, .ndjson lines, any other suffix a table, none a folder."""
    return _BY_SUFFIX.get(out.suffix.lower(), "table")


def write_findings(extractions: Iterable[Extraction], out: Path, form: Form, lexicon: Lexicon, writer: Exports) -> None:
    """Write the findings of some reports, in their order.

    Args:
        extractions: read while the file or the folder is written.
        out: the file; for "dicom" the folder, new or empty, in which report-00001.dcm and so on are the reports with
            findings.
        lexicon: what words mean, for the codes of certainty.

    Raises:
        InputError: a file cannot be written, or the folder is not empty.
    """
    if form == "dicom":
        _write_reports(extractions, out, lexicon, writer)
    elif form == "table":
        writer.write(out, exports.table(_rows(extractions), out.suffix, "findings"))
    else:
        writer.write(out, _observations(extractions, lexicon, lines=form == "fhir-ndjson"))


class FindingsExport:
    """Hands the findings of an open workspace on to other programs."""

    def __init__(self, context: Context, runs: Runs) -> None:
        self._context, self._runs = context, runs

    def write(
        self,
        out: Path,
        form: Form,
        run_id: int | None = None,
        progress: Progress = SILENT,
        *,
        accession_numbers: bool = False,
    ) -> int:
        """Write what a run has read in the paired reports; the number of findings.

        Args:
            out, form: as in :func:`write_findings`.
            run_id: None for the run behind the results.
            accession_numbers: reports under their own numbers, as a RIS needs them, also where exports show others.

        Raises:
            InputError: a file cannot be written, or the folder is not empty.
            Cancelled: by ``progress``; nothing is written then.
        """
        n = 0

        def counted() -> Iterator[Extraction]:
            nonlocal n
            for extraction in self._read(run_id, progress, accession_numbers=accession_numbers):
                n += len(extraction.findings)
                yield extraction

        write_findings(counted(), out, form, self._context.lexicon, self._context.exports)
        return n

    def _read(self, run_id: int | None, progress: Progress, *, accession_numbers: bool) -> Iterator[Extraction]:
        """The reports that the run has read, in the order of the pairs, X-ray reports first."""
        workspace = self._context.workspace
        run = self._runs.on_show() if run_id is None else run_id
        ids, engine = list(dict.fromkeys(self._runs.paired_ids())), self._runs.described(run)
        shown_as = str if accession_numbers else self._context.exports.numbers()
        progress.start(len(ids), Text("Writing findings"))
        for start in range(0, len(ids), _REPORTS):
            progress.raise_if_cancelled()
            some = ids[start : start + _REPORTS]
            read = workspace.read_by(run, some)
            found: dict[str, list[Finding]] = {}
            for finding in to_findings(workspace.findings(run, some)):
                found.setdefault(finding.report_id, []).append(finding)
            for report_id in some:
                if report_id in read:
                    shown, own = shown_as(report_id), found.get(report_id, ())
                    yield Extraction(shown, tuple(replace(f, report_id=shown, engine=engine) for f in own))
            progress.advance(len(some))


def _accession(report_id: str) -> str:
    """The accession number in the report_id of a workspace, such as 'xray:A17'; any other stands for itself."""
    kind, colon, own = report_id.partition(":")
    return own if colon and kind in tuple(Modality) else report_id


def _rows(extractions: Iterable[Extraction]) -> Iterator[Sequence[Any]]:
    yield FINDING_COLUMNS
    for extraction in extractions:
        for finding in extraction.findings:
            yield [getattr(finding, column) for column in FINDING_COLUMNS]


def _observations(extractions: Iterable[Extraction], lexicon: Lexicon, *, lines: bool) -> Export:
    from radcal.findings.codes import bundle, coded, line, observations

    def made() -> Iterator[Json]:
        for extraction in extractions:
            report_id = extraction.report_id
            yield from observations(report_id, coded(extraction.findings, lexicon), _accession(report_id))

    def fill(file: IO[bytes]) -> Mapping[str, int]:
        if not lines:
            whole = bundle(made())
            file.write(line(whole))
            return {"findings": len(whole["entry"])}
        findings = 0
        for resource in made():
            file.write(line(resource))
            findings += 1
        return {"findings": findings}

    return Export("findings as FHIR", fill)


def _write_reports(extractions: Iterable[Extraction], folder: Path, lexicon: Lexicon, writer: Exports) -> None:
    from radcal.findings.codes import coded, structured_report

    now = datetime.now()  # noqa: DTZ005 - DICOM times are local

    def fill(write: exports.WriteFile) -> Mapping[str, int]:
        number = findings = 0
        for extraction in extractions:
            if extraction.findings:
                number, findings = number + 1, findings + len(extraction.findings)
                report_id = extraction.report_id
                found = coded(extraction.findings, lexicon)
                content = structured_report(report_id, found, now, _accession(report_id))
                write(f"report-{number:05}.dcm", content)
        return {"findings": findings}

    writer.write_folder(folder, "findings as DICOM", fill)
