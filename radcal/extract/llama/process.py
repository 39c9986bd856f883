"""The child process seen from the parent: started, spoken to, watched, ended."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from pathlib import Path
from typing import Any

from radcal.errors import EngineError

Message = dict[str, Any]
COMMAND = (
    # A packaged program has no Python beside it and starts itself again.
    (str(Path(sys.executable).with_name("radcal").with_suffix(Path(sys.executable).suffix)), "--extraction-worker")
    if getattr(sys, "frozen", False)
    else (sys.executable, "-m", "radcal.extract.llama.worker")
)
_WAITING = {"OMP_WAIT_POLICY": "PASSIVE", "GOMP_SPINCOUNT": "20000"}
"""Threads of llama.cpp that wait spin for some ten microseconds and then sleep: without spinning, the short steps of a
small model wait for threads to wake up; with endless spinning, they are in the way of other programs."""
_LAST_WORDS = 20
_ASSERTION = ("GGML_ASSERT", "terminate called", "what():", "CUDA error", "out of memory")


class ChildDiedError(Exception):
    """The child process is gone; the message says how, in words."""


class Child:
    """One child process.

    Raises:
        EngineError: it cannot be started.
    """

    def __init__(self) -> None:
        # Found from the checkout as from a wheel; no addresses or symbols of a crash on the error stream.
        package = str(Path(__file__).resolve().parents[3])
        path = os.pathsep.join(p for p in (package, os.environ.get("PYTHONPATH", "")) if p)
        environment = {**_WAITING, **os.environ, "PYTHONPATH": path, "GGML_NO_BACKTRACE": "1"}
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own module
                list(COMMAND),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise EngineError(f"The Llama process cannot be started: {error.strerror}.") from error
        self._messages: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._last_words: deque[str] = deque(maxlen=_LAST_WORDS)
        self._writing = threading.Lock()
        self._threads = [threading.Thread(target=f, daemon=True) for f in (self._receive, self._overhear)]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    def _receive(self) -> None:
        assert self._process.stdout is not None  # noqa: S101 - opened above
        for line in self._process.stdout:
            with contextlib.suppress(ValueError):  # a line that a kill cut off
                self._messages.put(json.loads(line))
        self._messages.put(None)

    def _overhear(self) -> None:
        assert self._process.stderr is not None  # noqa: S101 - opened above
        for line in self._process.stderr:
            self._last_words.append(line.decode("utf-8", "replace").strip())

    def send(self, message: Message) -> None:
        """Send a message; that the child is gone shows at the next :meth:`receive`."""
        assert self._process.stdin is not None  # noqa: S101 - opened above
        with self._writing, contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(json.dumps(message).encode("ascii") + b"\n")
            self._process.stdin.flush()

    def receive(self, seconds: float) -> Message | None:
        """The next message, None if there is none for so long.

        Raises:
            ChildDiedError: the child is gone.
        """
        try:
            message = self._messages.get(timeout=seconds)
        except queue.Empty:
            return None
        if message is None:
            self._messages.put(None)
            raise ChildDiedError(self._end())
        return message

    def _end(self) -> str:
        """How the child ended, in words."""
        try:
            code = self._process.wait(2.0)
        except subprocess.TimeoutExpired:
            self.kill()
            return "it closed its channel"
        self._threads[1].join(1.0)
        assertion = next((line for line in self._last_words if line.find("GGML_ASSERT") >= 0), "") or next(
            (line for line in self._last_words if any(a in line for a in _ASSERTION)), ""
        )
        if code < 0:
            with contextlib.suppress(ValueError):
                return f"it ended by {signal.Signals(-code).name}" + (f": {assertion}" if assertion else "")
        return f"it ended with code {code}" + (f": {assertion}" if assertion else "")

    def kill(self) -> None:
        """End the child at once."""
        self._process.kill()
        self._process.wait()
        for thread in self._threads:
            thread.join(1.0)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
