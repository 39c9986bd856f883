"""Results that were stored as finished English: recognised, and the same text as if they were made now."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.advise import wording
from radcal.files import plain_to_record, record_to_plain
from radcal.language import language, stored
from radcal.language.stored import recognised
from radcal.records import Phrase, PhraseRate, Withheld
from radcal.text import Text
from tools import translations

GERMAN = language("de")
_NAMES = ("absent", "present", "likely", "may represent", "can't exclude", "consistent with")
_FEW = settings(deadline=None, max_examples=60)

_names = st.sampled_from(_NAMES)
_topics = st.sampled_from(("edema", "pleural effusion", "enlarged heart"))
_shares = st.floats(0, 1)


@st.composite
def _rates(draw: st.DrawFn) -> PhraseRate:
    n = draw(st.integers(1, 3000))
    positives = draw(st.one_of(st.integers(0, n).map(float), st.floats(0, n)))
    low, high = sorted((draw(_shares), draw(_shares)))
    return PhraseRate(draw(_names), n, positives, positives / n, low, high, draw(_shares))


@st.composite
def _phrases(draw: st.DrawFn) -> Phrase:
    low, high = sorted((draw(_shares), draw(_shares)))
    return Phrase(draw(_names), 2.0, 2.0, low, high)


def _check(text: Text) -> None:
    sentence = "".join(text)
    assert not isinstance(sentence, Text)
    found = recognised(sentence)
    assert found == sentence
    assert found.values or not text.values
    assert GERMAN.write(found) == GERMAN.write(text) != sentence


@_FEW
@given(
    _rates(),
    _phrases(),
    st.lists(st.tuples(_phrases(), st.floats(0.05, 1)), min_size=1, max_size=2),
    _topics,
    st.booleans(),
)
def test_recommendations(
    rate: PhraseRate, source: Phrase, targets: list[tuple[Phrase, float]], topic: str, fits: bool
) -> None:
    _check(wording.recommendation(rate, source, targets, topic, fits))


@_FEW
@given(_topics, st.lists(_rates(), min_size=1, max_size=9), st.lists(_names, max_size=4))
def test_summaries(topic: str, recommended: list[PhraseRate], matching: list[str]) -> None:
    _check(wording.summary(topic, recommended, matching, ""))


@_FEW
@given(st.integers(0, 20_000), st.integers(1, 500), st.integers(1, 9), _shares, _shares)
def test_reasons_of_no_advice(n: int, needed: int, words: int, before: float, after: float) -> None:
    _check(wording.too_few_uses(n, needed))
    _check(wording.too_few_findings(n, needed))
    _check(wording.rarely_used(needed))
    _check(wording.all_matched(words))
    _check(wording.no_gain(before, after))
    _check(wording.no_better_word())


@pytest.mark.parametrize(
    ("sentence", "german"),
    [
        (
            "When you wrote 'likely' for edema, CT confirmed it in 41 of 1,087 (47 %, 37-57 %). "
            "Readers take 'likely' as 75-90 %. 'May represent' would have matched.",
            "Zu edema schrieben Sie \u201elikely\u201c; die CT best\u00e4tigte es in 41 von 1.087 (47\u00a0%, "
            "37\u201357\u00a0%). Verstanden wird \u201elikely\u201c als 75\u201390\u00a0%. "
            "\u201eMay represent\u201c h\u00e4tte gepasst.",
        ),
        ("14 findings; a curve needs 30.", "14 Befunde; eine Kurve braucht 30."),
        (
            "an earlier version: F1 0.98 (0.97\u20130.99) on 45 unseen reports",
            "eine fr\u00fchere Fassung: F1 0,98 (0,97\u20130,99) an 45 ungesehenen Berichten",
        ),
        ("F1 0.91 (0.85\u20130.97) on 1,200 own reports", "F1 0,91 (0,85\u20130,97) an 1.200 eigenen Berichten"),
    ],
)
def test_stored_sentences_read_in_german_as_they_should(sentence: str, german: str) -> None:
    assert GERMAN.write(recognised(sentence)) == german


@pytest.mark.parametrize("text", ["", "Something unheard of.", "rate {n}", "Lunge", "A. B. C. " * 40])
def test_what_is_not_recognised_stays(text: str) -> None:
    assert recognised(text) == text
    assert recognised(text).values == {}


def test_records_keep_their_texts() -> None:
    """As stored now, with values; as stored before, a sentence."""
    now = Withheld("likely", wording.too_few_uses(3, 10))
    plain = record_to_plain(now)
    assert plain["reason"]["values"] == {"n": 3, "min": 10}
    for kept in (plain, {"phrase": "likely", "reason": "3 uses; advice needs 10."}):
        back = plain_to_record(kept, Withheld)
        assert back == now
        assert GERMAN.write(back.reason) == "3 Verwendungen; eine Empfehlung braucht 10."


def test_every_stored_sentence_is_still_in_the_catalogue() -> None:
    known = {text for key in translations.keys(translations.catalogue("de")) for text in key[1:]}
    listed = [text for kind in stored._TEMPLATES.values() for text in kind]
    assert {t for text in listed for t in ([text] if isinstance(text, str) else text)} <= known
