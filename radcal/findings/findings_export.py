"""Findings as a table for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from radcal.findings.records import FINDING_COLUMNS, Extraction, Finding
from radcal.findings.runs import Runs
from radcal.findings.to_review import to_findings
from radcal.system import exports
from radcal.system.errors import InputError
from radcal.system.exports import Exports
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text
from radcal.workspace.context import Context

_TABLES = (".csv", ".xlsx")
_REPORTS = 1000
"""Reports whose findings are in memory at a time."""


def write_findings(extractions: Iterable[Extraction], out: Path, writer: Exports) -> None:
    """Write the findings of some reports, in their order; the reports are read while the file is written.

    Raises:
        InputError: the file cannot be written, or is to be none of a table.
    """
    if out.suffix.lower() not in _TABLES:
        raise InputError(
            "Findings are written as a table, and {name} is to be none. End its name in .csv or .xlsx.",
            name=out.name,
        )
    writer.write(out, exports.table(_rows(extractions), out.suffix, "findings"))


class FindingsExport:
    """Hands the findings of an open workspace on to other programs."""

    def __init__(self, context: Context, runs: Runs) -> None:
        self._context, self._runs = context, runs

    def write(
        self,
        out: Path,
        run_id: int | None = None,
        progress: Progress = SILENT,
        *,
        accession_numbers: bool = False,
    ) -> int:
        """Write what a run has read in the paired reports; the number of findings.

        Args:
            run_id: None for the run behind the results.
            accession_numbers: reports under their own numbers, as a RIS needs them, also where exports show others.

        Raises:
            InputError: the file cannot be written.
            Cancelled: by ``progress``; nothing is written then.
        """
        n = 0

        def counted() -> Iterator[Extraction]:
            nonlocal n
            for extraction in self._read(run_id, progress, accession_numbers=accession_numbers):
                n += len(extraction.findings)
                yield extraction

        write_findings(counted(), out, self._context.exports)
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


def _rows(extractions: Iterable[Extraction]) -> Iterator[Sequence[Any]]:
    yield FINDING_COLUMNS
    for extraction in extractions:
        for finding in extraction.findings:
            yield [getattr(finding, column) for column in FINDING_COLUMNS]
