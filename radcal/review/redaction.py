"""What a gold comparison may repeat of its files: report ids and terms; the rest is replaced.

A file whose columns are shifted would otherwise be printed as a table of patients' names and sentences.
"""

from __future__ import annotations

from collections.abc import Iterable

from radcal.review.evaluation import SYNONYMS, UNSURE
from radcal.review.records import FoundRow, Statement
from radcal.system.quoting import FEWEST, is_id, is_wording
from radcal.words.extraction_words import shipped
from radcal.words.records import OTHER


class Redaction:
    """Placeholders for text that may not be repeated; equal cells get equal ones, so figures are unchanged.

    A pathology or a phrase is a term if RadCal knows it, or if it has the shape of one in FEWEST reports or more.

    Args:
        pathologies: all that are known.
    """

    def __init__(self, statements: Iterable[Statement], pathologies: Iterable[str]) -> None:
        words = (word for phrase in shipped().phrases for word in (phrase.name, *phrase.synonyms))
        self._known = {"", OTHER, UNSURE, *SYNONYMS, *pathologies, *words}
        reports: dict[str, set[str]] = {}
        odd: set[str] = set()
        for s in statements:
            for term in (s.pathology, s.phrase):
                reports.setdefault(_plain(term), set()).add(s.report_id)
                if not is_wording(term.strip()):
                    odd.add(_plain(term))
        self._known |= {term for term, ids in reports.items() if len(ids) >= FEWEST} - odd
        self._stand_ins: dict[tuple[str, str], str] = {}

    def statement(self, statement: Statement) -> FoundRow:
        """The statement with placeholders where needed."""
        pathology, phrase = map(self._term, (statement.pathology, statement.phrase))
        return FoundRow(self.report(statement.report_id), pathology, phrase)

    def report(self, report_id: str) -> str:
        """The report id, or its placeholder."""
        return report_id if is_id(report_id) else self._stand_in("report", report_id)

    def _term(self, text: str) -> str:
        plain = _plain(text)
        return text if plain in self._known else self._stand_in("term", plain)

    def _stand_in(self, kind: str, text: str) -> str:
        return self._stand_ins.setdefault((kind, text), f"({kind} {len(self._stand_ins) + 1})")


def _plain(term: str) -> str:
    return term.strip().lower()
