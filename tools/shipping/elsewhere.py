"""Lets the packaged llama.cpp read a sentence on processors that are older than this one, which QEMU imitates.

    python -m tools.shipping.elsewhere dist/radcal [--processors Nehalem,Haswell]

The child process that holds the model, and nothing else, runs under QEMU (Debian and Ubuntu: the package qemu-user). An
instruction that a processor does not have ends the process, as it would there. Without a folder, the llama.cpp of this
environment is tried, which on most machines is built for their processor alone, and fails.

Exit status: 0 if it reads on every processor, 1 if not.
"""

from __future__ import annotations

import argparse
import csv
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from unittest.mock import patch

from radcal import cli
from radcal.findings.model import process
from radcal.findings.model.process import abilities
from radcal.system import processes
from radcal.system.errors import RadcalError

_QEMU = "qemu-x86_64"
_PROCESSORS = "Nehalem,SandyBridge,IvyBridge,Haswell"
"""A processor of each step that llama.cpp tells apart and QEMU can imitate, oldest first: of 2008, 2011, 2012, 2013."""
_SENTENCE = "Findings: Small right pleural effusion."


def command(program: Path | None, processor: str, module: str) -> list[str]:
    """The command of a child process on another processor.

    Args:
        program: the folder of the packaged program; None for this environment.
    """
    own = processes.child_command(module) if program is None else [str(program / "radcal"), processes.CHILD, module]
    # A packaged program starts itself again, with these variables, so that the loader finds its libraries; what is
    # started so would leave QEMU.
    started = (
        {}
        if program is None
        else {
            "LD_LIBRARY_PATH": str(program / "_internal"),
            "_PYI_ARCHIVE_FILE": str(program / "radcal"),
            "_PYI_PARENT_PROCESS_LEVEL": "0",
        }
    )
    return [
        _QEMU,
        "-cpu",
        processor,
        *(part for name, value in started.items() for part in ("-E", f"{name}={value}")),
        *own,
    ]


def reads(program: Path | None, processor: str) -> tuple[bool, str]:
    """Whether a sentence is read on a processor, and which instruction sets were in use, or why not."""
    start = partial(command, program, processor)
    try:
        with patch.object(process, "child_command", start), tempfile.TemporaryDirectory() as name:
            used = ", ".join(abilities().processor)
            reports, findings = Path(name) / "reports.csv", Path(name) / "findings.csv"
            with reports.open("w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerows([["report_id", "text"], ["1", _SENTENCE]])
            status = cli.main(["extract", str(reports), "--set", "engine=llama", "--out", str(findings)])
            done = status == 0 and "pleural effusion" in findings.read_text(encoding="utf-8")
            return done, used
    except RadcalError as error:
        return False, str(error)


def main(argv: Sequence[str] | None = None) -> int:
    """Try some processors; 0 if a sentence is read on every one."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("program", type=Path, nargs="?", help="the packaged program, such as dist/radcal")
    parser.add_argument("--processors", default=_PROCESSORS, help="as QEMU names them (default: %(default)s)")
    options = parser.parse_args(argv)
    if shutil.which(_QEMU) is None:
        parser.error(f"{_QEMU} is not installed (Debian and Ubuntu: the package qemu-user)")
    program = options.program and options.program.resolve()
    worked = []
    for processor in options.processors.split(","):
        done, told = reads(program, processor)
        worked.append(done)
        print(f"{processor}: {'a sentence was read' if done else 'nothing was read'}; {told}", flush=True)
    return 0 if all(worked) else 1


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
