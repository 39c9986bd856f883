"""Pages on one person's drafts and the wording that was signed, also for those to whom no report is attributed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from radcal.feedback.pages import DRAFTING, FeedbackPages
from radcal.feedback.records import USUAL_SHEET, Sheet
from radcal.reliability.cases import Drafts
from radcal.reliability.stored_analysis import StoredAnalysis
from radcal.system import exports
from radcal.system.progress import SILENT, Progress
from radcal.system.selection import ALL_DAYS, Days
from radcal.workspace.context import Context


class DraftPages:
    """Writes the pages; methods may take seconds and must not run in the GUI thread."""

    def __init__(self, context: Context, stored: StoredAnalysis, pages: FeedbackPages) -> None:
        self._context, self._stored, self._pages = context, stored, pages
        self._drafts = Drafts(context)

    def people(self) -> tuple[str, ...]:
        """As :meth:`Drafts.people`."""
        return self._drafts.people()

    def pdf(
        self, person: str, *, days: Days = ALL_DAYS, sheet: Sheet = USUAL_SHEET, progress: Progress = SILENT
    ) -> bytes:
        """The person's pages as PDF; the same drafts and analysis give the same bytes.

        Raises:
            InputError: somebody without drafts, an unknown paper, standard or language, or an empty date range.
            DataError: there is no analysis yet, or feedback is withheld because reports are read too badly.
            EngineError: typesetting failed.
            Cancelled: by ``progress``.
        """
        from radcal.feedback.pdf import Print, drafts_pdf

        self._pages.require_accuracy()
        created = self._stored.required().provenance.created
        own = replace(self._drafts.of(person, days, progress), dated=not self._context.masking.leaves_days_out)
        return drafts_pdf(own, created, Print.on(sheet, self._context.settings))

    def write(
        self,
        person: str,
        out: Path,
        *,
        days: Days = ALL_DAYS,
        sheet: Sheet = USUAL_SHEET,
        progress: Progress = SILENT,
    ) -> Path:
        """Write the pages as a PDF file; arguments and errors as for :meth:`pdf`.

        Raises:
            InputError: the file cannot be written.
        """
        pdf = self.pdf(person, days=days, sheet=sheet, progress=progress)
        # Whoever only drafts has no pseudonym.
        to = self._stored.pseudonyms().get(person, DRAFTING)
        return self._context.exports.write(out, exports.data(pdf, "pages on drafts as PDF", to=to))
