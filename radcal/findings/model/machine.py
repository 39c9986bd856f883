"""What the installed llama.cpp can do, and which devices it finds."""

from __future__ import annotations

from dataclasses import dataclass

from radcal.findings.model.fit import Device, free_memory
from radcal.findings.model.process import Child, ChildDiedError
from radcal.system.errors import EngineError
from radcal.system.progress import SILENT, Progress

_POLL_SECONDS = 0.1


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


def abilities(progress: Progress = SILENT) -> Abilities:
    """Ask a child process, because drivers of graphics cards can crash.

    Raises:
        EngineError: llama.cpp cannot be started.
        Cancelled: by ``progress``.
    """
    child = Child("radcal.findings.model.worker")
    try:
        ready = None
        while ready is None:
            progress.raise_if_cancelled()
            ready = child.receive(_POLL_SECONDS)
    except ChildDiedError as error:
        raise EngineError(
            "llama.cpp cannot be started: {error}. Install llama-cpp-python again (docs/gpu.md).", error=error
        ) from error
    finally:
        child.kill()
    if ready["said"] == "failed":
        raise EngineError(
            "llama.cpp cannot be started: {error}. Install llama-cpp-python again (docs/gpu.md).", error=ready["reason"]
        )
    return Abilities(
        version=ready["version"],
        backends=tuple(ready["backends"]),
        processor=tuple(ready["processor"]),
        gpu_build=ready["gpu_build"],
        devices=tuple(Device(**d) for d in ready["devices"]),
        free=free_memory(),
    )
