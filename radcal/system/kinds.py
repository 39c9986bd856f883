"""The kinds of files that are made like a workspace."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

NAMES_SUFFIX = ".names"
"""Suffix of names keys."""


def names_key_of(workspace: Path) -> Path:
    """Where the names key of a workspace is looked for: beside it, as 'chest.names' for 'chest.radcal'."""
    return workspace.with_name(f"{workspace.stem}{NAMES_SUFFIX}")


class FileKind(StrEnum):
    """For whose eyes a file is: a department's workspace has everything, the others one part each, built for it.

    The value is what the file says of itself; '' is a department's workspace, which says nothing.
    """

    DEPARTMENT = ""
    PERSONAL = "personal file"
    REVIEW = "review file"

    @property
    def has_results(self) -> bool:
        """Whether there are results to be shown."""
        return self in (FileKind.DEPARTMENT, FileKind.PERSONAL)
