"""The child process, which holds the model and works for its parent; its crash affects nothing else.

The messages are those of :mod:`radcal.findings.model.process`.  Report text is written nowhere else: not to a log, the
error stream or an error message.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import numpy as np

from radcal.findings.model import native
from radcal.findings.model.fit import Plan
from radcal.findings.model.pair_batches import PairBatches
from radcal.findings.model.process import Forms, Message, packed
from radcal.findings.model.texts import Texts
from radcal.system.errors import InputError
from radcal.system.text import Text

_TICK_SECONDS = 0.25
_CHECKED_SEQUENCE = 1


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
        self._model: native.Model | None = None
        self._work: PairBatches | Texts | None = None
        self._worked = 0.0
        """Working time so far in seconds, without pauses and waiting."""
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
            if do in ("pause", "resume"):
                self._paused = do == "pause"
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
                elif self._work is not None and self._work.is_busy and not self._should_stop():
                    self._step(self._work)
            except (InputError, native.NativeError) as error:
                again = self._work is not None
                if self._work is not None:
                    self._work.drop()
                mendable = isinstance(error, InputError)
                self._say({"said": "failed", "reason": str(error), "mendable": mendable, "again": again})
        if self._model is not None:
            self._model.close()

    def _next(self) -> Message | None:
        """The next message; waits for one if there is nothing else to do."""
        with self._woken:
            paused = self._paused and not self._stopping
            busy = self._work is not None and self._work.is_busy
            if not self._ended and (paused or not (self._inbox or busy)):
                self._woken.wait(1.0)
            if self._paused and not self._stopping:
                return None
            return self._inbox.popleft() if self._inbox else None

    def _do(self, message: Message) -> None:
        do = message["do"]
        if do == "stop":
            if self._work is not None:
                self._work.drop()
            with self._woken:
                self._stopping -= 1
            self._say({"said": "stopped"})
        elif self._stopping:
            return  # requested before the stop
        elif do == "open":
            self._open(message)
        elif self._work is None:
            raise native.NativeError(Text("no model is open"))
        else:
            self._work.add(message["number"], message["asked"])

    def _open(self, message: Message) -> None:
        path, plan = Path(message["path"]), message["plan"]
        try:
            if plan is None:
                native.look(path)
            else:
                adapter = Path(message["adapter"]) if message.get("adapter") else None
                self._model = native.Model(path, Plan(**plan), self._should_stop, self._tick, adapter)
        except native.UnsuitableError as error:
            raise InputError("{name}: {error}", name=path.name, error=error.args[0]) from error
        if self._model is not None:
            self._check(self._model)
            if (forms := message["forms"]) is None:
                self._work = Texts(self._model)
            else:
                folder = Path(message["state_folder"]) if message["state_folder"] else None
                kept = folder, message["state_key"]
                self._work = PairBatches(self._model, Forms(**forms), plan["context"], message["seconds"], *kept)
        self._say({"said": "opened"})

    def _check(self, model: native.Model) -> None:
        """Evaluate one token to detect weights that are not finite."""
        with suppress(native.StoppedError):
            model.decode([(model.tokens("Report", begin=True)[0], 0, (_CHECKED_SEQUENCE,), True)])
            if not np.isfinite(model.scores(0)).all():
                raise native.NativeError(native.NO_NUMBERS)
        model.forget(_CHECKED_SEQUENCE)

    def _step(self, work: PairBatches | Texts) -> None:
        began = time.monotonic()
        answers = work.step(self._worked)
        self._worked += time.monotonic() - began
        for note in dict.fromkeys(work.notes):
            self._say({"said": "note", "note": note})
        work.notes.clear()
        for answer in answers:
            self._say(answer)
        self._tick()

    def _tick(self) -> None:
        """Signal progress to the parent."""
        if time.monotonic() - self._ticked > _TICK_SECONDS:
            self._ticked = time.monotonic()
            self._say({"said": "tick"})


def hello() -> Message:
    """The version and the devices of this build of llama.cpp."""
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
