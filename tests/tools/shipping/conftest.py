"""A packaged program of two files, where a real one has thousands."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tools.shipping.release import Release, this_release


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """The folder of a program, as PyInstaller makes it."""
    folder = tmp_path / "made" / "radcal"
    inside = folder / "_internal" / "Röntgen"
    inside.mkdir(parents=True)
    for name in ("radcal", "radcal-gui"):
        shutil.copy(shutil.which("true") or "/bin/true", folder / name)
        (folder / name).chmod(0o775)
    (inside / "words.txt").write_text("wahrscheinlich\n", encoding="utf-8")
    (inside / "words.txt").chmod(0o664)
    (folder / "_internal" / "link.txt").symlink_to("Röntgen/words.txt")
    return folder


@pytest.fixture
def release() -> Release:
    """A release for Linux."""
    return Release("1.2.3", "linux", "x86_64", int(datetime(2026, 1, 2, 3, 4, 6, tzinfo=UTC).timestamp()), _PROJECT)


_PROJECT = this_release().project
