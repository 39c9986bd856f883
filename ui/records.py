"""What the window shows, as records made in a worker: plain values, ready to be drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from radcal.records import Advice, Group, Phrase, Reliability, Restored
    from radcal.workflow.keeping.copies import Copied
    from radcal.workflow.runs.records import RunChoice
    from ui.facade import Department


BOTH, XRAY, CT = "both", "xray", "ct"
"""What a report file can hold."""


@dataclass(frozen=True, slots=True)
class ChosenFile:
    """A report file, and how it is to be read.

    holds: BOTH, XRAY or CT
    mapping: fields to columns as the user chose them; empty to take what is recognised
    day_first: as the user said; None to let the file's dates decide
    replaces: it may take the place of its earlier reading
    """

    path: Path
    holds: str = BOTH
    mapping: Mapping[str, str] = field(default_factory=dict)
    day_first: bool | None = None
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class PlanOfImport:
    """What the user asked to be imported, and the workspace to keep it in.

    workspace: a new one to be made; None to import into the open one
    resume: the new workspace is there already, from a run that was stopped
    """

    files: tuple[ChosenFile, ...]
    workspace: Path | None = None
    passphrase: str = field(default="", repr=False)
    resume: bool = False


@dataclass(frozen=True, slots=True)
class Rejected:
    """A row that was left out, and what can be done."""

    file: str
    row: int
    reason: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Step:
    """How many reports were left after a step of pairing, and why the others dropped out."""

    step: str
    modality: str
    kept: int
    dropped: int
    reason: str


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import came to."""

    rows_read: int
    n_pairs: int
    rejected: tuple[Rejected, ...]
    notes: tuple[str, ...]
    n_reports: int
    n_failed: int
    unknown_phrases: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class GroupView:
    """One author on one topic as the page shows it."""

    reliability: Reliability
    advice: Advice | None


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """An open department with its analysis; ``groups`` is empty, with ``reason``, where nothing can be shown yet."""

    department: Department
    title: str
    path: Path
    groups: dict[Group, GroupView]
    phrases: tuple[Phrase, ...]
    min_phrase_n: int
    min_group_n: int
    engine: str = ""
    engine_accuracy: str = ""
    exams: Mapping[str, tuple[datetime | None, datetime | None]] = field(default_factory=dict)
    """Author, and when the first and last X-ray behind the results was made."""
    n_pairs: int = 0
    not_mentioned: Mapping[Group, int] = field(default_factory=dict)
    """How many findings CT made that the author's X-ray reports did not mention."""
    rejected: tuple[Rejected, ...] = ()
    """Rows that were left out of all imports."""
    attrition: tuple[Step, ...] = ()
    reason: str = ""
    sample: bool = False
    read_only: bool = False
    """Another RadCal has it open: nothing can be imported here."""
    up_to_date: bool = True
    """False where more was imported than was analysed, and this opening cannot mend it."""
    imported: Imported | None = None
    personal: str = ""
    """In personal mode, the radiologist whose own results these are."""
    runs: tuple[RunChoice, ...] = ()
    """Extraction runs that results can be made from, the latest first."""
    copied: Copied | None = None
    """When it was copied last; None where it is not for this window to copy."""
    restored: Restored | None = None
    """What became of the file, where a backup was put in its place just now."""
    fresh: bool = True
    """It was opened or imported into just now; False where results were made anew."""
