"""Cyclic garbage is collected in the GUI thread only.

Python collects in whatever thread happens to allocate; a widget that is freed in a worker takes the
program down with it.  So automatic collection is off, and a timer collects where widgets may die.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

_EVERY_MS = 500


class GarbageCollector(QObject):
    """Collects by Python's own thresholds, from a timer of the GUI thread, until :meth:`stop`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thresholds = gc.get_threshold()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.check)
        gc.disable()
        self._timer.start(_EVERY_MS)

    def check(self) -> None:
        """Collect the oldest generation whose threshold was passed."""
        for generation in (2, 1, 0):
            if gc.get_count()[generation] > self._thresholds[generation]:
                gc.collect(generation)
                return

    def stop(self) -> None:
        """Give collection back to Python."""
        self._timer.stop()
        gc.enable()
