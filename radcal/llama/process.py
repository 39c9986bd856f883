"""The child process seen from the parent: started, spoken to, watched, ended."""

from __future__ import annotations

import contextlib
import json
import queue
import signal
import subprocess
import threading
from collections import deque
from typing import Any

from radcal.errors import EngineError, reason_of
from radcal.processes import child_command, child_environment, child_folder

Message = dict[str, Any]
_INHERITED = (
    *("GGML_", "LLAMA_", "OMP_", "GOMP_", "KMP_", "MKL_", "OPENBLAS_"),
    *("CUDA_", "NVIDIA_", "NCCL_"),
    *("HIP_", "HSA_", "ROC", "AMD_", "GPU_", "HIPBLASLT_"),  # ROCM_PATH, ROCR_VISIBLE_DEVICES, ROCBLAS_TENSILE_LIBPATH
    *("VK_", "MESA_", "RADV_", "ANV_", "DRI_", "XDG_"),  # the loader of Vulkan looks for drivers in XDG_DATA_DIRS
    *("ONEAPI_", "SYCL_", "ZE_", "ZES_", "OCL_", "MTL_"),
)
"""How the names of variables begin that choose and tune processors and graphics cards."""
_HOME = ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PATH", "TMPDIR", "TEMP", "TMP")
"""Where drivers of graphics cards find their libraries and keep what they compiled."""
_WAITING = {"OMP_WAIT_POLICY": "PASSIVE", "GOMP_SPINCOUNT": "20000"}
"""Threads of llama.cpp that wait spin for some ten microseconds and then sleep: without spinning, the short steps of a
small model wait for threads to wake up; with endless spinning, they are in the way of other programs."""
_LAST_WORDS = 20
_ASSERTION = ("GGML_ASSERT", "terminate called", "what():", "CUDA error", "out of memory")


class ChildDiedError(Exception):
    """The child process is gone; the message says how, in words."""


class Child:
    """One child process.

    Args:
        module: whose ``main`` it runs.

    Raises:
        EngineError: it cannot be started.
    """

    def __init__(self, module: str) -> None:
        environment = {**_WAITING, **child_environment(_INHERITED, _HOME)}
        environment["GGML_NO_BACKTRACE"] = "1"  # no addresses or symbols of a crash on the error stream
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own module
                child_command(module),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                cwd=child_folder(),
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise EngineError("The Llama process cannot be started: {strerror}.", strerror=reason_of(error)) from error
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
