"""No program of RadCal asks for a socket of the internet: the kernel would kill it."""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from radcal.opening import open_department
from radcal.sample.department import SampleTruth
from radcal.system.settings import Settings
from radcal.workspace import database

GUARD = Path(__file__).with_name("no_network.py")
pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in ("x86_64", "aarch64"), reason="a filter of Linux"
)


def guarded(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run a module and its children under the guard."""
    return subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, str(GUARD), *map(str, words)],
        capture_output=True,
        text=True,
        timeout=300,
        env=os.environ
        | {"PYTHONPATH": str(GUARD.parents[2]), "HOME": str(folder), "QT_QPA_PLATFORM": "offscreen"}
        | {"RADCAL_PASSPHRASE": "plum tree over the wall"},
    )


def test_the_guard_kills_who_asks_for_one(tmp_path: Path) -> None:
    """A child of a child, so that the guard is known to reach the engine's process, too."""
    asks = "import socket; socket.socket(socket.AF_INET6 if {} else socket.AF_INET)"
    for six in (0, 1):
        command = [sys.executable, "-c", asks.format(six)]
        (tmp_path / "asking.py").write_text(f"import subprocess; print(subprocess.run({command}).returncode)")
        done = subprocess.run(  # noqa: S603 - our own interpreter
            [sys.executable, str(GUARD), "asking"],
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONPATH": str(tmp_path)},
        )
        assert done.stdout.strip() == str(-signal.SIGSYS), done.stderr


@pytest.mark.slow
def test_from_reports_to_pages(tmp_path: Path, small: SampleTruth) -> None:
    (tmp_path / "quick.json").write_text(json.dumps({"bootstrap": 20}))
    done = guarded(
        *(tmp_path, "radcal", "run", "--xray", small.xray, "--ct", small.ct, "--workspace", tmp_path / "w.radcal"),
        *("--out", tmp_path / "out", "--settings", tmp_path / "quick.json"),
    )
    assert done.returncode in (0, 1), done.stderr  # 1: rows were left out, which are listed
    assert len(list((tmp_path / "out").glob("feedback-*.pdf"))) == 2
    assert len(list(tmp_path.glob("w.radcal*"))) == 1


@pytest.mark.slow
def test_a_folder_that_is_watched(tmp_path: Path, small: SampleTruth) -> None:
    """What is dropped is taken in without a socket: only `radcal listen` waits for connections."""
    settings = Settings(bootstrap=20, second="none", deidentify="off")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "KDF_ITERATIONS", 256_000)  # as the program has it
        open_department(tmp_path / "w.radcal", "plum tree over the wall", create=True, settings=settings).close()
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "xray.csv").write_bytes(small.xray.read_bytes())
    words = ("watch", tmp_path / "in", "--workspace", tmp_path / "w.radcal", "--once", "--settle", "0")
    done = guarded(tmp_path, "radcal", *words)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "in" / "done" / "xray.csv").exists()
    listening = guarded(tmp_path, "radcal", "listen", "--mllp", "0", "--workspace", tmp_path / "w.radcal")
    assert listening.returncode == -signal.SIGSYS


@pytest.mark.slow
def test_the_llama_in_its_own_process(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("report_id,text\na,No effusion. Likely pneumonia.\n")
    done = guarded(
        *(tmp_path, "radcal", "extract", tmp_path / "r.csv", "--out", tmp_path / "f.csv", "--set", "engine=llama")
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len((tmp_path / "f.csv").read_text().splitlines()) > 1


@pytest.mark.slow
def test_the_window(tmp_path: Path) -> None:
    done = guarded(tmp_path, "main", "--exit-after-first-paint")
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "painted\n")
