"""The reasons for rejecting a row or a message, with their remedies; their words are in resources/reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from radcal.system.resources import table_rows
from radcal.system.text import Text


class Unit(StrEnum):
    """What is left out, and what its number counts: rows of a table, messages or resources of a file, or a file."""

    ROW = "row"
    MESSAGE = "message"
    RESOURCE = "resource"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Reason:
    """What is wrong with a row, and the remedy, in one sentence each.

    rows: the predicate for several rows, to follow "12 rows of march.csv"; '' to repeat the sentence instead
    unit: what is left out
    """

    sentence: str
    remedy: str
    rows: str = ""
    unit: Unit = Unit.ROW


_ROWS = table_rows("reading", "reasons.tsv")
_NAMED = {name: Reason(said, remedy, rows, Unit(unit)) for name, unit, _, said, rows, remedy in _ROWS}
TOO_FEW_CELLS = _NAMED["too few cells"]
TOO_MANY_CELLS = _NAMED["too many cells"]
STRAY_QUOTE = _NAMED["stray quote"]
OPEN_QUOTE = _NAMED["open quote"]
NO_ACCESSION = _NAMED["no accession"]
NO_PATIENT = _NAMED["no patient"]
DAMAGED_ACCESSION = _NAMED["damaged accession"]
DAMAGED_PATIENT = _NAMED["damaged patient"]
NO_TIME = _NAMED["no time"]
IMPOSSIBLE_TIME = _NAMED["impossible time"]
NO_DATE = _NAMED["no date"]
DAY_ALONE = _NAMED["day alone"]
UNREADABLE_TIME = _NAMED["unreadable time"]
AMBIGUOUS_TIME = _NAMED["ambiguous time"]
NO_TEXT = _NAMED["no text"]
TOO_LONG = _NAMED["too long"]
UNKNOWN_MODALITY = _NAMED["unknown modality"]
UNNAMED_EXAM = _NAMED["unnamed exam"]
OTHER_FINDING = _NAMED["other finding"]
NO_OUTCOME = _NAMED["no outcome"]
CANCELLED = _NAMED["cancelled"]
OTHER_TEXT = _NAMED["other text"]
OTHER_PATIENT = _NAMED["other patient"]
NO_FILE_NAMED = _NAMED["no file named"]
FILE_MISSING = _NAMED["file missing"]
FILE_UNREADABLE = _NAMED["file unreadable"]
FILE_NAME_TOO_LONG = _NAMED["file name too long"]
FILE_LOOP = _NAMED["file loop"]
NO_REGULAR_FILE = _NAMED["no regular file"]
NOT_IN_MANIFEST = _NAMED["not in manifest"]
NO_MESSAGE = _NAMED["no message"]
TOO_COSTLY = _NAMED["too costly"]
HARMFUL = _NAMED["harmful"]
UNREADABLE = _NAMED["unreadable"]
REPEATED_ID = _NAMED["repeated id"]
NO_ID = _NAMED["no id"]
UNENDED_ROW = _NAMED["unended row"]
OF_MESSAGE: Mapping[Reason, Reason] = {_NAMED[row[0]]: _NAMED[row[2]] for row in _ROWS if row[2]}
"""Reasons for leaving out a message, in place of those that speak of rows, cells and columns."""


class Flaw(StrEnum):
    """What is wrong with a message, as the child that parses it says; see :data:`OF_FLAW`."""

    NO_TEXT = "no text"
    DAMAGED = "damaged"
    UNSUPPORTED = "unsupported"
    ENCODING = "encoding"
    NESTED = "nested"
    TOO_LONG = "too long"
    DOCUMENT = "document"
    NOT_INCLUDED = "not included"
    PROTECTED = "protected"
    WITHDRAWN = "withdrawn"
    CROWDED = "crowded"
    IN_PARTS = "in parts"
    ELSEWHERE = "elsewhere"
    XML = "XML"


OF_FLAW: Mapping[Flaw, Reason] = {flaw: _NAMED[f"message: {flaw}"] for flaw in Flaw}
"""The reason that each flaw is listed with."""


class Doubt(StrEnum):
    """What is doubtful about a message that was read, as the child says; see :data:`OF_DOUBT`."""

    DAMAGED = "damaged characters"
    MISNAMED = "another encoding"
    GUESSED = "guessed encoding"
    UNENDED = "no end"
    UNSTATED = "no status"
    STRAY = "stray characters"
    INCOMPLETE = "incomplete"


OF_DOUBT: Mapping[Doubt, Reason] = {doubt: _NAMED[f"doubt: {doubt}"] for doubt in Doubt}
"""What each doubt is listed with: what was done, and the remedy."""
OF_LETTERS = frozenset((Doubt.DAMAGED, Doubt.MISNAMED, Doubt.GUESSED))
"""Doubts about the characters of a message, not about the message."""
HELD = frozenset((UNENDED_ROW, *(OF_DOUBT[doubt] for doubt in Doubt if doubt not in OF_LETTERS)))
"""Doubts whether a report is whole: it is left out until somebody has looked and reads the file as whole."""
HELD_SENTENCES = frozenset(reason.sentence for reason in HELD)
_BY_SENTENCE = {reason.sentence: reason for reason in _NAMED.values()}
REFUSALS = table_rows("reading", "refusals.tsv")
"""What is said of a whole file that cannot be read: why, of a table, and of messages where that is something else."""
_SUMMARIES = {Unit(unit): texts for unit, *texts in table_rows("reading", "left_out.tsv")}


def texts() -> list[tuple[str, str]]:
    """All that is said here, for translators: texts, and for any number but 1 where they count."""
    said = [text for reason in _NAMED.values() for text in (reason.sentence, reason.remedy, reason.rows)]
    said += [text for _, *both in REFUSALS for text in both]
    said += [text for several, alike, *_ in _SUMMARIES.values() for text in (several, alike)]
    return [(text, "") for text in said if text] + [(one, many) for *_, one, many in _SUMMARIES.values()]


def left_out(rows: Sequence[tuple[str, str, str]]) -> Text:
    """A summary of rejected rows, such as "12 rows of march.csv have no examination time and were left out.".

    Args:
        rows: file, reason and unit ('' if that is not known) of each, at least one
    """
    files, sentences = {file for file, _, _ in rows}, {sentence for _, sentence, _ in rows}
    where = min(files) if len(files) == 1 else Text("{n:,} files", n=len(files))
    units = {unit_of(sentence, unit) for _, sentence, unit in rows}
    # A file that is left out beside messages is counted as one of what it holds.
    units = units - {Unit.FILE} or units
    several, alike, one, many = _SUMMARIES[units.pop() if len(units) == 1 else Unit.ROW]
    n, sentence = len(rows), min(sentences)
    if len(sentences) > 1:
        return Text(several, n=n, where=where, reasons=len(sentences))
    if n > 1 and (reason := _BY_SENTENCE.get(sentence)) and reason.rows:
        return Text(alike, n=n, where=where, said=Text(reason.rows))
    return Text(one, many=many, n=n, where=where, reason=Text(sentence))


def unit_of(sentence: str, unit: str = "") -> Unit:
    """What was left out for the reason that a sentence states.

    unit: what is listed with the sentence, '' if that is not known
    """
    reason = _BY_SENTENCE.get(sentence)
    return Unit(unit) if unit in tuple(Unit) else reason.unit if reason else Unit.ROW


def unit_within(reason: Reason, unit: str) -> str:
    """What is left out for a reason in a file of such units: one, or the file itself."""
    return str(Unit.FILE) if reason.unit is Unit.FILE else str(unit)


def remedy_of(sentence: str) -> str:
    """The remedy of the reason that a sentence states, '' of any other."""
    return _BY_SENTENCE[sentence].remedy if sentence in _BY_SENTENCE else ""
