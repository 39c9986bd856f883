"""A program that is killed at any of its writes, or whose disk is full, loses nothing that it had saved.

The whole chain from report files to pages runs in processes that are cut off at places drawn with a fixed seed; the
same command then goes on, and comes to the same pages, byte by byte, as one that nobody disturbed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from radcal.sample.department import SampleTruth, generate

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="forks, and limits the sizes of files"),
]
DRIVER = Path(__file__).with_name("driver.py")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> SampleTruth:
    """The reports of two made-up radiologists, few: they are read twice for each place."""
    return generate(tmp_path_factory.mktemp("small"), 12, 3, radiologists=2)


def trials(kind: str, folder: Path, small: SampleTruth) -> list[dict[str, Any]]:
    command = [sys.executable, str(DRIVER), kind, str(folder), str(small.xray), str(small.ct)]
    environment = {"PYTHONPATH": str(DRIVER.parents[2]), "HOME": str(folder), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)  # noqa: S603 - our own script
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_after_a_kill_everything_saved_is_there_and_the_work_goes_on(tmp_path: Path, small: SampleTruth) -> None:
    shown = trials("kill", tmp_path, small)
    assert len(shown) == 6
    for trial in shown:
        assert trial["how"] == "SIGKILL"
        # What was counted at the last commit before the kill, in the process itself.
        assert trial["saved"] in (None, trial["after"])
        assert (trial["sound"], trial["half"]) == (True, [])
        assert (trial["went on"], trial["differs"]) == ("done", [])


def test_a_full_disk_is_told_and_what_fits_no_more_is_made_up_for_later(tmp_path: Path, small: SampleTruth) -> None:
    shown = trials("full", tmp_path, small)
    assert len(shown) == 3
    for trial in shown:
        assert trial["how"] in ("DiskFull", "NoAccess", "InputError")
        assert (trial["sound"], trial["half"]) == (True, [])
        assert (trial["went on"], trial["differs"]) == ("done", [])
        assert trial["left"] == []  # it could tidy up after itself
