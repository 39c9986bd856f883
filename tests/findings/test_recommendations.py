"""What a report recommends: sentences, headings, sections, times, and the file of words."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.findings.recommendations import COLUMNS, Finder, intervals, read, shipped_finder, vocabularies
from radcal.findings.records import Advised, Recommendation
from radcal.findings.rules.patterns import flatten
from radcal.reports.records import Document, Section, Sentence
from radcal.reports.sections import document
from radcal.system.errors import InputError
from tests.cases import cases_of

cases = cases_of(__file__)

SENTENCES = Path(__file__).parent / "recommendations.tsv"


def rows() -> list[list[str]]:
    lines = [line for line in SENTENCES.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [line.split("\t") for line in lines[1:]]


def of(text: str, section: str, language: str) -> Recommendation | None:
    """What a sentence recommends in a report of its language; of an "other" section under its heading."""
    padding = (
        "Die Lunge ist frei und das Herz ist nicht groß." if language == "de" else "The lungs and the heart are ok."
    )
    heading = "\nEMPFEHLUNG:\n" if language == "de" else "\nRECOMMENDATION:\n"
    whole = padding + (heading if section == "other" else "\n\n") + text
    start = len(whole) - len(text)
    sentences = (
        Sentence(Section.FINDINGS, 0, len(padding), padding),
        Sentence(Section(section), start, len(whole), text),
    )
    found = shipped_finder().find(Document("xray:A", whole, sentences))
    assert found is not None
    assert len(found) <= 1
    return found[0] if found else None


@pytest.mark.parametrize(("sentence", "section", "language", "kind", "modality", "days"), rows())
def test_a_sentence_recommends_what_it_says(sentence, section, language, kind, modality, days):
    found = of(sentence, section, language)
    if kind == "-":
        assert found is None
        return
    assert found is not None
    said = "-" if found.days is None else "-".join(map(str, sorted(set(found.days))))
    assert (found.kind, found.modality or "-", said) == (kind, modality, days)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("FINDINGS: Nodule.\nIMPRESSION: Nodule.\nRECOMMENDATION: CT in 3 months.", [(Advised.IMAGING, "ct")]),
        ("FINDINGS: Nodule.\nIMPRESSION: Nodule.\nRECOMMENDATION: None.", []),
        ("INDICATION: Follow-up CT recommended.\nFINDINGS: The nodule is gone.", []),
        ("TECHNIQUE: CT is recommended with contrast.\nFINDINGS: The lungs are clear.", []),
        ("FINDINGS: Nodule.\nIMPRESSION: Recommend CT.\nELECTRONICALLY SIGNED BY: CT follow-up in 3 months", ["ct"]),
        ("BEFUND: Rundherd im rechten Oberlappen.\nEMPFEHLUNG: CT in 3 Monaten.", [(Advised.IMAGING, "ct")]),
    ],
)
def test_sections_and_headings(text, expected):
    found = shipped_finder().find(document("xray:A", text))
    assert found is not None
    assert [(r.kind, r.modality) if e != "ct" else r.modality for r, e in zip(found, expected, strict=True)] == expected
    assert all(text[r.start : r.end].strip() for r in found)


def test_a_language_without_words_is_not_read():
    text = "Les poumons sont clairs et le coeur est de taille normale. Un scanner dans trois mois est recommandé."
    assert shipped_finder().find(document("xray:A", text)) is None


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("in 3 months", [(90, 90)]),
        ("in 3-6 months", [(90, 180)]),
        ("6 to 8 wks", [(42, 56)]),
        ("within 48 hours", [(0, 2)]),
        ("within the next 6-12 months", [(0, 360)]),
        ("innerhalb von 3 Monaten", [(0, 90)]),
        ("in one year", [(365, 365)]),
        ("in sechs Wochen", [(42, 42)]),
        ("in 2\u20133 Tagen", [(2, 3)]),
        ("at 6 and 12 months", [(180, 360)]),
        ("3 months ago", []),
        ("vor 3 Monaten", []),
        ("for 3 weeks", []),
        ("a 3 mm nodule", []),
        ("cough x 2 weeks duration", []),
    ],
)
def test_stated_times(text, days):
    assert [(i.low, i.high) for i in intervals(flatten(text))] == days


@given(st.integers(1, 99), st.sampled_from([("days", 1), ("weeks", 7), ("months", 30), ("years", 365)]))
def test_every_number_of_a_unit_is_read(n, unit):
    name, days = unit
    (found,) = intervals(flatten(f"CT in {n} {name}"))
    assert (found.low, found.high) == (n * days, n * days)


@given(st.text("aeinorst CTct,.;:-/()0123456789\n\u00e4\u00df", max_size=200))
def test_any_text_is_read_and_spans_lie_within_it(text):
    for found in shipped_finder().find(document("xray:A", text)) or ():
        assert 0 <= found.start < found.end <= len(text)


def test_a_long_report_is_read_in_a_straight_line():
    many = "Recommend CT. No follow-up. " * 200
    found = shipped_finder().find(document("xray:A", many))
    assert found is not None
    assert len(found) == 200
    one = shipped_finder().find(document("xray:A", "recommend no CT follow-up in 3 months, " * 500))
    assert one is not None


def test_the_version_depends_on_the_words():
    words = vocabularies()
    assert Finder(words).version != Finder({"en": words["en"]}).version
    assert Finder(words).version == shipped_finder().version


@cases("a_broken_row_is_named")
def test_a_broken_row_is_named(tmp_path, row, why):
    path = tmp_path / "recommendations.tsv"
    path.write_text("\t".join(COLUMNS) + "\n" + row + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"recommendations.tsv, line 2: .*Mend the line") as caught:
        read(path)
    assert why in str(caught.value)
