"""The radiologists' pages and drafts in the worker: contents, previews, images, files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal.system.selection import Selection
from radcal.system.text import Text

if TYPE_CHECKING:
    from radcal.department import Department
    from radcal.feedback.records import Macros, PageChoice, PdfPage, Sheet
    from radcal.system.progress import Progress
    from radcal.system.selection import Days, Group

    Call = Callable[[Department, Progress], Path]


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
class Ready:
    """Pages as printed for which nothing is chosen but the dates."""

    days: Days
    pdf: bytes
    pages: tuple[PdfPage, ...]


@dataclass(frozen=True, slots=True)
class PagesOf:
    """The functions of a department that make pages as PDF, and that write them into a file."""

    pdf: Callable[[Department], Callable[..., bytes]]
    write: Callable[[Department], Callable[..., Path]]


DEPARTMENT = PagesOf(lambda d: partial(d.pages.pdf, ""), lambda d: partial(d.pages.write, ""))
DRAFTS = PagesOf(lambda d: d.pages.drafts_pdf, lambda d: d.pages.write_drafts)


def ready(of: PagesOf, department: Department, progress: Progress, *, days: Days, sheet: Sheet, **about: Any) -> Ready:
    """The pages for these dates; ``about``: the other arguments of the functions."""
    pdf = of.pdf(department)(**about, days=days, sheet=sheet, progress=progress)
    return Ready(days, pdf, department.pages.pdf_pages(pdf))


def write_ready(
    of: PagesOf, department: Department, progress: Progress, *, days: Days, sheet: Sheet, out: Path, **about: Any
) -> Path:
    """Write the pages as a PDF."""
    progress.start(None, Text("Writing the page"))
    return of.write(department)(**about, out=out, days=days, sheet=sheet, progress=progress)


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
    progress.start(None, Text("Writing the page"))
    return department.pages.write(author, out, choice, days=days, sheet=sheet, progress=progress)


def write_card(
    department: Department,
    progress: Progress,
    *,
    author: str,
    choice: PageChoice | None,
    days: Days,
    sheet: Sheet,
    out: Path,
) -> Path:
    """Write the author's pocket card as a PDF, or with '' the department's."""
    progress.start(None, Text("Writing the page"))
    return department.pages.write(author, out, choice, card=True, days=days, sheet=sheet, progress=progress)


def write_macros(
    department: Department,
    progress: Progress,
    *,
    author: str,
    choice: PageChoice | None,
    days: Days,
    windows: bool,
    out: Path,
) -> Macros:
    """Write macros of the words advised to the author, or with '' of the department's words; returns them."""
    return department.macros.write(author, out, days=days, windows=windows, choice=choice, progress=progress)
