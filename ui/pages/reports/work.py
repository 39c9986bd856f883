"""Work of the Reports page in the worker: all reports, the texts of some, and what de-identification left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ui.kit.column import ordered, searched_text

if TYPE_CHECKING:
    from radcal.calibration.cases import CaseReport
    from radcal.department import Department
    from radcal.reports.deidentify.suspects import Suspicion
    from radcal.reports.importing import PastImport
    from radcal.reports.records import Attribution, ListedReport
    from radcal.system.progress import Progress
    from ui.kit.column import Column, Search

ALL, NAMES = "all", "names"
"""What the list can show besides the reports of one state: all, and those that may contain names."""


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """All reports.

    counts: how many there are to show, by state, ALL and NAMES
    texts: what a search looks into, by the worker once somebody has searched
    """

    rows: tuple[ListedReport, ...] = ()
    counts: Mapping[str, int] = field(default_factory=Counter)
    texts: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The reports that a search has found among ``total``, in its order."""

    rows: tuple[ListedReport, ...]
    total: int


def listed(department: Department, progress: Progress) -> Listed:
    """All reports, and the rows that were left out."""
    rows = department.report_list.all(progress)
    counts = Counter(str(row.state) for row in rows)
    return Listed(rows, counts | Counter({ALL: len(rows), NAMES: sum(row.suspects > 0 for row in rows)}))


def search(
    listed: Listed,
    columns: Sequence[Column],
    wanted: Search,
    which: str,
    _department: Department,
    _progress: Progress,
) -> Found:
    """The reports of one state, or ALL, or NAMES, that a search wants."""
    some = [k for k, row in enumerate(listed.rows) if which in (ALL, row.state) or (which == NAMES and row.suspects)]
    if wanted.words and not listed.texts:
        listed.texts.extend(searched_text(row, columns) for row in listed.rows)
    found = [k for k in some if all(word in listed.texts[k] for word in wanted.words)]
    return Found(ordered((listed.rows[k] for k in found), columns, wanted), len(some))


def texts(ids: Sequence[str], department: Department, _progress: Progress) -> tuple[CaseReport, ...]:
    """The texts of these reports, with what was read in them."""
    return department.cases.reports(ids)


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


def settle(suspected: Suspicion, remove: bool, department: Department, _progress: Progress) -> tuple[Suspicion, ...]:
    """Remove words from their report, or leave them; returns what is still suspected."""
    its = department.importing.deidentifying.suspects
    (its.remove if remove else its.leave)([suspected])
    return its.listed()
