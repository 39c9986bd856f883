"""The open department as plain values for display, made in the worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from radcal.records import (
        Advice,
        AttritionStep,
        ExtractionSummary,
        Group,
        Phrase,
        RejectedRow,
        Reliability,
        Restored,
    )
    from radcal.records.runs import RunChoice
    from radcal.workflow import Department
    from radcal.workflow.keeping.schedule import Copied


@dataclass(frozen=True, slots=True)
class Imported:
    """A finished import with its extraction."""

    rows_read: int
    rejected: tuple[RejectedRow, ...]
    extraction: ExtractionSummary


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
    rejected: tuple[RejectedRow, ...] = ()
    """Rows that were left out of all imports."""
    attrition: tuple[AttritionStep, ...] = ()
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

    @property
    def shown_run(self) -> int | None:
        """The extraction run that the results are made from; None where that is not known."""
        return next((run.run_id for run in self.runs if run.shown), None)
