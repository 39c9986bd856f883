"""Progress in a terminal, and stopping with Ctrl+C."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

from radcal.system.errors import Cancelled
from radcal.system.text import EMPTY, Text

if TYPE_CHECKING:
    from tqdm import tqdm


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """Ctrl+C raises KeyboardInterrupt at once: while waiting for input there is no next safe point."""
    patient = {n: signal.signal(n, signal.default_int_handler) for n in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in patient.items():
            signal.signal(number, handler)


class Bar:
    """A Progress drawn as a bar on standard error; silent if that is not a terminal."""

    def __init__(self) -> None:
        self._bar: tqdm[Any] | None = None
        self._stop = False

    def stop(self, _signal: int, _frame: FrameType | None) -> None:
        """Stop the running work at its next safe point; the second time at once."""
        if self._stop:
            raise KeyboardInterrupt
        self._stop = True

    def start(self, total: int | None, what: Text) -> None:
        """Start a new bar."""
        from tqdm import tqdm

        self.close()
        self._bar = tqdm(
            total=total, desc=what, unit="", file=sys.stderr, disable=None, dynamic_ncols=True, leave=False
        )

    def advance(self, n: int = 1, note: Text = EMPTY) -> None:
        """Move the bar on."""
        if self._bar is not None:
            if note:
                self._bar.set_postfix_str(note, refresh=False)
            self._bar.update(n)

    def raise_if_cancelled(self) -> None:
        """Raise Cancelled once the user has pressed Ctrl+C."""
        if self._stop:
            raise Cancelled("Stopped.")

    def close(self) -> None:
        """Remove the bar from the screen."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None
