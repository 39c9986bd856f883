"""The child process: holds the model, works for its parent, and may die without taking anything else along.

Messages are lines of JSON.  In: ``open``, ``read``, ``numbers``, ``embed``, ``pause``, ``resume``, ``stop``.
Out: ``ready``, ``opened``, ``note``, ``read``, ``slow`` (a report took longer than it may and was dropped), ``tick``,
``answer``, ``stopped``, ``failed`` (with ``again`` where a new process may do better).  No text of a report is written
anywhere else: not to a log, not to the error stream, not into the message of a failure.
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

from radcal.errors import InputError
from radcal.llama import state
from radcal.llama.asking import StoppedError, TooLongError, digit_tokens, embedding, number_distribution
from radcal.llama.fit import Plan
from radcal.llama.questions import MakeReader, Question, Reader, Reading
from radcal.llama.scheduler import NO_NUMBERS, Job, Scheduler

if TYPE_CHECKING:
    from radcal.llama.native import Model

Message = dict[str, Any]
_TICK_SECONDS = 0.25
_CHECKED_SEQUENCE = 1


class _RefusedError(Exception):
    """The work cannot be done; the message is for the user."""


class _BrokenError(Exception):
    """This process cannot go on, a new one perhaps can; the message is for the user."""


@dataclass
class _Report:
    """A report being read: what is still open, and what has been read.

    begun: at how much working time its first question was taken up, None where it waits
    """

    number: int
    reader: Reader
    open: int
    parts: int
    readings: list[Reading] = field(default_factory=list)
    failure: str = ""
    begun: float | None = None


class Worker:
    """Does what the messages say, one after the other; stopping and pausing work at any time.

    Args:
        say: sends a message to the parent.
        make_reader: makes the reader of reports; None where only numbers and embeddings are asked for.
    """

    def __init__(self, say: Callable[[Message], None], make_reader: MakeReader | None = None) -> None:
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
        """Seconds of work so far: pauses and waiting do not count."""
        self._numbered = 0
        self._digits: NDArray[np.intp] | None = None
        self._ticked = 0.0

    # --- the parent's messages, taken by a thread of their own ----------------------------------------

    def listen(self, lines: Iterable[str | bytes]) -> None:
        """Take messages until there are no more."""
        for line in lines:
            self.take(json.loads(line))
        self.end()

    def take(self, message: Message) -> None:
        """Take one message; pausing and stopping act at once."""
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
        """Work until the parent is gone."""
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
            except InputError as error:
                self._say({"said": "failed", "reason": str(error), "mendable": True})
            except _RefusedError as error:
                self._say({"said": "failed", "reason": str(error), "mendable": False})
            except _BrokenError as error:
                self._jobs.clear()
                self._say({"said": "failed", "reason": str(error), "mendable": False, "again": True})
        if self._model is not None:
            self._model.close()

    def _next(self) -> Message | None:
        """The next message; waits for one where there is nothing else to do."""
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
            return  # asked before the stop
        elif do == "open":
            self._open(message)
        elif do == "read":
            self._read(message["number"], message["sentences"])
        elif do in ("numbers", "embed"):
            self._ask(message)

    def _open(self, message: Message) -> None:
        from radcal.llama.native import Model, NativeError

        plan = Plan(**message["plan"])
        try:
            self._model = model = Model(Path(message["path"]), plan, self._should_stop)
        except NativeError as error:
            raise _RefusedError(str(error)) from error
        if self._make_reader is not None:
            try:
                self._reader = self._make_reader(model, message["reader"], plan.context)
            except ValueError as error:
                raise _RefusedError(f"the model does not speak the protocol that it names: {error}") from error
            self._prefix = self._reader.prefix
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
        """Evaluate one token, to see whether the weights are numbers at all."""
        tokens = [*self._prefix, *model.tokens("Report", begin=True)]
        outcome = model.decode([(tokens[0], 0, (_CHECKED_SEQUENCE,), True)])
        if outcome == "done" and not np.isfinite(model.scores(0)).all():
            raise _RefusedError(NO_NUMBERS)
        model.forget(_CHECKED_SEQUENCE)

    def _read(self, number: int, sentences: list[str]) -> None:
        if self._reader is None:
            raise _RefusedError("no model is open")
        from radcal.llama.native import NativeError

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
        from radcal.llama.native import NativeError

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
        """Drop the reports that take longer than they may; the others go on."""
        limit = self._opened["seconds"]
        for key in self._scheduler.begun:
            report = self._jobs[key][0]
            if report.begun is None:
                report.begun = self._worked
            elif self._worked - report.begun > limit:
                mine = [k for k, (of, _, _) in self._jobs.items() if of is report]
                self._scheduler.remove([self._jobs.pop(k)[2] for k in mine])
                self._say({"said": "slow", "number": report.number, "seconds": limit})
                return  # the next look is soon

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
        """Let the parent know that work goes on."""
        if time.monotonic() - self._ticked > _TICK_SECONDS:
            self._ticked = time.monotonic()
            self._say({"said": "tick"})

    # --- the static prompt ----------------------------------------------------------------------------

    def _decode_prefix(self) -> bool:
        """Whether the static prompt is in sequence 0: restored, or decoded now; false where it was interrupted."""
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
            part = prefix[first : first + model.batch]  # which adapts to the pace
            # Not every evaluation can be ended; between two of them there is always a look.
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

    # --- further questions ----------------------------------------------------------------------------

    def _ask(self, message: Message) -> None:
        model = self._model
        if model is None or self._jobs:
            raise _RefusedError("the model is not open, or busy with reports")
        used = len(self._prefix) if self._prefix_is_there else 0
        rows: list[list[float]] = []
        try:
            for text in message["texts"]:
                if message["do"] == "embed":
                    rows.append(embedding(model, text, used).tolist())
                else:
                    if self._digits is None:
                        self._digits = digit_tokens(model)
                    rows.append(number_distribution(model, text, used, self._digits).tolist())
                self._tick()
        except TooLongError as error:
            raise _RefusedError(f"Text {len(rows) + 1}: {error}") from error
        except StoppedError:
            return
        self._say({"said": "answer", "rows": rows})


def hello() -> Message:
    """What this build of llama.cpp is and sees."""
    from radcal.llama import native

    return {
        "said": "ready",
        "gpu_build": native.gpu_build(),
        "devices": [asdict(d) for d in native.devices()],
        "version": native.version(),
    }


def serve(
    lines: Iterable[bytes],
    say: Callable[[Message], None],
    leave: Callable[[int], object],
    make_reader: MakeReader | None = None,
) -> None:
    """Work for a parent until it is gone.

    Args:
        lines: its messages;  say: sends one to it
        leave: ends this process with a code, whatever other threads do
        make_reader: as for :class:`Worker`
    """
    worker = Worker(say, make_reader)

    def listen() -> None:
        try:
            worker.listen(lines)
        finally:
            # The parent is gone: an evaluation may still run, and nobody waits for it.
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
    except BaseException as error:  # noqa: BLE001 - a message may hold text of a report, its kind does not
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}"
        say({"said": "failed", "reason": f"internal error {where}", "mendable": False, "again": True})
        leave(1)


def main(make_reader: MakeReader | None = None) -> None:
    """Work for the parent over the standard streams until it is gone."""
    channel = os.fdopen(os.dup(1), "w", encoding="ascii", buffering=1)
    os.dup2(2, 1)  # what the library prints must not look like a message

    def say(message: Message) -> None:
        channel.write(json.dumps(message) + "\n")

    serve(sys.stdin.buffer, say, os._exit, make_reader)
    os._exit(0)
