"""The pages as files: complete, tagged, repeatable, and safe against what reports contain."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pypdf import PdfReader

from radcal.feedback import pdf
from radcal.feedback.content import personal_content
from radcal.feedback.pdf import Print, coverage, department_pdf, feedback_pdf, feedback_png, file_name
from radcal.feedback.records import Example, FeedbackInput, PageChoice
from radcal.system.errors import EngineError, InputError
from radcal.system.resources import resource
from radcal.system.settings import Settings
from radcal.system.text import begun

Make = Callable[..., FeedbackInput]
NASTY = '#eval("1") #panic() $x^2$ \\ @ref <label> *bold* _it_ `raw` // c /* d */ [ ] #{ } #let -> "q" \'a\' ~ -- ...'


def pages(document: bytes) -> list[str]:
    return [
        re.sub(r"\s+", " ", page.extract_text().replace("\u200b", "")) for page in PdfReader(io.BytesIO(document)).pages
    ]


def text(document: bytes) -> str:
    """The words as printed, on one line, with plain quotes and dashes."""
    return " ".join(pages(document)).translate({0x2018: "'", 0x2019: "'", 0x2013: "-", 0xA0: " "})


def elements(node: Any) -> Iterator[Any]:
    """All elements of the tag tree."""
    node = node.get_object()
    if isinstance(node, dict):
        yield node
        kids = node.get("/K", [])
        kids = kids if isinstance(kids, list) else [kids]
        for kid in kids:
            if not isinstance(kid, int):
                yield from elements(kid)


FULL = Print(pages="full")


@pytest.fixture(scope="module")
def plain(avery: FeedbackInput) -> bytes:
    """The pages of Avery as they usually are."""
    return feedback_pdf(avery)


def test_page_one_is_complete(plain: bytes) -> None:
    first = pages(plain)[0].translate({0x2018: "'", 0x2019: "'", 0x2013: "-", 0xA0: " "})
    for words in (
        "Dr. Jane Halloway",
        "925 findings",
        "Jan-Sep 2026",
        "Your 'likely' overstated edema: CT confirmed 41 of 87 (47 %).",
        "'May represent' would have been closer in these findings (97 % sure).",
        "What matches",
        "What to do next",
        "page 1 of 2",
    ):
        assert words in " ".join(first.split())


def test_counts_with_decimals_are_explained_once_a_page(make: Make) -> None:
    uses = {"absent": (500, 0.3), "likely": (200, 164.6), "present": (200, 199)}
    data = make({"edema": uses, "pneumonia": uses, "mass": {"likely": (60, 50)}})
    found = [page.count("Decimals: where CT itself hedged") for page in pages(feedback_pdf(data, FULL))]
    assert max(found) == 1
    assert "Decimals" not in text(feedback_pdf(data))
    assert "Decimals" not in text(feedback_pdf(make({"edema": {"likely": (200, 164)}}), FULL))


@pytest.mark.parametrize("paper", ["a4", "us-letter"])
def test_everything_is_printed_on_either_paper(avery: FeedbackInput, paper: Any) -> None:
    document = feedback_pdf(avery, Print(paper, pages="full"))
    shown = text(document)
    for r in avery.reliabilities:
        assert begun(r.topic) in shown
        for p in r.phrases:
            assert p.phrase in shown
    for e in avery.examples:
        assert e.xray_sentence in shown
        assert e.ct_sentence in shown
    for words in ("How to read this", "What these numbers cannot say", "0123456789abcdef", "CT shows it"):
        assert words in shown
    every = pages(document)
    for k, page in enumerate(every, 1):
        assert f"page {k} of {len(every)}" in page
        assert "Dr. Jane Halloway" in page
    box = PdfReader(io.BytesIO(document)).pages[0].mediabox
    assert (round(box.width), round(box.height)) == ((595, 842) if paper == "a4" else (612, 792))


def test_the_same_input_gives_the_same_bytes(plain: bytes, avery: FeedbackInput, make: Make) -> None:
    digest = hashlib.sha256(plain).hexdigest()
    assert hashlib.sha256(feedback_pdf(make())).hexdigest() == digest
    later = replace(avery, provenance=replace(avery.provenance, created=avery.provenance.created + timedelta(days=1)))
    assert hashlib.sha256(feedback_pdf(later)).hexdigest() != digest
    # The pages say on which day they were made, and nothing finer.
    made = avery.provenance.created
    for same_day in (made.replace(tzinfo=None), made.replace(hour=0, minute=0), made.replace(hour=23, minute=59)):
        again = replace(avery, provenance=replace(avery.provenance, created=same_day))
        assert hashlib.sha256(feedback_pdf(again)).hexdigest() == digest


def test_the_file_says_when_it_was_made_and_what_it_is(plain: bytes, avery: FeedbackInput) -> None:
    reader = PdfReader(io.BytesIO(plain))
    assert reader.metadata is not None
    assert reader.metadata.title == "Your certainty words, checked against CT"
    assert reader.metadata.creation_date is not None
    assert reader.metadata.creation_date.date() == avery.provenance.created.date()
    assert reader.root_object["/Lang"] == "en"


@pytest.mark.parametrize("standard", ["a-2a", "a-2b", "a-2u", "a-3a", "a-3b", "a-3u", "a-4", "ua-1"])
def test_standards_on_request(avery: FeedbackInput, standard: Any) -> None:
    document = feedback_pdf(avery, Print(standard=standard, language="en-GB"))
    reader = PdfReader(io.BytesIO(document))
    assert reader.root_object["/Lang"] == "en-GB"
    metadata = reader.root_object["/Metadata"].get_object().get_data().decode()
    kind, level = standard.split("-")
    if kind == "ua":
        assert re.search(r"pdfuaid:part\W+1", metadata)
        assert reader.root_object["/ViewerPreferences"]["/DisplayDocTitle"]
    else:
        assert re.search(rf"pdfaid:part\W+{level[0]}", metadata)
    assert document == feedback_pdf(avery, Print(standard=standard, language="en-GB"))


def test_tags_and_alternative_text(plain: bytes, avery: FeedbackInput) -> None:
    for document in (plain, feedback_pdf(avery, FULL)):
        root = PdfReader(io.BytesIO(document)).root_object
        assert root["/MarkInfo"]["/Marked"]
        found = list(elements(root["/StructTreeRoot"]))
        kinds = [e.get("/S") for e in found]
        for kind in ("/H1", "/H2", "/H3", "/Table", "/TH", "/TD", "/Figure", "/L"):
            assert kind in kinds
    alternatives = [e["/Alt"] for e in found if e.get("/S") == "/Figure" and "/Alt" in e]
    assert len(alternatives) == 6
    assert sum(a.startswith("Reliability diagram for") for a in alternatives) == 3
    assert any("CT confirmed 47" in a for a in alternatives)


def test_every_table_has_heads_and_every_sentence_is_a_paragraph(plain: bytes, avery: FeedbackInput) -> None:
    for document in (plain, department_pdf([replace(avery, pseudonym=f"Reader {k}") for k in range(6)])):
        root = PdfReader(io.BytesIO(document)).root_object["/StructTreeRoot"]
        found = list(elements(root))
        tables = [e for e in found if e.get("/S") == "/Table"]
        assert tables
        assert all(any(e.get("/S") == "/TH" for e in elements(table)) for table in tables)
        top = next(e for e in found if e.get("/S") == "/Document")
        assert "/Span" not in [kid.get_object().get("/S") for kid in top["/K"]]


@pytest.mark.parametrize("standard", ["", "a-2b", "ua-1"])
def test_text_is_never_code(avery: FeedbackInput, standard: Any) -> None:
    e = Example(NASTY, NASTY, f"Before {NASTY}", 0, 6, NASTY, outcome=1.0)
    shown = text(
        feedback_pdf(replace(avery, author=NASTY, pseudonym="", examples=(e,)), Print(standard=standard, pages="full"))
    )
    assert shown.count(NASTY) >= 4
    assert f"Before {NASTY}" in shown


@pytest.mark.parametrize("standard", ["", "a-2b", "ua-1"])
def test_characters_that_the_font_lacks_become_boxes_with_a_note(
    plain: bytes, avery: FeedbackInput, standard: Any
) -> None:
    strange = "bell\x07 nul\x00 שלום العربية 漢字 \U0001f600 \u202eRTL\u202c \ud83d naïve Größe"
    e = Example("edema", "likely", strange, 0, 4, strange, outcome=0.0)
    shown = text(feedback_pdf(replace(avery, examples=(e,)), Print(standard=standard)))
    assert "naïve Größe" in shown
    assert "□ stands for a character" in shown
    assert "□ stands for" not in text(plain)


def test_every_listed_character_is_in_every_cut_of_the_font(avery: FeedbackInput) -> None:
    # PDF/A refuses a character without a glyph, so that the compiler itself is the judge.
    everything = " ".join(sorted(c for c in coverage() if not c.isspace()))
    start = len(everything) // 2
    e = Example(everything, "likely", everything, 0, start, everything, outcome=1.0)
    assert feedback_pdf(
        replace(avery, examples=(e, replace(e, cue_start=start, cue_end=len(everything)))), Print(standard="a-2b")
    )


def test_long_sentences_and_endless_words_stay_on_the_page(avery: FeedbackInput) -> None:
    long = ("A sentence that goes on. " * 400).strip()
    e = Example("edema", "likely", long, 0, 4, "x" * 2000, outcome=1.0)
    assert len(pages(feedback_pdf(replace(avery, examples=(e,))))) == 2
    document = feedback_pdf(replace(avery, examples=(e,)), FULL)
    shown = text(document)
    assert shown.count("goes") >= 400
    assert shown.replace(" ", "").count("x" * 200) > 0
    assert len(pages(document)) >= 6


def test_a_range_is_never_divided(avery: FeedbackInput) -> None:
    note = "\n\n".join("a" * k + " 75\u201390\u00a0%" * 60 for k in range(1, 12))
    document = feedback_pdf(avery, choice=PageChoice(note=note))
    lines = [
        line.strip() for page in PdfReader(io.BytesIO(document)).pages for line in page.extract_text().splitlines()
    ]
    ranges = [line for line in lines if "75\u201390" in line]
    assert len(ranges) > 11 * 5
    assert not any(line.endswith(("\u2013", "90")) or line.startswith(("90", "%")) for line in ranges)


def test_peer_names_never_appear(plain: bytes, make: Make, avery: FeedbackInput) -> None:
    peer = make(author="Dr. Peer Gundersen", pseudonym="Morgan")
    assert feedback_pdf(peer) != plain
    shown = text(plain)
    assert "Gundersen" not in shown
    assert "Morgan" not in shown
    # Authors named in the records themselves are not printed either: the page has one name, its reader's.
    other = replace(
        avery,
        reliabilities=tuple(replace(r, author="Dr. Peer Gundersen") for r in avery.reliabilities),
        advices=tuple(replace(a, author="Dr. Peer Gundersen") for a in avery.advices),
    )
    assert feedback_pdf(other) == plain


@pytest.mark.parametrize(
    "uses",
    [
        {},
        {"edema": {"likely": (5, 3)}},
        {"edema": {"absent": (60, 2)}},
        {"edema": {"present": (60, 60)}},
        {"edema": {"likely": (30, 30)}},
        {"edema": {"likely": (30, 0)}},
        {"edema": {"likely": (40, 12.25), "unlikely": (20, 3.5)}},
    ],
)
def test_every_amount_of_data_gives_a_page(make: Make, uses: Any) -> None:
    document = feedback_pdf(make(uses, examples=(), counts={}), Print(standard="ua-1"))
    assert "How to read this" in text(document)


def test_many_pathologies_and_phrases(make: Make) -> None:
    base = make()
    word = base.phrases[6]
    words = tuple(replace(word, name=f"phrase number {k:02}", alpha=1.0 + k / 2) for k in range(36))
    rates = tuple(base.reliabilities[0].phrases[1]._replace(phrase=w.name) for w in words)
    few, many = rates[:20], rates
    groups = tuple(
        replace(base.reliabilities[0], topic=f"pathology {t:02}", phrases=many if t == 0 else few) for t in range(14)
    )
    data = replace(base, reliabilities=groups, phrases=words)
    every = pages(feedback_pdf(data, FULL))
    assert 8 <= len(every) <= 20
    shown = " ".join(every)
    assert all(f"Pathology {t:02}" in shown for t in range(14))
    assert shown.count("phrase number 19") >= 14
    assert shown.count("phrase number 35") >= 1


def test_pages_as_images(plain: bytes, avery: FeedbackInput) -> None:
    images = feedback_png(avery, dpi=50)
    assert len(images) == len(PdfReader(io.BytesIO(plain)).pages)
    assert all(image.startswith(b"\x89PNG") for image in images)
    assert images == feedback_png(avery, dpi=50)
    width = int.from_bytes(images[0][16:20], "big")
    assert width == pytest.approx(210 / 25.4 * 50, abs=1)


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"paper": "a5"}, "a4, us-letter"),
        ({"standard": "x-1"}, "ua-1"),
        ({"language": "fr"}, "de, en"),
        ({"language": "German"}, "de, en"),
    ],
)
def test_unknown_options_are_refused_with_the_known_ones(avery: FeedbackInput, options: Any, names: str) -> None:
    with pytest.raises(InputError, match=names):
        feedback_pdf(avery, Print(**options))


def test_a_resolution_has_bounds(avery: FeedbackInput) -> None:
    for dpi in (0, 19, 601, float("nan")):
        with pytest.raises(InputError, match="20 to 600"):
            feedback_png(avery, dpi=dpi)


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("Avery", "feedback-avery.png"),
        ("Avery 2", "feedback-avery-2.png"),
        ("", "feedback-reader.png"),
        ("../x/é", "feedback-x-e.png"),
        ("Müller", "feedback-mueller.png"),
        ("漢", "feedback-radcal.png"),
    ],
)
def test_file_names_are_made_of_the_pseudonym(avery: FeedbackInput, alias: str, name: str) -> None:
    assert file_name(replace(avery, pseudonym=alias), ".png") == name


def redirected(monkeypatch: pytest.MonkeyPatch, **folders: Path) -> None:
    def found(*parts: str) -> Path:
        if parts[0] in folders:
            path = folders[parts[0]].joinpath(*parts[1:])
            if not path.exists():
                raise InputError(f"The file {'/'.join(parts)} of RadCal is missing. Install RadCal again.")
            return path
        return resource(*parts)

    monkeypatch.setattr(pdf, "resource", found)


def test_a_missing_template_is_named(avery: FeedbackInput, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    redirected(monkeypatch, typst=tmp_path)
    with pytest.raises(InputError, match=r"typst/feedback\.typ"):
        feedback_pdf(avery)


def test_missing_or_damaged_fonts_are_refused(
    avery: FeedbackInput, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    redirected(monkeypatch, fonts=tmp_path)
    with pytest.raises(EngineError, match="fonts"):
        feedback_pdf(avery)
    for font in resource("fonts").glob("*.otf"):
        (tmp_path / font.name).write_bytes(font.read_bytes() if "Italic" not in font.name else b"broken")
    with pytest.raises(EngineError, match="fonts"):
        feedback_pdf(avery)


def test_a_broken_template_gives_its_place_and_no_report_text(
    avery: FeedbackInput, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for template in resource("typst").glob("*.typ"):
        (tmp_path / template.name).write_text(template.read_text())
    broken = tmp_path / "feedback.typ"
    broken.write_text(broken.read_text() + "\n#panic(data.examples.at(0).before)\n")
    redirected(monkeypatch, typst=tmp_path)
    with pytest.raises(EngineError) as caught:
        feedback_pdf(avery)
    assert "feedback.typ, line" in str(caught.value)
    assert "Perihilar" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_the_compiler_warns_of_nothing(avery: FeedbackInput) -> None:
    import typst

    content = pdf._prepared(personal_content(avery, Settings()), Print())
    compiler = typst.Compiler(
        str(resource("typst", "feedback.typ")),
        root=str(resource("typst")),
        font_paths=[str(resource("fonts"))],
        ignore_system_fonts=True,
        sys_inputs={"data": pdf.json.dumps(content)},
    )
    assert compiler.compile_with_warnings(format="pdf")[1] == []


def test_nothing_is_written_but_the_page(avery: FeedbackInput, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    feedback_pdf(avery)
    feedback_png(avery, dpi=30)
    assert list(tmp_path.iterdir()) == []


def test_templates_use_no_package_and_no_code_from_data() -> None:
    for template in resource("typst").glob("*.typ"):
        source = template.read_text()
        assert "@preview" not in source
        assert "@local" not in source
        assert "eval(" not in source


def test_the_key_names_what_is_drawn(make: Make) -> None:
    data = make({"edema": {"likely": (60, 40)}}, examples=())
    shown = text(feedback_pdf(data, FULL))
    assert "a perfectly calibrated reader, by luck alone" in shown
    assert "hedged words, 95 % interval" not in shown
    r = data.reliabilities[0]
    assert r.curve is not None
    nothing = np.full_like(r.curve.rate, np.nan)
    without_luck = replace(r.curve, luck_low=nothing, luck_high=nothing)
    shown = text(feedback_pdf(replace(data, reliabilities=(replace(r, curve=without_luck),)), FULL))
    assert "hedged words, 95 % interval" in shown
    assert "by luck alone" not in shown
