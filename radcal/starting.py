"""The start of a program: Ctrl+C during imports ends it with a message instead of a traceback.

Imports next to nothing itself, and is what the entry points import first.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence

STOPPED = 130
"""Exit status of a program that was stopped by Ctrl+C."""


def run_stoppable(load: Callable[[], Callable[[Sequence[str] | None], int]], argv: Sequence[str] | None) -> int:
    """Load a program and run it; until it handles Ctrl+C itself, that ends the process at once.

    Args:
        load: imports the program, and returns what runs it; nothing may be open or half written before that runs.
        argv: handed on.
    """
    before = signal.signal(signal.SIGINT, _stop)
    try:
        return load()(argv)
    finally:
        signal.signal(signal.SIGINT, before)


def _stop(*_: object) -> None:
    # Not by an exception: in the middle of an import it would be lost, or leave half a module behind.
    os.write(2, b"Stopped.\n")
    os._exit(STOPPED)
