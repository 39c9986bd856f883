"""The decoded prompt on disk: whole or not there, and never in the way."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from radcal.findings.model import state
from tests.cases import cases_of

cases = cases_of(__file__)


def test_what_was_saved_is_there_until_it_is_taken_and_again_once_put_back(tmp_path: Path) -> None:
    assert state.take(tmp_path, "k") is None
    assert state.save(tmp_path, "k", b"keys and values") == ""
    assert state.take(tmp_path, "k") == b"keys and values"
    assert state.take(tmp_path, "k") is None
    state.put_back(tmp_path, "k")
    assert state.take(tmp_path, "k") == b"keys and values"
    state.put_back(tmp_path, "none")


def test_a_damaged_state_is_none(tmp_path: Path) -> None:
    state.save(tmp_path, "k", b"keys and values")
    [path] = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-1])
    assert state.take(tmp_path, "k") is None
    assert state.take(tmp_path, "k") is None


def test_only_the_newest_are_kept(tmp_path: Path) -> None:
    for i in range(7):
        state.save(tmp_path, f"k{i}", b"x")
        os.utime(tmp_path / f"k{i}.state", (i, i))
    state.save(tmp_path, "last", b"x")
    assert sorted(p.stem for p in tmp_path.iterdir()) == ["k4", "k5", "k6", "last"]


def test_a_full_disk_is_said_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert "No space left on device" in state.save(tmp_path, "k", b"x" * 100)
    assert list(tmp_path.iterdir()) == []


@cases("the_folder_is_the_users_cache")
def test_the_folder_is_the_users_cache(
    monkeypatch: pytest.MonkeyPatch, platform: str, variable: str, expected: str
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setenv(variable, "chosen")
    assert state.default_folder().as_posix().endswith(expected)
