"""Processes that handle reports: children start isolated, and no process leaves its memory behind.

A child imports nothing from the current folder, from ``PYTHONPATH`` or from the user's own packages, loads no library
from there either, inherits no secret from the environment, and writes no core file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

CHILD = "--child"
"""How a packaged program is told to be a child; the module's name follows."""
SECRETS = ("RADCAL_PASSPHRASE", "RADCAL_PERSONAL_PASSPHRASE")
"""Variables of the environment that hold passphrases."""
_PACKAGE = Path(__file__).resolve().parent
_ESSENTIAL = (
    *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"),
    *("LANG", "LC_ALL", "LC_CTYPE"),  # by these, parent and child write names of files alike
)
"""What an interpreter may need to start at all."""
_SEARCHED = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH")
"""Lists of folders that programs and libraries are searched in."""
_taken: dict[str, str] = {}
"""Secrets that the environment held, by their variables."""


def child_command(module: str) -> list[str]:
    """The command that runs ``main()`` of a RadCal module in a child process, isolated and protected."""
    if getattr(sys, "frozen", False):
        # A packaged program has no Python beside it and starts itself again.
        program = Path(sys.executable)
        return [str(program.with_name("radcal").with_suffix(program.suffix)), CHILD, module]
    # -I: neither the current folder nor PYTHON* variables nor the user's packages count.  Our package alone is loaded
    # by its place, so that the child is of the same version as its parent: what lies beside it does not count either.
    code = (
        "import sys; from importlib.util import module_from_spec, spec_from_file_location as find; "
        f"spec = find('radcal', {str(_PACKAGE / '__init__.py')!r}); "
        "sys.modules['radcal'] = radcal = module_from_spec(spec); spec.loader.exec_module(radcal); "
        f"from radcal.processes import run_child; run_child({module!r})"
    )
    return [sys.executable, "-I", "-c", code]


def child_folder() -> Path:
    """The working folder of children: one of RadCal's own, because llama.cpp loads libraries from the current
    folder.
    """
    return Path(sys.executable).parent if getattr(sys, "frozen", False) else _PACKAGE


def run_child(module: str) -> None:
    """Run as the child that :func:`child_command` starts."""
    from importlib import import_module

    protect_memory()
    import_module(module).main()


def child_environment(prefixes: Sequence[str] = (), names: Sequence[str] = (), **own: str) -> dict[str, str]:
    """The environment of a child: what an interpreter needs to start, the variables named here, and ``own``.

    Of lists of folders it gets the absolute ones: an empty entry, as a colon too many leaves it, is the current folder.

    Args:
        prefixes: how the names of further variables begin that it inherits ("CUDA_"), in capitals
        names: further variables that it inherits, in capitals
        own: variables of the child alone; they win
    """
    wanted = {*_ESSENTIAL, *names}
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name.upper() in wanted or name.upper().startswith(tuple(prefixes))
    }
    for name in inherited:
        if name.upper() in _SEARCHED:
            inherited[name] = os.pathsep.join(
                folder for folder in inherited[name].split(os.pathsep) if Path(folder).is_absolute()
            )
    return {**{name: value for name, value in inherited.items() if name not in SECRETS}, **own}


def begin() -> None:
    """The first call of each of RadCal's programs: protect its memory, and take secrets out of the environment.

    What it starts later, such as the system's program for PDF files, inherits them no more; :func:`secret` has them.
    """
    protect_memory()
    for name in SECRETS:
        if name in os.environ:
            _taken[name] = os.environ.pop(name)


def secret(name: str) -> str | None:
    """The value of a variable of SECRETS, also after :func:`begin` removed it; None where it is not set."""
    return os.environ.get(name, _taken.get(name))


def protect_memory() -> None:
    """Keep crashes and other programs of the same user from writing this process's memory to a file.

    Core files are off, and on Linux the process cannot be dumped or traced, nor its first environment be read; on
    Windows a crash is handed to error reporting without the heap.  Children inherit the first alone, so that each
    calls this itself.
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
