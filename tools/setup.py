"""Sets RadCal up in an environment, step by step and aloud, and compiles llama.cpp beside the window.

    python3 -m tools.setup run .venv    what running needs (requirements-run.lock), without llama.cpp
    python3 -m tools.setup all .venv    also what tests and builds need (requirements.lock), with llama.cpp
    .venv/bin/python -m tools.setup beside COMMAND...    runs a command; llama.cpp is compiled meanwhile, if it is due
    .venv/bin/python -m tools.setup llama                compiles llama.cpp into the environment that runs this

Needs nothing but Python's library.  What was interrupted is taken up again: pip keeps its downloads, and the compiler
its object files.  A finished build is kept by its version, options and processor, and never made twice.

CMAKE_ARGS of the environment is what llama.cpp is compiled with; without it, everything but its part for images.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any

from radcal.findings.model.library import FOLDER, STATE, library
from tools.shipping.llama_wheel import pinned

ROOT = Path(__file__).resolve().parents[1]
RUN_LOCK, FULL_LOCK = ROOT / "requirements-run.lock", ROOT / "requirements.lock"
CAUSES = {
    "compiler": r"CMAKE_(C|CXX)_COMPILER\b.*(not set|could be found|not able to compile)|No CMAKE_(C|CXX)_COMPILER",
    "space": r"No space left on device|Errno 28",
    "memory": r"Killed signal terminated program|virtual memory exhausted|out of memory allocating",
    "network": r"NewConnectionError|ConnectTimeout|ReadTimeout|Temporary failure|No matching distribution",
}
"""Why a build fails, and how that shows in what pip and the compiler say; the first that is found counts."""
_LLAMA = "llama-cpp-python"
_BACKEND = "hatchling"
"""What builds RadCal's own package."""
_DOWNLOADED = re.compile(r"\s*(?:Downloading|Using cached) (?:\S*/)?([A-Za-z0-9_.]+?)-\d\S* \(([\d.]+) ([kM]B)\)")
_INSTALLING = re.compile(r"Installing collected packages: (.*)")
_COMPILED = re.compile(r"^\s*\[\s*(\d+)(?:/(\d+)|(%))\]")
_SILENCE = 5.0
"""Seconds without a line after which set-up says that it is still at it."""
_NICE = 10


class SetupError(Exception):
    """A step failed; the message says what pip said, ``cause`` is one of CAUSES or 'other'."""

    def __init__(self, lines: Sequence[str]) -> None:
        errors = [line for line in lines if "error" in line.casefold()][-3:] or list(lines[-3:])
        super().__init__("\n".join(errors))
        said = "\n".join(lines)
        self.cause = next((name for name, signs in CAUSES.items() if re.search(signs, said)), "other")


def entries(lock: str) -> list[tuple[str, str, set[str]]]:
    """The packages of a lock file: name, pin with its hashes, and the packages that need it."""
    found = []
    for block in re.split(r"^(?=[a-z0-9])", lock, flags=re.MULTILINE):
        lines = block.splitlines()
        if lines and "==" in lines[0]:
            kept = [line for line in lines if not line.lstrip().startswith("#")]
            via = {line.strip("# ").removeprefix("via ").strip() for line in lines if line.lstrip().startswith("#")}
            found.append((re.split(r"[\[=]", lines[0])[0], "\n".join(kept).strip() + "\n", via))
    return found


def wanted(tests: bool) -> str:
    """The pins to be installed in the first step: all but llama.cpp, and what builds RadCal's own package.

    Args:
        tests: with what tests and builds need.
    """
    full = entries(FULL_LOCK.read_text("utf-8"))
    if tests:
        return "".join(pin for name, pin, _ in full if name != _LLAMA)
    run = {pin for name, pin, _ in entries(RUN_LOCK.read_text("utf-8")) if name != _LLAMA}
    return "".join(sorted(run | {pin for name, pin, via in full if _BACKEND in {name, *via}}))


def install(environment: Path, *, tests: bool) -> None:
    """Make an environment with all but llama.cpp; says what it does.

    Raises:
        SetupError: pip could not install it.
    """
    began, python = time.monotonic(), _python(environment)
    if not python.is_file():
        print(f"Step 1 of 3: making the environment {environment}", flush=True)
        _make(environment)
    print("Step 2 of 3: installing packages", flush=True)
    pins = environment / "wanted.lock"
    pins.write_text(wanted(tests), "utf-8")
    # What is compiled when it is first imported need not be compiled before the window is seen.
    how = ("--no-deps", "--require-hashes", *(() if tests else ("--no-compile",)))
    _pip(python, _Packages(environment).tell, "install", *how, "-r", str(pins))
    pins.unlink()
    print("Step 3 of 3: RadCal itself", flush=True)
    _pip(python, _nothing, "install", "--no-deps", "--no-build-isolation", "--no-index", "--editable", str(ROOT))
    if not tests and not (environment / ".installed").exists():
        needed = {name for name, _, _ in entries(RUN_LOCK.read_text("utf-8"))}
        full = entries(FULL_LOCK.read_text("utf-8"))
        _pip(python, _nothing, "uninstall", "--yes", *sorted({n for n, _, v in full if _BACKEND in {n, *v}} - needed))
    print(f"Set up in {time.monotonic() - began:.0f} s.", flush=True)


def _make(environment: Path) -> None:
    process = subprocess.Popen([sys.executable, "-m", "venv", str(environment)])  # noqa: S603 - our own command
    while process.poll() is None:
        try:
            process.wait(_SILENCE)
        except subprocess.TimeoutExpired:
            print("  still at it", flush=True)
    if process.returncode:
        raise SetupError([f"error: Python could not make {environment}: is its module venv installed?"])


class _Packages:
    """Says what pip downloads and how far it has installed that."""

    def __init__(self, environment: Path) -> None:
        self._environment, self._n, self._megabytes, self._total = environment, 0, 0.0, 0
        self._last = time.monotonic()

    def tell(self, line: str | None) -> None:
        """Take a line of pip, None for a second without one."""
        if line is not None and (found := _DOWNLOADED.match(line)):
            name, size = found[1], float(found[2]) / (1 if found[3] == "MB" else 1000)
            self._n, self._megabytes = self._n + 1, self._megabytes + size
            if size >= 1:
                self._say(f"{name}, {size:.0f} MB")
        elif line is not None and (found := _INSTALLING.match(line)):
            self._total = found[1].count(",") + 1
            self._say(f"{self._total} packages are here ({self._megabytes:.0f} MB); unpacking them")
        elif time.monotonic() - self._last > _SILENCE:
            there = len(list(self._environment.glob("lib/python*/site-packages/*.dist-info")))
            so_far = f"{self._n} packages so far, {self._megabytes:.0f} MB"
            self._say(f"unpacked {min(there, self._total)} of {self._total}" if self._total else so_far)

    def _say(self, text: str) -> None:
        self._last = time.monotonic()
        print(f"  {text}", flush=True)


def _python(environment: Path) -> Path:
    return environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def _nothing(_line: str | None) -> None:
    """Nothing to say."""


def _pip(python: Path, tell: Callable[[str | None], None], *arguments: str, **environment: str) -> None:
    """Run pip; ``tell`` takes each of its lines, and None for each second without one.

    Raises:
        SetupError: it failed.
    """
    command = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "--retries", "10", "--timeout"]
    process = subprocess.Popen(  # noqa: S603 - pip
        [*command, "60", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env={**os.environ, "PYTHONUNBUFFERED": "1", **environment},
    )
    lines: list[str] = []
    try:
        for line in _lines(process):
            tell(line)
            if line is not None:
                lines.append(line)
        if process.wait():
            raise SetupError(lines)
    finally:
        process.kill()


def _lines(process: subprocess.Popen[str]) -> Iterator[str | None]:
    """The lines of a process as they come, and None for each second without one."""
    queue: SimpleQueue[str | None] = SimpleQueue()
    stream = process.stdout
    assert stream is not None  # noqa: S101 - it is a pipe, for the type checker

    def read() -> None:
        with stream:
            for line in stream:
                queue.put(line.rstrip())
        queue.put(None)

    Thread(target=read, daemon=True).start()
    while True:
        try:
            if (line := queue.get(timeout=1.0)) is None:
                return
        except Empty:
            line = None
        yield line


class Build:
    """The build of llama.cpp into an environment, which says how far it is in a file that the window reads.

    Args:
        environment: into which it is installed, and in whose folder it is compiled.
        kept: where finished builds are kept.
    """

    def __init__(self, environment: Path, kept: Path) -> None:
        self._folder = environment / FOLDER
        self._python = _python(environment)
        self._entry = pinned(RUN_LOCK.read_text("utf-8"))
        self._arguments = os.environ.get("CMAKE_ARGS", "-DLLAVA_BUILD=OFF")
        told = [self._entry, self._arguments, platform.system(), _processor(), platform.python_version()]
        self._kept = kept / hashlib.sha256("\n".join(told).encode()).hexdigest()[:16]
        self._began, self._written = time.monotonic(), 0.0
        self._whole = 0
        """Steps of the compiler in all, as an interrupted build has counted them."""
        with suppress(OSError, ValueError):
            self._whole = json.loads((self._folder / STATE).read_text("utf-8")).get("total", 0)

    def run(self) -> str:
        """Compile and install it; returns '', or why it cannot be: one of CAUSES or 'other'."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / "lock").open("w") as lock:
            _wait_for(lock)  # another process may be building it
            return self._run() if is_due() else ""

    def _run(self) -> str:
        with (self._folder / "log.txt").open("w", encoding="utf-8") as self._log:
            try:
                wheel = next(self._kept.glob("*.whl"), None) or self._compiled()
                self._say("installing")
                self._pip("install", "--no-deps", "--no-index", "--force-reinstall", str(wheel))
            except (SetupError, OSError) as error:
                self._log.write(f"{error}\n")
                cause = error.cause if isinstance(error, SetupError) else "space" if error.errno == 28 else "other"
                self._say("failed", cause=cause)
                return cause
            for place in ("source", "objects"):
                shutil.rmtree(self._folder / place, ignore_errors=True)
            self._say("done")
            return ""

    def _compiled(self) -> Path:
        source = self._folder / "source"
        self._say("downloading")
        if not (source / "complete").exists():
            shutil.rmtree(source, ignore_errors=True)
            (self._folder / "llama.lock").write_text(self._entry, "utf-8")
            where = ("-d", str(source), "-r", str(self._folder / "llama.lock"))
            self._pip("download", "--no-deps", "--no-binary", _LLAMA, "--require-hashes", *where)
            with tarfile.open(next(source.glob("*.tar.gz"))) as archive:
                archive.extractall(source / "unpacked", filter="data")
            (source / "complete").touch()
        made = self._folder / "made"
        self._say("compiling")
        self._began = time.monotonic()
        self._pip(
            *("wheel", "-v", "--no-deps", "--no-cache-dir", "--wheel-dir", str(made)),
            *("--config-settings", f"build-dir={self._folder / 'objects'}", str(next((source / "unpacked").iterdir()))),
            CMAKE_ARGS=self._arguments,
        )
        self._kept.mkdir(parents=True, exist_ok=True)
        for wheel in made.glob("*.whl"):
            shutil.move(wheel, self._kept / f"{wheel.name}.part")
            (self._kept / f"{wheel.name}.part").replace(self._kept / wheel.name)
        return next(self._kept.glob("*.whl"))

    def _pip(self, *arguments: str, **environment: str) -> None:
        _pip(self._python, self._heard, *arguments, **environment)

    def _heard(self, line: str | None) -> None:
        if line is not None:
            self._log.write(f"{line}\n")
            self._log.flush()
        if found := _COMPILED.match(line or ""):
            self._count(int(found[1]), int(found[2] or 100))
        elif time.monotonic() - self._written > 1:
            self._say(**self._told)

    def _count(self, done: int, total: int) -> None:
        """``done`` steps of those that are left; an interrupted build has done the others before."""
        whole = self._whole = max(total, self._whole)
        spent = time.monotonic() - self._began
        left = spent / done * (total - done) if spent > 5 else None
        self._say("compiling", done=whole - total + done, total=whole, left=left)

    def _say(self, phase: str, **values: Any) -> None:
        self._told = {"phase": phase, **values}
        self._written = time.monotonic()
        file = self._folder / STATE
        file.with_suffix(".part").write_text(json.dumps({**self._told, "at": time.time()}), "utf-8")
        file.with_suffix(".part").replace(file)


def _wait_for(lock: IO[str]) -> None:
    """Take the lock of a file until it is closed."""
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_EX)


def _processor() -> str:
    """What llama.cpp is compiled for: the instruction sets of this processor, as far as the system tells them."""
    with suppress(OSError):
        found = re.search(r"^(flags|Features)\s*: (.*)", Path("/proc/cpuinfo").read_text("utf-8"), re.MULTILINE)
        return found[2] if found else ""
    return platform.processor()


def _kept_builds() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "radcal-builds"


def is_due() -> bool:
    """Whether the pinned llama.cpp is not in the environment that runs this."""
    try:
        there = version(_LLAMA)
    except PackageNotFoundError:
        return True
    return not library().ready or not pinned(RUN_LOCK.read_text("utf-8")).startswith(f"{_LLAMA}=={there} ")


def beside(command: Sequence[str]) -> int:
    """Run a command, and build llama.cpp meanwhile if it is due; returns the command's exit status.

    When the command has ended and the build has not, it goes on with its progress until it has, or until Ctrl+C.
    """
    builder = None
    if is_due():
        print("llama.cpp, the second reader, is compiled meanwhile; until then the rules read alone.", flush=True)
        builder = _builder(Path(sys.executable))
    process = subprocess.Popen(command)  # noqa: S603 - the Makefile's
    # Ctrl+C is for the command, which ends in its own way.
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    status = process.wait()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if builder is not None:
        if status in (0, 1) and builder.poll() is None:
            print("llama.cpp is still being compiled. Ctrl+C stops that; the next make run takes it up.", flush=True)
            _wait(builder, Path(sys.prefix))
        _stop(builder)
        print(library().problem or "llama.cpp is ready.", flush=True)
    return status


def _builder(python: Path) -> subprocess.Popen[bytes]:
    """The process that builds llama.cpp, in a session of its own, so that it ends with all that it starts."""
    return subprocess.Popen(  # noqa: S603 - our own module
        [str(python), "-m", "tools.setup", "llama"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _wait(builder: subprocess.Popen[bytes], environment: Path) -> None:
    """Say how far the build is until it has ended, or Ctrl+C."""
    with suppress(KeyboardInterrupt):
        while builder.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                builder.wait(_SILENCE)
            state = library(environment)
            if builder.poll() is None and state.doing:
                left = f", about {math.ceil(state.left / 60)} min left" if state.left else ""
                print(f"  {state.why_not.rstrip('.')}{left}", flush=True)


def _stop(builder: subprocess.Popen[bytes]) -> None:
    if builder.poll() is None and sys.platform != "win32":
        with suppress(OSError):
            os.killpg(builder.pid, signal.SIGTERM)
    builder.wait()


def _everything(environment: Path) -> int:
    """Install what tests need, llama.cpp beside the packages; returns the exit status."""
    if not _python(environment).is_file():
        print(f"Making the environment {environment}", flush=True)
        _make(environment)
    builder = _builder(_python(environment))
    try:
        install(environment, tests=True)
        _wait(builder, environment)
    finally:
        _stop(builder)
    if builder.returncode:
        print(library(environment).why_not, file=sys.stderr)
    return builder.returncode


def main(argv: Sequence[str]) -> int:
    """Do what the command line says; returns the exit status."""
    what, *rest = argv
    if what == "beside":
        return beside(rest)
    if what == "llama":
        os.nice(_NICE)
        return int(Build(Path(sys.prefix), _kept_builds()).run() != "")
    try:
        if what == "all":
            return _everything(Path(rest[0]))
        install(Path(rest[0]), tests=False)
    except SetupError as error:
        print(f"Set-up could not finish:\n{error}\nWhat was downloaded is kept: mend this, then run make again.")
        return 1
    except KeyboardInterrupt:
        print("Stopped. The next make takes it up again.")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
