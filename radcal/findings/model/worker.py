"""The child process, which holds the model and works for its parent; its crash affects nothing else.

Messages are lines of JSON.  In: ``look``, ``open``, ``read``, ``numbers``, ``embed``, ``weigh`` (options against each
other), ``write``, ``pause``, ``resume``, ``stop``.
Out: ``ready``, ``looked``, ``opened``, ``note``, ``read``, ``slow`` (a report exceeded its time limit and was dropped),
``tick``, ``answer``, ``stopped``, ``failed`` (with ``again`` if a new process may succeed).  Report text is written
nowhere else: not to a log, the error stream or an error message.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from radcal.findings.model import state
from radcal.findings.model.chat import MARK, Chat
from radcal.findings.model.fit import Plan
from radcal.findings.model.probabilities import (
    StoppedError,
    UnanswerableError,
    digit_tokens,
    embedding,
    number_distribution,
    option_distribution,
)
from radcal.findings.model.process import Message, packed
from radcal.findings.model.questions import MakeReader, Question, Reader, Reading
from radcal.findings.model.rendering import SECONDS, chat_of
from radcal.findings.model.scheduler import NO_NUMBERS, Job, Scheduler
from radcal.findings.model.writing import Wanted, write
from radcal.system.errors import InputError
from radcal.system.text import EMPTY, Text

if TYPE_CHECKING:
    from radcal.findings.model.native import Model


# --- messages as prompts: in the chat template of a model that has one, and as plain text for a base model


class Prompts:
    """Puts messages into the form that a model expects.

    Args:
        note: takes what of the model's template is not as usual, in sentences for the user.
        seconds: longest time for the template.
    """

    def __init__(self, model: Model, note: Callable[[Text], object], seconds: float = SECONDS) -> None:
        self._model = model
        self._turns: tuple[list[int], list[int]] | None = None
        if template := model.chat_template():
            try:
                bos, eos = model.marker("bos"), model.marker("eos")
                chat = chat_of(MARK, template, bos, eos, model=model.name, seconds=seconds)
            except InputError as error:
                note(Text("{error} Questions are put to it as plain text.", error=error))
                return
            for one in chat.notes:
                note(one)
            self._turns = self._around(chat)

    def _around(self, chat: Chat) -> tuple[list[int], list[int]]:
        """The template's tokens before and after the message."""
        model, (head, tail) = self._model, chat.text.split(MARK)
        begin = not chat.text.startswith(model.marker("bos") or "\0")
        after = model.tokens("\n" + tail, special=True)[len(model.tokens("\n")) :]
        return model.tokens(head, special=True, begin=begin), after

    def tokens(self, message: str, answer: str) -> list[int]:
        """The tokens of a message and of the beginning of its answer; control tokens are the template's alone."""
        if self._turns is None:
            return self._model.tokens(f"{message}\n{answer}" if message else answer, begin=True)
        head, after = self._turns
        return [*head, *self._model.inner_tokens(message), *after, *self._model.inner_tokens(answer)]


_TICK_SECONDS = 0.25
_CHECKED_SEQUENCE = 1


class _RefusedError(Exception):
    """The request cannot be fulfilled; the message is for the user."""


class _BrokenError(Exception):
    """This process cannot continue, but a new one may; the message is for the user."""


@dataclass
class _Report:
    """A report in progress: its open questions and its readings.

    begun: working time, in seconds, at which its first question was started; None before
    """

    number: int
    reader: Reader
    open: int
    parts: int
    readings: list[Reading] = field(default_factory=list)
    failure: str = EMPTY
    begun: float | None = None


class Worker:
    """Executes messages in order; stopping and pausing take effect immediately.

    Args:
        say: sends a message to the parent.
        make_reader: creates the reader of reports; None for numbers and embeddings only.
    """

    def __init__(self, say: Callable[[Message], object], make_reader: MakeReader | None = None) -> None:
        self._say = say
        self._inbox: deque[Message] = deque()
        self._woken = threading.Condition()
        self._stopping = 0
        self._paused = False
        self._ended = False
        self._model: Model | None = None
        self._make_reader = make_reader
        self._reader: Reader | None = None
        self._prefix: Sequence[int] = ()
        self._scheduler: Scheduler
        self._opened: Message = {}
        self._prefix_is_there = False
        self._jobs: dict[int, tuple[_Report, Question, Job]] = {}
        self._worked = 0.0
        """Working time so far in seconds, without pauses and waiting."""
        self._numbered = 0
        self._digits: NDArray[np.intp] | None = None
        self._prompts: Prompts | None = None
        self._ticked = 0.0

    # --- messages of the parent, received by a separate thread ----------------------------------------

    def listen(self, lines: Iterable[str | bytes]) -> None:
        """Receive messages until the stream ends."""
        for line in lines:
            self.take(json.loads(line))
        self.end()

    def take(self, message: Message) -> None:
        """Receive a message; pausing and stopping take effect at once."""
        with self._woken:
            do = message["do"]
            if do == "pause":
                self._paused = True
            elif do == "resume":
                self._paused = False
            else:
                self._stopping += do == "stop"
                self._inbox.append(message)
            self._woken.notify()

    def end(self) -> None:
        """Finish as soon as possible."""
        with self._woken:
            self._ended = True
            self._woken.notify()

    def _should_stop(self) -> bool:
        return self._paused or self._ended or self._stopping > 0

    # --- work -----------------------------------------------------------------------------------------

    def run(self) -> None:
        """Work until the parent has gone."""
        while not self._ended:
            message = self._next()
            try:
                if message is not None:
                    self._do(message)
                elif self._jobs and not self._should_stop():
                    began = time.monotonic()
                    self._step()
                    self._worked += time.monotonic() - began
                    self._drop_slow()
            except (InputError, _RefusedError, _BrokenError) as error:
                again, mendable = isinstance(error, _BrokenError), isinstance(error, InputError)
                if again:
                    self._jobs.clear()
                self._say({"said": "failed", "reason": str(error), "mendable": mendable, "again": again})
        if self._model is not None:
            self._model.close()

    def _next(self) -> Message | None:
        """The next message; waits for one if there is nothing else to do."""
        with self._woken:
            paused = self._paused and not self._stopping
            if not self._ended and (paused or not (self._inbox or self._jobs)):
                self._woken.wait(1.0)
            if self._paused and not self._stopping:
                return None
            return self._inbox.popleft() if self._inbox else None

    def _do(self, message: Message) -> None:
        do = message["do"]
        if do == "stop":
            if self._model is not None:
                self._scheduler.drop()
            self._jobs.clear()
            with self._woken:
                self._stopping -= 1
            self._say({"said": "stopped"})
        elif self._stopping:
            return  # requested before the stop
        elif do == "look":
            self._look(Path(message["path"]))
        elif do == "open":
            self._open(message)
        elif do == "read":
            self._read(message["number"], message["sentences"])
        elif do in ("numbers", "embed", "weigh", "write"):
            self._ask(message)

    def _look(self, path: Path) -> None:
        from radcal.findings.model.native import NativeError, UnsuitableError, look

        try:
            look(path)
        except UnsuitableError as error:
            raise InputError("{name}: {error}", name=path.name, error=error.args[0]) from error
        except NativeError as error:
            raise _RefusedError(str(error)) from error
        self._say({"said": "looked"})

    def _open(self, message: Message) -> None:
        from radcal.findings.model.native import Model, NativeError, UnsuitableError

        plan = Plan(**message["plan"])
        try:
            self._model = model = Model(Path(message["path"]), plan, self._should_stop)
        except UnsuitableError as error:
            raise InputError("{name}: {error}", name=Path(message["path"]).name, error=error.args[0]) from error
        except NativeError as error:
            raise _RefusedError(str(error)) from error
        if self._make_reader is not None:
            try:
                values = {**message["reader"], "seconds": message["seconds"]}
                self._reader = self._make_reader(model, values, plan.context)
            except ValueError as error:
                raise _RefusedError(
                    Text("the model does not speak the protocol that it names: {error}", error=error)
                ) from error
            self._prefix = self._reader.prefix
            for note in self._reader.notes:
                self._say({"said": "note", "note": note})
        self._scheduler = Scheduler(
            model,
            len(self._prefix),
            plan.parallel,
            plan.context,
            temperature=message["temperature"],
            seed=message["seed"],
        )
        self._opened = message
        self._check(model)
        self._say({"said": "opened", "prompt_tokens": len(self._prefix)})

    def _check(self, model: Model) -> None:
        """Evaluate one token to detect weights that are not finite."""
        tokens = [*self._prefix, *model.tokens("Report", begin=True)]
        outcome = model.decode([(tokens[0], 0, (_CHECKED_SEQUENCE,), True)])
        if outcome == "done" and not np.isfinite(model.scores(0)).all():
            raise _RefusedError(NO_NUMBERS)
        model.forget(_CHECKED_SEQUENCE)

    def _read(self, number: int, sentences: list[str]) -> None:
        if self._reader is None:
            raise _RefusedError(Text("no model is open"))
        from radcal.findings.model.native import NativeError

        try:
            questions, recalled = self._reader.questions(sentences)
        except NativeError as error:
            raise _BrokenError(str(error)) from error
        parts = len(questions) if self._reader.whole_reports else 1
        report = _Report(number, self._reader, len(questions), parts, list(recalled))
        for question in questions:
            self._numbered += 1
            job = Job(self._numbered, question.tokens, question.guide)
            self._jobs[self._numbered] = (report, question, job)
            self._scheduler.add(job)
        if not questions:
            self._finish(report)

    def _step(self) -> None:
        from radcal.findings.model.native import NativeError

        try:
            if not self._prefix_is_there and not self._decode_prefix():
                return
            finished = self._scheduler.step()
        except NativeError as error:
            raise _BrokenError(str(error)) from error
        for job in finished:
            report, question, _ = self._jobs.pop(job.key)
            report.open -= 1
            if not job.failure:
                try:
                    report.readings += report.reader.readings(question, job.answer, job.chances)
                except ValueError as error:
                    job.failure = str(error)
            report.failure = report.failure or job.failure
            if report.open == 0:
                self._finish(report)
        self._tick()

    def _drop_slow(self) -> None:
        """Drop a report that exceeded its time limit; the others continue."""
        limit = self._opened["seconds"]
        for key in self._scheduler.begun:
            report = self._jobs[key][0]
            if report.begun is None:
                report.begun = self._worked
            elif self._worked - report.begun > limit:
                mine = [k for k, (owner, _, _) in self._jobs.items() if owner is report]
                self._scheduler.remove([self._jobs.pop(k)[2] for k in mine])
                self._say({"said": "slow", "number": report.number, "seconds": limit})
                return  # the next check is soon

    def _finish(self, report: _Report) -> None:
        readings = sorted(report.readings, key=lambda r: r.sentence)
        self._say(
            {
                "said": "read",
                "number": report.number,
                "parts": report.parts,
                "failure": report.failure,
                "readings": [] if report.failure else [r.to_dict() for r in readings],
            }
        )

    def _tick(self) -> None:
        """Signal progress to the parent."""
        if time.monotonic() - self._ticked > _TICK_SECONDS:
            self._ticked = time.monotonic()
            self._say({"said": "tick"})

    # --- the static prompt ----------------------------------------------------------------------------

    def _decode_prefix(self) -> bool:
        """Restore or decode the static prompt into sequence 0; False if interrupted."""
        model, prefix = self._model, self._prefix
        if model is None or not prefix:
            self._prefix_is_there = True
            return True
        folder = Path(self._opened["state_folder"]) if self._opened["state_folder"] else None
        key = hashlib.sha256(f"{self._opened['state_key']} {list(prefix)}".encode()).hexdigest()[:32]
        stored = state.take(folder, key) if folder else None
        if stored is not None and folder and model.restore(stored, 0, len(prefix)):
            state.put_back(folder, key)
            self._prefix_is_there = True
            return True
        first = 0
        while first < len(prefix):
            part = prefix[first : first + model.batch]  # adapts to the measured speed
            # Not every evaluation can be aborted; the stop flag is checked between any two.
            if self._should_stop() or model.decode([(t, first + i, (0,), False) for i, t in enumerate(part)]) != "done":
                model.forget(0)
                return False
            first += len(part)
            self._tick()
        self._prefix_is_there = True
        if folder:
            note = state.save(folder, key, model.state(0))
            if note:
                self._say({"said": "note", "note": note})
        return True

    # --- numbers, embeddings, options and free text ---------------------------------------------------

    def _ask(self, message: Message) -> None:
        from radcal.findings.model.native import NativeError

        model = self._model
        if model is None or self._jobs:
            raise _RefusedError(Text("the model is not open, or busy with reports"))
        rows: list[list[Any]] = []
        try:
            for text in message["texts"]:
                rows.append(self._answered(model, message, text))
                self._tick()
        except UnanswerableError as error:
            raise _RefusedError(Text("Text {n}: {error}", n=len(rows) + 1, error=error)) from error
        except NativeError as error:
            raise _BrokenError(str(error)) from error
        except StoppedError:
            with self._woken:
                if not self._stopping:  # paused: to be repeated afterwards
                    self._inbox.appendleft(message)
            return
        self._say({"said": "answer", "rows": rows})

    def _answered(self, model: Model, message: Message, text: str) -> list[Any]:
        """The answer to a request about a text."""
        do, lead = message["do"], message.get("lead")
        used = len(self._prefix) if self._prefix_is_there else 0
        if do == "embed":
            return list(embedding(model, text, used).tolist())

        def encode(answer: str) -> list[int]:
            """The tokens of the text as a message, and of its answer."""
            if self._prompts is None:
                self._prompts = Prompts(
                    model, lambda note: self._say({"said": "note", "note": note}), self._opened["seconds"]
                )
            return self._prompts.tokens(text, f"{lead}{answer}")

        if do == "numbers":
            if self._digits is None:
                self._digits = digit_tokens(model)
            if lead is None:
                return list(number_distribution(model, text, used, self._digits).tolist())
            return list(number_distribution(model, "", used, self._digits, encode).tolist())
        if do == "weigh":
            return list(option_distribution(model, message["options"], used, encode).tolist())
        wanted = Wanted(**{**message["wanted"], "stops": tuple(message["wanted"]["stops"])})
        return list(write(model, encode(""), wanted, used, self._should_stop, self._tick))


def hello() -> Message:
    """The version and the devices of this build of llama.cpp."""
    from radcal.findings.model import native

    backends, processor = native.abilities()
    return {
        "said": "ready",
        "backends": backends,
        "processor": processor,
        "gpu_build": native.gpu_build(),
        "devices": [asdict(d) for d in native.devices()],
        "version": native.version(),
    }


def serve(
    lines: Iterable[bytes],
    say: Callable[[Message], object],
    leave: Callable[[int], object],
    make_reader: MakeReader | None = None,
) -> None:
    """Work for a parent until it has gone.

    Args:
        lines: the parent's messages;  say: sends a message to the parent
        leave: ends the process with an exit code, regardless of other threads
        make_reader: as for :class:`Worker`
    """
    worker = Worker(say, make_reader)

    def listen() -> None:
        try:
            worker.listen(lines)
        finally:
            # The parent has gone: an evaluation may still run, but nobody waits for it.
            worker.end()
            end = threading.Timer(1.0, leave, (0,))
            end.daemon = True
            end.start()

    try:
        say(hello())
        threading.Thread(target=listen, daemon=True).start()
        worker.run()
    except BrokenPipeError:
        leave(0)
    except BaseException as error:  # noqa: BLE001 - its message may contain report text, its type does not
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(place.filename).name}:{place.lineno}"
        reason = Text("internal error {kind} at {where}", kind=type(error).__name__, where=where)
        say({"said": "failed", "reason": reason, "mendable": False, "again": True})
        leave(1)


def main(make_reader: MakeReader | None = None) -> None:
    """Work for the parent over the standard streams until it has gone."""
    channel = os.fdopen(os.dup(1), "w", encoding="ascii", buffering=1)
    os.dup2(2, 1)  # output of the library must not look like a message
    serve(sys.stdin.buffer, lambda message: channel.write(packed(message)), os._exit, make_reader)
    os._exit(0)
