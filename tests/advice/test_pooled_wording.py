"""Advice on all pathologies of a radiologist, and on all radiologists together, in words that fit them."""

from __future__ import annotations

import pytest

from radcal.advice import wording
from radcal.reliability.records import ALL_AUTHORS, PhraseRate
from radcal.system.settings import ALL_TOPICS
from radcal.words.records import Phrase

ABSENT = Phrase("absent", 0, 1, 0, 0)
POSSIBLY, LIKELY = Phrase("possibly", 2, 6, 0.05, 0.25), Phrase("likely", 9, 3, 0.75, 0.9)
PRESENT = Phrase("present", 1, 0, 1, 1)
RATE = PhraseRate("likely", 20, 8, 0.4, 0.21, 0.62, 0.75)


@pytest.mark.parametrize(
    ("author", "topic", "phrase", "begin"),
    [
        ("Avery", ALL_TOPICS, LIKELY, "When you wrote 'likely' for any pathology, CT confirmed it in 8 of 20 ("),
        ("Avery", ALL_TOPICS, PRESENT, "When you stated a pathology without a hedge, CT confirmed it in 8 of 20 ("),
        ("Avery", ALL_TOPICS, ABSENT, "When you ruled out a pathology, CT showed it in 8 of 20 ("),
        (ALL_AUTHORS, "edema", LIKELY, "When 'likely' was written for edema, CT confirmed it in 8 of 20 ("),
        (ALL_AUTHORS, "edema", PRESENT, "When edema was stated without a hedge, CT confirmed it in 8 of 20 ("),
        (ALL_AUTHORS, "edema", ABSENT, "When edema was ruled out, CT showed it in 8 of 20 ("),
        ("Avery", "edema", LIKELY, "When you wrote 'likely' for edema, CT confirmed it in 8 of 20 ("),
    ],
)
def test_what_was_written_is_told_of_those_who_wrote_it(author: str, topic: str, phrase: Phrase, begin: str) -> None:
    rate = RATE._replace(phrase=phrase.name, mean=phrase.alpha / (phrase.alpha + phrase.beta))
    assert wording.recommendation(rate, phrase, POSSIBLY, topic, 0.97, author=author).startswith(begin)


def test_no_pathology_is_named_where_all_are_meant() -> None:
    text = wording.recommendation(RATE, LIKELY, ABSENT, ALL_TOPICS, 0.97, author="Avery")
    assert "a plain 'no' would have been closer" in text.replace("A plain", "a plain")
