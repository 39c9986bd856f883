"""Unknown words are taken for the phrase that is written most like them, and never for its opposite."""

from __future__ import annotations

import pytest

from radcal.words.extraction_words import shipped
from radcal.words.phrases import load_lexicon
from radcal.words.suggestions import suggest
from tests.cases import cases_of

cases = cases_of(__file__)


@cases("words_are_taken_for_what_they_are_written_like")
def test_words_are_taken_for_what_they_are_written_like(words: str, phrase: str) -> None:
    assert suggest(shipped(), words) == phrase


@pytest.mark.parametrize("words", ["not likely", "not likely at all", "hardly probable", "unprobable"])
def test_no_opposite_is_suggested(words: str) -> None:
    assert suggest(shipped(), words) in ("unlikely", "very unlikely", "absent", "")


def test_every_phrase_is_most_like_itself() -> None:
    lexicon = load_lexicon()
    for phrase in lexicon.phrases:
        for words in (phrase.name, *phrase.synonyms):
            assert suggest(lexicon, words) == phrase.name
