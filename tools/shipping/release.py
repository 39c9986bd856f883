"""What all packages of a release have in common: version, kind of machine, and the time that is written into them."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
_SYSTEMS = {"linux": "linux", "win32": "windows", "darwin": "macos"}
_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}


@dataclass(frozen=True, slots=True)
class Release:
    """A version of RadCal for a kind of machine.

    system:  'linux', 'windows' or 'macos';  machine: such as 'x86_64'
    seconds: since 1970, the time of all files in its packages, so that the same program gives the same package
    project: the table of that name in pyproject.toml
    """

    version: str
    system: str
    machine: str
    seconds: int
    project: dict[str, Any]

    @property
    def time(self) -> datetime:
        """The time of all files in its packages."""
        return datetime.fromtimestamp(self.seconds, UTC)

    @property
    def maintainer(self) -> str:
        """Name and address as Debian writes them; a project without an address has one that reaches nobody."""
        author = self.project["authors"][0]
        return f"{author['name']} <{author.get('email', 'radcal@localhost')}>"


def this_release() -> Release:
    """The version of this checkout, for the machine that runs this.

    The time is that of SOURCE_DATE_EPOCH, of the last commit, or 1980, the first that a zip file can hold.
    Source: reproducible-builds.org, SOURCE_DATE_EPOCH.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    machine = platform.machine().lower()
    return Release(
        project["version"],
        _SYSTEMS.get(sys.platform, sys.platform),
        _MACHINES.get(machine, machine),
        _seconds(),
        project,
    )


def _seconds() -> int:
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    try:
        told = subprocess.run(
            ["git", "log", "-1", "--format=%ct"],  # noqa: S607 - wherever it is
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return int(datetime(1980, 1, 1, tzinfo=UTC).timestamp())
    return int(told)
