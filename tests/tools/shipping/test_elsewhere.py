"""The trial on other processors starts the child under QEMU, and believes only what was read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from radcal.findings.model import process
from radcal.system import processes
from radcal.system.errors import EngineError
from tools.shipping import elsewhere


def test_the_child_runs_under_qemu_and_a_packaged_one_does_not_leave_it(tmp_path: Path) -> None:
    own = elsewhere.command(None, "Nehalem", "radcal.findings.model.worker")
    assert own == ["qemu-x86_64", "-cpu", "Nehalem", *processes.child_command("radcal.findings.model.worker")]
    packaged = elsewhere.command(tmp_path, "Haswell", "radcal.findings.model.worker")
    assert packaged[:3] == ["qemu-x86_64", "-cpu", "Haswell"]
    assert packaged[-3:] == [str(tmp_path / "radcal"), "--child", "radcal.findings.model.worker"]
    assert f"LD_LIBRARY_PATH={tmp_path / '_internal'}" in packaged
    assert f"_PYI_ARCHIVE_FILE={tmp_path / 'radcal'}" in packaged


def test_a_child_that_dies_is_a_processor_that_reads_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def abilities() -> None:
        assert process.child_command("m")[:3] == ["qemu-x86_64", "-cpu", "486"]
        raise EngineError("it ended by SIGILL")

    monkeypatch.setattr(elsewhere, "abilities", abilities)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    assert elsewhere.main(["--processors", "486"]) == 1
    assert capsys.readouterr().out == "486: nothing was read; it ended by SIGILL\n"
    assert process.child_command is processes.child_command


def test_without_qemu_nothing_is_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(SystemExit):
        elsewhere.main([])
