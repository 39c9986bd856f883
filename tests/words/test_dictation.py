"""Certainty words as they are dictated: every one is read as the phrase that it is of, in every language."""

from __future__ import annotations

import pytest

from radcal.findings.engines import make_engine
from radcal.reports.records import Document
from radcal.reports.sections import document
from radcal.system.progress import SILENT
from radcal.words import dictation
from radcal.words.dictation import SLOT, dictated, spoken_languages, template
from radcal.words.pathologies import names
from radcal.words.phrases import load_lexicon

BEFORE = {"en": "", "de": "Röntgenaufnahme des Thorax von heute in zwei Ebenen im Stehen bei Husten. "}
"""Of a report, so that its language is told."""
NOT_READ = {("de", "airways disease")}
"""A class of diseases that German reports do not name."""


@pytest.mark.parametrize("code", spoken_languages())
def test_every_word_with_every_pathology_is_read_as_itself(code: str) -> None:
    wanted = {
        f"{p.name}|{name}": dictated(p.name, name, code)
        for p in load_lexicon().phrases
        for name in names()
        if (code, name) not in NOT_READ
    }
    documents = []
    for key, text in wanted.items():
        whole = f"{BEFORE[code]}{text[:1].upper()}{text[1:]}."
        documents.append(Document(key, whole, document(key, whole).sentences))
    for read in make_engine().extract(documents, SILENT):
        phrase, name = read.report_id.split("|")
        assert (name, phrase) in {(f.pathology, f.phrase) for f in read.findings}, wanted[read.report_id]
        assert {f.phrase for f in read.findings} == {phrase}, wanted[read.report_id]


@pytest.mark.parametrize("code", spoken_languages())
def test_every_phrase_of_the_list_has_its_words_and_no_other_has(code: str) -> None:
    assert set(dictation._words(code)) == {p.name for p in load_lexicon().phrases}


def test_languages_are_those_with_words() -> None:
    assert spoken_languages() == ("en", "de")


def test_a_phrase_of_the_department_s_own_stands_before_the_pathology() -> None:
    assert template("cannot exclude", "en") == f"cannot exclude {SLOT}"
    assert dictated("eher nicht", "pneumothorax", "de") == "eher nicht Pneumothorax"
    assert dictated("likely", "a pathology of our own", "de") == "eher a pathology of our own"
    assert dictated("likely", "", "en") == "likely "
