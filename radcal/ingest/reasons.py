"""Why a row cannot be used and what the user can do: the small set that rejected rows are counted by."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """A sentence that says what is wrong with a row, and one that says what to do."""

    sentence: str
    remedy: str


RAGGED = Reason(
    "The row has more or fewer cells than the header.",
    "Look for an unquoted separator or line break in the row, or export the file with all cells quoted.",
)
STRAY_QUOTE = Reason(
    "A quotation mark stands in the wrong place or is never closed.",
    "Close, double or remove the quotation mark in this row, or export the file with quotation marks doubled.",
)
OPEN_QUOTE = Reason(
    "A quotation mark opens in this row and is never closed.",
    "Close or remove the quotation mark in this row, or export the file with quotation marks doubled.",
)
NO_ACCESSION = Reason("The row has no accession number.", "Export the row again with its accession number.")
NO_PATIENT = Reason("The row has no patient.", "Export the row again with its patient number.")
DAMAGED_NUMBER = Reason(
    "A spreadsheet rounded the accession or patient number.",
    "Export the file again and do not save it from a spreadsheet, or format the column as text first.",
)
NO_TIME = Reason("The row has no examination time.", "Export the row again with its time, or map another column.")
UNREADABLE_TIME = Reason(
    "The examination time cannot be read.",
    "Write the time as 2024-03-31 14:05, or map another column.",
)
AMBIGUOUS_TIME = Reason(
    "Day and month cannot be told apart: the file holds both orders.",
    "Write the times as 2024-03-31 14:05, or say which order the file has.",
)
NO_TEXT = Reason("The report has no text.", "Export the row again with its text, or map another column.")
UNKNOWN_MODALITY = Reason(
    "The modality is unknown.",
    "Fill the modality or the exam of this row, or read X-ray and CT reports from files of their own.",
)
CANCELLED = Reason("The report is marked as cancelled.", "Nothing, unless the mark is wrong.")
OTHER_TEXT = Reason(
    "The accession number occurs again with another text, and nothing says which is the later.",
    "Keep the right row, or export status, addendum number or report time too.",
)
OTHER_PATIENT = Reason(
    "The accession number occurs with two patients.",
    "Find out whose report it is and remove the other row.",
)
NO_FILE_NAMED = Reason("The manifest names no text file.", "Fill in the file of this row.")
FILE_MISSING = Reason(
    "The manifest names a text file that is not in the folder.",
    "Add the text file to the folder, or remove the row.",
)
FILE_UNREADABLE = Reason("The text file cannot be read.", "Check that it is plain text and that you may open it.")
FILE_NAME_TOO_LONG = Reason(
    "The manifest names a text file by a name that is too long for any file.",
    "Correct the file of this row: look for a missing separator, too.",
)
FILE_LOOP = Reason("The text file is a link that leads back to itself.", "Put the text file itself into the folder.")
NO_REGULAR_FILE = Reason(
    "What the manifest names is a folder, a pipe or a device, not a text file.",
    "Correct the file of this row, or put a text file there.",
)
NOT_IN_MANIFEST = Reason("The text file is not in the manifest.", "Add a row for it to the manifest.")
REPEATED_ID = Reason("The report id occurs again.", "Give every report an id of its own.")
NO_ID = Reason("The row has no report id.", "Give every report an id of its own.")
