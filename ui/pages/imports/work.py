"""What runs in the worker for the import page: looks into files, rehearsals, the history of imports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ui.operations import report_files
from ui.records import ChosenFile, Step

if TYPE_CHECKING:
    from radcal.progress import Progress
    from radcal.workflow.imports.dry_run import FilePreview, Rehearsal
    from radcal.workflow.imports.preview import Preview
    from ui.facade import Department


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """A look into a file: what its table holds, or why that cannot be told."""

    path: Path
    preview: Preview | None
    failure: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Count:
    """What an import of the files on the list would come to; see radcal.workflow.imports.dry_run.ImportPreview."""

    files: Mapping[Path, FilePreview]
    rows: int
    rejected: int
    reasons: tuple[tuple[str, int], ...]
    pairs_before: int
    pairs: int
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class PastImport:
    """A line of the history; ``at`` is UTC."""

    at: datetime
    files: tuple[str, ...]
    rows_read: int
    new: int
    changed: int
    unchanged: int
    rejected: int
    notes: tuple[str, ...] = ()


def look(path: Path, progress: Progress) -> Preview:
    """The columns and first rows of a report file."""
    from radcal.workflow.imports.preview import preview_file

    return preview_file(path, progress=progress)


class Counting:
    """Counts what imports would come to; remembers what it has read, so that it is soon done again.

    Belongs to the worker: the page only hands it on.
    """

    def __init__(self) -> None:
        self._rehearsal: Rehearsal | None = None

    def count(self, files: Sequence[ChosenFile], department: Department | None, progress: Progress) -> Count:
        """Rehearse the import of the files into the department, or into a new one."""
        from radcal.workflow.imports.dry_run import Rehearsal

        if self._rehearsal is None:
            self._rehearsal = Rehearsal()
        made = self._rehearsal.run(report_files(files), department, progress)
        return Count(
            files={f.path: f for f in made.files},
            rows=made.rows,
            rejected=made.rejected,
            reasons=made.reasons,
            pairs_before=made.pairs_before,
            pairs=made.pairs,
            steps=tuple(
                Step(step, str(modality), kept, dropped, reason)
                for step, modality, kept, dropped, reason in made.attrition.itertuples(index=False, name=None)
            ),
        )

    def forget(self) -> None:
        """Let go of all that was read."""
        self._rehearsal = None


def history(department: Department, progress: Progress) -> tuple[PastImport, ...]:
    """The imports of the workspace, the latest first."""
    progress.raise_if_cancelled()
    return tuple(
        PastImport(p.at, p.files, p.rows_read, p.new, p.changed, p.unchanged, p.rejected, p.notes)
        for p in department.importing.history()
    )
