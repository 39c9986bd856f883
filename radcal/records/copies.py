"""A workspace's backups, their contents, what restores and updates made of it, and the result of the page check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Backup:
    """A file that holds an earlier state of a workspace.

    made: timezone-aware
    size: in bytes
    series: of which workspace it is, with its number; '' and 0 for one that was not made by the clock
    """

    path: Path
    made: datetime
    size: int
    series: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Checked:
    """When all pages were last read, timezone-aware, and how many of them were damaged."""

    at: datetime
    pages: int
    damaged: int


@dataclass(frozen=True, slots=True)
class Contents:
    """What a workspace holds, in counts.

    decisions: of people, which nothing could work out again
    last: when something was last entered in its audit log, timezone-aware
    identity: the same for a workspace and its copies alone
    """

    reports: int
    decisions: int
    last: datetime
    identity: str


@dataclass(frozen=True, slots=True)
class Restored:
    """What became of a workspace whose backup was restored.

    aside: where the file that was there before is now; None where there was none
    held: what the backup holds;  before: what the file held, None where that cannot be read
    """

    aside: Path | None
    held: Contents
    before: Contents | None


@dataclass(frozen=True, slots=True)
class UpdateCopy:
    """A workspace as it was before a newer RadCal brought it up to date, kept beside it.

    schema: of the copy;  made: timezone-aware, None where its name does not say;  size: in bytes
    """

    path: Path
    schema: int
    made: datetime | None
    size: int


@dataclass(frozen=True, slots=True)
class Updated:
    """A workspace that was brought up to date from one schema to another; ``copy`` is the file as it was before."""

    path: Path
    before: int
    after: int
    copy: Path


@dataclass(frozen=True, slots=True)
class UpdatePlan:
    """What this RadCal would do with a workspace when it opens it for writing.

    schema: of the file;  target: of this RadCal;  written_by: the RadCal that brought it to its schema, '' if unknown
    size: of the file in bytes;  needed: free space that the update asks for in its folder, 0 where there is nothing to
        do;  free: what there is
    copy: the file that would be kept;  copies: those of earlier updates
    changeable: whether this user may change the file and add others to its folder
    """

    path: Path
    schema: int
    target: int
    written_by: str
    size: int
    needed: int
    free: int
    copy: Path | None
    copies: tuple[UpdateCopy, ...] = ()
    changeable: bool = True

    @property
    def is_due(self) -> bool:
        """Whether the file is of an older schema."""
        return self.schema < self.target

    @property
    def fits(self) -> bool:
        """Whether there is room for the update."""
        return self.free >= self.needed


@dataclass(frozen=True, slots=True)
class RolledBack:
    """A workspace in whose place the copy made before its update was put.

    copy: which stays;  before, after: the schemas
    aside: where the newer file is now
    since: entries of its audit log since the copy was made, by what they say, without the update's own; None where
        this RadCal cannot read the newer file
    entered: whether the newer file's audit log has the roll-back
    """

    path: Path
    copy: Path
    before: int
    after: int
    aside: Path
    since: Mapping[str, int] | None
    entered: bool
