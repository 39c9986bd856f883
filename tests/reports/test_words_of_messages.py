"""What is said of messages that cannot be used: no word of rows, cells or columns, which they do not have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from radcal.cli.summaries import left_out as listed
from radcal.reports.readers import read_reports
from radcal.reports.reasons import NO_MESSAGE, OF_FLAW, OF_MESSAGE, left_out, remedy_of

_OF_TABLES = re.compile(r"\b(row|rows|cell|cells|column|columns|header)\b")
_MESSAGE = (
    "MSH|^~\\&|RIS|A|B|C|20240305||ORU^R01|{number}|P|2.5\r"
    "PID|1||{patient}\r"
    "OBR|1||{accession}|71046^XR CHEST^L|||{time}|||||||||||||||||RAD|F|||||||1&Roe&Jane\r"
    "{text}"
)
_TEXT = "OBX|1|TX|71046^XR CHEST^L||No pneumothorax.||||||F\r"


@pytest.mark.parametrize(
    "reason", dict.fromkeys((*OF_FLAW.values(), *OF_MESSAGE.values())), ids=lambda reason: reason.sentence
)
def test_no_word_of_tables(reason):
    assert not _OF_TABLES.search(f"{reason.sentence} {reason.remedy} {reason.rows}")
    assert remedy_of(reason.sentence) == reason.remedy


def test_of_a_file_of_messages(tmp_path: Path):
    whole = {"patient": "P1", "accession": "A1", "time": "20240305120000", "text": _TEXT}
    made = [
        whole,
        whole | {"text": ""},
        whole | {"time": ""},
        whole | {"time": "20240231120000"},
        whole | {"patient": ""},
    ]
    file = tmp_path / "a.hl7"
    file.write_text("".join(_MESSAGE.format(number=n, **parts) for n, parts in enumerate(made)), newline="")
    rejected = read_reports([file]).rejected
    assert len(rejected) >= 3
    said = [*rejected["reason"], *rejected["remedy"], listed(rejected.to_dict("records"))]
    assert [text for text in said if _OF_TABLES.search(text)] == []
    assert "a.hl7, message 2: The message has no text. Export the message again with its text." in said[-1]


def test_summaries_name_messages_resources_files_and_rows():
    message, row = OF_FLAW["no text"].sentence, "The report has no text."
    assert str(left_out([("a.hl7", message, "")])) == "A message of a.hl7 was left out. The message has no text."
    assert str(left_out([("a.hl7", message, "message")] * 2)) == "2 messages of a.hl7 have no text and were left out."
    assert (
        str(left_out([("a.json", message, "resource")] * 2)) == "2 resources of a.json have no text and were left out."
    )
    both = [("a.hl7", message, "message"), ("a.hl7", NO_MESSAGE.sentence, "file")]
    assert str(left_out(both)) == "2 messages of a.hl7 were left out, for 2 different reasons."
    assert str(left_out([("a.dcm", message, "file")])) == "a.dcm was left out. The message has no text."
    assert str(left_out([("a.csv", row, "row")])) == "A row of a.csv was left out. The report has no text."
    assert str(left_out([("a.csv", row, "")] * 2)) == "2 rows of a.csv have no report text and were left out."
    notes = [("x/notes", "The file holds no messages of a format that RadCal reads.", "")]
    assert str(left_out(notes)).startswith("x/notes was left out.")
