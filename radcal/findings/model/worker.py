"""The child process, which holds the model and works for its parent; its crash affects nothing else.

Messages are lines of JSON.  In: ``look``, ``open``, ``pairs`` (the questions of a report), ``numbers``, ``embed``,
``weigh`` (options against each other), ``write``, ``pause``, ``resume``, ``stop``.
Out: ``ready``, ``looked``, ``opened``, ``note``, ``pairs`` (the answers), ``slow`` (a report exceeded its time limit
and was dropped), ``tick``, ``answer``, ``stopped``, ``failed`` (with ``again`` if a new process may succeed).  Report
text is written nowhere else: not to a log, the error stream or an error message.
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
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from radcal.findings.model import state
from radcal.findings.model.beginnings import Beginnings, StoppedError, UnanswerableError
from radcal.findings.model.fit import Plan
from radcal.findings.model.pair_batches import NO_NUMBERS, Forms, PairBatches, Report, Sentences
from radcal.findings.model.probabilities import digit_tokens, embedding, number_distribution, option_distribution
from radcal.findings.model.process import Message, packed
from radcal.findings.model.writing import Wanted, write
from radcal.system.errors import InputError
from radcal.system.text import Text

if TYPE_CHECKING:
    from radcal.findings.model.native import Model


_TICK_SECONDS = 0.25
_LEAST_KEPT = 8
"""Tokens of a prompt from which on it is kept for the next run; fewer, as of the bundled model, are decoded at once."""
_CHECKED_SEQUENCE = 1
_DIGITS = 6
"""Decimal places of a probability in a message."""


class _RefusedError(Exception):
    """The request cannot be fulfilled; the message is for the user."""


class _BrokenError(Exception):
    """This process cannot continue, but a new one may; the message is for the user."""


class Worker:
    """Executes messages in order; stopping and pausing take effect immediately.

    Args:
        say: sends a message to the parent.
    """

    def __init__(self, say: Callable[[Message], object]) -> None:
        self._say = say
        self._inbox: deque[Message] = deque()
        self._woken = threading.Condition()
        self._stopping = 0
        self._paused = False
        self._ended = False
        self._model: Model | None = None
        self._texts: Beginnings | None = None
        self._pairs: PairBatches | None = None
        self._prefix: Sequence[int] = ()
        self._opened: Message = {}
        self._prefix_is_there = False
        self._worked = 0.0
        """Working time so far in seconds, without pauses and waiting."""
        self._digits: NDArray[np.intp] | None = None
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
                elif self._pairs is not None and self._pairs.reports and not self._should_stop():
                    began = time.monotonic()
                    self._step(self._pairs)
                    self._worked += time.monotonic() - began
                    self._drop_slow(self._pairs)
            except (InputError, _RefusedError, _BrokenError) as error:
                again, mendable = isinstance(error, _BrokenError), isinstance(error, InputError)
                if again and self._pairs is not None:
                    self._pairs.drop()
                self._say({"said": "failed", "reason": str(error), "mendable": mendable, "again": again})
        if self._model is not None:
            self._model.close()

    def _next(self) -> Message | None:
        """The next message; waits for one if there is nothing else to do."""
        with self._woken:
            paused = self._paused and not self._stopping
            if not self._ended and (paused or not (self._inbox or self._busy)):
                self._woken.wait(1.0)
            if self._paused and not self._stopping:
                return None
            return self._inbox.popleft() if self._inbox else None

    @property
    def _busy(self) -> bool:
        """Whether reports wait for their answers."""
        return self._pairs is not None and bool(self._pairs.reports)

    def _do(self, message: Message) -> None:
        do = message["do"]
        if do == "stop":
            if self._pairs is not None:
                self._pairs.drop()
            with self._woken:
                self._stopping -= 1
            self._say({"said": "stopped"})
        elif self._stopping:
            return  # requested before the stop
        elif do == "look":
            self._look(Path(message["path"]))
        elif do == "open":
            self._open(message)
        elif do == "pairs":
            self._add(message["number"], message["sentences"])
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
        if message["forms"]:
            self._pairs = PairBatches(
                model, Forms(**message["forms"]), plan.context, plan.sequences, self._should_stop, self._tick
            )
            self._prefix = self._pairs.prefix
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

    def _add(self, number: int, sentences: Sentences) -> None:
        if self._pairs is None:
            raise _RefusedError(Text("no model is open"))
        if self._texts is not None:
            self._texts.forget()  # the questions take all the room that there is
        self._pairs.add(number, sentences)

    def _step(self, pairs: PairBatches) -> None:
        from radcal.findings.model.native import NativeError

        try:
            if not self._prefix_is_there and not self._decode_prefix():
                return
            finished = pairs.step(self._worked)
        except NativeError as error:
            raise _BrokenError(str(error)) from error
        for report in finished:
            self._finish(report)
        self._tick()

    def _drop_slow(self, pairs: PairBatches) -> None:
        """Drop a report that exceeded its time limit; the others continue."""
        limit = self._opened["seconds"]
        for report in pairs.reports.values():
            if report.begun is not None and self._worked - report.begun > limit:
                pairs.remove(report.number)
                self._say({"said": "slow", "number": report.number, "seconds": limit})
                return  # the next check is soon

    def _finish(self, report: Report) -> None:
        if report.cut and not report.failure:
            note = Text("Of a sentence too long for the model, the words around each term were shown to it.")
            self._say({"said": "note", "note": note})
        chances = [] if report.failure else [np.round(np.array(rows), _DIGITS).tolist() for rows in report.chances]
        self._say({"said": "pairs", "number": report.number, "failure": report.failure, "chances": chances})

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
        worth_it = len(prefix) >= _LEAST_KEPT and self._opened["state_folder"]
        folder = Path(self._opened["state_folder"]) if worth_it else None
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
        if model is None or self._busy:
            raise _RefusedError(Text("the model is not open, or busy with reports"))
        if self._texts is None:
            self._texts = Beginnings(model)
        texts, rows = self._texts, list[list[Any]]()
        try:
            for text in message["texts"]:
                rows.append(self._answered(texts, message, text))
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

    def _answered(self, texts: Beginnings, message: Message, text: str) -> list[Any]:
        """The answer to a request about a text."""
        do, lead, model = message["do"], message.get("lead"), texts.model
        used = len(self._prefix) if self._prefix_is_there else 0
        if do == "embed":
            texts.forget()
            return list(embedding(model, text, used).tolist())

        def encode(answer: str) -> list[int]:
            """The tokens of the text and of its answer, on a line of its own."""
            return model.tokens(f"{text}\n{lead}{answer}" if text else f"{lead}{answer}", begin=True)

        if do == "numbers":
            if self._digits is None:
                self._digits = digit_tokens(model)
            if lead is None:
                return list(number_distribution(texts, text, used, self._digits).tolist())
            return list(number_distribution(texts, "", used, self._digits, encode).tolist())
        if do == "weigh":
            return list(option_distribution(texts, message["options"], used, encode).tolist())
        wanted = Wanted(**{**message["wanted"], "stops": tuple(message["wanted"]["stops"])})
        return list(write(texts, encode(""), wanted, used, self._should_stop, self._tick))


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
) -> None:
    """Work for a parent until it has gone.

    Args:
        lines: the parent's messages;  say: sends a message to the parent
        leave: ends the process with an exit code, regardless of other threads
    """
    worker = Worker(say)

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


def main() -> None:
    """Work for the parent over the standard streams until it has gone."""
    channel = os.fdopen(os.dup(1), "w", encoding="ascii", buffering=1)
    os.dup2(2, 1)  # output of the library must not look like a message
    serve(sys.stdin.buffer, lambda message: channel.write(packed(message)), os._exit)
    os._exit(0)
