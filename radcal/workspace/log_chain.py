"""The audit log as a chain of hashes: what an entry's hash covers, and where a chain is broken.

The hash of an entry is SHA-256 over the hash of the entry before and the entry itself, so that an entry can neither be
changed nor moved, inserted or removed without a new hash for all that follow.  Whoever has the passphrase can compute
them anew; then the head, the hash of the last entry, no longer is the one that backups know.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from radcal.system.text import Text
from radcal.workspace import schema
from radcal.workspace.log_records import LogEntry

_FORM = b"RadCal audit log, form 1\n"
_MOST = 20
"""Faults that are told."""


def origin(log: str) -> bytes:
    """What stands for the hash before the first entry: SHA-256 over the form's name and that of the log."""
    return hashlib.sha256(_FORM + log.encode()).digest()


def link(before: bytes, entry: int, at: str, user: str, radcal: str, what: str, counts: str) -> bytes:
    """The hash of an entry, 32 bytes: SHA-256 over the hash before and the entry as a JSON array in ASCII.

    The array keeps the parts apart, whatever characters they have: different entries have different encodings.
    """
    return hashlib.sha256(before + json.dumps([entry, at, user, radcal, what, counts]).encode("ascii")).digest()


def link_of(before: bytes, entry: LogEntry) -> bytes:
    """The hash that an entry should have."""
    return link(before, entry.entry, entry.at, entry.user, entry.radcal, entry.what, entry.counts)


def guards() -> Mapping[str, str]:
    """The triggers by which a workspace refuses changes to its log: name -> SQL."""
    return {name: sql for name, sql in schema.triggers().items() if name.startswith("audit_")}


@dataclass(slots=True)
class Chain:
    """Follows a log entry by entry, in any length, and notes where its chain is broken.

    first: the first entry that is wrong, None if none is
    """

    log: str
    entries: int = 0
    last: int = 0
    head: bytes = b""
    first: int | None = None
    faults: list[Text] = field(default_factory=list)
    set_back: list[int] = field(default_factory=list)
    """Entries that say an earlier time than the one before."""
    _at: str = ""
    _more: int = 0

    def __post_init__(self) -> None:
        self.head = origin(self.log)

    def follow(self, entries: Iterable[LogEntry]) -> Iterator[LogEntry]:
        """The entries, checked as they pass."""
        for entry in entries:
            self._look_at(entry)
            yield entry

    def _look_at(self, entry: LogEntry) -> None:
        missing = entry.entry - self.last - 1
        if missing:
            self._fault(
                self.last + 1,
                Text("Entry {first} is missing.", many="Entries {first} to {last} are missing.", n=missing,
                     first=self.last + 1, last=entry.entry - 1),
            )  # fmt: skip
        elif not entry.hash:
            self._fault(entry.entry, Text("Entry {n} has no hash: it was not made by RadCal.", n=entry.entry))
        elif entry.hash != link_of(self.head, entry):
            self._fault(
                entry.entry,
                Text("Entry {n} does not fit what is before it: it was changed, inserted or moved.", n=entry.entry),
            )
        if entry.at < self._at:
            self.set_back.append(entry.entry)
        # From here on as if it were right, so that further faults are found.
        self.head, self.last, self._at = entry.hash, entry.entry, entry.at
        self.entries += 1

    def _fault(self, entry: int, said: Text) -> None:
        if self.first is None:
            self.first = entry
        if len(self.faults) < _MOST:
            self.faults.append(said)
        else:
            self._more += 1

    def end(self, made: int) -> None:
        """All entries have passed; ``made``: how many the file says were ever made."""
        if made > self.last:
            n = made - self.last
            self._fault(
                self.last + 1,
                Text("The last entry, number {first}, is missing.",
                     many="The last {n} entries, from number {first} on, are missing.", n=n, first=self.last + 1),
            )  # fmt: skip
        elif made < self.last:
            self._fault(self.last, Text("The count of entries ever made was set back, to {n}.", n=made))
        if self._more:
            self.faults.append(Text("One more fault like these.", many="{n} more faults like these.", n=self._more))
