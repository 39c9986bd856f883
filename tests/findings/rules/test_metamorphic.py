"""Sentences changed in known ways: what they state changes as it must, or not at all.

The terms are those of the word files, the verbs those of the file of expressions: no list stands here that could be
shorter than what is read.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.findings.rules.synonyms import pathology_words, spellings
from radcal.system.resources import resource
from radcal.words.word_files import expressions_of

Read = Callable[..., set[tuple[str, str]]]

PLAIN = {
    "atelectasis": "atelectasis", "consolidation": "consolidation", "edema": "edema", "fibrosis": "fibrosis",
    "rib fracture": "fracture", "granuloma": "granuloma", "hiatal hernia": "hernia", "pneumonia": "infection",
    "lymphadenopathy": "lymphadenopathy", "cancer": "malignancy", "mass": "mass", "nodule": "nodule",
    "opacity": "opacity", "pericardial effusion": "pericardial effusion", "pleural effusion": "pleural effusion",
    "pleural thickening": "pleural thickening", "pneumothorax": "pneumothorax", "emphysema": "emphysema",
    "pulmonary embolism": "pulmonary embolism", "cardiomegaly": "cardiomegaly",
}  # fmt: skip
WORDS = st.sampled_from(sorted(PLAIN))
SIZES = st.sampled_from(["", "small ", "new ", "focal ", "large ", "bilateral "])
PLACES = st.sampled_from(["", " in the right lung", " at the left base", " on this examination", " in both lungs"])
HEDGES = st.sampled_from(
    ["{} is likely", "{} is possible", "{} cannot be excluded", "possible {}", "there may be {}", "{} is suspected"]
)


@cache
def _verbs() -> tuple[str, ...]:
    """Finite verbs of seeing, all that the rules know."""
    named = expressions_of(resource("lexicon"))
    participles = sorted(spellings(named["seen"], 10_000))
    return tuple(f"{be} {seen}" for seen in participles for be in ("was", "were", "is", "has been"))


def _list(words: list[str], joint: str) -> str:
    if len(words) == 1:
        return words[0]
    comma = "," if len(words) > 2 and joint != "nor" else ""
    return f"{', '.join(words[:-1])}{comma} {joint} {words[-1]}"


def _denied(words: list[str]) -> set[tuple[str, str]]:
    return {(PLAIN[word], "absent") for word in words}


@settings(deadline=None, max_examples=400)
@given(
    st.lists(WORDS, min_size=1, max_size=14),
    SIZES,
    st.sampled_from(["or", "and", "nor", "or any"]),
    st.sampled_from(range(300)),
    PLACES,
)
def test_nothing_under_no_and_a_verb_of_seeing_is_present(
    stated: Read, words: list[str], size: str, joint: str, verb: int, place: str
) -> None:
    verbs = _verbs()
    listed = _list([f"{size}{word}" for word in words], joint)
    assert stated(f"No {listed} {verbs[verb % len(verbs)]}{place}.") == _denied(words)


@pytest.mark.parametrize("verb", _verbs()[::4])
def test_every_verb_of_seeing_denies_what_stands_before_it_and_ends_what_no_denies(stated: Read, verb: str) -> None:
    _, _, seen = verb.partition(" ")
    assert stated(f"Pleural effusion was not {seen}.") == {("pleural effusion", "absent")}
    assert stated(f"A nodule is not clearly {seen} today.") == {("nodule", "absent")}
    assert stated(f"Mass-consolidation has not been {seen}.") == {("mass", "absent"), ("consolidation", "absent")}
    assert stated(f"Pneumothorax could not be {seen}.") == {("pneumothorax", "absent")}
    assert stated(f"No nodule with cavitation, new effusion, and small mass was {seen}.") == {
        ("nodule", "absent"), ("cavity", "absent"), ("pleural effusion", "absent"), ("mass", "absent"),
    }  # fmt: skip
    assert stated(f"A small pleural effusion was {seen}.") == {("pleural effusion", "present")}
    assert stated(f"No nodule was {seen}, and there is a small effusion.") == {
        ("nodule", "absent"), ("pleural effusion", "present"),
    }  # fmt: skip


EVERY_TERM = [
    (name, word)
    for name, words in sorted(pathology_words().items())
    for word in words
    if len(word) > 3 and not {"not", "no", "and", "or", "with", "is", "are"} & set(word.split())
]  # fmt: skip


@pytest.mark.parametrize("start", range(0, len(EVERY_TERM), 250))
def test_no_term_is_present_where_it_is_denied(stated: Read, start: int) -> None:
    left = [
        sentence
        for name, word in EVERY_TERM[start : start + 250]
        for sentence in (f"No {word} was detected.", f"{word.capitalize()} was not observed.")
        if any(found == name and phrase not in ("absent", "unread") for found, phrase in stated(sentence))
    ]
    assert left == []


@settings(deadline=None, max_examples=200)
@given(st.lists(WORDS, min_size=2, max_size=6, unique=True), HEDGES, st.randoms(use_true_random=False))
def test_the_order_of_sentences_and_of_denied_findings_does_not_matter(
    stated: Read, words: list[str], hedge: str, random: object
) -> None:
    hedged, *denied = words
    sentences = [f"No {_list(denied, 'or')}.", f"{hedge.format(hedged)}.".capitalize()]
    backwards = [f"No {_list(denied[::-1], 'or')}.", sentences[1]][::-1]
    assert stated(*sentences) == stated(*backwards)


@settings(deadline=None, max_examples=200)
@given(WORDS, HEDGES, st.sampled_from(["upper", "title", "lower", "break", "hyphen", "spaces", "stop", "bang"]))
def test_dress_changes_nothing(stated: Read, word: str, hedge: str, dress: str) -> None:
    plain = f"{hedge.format(word)[0].upper()}{hedge.format(word)[1:]}."
    dressed = {
        "upper": plain.upper(),
        "title": plain.title(),
        "lower": plain.lower(),
        "break": plain.replace(" ", "\n", 1),
        "hyphen": plain.replace(word, word.replace(" ", "-")),
        "spaces": plain.replace(" ", "   "),
        "stop": plain.removesuffix("."),
        "bang": plain.replace(".", ";"),
    }[dress]
    assert stated(dressed) == stated(plain) != set()


@settings(deadline=None, max_examples=200)
@given(
    WORDS, st.sampled_from(["There is {1} {0}.", "{0} is {1} seen.", "{0} is {1} present.", "{0} was {1} detected."])
)
def test_a_denial_turns_what_is_present_into_what_is_absent(stated: Read, word: str, frame: str) -> None:
    sentence, denied = frame.format(word, ""), frame.format(word, "no" if frame.startswith("There") else "not")
    assert stated(sentence.capitalize()) == {(PLAIN[word], "present")}
    assert stated(denied.capitalize()) == {(PLAIN[word], "absent")}


@settings(deadline=None, max_examples=150)
@given(WORDS, WORDS, HEDGES)
def test_a_statement_beside_another_one_keeps_its_reading(stated: Read, one: str, other: str, hedge: str) -> None:
    hedged = hedge.format(one)
    alone = stated(f"{hedged}.")
    beside = stated(f"{hedged}; there is {other}.")
    assert beside == alone | {(PLAIN[other], "present")}


ASKED = st.sampled_from((
    "CT to exclude {}.", "CT is advised with a view to excluding {}.", "Evaluate for {}.", "History of {}.",
    "Film for the exclusion of {}.", "In a patient with {}, the lungs are clear.", "Assess whether there is {}.",
    "In order to rule out {}.",
))  # fmt: skip


@settings(deadline=None, max_examples=150)
@given(WORDS, ASKED)
def test_what_is_only_asked_about_is_not_stated(stated: Read, word: str, frame: str) -> None:
    assert {found for found, _ in stated(frame.format(word))} - {"opacity"} == set()


@settings(deadline=None, max_examples=100)
@given(st.sampled_from(["nodule", "effusion", "consolidation", "opacity", "mass", "pneumothorax"]),
       st.sampled_from(["new", "old", "larger", "acute", "stable"]))  # fmt: skip
def test_a_question_about_its_age_leaves_a_finding_present(stated: Read, word: str, age: str) -> None:
    [(name, _)] = stated(f"There is a {word}.")
    assert stated(f"It is unclear whether the {word} is {age}.") == {(name, "present")}
    assert stated(f"Whether the {word} is {age} is uncertain.") == {(name, "present")}
    assert stated(f"It is unclear whether there is a {word}.") == {(name, "question of")}


OF_AN_ORGAN = st.sampled_from((
    "A nodular lesion is seen in the {}.", "In the {}, a nodule was observed.", "The density of the {} is normal.",
    "Increased density of the {}.", "A hypodense nodule in the {}.", "Effusion around the {}.",
))  # fmt: skip


@settings(deadline=None, max_examples=100)
@given(st.sampled_from(["liver", "spleen", "left kidney", "pancreas"]), OF_AN_ORGAN)
def test_organs_of_the_abdomen_state_nothing_of_the_lungs(stated: Read, organ: str, frame: str) -> None:
    assert stated(frame.format(organ)) == set()
    assert stated("A nodule is seen in the left lung.") == {("nodule", "present")}
