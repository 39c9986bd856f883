"""Macros: the words that are advised, as they are advised, and nothing else."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.advice.judged_records import Judged, JudgedGroup, JudgedWord, Standing
from radcal.advice.records import Advice, Recommendation
from radcal.calibration.records import Part, PhraseRate, Reliability
from radcal.feedback import dictation_macros
from radcal.feedback.content import judge_input
from radcal.feedback.dictation_macros import (
    SLOT,
    advised_macros,
    dictated,
    spoken_languages,
    template,
    vocabulary_macros,
    written,
)
from radcal.feedback.records import FeedbackInput, Macro, Macros
from radcal.findings.engines import make_engine
from radcal.reports.records import Document
from radcal.reports.sections import document
from radcal.system.cells import guarded
from radcal.system.progress import SILENT
from radcal.system.settings import ALL_TOPICS
from radcal.system.text import Text
from radcal.words.confirmations import pathology_names
from radcal.words.phrases import load_lexicon

SURE = 0.95
NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
CHANGES = st.lists(
    st.tuples(NAMES, NAMES, NAMES, st.sampled_from((0.3, 1.0)), st.sampled_from((0.5, 0.95, 1.0))), max_size=6
)


def advised(*groups: tuple[str, tuple[str, str, float, float]]) -> Judged:
    """Advice on words of pathologies, each said ten times."""
    made = []
    for topic, (source, target, share, sure) in groups:
        rate = PhraseRate(source, 10, 5, 0.5, 0.2, 0.8, 0.5)
        word = JudgedWord(
            topic, rate, None, Standing.UNKNOWN, Recommendation(source, target, share, sure, rate, Text()), topic
        )
        made.append(JudgedGroup("", topic, 10, (word,)))
    return Judged(tuple(made), None, {})


def texts(macros: Macros) -> list[str]:
    return [m.text for m in macros.macros]


def test_a_macro_is_the_advised_word_with_its_pathology(avery: FeedbackInput) -> None:
    found = advised_macros(judge_input(avery, 10), SURE, "en")
    assert [(m.topic, m.phrase) for m in found.macros] == [
        (a.topic, r.target) for a in sorted(avery.advices, key=lambda a: a.topic) for r in a.recommendations
    ]
    assert [(m.name, m.text) for m in found.macros] == [
        ("edema may represent", "may represent edema"),
        ("pleural effusion may represent", "may represent pleural effusion"),
        ("pneumonia may represent", "may represent pneumonia"),
    ]
    kept = dict(found.kept)
    assert "likely" not in kept["edema"]
    assert set(kept["edema"]) == {"present", "may represent", "unlikely", "absent"}
    assert set(kept["pneumothorax"]) == {"likely", "may represent", "absent"}
    assert found.unfit == ()


def test_what_is_advised_over_all_pathologies_is_a_macro_for_each(
    make: Callable[..., FeedbackInput], reliability_of: Callable[..., Reliability], advice_of: Callable[..., Advice]
) -> None:
    """But where a pathology has advice of its own, or the word was never said."""
    uses = {"likely": (30.0, 14.0)}
    data = make(
        {"edema": uses, "mass": uses, "pneumonia": {"absent": (60.0, 1.0)}}, {"edema": [("likely", "may represent")]}
    )
    whole = {"likely": (60.0, 28.0), "absent": (60.0, 1.0)}
    parts = tuple(Part(name, 30, 0.5, differs=False) for name in ("edema", "mass", "pneumonia"))
    pooled = replace(reliability_of(ALL_TOPICS, whole), parts=parts)
    of_all = advice_of(ALL_TOPICS, [("likely", "may represent")], whole)
    found = advised_macros(judge_input(replace(data, pooled=pooled, pooled_advice=of_all), 10), SURE, "en")
    assert texts(found) == ["may represent edema", "may represent mass"]


def test_no_advice_no_macro(make: Callable[..., FeedbackInput], reliability_of: Callable[..., Reliability]) -> None:
    data = make({"edema": {"likely": (87, 41)}}, {"edema": []})
    found = advised_macros(judge_input(data, 10), SURE, "en")
    assert found.macros == ()
    assert found.kept == (("edema", ("likely",)),)
    assert advised_macros(advised(), SURE, "en") == Macros("en", ())


def test_what_is_not_sure_enough_or_for_a_part_of_the_uses_makes_none() -> None:
    judged = advised(
        ("edema", ("likely", "may represent", 1.0, 0.94)),
        ("edema", ("possibly", "unlikely", 0.6, 1.0)),
        ("mass", ("likely", "most likely", 1.0, 0.95)),
    )
    assert texts(advised_macros(judged, SURE, "en")) == ["most likely mass"]
    assert texts(advised_macros(judged, 0.9, "en")) == ["may represent edema", "most likely mass"]


def test_two_words_that_become_the_same_have_one_macro() -> None:
    changes = ("likely", "may represent", 1.0, 1.0), ("probably", "may represent", 1.0, 1.0)
    found = advised_macros(advised(*(("edema", change) for change in changes)), SURE, "en")
    assert texts(found) == ["may represent edema"]
    assert found.macros[0].instead_of == ("likely", "probably")


def test_a_word_that_is_itself_replaced_says_so() -> None:
    """An author's own use of a word does not say what readers take it to mean, and so may be replaced as well."""
    changes = ("likely", "may represent", 1.0, 1.0), ("may represent", "question of", 1.0, 1.0)
    found = advised_macros(advised(*(("edema", change) for change in changes)), SURE, "en")
    assert {m.phrase: m.instead_of for m in found.macros} == {
        "may represent": ("likely",),
        "question of": ("may represent",),
    }


def test_they_are_in_the_language_of_the_reports() -> None:
    changes = ("likely", "may represent", 1.0, 1.0), ("x", "absent", 1.0, 1.0)
    found = advised_macros(advised(*(("pleural effusion", change) for change in changes)), SURE, "de")
    assert [(m.name, m.text) for m in found.macros] == [
        ("Pleuraerguss kann entsprechen", "kann Pleuraerguss entsprechen"),
        ("Pleuraerguss kein Nachweis von", "kein Nachweis von Pleuraerguss"),
    ]


@pytest.mark.parametrize("word", ["=HYPERLINK", "+/-", "-likely", "@x", "\uff1dx"])
def test_nothing_begins_like_a_formula(word: str) -> None:
    found = advised_macros(advised(("edema", ("likely", word, 1.0, 1.0))), SURE, "en")
    assert found.macros == ()
    assert found.unfit == (("edema", word),)


@given(CHANGES)
def test_every_line_is_an_advised_word_and_can_be_taken_in(changes: list[tuple[str, str, str, float, float]]) -> None:
    found = advised_macros(advised(*((topic, change) for topic, *change in changes)), SURE, "en")
    good = {(topic, target) for topic, source, target, share, sure in changes if share == 1 and sure >= SURE}
    assert {(m.topic, m.phrase) for m in found.macros} <= good
    assert {(m.topic, m.phrase) for m in found.macros} | set(found.unfit) <= good
    for form in (".txt", ".TSV", ".csv"):
        for windows in (False, True):
            text = written(found, form, windows=windows)
            lines = text.removeprefix("\ufeff").split("\r\n" if windows else "\n")
            assert lines.pop() == ""
            assert len(lines) == len(found.macros)
            for line in lines:
                assert line
                assert guarded(line) == line or form == ".TSV"
                assert not any(unicodedata.category(c)[0] == "C" for c in line if c != "\t")
            if form == ".csv":
                plain = text.removeprefix("\ufeff")
                assert [*csv.reader(io.StringIO(plain, newline=""))] == [[m.name, m.text] for m in found.macros]
    names = [m.name.casefold() for m in found.macros]
    assert names == sorted(set(names))


@pytest.mark.parametrize("word", ["poss\u00adibly", "mo\u0308glich", "pos\u200bsibly"])
def test_a_name_is_not_torn_apart_by_what_is_not_seen(word: str) -> None:
    (macro,) = advised_macros(advised(("edema", ("likely", word, 1.0, 1.0))), SURE, "en").macros
    assert macro.name.count(" ") == 1
    assert macro.text == f"{macro.name.removeprefix('edema ')} edema"


def test_a_name_is_spoken() -> None:
    judged = advised(("mass/nodule (any)", ("likely", "question of", 1.0, 1.0)))
    (macro,) = advised_macros(judged, SURE, "en").macros
    assert macro.name == "mass nodule any question of"
    assert macro.text == "question of mass/nodule (any)"


def test_no_figure_of_a_person_is_in_a_file(avery: FeedbackInput) -> None:
    found = advised_macros(judge_input(avery, 10), SURE, "en")
    for form in (".txt", ".TSV", ".csv"):
        assert not re.search(r"\d|%|Avery|Halloway", written(found, form))


def test_the_forms_of_lines() -> None:
    macros = Macros("en", (Macro("mass", "likely", "mass likely", "likely mass"),))
    assert written(macros, ".txt") == "likely mass\n"
    assert written(macros, ".TSV") == "mass likely\tlikely mass\n"
    assert written(macros, ".csv") == "mass likely,likely mass\n"
    assert written(Macros("en", ()), ".txt") == ""


def test_the_line_ends_and_the_mark_of_windows() -> None:
    macros = Macros("en", (Macro("mass", "likely", "mass likely", "likely mass"),))
    assert written(macros, ".txt", windows=True) == "likely mass\r\n"
    umlaut = Macros("de", (replace(macros.macros[0], text="möglicherweise Raumforderung"),))
    assert written(umlaut, ".txt", windows=True) == "\ufeffmöglicherweise Raumforderung\r\n"
    assert written(umlaut, ".txt") == "möglicherweise Raumforderung\n"


def test_a_vocabulary_has_its_hedges_with_every_pathology() -> None:
    found = vocabulary_macros(["absent", "unlikely", "likely", "present"], ["mass", "edema"], "en")
    assert texts(found) == ["likely edema", "edema unlikely", "likely mass", "mass unlikely"]
    assert found.kept == ()


BEFORE = {"en": "", "de": "Röntgenaufnahme des Thorax von heute in zwei Ebenen im Stehen bei Husten. "}
"""Of a report, so that its language is told."""
NOT_READ = {("de", "airways disease")}
"""A class of diseases that German reports do not name."""


@pytest.mark.parametrize("code", spoken_languages())
def test_every_word_with_every_pathology_is_read_as_itself(code: str) -> None:
    wanted = {
        f"{p.name}|{name}": dictated(p.name, name, code)
        for p in load_lexicon().phrases
        for name in pathology_names()
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
    assert set(dictation_macros._words(code)) == {p.name for p in load_lexicon().phrases}


def test_languages_are_those_with_words() -> None:
    assert spoken_languages() == ("en", "de")


def test_a_phrase_of_the_department_s_own_stands_before_the_pathology() -> None:
    assert template("cannot exclude", "en") == f"cannot exclude {SLOT}"
    assert dictated("eher nicht", "pneumothorax", "de") == "eher nicht Pneumothorax"
    assert dictated("likely", "a pathology of our own", "de") == "eher a pathology of our own"
    assert dictated("likely", "", "en") == "likely "
