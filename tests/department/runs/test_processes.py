"""Processes that are stopped, killed or get into each other's way."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from radcal import cli
from radcal.findings.engines import make_engine
from radcal.opening import open_department
from radcal.sample.department import SampleTruth, generate

PAIRS = 24
BATCH = 8
STUCK = 3 * BATCH + 5
RUNNER = f"""
import sys, time
from radcal.workspace import database
database.KDF_ITERATIONS = 1000
from radcal.findings.engines import make_engine
from radcal.findings import runs as extracting
from radcal.system.settings import Settings
extracting._BATCH = {BATCH}
inner = make_engine(settings=Settings(workers=1, second="none"))

class Stuck:
    name, version, settings_hash = inner.name, inner.version, inner.settings_hash

    def extract(self, documents, progress):
        with open(sys.argv[1], "a") as log:
            for n, document in enumerate(documents, 1):
                print(document.report_id, file=log, flush=True)
                while n >= {STUCK}:
                    progress.raise_if_cancelled()
                    time.sleep(0.01)
                yield from inner.extract([document], progress)

extracting.make_engine = lambda name="rules", *_: Stuck()
from radcal.cli import main
sys.exit(main(sys.argv[2:]))
"""
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX systems")


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> SampleTruth:
    """Reports of 24 pairs by one radiologist, with rows that cannot be used."""
    return generate(tmp_path_factory.mktemp("few"), PAIRS, 4, radiologists=1)


@pytest.fixture
def command(tmp_path: Path, few, make) -> list[str]:
    (tmp_path / "settings.json").write_text(json.dumps(make.settings.to_dict()), encoding="utf-8")
    (tmp_path / "key").write_text(make.passphrase + "\n", encoding="utf-8")
    return [
        *("run", "--xray", str(few.xray), "--ct", str(few.ct), "--workspace", str(tmp_path / "w.radcal")),
        *("--out", str(tmp_path / "out"), "--passphrase-file", str(tmp_path / "key")),
        *("--settings", str(tmp_path / "settings.json"), "--json"),
    ]


@pytest.fixture
def started(tmp_path: Path, command: list[str]) -> Callable[[], subprocess.Popen[str]]:
    """Begins the command in a process of its own, which gets as far as the middle of extraction and stays there."""

    def _started() -> subprocess.Popen[str]:
        log = tmp_path / "log"
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and script
            [sys.executable, "-c", RUNNER, str(log), *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        until = time.monotonic() + 120
        while process.poll() is None and time.monotonic() < until:
            if log.exists() and log.read_text().count("\n") == STUCK:
                return process
            time.sleep(0.005)
        process.kill()
        raise AssertionError(process.communicate())

    return _started


def _calls(tmp_path: Path) -> list[str]:
    return (tmp_path / "log").read_text().split()


@pytest.mark.slow
def test_a_killed_run_goes_on_and_has_lost_no_more_than_a_batch(started, command, tmp_path, spy, capsys):
    process = started()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = _calls(tmp_path)
    spy.version = make_engine().version
    assert cli.main(command) == 1
    summary = json.loads(capsys.readouterr().out)
    assert summary["reports_extracted"] == 2 * PAIRS
    twice = [i for i, n in Counter([*before, *spy.asked]).items() if n > 1]
    assert len(twice) <= BATCH
    assert len(set(before) | set(spy.asked)) == 2 * PAIRS
    assert set(before) - set(spy.asked), "the committed batches are not read again"


@pytest.mark.slow
def test_an_interrupted_run_loses_nothing_and_says_how_to_go_on(started, command, tmp_path, spy, capsys):
    process = started()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert out == ""
    assert "Stopped. What was done is kept; the same command goes on where it was." in err
    assert "Traceback" not in err
    before = _calls(tmp_path)
    spy.version = make_engine().version
    assert cli.main(command) == 1
    first = capsys.readouterr().out
    # The report in hand when the signal came is given up, and read again; none that was done is.
    assert set(before) & set(spy.asked) <= {before[-1]}
    assert len(set(before) | set(spy.asked)) == 2 * PAIRS
    # The summary is the same however often the command is given, and counts nothing twice.
    assert cli.main(command) == 1
    second = json.loads(capsys.readouterr().out)
    once = json.loads(first)
    assert once["rows_read"] == once["attrition"][0]["kept"] + once["attrition"][0]["dropped"]
    assert (once.pop("backup") != "", second.pop("backup")) == (True, "")  # one a day
    assert once == second
    dropped = sum(s["dropped"] for s in once["attrition"] if s["modality"] != "xray statements")
    assert once["attrition"][0]["kept"] == 2 * PAIRS + dropped


@pytest.mark.slow
def test_a_second_process_is_told_who_has_the_workspace_open(started, command, make, tmp_path, capsys):
    process = started()
    try:
        assert cli.main(command) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert f"process {process.pid}" in captured.err
        assert "open in another RadCal" in captured.err
        with open_department(tmp_path / "w.radcal", make.passphrase, read_only=True) as reader:
            assert len(reader._workspace.rejected()) >= 4
    finally:
        process.kill()
        process.communicate()
