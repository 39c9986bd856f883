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

from radcal.cells import guarded
from radcal.feedback.macros import advised_macros, form_of, vocabulary_macros, written
from radcal.records import Advice, FeedbackInput, Macro, Macros, Recommendation, Reliability

SURE = 0.95
NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
CHANGES = st.lists(
    st.tuples(NAMES, NAMES, NAMES, st.sampled_from((0.3, 1.0)), st.sampled_from((0.5, 0.95, 1.0))), max_size=6
)


def advised(topic: str, *changes: tuple[str, str, float, float]) -> Advice:
    made = tuple(
        Recommendation(source, target, share, sure, None, "")  # type: ignore[arg-type]
        for source, target, share, sure in changes
    )
    return Advice("", topic, 100.0, "ordered", (), (), (), made)


def texts(macros: Macros) -> list[str]:
    return [m.text for m in macros.macros]


def test_a_macro_is_the_advised_word_with_its_pathology(avery: FeedbackInput) -> None:
    found = advised_macros(avery.advices, avery.reliabilities, SURE, "en")
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


def test_no_advice_no_macro(make: Callable[..., FeedbackInput], reliability_of: Callable[..., Reliability]) -> None:
    data = make({"edema": {"likely": (87, 41)}}, {"edema": []})
    found = advised_macros(data.advices, data.reliabilities, SURE, "en")
    assert found.macros == ()
    assert found.kept == (("edema", ("likely",)),)
    assert advised_macros((), (), SURE, "en") == Macros("en", ())


def test_what_is_not_sure_enough_or_for_a_part_of_the_uses_makes_none() -> None:
    advices = [
        advised("edema", ("likely", "may represent", 1.0, 0.94), ("possibly", "unlikely", 0.6, 1.0)),
        advised("mass", ("likely", "most likely", 1.0, 0.95)),
    ]
    assert texts(advised_macros(advices, (), SURE, "en")) == ["most likely mass"]
    assert texts(advised_macros(advices, (), 0.9, "en")) == ["may represent edema", "most likely mass"]


def test_two_words_that_become_the_same_have_one_macro() -> None:
    advice = advised("edema", ("likely", "may represent", 1.0, 1.0), ("probably", "may represent", 1.0, 1.0))
    found = advised_macros([advice], (), SURE, "en")
    assert texts(found) == ["may represent edema"]
    assert found.macros[0].instead_of == ("likely", "probably")


def test_a_word_that_is_itself_replaced_says_so() -> None:
    """An author's own use of a word does not say what readers take it to mean, and so may be replaced as well."""
    advice = advised("edema", ("likely", "may represent", 1.0, 1.0), ("may represent", "question of", 1.0, 1.0))
    found = advised_macros([advice], (), SURE, "en")
    assert {m.phrase: m.instead_of for m in found.macros} == {
        "may represent": ("likely",),
        "question of": ("may represent",),
    }


def test_they_are_in_the_language_of_the_reports() -> None:
    advice = advised("pleural effusion", ("likely", "may represent", 1.0, 1.0), ("x", "absent", 1.0, 1.0))
    found = advised_macros([advice], (), SURE, "de")
    assert [(m.name, m.text) for m in found.macros] == [
        ("Pleuraerguss kann entsprechen", "kann Pleuraerguss entsprechen"),
        ("Pleuraerguss kein Nachweis von", "kein Nachweis von Pleuraerguss"),
    ]


@pytest.mark.parametrize("word", ["=HYPERLINK", "+/-", "-likely", "@x", "\uff1dx"])
def test_nothing_begins_like_a_formula(word: str) -> None:
    found = advised_macros([advised("edema", ("likely", word, 1.0, 1.0))], (), SURE, "en")
    assert found.macros == ()
    assert found.unfit == (("edema", word),)


@given(CHANGES)
def test_every_line_is_an_advised_word_and_can_be_taken_in(changes: list[tuple[str, str, str, float, float]]) -> None:
    advices = [advised(topic, (source, target, share, sure)) for topic, source, target, share, sure in changes]
    found = advised_macros(advices, (), SURE, "en")
    good = {(topic, target) for topic, source, target, share, sure in changes if share == 1 and sure >= SURE}
    assert {(m.topic, m.phrase) for m in found.macros} <= good
    assert {(m.topic, m.phrase) for m in found.macros} | set(found.unfit) <= good
    for form in ("list", "tab", "csv"):
        for windows in (False, True):
            text = written(found, form, windows=windows)
            lines = text.removeprefix("\ufeff").split("\r\n" if windows else "\n")
            assert lines.pop() == ""
            assert len(lines) == len(found.macros)
            for line in lines:
                assert line
                assert guarded(line) == line or form == "tab"
                assert not any(unicodedata.category(c)[0] == "C" for c in line if c != "\t")
            if form == "csv":
                plain = text.removeprefix("\ufeff")
                assert [*csv.reader(io.StringIO(plain, newline=""))] == [[m.name, m.text] for m in found.macros]
    names = [m.name.casefold() for m in found.macros]
    assert names == sorted(set(names))


@pytest.mark.parametrize("word", ["poss\u00adibly", "mo\u0308glich", "pos\u200bsibly"])
def test_a_name_is_not_torn_apart_by_what_is_not_seen(word: str) -> None:
    (macro,) = advised_macros([advised("edema", ("likely", word, 1.0, 1.0))], (), SURE, "en").macros
    assert macro.name.count(" ") == 1
    assert macro.text == f"{macro.name.removeprefix('edema ')} edema"


def test_a_name_is_spoken() -> None:
    advice = advised("mass/nodule (any)", ("likely", "question of", 1.0, 1.0))
    (macro,) = advised_macros([advice], (), SURE, "en").macros
    assert macro.name == "mass nodule any question of"
    assert macro.text == "question of mass/nodule (any)"


def test_no_figure_of_a_person_is_in_a_file(avery: FeedbackInput) -> None:
    found = advised_macros(avery.advices, avery.reliabilities, SURE, "en")
    for form in ("list", "tab", "csv"):
        assert not re.search(r"\d|%|Avery|Halloway", written(found, form))


def test_the_forms_of_lines() -> None:
    macros = Macros("en", (Macro("mass", "likely", "mass likely", "likely mass"),))
    assert written(macros, "list") == "likely mass\n"
    assert written(macros, "tab") == "mass likely\tlikely mass\n"
    assert written(macros, "csv") == "mass likely,likely mass\n"
    assert written(Macros("en", ()), "list") == ""
    assert [form_of(suffix) for suffix in (".txt", ".TSV", ".csv", "")] == ["list", "tab", "csv", "list"]


def test_the_line_ends_and_the_mark_of_windows() -> None:
    macros = Macros("en", (Macro("mass", "likely", "mass likely", "likely mass"),))
    assert written(macros, "list", windows=True) == "likely mass\r\n"
    umlaut = Macros("de", (replace(macros.macros[0], text="möglicherweise Raumforderung"),))
    assert written(umlaut, "list", windows=True) == "\ufeffmöglicherweise Raumforderung\r\n"
    assert written(umlaut, "list") == "möglicherweise Raumforderung\n"


def test_a_vocabulary_has_its_hedges_with_every_pathology() -> None:
    found = vocabulary_macros(["absent", "unlikely", "likely", "present"], ["mass", "edema"], "en")
    assert texts(found) == ["likely edema", "edema unlikely", "likely mass", "mass unlikely"]
    assert found.kept == ()
