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


@pytest.mark.parametrize("delay", [0.0, 0.05])
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
