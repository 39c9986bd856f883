"""Isolation and memory protection of processes that handle reports, and limits of those that handle foreign bytes.

A child imports no module and loads no library from the current folder, ``PYTHONPATH`` or the user's packages, inherits
no secret from the environment, and writes no core file.
"""

from __future__ import annotations

import math
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any

from radcal.system.errors import InputError, reason_of
from radcal.system.text import EMPTY, Text

CHILD = "--child"
"""Option that makes a packaged program run as a child; the module name follows."""
SECRETS = ("RADCAL_PASSPHRASE", "RADCAL_PERSONAL_PASSPHRASE")
"""Environment variables with passphrases."""
_PACKAGE = Path(__file__).resolve().parents[1]
_ESSENTIAL = (
    *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"),
    *("LANG", "LC_ALL", "LC_CTYPE"),  # parent and child must encode file names alike
)
"""Environment variables an interpreter may need to start."""
_SEARCHED = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH")
"""Search paths of programs and libraries."""
NO_MEMORY = 86
"""Exit status of a confined child when memory runs out."""
NO_TIME_LEFT = -getattr(signal, "SIGXCPU", 24)
"""Exit status of a confined child when its CPU time is over; Windows has no such signal, and sets no such limit."""
_FILES = 32
"""Open files of a confined child, enough for the interpreter itself."""
_AT_ONCE_SECONDS = 1.0
"""Within which a program that cannot open its window ends."""
_END_SECONDS = 10.0
"""How long a child that has closed its channel may take to end; one that dies has, and is nearly gone by then."""
_LAST_LINES, _LONGEST_LINE = 20, 4096
"""What is kept of the error stream of a child."""
_taken: dict[str, str] = {}
"""Secrets removed from the environment, by variable."""


def child_command(module: str) -> list[str]:
    """The command that runs ``main()`` of a RadCal module in a child process, isolated and protected."""
    if getattr(sys, "frozen", False):
        # A packaged program comes without an interpreter and starts itself.
        program = Path(sys.executable)
        return [str(program.with_name("radcal").with_suffix(program.suffix)), CHILD, module]
    # -I ignores the current folder, PYTHON* variables and the user's packages.  RadCal itself is loaded by path, so
    # that parent and child have the same version and nothing beside the package can be imported.
    code = (
        "import sys; from importlib.util import module_from_spec, spec_from_file_location as find; "
        f"spec = find('radcal', {str(_PACKAGE / '__init__.py')!r}); "
        "sys.modules['radcal'] = radcal = module_from_spec(spec); spec.loader.exec_module(radcal); "
        f"from radcal.system.processes import run_child; run_child({module!r})"
    )
    return [sys.executable, "-I", "-c", code]


class Child:
    """A child process without a window: bytes go in, lines come out, and neither side waits for the other.

    Args:
        module: whose ``main`` it runs.
        command: by default that of :func:`child_command`.
        environment: by default that of :func:`child_environment`.
        folder: the child's current folder, by default :func:`child_folder`.
        own_session: on POSIX, put it into a session of its own, to be killed with all that it starts; an interrupt from
            the keyboard is for the parent alone then.
        max_bytes: that it may answer; one more, and an empty line stands for all that follow.
        on_line: is given each line, and None behind the last, in another thread; without, :meth:`receive` returns them.

    Raises:
        OSError: it cannot be started.
    """

    def __init__(
        self,
        module: str,
        *,
        command: Sequence[str] | None = None,
        environment: Mapping[str, str] | None = None,
        folder: Path | str = "",
        own_session: bool = True,
        max_bytes: int = 1 << 62,
        on_line: Callable[[bytes | None], None] | None = None,
    ) -> None:
        import subprocess

        self._module, self._own_session, self._max_bytes = module, own_session, max_bytes
        self._parts: SimpleQueue[bytes | None] = SimpleQueue()
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._on_line = on_line or self._lines.put
        self._errors: deque[bytes] = deque(maxlen=_LAST_LINES)
        self._process = process = subprocess.Popen(  # noqa: S603 - our own module
            command or child_command(module),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(child_environment() if environment is None else environment),
            cwd=folder or child_folder(),
            start_new_session=own_session,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._threads: list[Thread] = []
        for work, stream in ((self._write, process.stdin), (self._read, process.stdout), (self._note, process.stderr)):
            self._threads.append(Thread(target=work, args=(stream,), daemon=True))
            self._threads[-1].start()

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    def send(self, *parts: bytes) -> None:
        """Hand over bytes, from any thread; that the child is gone shows in its missing answers."""
        for part in parts:
            self._parts.put(part)

    def receive(self, seconds: float) -> bytes | None:
        """The next line of its answers, None behind the last.

        Raises:
            TimeoutError: none arrives in that time.
        """
        try:
            line = self._lines.get(timeout=seconds)
        except Empty:
            if self._process.poll() is not None:
                self.kill()  # and whatever else may hold its output open
            raise TimeoutError from None
        if line is None:
            self._lines.put(None)
        return line

    def end(self) -> int | None:
        """The exit status of a child that has closed its channel, None if it has to be killed; entered as a fault."""
        import subprocess

        from radcal.system import faults

        status = None
        try:
            status = self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
        faults.child_ended(self._module, status)
        self._threads[-1].join(1.0)
        return status

    def error_lines(self) -> list[str]:
        """The last lines of its error stream, to be searched: they may quote what it works on."""
        return [line.decode("utf-8", "replace").strip() for line in tuple(self._errors)]

    def kill(self) -> None:
        """Kill the child, and in a session of its own all that it may have started."""
        self._parts.put(None)
        if self._own_session and sys.platform != "win32":
            with suppress(OSError):
                os.killpg(self.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        for thread in self._threads:
            thread.join(1.0)

    def _write(self, stream: IO[bytes]) -> None:
        with suppress(OSError, ValueError), stream:
            while (part := self._parts.get()) is not None:
                stream.write(part)
                stream.flush()

    def _read(self, stream: IO[bytes]) -> None:
        left = self._max_bytes
        with suppress(OSError, ValueError), stream:  # a line that the child's death cut short
            while left >= 0 and (line := stream.readline(left + 1)):
                left -= len(line)
                self._on_line(line if left >= 0 else b"")
        self._on_line(None)

    def _note(self, stream: IO[bytes]) -> None:
        with suppress(OSError, ValueError), stream:
            while line := stream.readline(_LONGEST_LINE):
                self._errors.append(line)


def start_program(command: Sequence[str]) -> None:
    """Start a program of the hospital's, which outlives RadCal; no shell reads its arguments.

    It gets the user's environment without passphrases, and without the libraries of a packaged RadCal.

    Raises:
        InputError: it does not start, or ends at once with an error.
    """
    import subprocess

    packaged = _SEARCHED[1:] if getattr(sys, "frozen", False) else ()
    environment = {name: value for name, value in os.environ.items() if name not in (*SECRETS, *packaged)}
    program, quiet = Path(command[0]), subprocess.DEVNULL
    streams: dict[str, Any] = {"stdin": quiet, "stdout": quiet, "stderr": quiet, "start_new_session": True}
    try:
        process = subprocess.Popen(list(command), env=environment, cwd=program.parent, **streams)  # noqa: S603 - IT's
        status = process.wait(_AT_ONCE_SECONDS)
    except subprocess.TimeoutExpired:
        Thread(target=process.wait, daemon=True).start()  # so that it leaves nothing behind when it ends
        return
    except OSError as error:
        why = reason_of(error)
    else:
        why = Text("it ended at once, with exit status {status}", status=status) if status else EMPTY
    if why:
        raise InputError(
            "{name} cannot be started: {why}. Ask your IT department, which set it.", name=program.name, why=why
        )


def child_folder() -> Path:
    """Working folder of children: RadCal's own, because llama.cpp loads libraries from the current folder."""
    return Path(sys.executable).parent if getattr(sys, "frozen", False) else _PACKAGE


def run_child(module: str) -> None:
    """Entry point of children started by :func:`child_command`."""
    from importlib import import_module

    protect_memory()
    import_module(module).main()


def child_environment(prefixes: Sequence[str] = (), names: Sequence[str] = (), **own: str) -> dict[str, str]:
    """The environment of a child: essential variables, those named here, and ``own``.

    Search paths keep absolute folders only: an empty entry, as after a stray colon, means the current folder.

    Args:
        prefixes: of further inherited variables ("CUDA_"), in capitals
        names: further inherited variables, in capitals
        own: variables of the child alone, which take precedence
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
    """First call of each program: protect its memory and remove secrets from the environment.

    Programs started later, such as a PDF viewer, do not inherit them; :func:`secret` returns them.
    """
    protect_memory()
    for name in SECRETS:
        if name in os.environ:
            _taken[name] = os.environ.pop(name)


def secret(name: str) -> str | None:
    """The value of a variable of SECRETS, even after :func:`begin`; None if it is not set."""
    return os.environ.get(name, _taken.get(name))


def protect_memory() -> None:
    """Keep this process's memory from crash dumps and other programs of the same user.

    Core files are disabled.  On Linux the process can be neither dumped nor traced, nor its initial environment read;
    on Windows crash reports exclude the heap.  Children inherit only the first and call this themselves.
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


def stay_beside(parent: int) -> None:
    """Exit with the parent.  On systems other than Linux, the limits or the next write end the child."""
    if sys.platform == "linux":
        import ctypes

        death_signal = 1  # PR_SET_PDEATHSIG of prctl(2)
        ctypes.CDLL(None).prctl(death_signal, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)


def confine(memory: int, cpu: int) -> None:
    """Limit this process irrevocably: memory, CPU time, no written files, few open files, no child processes.

    macOS has no memory limit, and Windows none of these; there the parent's limits of time and output have to do.

    Args:
        memory: bytes of address space
        cpu: seconds from now on; what starting took is not the file's
    """
    if sys.platform == "win32":
        return
    import resource

    used = math.ceil(time.process_time())
    limits = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CPU: used + cpu,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: _FILES,
        resource.RLIMIT_NPROC: 0,
    }
    for what, most in limits.items():
        _, hard = resource.getrlimit(what)
        # At the hard limit, SIGKILL would hide the reason.
        ceiling = most + 1 if what == resource.RLIMIT_CPU else most
        if hard != resource.RLIM_INFINITY:
            most, ceiling = min(most, hard), min(ceiling, hard)  # a hard limit cannot be raised
        try:
            resource.setrlimit(what, (most, ceiling))
        except (OSError, ValueError):
            if sys.platform == "linux":
                raise
