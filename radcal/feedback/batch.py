"""The files of many radiologists: feedback pages, pocket cards, dictation macros, and personal files with a random
passphrase each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from radcal.calibration.days import check_days
from radcal.calibration.stored_analysis import StoredAnalysis
from radcal.feedback.dictation_macros import DictationMacros
from radcal.feedback.file_passphrases import FilePassphrase, PassphraseStore, WorkspacePassphrases
from radcal.feedback.pages import FeedbackPages
from radcal.feedback.personal_files import PersonalFiles
from radcal.feedback.records import USUAL_SHEET, Sheet
from radcal.system import exports
from radcal.system.errors import Cancelled, DataError, RadcalError, reason_of
from radcal.system.files import free_name
from radcal.system.progress import SILENT, Progress, Unseen
from radcal.system.selection import ALL_DAYS, Days
from radcal.system.text import Text
from radcal.workspace.context import Context
from radcal.workspace.passphrases import new_passphrase

STOPPED = Text("Not written: stopped before.")
NOTHING_SAID = Text("No pages: there are no statements in these days.")
NOTHING_ADVISED = Text("No macros: no other word is advised.")
PRINTED = "feedback"
ON_CARDS = "card"
TO_DICTATE = "macros"
"""What the names of files begin with."""


@dataclass(frozen=True, slots=True)
class Written:
    """The outcome for one radiologist: the files written, or the reason for none.

    passphrase: of the personal file; '' if none was written
    suggestions: recommendations on the pages, None if none were written;  days: date range of the pages
    """

    author: str
    files: tuple[Path, ...] = ()
    passphrase: str = ""
    failure: str = ""
    suggestions: int | None = None
    days: Days = ALL_DAYS


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is written for each radiologist; keeper: of the passphrases of personal files, None for none of these."""

    folder: Path
    pages: bool
    cards: bool
    macros: bool
    windows: bool
    keeper: PassphraseStore | None
    days: Days
    sheet: Sheet
    progress: Progress


@dataclass(eq=False, repr=False)
class Batch:
    """Writes the files of many radiologists."""

    _context: Context
    _stored: StoredAnalysis
    _pages: FeedbackPages
    _packets: PersonalFiles
    _macros: DictationMacros

    def write_all(
        self,
        folder: Path,
        authors: Sequence[str] | None = None,
        *,
        pages: bool = True,
        personal_files: bool = False,
        cards: bool = False,
        macros: bool = False,
        windows: bool = False,
        keeper: PassphraseStore | None = None,
        days: Days = ALL_DAYS,
        sheet: Sheet = USUAL_SHEET,
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
            personal_files: write personal files, personal-PSEUDONYM.radcal, each with a random passphrase.
            cards, macros: write pocket cards, card-PSEUDONYM.pdf, and dictation macros, macros-PSEUDONYM.txt, of the
                same dates.
            windows: as for :meth:`DictationMacros.write`.
            keeper: stores each passphrase before its file is complete; None for the workspace.
            days: date range of the pages, cards and macros.
            sheet: paper, standard and language of pages and cards.

        Returns:
            One record per radiologist, including those not reached because of a stop.

        Raises:
            InputError: an empty date range.
            DataError: there is no analysis yet, or no kind of file was chosen.
        """
        check_days(days)
        if not (pages or personal_files or cards or macros):
            raise DataError("Nothing to write was chosen. Choose pages, cards, macros or personal files.")
        keeper = (keeper or WorkspacePassphrases(self._context.workspace)) if personal_files else None
        wanted = _Wanted(folder, pages, cards, macros, windows, keeper, days, sheet, progress)
        chosen = self._stored.authors() if authors is None else tuple(authors)
        progress.start(len(chosen), Text("Writing feedback"))
        done: list[Written] = []
        try:
            for author in chosen:
                progress.raise_if_cancelled()
                done.append(self._write_one(author, wanted))
                progress.advance()
        except Cancelled:
            done += [Written(author, failure=STOPPED, days=days) for author in chosen[len(done) :]]
        return tuple(done)

    def _write_one(self, author: str, wanted: _Wanted) -> Written:
        files: list[Path] = []
        written, folder = Written(author, days=wanted.days), wanted.folder
        try:
            if wanted.pages or wanted.cards or wanted.macros:
                written = self._write_readable(written, files, wanted)
            if wanted.keeper is not None:
                wanted.progress.raise_if_cancelled()
                folder.mkdir(parents=True, exist_ok=True)
                passphrase = new_passphrase()
                out = free_name(folder / self._packets.name(author))
                with wanted.keeper.keeping(FilePassphrase(author, out, passphrase)):
                    self._packets.write(author, out, passphrase)
                files.append(out)
                written = replace(written, passphrase=passphrase)
        except Cancelled:
            if not files:
                raise
            written = replace(written, failure=STOPPED)
        except RadcalError as error:
            written = replace(written, failure=str(error))
        except OSError as error:
            why = Text(
                "{folder} cannot be written: {strerror}. Choose another folder.",
                folder=folder,
                strerror=reason_of(error),
            )
            written = replace(written, failure=why)
        return replace(written, files=tuple(files))

    def _write_readable(self, written: Written, files: list[Path], wanted: _Wanted) -> Written:
        """Write what is read without RadCal, page, card and macros, and add each to ``files``."""
        from radcal.feedback.content import judge_input
        from radcal.feedback.pdf import file_name

        progress, sheet = Unseen(wanted.progress), wanted.sheet  # the progress shown counts radiologists
        data = self._pages.input(written.author, written.days, progress)
        if not any(r.n > 0 for r in data.reliabilities):
            return replace(written, failure=NOTHING_SAID)

        def put(export: exports.Export, what: str, suffix: str = ".pdf") -> None:
            files.append(self._context.exports.write(wanted.folder / file_name(data, suffix, what), export))

        if wanted.pages:
            put(self._pages.export(data, sheet), PRINTED)
            self._pages.note_handed_out(written.author, written.days)
            said = judge_input(data, self._context.settings.min_phrase_n, self._pages.choice(written.author))
            written = replace(written, suggestions=len(said.suggestions))
        if wanted.cards:
            put(self._pages.export(data, sheet, card=True), ON_CARDS)
        if not wanted.macros:
            return written
        macros = self._macros.of(written.author, written.days, progress)
        if macros.macros:
            put(self._macros.export(macros, ".txt", to=data.pseudonym, windows=wanted.windows), TO_DICTATE, ".txt")
        elif not files:
            return replace(written, failure=NOTHING_ADVISED)
        return written

    def handed_out(self) -> tuple[Written, ...]:
        """The latest personal file of each radiologist whose passphrase is stored in the workspace."""
        kept = WorkspacePassphrases(self._context.workspace).latest()
        return tuple(Written(k.author, (k.file,), k.passphrase) for k in kept.values())
