"""Responsiveness of the window while report files are counted and imported.

    python benchmarks/bench_import_window.py [ROWS]

A timer of the GUI thread ticks every 5 ms while the worker previews an import, and then imports and pairs the reports.
The longest interval between two ticks is the longest freeze of the window.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from bench_scale import write
from measuring import run_times
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from radcal.opening import open_department
from radcal.reports.importing import ReportFile, as_files
from radcal.system.progress import Progress
from ui.garbage import GarbageCollector
from ui.pages.reports.importing.work import Counting
from ui.tasks import Tasks

_BEAT_MS = 5
_PASSPHRASE = "correct horse battery"  # noqa: S105 - of invented reports


def main() -> int:
    """Print freezes."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    app = QApplication(sys.argv[:1])
    collector, tasks = GarbageCollector(), Tasks()
    collector.follow(lambda: not tasks.is_idle)
    beats: list[float] = []
    heart = QTimer()
    heart.timeout.connect(lambda: beats.append(time.perf_counter()))
    heart.start(_BEAT_MS)
    failed: list[Any] = []

    def measure(what: str, work: Callable[[Progress], object]) -> None:
        def run(progress: Progress) -> float:
            [seconds] = run_times(lambda: work(progress), 1)
            return seconds

        def fail(failure: Any) -> None:
            failed.append(failure)
            app.quit()

        took: list[float] = []
        beats.clear()
        tasks.start("work", run, done=lambda seconds: (took.append(seconds), app.quit()), failed=fail)
        app.exec()
        if not failed:
            still = 1000 * np.diff(beats)
            print(f"{what}: {took[0]:.1f} s; the window stood still for {still.max():.0f} ms at most, 99 % of the time "
                  f"for {np.percentile(still, 99):.0f} ms; load {os.getloadavg()[0]:.1f}")  # fmt: skip

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "reports.csv"
        write(path, rows)
        print(f"{rows:,} rows, {path.stat().st_size / 1e6:.0f} MB")
        counting = Counting()
        measure("counted", lambda progress: counting.count([ReportFile(path)], None, progress))
        measure("counted again", lambda progress: counting.count([ReportFile(path)], None, progress))
        counting.forget()

        def bring_in(progress: Progress) -> None:
            with open_department(Path(folder) / "new.radcal", _PASSPHRASE, create=True) as department:
                department.importing.import_reports(as_files(reports=[path]), progress)
                department.importing.pair(progress)

        measure("imported and paired", bring_in)
    tasks.abandon(None)
    collector.stop()
    for failure in failed:
        print(failure.text or failure.technical, file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
