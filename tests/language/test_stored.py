"""Results that were stored as finished English: recognised, and the same text as if they were made now."""

from __future__ import annotations

import pytest

from radcal.advise import wording
from radcal.files import plain_to_record, record_to_plain
from radcal.language import language, stored
from radcal.language.stored import recognised
from radcal.records import Withheld
from tools import translations

GERMAN = language("de")


@pytest.mark.parametrize(
    ("sentence", "german"),
    [
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
