"""Background work for an import: inspecting files and counting the outcome of an import."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from radcal.department import Department
    from radcal.reports.dry_run import ImportPreview, Rehearsal
    from radcal.reports.importing import ReportFile
    from radcal.reports.preview import Message, Place, Preview
    from radcal.system.progress import Progress


def look(path: Path, study: str, progress: Progress) -> Preview:
    """The columns and first rows of a report file, for a workspace with this study."""
    from radcal.reports.preview import preview_file
    from radcal.system.settings import Settings
    from radcal.words.studies import study_of

    return preview_file(path, progress=progress, study=study_of(Settings(study=study)))


def look_at_message(place: Place, progress: Progress) -> Message:
    """A message as it is written, and what was read of it."""
    from radcal.reports.preview import read_message

    return read_message(place, progress)


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
