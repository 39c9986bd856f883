"""Findings as files for other programs: a table, FHIR Observations, DICOM structured reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Literal, TypeAlias, get_args

from radcal import exports
from radcal.exports import Export, Exports
from radcal.lexicon.phrases import Lexicon
from radcal.records import FINDING_COLUMNS, Extraction, Json

Form: TypeAlias = Literal["table", "fhir-bundle", "fhir-ndjson", "dicom"]
"""CSV or Excel; a Bundle of Observations; one Observation a line; a folder with a structured report for each report."""
FORMS: tuple[Form, ...] = get_args(Form)
_BY_SUFFIX: Mapping[str, Form] = {".json": "fhir-bundle", ".ndjson": "fhir-ndjson"}


def form_of(out: Path) -> Form:
    """The form that the suffix of a file stands for: .json a Bundle, .ndjson lines, any other a table."""
    return _BY_SUFFIX.get(out.suffix.lower(), "table")


def write_findings(extractions: Iterable[Extraction], out: Path, form: Form, lexicon: Lexicon, writer: Exports) -> None:
    """Write the findings of some reports, in their order.

    Args:
        extractions: read while the file is written, except for "dicom".
        out: the file; for "dicom" the folder, in which report-00001.dcm and so on are the reports with findings.
        lexicon: what words mean, for the codes of certainty.

    Raises:
        InputError: a file cannot be written.
    """
    if form == "dicom":
        _write_reports(extractions, out, lexicon, writer)
    elif form == "table":
        writer.write(out, exports.table(_rows(extractions), out.suffix, "findings"))
    else:
        writer.write(out, _observations(extractions, lexicon, lines=form == "fhir-ndjson"))


def _rows(extractions: Iterable[Extraction]) -> Iterator[Sequence[Any]]:
    yield FINDING_COLUMNS
    for extraction in extractions:
        for finding in extraction.findings:
            yield [getattr(finding, column) for column in FINDING_COLUMNS]


def _observations(extractions: Iterable[Extraction], lexicon: Lexicon, *, lines: bool) -> Export:
    from radcal.coding import coded
    from radcal.coding.fhir import bundle, line, observations

    def made() -> Iterator[Json]:
        for extraction in extractions:
            yield from observations(extraction.report_id, coded(extraction.findings, lexicon))

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
    from radcal.coding import coded
    from radcal.coding.dicom import structured_report

    made = datetime.now()  # noqa: DTZ005 - DICOM times are local
    number = 0
    for extraction in extractions:
        if extraction.findings:
            number += 1
            content = structured_report(extraction.report_id, coded(extraction.findings, lexicon), made)
            report = exports.data(content, "findings as DICOM", findings=len(extraction.findings))
            writer.write(folder / f"report-{number:05}.dcm", report)
