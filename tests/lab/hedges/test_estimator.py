"""How sure sentences sound: their order, their bounds, and what makes no difference."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.lab.hedges import estimator
from radcal.lab.hedges.estimator import SentenceEstimate, load, shipped, why_not
from radcal.system.errors import InputError
from radcal.system.text import Text
from radcal.words.languages import recognise
from tests.cases import cases_of

cases = cases_of(__file__)

LADDERS = [
    [
        "It's almost certainly not X.",
        "It's unlikely to be X.",
        "It might be X.",
        "It's probably X.",
        "It's very likely X.",
        "It is definitely X.",
    ],
    [
        "I doubt it was X.",
        "I think it might be X.",
        "I think it was X.",
        "I'm quite sure it was X.",
        "I am absolutely certain it was X.",
    ],
    [
        "I have no idea.",
        "I'm really not sure, but maybe X.",
        "I'm not entirely sure, but I think X.",
        "I'm fairly sure it's X.",
        "It's X.",
    ],
    ["I'm 5% sure it's X.", "I'm 30% sure it's X.", "I'm 70% sure it's X.", "I'm 95% sure it's X."],
    [
        "Very unlikely pneumonia.",
        "Possible pneumonia.",
        "Probable pneumonia.",
        "The findings are diagnostic of pneumonia.",
    ],
    ["Maybe it was X, but I'm just guessing.", "Maybe it was X.", "Most likely it was X.", "Without a doubt it was X."],
]
NAMES = [
    "Rome",
    "the old bridge",
    "Karin Holt",
    "12 October 1911",
    "pneumonia",
    "a blacksmith from Ghent",
    "42",
    "copper",
]


def values(*sentences):
    return [found.value for found in shipped().estimate(sentences)]


@pytest.mark.parametrize("ladder", LADDERS, ids=lambda ladder: ladder[0])
def test_stronger_words_sound_surer(ladder):
    assert all(a + 0.02 < b for a, b in itertools.pairwise(values(*ladder)))


@cases("sentences_are_read_as_people_read_them")
def test_sentences_are_read_as_people_read_them(sentence, low, high):
    [found] = shipped().estimate([sentence])
    assert low <= found.value <= high


@cases("what_tells_nothing_of_certainty_is_plain")
def test_what_tells_nothing_of_certainty_is_plain(sentence):
    [found] = shipped().estimate([sentence])
    assert (found.kind, found.words) == ("plain", ())
    assert found.value > 0.9


@cases("a_missing_apostrophe_makes_no_difference")
def test_a_missing_apostrophe_makes_no_difference(sloppy, careful):
    first, second = values(sloppy, careful)
    assert first == pytest.approx(second, abs=0.01)


@cases("a_stated_number_is_the_estimate_within_a_narrow_interval")
def test_a_stated_number_is_the_estimate_within_a_narrow_interval(sentence, value):
    [found] = shipped().estimate([sentence])
    assert found.kind == "hedged"
    assert found.value == pytest.approx(value)
    assert found.high - found.low <= 0.2 + 1e-9
    assert found.words


@cases("content_makes_no_difference")
def test_content_makes_no_difference(frame):
    found = values(*(frame.format(name) for name in NAMES))
    assert max(found) - min(found) < 0.1


def test_the_words_of_a_sentence_are_named():
    plain, hedged, silent = shipped().estimate(
        ["It opened in 1853.", "I\u2019m not sure, but it may be Rome.", "I don't know."]
    )
    assert (plain.kind, plain.words) == ("plain", ())
    assert (hedged.kind, hedged.words) == ("hedged", ("I\u2019m not sure", "but it may be"))
    assert silent.kind == "abstention"


@pytest.mark.parametrize(
    "sentence",
    ["I have no idea who it was.", "I'm unable to say.", "I can't answer that question.", "It is impossible to say."],
)
def test_abstentions_are_told_from_weak_answers(sentence):
    assert shipped().estimate([sentence])[0].kind == "abstention"
    [answered] = shipped().estimate([f"{sentence} Maybe Rome."])
    assert answered.kind == "hedged"


@cases("what_cannot_be_read_has_a_reason_and_no_estimate")
def test_what_cannot_be_read_has_a_reason_and_no_estimate(text, reason):
    why, read = shipped().estimate([text, "Rome."])
    assert isinstance(why, Text)
    assert reason in why
    assert why == why_not(text, shipped())
    assert isinstance(read, SentenceEstimate)


def test_the_language_of_a_sentence_is_recognised_once(monkeypatch):
    asked = []
    monkeypatch.setattr(estimator, "recognise", lambda text: asked.append(text) or recognise(text))
    texts = ["Vielleicht ist es Rom.", "It may be Rome."]
    shipped().estimate(texts)
    assert len(asked) == len(texts)


@cases("names_and_titles_of_other_languages_are_content")
def test_names_and_titles_of_other_languages_are_content(text):
    assert not why_not(text, shipped())


@cases("german_and_french_are_refused")
def test_german_and_french_are_refused(text):
    assert why_not(text, shipped())


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.one_of(st.text(max_size=60), st.sampled_from([s for ladder in LADDERS for s in ladder])), max_size=5)
)
def test_estimates_keep_within_their_bounds(texts):
    found = shipped().estimate(texts)
    assert len(found) == len(texts)
    for text, estimate in zip(texts, found, strict=True):
        assert isinstance(estimate, Text) == bool(why_not(text, shipped()))
        if isinstance(estimate, SentenceEstimate):
            assert not math.isnan(estimate.value)
            assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
            assert all(words in text for words in estimate.words)


def test_a_sentence_is_read_alike_alone_and_among_others():
    texts = [s for ladder in LADDERS for s in ladder]
    together = values(*texts)
    assert together == pytest.approx([values(text)[0] for text in texts])


def test_of_several_sentences_the_mean_counts_and_remarks_belong_to_what_they_are_about():
    plain, may, both = values("It opened in 1853.", "It may be Rome.", "It opened in 1853. It may be Rome.")
    assert both == pytest.approx((plain + may) / 2)
    apart, joined = values("It was Rome.", "It was Rome. I'm not sure.")
    assert joined < apart - 0.3


def test_a_long_text_is_read():
    [found] = shipped().estimate(["It may be Rome. " * 3000])
    assert found.value == pytest.approx(values("It may be Rome. It may be Rome.")[0])


def test_no_words_no_estimates():
    assert shipped().estimate([]) == []


def test_a_damaged_file_is_refused(tmp_path):
    path = tmp_path / "model.json"
    for content in ("", "{}", json.dumps({"strong": 1})):
        path.write_text(content, encoding="utf-8")
        with pytest.raises(InputError, match=r"model\.json"):
            load(path)


def test_the_band_lies_around_the_estimate():
    band = shipped().band
    assert np.all(np.diff(band[:, 0]) > 0)
    assert np.all(band[:, 1] <= band[:, 2])
