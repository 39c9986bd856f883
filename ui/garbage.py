"""Cyclic garbage collection in the GUI thread only, when it goes unnoticed.

Python collects in whatever thread happens to allocate; a widget that is freed in a worker takes the
program down with it.  So automatic collection is off, and a timer collects where widgets may die.

A collection takes as long as there are objects to look at, and the window stands still for it.  Work in the
background makes 100,000 of them in a moment, which go by themselves when it is done: meanwhile new objects are
looked at in small portions or not at all, and old ones only once it is done.
"""

from __future__ import annotations

import gc
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Slot

_EVERY_MS, _AT_WORK_MS = 500, 100
_PORTION = 20_000
"""More new objects than that (some 10 ms) are the rows of some table, and left alone during work."""
_AT_LAST = 1_000_000
"""So many objects are too many to wait for the end of the work."""


class GarbageCollector(QObject):
    """Collects on a timer of the GUI thread until :meth:`stop`.

    New objects are collected once there are more of them than Python's own threshold; all objects once a quarter
    as many have been added as there were (Python's own rule, too).  During work both wait where they would take long.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._new = gc.get_threshold()[0]
        self._old = len(gc.get_objects())
        self._added = 0
        self._at_work: Callable[[], bool] | None = None
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.check)
        gc.disable()
        self._timer.start(_EVERY_MS)

    def follow(self, at_work: Callable[[], bool]) -> None:
        """``at_work`` tells whether background work is running; it must outlive the collector."""
        self._at_work = at_work

    @Slot()
    def check(self) -> None:
        """Collect if due."""
        at_work = self._at_work is not None and self._at_work()
        n = gc.get_count()[0]
        if self._new < n and not (at_work and _PORTION < n < _AT_LAST):
            gc.collect(1)  # what is left of them is old from now on
            self._added += n
        if self._added > (_AT_LAST if at_work else self._old // 4):
            gc.collect()
            self._added, self._old = 0, len(gc.get_objects())
        interval = _AT_WORK_MS if at_work else _EVERY_MS
        if interval != self._timer.interval():
            self._timer.setInterval(interval)

    def stop(self) -> None:
        """Re-enable Python's own collection."""
        self._timer.stop()
        gc.enable()
