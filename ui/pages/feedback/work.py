"""The radiologists' pages and drafts in the worker: contents, previews, images, files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.records import Selection

if TYPE_CHECKING:
    from radcal.progress import Progress
    from radcal.records import Days, Group, PageChoice, PdfPage, Sheet
    from radcal.workflow import Department


@dataclass(frozen=True, slots=True, eq=False)
class Preview:
    """One author's pages as printed.

    others: enough other readers for a joint comparison
    said: pathology -> number of statements in the date range
    """

    author: str
    choice: PageChoice
    days: Days
    pdf: bytes
    pages: tuple[PdfPage, ...]
    others: bool
    said: Mapping[str, float]


@dataclass(frozen=True, slots=True, eq=False)
class DepartmentPage:
    """The department's page as printed."""

    days: Days
    pdf: bytes
    pages: tuple[PdfPage, ...]


def department_page(department: Department, progress: Progress, *, days: Days, sheet: Sheet) -> DepartmentPage:
    """The department's page for these dates."""
    pdf = department.pages.department_pdf(days=days, sheet=sheet, progress=progress)
    return DepartmentPage(days, pdf, department.pages.pdf_pages(pdf))


def write_department(department: Department, progress: Progress, *, days: Days, sheet: Sheet, out: Path) -> Path:
    """Write the department's page as a PDF."""
    progress.start(None, "Writing the page")
    return department.pages.write_department(out, days=days, sheet=sheet, progress=progress)


def preview(
    department: Department,
    progress: Progress,
    *,
    author: str,
    choice: PageChoice | None,
    days: Days,
    sheet: Sheet,
) -> Preview:
    """The author's pages with this choice, or the stored one if ``choice`` is None."""
    pages = department.pages
    chosen = pages.choice(author) if choice is None else choice
    progress.raise_if_cancelled()
    pdf = pages.pdf(author, chosen, days=days, sheet=sheet, progress=progress)
    progress.raise_if_cancelled()
    said = {r.topic: r.n for r in department.author_results.analysis(author, days).reliabilities}
    others = bool(department.author_results.others(author, days))
    return Preview(author, chosen, days, pdf, pages.pdf_pages(pdf), others, said)


def said(department: Department, progress: Progress, *, groups: Sequence[Group], days: Days) -> dict[str, int]:
    """Number of statements per author in the date range."""
    total: dict[str, int] = {}
    for group in groups:
        progress.raise_if_cancelled()
        chosen = Selection(group.author, group.topic, days)
        total[group.author] = total.get(group.author, 0) + len(department.groups.statements(chosen))
    return total


def write_pages(
    department: Department,
    progress: Progress,
    *,
    author: str,
    choice: PageChoice,
    days: Days,
    sheet: Sheet,
    out: Path,
) -> Path:
    """Write the author's pages as a PDF."""
    progress.start(None, "Writing the page")
    return department.pages.write(author, out, choice, days=days, sheet=sheet, progress=progress)
