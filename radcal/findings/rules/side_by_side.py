"""The rules in several processes side by side: the same readings, in the same order, sooner."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from operator import attrgetter
from pathlib import Path

from radcal.findings.records import Extraction, Finding
from radcal.findings.rules.engine import RulesEngine, rules_engine
from radcal.reports.records import Document, Modality, Section, Sentence
from radcal.system.files import plain_to_record, record_to_plain
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text, made_of
from radcal.system.workers import Answer, Lost, Plain, Workers, serve
from radcal.words.phrases import Lexicon
from radcal.words.records import Phrase
from radcal.words.studies import Laid, StudyWords

CHILD = "radcal.findings.rules.side_by_side"
_FEW = 500
"""Reports that take as long to read as a process to start."""
_BATCH = 50
"""Reports that a process is given at a time: some 0.2 s of work."""
_values = attrgetter(
    *("pathology", "phrase", "verbatim", "sentence", "section", "start", "end"),
    *("term_start", "term_end", "cue_start", "cue_end", "probability"),
)


def rules_side_by_side(n: int, lexicon: Lexicon | None = None, own: Laid | None = None) -> RulesSideBySide:
    """The engine of :func:`rules_engine`, reading in n processes.

    Raises:
        InputError: a file is missing or malformed.
    """
    engine = rules_engine(None, lexicon, own)
    order = {
        "version": engine.version,
        "settings_hash": engine.settings_hash,
        "phrases": None if lexicon is None else record_to_plain(lexicon.phrases),
        "own": _ordered(own),
    }
    return RulesSideBySide(engine, Workers(CHILD, order, n, _BATCH, reader(engine), _FEW))


class RulesSideBySide:
    """A rules engine whose reports several processes read; an Extractor that can be paused.

    A report that kills two processes becomes a failure.
    """

    def __init__(self, engine: RulesEngine, workers: Workers) -> None:
        self._engine, self._workers = engine, workers
        self.name, self.version = engine.name, engine.version

    @property
    def settings_hash(self) -> str:
        """That of the engine: what is read does not depend on how many processes read."""
        return self._engine.settings_hash

    def forget(self) -> None:
        """Clear the engine's cache of sentences."""
        self._engine.forget()

    def pause(self) -> None:
        """Pause within half a second, until :meth:`resume`; from any thread."""
        self._workers.pause()

    def resume(self) -> None:
        """Go on after :meth:`pause`; from any thread."""
        self._workers.resume()

    def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        """One Extraction per document, in order.

        Raises:
            EngineError: no process can be started.
            Cancelled: by ``progress``.
        """
        names: deque[str] = deque()  # of the reports that are being read

        def items() -> Iterator[Plain]:
            for document in documents:
                names.append(document.report_id)
                yield item_of(document)

        for answer in self._workers(items(), progress):
            yield extraction_of(names.popleft(), answer, self.name)
            progress.advance()


def reader(engine: RulesEngine) -> Answer:
    """What reads a report as :func:`item_of` gives it; the answer is one for :func:`extraction_of`."""

    def read(item: Plain) -> Plain:
        text, spans, modality = item
        sentences = tuple(Sentence(Section(where), start, end, text[start:end]) for where, start, end in spans)
        whole = Document("", text, sentences, None if modality is None else Modality(modality))
        [extraction] = engine.extract([whole], SILENT)
        failure = extraction.failure
        return [failure.record() if isinstance(failure, Text) else failure, [_values(f) for f in extraction.findings]]

    return read


def item_of(document: Document) -> Plain:
    """A report as it is handed to a process, without its id."""
    spans = [(str(s.section), s.start, s.end) for s in document.sentences]
    return document.text, spans, None if document.modality is None else str(document.modality)


def extraction_of(report_id: str, answer: Plain | Lost, engine: str) -> Extraction:
    """What a :func:`reader` says of a report."""
    if isinstance(answer, Lost):
        return Extraction(report_id, (), Text("The process that read this report broke down twice."))
    failure, rows = answer
    findings = tuple(Finding(*(report_id, *row[:4], Section(row[4]), *row[5:-1], engine, row[-1])) for row in rows)
    return Extraction(report_id, findings, made_of(failure) if isinstance(failure, dict) else failure)


def main() -> None:
    """Read reports until the parent has gone."""
    serve(prepare)


def prepare(order: Plain) -> Answer:
    """What reads a report with the words of an order.

    Raises:
        ValueError: they are others now than those that the parent has read.
    """
    engine = _engine(order)
    if (engine.version, engine.settings_hash) != (order["version"], order["settings_hash"]):
        raise ValueError("other words")
    return reader(engine)


def _engine(order: Plain) -> RulesEngine:
    phrases, own = order["phrases"], order["own"]
    lexicon = None if phrases is None else Lexicon(tuple(plain_to_record(p, Phrase) for p in phrases))
    study, folder = own
    whole = None if folder is None else Path(folder)
    return rules_engine(None, lexicon, StudyWords(study, whole) if study else whole)


def _ordered(own: Laid | None) -> Plain:
    """A study's text and a department's folder, as an order has them."""
    study, folder = (own.text, own.own) if isinstance(own, StudyWords) else ("", own)
    return [study, None if folder is None else str(folder.resolve())]
