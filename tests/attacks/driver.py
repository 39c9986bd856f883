"""Runs a small department again and again in processes of its own, each cut off at another place; see test_cut_off.py.

    python driver.py KIND FOLDER XRAY.csv CT.csv

KIND is "kill" or "full".  Prints one line of JSON for each trial.  The programs are forked from this process, which has
imported everything, read the words that ship and the reports, and opened nothing, so that a trial costs no start.
"""

from __future__ import annotations

import csv
import importlib
import json
import os
import random
import resource
import shutil
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any, Self

from radcal.advice import analysis as making
from radcal.cli.run import write_results
from radcal.findings import runs as reading
from radcal.findings.engines import make_engine
from radcal.opening import open_department
from radcal.reports.deidentify import words
from radcal.reports.importing import ReportFile
from radcal.reports.records import Modality
from radcal.reports.sections import document
from radcal.system.errors import RadcalError
from radcal.system.progress import SILENT
from radcal.system.settings import Settings
from radcal.workspace import database
from radcal.workspace.store import Workspace

PASSPHRASE = "plum tree over the wall"
QUICK = Settings(bootstrap=20, min_group_n=5, min_phrase_n=3)
KILLS, FULL = 6, 3
COUNTED = ("reports", "texts", "pairs", "extractions", "findings", "results", "frames", "audit")
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class Noon(datetime):
    """The clock of one day, which stands on the pages: midnight comes for none of the programs."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return cls(2026, 11, 21, 12, tzinfo=UTC).astimezone(tz)


def main(kind: str, folder: Path, xray: Path, ct: Path) -> None:
    database.KDF_ITERATIONS = 1000
    making.datetime = Noon  # type: ignore[misc]
    reading._BATCH_SECONDS = float("inf")  # on a slow machine, too, all make the same steps
    sys.dont_write_bytecode = True  # these files are nobody's
    readers = "radcal.reports.deidentify.rows", "radcal.reports.pairing", "radcal.reports.readers"
    pages = "radcal.feedback.pdf", "radcal.feedback.pages"
    engines = "radcal.advice.advice", "radcal.calibration.reliability", "radcal.findings.rules.engine"
    for name in (*engines, *readers, "radcal.review.gold_sets", *pages):
        importlib.import_module(name)
    for name in ("cattrs.preconf.json", "ot", "scipy.optimize", "scipy.stats", "sqlcipher3", "typst", "zxcvbn"):
        importlib.import_module(name)
    words.table()
    with xray.open(encoding="utf-8", newline="") as file:
        reports = [document(row["Accession"], row["Report Text"]) for row in csv.DictReader(file)]
    for _ in make_engine().extract(reports, SILENT):
        pass
    base = folder / "base.radcal"
    Workspace.create(base, PASSPHRASE, QUICK, pseudonym_seed=5).close()

    def chain(trial: Path) -> None:
        files = (ReportFile(xray, Modality.XRAY), ReportFile(ct, Modality.CT))
        with open_department(trial / "w.radcal", PASSPHRASE) as department:
            write_results(department, trial / "out", files)

    def begin(name: str) -> Path:
        trial = folder / name
        trial.mkdir()
        shutil.copy(base, trial / "w.radcal")
        return trial

    whole = begin("whole")
    shown = forked(lambda: killed_at(0, lambda: chain(whole)))
    ticks = shown["ticks"]
    expected = outcome(whole)
    rng = random.Random(8)  # noqa: S311 - places, no secret
    if kind == "kill":
        part = (ticks - 12) // (KILLS - 1)  # one in each part of the work
        places = [1, *(rng.randrange(first, first + part) for first in range(2, 2 + part * (KILLS - 1), part))]
    else:
        largest = max(file.stat().st_size for file in whole.rglob("*"))
        places = sorted(rng.sample(range(4096, largest), FULL))
    for at in places:
        trial = begin(f"{kind}-{at}")
        cut = killed_at if kind == "kill" else full_at
        shown = forked(lambda at=at, trial=trial, cut=cut: cut(at, lambda: chain(trial)))  # type: ignore[misc]
        after = tables(trial)
        half = [file.name for file in (trial / "out").glob("[!.]*") if not is_whole(file)]
        again = forked(lambda trial=trial: killed_at(0, lambda: chain(trial)))  # type: ignore[misc]
        found = outcome(trial)
        sys.stdout.write(
            json.dumps(
                {
                    "at": at,
                    "of": ticks,
                    "how": shown["how"],
                    "saved": shown.get("saved"),
                    "after": after,
                    "sound": not Workspace.check(trial / "w.radcal", PASSPHRASE),
                    "half": half,
                    "went on": again["how"],
                    "differs": sorted(
                        name for name in expected.keys() | found if expected.get(name) != found.get(name)
                    ),
                    "left": sorted(f.name for f in trial.rglob("*") if f.name.startswith(".") or "journal" in f.name),
                }
            )
            + "\n"
        )


def forked(work: Callable[[], str]) -> dict[str, Any]:
    """Do work in a process of its own; how it ended, and the lines that it wrote on the way."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        os.dup2(write, 3)
        try:
            how = work()
        except BaseException as error:  # noqa: BLE001 - told
            how = f"{type(error).__name__}: {error}"
        os.write(3, (json.dumps({"how": how}) + "\n").encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as lines:
        shown: dict[str, Any] = {}
        for line in lines:
            shown |= json.loads(line)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        shown["how"] = signal.Signals(os.WTERMSIG(status)).name
    return shown


def killed_at(at: int, work: Callable[[], None]) -> str:
    """Work, and be killed at one of its writes: to the workspace, to files, and at their renaming."""
    ticks = 0
    real, many = database.Database.execute, database.Database.execute_many

    def tick() -> None:
        nonlocal ticks
        ticks += 1
        if ticks == at:
            os.kill(os.getpid(), signal.SIGKILL)

    def execute(self: database.Database, sql: str, values: Any = ()) -> list[tuple[Any, ...]]:
        if at % 2 and sql.startswith("PRAGMA cache_size"):
            sql = "PRAGMA cache_size = 5"  # into the file long before the commit
        writes = not sql.startswith(("SELECT", "PRAGMA"))
        if writes:
            tick()
        rows = real(self, sql, values)
        if sql == "COMMIT":
            os.write(3, (json.dumps({"saved": counts(self)}) + "\n").encode())
        if writes:
            tick()
        return rows

    def execute_many(self: database.Database, sql: str, rows: Any) -> None:
        tick()
        many(self, sql, rows)
        tick()

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in ("os.rename", "os.remove", "os.truncate") or (
            event == "open" and isinstance(arguments[0], str) and int(arguments[2] or 0) & _WRITES
        ):
            tick()

    database.Database.execute = execute  # type: ignore[method-assign]
    database.Database.execute_many = execute_many  # type: ignore[method-assign]
    sys.addaudithook(hook)
    work()
    os.write(3, (json.dumps({"ticks": ticks}) + "\n").encode())
    return "done"


def full_at(limit: int, work: Callable[[], None]) -> str:
    """Work while no file may grow beyond so many bytes, as on a disk that is full."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    try:
        work()
    except RadcalError as error:
        return type(error).__name__
    return "done"


def counts(db: database.Database) -> list[int]:
    # Not by the database's own method, which refuses between a commit and the end of its transaction.
    ask = db._connection.execute
    return [int(ask(f"SELECT count(*) FROM {table}").fetchone()[0]) for table in COUNTED]  # noqa: S608 - names above


def tables(trial: Path) -> list[int]:
    """How much the workspace holds once a writer has put it in order."""
    with Workspace.open(trial / "w.radcal", PASSPHRASE) as workspace:
        return counts(workspace._db)


def is_whole(file: Path) -> bool:
    """Whether a file that came out is complete, told from its end."""
    content = file.read_bytes()
    match file.suffix:
        case ".pdf":
            return content.startswith(b"%PDF-") and content.rstrip().endswith(b"%%EOF")
        case ".json":
            return isinstance(json.loads(content), dict)
        case _:
            return content.endswith(b"\n")


def outcome(trial: Path) -> dict[str, str]:
    """What a reader gets: the bytes of pages and lists, and the findings behind them."""
    own = [file for file in (trial / "out").glob("[!.]*") if not file.name.startswith("summary")]
    found = {file.name: file.read_bytes().hex() for file in own}
    if (left_out := trial / "out" / "rejected.csv").exists():  # each workspace shows other accession numbers
        with left_out.open(encoding="utf-8", newline="") as file:
            found[left_out.name] = str([row | {"accession": ""} for row in csv.DictReader(file)])
    with Workspace.open(trial / "w.radcal", PASSPHRASE, read_only=True) as workspace:
        columns = ["report_id", "pathology", "phrase", "start", "end"]
        found["findings"] = workspace.findings(1)[columns].to_json()
        found["reports"] = workspace.reports()[["report_id", "text", "author"]].to_json()
    return found


if __name__ == "__main__":
    main(sys.argv[1], *map(Path, sys.argv[2:]))
