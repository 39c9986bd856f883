"""The reasons for rejecting a row, each with its remedy: a small set, so that rows can be counted by reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from radcal.system.text import Text


@dataclass(frozen=True, slots=True)
class Reason:
    """What is wrong with a row, and the remedy, in one sentence each.

    rows: the predicate for several rows, to follow "12 rows of march.csv"; '' to repeat the sentence instead
    """

    sentence: str
    remedy: str
    rows: str = ""


TOO_FEW_CELLS = Reason(
    "The row has fewer cells than the header.",
    "Look for an unquoted line break in the row, or export the file with all cells quoted.",
    "have fewer cells than the header",
)
TOO_MANY_CELLS = Reason(
    "The row has more cells than the header.",
    "Look for an unquoted separator in the row, or export the file with all cells quoted.",
    "have more cells than the header",
)
STRAY_QUOTE = Reason(
    "A quotation mark stands in the wrong place or is never closed.",
    "Close, double or remove the quotation mark in this row, or export the file with quotation marks doubled.",
    "have a quotation mark in the wrong place",
)
OPEN_QUOTE = Reason(
    "A quotation mark opens in this row and is never closed.",
    "Close or remove the quotation mark in this row, or export the file with quotation marks doubled.",
    "have a quotation mark that is never closed",
)
NO_ACCESSION = Reason(
    "The row has no accession number.", "Export the row again with its accession number.", "have no accession number"
)
NO_PATIENT = Reason("The row has no patient.", "Export the row again with its patient number.", "have no patient")
_NOT_FROM_A_SPREADSHEET = Text(
    "Export the file again and do not save it from a spreadsheet, or format the column as text first."
)
DAMAGED_ACCESSION = Reason(
    "A spreadsheet rounded the accession number.",
    _NOT_FROM_A_SPREADSHEET,
    "have an accession number that a spreadsheet rounded",
)
DAMAGED_PATIENT = Reason(
    "A spreadsheet rounded the patient number.",
    _NOT_FROM_A_SPREADSHEET,
    "have a patient number that a spreadsheet rounded",
)
NO_TIME = Reason(
    "The row has no examination time.",
    "Export the row again with its time, or map another column.",
    "have no examination time",
)
IMPOSSIBLE_TIME = Reason(
    "The examination time does not exist, as 31 February or 25:00.",
    "Correct the time, or map another column.",
    "have an examination time that does not exist",
)
NO_DATE = Reason(
    "The examination time has no date.",
    "Export the date of the examination too, or map its column.",
    "have an examination time without a date",
)
DAY_ALONE = Reason(
    "The examination has no time of day.",
    "Export the row again with its time of day: by its date alone it cannot be paired.",
    "have an examination date without a time of day",
)
UNREADABLE_TIME = Reason(
    "The examination time cannot be read.",
    "Write the time as 2024-03-31 14:05, or map another column.",
    "have an examination time that cannot be read",
)
AMBIGUOUS_TIME = Reason(
    "Day and month cannot be told apart: the file holds both orders.",
    "Write the times as 2024-03-31 14:05, or say which order the file has.",
    "have a date in which day and month cannot be told apart",
)
NO_TEXT = Reason(
    "The report has no text.", "Export the report again with its text, or map another column.", "have no report text"
)
TOO_LONG = Reason(
    "The report is longer than 1 MB.",
    "Look for a quotation mark that is never closed, or for a file in place of the text.",
    "have a report longer than 1 MB",
)
UNKNOWN_MODALITY = Reason(
    "The modality is unknown.",
    "Fill the modality or the exam of this row, or read X-ray and CT reports from files of their own.",
    "do not say whether they are of an X-ray or a CT",
)
CANCELLED = Reason(
    "The report is marked as cancelled.", "Nothing, unless the mark is wrong.", "are marked as cancelled"
)
OTHER_TEXT = Reason(
    "The accession number occurs again with another text, and nothing says which is the later.",
    "Keep the right one, or export status, addendum number or report time too.",
    "share an accession number and have different texts",
)
OTHER_PATIENT = Reason(
    "The accession number occurs with two patients.",
    "Find out whose report it is and remove the other one.",
    "share an accession number and name two patients",
)
NO_FILE_NAMED = Reason("The manifest names no text file.", "Fill in the file of this row.", "name no text file")
FILE_MISSING = Reason(
    "The manifest names a text file that is not in the folder.",
    "Add the text file to the folder, or remove the row.",
    "name a text file that is not in the folder",
)
FILE_UNREADABLE = Reason(
    "The text file cannot be read.",
    "Check that it is plain text and that you may open it.",
    "name a text file that cannot be read",
)
FILE_NAME_TOO_LONG = Reason(
    "The manifest names a text file by a name that is too long for any file.",
    "Correct the file of this row: look for a missing separator, too.",
    "name a text file by a name that is too long",
)
FILE_LOOP = Reason(
    "The text file is a link that leads back to itself.",
    "Put the text file itself into the folder.",
    "name a link that leads back to itself",
)
NO_REGULAR_FILE = Reason(
    "What the manifest names is a folder, a pipe or a device, not a text file.",
    "Correct the file of this row, or put a text file there.",
    "name a folder, a pipe or a device instead of a text file",
)
NOT_IN_MANIFEST = Reason(
    "The text file is not in the manifest.",
    "Add a row for it to the manifest.",
    "are text files that the manifest does not name",
)
DAMAGED_MESSAGE = Reason("The message is damaged or cut off.", "Export the message again.", "are damaged or cut off")
UNSUPPORTED_MESSAGE = Reason(
    "The message is no report: it is of another type.",
    "Nothing, unless it should be a report.",
    "are no reports, but messages of another type",
)
UNKNOWN_ENCODING = Reason(
    "The message names an encoding that RadCal does not know, or is not written in the one that it names.",
    "Export the message again in UTF-8.",
    "name an encoding that RadCal does not know, or are not written in the one that they name",
)
TOO_DEEP = Reason(
    "The message has more fields, or fields within fields, than any report has.",
    "Find out where the file is from, and export the message again.",
    "have more fields, or fields within fields, than any report has",
)
TOO_LONG_MESSAGE = Reason(
    "The message is too long for a report.",
    "Export the message without pictures and documents in it.",
    "are too long for a report",
)
DOCUMENT_ONLY = Reason(
    "The report is a document, such as a PDF or a picture, and not text.",
    "Export the report with its text.",
    "have a document, such as a PDF or a picture, in place of the text",
)
NOT_INCLUDED = Reason(
    "The message refers to its text, which is not in the file.",
    "Export the message together with all that it refers to.",
    "refer to a text that is not in the file",
)
NO_MESSAGE = Reason(
    "The file holds no messages of a format that RadCal reads.",
    "Remove the file from the folder, or export it again.",
    "hold no messages of a format that RadCal reads",
)
NOT_IN_XML = Reason(
    "The file holds FHIR in XML, and RadCal reads it in JSON.",
    "Export it as JSON (.json) or as a bulk export (.ndjson).",
    "hold FHIR in XML instead of JSON",
)
WITHDRAWN = Reason(
    "The report in the message is marked as cancelled or entered in error.",
    "Nothing, unless the mark is wrong.",
    "hold a report that is marked as cancelled or entered in error",
)
CROWDED = Reason(
    "The order has no text of its own, and 50 other orders of its message already share the next text.",
    "Export the order again with its text.",
    "have an order without a text of its own, behind 50 others that already share the next text",
)
IN_PARTS = Reason(
    "The message is in parts, of several patients, or numbered in a segment that RadCal does not read (ADD, DSC, IPC).",
    "Export each report again as one message, with its accession number in OBR-3.",
    "are in parts, of several patients, or numbered in a segment that RadCal does not read (ADD, DSC, IPC)",
)
OTHER_DEPARTMENT = Reason(
    "The report is of another department, such as the laboratory.",
    "Nothing, unless its category is wrong.",
    "are of another department, such as the laboratory",
)
PROTECTED_MESSAGE = Reason("The file is encrypted.", "Export it without a password and read it again.", "are encrypted")
TOO_COSTLY = Reason(
    "The file needs more time or memory than RadCal gives one file.",
    "Find out where the file is from, and split it into several.",
    "need more time or memory than RadCal gives one file",
)
HARMFUL = Reason(
    "The file made the process that read it break down: it is damaged, or was made to do harm.",
    "Export it again; do not open the file if you do not know where it is from.",
    "made the process that read them break down",
)
UNREADABLE = Reason("The file cannot be read.", "Check that you may open it.", "cannot be read")
REPEATED_ID = Reason("The report id occurs again.", "Give every report an id of its own.")
NO_ID = Reason("The row has no report id.", "Give every report an id of its own.")


_FROM_ITS_SYSTEM = Text("Correct the time in the system that the message is from, and export it again.")
NO_TEXT_IN_MESSAGE = Reason("The message has no text.", "Export the message again with its text.", "have no text")
OF_MESSAGE: Mapping[Reason, Reason] = {
    NO_ACCESSION: Reason(
        "The message has no accession number.",
        "Export the message again with its accession number.",
        "have no accession number",
    ),
    NO_PATIENT: Reason(
        "The message has no patient.", "Export the message again with its patient number.", "have no patient"
    ),
    NO_TIME: Reason(
        "The message has no examination time.",
        "Export the message again with the time of the examination.",
        "have no examination time",
    ),
    IMPOSSIBLE_TIME: Reason(
        "The examination time in the message does not exist, as 31 February or 25:00.",
        _FROM_ITS_SYSTEM,
        "have an examination time that does not exist",
    ),
    NO_DATE: Reason(
        "The examination time in the message has no date.",
        "Export the message again with the date of the examination.",
        "have an examination time without a date",
    ),
    DAY_ALONE: Reason(
        "The examination in the message has no time of day.",
        "Export the message again with its time of day: by its date alone it cannot be paired.",
        "have an examination date without a time of day",
    ),
    UNREADABLE_TIME: Reason(
        "The examination time in the message cannot be read.",
        _FROM_ITS_SYSTEM,
        "have an examination time that cannot be read",
    ),
    NO_TEXT: NO_TEXT_IN_MESSAGE,
    TOO_LONG: TOO_LONG_MESSAGE,
    CANCELLED: WITHDRAWN,
    UNKNOWN_MODALITY: Reason(
        "The message does not say whether it is of an X-ray or a CT.",
        "Export the message with its modality or examination, or read X-ray and CT reports from files of their own.",
        "do not say whether they are of an X-ray or a CT",
    ),
    REPEATED_ID: Reason("The number of the report occurs again in another message.", "Keep the right message."),
    NO_ID: Reason("The message has no number of its report.", "Export the message again with the number."),
}
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


OF_FLAW: Mapping[Flaw, Reason] = {
    Flaw.NO_TEXT: NO_TEXT_IN_MESSAGE,
    Flaw.DAMAGED: DAMAGED_MESSAGE,
    Flaw.UNSUPPORTED: UNSUPPORTED_MESSAGE,
    Flaw.ENCODING: UNKNOWN_ENCODING,
    Flaw.NESTED: TOO_DEEP,
    Flaw.TOO_LONG: TOO_LONG_MESSAGE,
    Flaw.DOCUMENT: DOCUMENT_ONLY,
    Flaw.NOT_INCLUDED: NOT_INCLUDED,
    Flaw.PROTECTED: PROTECTED_MESSAGE,
    Flaw.WITHDRAWN: WITHDRAWN,
    Flaw.CROWDED: CROWDED,
    Flaw.IN_PARTS: IN_PARTS,
    Flaw.ELSEWHERE: OTHER_DEPARTMENT,
    Flaw.XML: NOT_IN_XML,
}
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


OF_LETTERS = frozenset((Doubt.DAMAGED, Doubt.MISNAMED, Doubt.GUESSED))
"""Doubts about the characters of a message, not about the message."""
_IF_WHOLE = Text(
    "Look at it. If nothing is missing, read the file once more as whole: tick that beside the list of messages, or "
    "use --as-whole. If something is missing, export it again."
)
_LOOK_AT_LETTERS = Text("Look at the letters with accents; where they are wrong, export again in UTF-8.")
OF_DOUBT: Mapping[Doubt, Reason] = {
    Doubt.DAMAGED: Reason(
        "Some characters are damaged, and stand as \ufffd in what was read.",
        "Look at the text around \ufffd; where it matters, export again in UTF-8.",
    ),
    Doubt.MISNAMED: Reason(
        "The characters are not of the encoding that is named; they were read in the one that they fit.",
        _LOOK_AT_LETTERS,
    ),
    Doubt.GUESSED: Reason(
        "No encoding is named; the characters were read in the one that they fit.",
        _LOOK_AT_LETTERS,
    ),
    Doubt.UNENDED: Reason(
        "The message may be cut short: its last line, the frame around it or a document within it does not end.",
        _IF_WHOLE,
        "do not end, and may be cut short",
    ),
    Doubt.UNSTATED: Reason(
        "The text may be cut short: a line of it has no status (OBX-11), or one that is not known.",
        _IF_WHOLE,
        "have a line of text without a known status (OBX-11), and may be cut short",
    ),
    Doubt.STRAY: Reason(
        "Something that is no part of the message stands within it or behind it, such as the end of a frame.",
        _IF_WHOLE,
        "hold something that is no part of them",
    ),
    Doubt.INCOMPLETE: Reason(
        "The report refers to parts of its text that are not in the file, or has more parts than are read.",
        Text(
            "Export it together with all that it refers to. If nothing of its text is missing, read the file once more "
            "as whole: tick that beside the list of messages, or use --as-whole."
        ),
        "refer to parts of their text that are not in the file",
    ),
}
"""What each doubt is listed with: what was done, and the remedy."""
UNENDED_ROW = Reason(
    "The last line of the file does not end: the file may be cut short.",
    "Look at the last row. If nothing is missing, read the file once more as whole: tick that beside its columns, or "
    "use --as-whole. If something is missing, export the file again.",
    "are the last of a file whose last line does not end",
)
HELD = frozenset((UNENDED_ROW, *(OF_DOUBT[doubt] for doubt in Doubt if doubt not in OF_LETTERS)))
"""Doubts whether a report is whole: it is left out until somebody has looked and reads the file as whole."""
HELD_SENTENCES = frozenset(reason.sentence for reason in HELD)


class Unit(StrEnum):
    """What is left out, and what its number counts: rows of a table, messages or resources of a file, or a file."""

    ROW = "row"
    MESSAGE = "message"
    RESOURCE = "resource"
    FILE = "file"


class _Summary(NamedTuple):
    """Summaries of what was left out: for several reasons, all for one reason in a predicate, or in a sentence."""

    several: Text
    alike: Text
    one: Text


_BLANK = {"n": 0, "where": "", "reason": ""}
_SUMMARIES = {
    Unit.ROW: _Summary(
        Text("{n:,} rows of {where} were left out, for {reasons:,} different reasons."),
        Text("{n:,} rows of {where} {said} and were left out."),
        Text("A row of {where} was left out. {reason}", many="{n:,} rows of {where} were left out. {reason}", **_BLANK),
    ),
    Unit.MESSAGE: _Summary(
        Text("{n:,} messages of {where} were left out, for {reasons:,} different reasons."),
        Text("{n:,} messages of {where} {said} and were left out."),
        Text(
            "A message of {where} was left out. {reason}",
            many="{n:,} messages of {where} were left out. {reason}",
            **_BLANK,
        ),
    ),
    Unit.RESOURCE: _Summary(
        Text("{n:,} resources of {where} were left out, for {reasons:,} different reasons."),
        Text("{n:,} resources of {where} {said} and were left out."),
        Text(
            "A resource of {where} was left out. {reason}",
            many="{n:,} resources of {where} were left out. {reason}",
            **_BLANK,
        ),
    ),
    Unit.FILE: _Summary(
        Text("{n:,} files were left out, for {reasons:,} different reasons."),
        Text("{n:,} files {said} and were left out."),
        Text("{where} was left out. {reason}", many="{n:,} files were left out. {reason}", **_BLANK),
    ),
}


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
    summary = _SUMMARIES[units.pop() if len(units) == 1 else Unit.ROW]
    values = {"n": len(rows), "where": where}
    if len(sentences) > 1:
        return summary.several.with_values(**values, reasons=len(sentences))
    sentence = min(sentences)
    if len(rows) > 1 and (said := _SAID_OF_ROWS.get(sentence)):
        return summary.alike.with_values(**values, said=Text(said))
    return summary.one.with_values(**values, reason=Text(sentence))


def unit_of(sentence: str, unit: str = "") -> Unit:
    """What was left out for the reason that a sentence states.

    unit: what is listed with the sentence, '' if that is not known
    """
    return Unit(unit) if unit in tuple(Unit) else _UNITS.get(sentence, Unit.ROW)


def unit_within(reason: Reason, unit: str) -> str:
    """What is left out for a reason in a file of such units: one, or the file itself."""
    return str(Unit.FILE) if _UNITS.get(reason.sentence) is Unit.FILE else str(unit)


def remedy_of(sentence: str) -> str:
    """The remedy of the reason that a sentence states, '' of any other."""
    return _REMEDIES.get(sentence, "")


_ALL = (
    *(reason for reason in globals().values() if isinstance(reason, Reason)),
    *OF_MESSAGE.values(),
    *OF_DOUBT.values(),
)
_SAID_OF_ROWS = {reason.sentence: reason.rows for reason in _ALL}
_UNITS = {
    **{reason.sentence: Unit.MESSAGE for reason in (*OF_MESSAGE.values(), *OF_FLAW.values(), *OF_DOUBT.values())},
    **{
        reason.sentence: Unit.FILE
        for reason in (NO_MESSAGE, NOT_IN_XML, TOO_COSTLY, HARMFUL, UNREADABLE, PROTECTED_MESSAGE)
    },
}
_REMEDIES = {reason.sentence: reason.remedy for reason in _ALL}
