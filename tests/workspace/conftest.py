from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from radcal.findings.records import Extraction, Finding
from radcal.reports.records import Import, Pairing, Section
from radcal.reports.storage import save_pairing_in_parts
from radcal.workspace import database
from radcal.workspace.columns import ATTRITION_COLUMNS, REJECTED_COLUMNS
from radcal.workspace.store import Workspace

PASSPHRASE = "correct horse, 'battery' \"staple\" é"


def _reports(texts: dict[str, str], **columns: object) -> pd.DataFrame:
    n = len(texts)
    frame = pd.DataFrame(
        {
            "report_id": list(texts),
            "modality": [i.split(":")[0] for i in texts],
            "accession": [i.split(":")[-1] for i in texts],
            "patient_id": [f"P{k}" for k in range(n)],
            "exam": [""] * n,
            "exam_time": pd.date_range("2024-02-29 23:59:59.123456789", periods=n, freq="7min", unit="ns"),
            "author": [f"Dr. {k % 2}" for k in range(n)],
            "author_rule": ["signed by"] * n,
            "status": ["final"] * n,
            "text": list(texts.values()),
            "file": ["reports.csv"] * n,
            "row": list(range(2, n + 2)),
            "site": [("North", "", "Süd")[k % 3] for k in range(n)],
            "age": [(67, -1, 0)[k % 3] for k in range(n)],
            "study_uid": [f"1.2.840.{k}" if k % 3 else "" for k in range(n)],
        }
    ).assign(**columns)
    types = {c: "str" for c in frame.columns if c not in ("exam_time", "row", "age")}
    return frame.astype({**types, "exam_time": "datetime64[ns]", "row": "int64", "age": "int64"})


def _rejected(rows: int) -> pd.DataFrame:
    reason = [("reports.csv", k, "no text", "Add the text.", f"A{k}", "row") for k in range(rows)]
    return pd.DataFrame(reason, columns=list(REJECTED_COLUMNS))


def _import(texts: dict[str, str], rejected: int = 0, **columns: object) -> Import:
    return Import(_reports(texts, **columns), _rejected(rejected), len(texts) + rejected, {"accession": "ACC_NO"})


def _pairing(pairs: list[tuple[str, str]]) -> Pairing:
    time = pd.Timestamp("2024-03-01 08:00:00.000000001")
    frame = pd.DataFrame(
        {
            "xray_id": [x for x, _ in pairs],
            "ct_id": [c for _, c in pairs],
            "patient_id": "P1",
            "author": "Dr. 1",
            "xray_time": time,
            "ct_time": time + pd.Timedelta(hours=3),
            "gap_hours": 3.0,
        }
    )
    frame = frame.astype(dict.fromkeys(("xray_id", "ct_id", "patient_id", "author"), "str"))
    frame = frame.astype({"xray_time": "datetime64[ns]", "ct_time": "datetime64[ns]", "gap_hours": "float64"})
    steps = pd.DataFrame([("has a CT within 12 h", "xray", len(pairs), 7, "no CT")], columns=list(ATTRITION_COLUMNS))
    return Pairing(frame, steps)


def _save_pairs(workspace: Workspace, pairing: Pairing) -> None:
    save_pairing_in_parts(workspace, [pairing], lambda: pairing.attrition)


def _finding(report_id: str, pathology: str = "edema", **fields: object) -> Finding:
    found = Finding(
        report_id, pathology, "likely", "likely", "Likely edema.", Section.IMPRESSION, 0, 13, 7, 12, 0, 6, "rules", None
    )
    return replace(found, **fields)


def _extraction(report_id: str, *pathologies: str, failure: str = "") -> Extraction:
    return Extraction(report_id, tuple(_finding(report_id, p) for p in pathologies), failure)


_FAST_KEY = "from radcal.workspace import database\ndatabase.KDF_ITERATIONS = 1000\n"
_CRASH = """
import os, sys
from radcal.workspace.store import Workspace
ws = Workspace.open(sys.argv[1], sys.argv[2])
ws._db.execute("PRAGMA cache_size = 5")  # spill into the file long before the commit
with ws.transaction():
    for i in range(200):
        ws.set_meta(f"key {i}", "x" * 4000)
    os.kill(os.getpid(), 9)
"""


def _crash(path: Path) -> Path:
    """Kill a writer within a transaction; return the journal left behind."""
    crashed = _start(_CRASH, path, PASSPHRASE)
    crashed.communicate()
    assert crashed.returncode == -9
    journal = path.with_name(path.name + "-journal")
    assert journal.stat().st_size > 0
    return journal


def _spoil(path: Path, *places: int) -> None:
    """Flip a bit in each of these bytes of a file."""
    content = bytearray(path.read_bytes())
    for place in places:
        content[place] ^= 1
    path.write_bytes(content)


def _refuse(code: int) -> Callable[..., None]:
    """A replacement for a system call that fails with this error."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    return refuse


def _start(script: str, *arguments: object) -> subprocess.Popen[str]:
    """Run a script in a process of its own, connected by pipes."""
    command = [sys.executable, "-c", _FAST_KEY + script, *map(str, arguments)]
    return subprocess.Popen(  # noqa: S603 - our own scripts
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


@pytest.fixture(scope="session")
def make() -> SimpleNamespace:
    """Functions that make small records."""
    return SimpleNamespace(
        reports=_reports,
        imp=_import,
        pairing=_pairing,
        save_pairs=_save_pairs,
        finding=_finding,
        extraction=_extraction,
        start=_start,
        crash=_crash,
        spoil=_spoil,
        refuse=_refuse,
        passphrase=PASSPHRASE,
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "department.radcal"


@pytest.fixture
def short_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short steps, so that a small file takes several."""
    monkeypatch.setattr(database, "_PAGES_AT_ONCE", 8)


@pytest.fixture
def ws(path: Path) -> Iterator[Workspace]:
    with Workspace.create(path, PASSPHRASE) as workspace:
        yield workspace


@pytest.fixture
def reopen(path: Path, ws: Workspace) -> Callable[[], Workspace]:
    """Close the workspace and open it again, so that a test sees what the file holds."""

    def again() -> Workspace:
        ws.close()
        return Workspace.open(path, PASSPHRASE, read_only=True)

    return again
