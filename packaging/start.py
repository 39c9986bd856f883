"""Starts the packaged RadCal: its window, its command line, or one of its child processes."""

from __future__ import annotations

import sys
from pathlib import Path

CHILDREN = ("radcal.findings.model.worker", "radcal.reports.parsing_child", "radcal.system.workers")
"""What the program may start itself as: see :func:`radcal.system.processes.child_command`."""


def main() -> int:
    """Do what the program was started as: ``radcal-gui`` opens the window, ``radcal`` is the command line."""
    if sys.argv[1:2] == ["--child"] and sys.argv[2:] and sys.argv[2] in CHILDREN:
        # The program starts itself again, because a packaged one has no Python beside it.
        from radcal.system.processes import run_child

        run_child(sys.argv[2])
        return 0
    if Path(sys.executable).stem == "radcal-gui":
        from ui import start as window

        return window()
    from radcal.cli import start as command

    return command()


if __name__ == "__main__":
    sys.exit(main())
