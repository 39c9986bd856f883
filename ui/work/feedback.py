"""The radiologists' pages and drafts, in the worker: what goes in, previews, pictures, files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from radcal.progress import Progress
    from radcal.records import PageChoice, PageImage, PdfPage
    from radcal.workflow.pages import Written
    from radcal.workflow.trying import TriedSentence
    from ui.facade import Department


@dataclass(frozen=True, slots=True, eq=False)
class Preview:
    """One author's pages as they would be printed.

    others: whether there are enough other readers to be shown together
    """

    author: str
    choice: PageChoice
    paper: str
    pdf: bytes
    pages: tuple[PdfPage, ...]
    others: bool


def preview(
    department: Department, progress: Progress, *, author: str, choice: PageChoice | None, paper: str
) -> Preview:
    """The author's pages with what was chosen, or with what was kept where ``choice`` is None."""
    pages = department.pages
    chosen = pages.choice(author) if choice is None else choice
    progress.raise_if_cancelled()
    pdf = pages.pdf(author, chosen, paper=paper)
    progress.raise_if_cancelled()
    return Preview(author, chosen, paper, pdf, pages.pdf_pages(pdf), bool(pages.others(author)))


def images(
    department: Department, progress: Progress, *, pdf: bytes, numbers: Sequence[int], dpi: float
) -> list[PageImage]:
    """Pages as pictures."""
    return department.pages.images(pdf, numbers, dpi, progress)


def keep_choice(department: Department, _progress: Progress, *, author: str, choice: PageChoice) -> None:
    """Keep what goes into the author's pages."""
    department.pages.keep_choice(author, choice)


def write_pages(
    department: Department, progress: Progress, *, author: str, choice: PageChoice, paper: str, out: Path
) -> Path:
    """Write the author's pages as a PDF."""
    progress.start(None, "Writing the page")
    return department.pages.write(author, out, choice, paper=paper, progress=progress)


def write_all(
    department: Department,
    progress: Progress,
    *,
    folder: Path,
    authors: Sequence[str],
    pages: bool,
    packets: bool,
    paper: str,
) -> tuple[Written, ...]:
    """Write the files of several authors into a folder."""
    return department.pages.write_all(folder, authors, pages=pages, packets=packets, paper=paper, progress=progress)


def try_sentence(department: Department, progress: Progress, *, text: str, author: str) -> TriedSentence:
    """The certainty words of a draft with the author's own results beside them."""
    progress.raise_if_cancelled()
    return department.try_sentence(text, author)
