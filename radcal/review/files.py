"""Gold sets as files of annotated statements, one per row, as read by ``radcal gold``.

A report that was read and states nothing has a row of its report id alone: without it, findings that an engine invents
there would not count against it.  The row has fewer than four cells, so that programs that take every row of four for
a statement skip it.  The last cell of a row says that its report was read blind, with the engine's findings hidden.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.review.evaluation import SYNONYMS, UNSURE
from radcal.review.records import FoundRow, Gold, GoldReport, GoldRow, Mark, Verdict
from radcal.review.statements import new_statement, sentence_of
from radcal.system import inputs
from radcal.system.cells import freed, guarded
from radcal.system.errors import InputError
from radcal.system.separated import Dialect, Unread, lines_of, records_of
from radcal.system.text import joined
from radcal.words.records import OTHER

if TYPE_CHECKING:
    from radcal.words.phrases import Lexicon

NO_CUE = "-"
"""In place of a cue: there is none.  A cue that is a hyphen is guarded, as every text that begins with one."""
BLIND = "blind"
_GOLD_COLUMNS = ("report_id", "sentence_number", "pathology", "phrase", "cue", "read")
_FOUND_COLUMNS = ("report_id", "pathology", "phrase")


def gold_text(gold: Gold, reports: Iterable[GoldReport], shown: Callable[[str], str] = str) -> str:
    """The statements as text of a TSV file; sentences are numbered from 1 in their report, 0 for one that is gone.

    A pathology of which nothing can be said in a report has a row, too, with "unsure" in place of the phrase.  A
    report without any of these has a row of its report id alone.  ``shown`` gives the ids in the file.
    """
    place = {r.report_id: {s.start: i for i, s in enumerate(r.sentences, 1)} for r in reports}
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None, lineterminator="\n")
    writer.writerow(_GOLD_COLUMNS)
    said: defaultdict[str, list[tuple[object, ...]]] = defaultdict(list)
    for f in gold.statements:
        cue = guarded(" ".join(f.verbatim.split())) or NO_CUE
        number = place[f.report_id].get(f.start, 0)
        said[f.report_id].append((guarded(shown(f.report_id)), number, guarded(f.pathology), guarded(f.phrase), cue))
    for report_id, pathology in sorted(gold.left_out):
        said[report_id].append((guarded(shown(report_id)), 0, guarded(pathology), UNSURE, NO_CUE))
    for report_id in gold.reports:
        blind = () if report_id in gold.in_sight else (BLIND,)
        writer.writerows((*row, *blind) for row in said.get(report_id, [(guarded(shown(report_id)),)]))
    return out.getvalue()


def marks_of(
    rows: Sequence[GoldRow], reports: Mapping[str, GoldReport], lexicon: Lexicon, file: str
) -> dict[str, list[Mark]]:
    """A reader's marks, by report, equivalent to the rows; rows of other reports are ignored.

    A report that states nothing has no marks.

    Raises:
        InputError: a row of ``file`` names a phrase that is not in the list, or a report without a sentence.
    """
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


def read_gold(path: Path) -> tuple[GoldRow, ...]:
    """Annotated statements from a tab-separated file.

    Columns: report_id, sentence_number, pathology, phrase (or UNSURE) and, optionally, cue, NO_CUE for none, and BLIND
    where the report was read so; a header row is recognised.  Cells may be guarded (:mod:`radcal.system.cells`).
    A report that was annotated and states nothing has a row of its report_id alone, and BLIND; older files have none.

    Raises:
        InputError: the file cannot be read, or a row is broken; names file, line and reason.
    """
    rows: list[GoldRow] = []
    known = False
    for line, cells in _cells(path, "\t"):
        if line == 1 and tuple(c.strip().lower() for c in cells[:4]) == _GOLD_COLUMNS[:4]:
            known = True
            continue
        blind = len(cells) in (2, len(_GOLD_COLUMNS)) and cells[-1].strip() == BLIND
        if blind:
            cells = cells[:-1]
        if not any(c.strip() for c in cells[1:]):
            rows.append(GoldRow(freed(cells[0]).strip(), blind=blind, line=line))
            continue
        if not 4 <= len(cells) < len(_GOLD_COLUMNS):
            raise _broken(path, line, f"{len(cells)} cells where {', '.join(_GOLD_COLUMNS)} belong")
        report, number, pathology, phrase = (freed(c).strip() for c in cells[:4])
        if not (report and pathology and phrase):
            raise _broken(path, line, "the report, the pathology or the phrase is empty")
        if not number.isdecimal():
            raise _broken(path, line, "the sentence number is no whole number")
        cue = cells[4].strip() if len(cells) > 4 else ""
        cue = "" if cue == NO_CUE else freed(cue)
        rows.append(GoldRow(report, int(number), pathology, phrase, cue, blind, line))
    # Whatever has neither header nor statement, a file separated by commas for one, is no list of reports.
    if not (rows and (known or any(row.pathology for row in rows))):
        raise InputError(
            "{name} holds no annotated statement.",
            name=path.name,
        )
    return tuple(rows)


def read_findings(path: Path) -> tuple[FoundRow, ...]:
    """Statements of an engine from a comma-separated file whose header names report_id, pathology and phrase.

    Raises:
        InputError: the file cannot be read, a column is missing, or a row is broken; names file, line and reason.
    """
    rows: list[FoundRow] = []
    places: list[int] = []
    header: list[str] = []
    for line, cells in _cells(path, ","):
        if not places:
            header = [c.strip().lower() for c in cells]
            if missing := [c for c in _FOUND_COLUMNS if c not in header]:
                raise _broken(path, line, f"the header lacks {', '.join(missing)}")
            places = [header.index(c) for c in _FOUND_COLUMNS]
            continue
        if len(cells) != len(header):
            raise _broken(path, line, f"{len(cells)} cells, but the header has {len(header)}")
        row = FoundRow(*(freed(cells[p]).strip() for p in places))
        if not (row.report_id and row.pathology and row.phrase):
            raise _broken(path, line, "the report, the pathology or the phrase is empty")
        rows.append(row)
    if not places:
        raise InputError(
            "{name} is empty. A file of findings has the columns {found_columns}.",
            name=path.name,
            found_columns=", ".join(_FOUND_COLUMNS),
        )
    return tuple(rows)


def _cells(path: Path, separator: str) -> Iterable[tuple[int, list[str]]]:
    try:
        text = inputs.read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as e:
        raise InputError("{name} is not UTF-8 text. Save it again as UTF-8.", name=path.name) from e
    # A tab-separated file holds the words of reports verbatim, quotation marks included.
    for line, cells in records_of(lines_of(text), Dialect(separator, quoting=separator != "\t")):
        if isinstance(cells, Unread):
            reason = joined(cells.trouble.value)
            raise InputError("{file}, line {line}: {reason}", file=path.name, line=cells.opened, reason=reason)
        if any(c.strip() for c in cells):
            yield line, cells


def _broken(path: Path, line: int, reason: str) -> InputError:
    return InputError(
        "{name}, line {line}: {reason}. Mend or remove the line.", name=path.name, line=line, reason=reason
    )
