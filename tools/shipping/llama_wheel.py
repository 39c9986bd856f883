"""Compiles llama.cpp for all processors of a kind, once for each version, and installs it into an environment.

    build/dist-venv/bin/python -m tools.shipping.llama_wheel build/llama-wheels

pip keeps what it has compiled, but by the version alone: what it has may be for the processor of one machine. So the
wheel is made here, without that store, and kept by its version, its hash and all that it was compiled with.

CMAKE_ARGS of the environment is added, for a GPU, say: its backend becomes a library of its own, too, and is left out
where its driver is missing.

Source: llama.cpp, docs/build.md and ggml/CMakeLists.txt.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

_PACKAGE = "llama-cpp-python"
_ANY_MACHINE = ("-DLLAVA_BUILD=OFF", "-DGGML_NATIVE=OFF")
_VARIANTS = (
    "-DGGML_BACKEND_DL=ON",
    "-DGGML_CPU_ALL_VARIANTS=ON",
    # Where llama_cpp has its libraries, and so that each finds the others beside it.
    "-DCMAKE_INSTALL_BINDIR=llama_cpp/lib",
    "-DCMAKE_INSTALL_RPATH=$ORIGIN",
)
_X86 = {"x86_64", "amd64"}


def cmake_arguments(machine: str, more: str = "") -> str:
    """What llama.cpp is compiled with, to run on every machine of a kind.

    Args:
        machine: the kind of processor, as Python's ``platform.machine()`` has it; variants are built for x86-64 alone,
            because a compiler must know every processor, and those in use know ARM's newer ones too rarely.
        more: further arguments, which take precedence.
    """
    variants = _VARIANTS if machine.lower() in _X86 else ()
    return " ".join([*_ANY_MACHINE, *variants, more]).strip()


def pinned(lock: str) -> str:
    """The lines of a lock file that name the package and its hashes, without extras, which change nothing in it.

    Raises:
        ValueError: it does not name the package.
    """
    entry = re.search(rf"^{re.escape(_PACKAGE)}(\[[\w,-]+\])?==\S+(?: \\\n +--hash=\S+)+", lock, re.MULTILINE)
    if entry is None:
        raise ValueError(f"The lock file does not name {_PACKAGE}. Make it anew: make lock")
    return entry[0].replace(entry[1] or "", "", 1) + "\n"


def wheel(entry: str, arguments: str, folder: Path) -> Path:
    """The wheel of an entry of the lock file, compiled with these arguments unless the folder has it.

    Raises:
        subprocess.CalledProcessError: it cannot be compiled; the compiler has said why.
    """
    told = "\n".join([entry, arguments, platform.system(), platform.machine()])
    kept = folder / hashlib.sha256(told.encode()).hexdigest()[:16]
    if found := list(kept.glob("*.whl")):
        return found[0]
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as place:
        wanted = Path(place) / "llama.lock"
        wanted.write_text(entry, encoding="utf-8")
        made = Path(place) / "made"
        _pip(
            *("wheel", "--no-cache-dir", "--no-deps", "--require-hashes", "--no-binary", _PACKAGE),
            *("--wheel-dir", str(made), "--requirement", str(wanted)),
            environment={**os.environ, "CMAKE_ARGS": arguments},
        )
        made.rename(kept)
    return next(kept.glob("*.whl"))


def _pip(*arguments: str, environment: dict[str, str] | None = None) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--retries", "10"]
    subprocess.run([*command, "--timeout", "60", *arguments], check=True, env=environment)  # noqa: S603 - pip


def main(argv: Sequence[str] | None = None) -> int:
    """Install llama.cpp for all machines into the environment that runs this."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where wheels are kept")
    parser.add_argument("--lock", type=Path, default=Path("requirements.lock"))
    options = parser.parse_args(argv)
    arguments = cmake_arguments(platform.machine(), os.environ.get("CMAKE_ARGS", ""))
    entry = pinned(options.lock.read_text(encoding="utf-8"))
    file = wheel(entry, arguments, options.folder)
    _pip("install", "--no-deps", "--force-reinstall", str(file))
    print(f"{file.name}, compiled with {arguments}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
