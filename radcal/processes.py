"""Processes that handle reports: children started in isolation, and no process leaves its memory behind.

A child imports nothing from the current folder, from ``PYTHONPATH`` or from the user's own packages, inherits no
secret from the environment, and writes no core file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

CHILD = "--child"
"""How a packaged program is told to be a child; the module's name follows."""
_ESSENTIAL = ("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH")
"""What an interpreter may need to start at all."""


def child_command(module: str) -> list[str]:
    """The command that runs ``main()`` of one of RadCal's modules in a process of its own, isolated and protected."""
    if getattr(sys, "frozen", False):
        # A packaged program has no Python beside it and starts itself again.
        program = Path(sys.executable)
        return [str(program.with_name("radcal").with_suffix(program.suffix)), CHILD, module]
    root = str(Path(__file__).resolve().parents[1])
    # -I: neither the current folder nor PYTHON* variables nor the user's packages count.  Our own folder comes first,
    # so that the child is of the same version as its parent.
    code = f"import sys; sys.path.insert(0, {root!r}); from radcal.processes import run_child; run_child({module!r})"
    return [sys.executable, "-I", "-c", code]


def run_child(module: str) -> None:
    """Be the child that :func:`child_command` names."""
    from importlib import import_module

    protect_memory()
    import_module(module).main()


def child_environment(
    prefixes: Sequence[str] = (), names: Sequence[str] = (), **own: str
) -> dict[str, str]:
    """The environment of a child: what an interpreter needs to start, what is named here, and ``own``.

    Args:
        prefixes: how the names of further variables begin that it inherits ("CUDA_")
        names: further variables that it inherits
        own: variables of the child alone; they win
    """
    wanted = {*_ESSENTIAL, *names}
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name.upper() in wanted or name.upper().startswith(tuple(prefixes))
    }
    return {**inherited, **own}


def protect_memory() -> None:
    """Let neither a crash nor another program of the same user write this process's memory to a file.

    Core files are off, and on Linux the process cannot be dumped or traced; on Windows a crash is not handed to error
    reporting.  Children inherit the first alone, so that each calls this itself.
    """
    if sys.platform == "win32":
        import ctypes

        no_dialog, no_critical = 0x0002, 0x0001
        no_heap = 0x0001
        with suppress(OSError, AttributeError):
            ctypes.windll.kernel32.SetErrorMode(no_dialog | no_critical)
            ctypes.windll.kernel32.WerSetFlags(no_heap)
        return
    import resource

    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        import ctypes

        set_dumpable = 4  # PR_SET_DUMPABLE of prctl(2)
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None, use_errno=True).prctl(set_dumpable, 0, 0, 0, 0)
