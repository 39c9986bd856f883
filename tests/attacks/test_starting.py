"""Ctrl+C while the program starts: at each of its imports it says "Stopped." and ends, without a traceback."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
START = """
import os, signal, sys
sys.argv = ["radcal", "--version"] if sys.argv[1] == "radcal.cli" else ["radcal-gui", "--exit-after-first-paint"]
from {module} import start  # what a console script does
at, count = int({at}), 0

def interrupt(event, arguments):
    global count
    if event == "import":
        count += 1
        if count == at:
            os.kill(os.getpid(), signal.SIGINT)

sys.addaudithook(interrupt)
try:
    sys.exit(start())
finally:
    print(count, flush=True)
"""
"""The program, interrupted at one of its imports; says how many there were if it ends by itself."""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends itself a signal")


def run(module: str, at: int) -> subprocess.CompletedProcess[str]:
    script = START.format(module=module, at=at)
    return subprocess.run(  # noqa: S603 - our own script
        [sys.executable, "-c", script, module],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=ROOT,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
    )


@pytest.mark.slow
@pytest.mark.parametrize("module", ["radcal.cli", "ui"])
def test_ctrl_c_at_any_import_stops_with_a_word(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    whole = run(module, 0)
    imports = int(whole.stdout.splitlines()[-1])
    assert (whole.returncode, whole.stderr) == (0, "")
    assert imports > 100
    for at in (1, 2, imports, *random.Random(1).sample(range(3, imports), 5)):  # noqa: S311 - places to stop at
        done = run(module, at)
        stopped = (done.returncode, done.stderr) == (130, "Stopped.\n")
        # What was painted before is on its way out, or closes as it does on Ctrl+C later on.
        ended = module == "ui" and (done.returncode, done.stderr) == (0, "")
        assert stopped or ended, f"import {at} of {imports}: {done.returncode}\n{done.stderr}"
        assert stopped or at > imports // 2
