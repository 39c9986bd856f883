"""Slides of teaching cases tell of nobody: whatever a report names, no part of either file has it."""

from __future__ import annotations

import csv
import io
import re
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from pathlib import Path

import pytest
from pypdf import PdfReader

from radcal import cli
from radcal.department import Department
from radcal.feedback import slides
from radcal.feedback.meeting import Proposed
from radcal.feedback.records import TeachingCase
from radcal.findings import engines
from radcal.findings.rules.engine import rules_engine
from radcal.opening import open_department
from radcal.reports.deidentify import side_by_side
from radcal.reports.importing import as_files
from radcal.system.errors import DataError
from radcal.system.kinds import names_key_of
from radcal.system.selection import Selection
from radcal.system.settings import Settings

ENGINE = cache(rules_engine)
PASSPHRASE = "plum tree over the wall"
SURNAMES = ("Quackenbush", "Zimmerhackl", "Featherstone", "Oyelaran", "Brzezinski", "Wojciechowski")
STAFF = ("Thistlewood, Amaryllis", "Ravensworth, Peregrine")
PLANTED = re.compile(
    f"{'|'.join(SURNAMES)}|thistlewood|ravensworth|amaryllis|peregrine|zebulon|rosewater|septem|MRN|P88|QX77\\d"
    r"|1\.2\.9\.|5550\d|555[-. ]?01|\b202[56]\b|09[./]1|\b9[3-8]\b",
    re.IGNORECASE,
)
"""Names of patients, radiologists and places, numbers, phones, years, months and ages, as the reports have them."""


@pytest.fixture(autouse=True)
def _one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """One process reads and takes identifiers out: these tests are not about that."""
    for room in (engines, side_by_side):
        monkeypatch.setattr(room, "number_of", lambda *_: 1)
    monkeypatch.setattr("radcal.findings.rules.engine.rules_engine", ENGINE)


def texts(i: int) -> tuple[str, str]:
    """The X-ray and CT reports of patient i: identifiers before, beside and behind the sentence that counts."""
    name, day = SURNAMES[i % len(SURNAMES)], 10 + i
    xray = (
        f"PATIENT: Zebulon {name}, MRN 5550{100 + i}, DOB 09/1{i % 10}/1931. Accession QX77{200 + i}.\n"
        f"STUDY: 1.2.9.4{i}.\n"
        f"HISTORY: {93 + i % 6}-year-old woman, Mrs. {name}, from Rosewater, Oregon.\n"
        f"FINDINGS: Compared to the study of 09/{day}/2025, Mr. {name}'s lungs are hazy. There is likely edema. "
        f"Discussed with Dr. {STAFF[i % 2].partition(',')[0]} of 1.2.9.4{i} by phone at (503) 555-01{10 + i}.\n"
        f"IMPRESSION: Likely edema.\nElectronically signed by {STAFF[i % 2]}, September {day}, 2026."
    )
    ct = (
        f"CT of Zebulon {name}, QX77{400 + i}, 1.2.9.5{i}. Comparison: September {day}, 2025.\n"
        f"FINDINGS: Seen with Dr. {name} on 2026-09-{day}. {'There is edema.' if i % 3 else 'No edema.'} "
        f"Call 503-555-01{10 + i} with questions on 1.2.9.5{i}. Follow-up of Ms. {name} at Rosewater Hospital."
    )
    return xray, ct


def _write(path: Path) -> Path:
    header = ["Accession", "Patient ID", "Patient name", "Modality", "Exam", "Exam time", "Status", "Signed by"]
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow([*header, "Study UID", "Report text"])
        for i in range(6):
            xray, ct = texts(i)
            name, when = f"{SURNAMES[i % 6]}, Zebulon", f"2026-09-{10 + i}"
            for number, kind, exam, hour, text in (
                (f"QX77{200 + i}", "CR", "XR CHEST", 8, xray), (f"QX77{400 + i}", "CT", "CT CHEST", 10, ct),
            ):  # fmt: skip
                row = [number, f"P88{i:03}", name, kind, exam, f"{when} {hour:02}:15", "final", STAFF[i % 2]]
                row += [f"1.2.9.{4 + (kind == 'CT')}{i}", text]
                out.writerow(row)
    return path


@contextmanager
def department(folder: Path, *, clean: bool, apart: bool) -> Iterator[Department]:
    """A department of these reports, de-identified on import or not, its names kept apart or not."""
    settings = Settings(bootstrap=20, min_group_n=3, min_phrase_n=2, deidentify="on" if clean else "off")
    path = folder / "w.radcal"
    key = names_key_of(path) if apart else None
    with open_department(path, PASSPHRASE, create=True, settings=settings, names_key=key) as opened:
        opened.importing.import_reports(as_files([_write(folder / "march.csv")]))
        opened.importing.pair()
        opened.runs.extract()
        opened.analyse()
        yield opened


def add_all(opened: Department) -> list[TeachingCase]:
    """Every finding worded "likely" as a teaching case, as it is proposed."""
    made = []
    for author in opened.authors():
        selection = Selection(author, "edema")
        for xray_id in opened.groups.evidence(selection, ("likely",))["xray_id"]:
            made.append(opened.meeting.propose(selection, "likely", xray_id).case)
            opened.meeting.put(made[-1], len(made))
    return made


def parts_of(file: Path) -> dict[str, str]:
    """All that a file holds: each part of a PowerPoint, or pages and properties of a PDF, as text."""
    if file.suffix == ".pdf":
        reader = PdfReader(file)
        pages = {f"page {n}": page.extract_text() for n, page in enumerate(reader.pages, 1)}
        return pages | {"properties": str(reader.metadata) + str(reader.xmp_metadata), "root": str(reader.trailer)}
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()}


def words_of(part: str) -> str:
    """What a person reads of it: XML without its own numbers and names."""
    return " ".join(re.sub(r"<[^>]*>", " ", part).split())


@pytest.mark.parametrize(("clean", "apart"), [(True, True), (False, False)], ids=["de-identified", "as they came"])
def test_no_part_of_the_slides_has_what_was_planted(tmp_path: Path, *, clean: bool, apart: bool) -> None:
    with department(tmp_path, clean=clean, apart=apart) as opened:
        cases = add_all(opened)
        assert len(cases) == 6
        people = {*opened.authors(), *opened.pseudonyms().values(), *opened.names.known().values()}
        assert {part for text in texts(0) for part in [PLANTED.search(text)] if part}, "the trap works"
        for case in cases:
            assert "likely edema" in case.xray.lower()
            assert "edema" in case.ct
            assert not PLANTED.search(case.xray + case.ct), case
            assert not re.search(r"[\d\u2060]", case.xray + case.ct), "a shifted date is one, too"
            assert "[date]" in case.ct
        for suffix in (".pptx", ".pdf"):
            out = opened.meeting.write(tmp_path / "out" / f"meeting{suffix}", when="next month")
            for name, part in parts_of(out).items():
                said = words_of(part) if name.startswith("ppt/") else part
                assert not PLANTED.search(re.sub(r"(D:|>)20\d\d\S*", "", said)), (name, PLANTED.search(said))
                assert not [p for p in people if re.search(rf"\b{re.escape(p)}\b", said)], name
        entries = [entry.what for entry in opened.workspace.entries()]
    assert sum(what == "teaching cases changed" for what in entries) == 6
    assert {"exported slides of a meeting as PowerPoint: meeting.pptx",
            "exported slides of a meeting as PDF: meeting.pdf"} <= set(entries)  # fmt: skip
    assert not any(PLANTED.search(what) for what in entries)


def test_what_may_be_a_number_or_a_name_is_listed_with_the_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "FINDINGS: As noted by Wanjiku. There is likely edema. Device 4471-22 in place.", "FINDINGS: No edema."
    monkeypatch.setattr(sys.modules[__name__], "texts", lambda _: said)
    with department(tmp_path, clean=False, apart=False) as opened:
        selection = Selection(opened.authors()[0], "edema")
        xray_id = opened.groups.evidence(selection, ("likely",))["xray_id"].iloc[0]
        found = opened.meeting.propose(selection, "likely", xray_id)
        assert found.case.xray == "As noted by [name]. There is likely edema. Device 4471-22 in place."
        assert sorted(found.suspects) == ["22", "4471"]
        assert opened.meeting.cases() == ()
        opened.meeting.put(found.case, 0)
        assert opened.meeting.propose(selection, "likely", xray_id) == Proposed(found.case, place=0)


def test_without_the_key_of_names_no_case_is_made(tmp_path: Path) -> None:
    with department(tmp_path, clean=False, apart=True) as opened:
        selection = Selection(opened.authors()[0], "edema")
        xray_id = opened.groups.evidence(selection, ("likely",))["xray_id"].iloc[0]
        names_key_of(opened.path).unlink()
        with pytest.raises(DataError, match="names behind this workspace's pseudonyms"):
            opened.meeting.propose(selection, "likely", xray_id)


def test_names_that_somebody_types_are_filled_in(tmp_path: Path) -> None:
    with department(tmp_path, clean=True, apart=True) as opened:
        case = add_all(opened)[0]
        typed = f"As Dr. Amaryllis Thistlewood said of {case.finding[0].partition(':')[2]}: haze is no edema."
        kept = opened.meeting.put(TeachingCase(**{**_fields(case), "point": typed, "question": "Ravensworth?"}), 0)[0]
    assert kept.point == "As Dr. _________ ___________ said of _______: haze is no edema."
    assert kept.question == "___________?"


def _fields(case: TeachingCase) -> dict[str, object]:
    return {name: getattr(case, name) for name in TeachingCase.__slots__}


def test_who_took_part_stands_on_the_last_slide_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                                      monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setenv("RADCAL_PASSPHRASE", PASSPHRASE)
    with department(tmp_path, clean=True, apart=True) as opened:
        add_all(opened)
        before = opened.workspace.results("teaching cases")
    words = ["meeting", "--workspace", str(tmp_path / "w.radcal"), "--attended", "Ottoline Haversham"]
    for suffix in (".pptx", ".pdf"):
        out = tmp_path / f"pack{suffix}"
        assert cli.main([*words, "--out", str(out)]) == 0
        having = [name for name, part in parts_of(out).items() if "Haversham" in part]
        # Title, two for each of six cases, what is taken from it, and the sheet of attendance.
        assert having == (["page 15"] if suffix == ".pdf" else ["ppt/slides/slide15.xml"])
    assert "Haversham" not in capsys.readouterr().out
    assert cli.main(words[:3]) == 0
    assert "6 teaching cases." in (listed := capsys.readouterr().out)
    assert not PLANTED.search(listed)
    with open_department(tmp_path / "w.radcal", PASSPHRASE) as opened:
        assert opened.workspace.results("teaching cases") == before  # nobody's presence is stored
        assert "Haversham" not in str([entry.what for entry in opened.workspace.entries()])


def test_the_powerpoint_has_no_notes_no_picture_of_itself_and_no_maker(tmp_path: Path) -> None:
    case = TeachingCase(("xray:QX77200", "edema"), "edema", "likely", "likely", "Likely edema.", "No edema.", "", 0.0)
    out = tmp_path / "meeting.pptx"
    out.write_bytes(slides.as_pptx(slides.laid_out([(case, None)], title="Words"), datetime(2026, 9, 1, 17, 31)))
    parts = parts_of(out)
    assert not [
        name for name in parts if re.search(r"notes|thumb|printer|app\.xml|comment|media|embed", name, re.IGNORECASE)
    ]
    core = parts["docProps/core.xml"]
    assert re.findall(r"<dc:creator>(.*?)<", core) == re.findall(r"<cp:lastModifiedBy>(.*?)<", core) == ["RadCal"]
    assert "<dc:title>Words<" in core
    assert set(re.findall(r"T(\d\d:\d\d:\d\d)Z", core)) == {"12:00:00"}  # the day of the results, and no hour
    assert "QX77" not in " ".join(parts.values())
    assert not re.search(r"canny|python|/home|C:\\", " ".join(parts.values()), re.IGNORECASE)


HOSTILE = (
    *("=cmd|' /C calc'!A0", "<a:t>&amp;</a:t>", "]]>", '#read("/etc/passwd")', "$x^2$ \\u{41}"),
    *("\x00\x07\x1b[2J", "\u202e", "\ud800", "a" * 3_000, "\U0001f600", "\u05e9\u05dc\u05d5\u05dd", "\x0b\x0c\u2028"),
)


@pytest.mark.parametrize("suffix", [".pptx", ".pdf"])
def test_hostile_texts_stand_as_they_are_or_are_left_out(tmp_path: Path, suffix: str) -> None:
    made = [
        TeachingCase(
            ("", ""), text, text, text, f"Before {text}. Likely edema.", text, text, 1.0, text[:300], text[:300]
        )
        for text in HOSTILE
    ]
    pack = slides.laid_out([(case, None) for case in made], title=HOSTILE[0], when=HOSTILE[1], attended=HOSTILE)
    make = slides.as_pptx if suffix == ".pptx" else slides.as_pdf
    out = tmp_path / f"hostile{suffix}"
    out.write_bytes(make(pack, datetime(2026, 9, 1)))
    if suffix == ".pptx":
        from pptx import Presentation

        read = Presentation(io.BytesIO(out.read_bytes()))
        shown = "".join(shape.text_frame.text for page in read.slides for shape in page.shapes if shape.has_text_frame)
    else:
        shown = "".join(page.extract_text() for page in PdfReader(out).pages)
    flat = "".join(shown.split())
    for text in HOSTILE[:5]:
        assert "".join(text.split()) in flat, text
    assert "root:x:0" not in flat
    assert not re.search(r"[\x00-\x08\x0e-\x1f\u202e\ud800]", shown)
