"""The files of many radiologists: feedback pages as PDF, and personal files with a random passphrase each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from radcal import exports
from radcal.drawn_passphrases import new_passphrase
from radcal.errors import Cancelled, DataError, RadcalError, reason_of
from radcal.files import free_name
from radcal.kinds import FileKind
from radcal.progress import SILENT, Progress, Unseen
from radcal.records import ALL_DAYS, USUAL_SHEET, Days, Sheet
from radcal.text import Text
from radcal.workflow.context import Context
from radcal.workflow.handing_out.packets import Packets
from radcal.workflow.handing_out.pages import PAGES, FeedbackPages
from radcal.workflow.handing_out.passphrases import (
    FilePassphrase,
    PassphraseStore,
    WorkspacePassphrases,
)
from radcal.workflow.keeping.receipts import Handed, leave_receipt
from radcal.workflow.results.analysis import StoredAnalysis
from radcal.workflow.results.days import check_days

STOPPED = Text("Not written: stopped before.")
NOTHING_SAID = Text("No pages: there are no statements in these days.")


@dataclass(frozen=True, slots=True)
class Written:
    """The outcome for one radiologist: the files written, or the reason for none.

    passphrase: of the personal file; '' if none was written
    suggestions: recommendations on the pages, None if none were written;  days: date range of the pages
    receipt: one for all that were written together, None where the audit log could not have them
    """

    author: str
    files: tuple[Path, ...] = ()
    passphrase: str = ""
    failure: str = ""
    suggestions: int | None = None
    days: Days = ALL_DAYS
    receipt: Path | None = None


class Batch:
    """Writes the files of many radiologists."""

    def __init__(self, context: Context, stored: StoredAnalysis, pages: FeedbackPages, packets: Packets) -> None:
        self._context = context
        self._stored = stored
        self._pages = pages
        self._packets = packets

    def write_all(
        self,
        folder: Path,
        authors: Sequence[str] | None = None,
        *,
        pages: bool = True,
        packets: bool = False,
        keeper: PassphraseStore | None = None,
        days: Days = ALL_DAYS,
        sheet: Sheet = USUAL_SHEET,
        also: Sequence[Handed] = (),
        progress: Progress = SILENT,
    ) -> tuple[Written, ...]:
        """Write the files of all radiologists, or of ``authors``, into a folder.

        A failure for one radiologist is reported in the result and does not affect the others; a stop keeps the files
        written so far.  Pages replace earlier ones of the same date range; a radiologist without statements in the
        range gets none.  Personal files cover all dates and take a free name, because a file handed out keeps its own
        passphrase.

        Args:
            folder: created if missing.
            authors: None for all.
            pages: write the pages as PDF, feedback-PSEUDONYM.pdf; a limited date range is part of the name.
            packets: write personal files, personal-PSEUDONYM.radcal, each with a random passphrase.
            keeper: stores each passphrase before its file is complete; None for the workspace.
            days: date range of the pages.
            sheet: paper, standard and language of the pages.
            also: what the receipt names besides the files.

        Returns:
            One record per radiologist, including those not reached because of a stop.

        Raises:
            InputError: an empty date range.
            DataError: there is no analysis yet, or neither kind of file was chosen.
        """
        check_days(days)
        if not (pages or packets):
            raise DataError("Nothing to write was chosen. Choose PDF pages, personal files, or both.")
        keeper = (keeper or WorkspacePassphrases(self._context.workspace)) if packets else None
        wanted = self._stored.authors() if authors is None else tuple(authors)
        progress.start(len(wanted), "Writing feedback")
        done: list[Written] = []
        try:
            for author in wanted:
                progress.raise_if_cancelled()
                written = self._write_one(author, folder, sheet, days, progress, keeper, pages=pages)
                done.append(written)
                progress.advance()
        except Cancelled:
            done += [Written(author, failure=STOPPED, days=days) for author in wanted[len(done) :]]
        return self._with_receipt(done, folder, also)

    def _with_receipt(self, done: Sequence[Written], folder: Path, also: Sequence[Handed]) -> tuple[Written, ...]:
        """Leave one receipt for all."""
        pseudonyms = self._stored.pseudonyms()
        handed = [
            Handed(FileKind.PERSONAL if path.suffix == exports.WORKSPACE_SUFFIX else PAGES, pseudonyms[w.author])
            for w in done
            for path in w.files
        ]
        receipt = leave_receipt(self._context, folder, [*handed, *also] if handed else ())
        return tuple(replace(w, receipt=receipt) if w.files else w for w in done)

    def write_packet(self, author: str, out: Path, passphrase: str) -> Written:
        """Write the personal file of one radiologist under a given passphrase, and leave a receipt beside it.

        Raises:
            InputError, DataError: as :meth:`Packets.write`.
        """
        written = Written(author, (self._packets.write(author, out, passphrase),), passphrase)
        return self._with_receipt([written], out.parent, ())[0]

    def _write_one(
        self,
        author: str,
        folder: Path,
        sheet: Sheet,
        days: Days,
        progress: Progress,
        keeper: PassphraseStore | None,
        *,
        pages: bool,
    ) -> Written:
        from radcal.feedback import file_name

        written = Written(author, days=days)
        try:
            if pages:
                # The progress shown counts radiologists.
                data = self._pages.input(author, days, Unseen(progress))
                if not any(r.n > 0 for r in data.reliabilities):
                    written = replace(written, failure=NOTHING_SAID)
                else:
                    page = exports.data(self._pages.pdf_of(data, None, sheet), PAGES, to=data.pseudonym)
                    out = self._context.exports.write(folder / file_name(data), page)
                    suggestions = sum(len(a.recommendations) for a in data.advices)
                    written = replace(written, files=(out,), suggestions=suggestions)
            if keeper is not None:
                progress.raise_if_cancelled()
                folder.mkdir(parents=True, exist_ok=True)
                passphrase = new_passphrase()
                out = free_name(folder / self._packets.name(author))
                with keeper.keeping(FilePassphrase(author, out, passphrase)):
                    self._packets.write(author, out, passphrase)
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
        """The latest personal file of each radiologist whose passphrase is stored in the workspace."""
        kept = WorkspacePassphrases(self._context.workspace).latest()
        return tuple(Written(k.author, (k.file,), k.passphrase) for k in kept.values())
