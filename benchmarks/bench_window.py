"""Latency from a selection to the drawn diagram, with 1,000,000 findings in the workspace.

    python benchmarks/bench_window.py [FINDINGS] [CHOICES]

Creates an encrypted workspace of artificial findings, opens it in the window, selects random groups, and times each
selection until the page is painted: for all dates (precomputed) and for some dates (computed on demand).  Groups with
too few findings show a message in place of the diagram and are timed as well.  The reference is an empty pyqtgraph
diagram of the same size with a new line, repainted in the same run.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np
from measuring import resident_megabytes

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

_PASSPHRASE = "correct horse battery"  # noqa: S105 - of invented findings
_AUTHORS, _TOPICS = 40, 14


def main() -> int:
    """Print times and memory."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    choices = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    sys.stdout.reconfigure(line_buffering=True)  # results appear at once, even in a file
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.radcal"
        if len(sys.argv) <= 3:  # in a separate process, whose memory does not count as the window's
            import subprocess

            subprocess.run(  # noqa: S603 - ourselves
                [sys.executable, __file__, str(n), "0", str(path)], check=True
            )
            print(f"workspace of {n:,} findings, {path.stat().st_size / 1e6:,.0f} MB")
            _measure(path, choices, folder)
        else:
            _make(Path(sys.argv[3]), n)
    return 0


def _make(path: Path, n: int) -> None:
    import pandas as pd

    from radcal.advice.stored_analysis import Analysis
    from radcal.calibration.analysis_records import AuthorPairs, Provenance
    from radcal.calibration.reliability import measure
    from radcal.calibration.tables import build_tables
    from radcal.opening import open_department
    from radcal.system.files import record_to_plain
    from radcal.workspace.context import ANALYSED_FILES, ANALYSIS_KEY
    from radcal.workspace.store import Workspace

    rng = np.random.default_rng(0)
    Workspace.create(path, _PASSPHRASE).close()
    with open_department(path, _PASSPHRASE) as department:
        phrases = department.phrases()
        names = np.array([p.name for p in phrases])
        mean = np.array([p.alpha / (p.alpha + p.beta) for p in phrases])
        k = rng.choice(len(names), n, p=rng.dirichlet(np.full(len(names), 3.0)))
        author, topic = rng.integers(_AUTHORS, size=n), rng.integers(_TOPICS, size=n)
        outcome = (rng.random(n) < np.clip(mean[k] + 0.15 * (author % 3 - 1), 0, 1)).astype(float)
        topics = np.array([f"pathology {i}" for i in range(_TOPICS)])
        hours = rng.integers(0, 24 * 700, n)
        sentences = np.char.add(np.char.add(names[k], " "), topics[topic])
        frame = pd.DataFrame(
            {
                "author": np.array([f"Reader {i:02}" for i in range(_AUTHORS)])[author],
                "topic": topics[topic],
                "phrase": names[k],
                "reference_phrase": np.where(outcome > 0, "present", "absent"),
                "outcome": outcome,
                "xray_id": [f"xray:{i}" for i in range(n)],
                "ct_id": [f"ct:{i}" for i in range(n)],
                "verbatim": names[k],
                "xray_sentence": np.char.add("Increased markings in both lower zones, ", sentences),
                "xray_cue_start": 40,
                "xray_cue_end": 40 + np.char.str_len(names[k]),
                "ct_sentence": np.char.add("As far as seen on this examination, ", topics[topic]),
                "ct_pathology": topics[topic],
                "xray_time": np.datetime64("2024-01-01", "ns") + hours.astype("timedelta64[h]"),
            }
        )
        settings = department.settings
        reliabilities = measure(build_tables(frame, phrases), phrases, settings)
        words = f"{department.lexicon.name} {department.lexicon.version}"
        first, last = datetime(2024, 1, 1), datetime(2025, 12, 1)
        made = Provenance("rules", "0", settings.hash(), words, 0, {}, first, last, n, datetime(2026, 1, 1))
        pairs = tuple(AuthorPairs(f"Reader {i:02}", n // _AUTHORS, 0, first, last) for i in range(_AUTHORS))
        workspace: Any = department._workspace
        with workspace.transaction():
            workspace.save_observations(frame)
            workspace.save_result("analysis", "current", record_to_plain(Analysis(reliabilities, (), made, pairs)), {})
            workspace.set_meta(ANALYSIS_KEY, "invented")
            workspace.set_meta(ANALYSED_FILES, "")


def _measure(path: Path, choices: int, folder: str) -> None:
    from PySide6.QtCore import QDeadlineTimer, QEvent, QEventLoop, QObject, QSettings, QTimer
    from PySide6.QtWidgets import QApplication

    from radcal.system.selection import Days, Selection
    from ui.garbage import GarbageCollector
    from ui.theme import Theme
    from ui.window.main_window import MainWindow

    app = QApplication(sys.argv[:1])
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, folder)

    heart = QTimer()
    heart.start(50)

    def until(done: Callable[[], bool], what: str) -> None:
        """Sleep between events as an application does: busy waiting would slow down the worker."""
        deadline = QDeadlineTimer(120_000)
        while not done() and not deadline.hasExpired():
            app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        if not done():
            raise TimeoutError(f"after two minutes: {what}")

    def rest() -> None:
        until(lambda: window.tasks.is_idle, "the worker is still busy")
        app.processEvents()

    empty = resident_megabytes()
    collector = GarbageCollector()
    window = MainWindow(Theme(app))
    collector.follow(lambda: not window.tasks.is_idle)
    window.resize(1440, 900)
    window.show()
    began = time.perf_counter()
    window.entrance.open_workspace(path, _PASSPHRASE)
    until(lambda: window.session.current is not None, "the workspace is not open")
    opened = time.perf_counter() - began
    window.show_page("results")
    page = window.page("results")
    rest()
    rng = np.random.default_rng(1)
    views = window.session.current.groups
    groups = list(views)

    class Painted(QObject):
        """Observes the painting of the table, and of the diagram if there is one."""

        def __init__(self) -> None:
            super().__init__()
            self.wanted: Selection | None = None
            self.missing: set[QObject] = set()
            self._parts = {page.table.viewport()}
            if page.card.plot is not None:  # created for the first group with enough findings
                self._parts.add(page.card.plot.viewport())
            for part in self._parts:
                part.installEventFilter(self)

        def wait_for(self, selection: Selection) -> None:
            self.wanted, self.missing = selection, set(self._parts)

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
            if event.type() == QEvent.Type.Paint and self.wanted is not None and _is(page, self.wanted, window):
                self.missing.discard(watched)
                if page.card._record.curve is None:
                    self.missing &= {page.table.viewport()}
            return False

    largest = max(groups, key=lambda group: views[group].reliability.n)
    window.selectors.choose(Selection(largest.author, largest.topic))
    rest()
    with_curve = sum(view.reliability.curve is not None for view in views.values())
    print(f"{with_curve:,} of {len(groups):,} groups have enough findings for a diagram")
    if with_curve:
        until(lambda: page.card.plot is not None, "no diagram was drawn")
    painted = Painted()

    def choose(selection: Selection) -> tuple[float, float]:
        """Wall-clock and processor time in milliseconds, all threads together."""
        painted.wait_for(selection)
        start, worked = time.perf_counter(), time.process_time()
        window.selectors.choose(selection)
        until(lambda: not painted.missing, f"the page does not show {selection}")
        return 1000 * (time.perf_counter() - start), 1000 * (time.process_time() - worked)

    def pick(first: date | None = None) -> Selection:
        """A random group other than the current one."""
        others = [group for group in groups if group != _group(page.card._record)]
        group = others[rng.integers(len(others))]
        return Selection(group.author, group.topic, Days(first))

    for limited, name in ((False, "all dates"), (True, "some dates")):
        times: list[tuple[float, float]] = []
        for i in range(choices):
            times.append(choose(pick(date(2024, 1 + i % 12, 1 + i % 28) if limited else None)))
            painted.wanted = None
            rest()
        (p50, work50), (p95, work95), (longest, _) = (np.percentile(times, q, axis=0) for q in (50, 95, 100))
        print(f"{name}: p50 {p50:.0f} ms, p95 {p95:.0f} ms, longest {longest:.0f} ms, {len(times)} choices; "
              f"of the processor p50 {work50:.0f} ms, p95 {work95:.0f} ms; load {os.getloadavg()[0]:.1f}")  # fmt: skip
    line = _empty_diagram((page.card.plot or page.card.empty).size(), choices)
    print(f"an empty pyqtgraph diagram, a line and a repaint: p50 {np.percentile(line, 50):.0f} ms, "
          f"p95 {np.percentile(line, 95):.0f} ms")  # fmt: skip
    print(f"opened in {opened:.1f} s; memory {resident_megabytes():.0f} MB, of which {empty:.0f} MB before the window")
    gone: list[bool] = []
    window.destroyed.connect(lambda *_: gone.append(True))
    window.finish()
    until(lambda: bool(gone), "the window is not closed")
    collector.stop()


def _group(record: Any) -> Any:
    from radcal.system.selection import Group

    return Group(record.author, record.topic)


def _is(page: Any, selection: Any, window: Any) -> bool:
    """True if the page shows the selection."""
    record = page.card._record
    whole = window.session.current.groups[selection.group].reliability
    return _group(record) == selection.group and (
        record is not whole if selection.days.are_limited else record is whole
    )


def _empty_diagram(size: Any, times: int) -> list[float]:
    import pyqtgraph as pg
    from PySide6.QtWidgets import QApplication

    plot = pg.PlotWidget()
    plot.resize(size)
    plot.show()
    QApplication.processEvents()  # a window not yet on screen is not painted, even on request
    curve = plot.plot()
    rng, taken = np.random.default_rng(2), []
    for _ in range(times):
        start = time.perf_counter()
        curve.setData(np.linspace(0, 1, 100), rng.random(100))
        plot.viewport().repaint()
        taken.append(1000 * (time.perf_counter() - start))
    plot.close()
    return taken


if __name__ == "__main__":
    sys.exit(main())
