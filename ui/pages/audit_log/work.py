"""The audit log in the worker: its entries, and its verification."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from radcal.progress import Progress
    from radcal.records.log import LogVerified
    from radcal.workflow import Department


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the log to be shown, without digests, which are for `radcal check`.

    at: timezone-aware;  kind: of keeping.audit_log.KINDS
    """

    number: int
    at: datetime
    user: str
    radcal: str
    what: str
    counts: tuple[tuple[str, int], ...]
    kind: str


@dataclass(frozen=True, slots=True)
class Verified:
    """The outcome of a verification in sentences, the most important first."""

    holds: bool
    sentences: tuple[str, ...]


def entries(department: Department, progress: Progress) -> tuple[Entry, ...]:
    """All entries, the oldest first."""
    from radcal.records.log import DIGEST
    from radcal.workflow.keeping.audit_log import entry_as_plain, kind_of

    found = []
    for entry in department.audit_log.entries():
        progress.raise_if_cancelled()
        counts = entry_as_plain(entry)["counts"]
        found.append(
            Entry(
                entry.entry,
                _moment(entry.at),
                entry.user,
                entry.radcal,
                entry.what,
                tuple((name, n) for name, n in counts.items() if isinstance(n, int) and not name.startswith(DIGEST)),
                kind_of(entry.what),
            )
        )
    return tuple(found)


def _moment(at: str) -> datetime:
    from datetime import UTC

    try:
        read = datetime.fromisoformat(at)
    except ValueError:  # an entry of another tool's making
        return datetime.fromtimestamp(0, UTC)
    return read if read.tzinfo is not None else read.replace(tzinfo=UTC)


def verify(against: tuple[Path, ...], department: Department, progress: Progress) -> Verified:
    """Verify the log within itself, and against the backups at hand and further ones."""
    from radcal.workflow.keeping.audit_log import sentences

    found: LogVerified = department.audit_log.verify(against, progress=progress)
    return Verified(found.holds, sentences(found))
