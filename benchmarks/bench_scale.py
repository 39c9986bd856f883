"""What N reports cost, step by step, and what ten million would: seconds, memory and disk, measured at several sizes.

    python benchmarks/bench_scale.py [REPORTS ...] [--deidentify] [--workers K] [--keep FOLDER]

By default 10,000, 25,000 and 100,000 reports: 1/1000, 1/400 and 1/100.  Half are X-rays and half CTs, nine in ten of
them a pair, of 100 radiologists.  Each is a made-up report (``reports``) with further sentences of others, its numbers
drawn anew and most of its sentences marked with an image of their own, so that few sentences are the same: the share
that is, is printed.  Every step runs in a process of its own, whose memory, with that of its children, is looked at
twenty times a second.  Ten million are extrapolated straight on from the two largest sizes.
"""

from __future__ import annotations

import argparse
import csv
import datetime as dt
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from annotated import read_made_up

from radcal.opening import open_department
from radcal.reports.importing import as_files
from radcal.reports.sections import document
from radcal.system.files import writing
from radcal.system.settings import Settings

SIZES = (10_000, 25_000, 100_000)
TARGET = 10_000_000
AUTHORS = 100
_PASSPHRASE = "correct horse battery staple"  # noqa: S105 - of invented reports
_HEADER = (
    *("Accession Number", "MRN", "Patient Name", "Modality", "Exam Description", "Exam Time"),
    *("Report Text", "Dictated By", "Signed By", "Report Status"),
)
_MARKED = 0.6
"""Share of the sentences that are marked with an image."""
_MORE = 4
"""Sentences of other reports in each."""
_NUMBER = re.compile(r"\d+")
_END = re.compile(r"(?<=[a-z])\.(?=\s|$)")
_FIRST = ("Anna", "Boris", "Clara", "David", "Elena", "Felix", "Greta", "Hugo", "Irene", "Jonas")
_LAST = ("Ahlers", "Brandt", "Carver", "Dorn", "Eklund", "Fabre", "Grimm", "Halvorsen", "Ibsen", "Juncker")


# --- the reports ------------------------------------------------------------------------------------


def texts(draw: random.Random) -> tuple[Callable[[], str], Callable[[], str]]:
    """What makes an X-ray report and a CT report, in turn without end."""
    folder = Path(__file__).with_name("reports")
    found: dict[str, list[str]] = {"xray": [], "ct": []}
    for path in sorted(folder.glob("made_up_*.txt")):
        for one in read_made_up(path).documents:
            found[str(one.modality)].append(one.text)
    sentences = {kind: [s.text for t in some for s in document("", t).sentences] for kind, some in found.items()}

    def number(match: re.Match[str]) -> str:
        return str(draw.randrange(1, 10 ** min(len(match[0]), 3)))

    def marked(_: re.Match[str]) -> str:
        return f" (image {draw.randrange(1, 900)})." if draw.random() < _MARKED else "."

    def made(kind: str) -> str:
        more = " ".join(draw.choices(sentences[kind], k=_MORE))
        return _END.sub(marked, _NUMBER.sub(number, f"{draw.choice(found[kind])}\n\n{more}"))

    return lambda: made("xray"), lambda: made("ct")


def write(path: Path, n: int) -> None:
    """A department's export of n reports, written one by one."""
    draw = random.Random(n)  # noqa: S311 - for timing, no secret
    xray, ct = texts(draw)
    start = dt.datetime(2016, 1, 1, tzinfo=dt.UTC)
    with writing(path) as file:
        writer = csv.writer(file)
        writer.writerow(_HEADER)
        for i in range(0, n, 2):
            patient, when = draw.randrange(max(n // 4, 1)), start + dt.timedelta(minutes=draw.randrange(10 * 525_600))
            later = dt.timedelta(hours=draw.uniform(0.2, 11) if draw.random() < 0.9 else draw.uniform(13, 90))
            name = f"{_LAST[patient % 10]}, {_FIRST[patient // 10 % 10]}"
            for k, (kind, exam, made, at) in enumerate(
                (("DX", "XR CHEST 2 VIEWS", xray, when), ("CT", "CT CHEST W CONTRAST", ct, when + later))
            ):
                author = f"Reader{draw.randrange(AUTHORS):03}, A"
                who = (f"A{i + k:08}", f"P{patient:08}", name)
                writer.writerow((*who, kind, exam, f"{at:%Y-%m-%d %H:%M}", made(), author, author, "Final"))


def about(path: Path, most: int = 20_000) -> str:
    """Length of the texts, and how many of their sentences another of the first reports had said already."""
    seen: set[str] = set()
    reports = characters = sentences = again = 0
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            reports, characters = reports + 1, characters + len(row["Report Text"])
            for sentence in document("", row["Report Text"]).sentences:
                sentences, again = sentences + 1, again + (sentence.text in seen)
                seen.add(sentence.text)
            if reports == most:
                break
    return (
        f"{characters / reports:.0f} characters and {sentences / reports:.1f} sentences a report, "
        f"{again / sentences:.0%} of the sentences said before among {reports:,} reports"
    )


# --- the steps, each in a process of its own --------------------------------------------------------


def _workspace(folder: Path) -> Path:
    return folder / "scale.radcal"


def _open(folder: Path, **more: Any) -> Any:
    return open_department(_workspace(folder), _PASSPHRASE, **more)


def _import(folder: Path, settings: Settings) -> None:
    with _open(folder, create=True, settings=settings) as department:
        department.importing.import_reports(as_files([folder / "reports.csv"]))


def _deidentified(folder: Path, settings: Settings) -> None:
    path = folder / "deidentified.radcal"
    with open_department(path, _PASSPHRASE, create=True, settings=settings.changed(deidentify="on")) as department:
        department.importing.import_reports(as_files([folder / "reports.csv"]))


def _pair(folder: Path, _: Settings) -> None:
    with _open(folder) as department:
        department.importing.pair()


def _extract(folder: Path, _: Settings) -> None:
    with _open(folder) as department:
        department.runs.extract()


def _analyse(folder: Path, _: Settings) -> None:
    with _open(folder) as department:
        department.analyse()


def _look(folder: Path, _: Settings) -> None:
    """What the window asks for when a workspace is opened."""
    with _open(folder) as department:
        department.analysis()
        department.authors()
        department.runs.all()
        department.runs.status()
        department.importing.history()


def _page(folder: Path, _: Settings) -> None:
    with _open(folder) as department:
        department.pages.pdf(department.authors()[0])


def _verify(folder: Path, _: Settings) -> None:
    with _open(folder) as department:
        assert not department.check(_PASSPHRASE)


def _backup(folder: Path, _: Settings) -> None:
    with _open(folder) as department:
        department.backup(folder / "copy.radcal")


STEPS: Mapping[str, Callable[[Path, Settings], None]] = {
    "import, as it is": _import,
    "pair": _pair,
    "read by rules": _extract,
    "analyse": _analyse,
    "open again, look": _look,
    "one page as PDF": _page,
    "verify": _verify,
    "back up": _backup,
    "import, de-identified": _deidentified,
}


def _children(pid: int) -> Iterator[int]:
    """The process and all that it started, as far as they are still there."""
    yield pid
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            begun = path.read_text(encoding="ascii").split()
        except OSError:
            continue
        for child in begun:
            yield from _children(int(child))


def _resident(pid: int) -> float:
    """Resident memory of a process and its children in MB; on Linux only."""
    total = 0.0
    for one in _children(pid):
        try:
            lines = Path(f"/proc/{one}/status").read_text(encoding="ascii", errors="replace").splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))
    return total


def step(folder: Path, name: str, settings: Settings) -> dict[str, float]:
    """Wall-clock and processor seconds, peak memory in MB and the growth of the folder in MB of one step."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    held, began = _disk(folder), time.perf_counter()
    command = [sys.executable, __file__, "--step", name, "--folder", str(folder)]
    command += ["--settings", json.dumps(settings.to_dict())]
    peak = [0.0]
    child = subprocess.Popen(command, env={**os.environ, "OMP_NUM_THREADS": "1"})  # noqa: S603 - this file
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.05):
            peak[0] = max(peak[0], _resident(child.pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    status = child.wait()
    done.set()
    watcher.join()
    if status:
        sys.exit(f"{name} failed.")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "wall": time.perf_counter() - began,
        "cpu": cpu,
        "memory": peak[0],
        "disk": _disk(folder) - held,
    }


def _disk(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.iterdir() if path.is_file()) / 1e6


# --- the figures ------------------------------------------------------------------------------------


def measured(n: int, names: list[str], settings: Settings, folder: Path) -> dict[str, dict[str, float]]:
    """The figures of each step at one size."""
    write(folder / "reports.csv", n)
    print(f"{n:,} reports: {about(folder / 'reports.csv')}", flush=True)
    figures = {}
    for name in names:
        figures[name] = found = step(folder, name, settings)
        print(
            f"  {name:<24}{found['wall']:9.1f} s{found['cpu']:9.1f} s of the processor"
            f"{found['memory']:9.0f} MB of memory{found['disk']:9.0f} MB of disk",
            flush=True,
        )
    return figures


def _affine(figures: Mapping[int, Mapping[str, float]], what: str) -> tuple[float, float]:
    """What each report more costs between the two largest sizes, and the figure at ten million on that line."""
    *_, less, most = sorted(figures) if len(figures) > 1 else (0, *figures)
    lower = figures[less][what] if less else 0.0
    slope = (figures[most][what] - lower) / (most - less)
    return slope, figures[most][what] + slope * (TARGET - most)


def table(figures: Mapping[str, Mapping[int, Mapping[str, float]]]) -> Iterator[str]:
    """The step, its figures at the largest size, and the extrapolation."""
    yield "| step | reports | wall | processor | each more | memory | disk | ten million: processor | memory | disk |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for name, by_size in figures.items():
        most = by_size[max(by_size)]
        (each, cpu), (slope, memory), (_, disk) = (_affine(by_size, what) for what in ("cpu", "memory", "disk"))
        yield (
            f"| {name} | {max(by_size):,} | {most['wall']:.1f} s | {most['cpu']:.1f} s | {1000 * each:.2f} ms "
            f"| {most['memory']:,.0f} MB, {1e6 * slope:+,.0f} MB a million | {most['disk']:,.0f} MB "
            f"| {cpu / 3600:.1f} h | {memory / 1000:,.1f} GB | {disk / 1000:,.0f} GB |"
        )


def main() -> None:
    """Print the figures, or take one step for the parent."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("reports", type=int, nargs="*", default=list(SIZES), metavar="REPORTS")
    parser.add_argument("--deidentify", action="store_true", help="measure the import with de-identification, too")
    parser.add_argument("--workers", type=int, default=1, metavar="K", help="processes that read (default 1)")
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--settings", type=json.loads, help=argparse.SUPPRESS)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the files stay; else they are deleted")
    parser.add_argument("--figures", type=Path, metavar="FILE", help="write the figures as JSON")
    chosen = parser.parse_args()
    if chosen.step:
        STEPS[chosen.step](chosen.folder, Settings.from_dict(chosen.settings))
        return
    settings = Settings(deidentify="off", workers=chosen.workers)
    names = [name for name in STEPS if chosen.deidentify or name != "import, de-identified"]
    figures: dict[str, dict[int, dict[str, float]]] = {name: {} for name in names}
    for n in chosen.reports:
        with tempfile.TemporaryDirectory() as temporary:
            folder = (chosen.keep or Path(temporary)) / f"{n}"
            folder.mkdir(parents=True)
            for name, found in measured(n, names, settings, folder).items():
                figures[name][n] = found
    print("\n".join(table(figures)))
    if chosen.figures:
        chosen.figures.write_text(json.dumps(figures, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
