"""How long the window stands still after its first paint, while a workspace opens and its pages are made.

    python benchmarks/bench_stalls.py [RUNS] [WORKSPACE PASSPHRASE]

Starts RadCal RUNS times (5) as its own process with the sample, or with a workspace.  In the GUI thread a timer beats
every 5 ms from the first paint until 5 s after the workspace is open; a stall is the time between two beats.  Beside
the wall clock stands the processor time of the GUI thread in that stall: the rest was spent waiting, for another thread
or another program.  With ``TRACE=1`` in the environment, says what the GUI thread did in stalls.

Exit status 1 if the median run stands still for over 100 ms in the first 5 s after the first paint.
"""

from __future__ import annotations

import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SECONDS, BEAT_MS, LIMIT_MS = 5.0, 5, 100.0
_STILL = 0.04
"""Seconds without a beat after which the traced thread is looked at."""


def main(arguments: list[str]) -> int:
    """Measure in processes of their own, print, and compare with the limit."""
    if arguments[:1] == ["--once"]:
        return once(*arguments[1:])
    runs = int(arguments[0]) if arguments else 5
    longest: list[list[float]] = []
    for run in range(runs + 1):
        command = [sys.executable, __file__, "--once", *arguments[1:]]
        platform = {} if os.environ.get("DISPLAY") else {"QT_QPA_PLATFORM": "offscreen"}
        # An installed program is compiled: the first run does that here.
        path = {"PYTHONPATH": f"{ROOT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}", "PYTHONDONTWRITEBYTECODE": ""}
        made = subprocess.run(  # noqa: S603 - ourselves
            command, capture_output=True, text=True, check=False, env={**platform, **os.environ, **path}, timeout=300
        )
        *told, figures = made.stdout.splitlines() or [""]
        if not figures.startswith("stalls "):
            raise SystemExit(f"No stall was measured.\n{made.stdout}{made.stderr}")
        if not run:
            continue
        longest.append([float(x) for x in figures.split()[1:]])
        print("\n".join(told), f"; load {os.getloadavg()[0]:.1f}", sep="", flush=True)
    first, all_along = (statistics.median(column) for column in zip(*longest, strict=True))
    print(f"longest stall, median of {runs} runs: {first:.0f} ms in the first {SECONDS:.0f} s, {all_along:.0f} ms "
          f"until {SECONDS:.0f} s after the workspace is open")  # fmt: skip
    return int(first > LIMIT_MS)


def once(path: str = "", passphrase: str = "") -> int:
    """One run: RadCal as it starts, with the beat in its window."""
    from PySide6.QtCore import QSettings, Qt, QTimer

    from ui import app
    from ui.window import main_window

    folder = tempfile.TemporaryDirectory()
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, folder.name)
    beats: list[tuple[float, float]] = []
    opened: list[float] = []
    seen: Counter[str] = Counter()

    class Watched(main_window.MainWindow):
        """Beats from its first paint on."""

        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            self._heart = QTimer(self)
            self._heart.setTimerType(Qt.TimerType.PreciseTimer)
            self._heart.timeout.connect(self._beat)
            self.painted.connect(self._begin)

        def _begin(self) -> None:
            self._beat()
            self._heart.start(BEAT_MS)
            if path:
                QTimer.singleShot(0, self, lambda: self.entrance.open_workspace(Path(path), passphrase))
            self.session.opened.connect(lambda _: opened.append(time.perf_counter()))
            if os.environ.get("TRACE"):
                threading.Thread(target=_look, args=(beats, seen, threading.main_thread().ident), daemon=True).start()

        def _beat(self) -> None:
            beats.append((time.perf_counter(), time.thread_time()))
            if beats[-1][0] - (opened[0] if opened else beats[-1][0]) > SECONDS < beats[-1][0] - beats[0][0]:
                self._heart.stop()
                self.finish()

    main_window.MainWindow = Watched  # type: ignore[misc]  # the program makes its window from this name
    app.main([] if path else ["--sample"])
    start = beats[0][0]
    gaps = [(b[0] - a[0], b[1] - a[1], a[0] - start) for a, b in itertools.pairwise(beats)]
    early = [gap for gap in gaps if gap[2] < SECONDS]
    for where, n in seen.most_common(20):
        print(f"--- seen {n} times\n{where}")
    told = []
    for name, some in ((f"first {SECONDS:.0f} s", early), ("all along", gaps)):
        wall, worked, at = max(some)
        told.append(f"{name}: {1000 * wall:.0f} ms ({1000 * worked:.0f} ms at work) at {at:.1f} s, "
                    f"{sum(g[0] > 0.1 for g in some)} over 100 ms")  # fmt: skip
    print("; ".join(told), f"; open after {opened[0] - start:.1f} s", sep="")
    print("stalls", *(f"{1000 * max(some)[0]:.1f}" for some in (early, gaps)))
    folder.cleanup()
    return 0


def _look(beats: list[tuple[float, float]], seen: Counter[str], thread: int) -> None:
    """What the GUI thread does whenever no beat came for a while."""
    while True:
        time.sleep(0.01)
        if beats and time.perf_counter() - beats[-1][0] > _STILL:
            at = f"{beats[-1][0] - beats[0][0]:.2f} s"
            others = [f for t, f in sys._current_frames().items() if t not in (thread, threading.get_ident())]
            stack = traceback.format_stack(sys._current_frames()[thread])[-6:]
            work = ["  worker:\n", *(x for f in others for x in traceback.format_stack(f)[-4:])]
            seen[at + "\n" + "".join(stack + work)] += 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
