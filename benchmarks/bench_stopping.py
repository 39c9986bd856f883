"""Latency of cancelling and pausing work, which must stay below half a second.

    python benchmarks/bench_stopping.py [TIMES]

    window       cancelling work that checks its progress every millisecond, until the window is notified
    paused       the same for paused work
    Llama        cancelling the bundled model at a random moment of reading, until the engine returns
    ... paused   from pausing until the child's last use of the processor, where the system reports it

The tests prove the behaviour; its speed is measured only here.
"""

from __future__ import annotations

import itertools
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from measuring import report_of
from PySide6.QtCore import QCoreApplication

from radcal.findings.model.local_pairs import LocalPairReader
from radcal.findings.readers.alone import ReadingAlone
from radcal.reports.records import Document
from radcal.system.errors import Cancelled
from radcal.system.progress import SILENT, Progress, Silent
from ui.tasks import Tasks

PROMISED = 0.5
SENTENCE = "Patchy opacity at the left base may represent atelectasis or early pneumonia."
_QUIET = 0.2
"""Seconds without use of the processor that count as idle."""


def reports() -> Iterator[Document]:
    """Endless reports, in which no sentence comes twice: what is known is not read again."""
    letters = itertools.product("abcdefghijklmnopqrstuvwxyz", repeat=6)
    return (
        report_of(f"xray:{number}", [f"{''.join(next(letters))}: {SENTENCE}" for _ in range(12)])
        for number in itertools.count(1)
    )


def window(*, paused: bool) -> float:
    """Seconds from cancelling work to the notification of its end."""
    app = QCoreApplication.instance() or QCoreApplication(sys.argv[:1])
    tasks, parts, ended = Tasks(), [0], list[str]()

    def work(progress: Progress) -> None:
        while True:
            parts[0] += 1
            progress.raise_if_cancelled()
            time.sleep(0.001)

    def until(there: Callable[[], object]) -> None:
        while not there():
            app.processEvents()
            time.sleep(0.0002)

    tasks.start(
        "long", work, done=ended.append, failed=ended.append, stopped=lambda: ended.append("stopped"), shares=True
    )
    until(lambda: parts[0] > 20)
    if paused:
        tasks.pause("long")
        time.sleep(0.05)
    began = time.perf_counter()
    tasks.cancel("long")
    until(lambda: ended)
    seconds = time.perf_counter() - began
    over: list[bool] = []
    tasks.shut_down(None, lambda: over.append(True))
    until(lambda: over)
    assert ended == ["stopped"]
    return seconds


class Impatient(Silent):
    """A Progress that is cancelled after some seconds."""

    def __init__(self, seconds: float) -> None:
        self.end = time.perf_counter() + seconds

    def raise_if_cancelled(self) -> None:
        if time.perf_counter() > self.end:
            raise Cancelled


def read_until_cancelled(engine: ReadingAlone, user: Impatient) -> None:
    """Read endless reports."""
    with suppress(Cancelled):
        for _ in engine.extract(reports(), user):
            pass


def cancelled(engine: ReadingAlone, seconds: float) -> float:
    """Seconds from cancelling to the engine's return."""
    user = Impatient(seconds)
    read_until_cancelled(engine, user)
    return time.perf_counter() - user.end


def _reader(engine: ReadingAlone) -> LocalPairReader:
    assert isinstance(engine.reader, LocalPairReader)
    return engine.reader


def held(engine: ReadingAlone, seconds: float) -> float | None:
    """Seconds from pausing to the child's last use of the processor; None if the system does not report it."""
    stat = Path(f"/proc/{_reader(engine).process}/stat")
    if not stat.exists():
        return None
    user = Impatient(1e9)
    thread = threading.Thread(target=read_until_cancelled, args=(engine, user))
    thread.start()
    time.sleep(seconds)
    began = changed = time.perf_counter()
    engine.pause()
    used: list[str] = []
    while time.perf_counter() - changed < _QUIET:
        now = stat.read_text().split()[13:15]
        if now != used:
            used, changed = now, time.perf_counter()
        time.sleep(0.002)
    user.end = 0.0
    thread.join()
    engine.resume()
    return changed - began


def main() -> int:
    """Print medians and worst cases; returns 1 if a latency exceeds the limit."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    moments = np.random.default_rng(0).uniform(0.1, 0.6, times)
    found: dict[str, list[float]] = {
        "window": [window(paused=False) for _ in moments],
        "paused": [window(paused=True) for _ in moments],
    }
    with ReadingAlone(LocalPairReader()) as engine:
        list(engine.extract([next(reports())], SILENT))
        found["Llama"] = [cancelled(engine, s) for s in moments]
        _reader(engine).start()
        found["... paused"] = [s for moment in moments if (s := held(engine, moment)) is not None]
    for name, seconds in found.items():
        if seconds:
            print(
                f"{name:12s}median {1000 * np.median(seconds):5.0f} ms, worst of {times} {1000 * max(seconds):5.0f} ms"
            )
    return int(any(s > PROMISED for seconds in found.values() for s in seconds))


if __name__ == "__main__":
    sys.exit(main())
