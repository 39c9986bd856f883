"""A patient's name, a study's UID and a sentence, wherever a damaged file puts them, are repeated nowhere else.

Files of every kind are damaged by chance: cells moved, columns shifted, headers dropped, quotation marks opened, other
separators and encodings.  They are read by the commands that people use, and everything these say or write is searched.
What is damaged how is the same in every run; RADCAL_CANARIES=20 looks at twenty times as many files,
RADCAL_CANARY_SEED=x at others.
"""

from __future__ import annotations

import csv
import io
import json
import logging
import os
import random
import re
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from radcal import cli
from radcal.findings.rules.engine import rules_engine
from radcal.reports.preview import preview_file
from radcal.reports.readers import read_reports
from radcal.system.errors import RadcalError
from radcal.words.surveys import read_survey

ENGINE = cache(rules_engine)
TIMES = int(os.environ.get("RADCAL_CANARIES", "1"))
SEED = os.environ.get("RADCAL_CANARY_SEED", "")
FIRST = ("Zebulon", "Zebedea", "Zenobius", "Zephyrine", "Zuleika", "Zachariah")
"""Each patient has a name of their own, as patients have."""
SENTENCE = "Likely edema, says the wombat of ward twelve."
UID = "2.25.32980073569858662929564197851150617"
"""Begins the UID of each study; whole they are longer than an accession number that may be repeated."""
WORDS = re.compile(rb"quackenbush|wombat|3298007356985866\d{18}|" + "|".join(FIRST).lower().encode(), re.IGNORECASE)
MAY_HOLD = ("findings.csv", "pseudonyms.csv", "obs.json")
"""What is written on purpose: sentences with their findings, who is who, and results by author and topic."""

Rows = list[list[str]]


def reports() -> Rows:
    """Seven pairs of reports with all that an export has, the names of patients among it."""
    header = ["Accession", "Patient ID", "Patient name", "Modality", "Exam", "Exam time", "Status", "Signed by"]
    rows = [[*header, "Study instance UID", "Report text"]]
    for i in range(14):
        patient = i // 2 % len(FIRST)
        kind, exam = (("CR", "XR CHEST 2 VIEWS"), ("CT", "CT CHEST"), ("CR", "XR KNEE"))[2 if i > 10 else i % 2]
        text = f"FINDINGS: {SENTENCE} Opacity {i}.\nIMPRESSION: May represent pneumonia."
        name = f"Quackenbush, {FIRST[patient]}" if i % 3 else f"{FIRST[patient]} Quackenbush"
        time = f"2026-03-{1 + i // 2:02} {8 + i % 2:02}:15"
        rows.append(
            [
                f"A{1000 + i}",
                f"P{77000 + patient}",
                name,
                kind,
                exam,
                time,
                "final",
                f"Doe, {'AB'[i % 2]}",
                f"{UID}{1000 + i}",
                text,
            ]
        )
    return rows


def observations() -> Rows:
    phrases = ("likely", "possibly", "may represent", "seems like")
    rows = [["author", "topic", "phrase", "outcome", "patient", "sentence"]]
    return rows + [
        ["avery", "edema", phrases[i % 4], f"0.{i}" if i % 3 else "1", f"{FIRST[i % 6]} Quackenbush", SENTENCE]
        for i in range(12)
    ]


def lexicon() -> Rows:
    rows = [["phrase", "alpha", "beta", "low", "high", "synonyms", "source"]]
    rows += [["likely", "8.5", "2", "0.7", "0.9", "probably", ""], ["possibly", "4", "5.5", "", "", "", "Quackenbush"]]
    return [*rows, ["Zebulon Quackenbush", "1", "3", "", "", SENTENCE, ""]]


def target_use() -> Rows:
    return [["phrase", "use"], ["likely", "3"], ["may represent", "1.5"], ["possibly", "2"]]


def survey() -> Rows:
    return [["phrase", "absent", "low_5_25", "high_75_90"], ["likely", "0", "10", "90"], ["maybe", "5", "80.5", "15"]]


def gold() -> Rows:
    rows = [["report_id", "sentence_number", "pathology", "phrase", "cue"]]
    return rows + [[f"A{1000 + i}", "1", "edema", "likely", SENTENCE if i % 2 else "Quackenbush"] for i in range(6)]


def findings() -> Rows:
    rows = [["report_id", "pathology", "phrase", "sentence", "patient"]]
    return rows + [[f"A{1000 + i}", "edema", "likely", SENTENCE, f"{FIRST[i]} Quackenbush"] for i in range(6)]


# --- damage ---------------------------------------------------------------------------------------


def _move_cell(rows: Rows, chance: random.Random) -> None:
    one, other = chance.choice(rows), chance.choice(rows)
    if one and other:
        i, j = chance.randrange(len(one)), chance.randrange(len(other))
        one[i], other[j] = other[j], one[i]


def _copy_cell_to_the_header(rows: Rows, chance: random.Random) -> None:
    source = chance.choice(rows)
    if source and rows[0]:
        rows[0][chance.randrange(len(rows[0]))] = chance.choice(source)


def _plant(rows: Rows, chance: random.Random) -> None:
    row = chance.choice(rows)
    if row:
        row[chance.randrange(len(row))] = chance.choice(
            [SENTENCE, f"{chance.choice(FIRST)} Quackenbush", "Quackenbush"]
        )


def _plant_a_column(rows: Rows, chance: random.Random) -> None:
    place = chance.randrange(len(rows[0]) or 1)
    for i, row in enumerate(rows[1:]):
        if place < len(row):
            row[place] = chance.choice([f"{FIRST[i % len(FIRST)]} Quackenbush", row[place]])


def _swap_columns(rows: Rows, chance: random.Random) -> None:
    i, j = (chance.randrange(len(rows[0]) or 1) for _ in range(2))
    for row in rows[1:]:
        if max(i, j) < len(row):
            row[i], row[j] = row[j], row[i]


def _shift_columns(rows: Rows, chance: random.Random) -> None:
    by = chance.randrange(1, 4)
    for row in rows[1:]:
        row[:] = row[by:] + row[:by]


def _shift_a_row(rows: Rows, chance: random.Random) -> None:
    row = chance.choice(rows)
    if chance.random() < 0.5 and row:
        del row[chance.randrange(len(row))]
    else:
        row.insert(chance.randrange(len(row) + 1), chance.choice(["", "0,5", SENTENCE]))


def _drop_the_header(rows: Rows, chance: random.Random) -> None:
    del rows[: chance.choice([1, 1, 2])]
    rows[:] = rows or [[""]]


def _put_a_title(rows: Rows, chance: random.Random) -> None:
    rows.insert(0, [chance.choice([SENTENCE, f"{chance.choice(FIRST)} Quackenbush"])])


def _repeat_rows(rows: Rows, chance: random.Random) -> None:
    rows.extend(list(chance.choice(rows)) for _ in range(chance.randrange(1, 6)))


OF_CELLS: tuple[Callable[[Rows, random.Random], None], ...] = (
    _move_cell, _copy_cell_to_the_header, _plant, _plant_a_column, _swap_columns, _shift_columns, _shift_a_row,
    _drop_the_header, _put_a_title, _repeat_rows,
)  # fmt: skip


def _damage_text(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text) + 1)
    damages: tuple[Callable[[], str], ...] = (
        lambda: f'{text[:at]}"{text[at:]}',
        lambda: text.replace('"', "", chance.randrange(1, 5)),
        lambda: text.replace(",", chance.choice(";\t|^ ")),
        lambda: text.replace(".", ","),
        lambda: text[:at],
        lambda: text.replace("\n", chance.choice(["\r", "\r\n", "\n\n", " "])),
        lambda: f"{text[:at]}\0{text[at:]}",
        lambda: f"sep={chance.choice(';,|')}\n{text}",
        lambda: text.replace("\n", ",\n"),
    )
    return damages[chance.randrange(len(damages))]()


def damaged(rows: Rows, separator: str, chance: random.Random) -> bytes:
    """The rows as a file with one to four things wrong."""
    for _ in range(chance.randrange(1, 4)):
        chance.choice(OF_CELLS)(rows, chance)
    if separator == "\t":
        text = "".join("\t".join(" ".join(cell.split()) for cell in row) + "\n" for row in rows)
    else:
        out = io.StringIO()
        csv.writer(out, delimiter=separator, lineterminator="\n").writerows(rows)
        text = out.getvalue()
    if chance.random() < 0.6:
        text = _damage_text(text, chance)
    encoding = chance.choice(["utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "latin-1", "utf-32"])
    return text.encode(encoding, errors="replace")


def messages() -> Rows:
    """The reports as HL7 messages: the fields of each segment."""
    made: Rows = []
    for number, patient, name, kind, exam, time, _, signer, uid, text in reports()[1:]:
        at = re.sub(r"\D", "", time)
        made += [
            ["MSH", "^~\\&", "RIS", "HOSP", "", "", at, "", "ORU^R01", f"M{number}", "P", "2.5"],
            ["PID", "1", "", f"{patient}^^^H^MR", "", name.replace(", ", "^"), "", "19600101", "F"],
            ["OBR", "1", "", number, f"1^{exam}", "", "", at, *[""] * 14, at, "", kind, "F", *[""] * 6, f"S^{signer}"],
            ["OBX", "1", "TX", "&GDT", "", text.replace("\n", "~"), *[""] * 5, "F"],
            ["ZDS", f"{uid}^RIS^Application^DICOM"],
        ]
    return made


def damaged_messages(chance: random.Random) -> bytes:
    """HL7 messages with one to four things wrong."""
    rows = messages()
    for _ in range(chance.randrange(1, 4)):
        chance.choice((_move_cell, _plant, _shift_a_row, _repeat_rows, _swap_columns))(rows, chance)
    text = "\r".join("|".join(row) for row in rows)
    at = chance.randrange(len(text))
    if chance.random() < 0.5:
        text = chance.choice(
            [text[:at], f"{text[:at]}\x1c\x0b{text[at:]}", text.replace("|", "^", at % 50), text.replace("\r", "\n"),
             f"{text[:at]}\\X51\\{text[at:]}", f"\x0b{text}", f"{text[:at]}\0{text[at:]}", text[at:]]
        )  # fmt: skip
    return text.encode(chance.choice(["utf-8", "utf-8", "latin-1", "utf-16"]))


def resources() -> bytes:
    """Reports, their patients and findings as FHIR resources, one a line."""
    made: list[dict[str, object]] = [
        {"resourceType": "Patient", "id": str(i), "name": [{"family": "Quackenbush", "given": [FIRST[i]]}]}
        for i in range(len(FIRST))
    ]
    for n, row in enumerate(reports()[1:]):
        made.append(
            {"resourceType": "DiagnosticReport", "id": row[0], "status": "final", "code": {"text": row[4]},
             "subject": {"reference": f"Patient/{n % len(FIRST)}", "display": row[2]},
             "effectiveDateTime": row[5].replace(" ", "T"), "resultsInterpreter": [{"display": row[7]}],
             "conclusion": row[9], "result": [{"reference": f"Observation/{n}"}],
             "imagingStudy": [{"identifier": {"system": "urn:dicom:uid", "value": f"urn:oid:{row[8]}"}}]}
        )  # fmt: skip
        made.append({"resourceType": "Observation", "id": str(n), "code": {"text": row[2]}, "valueString": SENTENCE})
    return b"\n".join(json.dumps(resource).encode() for resource in made)


def structured_report() -> bytes:
    """A report of DICOM with the names of a patient and a sentence."""
    from pydicom.dataset import Dataset, FileMetaDataset

    text, made = Dataset(), Dataset()
    text.RelationshipType, text.ValueType, text.TextValue = "CONTAINS", "TEXT", SENTENCE
    made.SOPClassUID, made.SOPInstanceUID = "1.2.840.10008.5.1.4.1.1.88.11", "1.2.3"
    made.AccessionNumber, made.PatientID, made.PatientName = "A1000", "P77000", f"Quackenbush^{FIRST[0]}"
    made.StudyInstanceUID = f"{UID}1000"
    made.StudyDescription, made.StudyDate, made.ContentSequence = "XR CHEST", "20260301", [text]
    made.file_meta = FileMetaDataset()
    made.file_meta.TransferSyntaxUID = "1.2.840.10008.1.2.1"
    made.file_meta.MediaStorageSOPClassUID, made.file_meta.MediaStorageSOPInstanceUID = made.SOPClassUID, "1.2.3"
    out = io.BytesIO()
    made.save_as(out, enforce_file_format=True)
    return out.getvalue()


def damaged_bytes(data: bytes, chance: random.Random) -> bytes:
    """A file with one to five places at which bytes are exchanged, lacking, moved or put in."""
    whole = bytearray(data)
    for _ in range(chance.randrange(1, 6)):
        at, length = chance.randrange(len(whole)), chance.randrange(30)
        moved = chance.choice([b"", whole[at : at + length], chance.randbytes(3), SENTENCE.encode(), b'"', b"{", b"\n"])
        whole[at : at + chance.randrange(12)] = moved
    return bytes(whole[: chance.randrange(len(whole))] if chance.random() < 0.2 else whole)


# --- what is searched -----------------------------------------------------------------------------


class Watch:
    """Runs what people run, and searches all that comes of it."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], log: pytest.LogCaptureFixture) -> None:
        self.folder, self._capsys, self._log = folder, capsys, log
        self.seen = 0
        self.crashed: list[str] = []
        self.leaks: list[str] = []

    def command(self, case: str, *words: object) -> None:
        """A command of ``radcal``; every file that it writes below ``folder/out`` is searched, too."""
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            status = cli.main([str(word) for word in words])
        printed = self._capsys.readouterr()
        if "This is a fault of RadCal" in printed.err:
            self.crashed.append(f"{case}: {printed.err}")
        assert status in (0, 1, 2), case
        self.search(case, printed.out, printed.err, *(str(w.message) for w in warned))
        self.search(case, self._log.text)
        for path in sorted((self.folder / "out").rglob("*")):
            if path.is_file() and path.name not in MAY_HOLD and path.suffix != ".pdf":
                self.search(f"{case}: {path.name}", path.read_bytes())

    def call(self, case: str, work: Callable[[], object]) -> None:
        """Anything whose errors are shown to people, and whose result says what is to be searched."""
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                printed = str(work() or "")
            except RadcalError as error:
                printed = str(error)
            except Exception as error:  # noqa: BLE001 - what no message was written for is a fault of its own
                self.crashed.append(f"{case}: {type(error).__name__}: {error}")
                printed = ""
        self.search(case, printed, *(str(w.message) for w in warned))

    def search(self, case: str, *texts: str | bytes) -> None:
        """Note what must not be there."""
        self.seen += 1
        for text in texts:
            data = text.encode("utf-8", "replace") if isinstance(text, str) else text
            if found := WORDS.search(data):
                around = data[max(0, found.start() - 80) : found.end() + 80]
                self.leaks.append(f"{case}: {around!r}")


@pytest.fixture
def watch(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Watch]:
    """A watch whose temporary folder, home and current folder are searched as well, and must stay empty."""
    outside = [tmp_path / name for name in ("tmp", "home", "here")]
    for folder in (*outside, tmp_path / "out"):
        folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(outside[0]))
    monkeypatch.setattr(tempfile, "tempdir", str(outside[0]))
    monkeypatch.setenv("HOME", str(outside[1]))
    monkeypatch.chdir(outside[2])
    monkeypatch.setenv("RADCAL_PASSPHRASE", "plum tree orchard")
    monkeypatch.setattr(
        "radcal.findings.rules.engine.rules_engine", ENGINE
    )  # made once: its making is not what this is about
    caplog.set_level(logging.DEBUG)
    made = Watch(tmp_path, capsys, caplog)
    yield made
    assert made.crashed == []
    assert made.leaks == []
    assert [path for folder in outside for path in folder.rglob("*")] == []


def cases(kind: str, n: int) -> Iterator[tuple[str, random.Random]]:
    for i in range(n * TIMES):
        yield f"{kind} {i}", random.Random(f"{SEED}{kind} {i}")  # noqa: S311 - repeatable damage, no secret


def _file(watch: Watch, name: str, content: bytes) -> Path:
    path = watch.folder / name
    path.write_bytes(content)
    return path


def _said(path: Path) -> str:
    """All that is said of a file or folder of reports."""
    read = read_reports([path])
    return f"{read.notes} {read.rejected.to_csv()} {read.attrition.to_csv() if read.attrition is not None else ''}"


def _json(chance: random.Random) -> list[str]:
    return ["--json"] if chance.random() < 0.3 else []


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_reports_read_by_the_library(watch: Watch, part: int) -> None:
    for case, chance in cases(f"reports {part}", 80):
        path = _file(watch, "march.csv", damaged(reports(), chance.choice(",;\t|"), chance))
        watch.call(case, lambda path=path: _said(path))
        watch.call(case, lambda path=path: preview_file(path) and None)


def test_a_folder_with_its_manifest(watch: Watch) -> None:
    folder = watch.folder / "folder"
    folder.mkdir()
    for i in range(14):
        (folder / f"r{i}.txt").write_text(SENTENCE, encoding="utf-8")
    for case, chance in cases("manifest", 60):
        rows = reports()
        for i, row in enumerate(rows):
            row[-1] = f"r{i}.txt" if i else "File"
        (folder / "manifest.csv").write_bytes(damaged(rows, chance.choice(",;\t"), chance))
        watch.call(case, lambda: _said(folder))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(3))
def test_radcal_run(watch: Watch, part: int) -> None:
    settings = _file(watch, "quick.json", json.dumps({"bootstrap": 30, "min_group_n": 10}).encode())
    for case, chance in cases(f"run {part}", 4):
        path = _file(watch, "march.csv", damaged(reports(), chance.choice(",;\t|"), chance))
        workspace = watch.folder / "out" / "w.radcal"
        words = ("--reports", path, "--workspace", workspace, "--out", watch.folder / "out", "--settings", settings)
        watch.command(case, "run", *words, *_json(chance))
        for made in (workspace, workspace.with_suffix(".names")):
            made.unlink(missing_ok=True)


def test_radcal_extract(watch: Watch) -> None:
    for case, chance in cases("extract", 40):
        path = _file(watch, "march.csv", damaged(reports(), chance.choice(",;\t|"), chance))
        watch.command(case, "extract", path, "--out", watch.folder / "out" / "findings.csv", *_json(chance))


@pytest.mark.slow
def test_messages(watch: Watch) -> None:
    folder = watch.folder / "messages"
    folder.mkdir()
    for case, chance in cases("messages", 12):
        path = _file(watch, "march.hl7", damaged_messages(chance))
        watch.call(case, lambda path=path: _said(path))
        watch.command(case, "extract", path, "--out", watch.folder / "out" / "findings.csv", *_json(chance))
        (folder / "one").write_bytes(damaged_messages(chance))
        watch.call(case, lambda: _said(folder))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["fhir", "dicom"])
def test_resources_and_structured_reports(watch: Watch, kind: str) -> None:
    whole = resources() if kind == "fhir" else structured_report()
    folder = watch.folder / "files"
    folder.mkdir()
    for case, chance in cases(kind, 6):
        path = _file(watch, "march", damaged_bytes(whole, chance))
        watch.call(case, lambda path=path: _said(path))
        watch.command(case, "extract", path, "--out", watch.folder / "out" / "findings.csv", *_json(chance))
        for name in ("one", "two.json"):
            (folder / name).write_bytes(damaged_bytes(whole, chance))
        watch.call(case, lambda: _said(folder))


@pytest.mark.parametrize("step", ["reliability", "advise"])
def test_observations(watch: Watch, step: str) -> None:
    settings = _file(watch, "quick.json", json.dumps({"bootstrap": 5, "min_group_n": 10}).encode())
    for case, chance in cases(step, 60):
        path = _file(watch, "obs.csv", damaged(observations(), chance.choice(",;\t|"), chance))
        words: list[object] = [*_json(chance)]
        if chance.random() < 0.5:
            words += ["--lexicon", _file(watch, "lex.csv", damaged(lexicon(), chance.choice(",;"), chance))]
        if step == "advise" and chance.random() < 0.5:
            words += ["--target-use", _file(watch, "use.csv", damaged(target_use(), chance.choice(",;"), chance))]
        watch.command(case, step, path, "--out", watch.folder / "out" / "obs.json", "--settings", settings, *words)


def test_surveys(watch: Watch) -> None:
    for case, chance in cases("survey", 150):
        path = _file(watch, "survey.csv", damaged(survey(), chance.choice(",;\t"), chance))
        watch.call(case, lambda path=path: read_survey(path) and None)


def test_gold_and_findings(watch: Watch) -> None:
    for case, chance in cases("gold", 120):
        rows = gold() if chance.random() < 0.7 else [row[:4] for row in gold()]
        true = _file(watch, "gold.tsv", damaged(rows, "\t", chance))
        found = damaged(findings(), ",", chance) if chance.random() < 0.5 else b""
        if not found:
            out = io.StringIO()
            csv.writer(out).writerows(findings())
            found = out.getvalue().encode()
        watch.command(case, "gold", true, _file(watch, "found.csv", found), *_json(chance))
