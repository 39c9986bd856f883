"""An engine's reports read by several side by side: the same readings, in the same order, sooner."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import fields
from operator import attrgetter
from typing import Any

from radcal.findings.records import Extraction, Extractor, Finding
from radcal.reports.records import Document, Modality, Section, Sentence
from radcal.system.files import record_to_plain
from radcal.system.progress import SILENT, Progress
from radcal.system.settings import Settings
from radcal.system.text import Text, made_of
from radcal.system.workers import Answer, Lost, Plain, Workers
from radcal.words.phrases import Lexicon

_PREPARES = "radcal.findings.engines"
BROKE_DOWN = Text("The process that read this report broke down twice.")
"""Why a report has no reading where that ended two processes."""
_FEW = 500
"""Reports that take as long to read by rules as a process to start."""
_BATCH = 50
"""Reports that are read at a time: by rules, some 0.2 s of work."""
_OF_FINDINGS = tuple(f.name for f in fields(Finding))[1:]
_values = attrgetter(*_OF_FINDINGS)
_SECTION, _ENGINE = _OF_FINDINGS.index("section"), _OF_FINDINGS.index("engine")


class SideBySide:
    """An engine whose reports several read; an Extractor that can be paused.

    It is in all else the engine that it was made of: what is read does not depend on how many read.  A report that
    fails twice becomes a failure.

    Args:
        n: the number of processes;  settings, lexicon: those that the engine was made of
    """

    def __init__(self, engine: Extractor, n: int, settings: Settings, lexicon: Lexicon | None) -> None:
        self._engine = engine
        order = {
            "settings": settings.changed(workers=1).to_dict(),
            "phrases": None if lexicon is None else record_to_plain(lexicon.phrases),
        }
        self._order, self._n = order, n
        self._workers = Workers(_PREPARES, order, n, _BATCH, reading(engine), _FEW)
        self.pause, self.resume = self._workers.pause, self._workers.resume

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    @property
    def name(self) -> str:
        """As of the engine."""
        return self._engine.name

    @property
    def version(self) -> str:
        """As of the engine."""
        return self._engine.version

    @property
    def settings_hash(self) -> str:
        """As of the engine."""
        return self._engine.settings_hash

    def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        """One Extraction per document, in order.

        Raises:
            EngineError: nobody else can be asked.
            Cancelled: by ``progress``.
        """
        names: deque[str] = deque()  # of the reports that are being read

        def items() -> Iterator[Plain]:
            for document in documents:
                names.append(document.report_id)
                yield item_of(document)

        self._order["identity"] = identity_of(self._engine)
        for answer in self._workers(items(), progress):
            yield extraction_of(names.popleft(), answer, self.name)
            progress.advance()


def reading(engine: Extractor) -> Answer:
    """What reads reports as :func:`item_of` gives them; the answers are for :func:`extraction_of`."""

    def documents(items: Iterable[Plain]) -> Iterator[Document]:
        for text, spans, modality in items:
            sentences = tuple(Sentence(Section(where), start, end, text[start:end]) for where, start, end in spans)
            yield Document("", text, sentences, None if modality is None else Modality(modality))

    def read(items: Iterable[Plain]) -> Iterator[Plain]:
        for extraction in engine.extract(documents(items), SILENT):
            failure = extraction.failure
            said = failure.record() if isinstance(failure, Text) else failure
            yield [said, [_values(f) for f in extraction.findings]]

    return read


def item_of(document: Document) -> Plain:
    """A report as it is handed over, without its id."""
    spans = [(str(s.section), s.start, s.end) for s in document.sentences]
    return document.text, spans, None if document.modality is None else str(document.modality)


def extraction_of(report_id: str, answer: Plain | Lost, engine: str) -> Extraction:
    """What :func:`reading` says of a report; its findings have the ``engine`` where they were read by it."""
    if isinstance(answer, Lost):
        return Extraction(report_id, (), BROKE_DOWN)
    failure, rows = answer
    findings = []
    for row in map(list, rows):
        row[_SECTION] = Section(row[_SECTION])
        row[_ENGINE] = engine if row[_ENGINE] == engine else row[_ENGINE]
        findings.append(Finding(report_id, *row))
    return Extraction(report_id, tuple(findings), made_of(failure) if isinstance(failure, dict) else failure)


def identity_of(engine: Extractor) -> list[str]:
    """What the readings of an engine depend on; of one with a model here, the instruction sets that it computes by."""
    from radcal.findings.model.local_model import LocalModel

    own = [engine.name, engine.version, engine.settings_hash]
    if isinstance(getattr(engine, "reader", None), LocalModel):
        from radcal.findings.model.process import abilities

        own += abilities().processor
    return list(map(str, own))
