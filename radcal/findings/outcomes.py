"""What a study's reference says where it is a table of outcomes: its rows are given, and nothing reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from radcal.findings.engines import extracted
from radcal.findings.records import Extraction, Extractor, Finding
from radcal.reports.outcomes import SAYS
from radcal.reports.records import Document, Modality, Section
from radcal.system.progress import Progress
from radcal.system.text import Text
from radcal.words.records import ABSENT, PRESENT
from radcal.words.studies import Outcomes, Study

ENGINE = "outcomes"
"""What findings say that they were read by."""


def extracted_in(
    study: Study, engine: Extractor, documents: Iterable[Document], progress: Progress
) -> Iterator[Extraction]:
    """The engine's extraction of each report, and what the rows of each report of outcomes say, in any order.

    Raises:
        EngineError: as of :func:`extracted`.
    """
    if (outcomes := study.outcomes) is None:
        yield from extracted(engine, documents, progress)
        return
    given: list[Extraction] = []

    def to_be_read() -> Iterator[Document]:
        for document in documents:
            if document.modality is Modality.CT:
                given.append(_said(outcomes, document))
                progress.advance()
            else:
                yield document

    yield from extracted(engine, to_be_read(), progress)
    yield from given


def _said(outcomes: Outcomes, document: Document) -> Extraction:
    """One finding of each pathology: present if a row says so; a row that is not understood fails the report."""
    found: dict[str, Finding] = {}
    start = 0
    for line in document.text.splitlines():
        named, _, outcome = line.rpartition(SAYS)
        pathology, is_yes = outcomes.pathology(named), outcomes.is_yes(outcome)
        if not pathology or is_yes is None:
            reason = Text("A row of its outcomes is not understood: de-identification may have changed it.")
            return Extraction(document.report_id, (), reason)
        if pathology not in found or is_yes:
            found[pathology] = Finding(
                document.report_id, pathology, PRESENT if is_yes else ABSENT, "", line, Section.FINDINGS,
                start, start + len(line), start, start + len(named), engine=ENGINE,
            )  # fmt: skip
        start += len(line) + 1
    return Extraction(document.report_id, tuple(found.values()))
