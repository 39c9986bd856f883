"""Pages, cards and macros in the worker: previews, files, and what was handed out before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from radcal.system.selection import ALL_DAYS

if TYPE_CHECKING:
    from pathlib import Path

    from radcal.department import Department
    from radcal.feedback.batch import Written
    from radcal.feedback.given import Given
    from radcal.feedback.records import Macros, PageChoice, PdfPage, Sheet
    from radcal.system.progress import Progress
    from radcal.system.selection import Days


@dataclass(frozen=True, slots=True)
class Whose:
    """Whose pages: a radiologist's, with author '' the department's, or with ``drafts`` those on a person's drafts."""

    author: str = ""
    drafts: bool = False
    days: Days = ALL_DAYS


@dataclass(frozen=True, slots=True, eq=False)
class Preview:
    """Pages as they are printed.

    choice: what goes in, None for pages that nothing is chosen for
    others: enough other readers for a joint comparison
    said: pathology -> number of findings in the date range, of a radiologist
    """

    whose: Whose
    pdf: bytes
    pages: tuple[PdfPage, ...]
    choice: PageChoice | None = None
    others: bool = False
    said: Mapping[str, float] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether a radiologist has no findings in the date range."""
        return self.said is not None and not any(self.said.values())


def preview(
    department: Department, progress: Progress, *, whose: Whose, choice: PageChoice | None, sheet: Sheet
) -> Preview:
    """The pages; ``choice``: of a radiologist's, None for what is stored."""
    pages, days = department.pages, whose.days
    if whose.drafts or not whose.author:
        if whose.drafts:
            pdf = pages.drafts_pdf(whose.author, days=days, sheet=sheet, progress=progress)
        else:
            pdf = pages.pdf("", days=days, sheet=sheet, progress=progress)
        return Preview(whose, pdf, pages.pdf_pages(pdf))
    chosen = pages.choice(whose.author) if choice is None else choice
    progress.raise_if_cancelled()
    pdf = pages.pdf(whose.author, chosen, days=days, sheet=sheet, progress=progress)
    progress.raise_if_cancelled()
    said = {r.topic: r.n for r in department.author_results.analysis(whose.author, days).reliabilities}
    others = bool(department.author_results.others(whose.author, days))
    return Preview(whose, pdf, pages.pdf_pages(pdf), chosen, others, said)


def write_pages(
    department: Department, progress: Progress, *, whose: Whose, choice: PageChoice | None, sheet: Sheet, out: Path
) -> None:
    """Write the pages as a PDF."""
    pages, days = department.pages, whose.days
    if whose.drafts:
        pages.write_drafts(whose.author, out=out, days=days, sheet=sheet, progress=progress)
    else:
        pages.write(whose.author, out, choice, days=days, sheet=sheet, progress=progress)


def write_card(
    department: Department, progress: Progress, *, whose: Whose, choice: PageChoice | None, sheet: Sheet, out: Path
) -> None:
    """Write a radiologist's or the department's pocket card as a PDF."""
    department.pages.write(whose.author, out, choice, card=True, days=whose.days, sheet=sheet, progress=progress)


def write_macros(
    department: Department, progress: Progress, *, whose: Whose, choice: PageChoice | None, windows: bool, out: Path
) -> Macros:
    """Write macros of the words advised to a radiologist, or of the department's words; returns them."""
    return department.macros.write(
        whose.author, out, days=whose.days, windows=windows, choice=choice, progress=progress
    )


@dataclass(frozen=True, slots=True, eq=False)
class Before:
    """What was handed out before: the latest personal file of each, and by author all that is known of it."""

    files: tuple[Written, ...]
    given: Mapping[str, Given]


def before(department: Department, _progress: Progress) -> Before:
    """What was handed out before."""
    from radcal.feedback.given import given

    return Before(department.handing_out.handed_out(), given(department, department.pseudonyms()))
