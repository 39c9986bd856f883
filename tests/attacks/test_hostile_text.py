# ruff: noqa: E501 - tables of payloads, read across
"""Texts and names made to break a reader, a page or a folder: read, measured, printed as they stand, and nothing
more."""

from __future__ import annotations

import csv
import json
import random
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pypdf import PdfReader

from radcal.cli.run import write_results
from radcal.feedback import pdf
from radcal.feedback.records import PageChoice
from radcal.findings.rules.engine import rules_engine
from radcal.opening import open_department
from radcal.reports.importing import ReportFile
from radcal.reports.records import Modality
from radcal.reports.sections import document
from radcal.sample.department import SampleTruth
from radcal.system.errors import EngineError
from radcal.system.progress import SILENT
from radcal.system.settings import Settings

TEXTS = 3_000
PLAIN = (
    "No effusion.",
    "Likely pneumonia",
    " may represent edema ",
    "IMPRESSION:",
    "\n",
    " ",
    "1. ",
    "or",
    ",",
    "unchanged",
)
PAYLOADS = (
    '#read("/etc/passwd")', '#image("/etc/hostname")', '#include "/etc/passwd"', '#import "@preview/cetz:0.2.0": *',
    '#eval("1+1")', "#sys.inputs", "#panic()", "$x^2$", "\\u{41} \\", "`raw`", "*bold*", "_it_", "<label>", "@ref", "// c", "/* d",
    "%s%n%x", "{0.__class__}", "{n}", "${HOME}", "$(rm -rf ~)", "`id`", "; rm -rf /", "| cat", "&& true",
    "=cmd|' /C calc'!A0", "+1+1", "-1", "@SUM(A1)", "\t=1", "<script>alert(1)</script>", "<b>", "&amp;", "&#0;", "]]>", "<!--",
    '{"a": [1, null]}', "'; DROP TABLE reports; --", '" OR 1=1', "../../x", "..\\..\\x", "CON", "file:///etc/passwd", "\\\\host\\x",
)  # fmt: skip
SIGNS = (
    "\x00", "\x07", "\x08", "\x1b[2J", "\x7f", "\x85", "\u202e", "\u2066", "\u200b", "\u200d", "\ufeff", "\u2028", "\ud800", "\udfff",
    "\U0001f600", "\U000e0041", "e\u0301\u0301\u0301", "\u0130", "\u00df", "\u05e9\u05dc", "\u6f22", "\uffff", "(" * 50, "[" * 50, "\"" * 9,
    "a" * 3_000, "9" * 400, "\r", "\r\n", "\v", "\f", "?" * 40, "-" * 60, "..." * 20,
)  # fmt: skip
NAMES = (
    '#read("passwd.typ")',
    "$x^2$ #panic() \\",
    "=cmd' /C calc'!A0",
    "../../x",
    "CON",
    "M" * 300,
    "\u202eexe.doc",
    "A\0B {n} %s",
)
QUICK = Settings(bootstrap=20, min_group_n=3, min_phrase_n=2)


@pytest.mark.slow
def test_thousands_of_hostile_reports_are_read() -> None:
    rng = random.Random(20_000)  # noqa: S311 - texts, no secret
    texts = ["".join(rng.choices((*PLAIN, *PLAIN, *PAYLOADS, *SIGNS), k=rng.randint(1, 30))) for _ in range(TEXTS)]
    documents = [document(str(n), text) for n, text in enumerate(texts)]
    found = 0
    for read, extraction in zip(documents, rules_engine().extract(documents, SILENT), strict=True):
        assert extraction.failure == "" or "is written in" in extraction.failure
        # In order, none within another, and each where the report has it.
        spans = [(s.start, s.end) for s in read.sentences]
        ends = [end for span in spans for end in span]
        assert ends == sorted(ends)
        assert all(begin < end <= len(read.text) for begin, end in spans)
        assert all(s.text == read.text[s.start : s.end] for s in read.sentences)
        for finding in extraction.findings:
            found += 1
            assert finding.start <= finding.term_start < finding.term_end <= len(read.text)
            assert finding.phrase
            term = read.text[finding.term_start : finding.term_end].lower()
            assert any(word in term for word in ("effusion", "pneumonia", "edema"))
    assert found > TEXTS // 2


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory, small: SampleTruth) -> Path:
    """What the whole chain makes of the small department under hostile names, each report with a payload."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "in").mkdir()
    for kind in ("xray", "ct"):
        with getattr(small, kind).open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        for n, row in enumerate(rows):
            named = NAMES[n % len(NAMES)] if kind == "xray" else "B, C"
            payload = PAYLOADS[n % len(PAYLOADS)]
            row |= {"Dictating Radiologist": "", "Signing Radiologist": named}
            row["Report Text"] += f"\nLikely pneumonia {payload} in the left base. {SIGNS[n % 8]}"
        with (folder / "in" / f"{kind}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
    with open_department(folder / "w.radcal", "plum tree over the wall", create=True, settings=QUICK) as department:
        files = [ReportFile(folder / "in" / f"{kind.value}.csv", kind) for kind in (Modality.XRAY, Modality.CT)]
        write_results(department, folder / "out", files)
        for author in department.authors():
            department.pages.keep_choice(author, PageChoice(note=" ".join(PAYLOADS)))
        names = {str(d.author): pdf.file_name(d) for d in department.pages.inputs()}
        made = department.handing_out.write_all(folder / "out", personal_files=True)
        assert [w.failure for w in made] == [""] * len(names)
    (folder / "names.json").write_text(json.dumps(names))
    return folder / "out"


def test_names_stand_on_their_pages_as_they_are(out: Path) -> None:
    names = json.loads((out.parent / "names.json").read_text())
    assert len(names) >= len(NAMES)
    whole = ""
    for name, file in names.items():
        shown = squashed(" ".join(page.extract_text() for page in PdfReader(out / file).pages))
        assert squashed(name) in shown
        whole += shown
    assert '#read("passwd.typ")' in whole.lower()
    assert "root:x:0" not in whole
    # The note of the staff, which every first page has, holds all payloads.
    note = squashed(" ".join(PAYLOADS))
    assert whole.count(note) == len(names)


def squashed(text: str) -> str:
    """Letters and signs that every font has, without spaces: lines break where they must."""
    return "".join(c for c in text if c.isascii() and c.isprintable() and c != " ")


def test_nothing_is_written_anywhere_else(out: Path) -> None:
    assert sorted(p.name for p in out.parent.iterdir()) == ["in", "names.json", "out", "w.radcal"]
    for file in out.rglob("*"):
        assert file.parent == out
        assert file.suffix in (".pdf", ".csv", ".json", ".radcal")
        assert file.stem.replace("-", "").isalnum()


@pytest.mark.parametrize("path", ["/etc/passwd", "../../../../../../../../etc/passwd", "/../secret.txt"])
def test_a_template_sees_nothing_beside_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """Even code in a template could read no file of the machine."""
    (tmp_path / "secret.txt").write_text("secret")
    folder = tmp_path / "typst"
    folder.mkdir()
    (folder / "feedback.typ").write_text(f'#read("{path}")')
    real = pdf.resource
    monkeypatch.setattr(pdf, "resource", lambda *p: folder.joinpath(*p[1:]) if p[0] == "typst" else real(*p))
    with pytest.raises(EngineError, match=r"feedback\.typ, line 1"):
        pdf._compile("feedback.typ", {}, datetime(2026, 1, 1, tzinfo=UTC), pdf.Print(), format="pdf")
