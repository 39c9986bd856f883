"""Cyclic garbage collection in the GUI thread only, at moments when it is not noticeable.

Python collects in whichever thread allocates; a widget freed in a worker thread crashes the program.  So automatic
collection is off, and a timer collects in the GUI thread.

The duration of a collection grows with the number of objects, and the window is blocked meanwhile.  Background work
creates 100,000 objects in a moment, which are freed without collection at its end: until then new objects are collected
in small portions or not at all, and old ones not before.

Imported modules are most of the objects, and stay: once they are there, they are left out of all collections, which
would take a quarter of a second with them.
"""

from __future__ import annotations

import gc
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Slot

_EVERY_MS, _AT_WORK_MS = 500, 100
_PORTION = 20_000
"""More new objects than this (some 10 ms) are probably table rows, and not collected during work."""
_AT_LAST = 1_000_000
"""More objects than this are collected even during work."""


class GarbageCollector(QObject):
    """Collects on a timer of the GUI thread until :meth:`stop`.

    New objects are collected above Python's own threshold; all objects once their number has grown by a quarter (as in
    Python).  During work, long collections are postponed.
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
    def keep(self) -> None:
        """Leave what is there now out of all further collections: it stays until the program ends."""
        gc.freeze()
        self._added, self._old = 0, len(gc.get_objects())

    @Slot()
    def check(self) -> None:
        """Collect if due."""
        at_work = self._at_work is not None and self._at_work()
        n = gc.get_count()[0]
        if self._new < n and not (at_work and _PORTION < n < _AT_LAST):
            gc.collect(1)  # survivors count as old from now on
            self._added += n
        if self._added > (_AT_LAST if at_work else self._old // 4):
            gc.collect()
            self._added, self._old = 0, len(gc.get_objects())
        interval = _AT_WORK_MS if at_work else _EVERY_MS
        if interval != self._timer.interval():
            self._timer.setInterval(interval)

    def stop(self) -> None:
        """Re-enable Python's own collection, of everything."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()
