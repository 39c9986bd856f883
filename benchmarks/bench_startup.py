"""Time from process start to first paint: RadCal's window compared with an empty one.

Both are started alternately as processes; medians are reported.  The empty window, a main window with an empty plot,
shows the cost of PySide6 and pyqtgraph.

    python benchmarks/bench_startup.py [RUNS]

Exit status 1 if RadCal takes 1.5 s or more, or more than twice the empty window.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIMIT_S, LIMIT_RATIO = 1.5, 2.0
EMPTY = """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
import pyqtgraph

class Plot(pyqtgraph.PlotWidget):
    def paintEvent(self, event):
        super().paintEvent(event)
        QTimer.singleShot(0, painted)

def painted():
    print("painted", flush=True)
    app.quit()

app = QApplication([])
window = QMainWindow()
window.setCentralWidget(Plot())
window.resize(1280, 800)
window.show()
app.exec()
"""


def first_paint(arguments: list[str]) -> float:
    """Seconds from process start to its report of the first paint."""
    platform = {} if os.environ.get("DISPLAY") else {"QT_QPA_PLATFORM": "offscreen"}
    environment = {**platform, **os.environ}
    began = time.perf_counter()
    with subprocess.Popen(  # noqa: S603 - our own program and the text above
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=ROOT,
        env=environment,
    ) as process:
        line = process.stdout.readline() if process.stdout else ""
        seconds = time.perf_counter() - began
        process.wait(timeout=30)
    if line.strip() != "painted":
        raise SystemExit(f"The window of {arguments[0]} was not painted.")
    return seconds


def main(runs: int = 7) -> int:
    """Measure, print, and compare with the limits."""
    ours = ["main.py", "--sample", "--exit-after-first-paint"]
    empty = ["-c", EMPTY]
    first_paint(ours), first_paint(empty)  # warms the file cache
    times = [(first_paint(ours), first_paint(empty)) for _ in range(runs)]
    radcal, bare = (statistics.median(t) for t in zip(*times, strict=True))
    print(f"first paint, median of {runs}: RadCal {radcal:.2f} s, empty window {bare:.2f} s, {radcal / bare:.2f} times")
    return int(radcal >= LIMIT_S or radcal > LIMIT_RATIO * bare)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
