"""Readings of German sentences and reports, compared with what was read by hand."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from radcal.findings.rules.engine import RulesEngine
from radcal.findings.rules.patterns import PatternError, compile_pattern, flatten
from radcal.findings.rules.vocabulary import read_vocabularies
from radcal.reports.records import Document, Section
from radcal.reports.sections import document
from radcal.system.progress import SILENT
from radcal.system.resources import resource
from radcal.words.languages import names
from tests.cases import cases_of

cases = cases_of(__file__)

Read = Callable[..., set[tuple[str, str]]]
_LINES = Path(__file__).with_name("sentences_de.tsv").read_text(encoding="utf-8").splitlines()
SENTENCES = [
    (sentence, {tuple(pair.split("=")) for pair in stated.split("; ") if pair})
    for sentence, stated in (line.split("\t") for line in _LINES if not line.startswith("#"))
]
AT_ONCE = 100
"""Rows of the table in one test: each in its own took longer to begin and to end than to read."""


@pytest.fixture(scope="module")
def german() -> Read:
    """What the rules read in a sentence as if it were German: (pathology, phrase)."""
    words = read_vocabularies(resource("lexicon"))["de"]
    engine = RulesEngine(dict.fromkeys(names(), words))

    def read(text: str) -> set[tuple[str, str]]:
        (extraction,) = engine.extract([Document("r", text, document("r", text).sentences)], SILENT)
        assert not extraction.failure
        return {(f.pathology, f.phrase) for f in extraction.findings}

    return read


@pytest.mark.parametrize("row", range(0, len(SENTENCES), AT_ONCE))
def test_sentences_state_what_a_reader_takes_from_them(stated: Read, row: int) -> None:
    some = SENTENCES[row : row + AT_ONCE]
    wrong = [(sentence, expected, read) for sentence, expected in some if (read := stated(sentence)) != expected]
    assert wrong == []


def test_the_table_is_large_and_has_every_pathology_and_phrase() -> None:
    pairs = [pair for _, expected in SENTENCES for pair in expected]
    assert len(SENTENCES) >= 250
    assert len({p for p, *_ in pairs}) == 33
    assert {w for _, w in pairs} >= {
        "absent", "present", "very unlikely", "unlikely", "possibly", "maybe", "may represent", "question of",
        "probably", "likely", "most likely", "suggestive of", "suspicious for", "worrisome for", "compatible with",
        "consistent with", "diagnostic of", "other",
    }  # fmt: skip


@pytest.mark.parametrize(
    "respelt",
    [
        str.upper,
        lambda s: unicodedata.normalize("NFD", s),
        lambda s: s.translate(str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})),
        lambda s: s.replace("ß", "ss"),
        lambda s: re.sub(r"(?<=[lg]u)ss\b", "ß", s),
    ],
    ids=["capitals", "two characters a letter", "no umlauts", "Swiss", "before 1996"],
)
def test_spelling_does_not_matter(german: Read, respelt: Callable[[str], str]) -> None:
    assert [s for s, _ in SENTENCES if german(respelt(s)) != german(s)] == []


def test_a_report_with_german_headings_and_abbreviations(rules: RulesEngine) -> None:
    text = (
        "Röntgen Thorax in 2 Ebenen vom 12.03.2024\n\nKlinische Angaben: V.a. Pneumonie, Z.n. Bronchial-Ca.\n"
        "Fragestellung: Infiltrat? Erguss?\nVoraufnahmen: vom 01.02.2024 mit Pneumothorax.\n\nBefund:\n"
        "Herz o.B. Kein Pneumothorax re. Kleiner Erguss li. dorsal. Fraktur der 5. Rippe li. nicht auszuschließen.\n"
        "Beurteilung:\n1. V. a. kleinen Rundherd im li. Oberlappen, a.e. Granulom.\n"
        "Empfehlung: CT zum Ausschluss eines Karzinoms.\n"
    )
    made = document("r", text)
    (extraction,) = rules.extract([made], SILENT)
    assert [(f.section, f.pathology, f.phrase, f.verbatim) for f in extraction.findings] == [
        (Section.FINDINGS, "cardiomegaly", "absent", "o.B."),
        (Section.FINDINGS, "pneumothorax", "absent", "Kein"),
        (Section.FINDINGS, "pleural effusion", "present", ""),
        (Section.FINDINGS, "fracture", "possibly", "nicht auszuschließen"),
        (Section.IMPRESSION, "nodule", "suspicious for", "V. a."),
        (Section.IMPRESSION, "granuloma", "most likely", "a.e."),
    ]
    assert [text[f.term_start : f.term_end] for f in extraction.findings[2:4]] == ["Erguss", "Fraktur"]


def test_a_report_in_a_language_without_words_is_a_failure(rules: RulesEngine) -> None:
    french = "Pas d'épanchement pleural. Opacité de la base droite, les poumons sont par ailleurs sans lésion."
    english = "No pleural effusion."
    failed, read = rules.extract([document("a", french), document("b", english)], SILENT)
    assert failed.findings == ()
    assert "written in French" in failed.failure
    assert "English and German" in failed.failure
    assert "Opacité" not in failed.failure
    assert [f.phrase for f in read.findings] == ["absent"]


@cases("notation_of_inflected_words")
def test_notation_of_inflected_words(notation: str, matched: list[str], other: list[str]) -> None:
    pattern, openings = compile_pattern(notation)
    for word in matched:
        flat = flatten(word)
        assert len(flat) == len(word)
        assert pattern.fullmatch(flat, flat.rfind(" ") + 1), word
    assert not any(pattern.match(flatten(word)) for word in other)
    assert all(opening.startswith("*") == notation.startswith("*") for (opening,) in openings)


def test_a_star_needs_a_word() -> None:
    with pytest.raises(PatternError):
        compile_pattern("*")


def test_cues_of_compounds_count_only_behind_a_finding(german: Read) -> None:
    assert german("Tumorverdächtig.") == {("malignancy", "suspicious for")}
    assert german("Kein Erguss, der Patient ist fieberfrei.") == {("pleural effusion", "absent")}
    assert german("Erguss bei beschwerdefreiem Patienten.") == {("pleural effusion", "present")}


def test_pathologies_and_phrases_are_those_of_the_english_files() -> None:
    vocabularies = read_vocabularies(resource("lexicon"))

    def names(code: str) -> tuple[set[str], set[str]]:
        entries = [w.entry for rows in vocabularies[code].starts.values() for w in rows]

        terms = {p for e in entries if e.term for p in e.term.pathologies}
        return terms, {e.cue.phrase for e in entries if e.cue}

    (english_terms, english_phrases), (terms, phrases) = names("en"), names("de")
    assert terms == english_terms
    assert phrases <= english_phrases
    assert not re.search(r"[äöüß]", "".join(vocabularies["de"].starts))


@cases("a_sentence_in_another_language_than_its_report")
def test_a_sentence_in_another_language_than_its_report(
    rules: RulesEngine, report: str, expected: tuple[str, str]
) -> None:
    (extraction,) = rules.extract([Document("r", report, document("r", report).sentences)], SILENT)
    assert {(f.pathology, f.phrase) for f in extraction.findings} == {("cardiomegaly", "absent"), expected}


def test_a_report_in_a_language_that_is_not_known_is_not_read(rules: RulesEngine) -> None:
    text = "Nuk ka pneumothorax. Zemra nuk është e zmadhuar. Nuk ka efuzion pleural. Në lobin e majtë infiltrat."
    (extraction,) = rules.extract([Document("r", text, document("r", text).sentences)], SILENT)
    assert not extraction.findings
    assert "written in another language" in str(extraction.failure)
