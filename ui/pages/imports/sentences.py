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
    return say(
        "Column {columns} is used for nothing, but looks like {what}. Choose it at the left if it is that.",
        many="Each of the columns {columns} may be {what}. Choose one at the left.",
        n=len(columns),
        columns=listed(columns),
        what=what,
    )


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


def overlap_texts(file: FilePreview) -> list[str]:
    """A file's overlap with reports already in the workspace, in sentences."""
    texts = (
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
                "One report would be counted twice: it is here from an earlier reading of this file, under another"
                " accession number.",
                many="{n:,} reports would be counted twice: they are here from an earlier reading of this file, under"
                " other accession numbers.",
                n=file.doubled,
            ),
        ),
        (
            file.unread,
            say(
                "One report of an earlier reading of this file would stay although this reading does not give it.",
                many="{n:,} reports of an earlier reading of this file would stay although this reading does not give"
                " them.",
                n=file.unread,
            ),
        ),
        (
            file.judged,
            say(
                "One of these was read by people or has a finding that was contested; what was said of it counts no"
                " more once it is replaced.",
                many="{n:,} reports of these were read by people or have a finding that was contested; what was said"
                " of them counts no more once they are replaced.",
                n=file.judged,
            ),
        ),
    )
    return [text for n, text in texts if n]
