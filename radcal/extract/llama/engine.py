"""The Llama engine: an Extractor that reads reports with a local model file."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence, Sized
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from radcal.errors import EngineError
from radcal.extract.joined_sentences import joined, whole_sentences
from radcal.extract.llama.dispatch import Dispatch
from radcal.extract.llama.findings import Findings
from radcal.extract.llama.options import LlamaOptions
from radcal.extract.llama.prompt import fill_in
from radcal.extract.llama.session import FitReport, Session
from radcal.extract.rules.vocabulary import read_vocabulary
from radcal.lexicon.extraction_words import respelling
from radcal.lexicon.pathologies import names
from radcal.lexicon.phrases import load_lexicon
from radcal.progress import SILENT, Progress
from radcal.records import Document, Extraction, Sentence
from radcal.resources import model_file, resource

if TYPE_CHECKING:
    from radcal.lexicon.phrases import Lexicon

VERSION = "1.0"
DEFAULT_MODEL = "radcal-mini-q8_0.gguf"


def llama_engine(
    model: Path | None = None, options: LlamaOptions | None = None, lexicon: Lexicon | None = None
) -> LlamaEngine:
    """The engine over a model file; None for the small model that ships with RadCal.

    Nothing is loaded yet: that happens with the first report, in a child process.

    Raises:
        InputError: there is no such file, it is no model, its metadata make no sense, or a prompt file is broken.
    """
    return LlamaEngine(model or model_file(DEFAULT_MODEL), options or LlamaOptions(), lexicon or load_lexicon())


class LlamaEngine:
    """Reports read by a Llama; the same result for a report whatever its company.

    Close it, or use it in a ``with`` block, so that the model's memory is given back.
    """

    name = "llama"

    def __init__(self, model: Path, options: LlamaOptions, lexicon: Lexicon) -> None:
        vocabulary = read_vocabulary(resource("lexicon"), respelling(lexicon))
        folder = options.prompts or resource("prompts")
        phrases = [p.name for p in lexicon.phrases]
        self._prompt = fill_in(folder, names(), phrases, options.reference)
        self._session = Session(model, options, self._prompt, names(), phrases)
        self._findings = Findings(vocabulary, lexicon, self.name)
        self._words = (vocabulary.settings_hash, lexicon.version)
        self._options = options
        self._busy = threading.Lock()

    @property
    def version(self) -> str:
        """Of this engine and of the llama.cpp beneath it."""
        try:
            return f"{VERSION}+llama-cpp-python.{installed_version('llama-cpp-python')}"
        except PackageNotFoundError:
            return VERSION

    @property
    def settings_hash(self) -> str:
        """Short SHA-256 over model file, prompt, answers allowed, lexicon and options.

        Raises:
            InputError: the model file cannot be read, or is not the one that its listed checksum is of.
        """
        o = self._options
        content = [
            self._session.model_hash(),
            self._prompt.hash,
            names(),
            self._words,
            [o.context, o.prompt, o.reference, o.max_findings, o.temperature, o.seed],
        ]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]

    @property
    def model(self) -> Path:
        """The model file."""
        return self._session.path

    @property
    def notes(self) -> tuple[str, ...]:
        """What was chosen for this machine and why, and what happened since, in sentences for the user."""
        return tuple(self._session.notes)

    @property
    def process(self) -> int | None:
        """The number of the child process, None while there is none."""
        return self._session.process

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the child process, give its memory back and drop every remembered word of a report."""
        self._session.disconnect()
        self._findings.forget()

    def forget(self) -> None:
        """The same as :meth:`close`; the next report starts a new child."""
        self.close()

    def fit(self, progress: Progress = SILENT) -> FitReport:
        """How the model would be loaded on this machine, without loading it.

        Raises:
            InputError: memory is short.
            EngineError: llama.cpp cannot be started.
        """
        with self._exclusive(progress):
            return self._session.fit()

    def start(self, progress: Progress = SILENT) -> tuple[str, ...]:
        """Load the model now; what was chosen and why, in sentences.

        Raises:
            InputError: too little memory, a wrong checksum, or a prompt that does not fit.
            EngineError: llama.cpp refused the file, with its own reason.
        """
        with self._exclusive(progress):
            self._session.connect()
        return self.notes

    def pause(self) -> None:
        """Stop computing within half a second until :meth:`resume`; from any thread."""
        self._session.pause()

    def resume(self) -> None:
        """Go on after :meth:`pause`; from any thread."""
        self._session.resume()

    def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        """One Extraction for each document, in order.

        Raises:
            InputError: as :meth:`start`.
            EngineError: as :meth:`start`; the model file was replaced; the process crashes on everything.
        """
        total = len(documents) if isinstance(documents, Sized) else None
        waiting: deque[tuple[Document, list[list[Sentence]]]] = deque()

        def texts() -> Iterator[list[str]]:
            for document in documents:
                sentences = list(whole_sentences(document.sentences))
                waiting.append((document, sentences))
                yield [joined(pieces) for pieces in sentences]

        with self._exclusive(progress):
            dispatch = Dispatch(self._session, self._session.window(), self._options.silence)
            pace = _Pace(total)
            for answer in dispatch.run(texts()):
                document, sentences = waiting.popleft()
                findings = tuple(self._findings.make(document, sentences[r["sentence"]], r) for r in answer.readings)
                note = pace.note()
                if answer.parts > 1:
                    note = f"a report was longer than the context and read in {answer.parts} parts; {note}"
                yield Extraction(document.report_id, findings, answer.failure)
                progress.advance(1, note)

    def number_distribution(self, texts: Sequence[str], progress: Progress = SILENT) -> NDArray[np.float64]:
        """(n, 101) P(text goes on with the number k | it goes on with a number from 0 to 100); rows add to 1.

        Raises:
            EngineError: a text is longer than the context, or as :meth:`extract`.
        """
        return self._asked("numbers", texts, progress)

    def embeddings(self, texts: Sequence[str], progress: Progress = SILENT) -> NDArray[np.float64]:
        """(n, width) mean of the last hidden states over each text's tokens, rows of length 1.

        Raises:
            EngineError: a text is longer than the context or empty, or as :meth:`extract`.
        """
        return self._asked("embed", texts, progress)

    def _asked(self, what: str, texts: Sequence[str], progress: Progress) -> NDArray[np.float64]:
        with self._exclusive(progress):
            rows = []
            for text in texts:
                rows.append(self._session.ask(what, text))
                progress.advance()
            return np.array(rows, np.float64)

    def _exclusive(self, progress: Progress) -> _Exclusive:
        return _Exclusive(self._busy, self._session, progress)


class _Exclusive:
    """One piece of work at a time; whatever it left behind in the child is stopped at the end."""

    def __init__(self, busy: threading.Lock, session: Session, progress: Progress) -> None:
        self._busy = busy
        self._session = session
        self._progress = progress

    def __enter__(self) -> None:
        if not self._busy.acquire(blocking=False):
            raise EngineError("The Llama engine is busy with another run. Wait for it, or stop it.")
        self._session.progress = self._progress

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is not None:
                self._session.stop()
        finally:
            self._session.progress = SILENT
            self._busy.release()


class _Pace:
    """Reports a minute, and how long the rest will take."""

    def __init__(self, total: int | None) -> None:
        self._total = total
        self._done = 0
        self._since = time.monotonic()

    def note(self) -> str:
        """Of one further report."""
        self._done += 1
        minutes = max(time.monotonic() - self._since, 1e-6) / 60
        rate = self._done / minutes
        told = f"{rate:,.0f} reports a minute"
        if self._total is None:
            return told
        left = max(self._total - self._done, 0) / rate
        return f"{told}, {'less than a minute' if left < 1 else f'about {left:,.0f} min'} left"
