"""Time, memory and reports for several benchmarks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from radcal.reports.records import Document, Section, Sentence

SENTENCES = (
    "The heart is mildly enlarged, unchanged from the previous examination.",
    "Patchy opacity at the left base may represent atelectasis or pneumonia.",
    "There is no pneumothorax.",
    "A small right pleural effusion is suspected on the lateral view.",
    "Nodular density in the right upper lobe, possibly a calcified granuloma.",
    "Interstitial markings are prominent, likely reflecting mild pulmonary edema.",
    "Hyperinflated lungs are consistent with emphysema.",
    "No acute displaced fracture of the ribs on either side is seen.",
    "Mediastinal contours are unremarkable.",
    "Early pneumonia in the lingula cannot be excluded.",
    "Blunting of the left costophrenic angle, probably a trace effusion.",
    "Findings are suspicious for malignancy.",
)


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


def report_of(report_id: str, texts: Iterable[str]) -> Document:
    """A report of these sentences."""
    start, sentences = 0, []
    for text in texts:
        sentences.append(Sentence(Section.FINDINGS, start, start + len(text), text))
        start += len(text) + 1
    return Document(report_id, " ".join(s.text for s in sentences), tuple(sentences))
