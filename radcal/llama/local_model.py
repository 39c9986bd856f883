"""A model file that rooms ask: about reports in their own way, how probable numbers are, what a text looks like."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from radcal.errors import EngineError
from radcal.llama.dispatch import Answer, Dispatch
from radcal.llama.gguf_file import GgufFile
from radcal.llama.options import ModelOptions
from radcal.llama.session import FitReport, Session, Task
from radcal.progress import SILENT, Progress


class LocalModel:
    """A model in a child process, which starts with the first question.

    Close it, or use it in a ``with`` block, so that the model's memory is given back.

    Args:
        task: what the model is opened for, decided by its metadata; without one it can give numbers and embeddings.

    Raises:
        InputError: there is no such file, it is no model, or its metadata make no sense.
    """

    def __init__(
        self, model: Path, options: ModelOptions, task: Callable[[GgufFile], Task] = lambda file: Task()
    ) -> None:
        self._session = Session(model, options, task)
        self._busy = threading.Lock()

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
        """End the child process and give its memory back; the next question starts a new one."""
        self._session.disconnect()

    def fit(self, progress: Progress = SILENT) -> FitReport:
        """How the model would be loaded on this machine, without loading it.

        Raises:
            InputError: memory is short.
            EngineError: llama.cpp cannot be started.
        """
        with self.exclusive(progress):
            return self._session.fit()

    def start(self, progress: Progress = SILENT) -> tuple[str, ...]:
        """Load the model now; what was chosen and why, in sentences.

        Raises:
            InputError: too little memory, a wrong checksum, or a prompt that does not fit.
            EngineError: llama.cpp refused the file, with its own reason.
        """
        with self.exclusive(progress):
            self._session.connect()
        return self.notes

    def pause(self) -> None:
        """Stop computing within half a second until :meth:`resume`; from any thread."""
        self._session.pause()

    def resume(self) -> None:
        """Go on after :meth:`pause`; from any thread."""
        self._session.resume()

    @contextmanager
    def exclusive(self, progress: Progress) -> Iterator[None]:
        """One piece of work at a time; whatever it leaves behind in the child when it fails is stopped.

        Raises:
            EngineError: another one is under way.
        """
        if not self._busy.acquire(blocking=False):
            raise EngineError("The Llama engine is busy with another run. Wait for it, or stop it.")
        self._session.progress = progress
        try:
            yield
        except BaseException:
            self._session.stop()
            raise
        finally:
            self._session.progress = SILENT
            self._busy.release()

    def answers(self, reports: Iterable[list[str]]) -> Iterator[Answer]:
        """What the task's reader makes of reports (lists of sentences), in their order; within :meth:`exclusive`.

        Raises:
            InputError: as :meth:`start`.
            EngineError: as :meth:`start`; the model file was replaced; the process crashes on everything.
        """
        return Dispatch(self._session, self._session.window(), self._session.options.silence).run(reports)

    def number_distribution(self, texts: Sequence[str], progress: Progress = SILENT) -> NDArray[np.float64]:
        """(n, 101) P(text goes on with the number k | it goes on with a number from 0 to 100); rows add to 1.

        Raises:
            EngineError: a text is longer than the context, or as :meth:`answers`.
        """
        return self._each("numbers", texts, progress)

    def embeddings(self, texts: Sequence[str], progress: Progress = SILENT) -> NDArray[np.float64]:
        """(n, width) mean of the last hidden states over each text's tokens, rows of length 1.

        Raises:
            EngineError: a text is longer than the context or empty, or as :meth:`answers`.
        """
        return self._each("embed", texts, progress)

    def _each(self, what: str, texts: Sequence[str], progress: Progress) -> NDArray[np.float64]:
        with self.exclusive(progress):
            rows = []
            for text in texts:
                rows.append(self._session.ask(what, text))
                progress.advance()
            return np.array(rows, np.float64)
