"""A portable program keeps everything beside itself, an installed one in the user's folders."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from radcal.findings.model import state
from radcal.system import places


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    places.portable_data.cache_clear()
    yield
    places.portable_data.cache_clear()


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a packaged program, as anybody may call it."""
    folder = tmp_path / "Röntgen Programme" / "RadCal"
    folder.mkdir(parents=True)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(folder / "radcal-gui"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home" / "cache"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "home" / "cache"))
    return folder


def test_a_portable_program_keeps_everything_beside_itself(program: Path) -> None:
    (program / places.PORTABLE).touch()
    assert places.settings_file() == program / "data" / "RadCal.ini"
    assert places.cache_folder() == program / "data" / "cache"
    assert state.default_folder().parent == program / "data" / "cache"
    assert state.save(state.default_folder(), "k", b"x" * 40) == ""
    assert list((program / "data").iterdir()) == [program / "data" / "cache"], "the trial was left behind"


def test_an_installed_program_and_a_checkout_use_the_users_folders(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert places.portable_data() is None
    assert places.settings_file() is None
    assert places.cache_folder() == program.parents[1] / "home" / "cache" / "radcal"
    (program / places.PORTABLE).touch()
    places.portable_data.cache_clear()
    monkeypatch.delattr(sys, "frozen")
    assert places.portable_data() is None, "a checkout is never portable"
    assert list(program.iterdir()) == [program / places.PORTABLE]


def test_a_portable_program_on_a_share_that_cannot_be_written_uses_the_users_folders(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (program / places.PORTABLE).touch()

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "mkdir", refuse)  # what a superuser may do, too
    assert places.settings_file() is None
    assert places.cache_folder() == program.parents[1] / "home" / "cache" / "radcal"
    # The folder is there, from when it could be written.
    monkeypatch.undo()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(program / "radcal"))
    (program / "data").mkdir()
    places.portable_data.cache_clear()
    monkeypatch.setattr(places.tempfile, "TemporaryFile", refuse)
    assert places.settings_file() is None


def test_the_windows_preferences_are_those_of_the_portable_program(program: Path) -> None:
    preferences = pytest.importorskip("ui.preferences", reason="needs Qt")
    (program / places.PORTABLE).touch()
    preferences.choose_lock_minutes(7)
    preferences.preferences().sync()
    assert preferences.lock_minutes() == 7
    assert "minutes=7" in (program / "data" / "RadCal.ini").read_text(encoding="utf-8")
