"""Time and memory, as several benchmarks measure them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path


def run_times(work: Callable[[], object], runs: int) -> list[float]:
    """Wall-clock time of each run in seconds."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return times


def resident_megabytes() -> float:
    """Resident memory of this process in MB; on Linux only."""
    with Path("/proc/self/status").open(encoding="ascii") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmRSS"))
