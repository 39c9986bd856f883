"""The child process as its parent has it: what is said to it and by it, its start and end, what llama.cpp can do there.

Messages are lines of JSON.  To the child: ``open`` (a model; without a plan, only to see whether llama.cpp knows it),
``ask`` (a request with its number), ``pause``, ``resume``, ``stop``.  From it: ``ready``, ``opened``, ``answer`` (of a
number), ``note``, ``tick``, ``stopped``, ``failed`` (with ``again`` if a new process may succeed).
"""

from __future__ import annotations

import json
import signal
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

from radcal.findings.model.fit import Device, free_memory
from radcal.findings.model.library import library
from radcal.system import processes
from radcal.system.errors import EngineError, reason_of
from radcal.system.processes import child_command, child_environment
from radcal.system.progress import SILENT, Progress
from radcal.system.text import EMPTY, Text, joined, made_of

Message = dict[str, Any]
"""Plain values, and texts at its top level."""
Sentences: TypeAlias = Sequence[tuple[str, Sequence[tuple[str, str]]]]
"""The sentences of a report, each with its questions: what is asked, and the words of the term."""
CHILD = "radcal.findings.model.worker"
MARK = "\x02"
"""Stands for what is put into a form; occurs in no sentence."""
_INHERITED = (
    *("GGML_", "LLAMA_", "OMP_", "GOMP_", "KMP_", "MKL_", "OPENBLAS_"),
    *("CUDA_", "NVIDIA_", "NCCL_"),
    *("HIP_", "HSA_", "ROC", "AMD_", "GPU_", "HIPBLASLT_"),  # ROCM_PATH, ROCR_VISIBLE_DEVICES, ROCBLAS_TENSILE_LIBPATH
    *("VK_", "MESA_", "RADV_", "ANV_", "DRI_", "XDG_"),  # the loader of Vulkan looks for drivers in XDG_DATA_DIRS
    *("ONEAPI_", "SYCL_", "ZE_", "ZES_", "OCL_", "MTL_"),
)
"""Prefixes of environment variables that select and tune processors and graphics cards."""
_HOME = ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PATH", "TMPDIR", "TEMP", "TMP")
"""Variables by which graphics drivers find their libraries and caches."""
WAITING = {"OMP_WAIT_POLICY": "PASSIVE", "GOMP_SPINCOUNT": "20000"}
"""Waiting threads of llama.cpp spin for some ten microseconds, then sleep: without spinning the short steps of a small
model would wait for threads to wake up, and endless spinning would slow down other programs."""
_CAUSES = ("GGML_ASSERT", "terminate called", "what():", "CUDA error", "out of memory")


@dataclass(frozen=True, slots=True)
class Forms:
    """How questions are put.

    told:     what stands before the first sentence
    sentence: around a sentence, and question: around what is asked of it, which stand in place of MARK
    answers:  the closed list as the model would write it, none the beginning of another
    markers:  the forms and answers are names of control tokens; what stands in them never is
    longest:  most tokens of a sentence
    """

    told: str
    sentence: str
    question: str
    answers: tuple[str, ...]
    markers: bool
    longest: int


def answered(number: int, rows: Any = (), failure: Text = EMPTY, *, again: bool = False) -> Message:
    """The answer to a request, or why there is none; again: if the request may be tried once more, alone."""
    return {"said": "answer", "number": number, "rows": rows, "failure": failure, "again": again}


def packed(message: Message) -> str:
    """A message as a line of JSON; texts keep their templates and values."""
    plain = {name: value.record() if isinstance(value, Text) else value for name, value in message.items()}
    return json.dumps(plain) + "\n"


def unpacked(line: str | bytes) -> Message:
    """The inverse of :func:`packed`."""
    return {name: made_of(v) if isinstance(v, dict) and "template" in v else v for name, v in json.loads(line).items()}


class ChildDiedError(Exception):
    """The child process has ended; the message says how."""


class Child:
    """One child process.

    Args:
        module: the module whose ``main`` it runs.

    Raises:
        EngineError: the process cannot be started.
    """

    def __init__(self, module: str) -> None:
        environment = {**WAITING, **child_environment(_INHERITED, _HOME)}
        environment["GGML_NO_BACKTRACE"] = "1"  # no addresses or symbols of a crash on the error stream
        try:
            self._child = processes.Child(
                module, command=child_command(module), environment=environment, own_session=False
            )
        except OSError as error:
            raise EngineError("The Llama process cannot be started: {strerror}.", strerror=reason_of(error)) from error
        self.pid, self.kill = self._child.pid, self._child.kill

    def send(self, message: Message) -> None:
        """Send a message; the death of the child shows at the next :meth:`receive`."""
        self._child.send(packed(message).encode("ascii"))

    def receive(self, seconds: float) -> Message | None:
        """The next message, None if none arrives in that time.

        Raises:
            ChildDiedError: the child has ended.
        """
        try:
            line = self._child.receive(seconds)
        except TimeoutError:
            return None
        if line is None:
            raise ChildDiedError(self._end())
        with suppress(ValueError):  # a line truncated by a kill
            return unpacked(line)
        return None

    def _end(self) -> Text:
        """How the child ended."""
        code = self._child.end()
        if code is None:
            return Text("it closed its channel")
        end = Text("it ended with code {code}", code=code)
        if -code in list(signal.Signals):
            end = Text("it ended by {signal}", signal=signal.Signals(-code).name)
        causes = [line for line in self._child.error_lines() if any(sign in line for sign in _CAUSES)]
        causes.sort(key=lambda line: _CAUSES[0] not in line)  # an assertion says most
        return joined([end, *causes[:1]], ": ")


POLL_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Abilities:
    """A build of llama.cpp on this machine.

    version:   of llama-cpp-python
    backends:  what it was built for, such as CPU, CUDA, Vulkan, Metal
    processor: instruction sets that it uses, such as AVX2
    gpu_build: whether it supports GPUs;  devices: those found
    free:      bytes of free main memory, None if unknown
    """

    version: str
    backends: tuple[str, ...]
    processor: tuple[str, ...]
    gpu_build: bool
    devices: tuple[Device, ...]
    free: int | None


def started(progress: Progress) -> tuple[Child, Abilities]:
    """A new child process, and what llama.cpp can do there.

    Raises:
        EngineError: llama.cpp cannot be started, or is still being built.
        Cancelled: by ``progress``.
    """
    state = library()
    if not state.ready:
        raise EngineError(state.why_not)
    child, problem, build = Child(CHILD), None, Message()
    try:
        while (ready := child.receive(POLL_SECONDS)) is None:
            progress.raise_if_cancelled()
        problem, build = ready.get("reason"), ready
    except ChildDiedError as error:
        problem = error.args[0]
    except BaseException:
        child.kill()
        raise
    if problem is not None:
        child.kill()
        raise EngineError(
            "llama.cpp cannot be started: {error}. Install llama-cpp-python again (docs/gpu.md).", error=problem
        )
    return child, Abilities(
        version=build["version"],
        backends=tuple(build["backends"]),
        processor=tuple(build["processor"]),
        gpu_build=build["gpu_build"],
        devices=tuple(Device(**d) for d in build["devices"]),
        free=free_memory(),
    )


def abilities(progress: Progress = SILENT) -> Abilities:
    """What llama.cpp can do; asked of a child process, because drivers of graphics cards can crash.

    Raises:
        EngineError, Cancelled: as of :func:`started`.
    """
    child, found = started(progress)
    child.kill()
    return found
