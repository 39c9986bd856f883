"""Gold sets as files of annotated statements, a row a statement, as ``radcal gold`` reads them.

A report that was read and states nothing has a row of its report id alone: without it nobody could tell that the
report was read, and an engine that invents findings there would not be charged.  The row has no further cells, so
that programs that take every row of four for a statement pass it over.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from radcal.cells import guarded
from radcal.errors import InputError
from radcal.gold.records import Gold, GoldReport, Mark, Verdict, new_statement, sentence_of
from radcal.records import OTHER

if TYPE_CHECKING:
    from radcal.gold.evaluation import GoldRow
    from radcal.lexicon.phrases import Lexicon

_HEADER = ("report_id", "sentence_number", "pathology", "phrase", "cue")


def gold_text(gold: Gold, reports: Iterable[GoldReport]) -> str:
    """The statements as text of a TSV file; sentences are numbered from 1 in their report, 0 for one that is gone.

    A pathology of which nothing can be said in a report has a row, too, with "unsure" in place of the phrase.  A
    report without any of these has a row of its report id alone.
    """
    from radcal.gold.evaluation import NO_CUE, UNSURE

    place = {r.report_id: {s.start: i for i, s in enumerate(r.sentences, 1)} for r in reports}
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None, lineterminator="\n")
    writer.writerow(_HEADER)
    said: defaultdict[str, list[tuple[object, ...]]] = defaultdict(list)
    for f in gold.statements:
        cue = guarded(" ".join(f.verbatim.split())) or NO_CUE
        number = place[f.report_id].get(f.start, 0)
        said[f.report_id].append((guarded(f.report_id), number, guarded(f.pathology), guarded(f.phrase), cue))
    for report_id, pathology in sorted(gold.left_out):
        said[report_id].append((guarded(report_id), 0, guarded(pathology), UNSURE, NO_CUE))
    for report_id in gold.reports:
        writer.writerows(said.get(report_id, [(guarded(report_id),)]))
    return out.getvalue()


def marks_of(
    rows: Sequence[GoldRow], reports: Mapping[str, GoldReport], lexicon: Lexicon, file: str
) -> dict[str, list[Mark]]:
    """A reader's marks, by report, that say what the rows say; rows of other reports are passed over.

    A report that states nothing has no marks.

    Raises:
        InputError: a row of ``file`` names a phrase that is not in the list, or a report without a sentence.
    """
    from radcal.gold.evaluation import SYNONYMS, UNSURE

    marks: defaultdict[str, list[Mark]] = defaultdict(list)
    for row in rows:
        if row.report_id not in reports or not row.pathology:
            continue
        report = reports[row.report_id]
        unsure = row.phrase.lower() == UNSURE
        phrase = None if unsure else lexicon.find(row.phrase)
        if phrase is None and row.phrase != OTHER and not unsure:
            raise InputError("{file}, line {line}: the phrase is not in the list of words.", file=file, line=row.line)
        if not report.sentences:
            raise InputError("{file}, line {line}: the report has no sentence here.", file=file, line=row.line)
        name = row.pathology.strip().lower()
        finding = new_statement(
            report,
            sentence_of(report, row.sentence_number, row.cue),
            SYNONYMS.get(name, name),
            phrase.name if phrase else OTHER,
            [row.cue] if row.cue else [],
        )
        verdict = Verdict.UNSURE if unsure else Verdict.ADDED
        marks[row.report_id].append(Mark(f"reader {len(marks[row.report_id])}", verdict, finding))
    return dict(marks)
