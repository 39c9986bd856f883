"""A workspace's reports as it lists them, its backups, what restores and updates made of it, and its page check."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias


class Paired:
    """In place of report_ids: those of all pairs, X-ray reports first, without being listed."""


PAIRED: Final = Paired()
Ids: TypeAlias = Iterable[str] | Paired
"""Which reports are asked for."""


class ListedRow(NamedTuple):
    """A report without its text, for a list of all reports.

    seq: its place in the order of import;  exam_time: local, in ns since 1970
    partner: report_id of the other report of its pair, '' for none;  gap_hours: CT time - X-ray time, None without it
    failure: why a run could not read it, '' if it did, None where it has not tried;  findings: what the run has found
    suspects: words left in it that may identify somebody
    """

    seq: int
    report_id: str
    modality: str
    accession: str
    exam: str
    exam_time: int
    author: str
    file: str
    row: int
    partner: str
    gap_hours: float | None
    failure: str | None
    findings: int
    suspects: int


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
class Updated:
    """A workspace that was brought up to date from one schema to another; ``copy`` is the file as it was before."""

    path: Path
    before: int
    after: int
    copy: Path
