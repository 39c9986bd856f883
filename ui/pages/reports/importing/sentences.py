"""The contents of report files, rejected rows, and overlaps with earlier imports, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ui.words import listed, say, typographic, whole

if TYPE_CHECKING:
    from radcal.reports.dry_run import FilePreview
    from radcal.reports.preview import Preview
    from radcal.reports.records import Modality, RejectedRow

Groups = Sequence[tuple[str, ...]]
"""Groups of fields; a file needs a column for at least one field of each."""


def holds_text(modality: Modality | None) -> str:
    """The contents of a file: reports of one modality or both."""
    names = {
        None: say("X-ray and CT reports"),
        "xray": say("X-ray reports"),
        "ct": say("CT reports"),
    }
    return names[modality]


def names_of_fields(preview: Preview, groups: Groups) -> str:
    """Field groups in words: 'the patient and who signed or who dictated'."""
    meanings = dict(preview.fields)
    either = say(" or ")
    return listed([either.join(meanings[field] for field in group) for group in groups])


def question_text(preview: Preview, field: str, columns: Sequence[str], taken: str) -> str:
    """Columns that may hold a field; ``taken`` is the one that is read now, '' for none."""
    what = dict(preview.fields)[field]
    if taken:
        return say(
            "Column {taken} is read as {what}; it may be in {columns} instead. Choose at the left.",
            taken=taken,
            what=what,
            columns=listed(columns),
        )
    return say("{columns} may be {what}. Choose it at the left.", columns=listed(columns), what=what)


def left_out(rejected: Sequence[RejectedRow]) -> str:
    """'12 rows of march.csv have no examination time and were left out.', or the number of reasons."""
    from radcal.reports.reasons import left_out as said_of  # heavy, but loaded by the time rows are rejected

    return typographic(said_of([(row.file, row.reason, row.unit) for row in rejected]))


def position_text(unit: str, n: int) -> str:
    """Where something stands in its file: of a table, the line at which an editor finds a row; '' of a file itself."""
    said = {
        "row": say("line {n}", n=whole(n)),
        "message": say("message {n}", n=whole(n)),
        "resource": say("resource {n}", n=whole(n)),
    }
    return said.get(unit, "")


def place_in_file(file: str, unit: str, n: int) -> str:
    """'march.csv, line 576'; the file alone where it is not known what is counted."""
    return ", ".join(filter(None, (file, position_text(unit, n))))


def file_texts(file: FilePreview) -> list[str]:
    """What is to be known of a file before it is imported, and its overlap with reports in the workspace."""
    texts = (
        (
            file.held,
            say(
                "One report may be cut short and is left out until you have looked.",
                many="{n:,} reports may be cut short and are left out until you have looked.",
                n=file.held,
            ),
        ),
        (file.again, say("This file was imported before and will not be read again.")),
        (
            file.there,
            say(
                "One report of it is here already; the last reading of a row counts.",
                many="{n:,} reports of it are here already; the last reading of a row counts.",
                n=file.there,
            ),
        ),
        (
            file.doubled,
            say(
                "One report would be counted twice: it is here under another accession number.",
                many="{n:,} reports would be counted twice: they are here under other accession numbers.",
                n=file.doubled,
            ),
        ),
        (
            file.unread,
            say(
                "One report of an earlier reading of this file would stay although this reading does not give it.",
                many="{n:,} reports of an earlier reading of this file would stay although this does not give them.",
                n=file.unread,
            ),
        ),
        (
            file.judged,
            say(
                "People read or contested one of these; what they said counts no more once it is replaced.",
                many="People read or contested {n:,} of these; what they said counts no more once they are replaced.",
                n=file.judged,
            ),
        ),
        (
            file.dates == "mixed",
            say("Some dates have the day first and some the month. Those that fit both are left out: choose one."),
        ),
        (file.dates == "day first", say("03/04/2024 may be March or April; it is read with the day first.")),
        (file.dates == "month first", say("03/04/2024 may be March or April; it is read with the month first.")),
    )
    return [text for n, text in texts if n]
