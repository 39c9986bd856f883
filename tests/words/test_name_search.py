"""Looking for pathologies and phrases by any word for them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.findings.rules.synonyms import pathology_words
from radcal.words.name_search import Found, Names

NAMES = (
    "infection",
    "pericardial effusion",
    "pleural effusion",
    "pleural thickening",
    "pneumothorax",
    "pulmonary embolism",
)
SYNONYMS = {
    "infection": ("infectious process", "pneumonia", "aspiration pneumonia", "pneumonitis", "tb"),
    "pleural effusion": ("hydrothorax", "malignant effusion", "pleural fluid"),
    "pulmonary embolism": ("pe", "filling defect"),
}


def found(text: str) -> list[tuple[str, str]]:
    return [(f.name, f.words) for f in Names(NAMES, SYNONYMS).find(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", [(name, "") for name in NAMES]),
        ("eff", [("pericardial effusion", ""), ("pleural effusion", "")]),
        ("pl th", [("pleural thickening", "")]),
        ("pneumonia", [("infection", "pneumonia")]),
        ("pneum", [("pneumothorax", ""), ("infection", "pneumonia")]),
        (" PNEUMO-nia ", []),
        ("Aspiration-Pneu", [("infection", "aspiration pneumonia")]),
        ("process infect", [("infection", "infectious process")]),
        ("pe", [("pericardial effusion", ""), ("pulmonary embolism", "pe")]),
        ("hy", []),
        ("hyd", [("pleural effusion", "hydrothorax")]),
        ("thorax", []),
        ("chf", []),
    ],
)  # fmt: skip
def test_names_by_hand(text: str, names: list[tuple[str, str]]) -> None:
    assert found(text) == names


def test_of_synonyms_the_whole_one_comes_first_and_then_the_shortest() -> None:
    names = Names(
        ("a", "b", "c", "d"),
        {"a": ("mass in fat",), "b": ("mass lesion", "masses"), "c": ("mass",), "d": ("fat mass",)},
    )
    assert names.find("mass") == (
        Found("c", "mass"),
        Found("b", "masses"),
        Found("a", "mass in fat"),
        Found("d", "fat mass"),
    )


@settings(deadline=None, max_examples=60)
@given(st.sampled_from([(name, word) for name, words in SYNONYMS.items() for word in words]), st.data())
def test_any_beginning_of_a_synonym_finds_its_name(pair: tuple[str, str], data: st.DataObject) -> None:
    name, word = pair
    n = data.draw(st.integers(min(3, len(word)), len(word)))
    assert name in [one for one, _ in found(word[:n])]


def test_every_word_of_the_lists_that_ship_finds_its_pathology_first_or_beside_those_that_share_it() -> None:
    words = pathology_words()
    names = Names(sorted(words), words)
    for name in ("infection", "cardiomegaly", "emphysema"):
        for word in words[name][::7]:
            first = names.find(word)
            assert name in [f.name for f in first]
            of = [f.name for f in first if f.words == word or f.name == word]
            assert name in of or word.startswith(name), word
