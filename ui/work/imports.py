"""What runs in the worker for the import page: looks into files, rehearsals, the history of imports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ui.records import PlanOfImport, Step

if TYPE_CHECKING:
    from radcal.progress import Progress
    from radcal.workflow.preview import Preview
    from radcal.workflow.rehearsal import FilePreview, Rehearsal
    from ui.facade import Department

BOTH, XRAY, CT = "both", "xray", "ct"
"""What a report file can hold."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A file on the list, and how it is to be read.

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


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """A look into a file: what its table holds, or why that cannot be told."""

    path: Path
    preview: Preview | None
    failure: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Count:
    """What an import of the files on the list would come to; see radcal.workflow.rehearsal.ImportPreview."""

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


def plan_of(files: Sequence[Chosen], workspace: Path | None = None, passphrase: str = "") -> PlanOfImport:
    """The files as the window's operations take them."""

    def holding(what: str) -> tuple[Path, ...]:
        return tuple(f.path for f in files if f.holds == what)

    return PlanOfImport(
        holding(BOTH),
        holding(XRAY),
        holding(CT),
        workspace,
        passphrase,
        {f.path: f.mapping for f in files if f.mapping},
        {f.path: f.day_first for f in files if f.day_first is not None},
        frozenset(f.path for f in files if f.replaces),
    )


def chosen_of(plan: PlanOfImport) -> tuple[Chosen, ...]:
    """The files of a plan as they stand on the list."""
    return tuple(
        Chosen(path, holds, plan.mappings.get(path, {}), plan.day_first.get(path), path in plan.replaces)
        for holds, paths in ((BOTH, plan.reports), (XRAY, plan.xray), (CT, plan.ct))
        for path in paths
    )


def look(path: Path, progress: Progress) -> Preview:
    """The columns and first rows of a report file."""
    from radcal.workflow.preview import preview_file

    return preview_file(path, progress=progress)


class Counting:
    """Counts what imports would come to; remembers what it has read, so that it is soon done again.

    Belongs to the worker: the page only hands it on.
    """

    def __init__(self) -> None:
        self._rehearsal: Rehearsal | None = None

    def count(self, files: Sequence[Chosen], department: Department | None, progress: Progress) -> Count:
        """Rehearse the import of the files into the department, or into a new one."""
        from radcal.records import Modality
        from radcal.workflow.importing import ReportFile
        from radcal.workflow.rehearsal import Rehearsal

        if self._rehearsal is None:
            self._rehearsal = Rehearsal()
        modality = {BOTH: None, XRAY: Modality.XRAY, CT: Modality.CT}
        asked = [ReportFile(f.path, modality[f.holds], f.mapping, f.day_first) for f in files]
        made = self._rehearsal.run(asked, department, progress)
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
