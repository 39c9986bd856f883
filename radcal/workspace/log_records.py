"""The audit log: its entries, its head, and what a verification of it found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from radcal.system.text import Text

NAMES_OPENED, NAMES_LISTED, NAMES_COPIED = "names key opened", "names listed", "names key copied"
LOOKED = ("workspace opened", "workspace closed", "viewed ", "opened ", NAMES_OPENED, NAMES_LISTED)
"""What entries on looking begin with."""
COPIED = ("copied ", NAMES_COPIED)
"""What entries on copying begin with."""
DIGEST = "digest_of_"
"""Before the name of a table, among the counts of an entry on a backup: a digest of what was in it, and no count."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry, as it is stored.

    entry: counted from 1;  at: UTC, ISO 8601;  radcal: the version;  counts: a JSON object
    hash: over the entry and the hash of the one before; b'' where there is none
    """

    entry: int
    at: str
    user: str
    radcal: str
    what: str
    counts: str
    hash: bytes


@dataclass(frozen=True, slots=True)
class LogHead:
    """The end of a log at some time: who knows it can tell whether the log up to there is still the same.

    log: names the log, the same in all copies of a workspace: 32 hexadecimal digits
    entry: the last one, 0 in an empty log;  hash: its hash, 32 bytes
    """

    log: str
    entry: int
    hash: bytes


class Fit(Enum):
    """How a log goes with a copy of it."""

    FITS = "fits"
    CHANGED = "changed"
    """The log has another entry where it should have the same."""
    MISSING = "missing"
    """The log ends earlier."""
    REPLACED = "replaced"
    """The copy is of the line that a restore replaced."""
    UNATTESTED = "unattested"
    """The copy would be of a line that a restore replaced, but nothing outside the log tells of the backup restored."""
    OF_ANOTHER = "of another"
    """It is of the log of another workspace."""
    RENAMED = "renamed"
    """It should be of this log, but knows one of another name."""
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class LogWitness:
    """A backup of a workspace, and how the log goes with it.

    entry: the last that it knows, 0 if unknown
    first: where the log was changed: the first entry that no longer fits; None otherwise
    said: all of this in a sentence
    """

    file: Path
    fit: Fit
    said: Text
    entry: int = 0
    first: int | None = None

    @property
    def speaks_against(self) -> bool:
        """Whether the log is no longer what it was."""
        return self.fit in (Fit.CHANGED, Fit.MISSING, Fit.RENAMED, Fit.UNATTESTED)


@dataclass(frozen=True, slots=True)
class LogVerified:
    """The outcome of verifying a log.

    entries: how many it has
    faults: what is wrong within it, in sentences;  remarks: what to know about it
    first: the first entry that is wrong within it, None if none is
    vouched: the newest entry that a backup vouches for, 0 for none
    """

    entries: int
    head: LogHead
    faults: Sequence[Text]
    remarks: Sequence[Text]
    witnesses: Sequence[LogWitness]
    first: int | None
    vouched: int

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against it."""
        return not self.faults and not any(witness.speaks_against for witness in self.witnesses)
