"""Teaching cases for a meeting of the department: taken from a case without what identifies anybody, and kept in order.

What leaves in slides is made by :mod:`radcal.feedback.slides` from these records alone.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from radcal.advice.stored_analysis import StoredAdvice
from radcal.calibration.group_results import GroupResults
from radcal.feedback.department import shown_words
from radcal.feedback.records import USUAL_SHEET, Rate, Sheet, TeachingCase
from radcal.reports.identifiers import PLACEHOLDERS, Deidentified, Edit, Known
from radcal.reports.records import Section
from radcal.system import coarse, exports
from radcal.system.errors import DataError, InputError
from radcal.system.files import plain_to_record
from radcal.system.intervals import of_cells
from radcal.system.selection import Selection
from radcal.workspace.context import CURRENT, MEETING, Context

LONGEST = 300
"""Characters of a teaching point or a question, which have to fit on a slide."""
SLIDES = (".pptx", ".pdf")
_TYPED = ("xray", "ct", "point", "question")
"""What people may have written."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """A case as it would be added.

    suspects: words left in it that may identify somebody, the most suspicious first
    place: of a case that is in the list already, from 0 on
    """

    case: TeachingCase
    suspects: tuple[str, ...] = ()
    place: int | None = None


class Meeting:
    """The teaching cases of a department, and slides of them."""

    def __init__(self, context: Context, stored: StoredAdvice, groups: GroupResults) -> None:
        self._context, self._workspace = context, context.workspace
        self._stored, self._groups = stored, groups

    # --- the list ----------------------------------------------------------------------------------

    def cases(self) -> tuple[TeachingCase, ...]:
        """The cases, in the order of the meeting."""
        stored = self._workspace.load_result(MEETING, CURRENT) or {"cases": []}
        return tuple(plain_to_record(case, TeachingCase) for case in stored["cases"])

    def put(self, case: TeachingCase, place: int | None) -> tuple[TeachingCase, ...]:
        """Put a case at a place from 0 on, or at the end, wherever it was before; None takes it out.

        Names of the department's radiologists that were typed are filled in, as in review files.

        Returns:
            The cases now.

        Raises:
            InputError: a teaching point or question is too long, or the workspace is open for reading only.
        """
        if self._workspace.read_only:
            raise InputError("The workspace is open to read only.")
        cases = [known for known in self.cases() if known.finding != case.finding]
        if place is not None:
            cases.insert(place, self._checked(case))
        with self._workspace.transaction():
            self._workspace.save_result(MEETING, CURRENT, {"cases": [asdict(case) for case in cases]}, {})
            self._workspace.log("teaching cases changed", cases=len(cases))
        return tuple(cases)

    def _checked(self, case: TeachingCase) -> TeachingCase:
        from radcal.reports.deidentify.known import Mask

        if max(len(case.point), len(case.question)) > LONGEST:
            raise InputError(
                "A teaching point and a question may have {longest} characters each, to fit on a slide. Shorten them.",
                longest=LONGEST,
            )
        mask, numbers = Mask(self._people()), self._numbers(case.finding[0])
        covered: dict[str, Any] = {part: mask(getattr(case, part), numbers).strip() for part in _TYPED}
        return replace(case, **covered)

    # --- out of a case -----------------------------------------------------------------------------

    def propose(self, selection: Selection, phrase: str, xray_id: str) -> Proposed:
        """The teaching case of a finding: its sentences in both reports with those around them, nobody identified.

        Dates are left out, not shifted.

        Raises:
            DataError: there is no such finding, or names are kept apart and not at hand.
        """
        if why := self._context.names.why_unknown():  # they could not be taken out of the texts
            raise DataError(why)
        for place, case in enumerate(self.cases()):
            if case.finding == (xray_id, selection.topic):
                return Proposed(case, place=place)
        found = self._groups.evidence(selection, (phrase,))
        row = next(iter(found[found["xray_id"] == xray_id].to_dict("records")), None)
        if row is None:
            raise DataError("The finding is not among the results any more. Look for it again.")
        xray, _, in_xray = self._excerpt(row["xray_id"], row["xray_sentence"])
        ct, key, in_ct = self._excerpt(row["ct_id"], row["ct_sentence"])
        words, finding = " ".join(row["verbatim"].split()), (xray_id, selection.topic)
        case = TeachingCase(finding, selection.topic, phrase, words, xray, ct, key, float(row["outcome"]))
        return Proposed(case, tuple(dict.fromkeys((*in_xray, *in_ct))))

    def _excerpt(self, report_id: str, sentence: str) -> tuple[str, str, tuple[str, ...]]:
        """A report's sentence with its neighbours, the sentence alone, and what in them may identify somebody."""
        from radcal.reports.deidentify.deidentifier import Deidentifier
        from radcal.reports.deidentify.spans import SHIFTED
        from radcal.reports.sections import document

        if not sentence:
            return "", "", ()
        texts = self._workspace.reports(("text",), [report_id])["text"].tolist()
        text = str(texts[0]) if texts and sentence in texts[0] else sentence
        start = text.index(sentence)
        end = start + len(sentence)
        sentences = document("", text).sentences
        inside = [i for i, s in enumerate(sentences) if s.start < end and start < s.end]
        beside = sentences[max(0, inside[0] - 1) : inside[-1] + 2] if inside else ()
        around = [s for s in beside if s.section in (Section.FINDINGS, Section.IMPRESSION)]
        ends = start, end, min([start, *(s.start for s in around)]), max([end, *(s.end for s in around)])
        # Marks of shifted dates are left out, so that these dates are found again.
        marks = [n for n, letter in enumerate(text) if letter == SHIFTED]
        start, end, first, last = (n - bisect_left(marks, n) for n in ends)
        # All of the report is read: what a name is shows beside its title, which may stand elsewhere.
        known = Known(staff=self._people(), numbers=self._numbers(report_id))
        read = Deidentifier(self._context.masking.secret())(text.replace(SHIFTED, ""), known, "")
        clean = _undated(text.replace(SHIFTED, ""), read, [mark - n for n, mark in enumerate(marks)])
        own, whole = (clean.text[clean.forward(a) : clean.forward(b)] for a, b in ((start, end), (first, last)))
        low, high = clean.forward(first), clean.forward(last)
        words = (clean.text[s.start : s.end] for s in clean.suspects if low <= s.start and s.end <= high)
        return " ".join(whole.split()), " ".join(own.split()), tuple(dict.fromkeys(words))

    def _people(self) -> tuple[str, ...]:
        """Every name and pseudonym of a radiologist that is known here."""
        names = self._context.names.known()
        return tuple({*self._workspace.people(), *names, *names.values(), *self._stored.pseudonyms().values()})

    def _numbers(self, report_id: str) -> tuple[str, ...]:
        """The report's own numbers, and the name of the place where it was made."""
        rows = self._workspace.reports(("accession", "patient_id", "study_uid", "site"), [report_id])
        return tuple(filter(None, rows.to_numpy().ravel().tolist()))

    # --- slides ------------------------------------------------------------------------------------

    def rate(self, topic: str, phrase: str) -> Rate | None:
        """How often CT showed a pathology after a word; None for too few readers or uses to hide each one's."""
        own, people = self._stored.required(), frozenset(self._stored.authors())
        rates = (r for r in own.reliabilities if r.topic == topic and r.author in people)
        cells = coarse.cells((p.n, p.positives) for r in rates for p in r.phrases if p.phrase == phrase)
        shown = shown_words({phrase: cells}).get(phrase)
        return None if shown is None else Rate(shown[0], coarse.rounded(shown[1] / shown[0]), *of_cells(cells))

    def write(
        self, out: Path, *, title: str = "", when: str = "", attended: Sequence[str] = (), sheet: Sheet = USUAL_SHEET
    ) -> Path:
        """Write the slides as PowerPoint or PDF, as the name of the file ends.

        Args:
            title, when: of the first slide, in the user's words; '' for the usual title, and no time.
            attended: who took part, for the last slide; stored nowhere.
            sheet: for its language.

        Raises:
            InputError: another ending, or the file cannot be written.
            DataError: there are no teaching cases, or there is no analysis.
            EngineError: typesetting failed.
        """
        from radcal.feedback import slides

        if (suffix := out.suffix.lower()) not in SLIDES:
            raise InputError("Slides are PowerPoint or PDF: let the name of the file end with .pptx or .pdf.")
        if not (cases := self.cases()):
            raise DataError("There is no teaching case yet. Add one from a case on the page Results.")
        told = [(case, self.rate(case.topic, case.phrase)) for case in cases]
        pack = slides.laid_out(told, title, when, attended, sheet.language)
        kind, make = ("PowerPoint", slides.as_pptx) if suffix == ".pptx" else ("PDF", slides.as_pdf)
        made = make(pack, self._stored.required().provenance.created, sheet.language)
        what = f"slides of a meeting as {kind}"
        return self._context.exports.write(out, exports.data(made, what, cases=len(cases)))


def _undated(text: str, read: Deidentified, marks: Sequence[int]) -> Deidentified:
    """As it was read, but without any date: ``marks`` are the ends of those that were shifted before."""
    from radcal.reports.deidentify.spans import applied

    edits = [e._replace(replacement=PLACEHOLDERS["date"]) if e.kind == "date" else e for e in read.edits]
    for end in marks:
        start = end - len(text[:end].split()[-1]) if text[:end].strip() else end
        if not any(e.start < end and start < e.end for e in edits):
            edits.append(Edit(start, end, PLACEHOLDERS["date"], "date"))
    clean = applied(text, edits)
    places = ((clean.forward(read.back(s.start)), clean.forward(read.back(s.end))) for s in read.suspects)
    moved = (s._replace(start=a, end=b) for s, (a, b) in zip(read.suspects, places, strict=True))
    return replace(clean, suspects=tuple(moved))
