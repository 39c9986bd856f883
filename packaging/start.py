"""Starts the packaged RadCal: its window, its command line, or the process in which a model runs."""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> int:
    """Do what the program was started as: ``radcal-gui`` opens the window, ``radcal`` is the command line."""
    if sys.argv[1:2] == ["--extraction-worker"]:
        # The program starts itself again, because a packaged one has no Python beside it.
        from radcal.extract.llama.worker import main as worker

        worker()
        return 0
    if Path(sys.executable).stem == "radcal-gui":
        from ui.app import main as window

        return window()
    from radcal.cli import main as command

    return command()


if __name__ == "__main__":
    sys.exit(main())
