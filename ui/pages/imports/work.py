"""Background work for the Import page: inspecting files and counting the outcome of an import."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from radcal.department import Department
    from radcal.reports.deidentify.suspects import Suspicion
    from radcal.reports.dry_run import ImportPreview, Rehearsal
    from radcal.reports.importing import PastImport, ReportFile
    from radcal.reports.preview import Message, Place, Preview
    from radcal.reports.records import Attribution
    from radcal.system.progress import Progress


def look(path: Path, progress: Progress) -> Preview:
    """The columns and first rows of a report file."""
    from radcal.reports.preview import preview_file

    return preview_file(path, progress=progress)


def look_at_message(place: Place, progress: Progress) -> Message:
    """A message as it is written, and what was read of it."""
    from radcal.reports.preview import read_message

    return read_message(place, progress)


@dataclass(frozen=True, slots=True)
class Told:
    """What the workspace tells of its imports.

    history: the latest first;  whose: the reports are, None before the first pairing
    suspects: words left that may identify somebody, the most suspicious first
    """

    history: tuple[PastImport, ...] = ()
    whose: Attribution | None = None
    suspects: tuple[Suspicion, ...] = ()


def told(department: Department, _progress: Progress) -> Told:
    """What the workspace tells of its imports."""
    importing = department.importing
    return Told(importing.history(), importing.attribution(), importing.deidentifying.suspects.listed())


def settle(found: Suspicion, remove: bool, department: Department, _progress: Progress) -> tuple[Suspicion, ...]:
    """Remove words from their report, or leave them; returns what is still suspected."""
    its = department.importing.deidentifying.suspects
    (its.remove if remove else its.leave)([found])
    return its.listed()


class Counting:
    """Counts the outcome of imports; caches what it has read.  For the worker thread only."""

    def __init__(self) -> None:
        self._rehearsal: Rehearsal | None = None

    def count(self, files: Sequence[ReportFile], department: Department | None, progress: Progress) -> ImportPreview:
        """Dry-run the import of the files into the department, or into a new one."""
        from radcal.reports.dry_run import Rehearsal

        if self._rehearsal is None:
            self._rehearsal = Rehearsal()
        return self._rehearsal.run(files, department, progress)

    def forget(self) -> None:
        """Clear the cache."""
        self._rehearsal = None
