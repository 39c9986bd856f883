"""Opens and closes the window again and again, and watches what the process holds.

    python benchmarks/bench_cycles.py [CYCLES]

Each cycle opens the window with a small fictitious department, shows every page, and closes the window.  Growth is
measured from the fiftieth cycle on, once libraries are loaded and caches full.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import time
from pathlib import Path

from measuring import resident_megabytes

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

_WARM = 50


def main() -> int:
    """Print memory and widgets by cycle."""
    cycles = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    from PySide6.QtCore import QDeadlineTimer, QEventLoop, QSettings
    from PySide6.QtWidgets import QApplication

    from ui.garbage import GarbageCollector
    from ui.theme import Theme
    from ui.window.main_window import MainWindow

    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    with tempfile.TemporaryDirectory() as folder:
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, folder)
        path = Path(folder) / "small.radcal"
        _small(path)
        theme = Theme(app)
        collector = GarbageCollector()

        def until(done) -> None:  # type: ignore[no-untyped-def]  # a local helper
            deadline = QDeadlineTimer(60_000)
            while not done() and not deadline.hasExpired():
                app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
            assert done(), "the window did not come to rest"

        began, first = time.perf_counter(), 0.0
        for cycle in range(1, cycles + 1):
            window = MainWindow(theme)
            gone: list[bool] = []
            window.destroyed.connect(lambda *_, gone=gone: gone.append(True))
            window.show()
            window.entrance.open_workspace(path, _PASSPHRASE)
            until(lambda window=window: window.session.current is not None)
            for key in window.stages:
                window.show_page(key)
                until(lambda window=window: window.tasks.is_idle)
            window.finish()
            until(lambda gone=gone: bool(gone))
            app.processEvents()  # events after the window's destruction
            del window
            gc.collect()
            if cycle == _WARM:
                first = resident_megabytes()
            if cycle % 25 == 0:
                widgets = len(app.allWidgets())
                print(f"cycle {cycle:4}: {resident_megabytes():6.1f} MB, {widgets} widgets left", flush=True)
        seconds = time.perf_counter() - began
        if cycles > _WARM:
            grown = resident_megabytes() - first
            print(f"{cycles} cycles in {seconds:.0f} s; from cycle {_WARM} on {grown:+.1f} MB, "
                  f"{1000 * grown / (cycles - _WARM):+.0f} kB a cycle")  # fmt: skip
        collector.stop()
    return 0


_PASSPHRASE = "correct horse battery"  # noqa: S105 - of invented reports


def _small(path: Path) -> None:
    """An analysed department of a few hundred fictitious pairs."""
    from radcal.opening import open_department
    from radcal.reports.importing import as_files
    from radcal.sample.department import generate

    sample = generate(path.parent / "reports", 300, 0)
    with open_department(path, _PASSPHRASE, create=True) as department:
        department.importing.import_reports(as_files(xray=[sample.xray], ct=[sample.ct]))
        department.importing.pair()
        department.runs.extract()
        department.analyse()


if __name__ == "__main__":
    sys.exit(main())
