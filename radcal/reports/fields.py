"""The fields of reports: what each means, how its values look, and who needs it.

This is the one declaration of a field: recognition, presets, the form in the window and the command line read it here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from radcal.reports import column_values as values
from radcal.reports.records import Modality
from radcal.system.text import EMPTY, Text

Need = Sequence[tuple[str, ...]]
"""Groups of fields; a file must have at least one of each group."""
Group = Literal["", "accession", "patient", "time", "text", "kind", "radiologist"]


@dataclass(frozen=True, slots=True)
class Field:
    """A field; the names of its columns are in resources/columns/names.tsv.

    meaning: what it holds, in words;  in_messages: the same where a message tells it, EMPTY if no other words are used
    looks: how its values look
    need: the group of fields of which a file must have one, '' for a field that no file must have
    of: files that it is for alone: lists of documents, or folders of text files; '' for all
    spared_by: fields beside which it adds nothing;  told_by: the field that stands in for it
    part: of a name (see words.tsv) that is enough where the values tell the rest, as in ORDER_STATUS
    aside: looked for in what is left; no other field loses a column to it
    identifying: de-identification alone reads it, in all of its columns, and nothing stores it
    left_over: the identifying field that a column holds whose own field uses another column
    """

    meaning: Text
    looks: values.Looks
    need: Group = ""
    of: Literal["", "documents", "folders"] = ""
    spared_by: tuple[str, ...] = ()
    told_by: str = ""
    part: str = ""
    aside: bool = False
    identifying: bool = False
    left_over: str = ""
    in_messages: Text = EMPTY


FIELDS: Mapping[str, Field] = {
    "report_id": Field(Text("the report id"), values.ID_OF_EXAM, left_over="identifiers", of="documents"),
    "accession": Field(Text("the accession number"), values.ID_OF_EXAM, need="accession", left_over="identifiers"),
    "study_uid": Field(Text("the UID of the study"), values.UID_OF_STUDY, aside=True, left_over="identifiers"),
    "patient_id": Field(Text("the patient"), values.ID_OF_PATIENT, need="patient", left_over="identifiers"),
    "modality": Field(Text("the modality"), values.MODALITY, need="kind", told_by="exam"),
    "exam": Field(Text("the exam"), values.EXAM, need="kind"),
    "exam_code": Field(Text("the exam code"), values.CODE, need="kind"),
    "body_part": Field(Text("the body part"), values.REGION, spared_by=("exam",)),
    "exam_time": Field(Text("the examination time"), values.MOMENT, need="time"),
    "exam_date": Field(Text("the examination date"), values.DAY, need="time", spared_by=("exam_time",)),
    "text": Field(Text("the report text"), values.TEXT, need="text", spared_by=("findings", "impression")),
    "findings": Field(Text("the findings"), values.SENTENCES, need="text", spared_by=("text",)),
    "impression": Field(Text("the impression"), values.SENTENCES, need="text", spared_by=("text",)),
    "signer": Field(Text("who signed"), values.PERSON, need="radiologist", left_over="staff_names"),
    "dictator": Field(Text("who dictated"), values.PERSON, need="radiologist", left_over="staff_names"),
    "status": Field(Text("the report status"), values.STATUS, part="status"),
    "addendum": Field(Text("the addendum number"), values.ADDENDUM),
    "report_time": Field(Text("the report time"), values.DAY),
    "site": Field(Text("the place of the examination"), values.PLACE, aside=True),
    "age": Field(Text("the patient\u2019s age"), values.AGE, aside=True, spared_by=("birth_date",)),
    "birth_date": Field(Text("the patient\u2019s date of birth"), values.BIRTH, aside=True, spared_by=("age",)),
    "patient_name": Field(
        Text("the patient\u2019s name, which is not kept"),
        values.NAME,
        identifying=True,
        in_messages=Text("the patient\u2019s name"),
    ),
    "staff_names": Field(
        Text("further people of the report, who are not kept"),
        values.NAMES,
        identifying=True,
        in_messages=Text("further people"),
    ),
    "identifiers": Field(
        Text("further numbers and addresses of the patient, which are not kept"),
        values.NUMBERS,
        identifying=True,
        in_messages=Text("further numbers and addresses"),
    ),
    "file": Field(Text("the text file"), values.FILE, need="text", of="folders"),
}


REPORT_FIELDS = tuple(name for name, field in FIELDS.items() if not field.of)
"""Fields of a table of reports."""
IDENTIFYING = tuple(name for name, field in FIELDS.items() if field.identifying)
"""Fields of which every column counts that no other field uses and whose name speaks for one of them."""


def reports_need(modality: Modality | None, *, has_files: bool) -> Need:
    """The fields that a file of reports needs; a manifest needs a column of text files instead of texts."""
    left_out = {"", "radiologist", *(("kind",) if modality is not None else ())}
    return tuple(
        tuple(name for name in _group(need) if need != "text" or (FIELDS[name].of == "folders") == has_files)
        for need in get_args(Group)
        if need not in left_out
    )


def _group(need: Group) -> tuple[str, ...]:
    return tuple(name for name, field in FIELDS.items() if field.need == need)


XRAY_NEEDS = (_group("radiologist"),)
"""The fields that a file with X-ray reports needs besides."""


GIVEN = (
    *("patient first name", "first name", "given name", "middle name"),
    *("Vorname", "Vorname des Patienten", "Rufname", "prénom", "nombre"),
)
"""Names of columns with given names, which come before the others of a name."""
