"""Probabilities that sentences state, told from numbers that are content."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.lab.hedges.stated import stated
from tests.cases import cases_of

cases = cases_of(__file__)

STATED = [
    ("There's about a 60 percent chance it was Rome.", 0.6),
    ("There's about a 50/50 chance it was Oslo.", 0.5),
    ("It's fifty-fifty.", 0.5),
    ("One in ten chance it's Oslo, I'd say.", 0.1),
    ("A three in four chance of Rome.", 0.75),
    ("One in a million chance.", 1e-6),
    ("I'm 9 out of 10 sure.", 0.9),
    ("8/10 sure it's Rome.", 0.8),
    ("60/40 it was Rome.", 0.6),
    ("30% likely", 0.3),
    ("90 percent Rome.", 0.9),
    ("65% Rome, 35% Oslo.", 0.65),
    ("Rome, 80-90 %.", 0.85),
    ("Pneumonia (70 %).", 0.7),
    ("Two to one it was Rome.", 2 / 3),
    ("About 2:1 odds.", 2 / 3),
    ("The odds are three to one that it was Lyon.", 0.75),
    ("10 to 1 against it being Ghent.", 1 / 11),
    ("Nine times out of ten it's a cyst.", 0.9),
    ("It's a cyst, nine times out of ten.", 0.9),
    ("A two-thirds chance.", 2 / 3),
    ("I'm eighty to ninety percent sure.", 0.85),
    ("Seventy five per cent certain.", 0.75),
    ("I'm one hundred percent sure.", 1.0),
    ("I'm 99.9% sure.", 0.999),
    ("I'd put it at 70%.", 0.7),
    ("I'd give it one in three.", 1 / 3),
    ("My confidence: 80%.", 0.8),
    ("The probability is 0.7.", 0.7),
    ("The likelihood that the treaty was signed on 4 March is about 35%.", 0.35),
    ("I'm less than 20% sure.", 0.15),
    ("No more than a 20% chance.", 0.15),
    ("I'm more than 80 % sure.", 0.85),
    ("50% uncertain", 0.5),
    ("I'm 80% sure it was not Rome.", 0.2),
    ("I'm 80% sure it's not the Nile but the Amazon.", 0.8),
    ("There's a 30% chance that I'm wrong.", 0.7),
]


@pytest.mark.parametrize(("sentence", "value"), STATED)
def test_every_spelling_is_read(sentence, value):
    found = stated(sentence)
    assert found is not None
    assert found.value == pytest.approx(value, abs=1e-9)


@cases("content_and_denied_numbers_state_nothing")
def test_content_and_denied_numbers_state_nothing(sentence):
    assert stated(sentence) is None


@given(st.integers(0, 100), st.sampled_from(["%", " %", " percent", " per cent"]), st.sampled_from(["", '"', "  "]))
def test_it_is_where_it_stands(n, unit, around):
    text = f"{around}I\u2019m {n}{unit} sure it was Rome.{around}"
    found = stated(text)
    assert found is not None
    assert found.value == pytest.approx(n / 100)
    assert text[found.start : found.end] == f"{n}{unit} sure"


@given(st.text(max_size=80))
def test_any_text_can_be_asked(text):
    found = stated(text)
    assert found is None or (0 <= found.value <= 1 and 0 <= found.start < found.end <= len(text))
