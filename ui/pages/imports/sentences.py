"""Reasons for rejecting rows and reports, as shown in the window.

The readers of report files say it in English sentences of a small set; one that is not in the set is shown as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ui.sentences import reports_text
from ui.widgets.messages import QT_TRANSLATE_NOOP
from ui.words import listed, translate, typographic

if TYPE_CHECKING:
    from radcal.records import Modality, RejectedRow
    from radcal.workflow.imports.dry_run import FilePreview
    from radcal.workflow.imports.preview import Preview

STEPS = (
    QT_TRANSLATE_NOOP("import steps", "rows read"),
    QT_TRANSLATE_NOOP("import steps", "row is whole"),
    QT_TRANSLATE_NOOP("import steps", "is an X-ray or a CT"),
    QT_TRANSLATE_NOOP("import steps", "reports of this modality"),
    QT_TRANSLATE_NOOP("import steps", "shows the chest"),
    QT_TRANSLATE_NOOP("import steps", "has all that is needed"),
    QT_TRANSLATE_NOOP("import steps", "accession number means one report"),
    QT_TRANSLATE_NOOP("import steps", "is not a repeated row"),
    QT_TRANSLATE_NOOP("import steps", "is the latest version"),
    QT_TRANSLATE_NOOP("import steps", "is a report of its own"),
    QT_TRANSLATE_NOOP("import steps", "has a radiologist to attribute it to"),
    QT_TRANSLATE_NOOP("import steps", "the patient has a chest CT"),
    QT_TRANSLATE_NOOP("import steps", "the CT is not before the X-ray"),
    QT_TRANSLATE_NOOP("import steps", "has a CT within {hours} h"),
    QT_TRANSLATE_NOOP("import steps", "its CT is free"),
    QT_TRANSLATE_NOOP("import steps", "the patient has a chest X-ray"),
    QT_TRANSLATE_NOOP("import steps", "the X-ray is not after the CT"),
    QT_TRANSLATE_NOOP("import steps", "has an X-ray within {hours} h before"),
    QT_TRANSLATE_NOOP("import steps", "its X-ray is free"),
)
DROPS = (
    QT_TRANSLATE_NOOP("import steps", "another kind of examination"),
    QT_TRANSLATE_NOOP("import steps", "not an X-ray, for which the file was given"),
    QT_TRANSLATE_NOOP("import steps", "not a CT, for which the file was given"),
    QT_TRANSLATE_NOOP("import steps", "the exam is not named"),
    QT_TRANSLATE_NOOP("import steps", "another part of the body"),
    QT_TRANSLATE_NOOP("import steps", "the same text occurs again"),
    QT_TRANSLATE_NOOP("import steps", "superseded by versions that contradict each other"),
    QT_TRANSLATE_NOOP("import steps", "superseded by a later version"),
    QT_TRANSLATE_NOOP("import steps", "its row was read again, otherwise"),
    QT_TRANSLATE_NOOP("import steps", "an addendum, joined to its report"),
    QT_TRANSLATE_NOOP("import steps", "no radiologist"),
    QT_TRANSLATE_NOOP("import steps", "left out: preliminary, not signed"),
    QT_TRANSLATE_NOOP("import steps", "left out: preliminary, perhaps not signed"),
    QT_TRANSLATE_NOOP("import steps", "left out: names no radiologist"),
    QT_TRANSLATE_NOOP("import steps", "left out: dictated and signed by two"),
    QT_TRANSLATE_NOOP("import steps", "left out: of several radiologists"),
    QT_TRANSLATE_NOOP("import steps", "left out: not signed"),
    QT_TRANSLATE_NOOP("import steps", "no chest CT of this patient"),
    QT_TRANSLATE_NOOP("import steps", "the patient's CTs were before the X-ray"),
    QT_TRANSLATE_NOOP("import steps", "the next CT was later than {hours} h after the X-ray"),
    QT_TRANSLATE_NOOP("import steps", "the CT belongs to an X-ray nearer in time"),
    QT_TRANSLATE_NOOP("import steps", "no attributed chest X-ray of this patient"),
    QT_TRANSLATE_NOOP("import steps", "the patient's X-rays were after the CT"),
    QT_TRANSLATE_NOOP("import steps", "the last X-ray was more than {hours} h before the CT"),
    QT_TRANSLATE_NOOP("import steps", "the X-ray belongs to a CT nearer in time"),
)
FIELDS = {
    "accession": QT_TRANSLATE_NOOP("import fields", "the accession number"),
    "patient_id": QT_TRANSLATE_NOOP("import fields", "the patient"),
    "exam": QT_TRANSLATE_NOOP("import fields", "the exam"),
    "exam_code": QT_TRANSLATE_NOOP("import fields", "the exam code"),
    "body_part": QT_TRANSLATE_NOOP("import fields", "the body part"),
    "modality": QT_TRANSLATE_NOOP("import fields", "the modality"),
    "exam_time": QT_TRANSLATE_NOOP("import fields", "the examination time"),
    "exam_date": QT_TRANSLATE_NOOP("import fields", "the examination date"),
    "text": QT_TRANSLATE_NOOP("import fields", "the report text"),
    "findings": QT_TRANSLATE_NOOP("import fields", "the findings"),
    "impression": QT_TRANSLATE_NOOP("import fields", "the impression"),
    "dictator": QT_TRANSLATE_NOOP("import fields", "who dictated"),
    "signer": QT_TRANSLATE_NOOP("import fields", "who signed"),
    "status": QT_TRANSLATE_NOOP("import fields", "the report status"),
    "addendum": QT_TRANSLATE_NOOP("import fields", "the addendum number"),
    "report_time": QT_TRANSLATE_NOOP("import fields", "the report time"),
    "file": QT_TRANSLATE_NOOP("import fields", "the text file"),
}
"""What a column can hold."""

Groups = Sequence[tuple[str, ...]]
"""Groups of fields of which a file needs one each."""


def translated_fields(preview: Preview) -> Preview:
    """The preview with translated field names."""
    fields = tuple((name, translate("import fields", FIELDS.get(name, meaning))) for name, meaning in preview.fields)
    return replace(preview, fields=fields)


def holds_text(modality: Modality | None) -> str:
    """The contents of a file: reports of one modality or both."""
    names = {
        None: translate("import", "X-ray and CT reports"),
        "xray": translate("import", "X-ray reports"),
        "ct": translate("import", "CT reports"),
    }
    return names[modality]


def names_of_fields(preview: Preview, groups: Groups) -> str:
    """Field groups in words: 'the patient and who signed or who dictated'."""
    meanings = dict(preview.fields)
    either = translate("columns", " or ")
    return listed([either.join(meanings[field] for field in group) for group in groups])


def left_out(rejected: Sequence[RejectedRow]) -> str:
    """'12 rows of march.csv have no examination time and were left out.', or the number of reasons."""
    from radcal.workflow import left_out as said_of  # heavy, and there once rows were read

    return typographic(said_of([(row.file, row.reason) for row in rejected]))


def overlap_texts(file: FilePreview) -> list[str]:
    """A file's overlap with reports already in the workspace, in sentences."""
    said = []
    if file.there:
        said.append(
            translate("import", "{reports} of it are here already; the last reading of a row counts.").format(
                reports=reports_text(file.there)
            )
            if file.there > 1
            else translate("import", "One report of it is here already; the last reading of a row counts.")
        )
    if file.doubled:
        said.append(
            translate(
                "import",
                "{reports} would be counted twice: they are here from an earlier reading of this file, under other"
                " accession numbers.",
            ).format(reports=reports_text(file.doubled))
            if file.doubled > 1
            else translate(
                "import",
                "One report would be counted twice: it is here from an earlier reading of this file, under another"
                " accession number.",
            )
        )
    if file.unread:
        said.append(
            translate(
                "import",
                "{reports} of an earlier reading of this file would stay although this reading does not give them.",
            ).format(reports=reports_text(file.unread))
            if file.unread > 1
            else translate(
                "import",
                "One report of an earlier reading of this file would stay although this reading does not give it.",
            )
        )
    if file.judged:
        said.append(
            translate(
                "import",
                "{reports} of these were read by people or have a finding that was contested; what was said of them"
                " counts no more once they are replaced.",
            ).format(reports=reports_text(file.judged))
            if file.judged > 1
            else translate(
                "import",
                "One of these was read by people or has a finding that was contested; what was said of it counts no"
                " more once it is replaced.",
            )
        )
    return said
