"""Sentences as they are read."""

from __future__ import annotations

import pytest

from radcal.advise import wording
from radcal.records import Phrase, PhraseRate

LIKELY = Phrase("likely", 3.9, 1.15, 0.75, 0.9)
MAY = Phrase("may represent", 2.0, 2.6, 0.25, 0.75)
POSSIBLY = Phrase("possibly", 0.9, 2.2, 0.05, 0.25)
ABSENT = Phrase("absent", 0, 1, 0, 0)
PRESENT = Phrase("present", 1, 0, 1, 1)


def _rate(phrase, positives, n, low, high, mean=0.77):
    return PhraseRate(phrase, n, positives, positives / n, low, high, mean)


def test_a_recommendation_reads_as_it_should():
    text = wording.recommendation(_rate("likely", 41, 87, 0.37, 0.57), LIKELY, [(MAY, 1.0)], "edema", True)
    assert text == (
        "When you wrote 'likely' for edema, CT confirmed it in 41 of 87 (47 %, 37-57 %). "
        "Readers take 'likely' as 75-90 %. 'May represent' would have matched."
    )


def test_plain_statements_are_not_quoted_as_words():
    text = wording.recommendation(_rate("present", 33, 40, 0.68, 0.92, 1), PRESENT, [(LIKELY, 1.0)], "edema", True)
    assert text == (
        "When you stated edema without a hedge, CT confirmed it in 33 of 40 (82 %, 68-92 %). "
        "Readers take a plain statement as 100 %. 'Likely' would have matched."
    )
    text = wording.recommendation(_rate("absent", 12, 80, 0.09, 0.24, 0), ABSENT, [(POSSIBLY, 1.0)], "edema", True)
    assert text == (
        "When you ruled out edema, CT showed it in 12 of 80 (15 %, 9-24 %). "
        "Readers take a plain 'no' as 0 %. 'Possibly' would have matched."
    )


@pytest.mark.parametrize(
    ("positives", "n", "low", "high", "words"),
    [
        (0, 12, 0.0, 0.19, "confirmed it in none of 12 (0 %, 0-19 %)"),
        (12, 12, 0.81, 1.0, "confirmed it in all of 12 (100 %, 81-100 %)"),
        (2, 2, 0.33, 1.0, "confirmed it in both of 2 (100 %, 33-100 %)"),
        (1, 2, 0.06, 0.94, "confirmed it in 1 of 2 (50 %, 6-94 %)"),
        (1, 1, 0.15, 1.0, "confirmed it in the only one (100 %, 15-100 %)"),
        (0, 1, 0.0, 0.85, "did not confirm it in the only one (0 %, 0-85 %)"),
        (0.4, 1, 0.02, 0.9, "confirmed it in part in the only one (40 %, 2-90 %)"),
        (40.6, 87, 0.37, 0.57, "confirmed it in about 41 of 87 (47 %, 37-57 %)"),
        (0.3, 12, 0.0, 0.2, "confirmed it in fewer than 1 of 12 (2 %, 0-20 %)"),
        (11.8, 12, 0.8, 1.0, "confirmed it in nearly all of 12 (98 %, 80-100 %)"),
        (1.5, 2, 0.16, 0.99, "confirmed it in about 1.5 of 2 (75 %, 16-99 %)"),
        (3, 1200, 0.0006, 0.007, "confirmed it in 3 of 1,200 (under 1 %, 0-1 %)"),
        (1199, 1200, 0.996, 0.9999, "confirmed it in 1,199 of 1,200 (over 99 %, over 99 %)"),
        (600, 1200, 0.499, 0.502, "confirmed it in 600 of 1,200 (50 %, 50 %)"),
    ],
)
def test_small_numbers_read_well(positives, n, low, high, words):
    text = wording.recommendation(_rate("likely", positives, n, low, high), LIKELY, [(MAY, 1.0)], "edema", True)
    assert text.startswith(f"When you wrote 'likely' for edema, CT {words}. Readers")


def test_a_denial_of_the_only_statement():
    text = wording.recommendation(_rate("absent", 0, 1, 0, 0.85, 0), ABSENT, [(MAY, 1.0)], "edema", True)
    assert text.startswith("When you ruled out edema, CT did not show it in the only one (0 %, 0-85 %). Readers")


@pytest.mark.parametrize(
    ("targets", "fits", "sentence"),
    [
        ([(MAY, 1.0)], False, "'May represent' would have been closer."),
        ([(MAY, 0.97)], True, "'May represent' would have matched."),
        ([(MAY, 0.94)], True, "'May represent' in about 9 of 10 such cases would have matched."),
        ([(MAY, 0.31)], False, "'May represent' in about 3 of 10 such cases would have been closer."),
        (
            [(MAY, 0.94), (POSSIBLY, 0.06)],
            True,
            "'May represent' in about 9 of 10 such cases and 'possibly' in about 1 of 10 would have matched.",
        ),
        (
            [(MAY, 0.5), (POSSIBLY, 0.3), (ABSENT, 0.2)],
            True,
            "'May represent' in about 5 of 10 such cases and 'possibly' in about 3 of 10 would have matched.",
        ),
        ([(PRESENT, 1.0)], True, "A plain statement would have matched."),
        ([(ABSENT, 1.0)], True, "A plain 'no edema' would have matched."),
    ],
)
def test_what_to_say_instead(targets, fits, sentence):
    text = wording.recommendation(_rate("likely", 4, 9, 0.1, 0.7), LIKELY, targets, "edema", fits)
    assert text.endswith(f" {sentence}")


def test_summaries_name_what_was_stronger_and_weaker():
    strong, weak = _rate("likely", 4, 40, 0.1, 0.2), _rate("possibly", 30, 40, 0.6, 0.9, 0.3)
    denial = _rate("absent", 9, 40, 0.1, 0.4, 0.0)
    assert wording.summary("edema", [strong], [], "") == "For edema, 'likely' was stronger than CT supported."
    assert wording.summary("edema", [strong, weak, denial], ["unlikely"], "") == (
        "For edema, 'likely' and a plain 'no' were stronger than CT supported; "
        "'possibly' was weaker than CT supported; 'unlikely' matched."
    )
    many = [_rate(f"w{i}", 4, 40, 0.1, 0.2) for i in range(6)]
    assert wording.summary("edema", many, ["a", "b"], "") == (
        "For edema, 'w0', 'w1', 'w2' and 3 other words were stronger than CT supported; 2 other words matched."
    )
    assert wording.summary("edema", [], ["a"], "The reason.") == "The reason."


def test_reasons_count_in_singular_and_plural():
    assert wording.too_few_uses(4, 10) == "4 uses; advice needs 10."
    assert wording.too_few_uses(1, 10) == "1 use; advice needs 10."
    assert wording.too_few_findings(14, 30) == "14 findings; advice needs 30."
    assert wording.too_few_findings(1, 30) == "1 finding; advice needs 30."
    assert wording.rarely_used(10) == "No word was used 10 times or more, as advice needs."
    assert wording.rarely_used(1) == "No word was used once or more, as advice needs."
    assert "0.111 without it, 0.119 with it" in wording.no_gain(0.1111, 0.1189)


def test_no_sentence_judges():
    texts = [
        wording.all_matched(1),
        wording.all_matched(2),
        wording.no_better_word(),
        wording.no_gain(0.1, 0.2),
        wording.rarely_used(3),
    ]
    for word in ("confident", "wrong", "bad", "poor", "error-prone", "should"):
        assert not any(word in text for text in texts)
