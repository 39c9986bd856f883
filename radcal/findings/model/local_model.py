"""Local language models: questions of sentences, probabilities of numbers and options, texts, and embeddings.

A model is opened in a child process, with a plan that fits the machine, and reopened after a crash.  Requests are sent
ahead, answers come in order; a request at which the process dies twice is set aside.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from radcal.findings.model import state
from radcal.findings.model.fit import Fit, choose, shape_of
from radcal.findings.model.gguf_file import (
    GgufFile,
    check_adapter,
    listed_sha256,
    read_gguf,
    sha256_of,
    unverified,
)
from radcal.findings.model.options import ModelOptions
from radcal.findings.model.process import POLL_SECONDS, Abilities, Child, ChildDiedError, Forms, Message, started
from radcal.findings.model.writing import Wanted
from radcal.system import inputs, policy
from radcal.system.errors import EngineError, InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.resources import models_folder
from radcal.system.text import Text

_STOP_SECONDS = 0.3
"""Grace period before a child is killed; users are promised a stop within half a second."""
_LARGE = 64 << 20
"""Smallest model file, in bytes, whose checksum is cached."""
_WINDOW = 64
"""Reports in flight: their sentences fill a batch."""
_TRIES = 2
_CRASHES_IN_A_ROW = 60
"""Consecutive crashes without a single answer, beyond which no request is to blame."""
_REMEDY = Text("Check the file with its SHA-256, or choose another model.")


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request, or the reason for the failure.

    rows: for the questions of a report, the probabilities of the closed list by sentence and question
    """

    rows: Any = ()
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """The use of a model beyond numbers, texts and embeddings.

    forms: how it is asked of pairs; None for a model that is not
    """

    forms: Forms | None = None


class LocalModel:
    """A model in a child process, which starts with the first request.

    Close the model, or use it in a ``with`` block, to free its memory.

    Args:
        task: determines the task from the metadata; by default no questions of pairs.

    Raises:
        InputError: the file is missing, is not a model, or has absurd metadata, or IT allows it not; the adapter is
            none for this model.
    """

    def __init__(
        self, model: Path, options: ModelOptions, task: Callable[[GgufFile], Task] = lambda file: Task()
    ) -> None:
        self.model = model
        if model.parent != models_folder():
            policy.in_use().refuse_model(model)
        self.paused = False
        self._options = options
        self._notes: list[str] = []
        self._progress: Progress = SILENT
        self._child: Child | None = None
        self._busy, self._pausing = threading.Lock(), threading.Lock()
        self._hash = ""
        self._is_read = False
        self._read = self._signature()
        file = read_gguf(model)
        if not file.has_tokenizer:
            raise InputError(
                "{name} has no tokenizer, so it cannot read text. Choose a complete model.", name=model.name
            )
        if options.adapter is not None:
            policy.in_use().refuse_model(options.adapter)
            check_adapter(options.adapter, file)
        self._task = task(file)
        try:
            self._shape = shape_of(file)
        except InputError:
            # Whether the metadata of its architecture are there says nothing about an architecture that is not known.
            with suppress(EngineError):
                self._look()
            raise

    @property
    def notes(self) -> tuple[str, ...]:
        """The choices made for this machine with their reasons, and later events, in sentences for the user."""
        return tuple(self._notes)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def exclusive(self, progress: Progress) -> Iterator[None]:
        """Reserve the model for one piece of work; if that fails, its remains in the child are stopped.

        Raises:
            EngineError: the model is busy.
        """
        if not self._busy.acquire(blocking=False):
            raise EngineError("The Llama engine is busy with another run. Wait for it, or stop it.")
        self._progress = progress
        try:
            yield
        except BaseException:
            self._stop()
            raise
        finally:
            self._progress = SILENT
            self._busy.release()

    def _signature(self) -> tuple[int, int, int]:
        try:
            found = self.model.stat()
        except FileNotFoundError as error:
            raise InputError(
                "There is no model file {path}. Check the name, or leave it out.", path=self.model
            ) from error
        except (OSError, ValueError) as error:
            raise inputs.refusal(error, self.model, Text("The model file {path}", path=self.model)) from error
        return found.st_size, found.st_mtime_ns, found.st_ino

    def model_hash(self, *, whole: bool = False) -> str:
        """SHA-256 of the model file, checked against its known checksum.

        The checksum of a large unchanged file is cached, because reading it takes seconds and is not needed to find the
        runs of a model.  Before loading, the ``whole`` file is read.

        Raises:
            InputError: the checksums differ, or the file cannot be read.
            EngineError: the file changed without a change of its date.
        """
        if not self._hash or (whole and not self._is_read):
            folder = self._options.state_folder or state.default_folder()
            large = self._read[0] > _LARGE and self._options.keep_state
            found = "" if whole or not large else state.known_checksum(folder, inputs.full_path(self.model), self._read)
            self._is_read = not found
            if not found:
                found = sha256_of(self.model, self._progress)
                if large:
                    state.keep_checksum(folder, inputs.full_path(self.model), self._read, found)
            known = self._options.sha256.lower() or listed_sha256(self.model)
            if known and known != found:
                raise InputError(
                    "{name} is damaged or not the file that was meant: its SHA-256 is {found}, "
                    "{known} is expected. Download it again.",
                    name=self.model.name,
                    found=found,
                    known=known,
                )
            if self._hash not in ("", found):
                raise EngineError(
                    "{name} is not what it was when it was read last, though its date is the "
                    "same: it may be damaged. Start again to read with the file as it is now.",
                    name=self.model.name,
                )
            if not known:
                self.note(unverified(self.model))
            self._hash = found
        return self._hash

    @property
    def process(self) -> int | None:
        """Process id of the child, None if it is not running."""
        return self._child.pid if self._child else None

    def note(self, text: str) -> None:
        """Record a sentence for the user, once."""
        if text not in self._notes:
            self._notes.append(text)

    def check(self) -> None:
        """Check for cancellation and for changes of the model file.

        Raises:
            Cancelled: by the user.
            EngineError: the file was replaced or removed.
        """
        self._progress.raise_if_cancelled()
        try:
            same = self._signature() == self._read
        except InputError:
            same = False
        if not same:
            self.close()
            raise EngineError(
                "The model file {path} was replaced or removed while it was in use. Findings so "
                "far come from the old file. Start again to read with the new one.",
                path=self.model,
            )

    def fit(self, progress: Progress = SILENT) -> Fit:
        """How the model would be loaded on this machine, without loading its weights.

        Raises:
            InputError: memory is short, or llama.cpp does not know the model's architecture.
            EngineError: llama.cpp cannot be started, or cannot load the model.
        """
        with self.exclusive(progress):
            return self._choose(self._look())

    def _look(self) -> Abilities:
        """What llama.cpp can do on this machine, after it has read the metadata; errors as of :meth:`fit`."""
        child, build = started(self._progress)
        try:
            self._open(child, {"plan": None})
        finally:
            child.kill()
        return build

    def _choose(self, build: Abilities) -> Fit:
        return choose(self._shape, self._options, build.devices, build.free, gpu_build=build.gpu_build)

    def start(self, progress: Progress = SILENT) -> tuple[str, ...]:
        """Load the model now; returns :attr:`notes`.

        Raises:
            InputError: memory is short, the checksum is wrong, or the prompt does not fit.
            EngineError: llama.cpp refused the file; the message has its reason.
        """
        with self.exclusive(progress):
            self.connect()
        return self.notes

    # --- the child ------------------------------------------------------------------------------------

    def connect(self) -> Child:
        """The child process with the open model, started if necessary; errors as of :meth:`start`."""
        if self._child is None:
            self.check()
            digest = self.model_hash(whole=True)
            child, build = started(self._progress)
            self._child = child
            try:
                fit = self._choose(build)
                for reason in fit.reasons:
                    if reason.template not in {getattr(note, "template", "") for note in self._notes}:
                        self.note(reason)  # the free memory differs whenever a process is started again
                self._open(child, self._opening(fit, digest, build.version))
                with self._pausing:
                    if self.paused:
                        child.send({"do": "pause"})
            except BaseException:
                self.close()
                raise
        return self._child

    def _opening(self, fit: Fit, digest: str, version: str) -> Message:
        o = self._options
        folder = (o.state_folder or state.default_folder()) if o.keep_state else None
        return {
            "plan": asdict(fit.plan),
            "forms": asdict(self._task.forms) if self._task.forms else None,
            "adapter": str(o.adapter.absolute()) if o.adapter else "",
            "seconds": o.report_seconds,
            "state_folder": str(folder.absolute()) if folder else "",
            "state_key": f"{digest} {version} {fit.plan.gpu_layers}",
        }

    def _open(self, child: Child, opening: Message) -> None:
        """Have a child open the model; the user can cancel meanwhile."""
        doing = Text("load {name}", name=self.model.name)
        child.send({"do": "open", "path": str(self.model.absolute()), **opening})  # the child runs in another folder
        while True:
            self._progress.raise_if_cancelled()
            try:
                message = child.receive(POLL_SECONDS)
            except ChildDiedError as error:
                raise EngineError(
                    "The Llama process could not {doing}: {error}. {remedy}", doing=doing, error=error, remedy=_REMEDY
                ) from error
            if message is not None and message["said"] == "opened":
                return
            if message is not None and message["said"] == "failed":
                if message["mendable"]:
                    raise InputError(message["reason"])
                raise EngineError(
                    "llama.cpp could not {doing}: {message}. {remedy}",
                    doing=doing,
                    message=message["reason"],
                    remedy=_REMEDY,
                )

    def answers(self, requests: Iterable[Any]) -> Iterator[Answer]:
        """The answers to requests, in order; to be called within :meth:`exclusive`.

        Args:
            requests: as :class:`~radcal.findings.model.pair_batches.PairBatches` takes them, of a model that is asked
                of pairs; of any other as :class:`~radcal.findings.model.texts.Texts` does.

        Raises:
            InputError: as of :meth:`start`.
            EngineError: as of :meth:`start`; the model file was replaced; the process crashes on every request.
        """
        return Dispatch(self, _WINDOW, self._options.silence).run(requests)

    def number_distribution(
        self, texts: Sequence[str], progress: Progress = SILENT, lead: str | None = None
    ) -> NDArray[np.float64]:
        """(n, 101) P(number k follows the text | a number from 0 to 100 follows); rows sum to 1.

        Args:
            lead: begins the answer to a text, on a line of its own; None takes the texts as they are.

        Raises:
            EngineError: a text is longer than the context, or as of :meth:`answers`.
        """
        return np.array(self._each("numbers", [_begun(text, lead) for text in texts], progress), np.float64)

    def option_distribution(
        self, messages: Sequence[str], options: Sequence[str], lead: str = "", progress: Progress = SILENT
    ) -> NDArray[np.float64]:
        """(n, k) P(option follows | one of them follows) in the answer to each message; rows sum to 1.

        Args:
            messages: put to the model as plain text, its answer on a line of its own.
            options: none of them the beginning of another.
            lead: the beginning of the answer.

        Raises:
            EngineError: a message is longer than the context, or as of :meth:`answers`.
        """
        texts = [_begun(message, lead) for message in messages]
        return np.array(self._each("options", texts, progress, options=list(options)), np.float64)

    def log_chances(
        self, message: str, answer: str, lead: str = "", progress: Progress = SILENT
    ) -> NDArray[np.float64]:
        """(tokens,) ln P of the tokens of an answer that continues the lead, each given all before it.

        Args:
            message, lead: as of :meth:`option_distribution`.

        Raises:
            EngineError: message and answer are longer than the context, or as of :meth:`answers`.
        """
        [logs] = self._each("likelihood", [_begun(message, lead)], progress, answer=answer)
        return np.array(logs, np.float64)

    def write(self, message: str, wanted: Wanted, lead: str = "", progress: Progress = SILENT) -> list[str]:
        """The answers that the model writes to a message, without its thoughts; '' for one cut off in thought.

        Args:
            message, lead: as of :meth:`option_distribution`; the lead is no part of the answers.

        Raises:
            EngineError: the message leaves no room for an answer, or as of :meth:`answers`.
        """
        [written] = self._each("write", [_begun(message, lead)], progress, wanted=asdict(wanted))
        return list(written)

    def embeddings(self, texts: Sequence[str], progress: Progress = SILENT) -> NDArray[np.float64]:
        """(n, width) mean of the last hidden states over each text's tokens, rows normalised to length 1.

        Raises:
            EngineError: a text is empty or longer than the context, or as of :meth:`answers`.
        """
        return np.array(self._each("embedding", texts, progress), np.float64)

    def _each(self, what: str, texts: Sequence[str], progress: Progress, **more: Any) -> list[Any]:
        """The answers to a request about each of some texts; errors as of :meth:`answers`, and for one that fails."""
        with self.exclusive(progress):
            rows = []
            for answer in self.answers({"what": what, "text": text, **more} for text in texts):
                if answer.failure:
                    raise EngineError("The Llama engine cannot answer: {message}", message=answer.failure)
                rows.append(answer.rows)
                progress.advance()
            return rows

    def _stop(self) -> None:
        """Let the child drop its work; kill it if that takes longer than 0.3 seconds."""
        child = self._child
        if child is None:
            return
        child.send({"do": "stop"})
        end = time.monotonic() + _STOP_SECONDS
        try:
            while (left := end - time.monotonic()) > 0:
                message = child.receive(left)
                if message is not None and message["said"] == "stopped":
                    return
        except ChildDiedError:
            pass
        self.close()

    def close(self) -> None:
        """End the child process and free its memory; the next request starts a new one."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()

    def pause(self) -> None:
        """Suspend computation within half a second, until :meth:`resume`; thread-safe."""
        with self._pausing:
            self.paused = True
            if self._child is not None:
                self._child.send({"do": "pause"})

    def resume(self) -> None:
        """Continue after :meth:`pause`; thread-safe."""
        with self._pausing:
            self.paused = False
            if self._child is not None:
                self._child.send({"do": "resume"})


class Dispatch:
    """Sends out requests, such as the questions of reports, up to ``window`` at a time.

    A crash does not reveal which request caused it: every one in flight becomes a suspect and is tried again alone.
    Only crashes of a request that was alone count against it; after the second it is set aside with the reason.  A
    report that exceeds its time limit is identified at once: that counts, and its second try is alone.

    Args:
        supervisor: has the child, started again where necessary, and decides when to stop.
        seconds: the child is killed after that long without progress.
    """

    def __init__(self, supervisor: LocalModel, window: int, seconds: float) -> None:
        self._supervisor = supervisor
        self._window = window
        self._seconds = seconds
        self._out: dict[int, Any] = {}
        self._suspects: deque[tuple[int, Any]] = deque()
        self._strikes: Counter[int] = Counter()
        self._answers: dict[int, Answer] = {}
        self._crashes = 0
        self._silent = 0.0
        """Seconds of listening in vain; not wall-clock time, because the consumer may pause between answers."""

    def run(self, requests: Iterable[Any]) -> Iterator[Answer]:
        """The answers to requests, in order.

        Raises:
            EngineError: the child cannot be started, or crashes on every request.
        """
        source = enumerate(requests)
        given = 0
        upcoming = next(source, None)
        while True:
            self._supervisor.check()
            while given in self._answers:
                yield self._answers.pop(given)
                given += 1
            while upcoming and not self._suspects and self._has_room(upcoming[0] - given):
                self._hand_out(*upcoming)
                upcoming = next(source, None)
            if self._suspects and not self._out:
                self._hand_out(*self._suspects.popleft())
            if self._out:
                self._listen()
            elif not upcoming and not self._suspects and not self._answers:
                return

    def _has_room(self, outlook: int) -> bool:
        return len(self._out) < self._window and outlook < 8 * self._window

    def _hand_out(self, number: int, asked: Any) -> None:
        if not self._out:
            self._silent = 0.0
        self._out[number] = asked
        self._supervisor.connect().send({"do": "ask", "number": number, "asked": asked})

    def _listen(self) -> None:
        connection = self._supervisor.connect()
        began = time.monotonic()
        try:
            message = connection.receive(POLL_SECONDS)
        except ChildDiedError as error:
            self._crashed(str(error))
            return
        if message is None:
            self._silent = 0.0 if self._supervisor.paused else self._silent + time.monotonic() - began
            if self._silent > self._seconds:
                connection.kill()
                self._crashed(Text("it made no advance for {seconds:g} seconds", seconds=self._seconds))
            return
        self._silent = 0.0
        if message["said"] == "answer":
            self._take(message)
        elif message["said"] == "note":
            self._supervisor.note(message["note"])
        elif message["said"] == "failed":
            if not message["again"]:
                raise EngineError("The Llama engine cannot go on: {message}.", message=message["reason"])
            connection.kill()
            self._crashed(Text("it said: {reason}", reason=message["reason"]))

    def _take(self, message: Message) -> None:
        number = message["number"]
        if number not in self._out:
            return
        asked = self._out.pop(number)
        if message["again"]:
            self._charge(number, asked, message["failure"])
        else:
            self._answers[number] = Answer(message["rows"], message["failure"])
            self._crashes = 0

    def _crashed(self, reason: str) -> None:
        self._supervisor.close()
        self._crashes += 1
        if self._crashes > _CRASHES_IN_A_ROW:
            raise EngineError(
                "The Llama process crashes on every report; the last time {reason}. Check the model.", reason=reason
            )
        out, self._out = self._out, {}
        if len(out) == 1:
            [(number, asked)] = out.items()
            failure = Text(
                "The Llama process stopped twice while it read this text alone; the last time {reason}.", reason=reason
            )
            self._charge(number, asked, failure)
        else:
            self._suspects.extendleft(reversed(out.items()))

    def _charge(self, number: int, asked: Any, reason: str) -> None:
        """Count a failed try of a request; the last one sets it aside."""
        self._strikes[number] += 1
        if self._strikes[number] >= _TRIES:
            self._answers[number] = Answer(failure=reason)
        else:
            self._suspects.appendleft((number, asked))


def _begun(text: str, lead: str | None) -> str:
    """A text with the beginning of its answer on a line of its own."""
    return text if lead is None else f"{text}\n{lead}" if text else lead
