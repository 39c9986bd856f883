"""Formats of report files register themselves: a further one is one more module, and what lists formats follows."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import radcal
from radcal.reports import formats
from radcal.reports.documents import read_documents_csv
from radcal.reports.formats import format_of, table_suffixes
from radcal.reports.preview import file_filter, preview_file
from radcal.system import processes

ROOT = Path(__file__).parents[2]
ROOM = Path(radcal.__file__).parent / "reports/formats"
LISTS = (
    "README.md", "docs/guide.md", "ui/pages/reports/importing/tab.py", "resources/commands.toml",
)  # fmt: skip
"""Where people are told which formats there are."""
NOTES = '''
"""Notes: an accession number and a text on each line."""

from radcal.reports.formats import FIELDS_OF_MESSAGES, Format
from radcal.reports.reasons import Flaw, Unit


def rows(data):
    yield 1, 0, list(FIELDS_OF_MESSAGES)
    for position, line in enumerate(data.decode().splitlines()[1:], start=1):
        number, _, text = line.partition(" ")
        told = {"accession": number, "text": text}
        yield 1, position, [told.get(name, "") for name in FIELDS_OF_MESSAGES] if text else Flaw.NO_TEXT


FORMAT = Format("notes", "Notes", (".note",), lambda head: head.startswith(b"NOTES"), rows, unit=Unit.MESSAGE)
'''


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A further format, whose module lies in a folder of its own beside that of the others."""
    room = tmp_path / "formats"
    room.mkdir()
    (room / "notes.py").write_text(NOTES, encoding="utf-8")
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(room)])
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); from radcal.reports import formats; "
        f"formats.__path__.append({str(room)!r}); "
        "from radcal.system.processes import run_child; run_child('radcal.reports.parsing_child')"
    )
    monkeypatch.setattr(processes, "child_command", lambda _: [sys.executable, "-I", "-c", code])
    formats.formats.cache_clear()
    yield
    sys.modules.pop("radcal.reports.formats.notes", None)
    formats.formats.cache_clear()


def test_a_further_format_is_one_more_module(notes: None, tmp_path: Path) -> None:
    """Its files are read alone and in folders, what is wrong with them is listed, and dialogs and previews know it."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.note").write_text("NOTES\nA1 No edema.\nA2\n", encoding="utf-8")
    (folder / "b.note").write_text("no notes\n", encoding="utf-8")
    for path, where in ((folder / "a.note", "a.note"), (folder, "in/a.note")):
        documents, rejected, _ = read_documents_csv(path)
        assert [(d.report_id, d.text) for d in documents] == [("A1", "No edema.")]
        listed = rejected[["file", "row", "reason"]].to_numpy().tolist()
        assert listed[0] == [where, 2, "The message has no text."]
    assert listed[1:] == [["in/b.note", 1, "The file holds no messages of a format that RadCal reads."]]
    assert "Notes" in file_filter()
    assert "*.note" in file_filter()
    assert [place.position for place in preview_file(folder / "a.note").places] == [1, 2]


def test_each_module_of_the_folder_is_a_format() -> None:
    modules = {path.stem for path in ROOM.iterdir() if path.stem not in ("__init__", "__pycache__")}
    assert {form.name for form in formats.formats()} == modules
    suffixes = [suffix for form in formats.formats() for suffix in form.suffixes]
    assert len(suffixes) == len(set(suffixes))
    assert all(form.title and suffix == suffix.lower() for form in formats.formats() for suffix in form.suffixes)
    assert all(form.rows and form.raw and form.file for form in formats.message_formats())
    assert table_suffixes() == {".csv", ".tsv", ".tab", ".xlsx", ".xls", ".xlsm"}


@pytest.mark.parametrize("path", LISTS)
def test_people_are_told_of_all_formats(path: str) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    titles = [form.title for form in (formats.message_formats() if "panel" in path else formats.formats())]
    assert [title for whole in titles for title in whole.split(", ") if title not in text] == []


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"MSH|^~\\&|RIS", "hl7"), (b"\x0bMSH|^~\\&|RIS", "hl7"), ("MSH|^~\\&|RIS".encode("utf-16"), "hl7"),
        (b"\x0b\x1c\r", "hl7"), (b"BHS#^~\\&#RIS", "hl7"), (b'{"resourceType": "Patient"}', "fhir"),
        (b'[{"resourceType" :', "fhir"), ('{"fullUrl": 1}'.encode("utf-16"), "fhir"),
        (b'<Bundle xmlns="http://hl7.org/fhir"/>', "fhir"), (bytes(128) + b"DICM\x02\0", "dicom"),
        (b"PK\x03\x04", "excel"), (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "excel"), (b"accession,text\n", ""),
        (b'{"accession": "A1"}', ""), (b'<ClinicalDocument xmlns="urn:hl7-org:v3" x="http://hl7.org/fhir"/>', ""),
        (b"MSH,PID\n", ""), (b"", ""),
    ],
)  # fmt: skip
def test_formats_are_told_by_content(head: bytes, name: str) -> None:
    found = format_of(head)
    assert (found.name if found else "") == name
