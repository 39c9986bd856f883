"""The radiologists' pages: what goes into them, as PDF, as pictures, one by one or all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal import exports
from radcal.errors import Cancelled, DataError, InputError, RadcalError, reason_of
from radcal.files import free_name
from radcal.progress import SILENT, Progress, Unseen
from radcal.records import (
    ALL_DAYS,
    USUAL_SHEET,
    Days,
    FeedbackInput,
    OthersRate,
    PageChoice,
    PageImage,
    PdfPage,
    Sheet,
)
from radcal.text import Text
from radcal.workflow.handing_out.passphrases import Keeper, Kept, WorkspaceKeeper, new_passphrase
from radcal.workflow.results.days import check_days

if TYPE_CHECKING:
    from radcal.workflow.department import Department
    from radcal.workspace import Workspace

KIND = "page choice"
"""Under which choices are kept among the workspace's results, by author."""
STOPPED = Text("Not written: stopped before.")
NOTHING_SAID = Text("No pages: there are no statements in these days.")
LONGEST_NOTE = 2000


@dataclass(frozen=True, slots=True)
class Written:
    """What became of one radiologist's files: those written, or why not.

    passphrase: opens the personal file; '' where none was written
    suggestions: how many the pages make, None where none were written;  days: whose examinations they are made of
    """

    author: str
    files: tuple[Path, ...] = ()
    passphrase: str = ""
    failure: str = ""
    suggestions: int | None = None
    days: Days = ALL_DAYS


class FeedbackPages:
    """The pages of a department's radiologists; every method may take a second, none may run in the GUI thread."""

    def __init__(self, department: Department, workspace: Workspace) -> None:
        self._department = department
        self._workspace = workspace

    # --- what goes in

    def choice(self, author: str) -> PageChoice:
        """What goes into the author's pages, as kept last; everything where nothing was."""
        kept = self._workspace.load_result(KIND, author)
        return PageChoice() if kept is None else _choice(kept)

    def choices(self) -> dict[str, PageChoice]:
        """The choices that were kept, by author."""
        return {author: _choice(kept.payload) for author, kept in self._workspace.results(KIND).items()}

    def keep_choice(self, author: str, choice: PageChoice) -> None:
        """Keep what goes into the author's pages.

        Raises:
            InputError: the note is too long, or the workspace is open for reading only.
        """
        if len(choice.note) > LONGEST_NOTE:
            raise InputError(
                "The note has {n:,} characters, and there is room for {longest_note:,}. Shorten it.",
                n=len(choice.note),
                longest_note=LONGEST_NOTE,
            )
        self._workspace.save_result(KIND, author, asdict(choice), {})

    # --- pages

    def pdf(
        self,
        author: str,
        choice: PageChoice | None = None,
        *,
        days: Days = ALL_DAYS,
        sheet: Sheet = USUAL_SHEET,
        progress: Progress = SILENT,
    ) -> bytes:
        """The author's pages, worked out from the examinations of these days; the same input gives the same bytes.

        Args:
            author: whose pages.
            choice: what goes in; None for what was kept.
            days: whose examinations count.
            sheet: what they are printed on and written in.
            progress: asked whether to stop.

        Raises:
            InputError: no such author, an empty range of days, an unknown paper, standard or language.
            DataError: there is no analysis yet.
            EngineError: the pages could not be typeset.
            Cancelled: by ``progress``.
        """
        data = self._department.feedback(author, days, progress)
        progress.raise_if_cancelled()
        return self.pdf_of(data, choice, sheet)

    def pdf_pages(self, pdf: bytes) -> tuple[PdfPage, ...]:
        """Size and text of each page of a PDF."""
        from radcal.feedback.raster import pdf_pages

        return pdf_pages(pdf)

    def images(self, pdf: bytes, numbers: Sequence[int], dpi: float, progress: Progress = SILENT) -> list[PageImage]:
        """Pages of a PDF as pictures.

        Raises:
            Cancelled: by ``progress``.
        """
        from radcal.feedback.raster import page_images

        pictures = []
        progress.raise_if_cancelled()
        for image in page_images(pdf, numbers, dpi):
            progress.raise_if_cancelled()
            pictures.append(image)
        return pictures

    def write(
        self,
        author: str,
        out: Path,
        choice: PageChoice | None = None,
        *,
        days: Days = ALL_DAYS,
        sheet: Sheet = USUAL_SHEET,
        progress: Progress = SILENT,
    ) -> Path:
        """Write the author's pages as a PDF; arguments as of :meth:`pdf`.

        Raises:
            InputError: no such author, or the file cannot be written.
            DataError: there is no analysis yet.
        """
        pdf = self.pdf(author, choice, days=days, sheet=sheet, progress=progress)
        progress.raise_if_cancelled()
        return self._department.exports.write(out, exports.data(pdf, "pages as PDF"))

    def write_all(
        self,
        folder: Path,
        authors: Sequence[str] | None = None,
        *,
        pages: bool = True,
        packets: bool = False,
        keeper: Keeper | None = None,
        days: Days = ALL_DAYS,
        sheet: Sheet = USUAL_SHEET,
        progress: Progress = SILENT,
    ) -> tuple[Written, ...]:
        """Write the files of all radiologists, or of ``authors``, into a folder.

        What goes wrong with one radiologist is told in the result and holds up nobody else; a stop keeps what is
        written.  Pages replace those of an earlier time and the same days; who said nothing in these days gets none,
        which is told.  Personal files hold all days, and take a free name, because a file that was given away keeps
        its own passphrase.

        Args:
            folder: made where it is missing.
            authors: None for all.
            pages: write the pages as PDF, feedback-PSEUDONYM.pdf; the days are part of the name where there are any.
            packets: write personal files, personal-PSEUDONYM.radcal, each with a passphrase drawn for it.
            keeper: where each passphrase is before its file is finished; None for the workspace.
            days: of whose examinations the pages are made.
            sheet: what the pages are printed on and written in.
            progress: a part for each radiologist.

        Returns:
            One record a radiologist, those not reached because of a stop included.

        Raises:
            InputError: an empty range of days.
            DataError: there is no analysis yet, or nothing was asked for.
        """
        check_days(days)
        if not (pages or packets):
            raise DataError("Nothing to write was chosen. Choose PDF pages, personal files, or both.")
        keeper = (keeper or WorkspaceKeeper(self._workspace)) if packets else None
        wanted = self._department.authors() if authors is None else tuple(authors)
        progress.start(len(wanted), "Writing feedback")
        done: list[Written] = []
        try:
            for author in wanted:
                progress.raise_if_cancelled()
                written = self._write_one(author, folder, sheet, days, progress, keeper, pages=pages)
                done.append(written)
                progress.advance()
        except Cancelled:
            return (*done, *(Written(author, failure=STOPPED, days=days) for author in wanted[len(done) :]))
        return tuple(done)

    def _write_one(
        self,
        author: str,
        folder: Path,
        sheet: Sheet,
        days: Days,
        progress: Progress,
        keeper: Keeper | None,
        *,
        pages: bool,
    ) -> Written:
        from radcal.feedback import file_name

        written = Written(author, days=days)
        try:
            if pages:
                # The parts that are shown are the radiologists.
                data = self._department.feedback(author, days, Unseen(progress))
                if not any(r.n > 0 for r in data.reliabilities):
                    written = replace(written, failure=NOTHING_SAID)
                else:
                    page = exports.data(self.pdf_of(data, None, sheet), "pages as PDF")
                    out = self._department.exports.write(folder / file_name(data), page)
                    suggestions = sum(len(a.recommendations) for a in data.advices)
                    written = replace(written, files=(*written.files, out), suggestions=suggestions)
            if keeper is not None:
                progress.raise_if_cancelled()
                folder.mkdir(parents=True, exist_ok=True)
                passphrase = new_passphrase()
                out = free_name(folder / self.packet_name(author))
                with keeper.keeping(Kept(author, out, passphrase)):
                    self._department.write_packet(author, out, passphrase)
                written = replace(written, files=(*written.files, out), passphrase=passphrase)
        except Cancelled:
            if not written.files:
                raise
            return replace(written, failure=STOPPED)
        except RadcalError as error:
            return replace(written, failure=str(error))
        except OSError as error:
            return replace(
                written,
                failure=Text(
                    "{folder} cannot be written: {strerror}. Choose another folder.",
                    folder=folder,
                    strerror=reason_of(error),
                ),
            )
        return written

    def handed_out(self) -> tuple[Written, ...]:
        """The latest personal file of each radiologist whose passphrase the workspace keeps."""
        kept = WorkspaceKeeper(self._workspace).kept()
        return tuple(Written(k.author, (k.file,), k.passphrase) for k in kept.values())

    def packet_name(self, author: str) -> str:
        """The usual name of an author's personal file: "personal-avery.radcal"."""
        from radcal.feedback import file_name

        return file_name(self._department.feedback(author), ".radcal").replace("feedback", "personal", 1)

    def pdf_of(self, data: FeedbackInput, choice: PageChoice | None = None, sheet: Sheet = USUAL_SHEET) -> bytes:
        """As :meth:`pdf`, of what the author's pages are made of."""
        from radcal.feedback import Print, feedback_pdf

        chosen = self.choice(data.author) if choice is None else choice
        if chosen.comparison:
            data = replace(data, others=self.others(data.author, data.days))
        return feedback_pdf(data, Print.on(sheet, self._department.settings), chosen)

    def others(self, author: str, days: Days = ALL_DAYS) -> tuple[OthersRate, ...]:
        """How all other readers together fared with each word, where at least three of them wrote it."""
        return self._department.within.others(author, days)


def _choice(kept: Mapping[str, Any]) -> PageChoice:
    """A choice as it was kept; what an older RadCal did not know has its default."""
    known = {f.name: kept[f.name] for f in fields(PageChoice) if f.name in kept}
    return PageChoice(**known | {"without": tuple(known.get("without", ()))})
