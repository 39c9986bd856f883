"""A pair reader on this computer: any GGUF, or the small model that ships with RadCal."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from pathlib import Path

import numpy as np

from radcal.findings.model import bundled
from radcal.findings.model.gguf_file import GgufFile, vocabulary
from radcal.findings.model.local_model import LocalModel, Task
from radcal.findings.model.options import LlamaOptions
from radcal.findings.model.pair_prompt import read_pair_prompt, shown
from radcal.findings.model.process import MARK, Forms, Sentences
from radcal.findings.readers.pairs import Answers, Question, phrases_of
from radcal.system.errors import InputError
from radcal.system.progress import Progress
from radcal.system.resources import model_file
from radcal.words.confirmations import pathology_names
from radcal.words.extraction_words import respelling
from radcal.words.phrases import Lexicon, load_lexicon
from radcal.words.studies import Laid

VERSION = "2.0"
DEFAULT_MODEL = "radcal-mini-q8_0.gguf"
_LONGEST = 400
"""Most tokens of a sentence that a foreign model is shown."""


class LocalPairReader(LocalModel):
    """Answers the questions of reports; an answer does not depend on the others, up to rounding.

    A foreign model is told what is asked of it, with worked examples (:mod:`~radcal.findings.model.pair_prompt`); the
    bundled one was trained for it (:mod:`~radcal.findings.model.bundled`).  The first question loads the model, in a
    child process.  Close the reader, or use it in a ``with`` block, to free its memory.

    Args:
        model: its file; None for the small model shipped with RadCal.
        lexicon: of a department, whose phrases are the closed list.
        own: a department's folder of term and cue files, laid over the shipped ones.

    Raises:
        InputError: the file is missing or no model, its metadata are invalid, or the prompt file is malformed.
    """

    name = "llama"

    def __init__(
        self,
        model: Path | None = None,
        options: LlamaOptions | None = None,
        lexicon: Lexicon | None = None,
        own: Laid | None = None,
    ) -> None:
        options, lexicon = options or LlamaOptions(), lexicon or load_lexicon()
        path = model or model_file(DEFAULT_MODEL)
        prompt = read_pair_prompt(options.prompts, (*pathology_names(), *pathology_names(own)), lexicon)
        self.phrases: tuple[str, ...] = phrases_of(lexicon)
        self.is_bundled = False
        """Whether it was trained for the question, and so needs no trial."""
        self._forms = Forms(
            told=prompt.told(self.phrases),
            sentence=prompt.asked(MARK),
            question=prompt.of(MARK),
            answers=tuple(map(prompt.answered, self.phrases)),
            markers=False,
            longest=_LONGEST,
        )

        def task(file: GgufFile) -> Task:
            spoken = file.text("radcal.format")
            if spoken == bundled.FORMAT:
                trained = _trained_on(file)
                self.is_bundled = True
                self._forms = bundled.forms(trained)
                self.phrases = tuple(map(respelling(lexicon).name, trained))
            elif spoken:
                raise InputError(
                    "{name} was made for another version of RadCal ({spoken}, not {format}). Choose the model that "
                    "ships with this version, or any other GGUF file.",
                    name=path.name,
                    spoken=spoken,
                    format=bundled.FORMAT,
                )
            return Task(self._forms)

        super().__init__(path, options, task)

    @property
    def version(self) -> str:
        """Of this reader and of llama-cpp-python."""
        try:
            return f"{VERSION}+llama-cpp-python.{installed_version('llama-cpp-python')}"
        except PackageNotFoundError:
            return VERSION

    @property
    def settings_hash(self) -> str:
        """Short SHA-256 of model file, prompt, closed list and options.

        Raises:
            InputError: the model file cannot be read, or does not match its listed checksum.
        """
        content = [self.model_hash(), asdict(self._forms), self.phrases, self._options.context]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]

    def answer(self, reports: Iterable[Sequence[Question]], progress: Progress) -> Iterator[Answers]:
        """As of :class:`radcal.findings.readers.pairs.PairReader`.

        Raises:
            InputError: as of :meth:`start`.
            EngineError: as of :meth:`start`; the model file was replaced; the child crashes on every report.
        """
        with self.exclusive(progress):
            for answer in self.answers(map(self._sentences, reports)):
                chances = tuple(np.array(rows).reshape(len(rows), len(self.phrases)) for rows in answer.rows)
                yield Answers(tuple(rows / rows.sum(axis=1, keepdims=True) for rows in chances), answer.failure)

    def forget(self) -> None:
        """As :meth:`close`: what is remembered of reports ends with the child; the next question starts a new one."""
        self.close()

    def _sentences(self, report: Sequence[Question]) -> Sentences:
        """The questions of a report as the child takes them."""
        if self.is_bundled:
            return [(bundled.plain(q.sentence), [(w, w) for w in map(bundled.plain, q.words)]) for q in report]
        return [(shown(q.sentence), list(zip(q.pathologies, map(shown, q.words), strict=True))) for q in report]


def _trained_on(file: GgufFile) -> tuple[str, ...]:
    try:
        return bundled.trained_on(vocabulary(file))
    except ValueError as error:
        raise InputError(
            "{name} does not speak the protocol that it names: {error}. Download it again.",
            name=file.path.name,
            error=error,
        ) from error
