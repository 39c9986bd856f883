"""Sentences as they are read."""

from __future__ import annotations

import numpy as np
import pytest

from radcal.advice import wording
from radcal.advice.ordered import Guards
from radcal.calibration.records import ALL_AUTHORS
from radcal.words.phrases import expected_rates
from radcal.words.records import Phrase
from tests.means import rate_of as _rate

LIKELY = Phrase("likely", 3.9, 1.15, 0.75, 0.9)
PROBABLY = Phrase("probably", 1.2, 0.56, 0.75, 0.9)
MAY = Phrase("may represent", 2.0, 2.6, 0.25, 0.75)
POSSIBLY = Phrase("possibly", 0.9, 2.2, 0.05, 0.25)
ABSENT = Phrase("absent", 0, 1, 0, 0)
PRESENT = Phrase("present", 1, 0, 1, 1)


def test_a_recommendation_reads_as_it_should():
    text = wording.recommendation(_rate(LIKELY, 41, 87, 0.37, 0.57), LIKELY, MAY, "edema", 0.979)
    assert text == (
        "Your 'likely' overstated edema: CT confirmed 41 of 87 (47 %, 37-57). Readers take it as 75-90 %. 'May "
        "represent' would have been closer in these findings (97 % sure)."
    )
    text = wording.recommendation(_rate(LIKELY, 41, 87, 0.37, 0.57), LIKELY, MAY, "edema", 0.979, author=ALL_AUTHORS)
    assert text.startswith("'Likely' overstated edema: CT confirmed 41 of 87")
    of_no = wording.recommendation(_rate(ABSENT, 9, 80, 0.05, 0.2), ABSENT, POSSIBLY, "edema", 0.99)
    assert of_no.startswith("You ruled out edema 80 times; CT showed it in 9 (11 %")
    assert wording.to_others(of_no).startswith("Edema was ruled out 80 times; CT showed it in 9 (11 %")


def test_others_read_the_same_without_your():
    for verdict in (_rate(LIKELY, 41, 87, 0.37, 0.57), _rate(LIKELY, 70, 87, 0.7, 0.9)):
        to_the_reader = wording.recommendation(verdict, LIKELY, MAY, "edema", 0.979)
        to_others = wording.recommendation(verdict, LIKELY, MAY, "edema", 0.979, author=ALL_AUTHORS)
        assert wording.to_others(to_the_reader) == to_others != to_the_reader


def test_a_word_that_is_not_shown_to_differ_may_have_a_closer_one():
    text = wording.recommendation(_rate(MAY, 30, 100, 0.22, 0.4), MAY, POSSIBLY, "edema", 0.9712)
    assert text == (
        "For edema, CT confirmed your 'may represent' in 30 of 100 (30 %, 22-40). Readers take it as 25-75 %, 43 % on "
        "average. 'Possibly' would have been closer in these findings (97 % sure). Even that says less than CT found."
    )


def test_the_range_is_the_one_that_readers_gave():
    """The verdict widens the range where few answered, which is no part of what readers said."""
    few = Phrase("likely", 8.9, 2.6, 0.75, 0.9, answers=6, asked=50, within=4)
    assert expected_rates(few) != (few.low, few.high)
    text = wording.recommendation(_rate(few, 41, 87, 0.37, 0.57), few, MAY, "edema", 0.979)
    assert "Readers take it as 75-90 %." in text


def test_rates_less_the_errors_of_the_ct_say_so():
    rate = _rate(LIKELY, 41, 87, 0.35, 0.56)._replace(rate=0.45)
    text = wording.recommendation(rate, LIKELY, MAY, "edema", 0.979)
    assert "CT confirmed 41 of 87 (45 % when CT's own errors are allowed for, 35-56). " in text


def test_plain_statements_are_read_as_certain_or_never():
    text = wording.recommendation(_rate(PRESENT, 33, 40, 0.68, 0.92), PRESENT, LIKELY, "edema", 0.999)
    assert text == (
        "Your 'present' overstated edema: CT confirmed 33 of 40 (82 %, 68-92). Readers take it as certain. 'Likely' "
        "would have been closer in these findings (over 99 % sure)."
    )
    text = wording.recommendation(_rate(ABSENT, 12, 80, 0.09, 0.24), ABSENT, POSSIBLY, "edema", 0.95)
    assert text == (
        "You ruled out edema 80 times; CT showed it in 12 (15 %, 9-24). Readers take 'no' as never. 'Possibly' would "
        "have been closer in these findings (95 % sure)."
    )
    text = wording.recommendation(_rate(POSSIBLY, 0, 80, 0.0, 0.03), POSSIBLY, ABSENT, "edema", 0.95)
    assert "A plain 'no' would have been closer" in text


@pytest.mark.parametrize(
    ("positives", "n", "low", "high", "hedged", "words"),
    [
        (0, 12, 0.0, 0.19, 0, "none of 12 (0 %, 0-19)"),
        (9, 9, 0.76, 1.0, 0, "all of 9 (100 %, 76-100)"),
        (2, 2, 0.33, 1.0, 0, "both of 2 (100 %, 33-100)"),
        (1, 2, 0.06, 0.94, 0, "1 of 2 (50 %, 6-94)"),
        (1, 1, 0.15, 1.0, 0, "the only one (100 %, 15-100)"),
        (0, 1, 0.0, 0.85, 0, "none of 1 (0 %, 0-85)"),
        (3.2, 14, 0.08, 0.46, 1, "about 3 of 14 (23 %, 8-46; CT itself hedged in one)"),
        (40.6, 87, 0.37, 0.57, 12, "about 41 of 87 (47 %, 37-57; CT itself hedged in 12)"),
        (0.3, 12, 0.0, 0.2, 1, "about 0.3 of 12 (2 %, 0-20; CT itself hedged in one)"),
        (11.8, 12, 0.8, 1.0, 1, "about 11.8 of 12 (98 %, 80-100; CT itself hedged in one)"),
        (8.991, 9, 0.76, 1.0, 9, "nearly all of 9 (over 99 %, 76-100; CT itself hedged in 9)"),
        (0.006, 12, 0.0, 0.2, 1, "hardly any of 12 (under 1 %, 0-20; CT itself hedged in one)"),
        (3, 1200, 0.0006, 0.007, 0, "3 of 1,200 (under 1 %, 0-1)"),
        (1199, 1200, 0.996, 0.9999, 0, "1,199 of 1,200 (over 99 %, 100-100)"),
    ],
)
def test_small_numbers_read_well(positives, n, low, high, hedged, words):
    rate = _rate(LIKELY, positives, n, low, high)._replace(verdict="stronger")
    text = wording.recommendation(rate, LIKELY, MAY, "edema", 0.97, hedged)
    assert text.startswith(f"Your 'likely' overstated edema: CT confirmed {words}. ")


@pytest.mark.parametrize(
    ("share", "sentence"),
    [
        (1.0, "The transport plan puts 'may represent' in its place (62 % sure to be closer)."),
        (0.71, "The transport plan puts 'may represent' in 7 of 10 of its places (62 % sure to be closer)."),
    ],
)
def test_a_transport_plan_says_what_it_does_and_how_sure_that_is_closer(share, sentence):
    text = wording.recommendation(_rate(LIKELY, 4, 9, 0.1, 0.7), LIKELY, MAY, "edema", 0.627, transported=share)
    assert text.endswith(f" {sentence}")


def test_where_nothing_is_advised_the_verdicts_say_why():
    strong, weak = _rate(LIKELY, 4, 40, 0.05, 0.2), _rate(POSSIBLY, 30, 40, 0.6, 0.9)
    matching, open_ = _rate(MAY, 20, 40, 0.35, 0.65), _rate(PROBABLY, 30, 40, 0.6, 0.87)
    lost = wording.out_of_order()
    far = wording.closed("opposite", MAY, 0.9, Guards(10, np.ones(1, bool), 3, 0.95))
    assert wording.no_change([strong, matching], {lost}) == (
        "No closer word is known for 'likely'. With a nearer word, it would swap places with another word that is to "
        "change."
    )
    assert wording.no_change([strong, weak], {lost, far}) == "No closer word is known for 'likely' and 'possibly'."
    assert wording.no_change([matching, open_], ()) == "No word clearly differs from what CT found."


def test_reasons_count_in_singular_and_plural():
    assert wording.too_few_uses(4, 10) == "4 uses; advice needs 10."
    assert wording.too_few_uses(1, 10) == "1 use; advice needs 10."
    assert wording.too_few_findings(14, 30) == "14 findings; advice needs 30."
    assert wording.too_few_findings(1, 30) == "1 finding; advice needs 30."
    assert wording.rarely_used(10) == "No word was used the 10 times that advice needs."
    assert wording.rarely_used(1) == "No word was used even once, as advice needs."


def test_every_guard_says_what_it_closed_and_no_sentence_judges():
    guards = Guards(10, np.ones(1, bool), 3, 0.95)
    names = ("right", "nearer", "allowed", "steps", "opposite", "turned", "far", "gain", "sure", "score", "parts")
    texts = [wording.closed(guard, MAY, 0.946, guards) for guard in names]
    assert len(set(texts)) == len(names)
    assert "The nearer words are more than 3 steps away." in texts
    assert "'May represent' may be nearer, but that is only 94 % sure; advice needs 95 %." in texts
    texts += [wording.out_of_order(), wording.kept_by_transport(), wording.rarely_used(3), wording.no_change([], ())]
    for word in ("confident", "wrong", "bad", "poor", "error-prone", "should"):
        assert not any(word in text for text in texts)
