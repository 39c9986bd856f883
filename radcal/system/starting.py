"""Program start: Ctrl+C during imports ends the program with a message instead of a traceback.

The entry points import this module first; it imports next to nothing.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence

STOPPED = 130
"""Exit status after Ctrl+C."""


def run_stoppable(load: Callable[[], Callable[[Sequence[str] | None], int]], argv: Sequence[str] | None) -> int:
    """Load and run a program; until it handles Ctrl+C itself, Ctrl+C ends the process at once.

    Args:
        load: imports the program and returns its main function, without opening or writing any file.
        argv: passed to the main function.
    """
    before = signal.signal(signal.SIGINT, _stop)
    try:
        return load()(argv)
    finally:
        signal.signal(signal.SIGINT, before)


def _stop(*_: object) -> None:
    # No exception: during an import it could be swallowed, or leave a half-initialised module.
    os.write(2, b"Stopped.\n")
    os._exit(STOPPED)
