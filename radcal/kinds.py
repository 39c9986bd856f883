"""The kinds of files that are made like a workspace."""

from __future__ import annotations

from enum import StrEnum


class FileKind(StrEnum):
    """For whose eyes a file is: a department's workspace has everything, the others one part each, built for it.

    The value is what the file says of itself; '' is a department's workspace, which says nothing.
    """

    DEPARTMENT = ""
    PERSONAL = "personal file"
    AUDIT = "audit file"
    REVIEW = "review file"

    @property
    def has_results(self) -> bool:
        """Whether there are results to be shown."""
        return self in (FileKind.DEPARTMENT, FileKind.PERSONAL)
