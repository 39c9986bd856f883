"""The radiologists' pages and drafts, in the worker: what goes in, previews, pictures, files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ui.records import Selection

if TYPE_CHECKING:
    from radcal.progress import Progress
    from radcal.records import Days, PageChoice, PageImage, PdfPage, Sheet
    from radcal.records.draft import CheckedDraft
    from radcal.workflow.handing_out.pages import Written
    from ui.facade import Department
    from ui.records import Group


@dataclass(frozen=True, slots=True, eq=False)
class Preview:
    """One author's pages as they would be printed.

    others: whether there are enough other readers to be shown together
    said: how many statements of these days there are on each pathology
    """

    author: str
    choice: PageChoice
    days: Days
    pdf: bytes
    pages: tuple[PdfPage, ...]
    others: bool
    said: Mapping[str, float]


def preview(
    department: Department,
    progress: Progress,
    *,
    author: str,
    choice: PageChoice | None,
    days: Days,
    sheet: Sheet,
) -> Preview:
    """The author's pages with what was chosen, or with what was kept where ``choice`` is None."""
    pages = department.pages
    chosen = pages.choice(author) if choice is None else choice
    progress.raise_if_cancelled()
    pdf = pages.pdf(author, chosen, days=days, sheet=sheet, progress=progress)
    progress.raise_if_cancelled()
    said = {r.topic: r.n for r in department.author_results.analysis(author, days).reliabilities}
    others = bool(pages.others(author, days))
    return Preview(author, chosen, days, pdf, pages.pdf_pages(pdf), others, said)


def said(department: Department, progress: Progress, *, groups: Sequence[Group], days: Days) -> dict[str, int]:
    """How many statements of these days there are of each author."""
    total: dict[str, int] = {}
    for group in groups:
        progress.raise_if_cancelled()
        chosen = Selection(group.author, group.topic, days.first, days.last)
        total[group.author] = total.get(group.author, 0) + len(department.groups.statements(chosen))
    return total


def images(
    department: Department, progress: Progress, *, pdf: bytes, numbers: Sequence[int], dpi: float
) -> list[PageImage]:
    """Pages as pictures."""
    return department.pages.images(pdf, numbers, dpi, progress)


def keep_choice(department: Department, _progress: Progress, *, author: str, choice: PageChoice) -> None:
    """Keep what goes into the author's pages."""
    department.pages.keep_choice(author, choice)


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


def write_all(
    department: Department,
    progress: Progress,
    *,
    folder: Path,
    authors: Sequence[str],
    pages: bool,
    packets: bool,
    days: Days,
    sheet: Sheet,
) -> tuple[Written, ...]:
    """Write the files of several authors into a folder."""
    return department.pages.write_all(
        folder,
        authors,
        pages=pages,
        packets=packets,
        days=days,
        sheet=sheet,
        progress=progress,
    )


def handed_out(department: Department, _progress: Progress) -> tuple[Written, ...]:
    """The latest personal file of each radiologist whose passphrase the workspace keeps."""
    return department.pages.handed_out()


def try_sentence(department: Department, progress: Progress, *, text: str, author: str, days: Days) -> CheckedDraft:
    """The certainty words of a draft with the author's own results of these days beside them."""
    progress.raise_if_cancelled()
    return department.try_sentence(text, author, days, progress)
