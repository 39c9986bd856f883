"""A process killed at any moment leaves whole batches, from which the run continues."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from radcal.reports.storage import save_import
from radcal.workspace.errors import NoAccess, WrongPassphrase
from radcal.workspace.store import Workspace

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills by signal")

BATCH = 7
REPORTS = 210

SAVE_BATCHES = """
import sys
from radcal.findings.records import Extraction, Finding
from radcal.findings.storage import save_extractions
from radcal.reports.records import Section
from radcal.workspace.store import Workspace
path, passphrase, batch = sys.argv[1], sys.argv[2], int(sys.argv[3])

def extraction(i):
    sentence = "Likely edema. " * 60
    found = Finding(i, "edema", "likely", "likely", sentence, Section.FINDINGS, 0, 840, 7, 12, 0, 6, "rules", None)
    return Extraction(i, (found,) * 3)

with Workspace.open(path, passphrase) as ws:
    if len(sys.argv) > 4:
        ws._db.execute("PRAGMA cache_size = 5")  # spill into the file long before the commit
    run = ws.begin_run("rules", "1", "h")
    todo = ws.pending(run, ws.reports(["report_id"])["report_id"])
    print("begun", flush=True)
    for start in range(0, len(todo), batch):
        sys.stdin.readline()
        save_extractions(ws, run, [extraction(i) for i in todo[start : start + batch]])
        print(start, flush=True)
print("finished", flush=True)
"""


def run_until(make, path, lines: int, delay: float, *more: str) -> list[str]:
    """Start the script, read some lines, kill it a moment later and return all that it had said.

    It saves one batch beyond what was read, and is killed before that, in the middle of it, or after it.
    """
    process = make.start(SAVE_BATCHES, path, make.passphrase, BATCH, *more)
    process.stdin.write("go on\n" * lines)
    process.stdin.flush()
    said = [process.stdout.readline() for _ in range(lines)]
    time.sleep(delay)
    process.kill()
    rest, _ = process.communicate()
    return [*said, *rest.splitlines()]


@pytest.mark.slow
def test_a_run_that_is_killed_again_and_again_is_finished_without_loss_or_double(path, ws, make):
    save_import(ws, make.imp({f"xray:{i}": f"Report {i}." for i in range(REPORTS)}))
    ws.close()
    done_before = 0
    for k, (lines, delay) in enumerate([(1, 0.0), (2, 0.002), (4, 0.005), (3, 0.009)]):
        said = run_until(make, path, lines, delay, *["spill"] * (k % 2))
        with Workspace.open(path, make.passphrase) as again:
            run = again.begin_run("rules", "1", "h")
            texts, failed, findings = again.runs()[["texts", "failed", "findings"]].to_numpy().tolist()[0]
            pending = again.pending(run, [f"xray:{i}" for i in range(REPORTS)])
        assert texts % BATCH == 0
        assert (failed, findings) == (0, 3 * texts)
        assert len(pending) == REPORTS - texts
        reported = BATCH * sum(line.strip().isdigit() for line in said)
        # All that was reported is saved; the kill can fall between a commit and its report.
        assert done_before + reported <= texts <= done_before + reported + BATCH
        done_before = texts
        assert Workspace.check(path, make.passphrase) == ()
    assert 0 < done_before < REPORTS
    finished, _ = make.start(SAVE_BATCHES, path, make.passphrase, BATCH).communicate("go on\n" * REPORTS)
    assert finished.splitlines()[-1] == "finished"
    assert finished.count("\n") - 2 == (REPORTS - done_before) // BATCH
    with Workspace.open(path, make.passphrase, read_only=True) as again:
        assert again.findings(1).groupby("report_id").size().tolist() == [3] * REPORTS
        assert again.pending(1, again.reports(["report_id"])["report_id"]) == []


REKEY = """
import os, sys
from radcal.workspace.store import Workspace
ws = Workspace.open(sys.argv[1], sys.argv[2])
ws._db.execute("PRAGMA cache_size = 5")
print("begun", flush=True)
ws.change_passphrase(sys.argv[2], "new")
print("changed", flush=True)
sys.stdin.read()
"""


def test_what_a_crash_left_half_written_is_put_in_order_by_the_next_writer(path, ws, make):
    save_import(ws, make.imp({"xray:1": "Clear lungs."}))
    ws.close()
    make.crash(path)
    with pytest.raises(NoAccess, match=r"was not closed properly .* open it once for writing") as refused:
        Workspace.open(path, make.passphrase, read_only=True)
    assert refused.value is not None  # the exception keeps its frames alive
    descriptors = Path("/proc/self/fd")
    if descriptors.exists():
        assert path not in [fd.readlink() for fd in descriptors.iterdir() if fd.exists()]
    left = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    with pytest.raises(NoAccess, match="was not closed properly"):
        Workspace.check(path, make.passphrase)
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == left, "a check only looks"
    with Workspace.open(path, make.passphrase) as again:
        assert again.get_meta("key 0") is None
        assert again.reports()["text"].tolist() == ["Clear lungs."]
    assert [p.name for p in path.parent.iterdir()] == [path.name]
    assert Workspace.check(path, make.passphrase) == ()


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.05, 0.08])
def test_a_change_of_passphrase_that_is_cut_off_leaves_the_old_or_the_new(path, ws, make, delay):
    save_import(ws, make.imp({f"xray:{i}": f"Report {i}. " * 200 for i in range(1000)}))
    ws.close()
    process = make.start(REKEY, path, make.passphrase)
    assert process.stdout.readline() == "begun\n"
    time.sleep(delay)
    process.kill()
    rest, _ = process.communicate()
    opened = []
    for passphrase in (make.passphrase, "new"):
        try:
            with Workspace.open(path, passphrase) as again:
                assert len(again.reports()) == 1000
                opened.append(passphrase)
            assert Workspace.check(path, passphrase) == ()
        except WrongPassphrase:
            pass
    assert len(opened) == 1
    if "changed" in rest:
        assert opened == ["new"]
