"""The Llama engine: an Extractor that reads reports with a local language model."""

from __future__ import annotations

import hashlib
import json
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sized
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.findings.by_model.prompt import fill_in
from radcal.findings.by_model.protocol import FORMAT, trained_on
from radcal.findings.by_model.reports import Findings, Report, Reports, StandIns
from radcal.findings.model.gguf_file import GgufFile, read_texts
from radcal.findings.model.local_model import LocalModel, Task
from radcal.findings.model.options import LlamaOptions
from radcal.findings.records import Extraction
from radcal.findings.rules.vocabulary import read_vocabularies, settings_hash
from radcal.reports.records import Document
from radcal.system.errors import InputError
from radcal.system.progress import Progress
from radcal.system.resources import model_file, resource
from radcal.system.text import Text
from radcal.words.confirmations import pathology_names
from radcal.words.extraction_words import respelling
from radcal.words.languages import ENGLISH
from radcal.words.phrases import load_lexicon
from radcal.words.word_files import layers

if TYPE_CHECKING:
    from radcal.words.phrases import Lexicon

VERSION = "1.1"
DEFAULT_MODEL = "radcal-mini-q8_0.gguf"


def llama_engine(
    model: Path | None = None,
    options: LlamaOptions | None = None,
    lexicon: Lexicon | None = None,
    own: Path | None = None,
) -> LlamaEngine:
    """The engine with a model file, None for the small model shipped with RadCal.

    The model is loaded in a child process, with the first report.

    Args:
        lexicon: of a department, whose own words are read with their meaning there.
        own: a department's folder of term and cue files, laid over the shipped ones.

    Raises:
        InputError: the file is missing or no model, its metadata are invalid, or a prompt file is malformed.
    """
    return LlamaEngine(model or model_file(DEFAULT_MODEL), options or LlamaOptions(), lexicon or load_lexicon(), own)


class LlamaEngine(LocalModel):
    """Extraction by a language model; the result for a report is independent of the others.

    Close it, or use it in a ``with`` block, to release the model's memory.
    """

    name = "llama"
    _options: LlamaOptions

    def __init__(self, model: Path, options: LlamaOptions, lexicon: Lexicon, own: Path | None = None) -> None:
        vocabularies = read_vocabularies(*layers(own, resource("lexicon")), respelling=respelling(lexicon))
        self._pathologies = pathologies = pathology_names(own)
        folder = options.prompts or resource("prompts")
        phrases = [p.name for p in lexicon.phrases]
        self._prompt = fill_in(folder, pathologies, phrases, options.reference)
        findings = {code: Findings(words, lexicon, self.name) for code, words in vocabularies.items()}
        self._reports = Reports(findings, StandIns(vocabularies[ENGLISH]))
        # What the words mean decides nothing here.
        self._words = (settings_hash(vocabularies), [(p.name, sorted(p.synonyms)) for p in lexicon.phrases])

        def task(file: GgufFile) -> Task:
            own_format = file.text("radcal.format")
            if own_format not in ("", FORMAT):
                raise InputError(
                    "{name} was made for another version of RadCal ({spoken}, not {format}).",
                    name=model.name,
                    spoken=own_format,
                    format=FORMAT,
                )
            if own_format == FORMAT:
                # A model of our own was trained on English alone.
                own_terms = StandIns(vocabularies[ENGLISH], _trained_on(model))
                self._reports = Reports({ENGLISH: findings[ENGLISH]}, own_terms)
            values = {
                "sentences": own_format == FORMAT,
                "base": self._prompt.base,
                "chat": self._prompt.chat,
                "prompt": options.prompt,
                "reference": options.reference,
                "most": options.max_findings,
                "pathologies": pathologies,
                "phrases": phrases,
            }
            return Task("radcal.findings.by_model.readers", values, own_format == FORMAT)

        super().__init__(model, options, task)

    @property
    def version(self) -> str:
        """Of this engine and of llama-cpp-python."""
        try:
            return f"{VERSION}+llama-cpp-python.{installed_version('llama-cpp-python')}"
        except PackageNotFoundError:
            return VERSION

    @property
    def settings_hash(self) -> str:
        """Short SHA-256 of model file, prompt, allowed answers, lexicon and options.

        Raises:
            InputError: the model file cannot be read, or does not match its listed checksum.
        """
        o = self._options
        content = [
            self.model_hash(),
            self._prompt.hash,
            self._pathologies,
            self._words,
            [o.context, o.prompt, o.reference, o.max_findings, o.temperature, o.seed],
        ]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]

    def close(self) -> None:
        """End the child process, release its memory and clear all cached report text."""
        super().close()
        self._reports.forget()

    def forget(self) -> None:
        """As :meth:`close`; the next report starts a new child."""
        self.close()

    def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        """One Extraction per document, in order; with a failure for those in a language that is not read.

        The models trained for RadCal read English, others also the languages that RadCal has words for.

        Raises:
            InputError: as :meth:`start`.
            EngineError: as :meth:`start`; the model file was replaced; the child crashes on every report.
        """
        total = len(documents) if isinstance(documents, Sized) else None
        waiting: deque[Report] = deque()

        def texts() -> Iterator[list[str]]:
            for document in documents:
                waiting.append(self._reports.report(document))
                yield waiting[-1].texts

        with self.exclusive(progress):
            began = time.monotonic()
            for done, answer in enumerate(self.answers(texts()), 1):
                report, note = waiting.popleft(), pace(done, total, time.monotonic() - began)
                if answer.parts > 1:
                    note = Text(
                        "a report was longer than the context and read in {n} parts; {pace}", n=answer.parts, pace=note
                    )
                yield self._reports.extraction(report, answer.readings, answer.failure)
                progress.advance(1, note)


def _trained_on(model: Path) -> tuple[str, ...]:
    """The pathologies that a model of RadCal's own format knows; () for a damaged vocabulary, as loading it tells."""
    try:
        return trained_on(read_texts(model, "tokenizer.ggml.tokens"))
    except ValueError:
        return ()


def pace(done: int, total: int | None, seconds: float) -> Text:
    """Reports per minute and, if the total is known, the time left."""
    rate = done / (max(seconds, 1e-6) / 60)
    pace = Text("{rate:,} reports a minute", rate=round(rate))
    if total is None:
        return pace
    left = max(total - done, 0) / rate
    if left < 1:
        return Text("{pace}, less than a minute left", pace=pace)
    return Text("{pace}, about {n:,} min left", pace=pace, n=round(left))
