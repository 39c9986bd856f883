"""What unknown words may mean: from their sentences, and from a model's chances."""

from __future__ import annotations

import numpy as np
import pytest

from radcal.lab.model_perception import lexicon_of
from radcal.lab.perception import ModelMeaning
from radcal.lab.proposed_meanings import Proposal, from_numbers, from_sentences, least_spread
from radcal.system.text import Text
from radcal.words.phrases import load_lexicon, mean_of, spread_of

LEXICON = load_lexicon()


def test_words_that_speak_of_certainty_are_read_on_their_own():
    found = from_sentences("hard to exclude, perhaps", ["Likely pneumonia, hard to exclude, perhaps."])
    assert isinstance(found, Proposal)
    assert (found.source, found.n) == ("hedges", 1)
    assert 0.05 < found.mean < 0.5
    assert "perhaps" in found.note


def test_other_words_are_read_by_the_sentences_in_which_they_stand():
    found = from_sentences("zogly", ["Zogly may represent scarring.", "There is probable zogly.", "Zogly."])
    assert isinstance(found, Proposal)
    assert found.n == 2
    assert "may represent" in found.note


@pytest.mark.parametrize("words", ["odds are", "I wonder if there is", "almost no chance of", "surely"])
def test_the_error_is_never_below_that_of_surveyed_words(words):
    found = from_sentences(words, [])
    assert isinstance(found, Proposal)
    assert found.spread >= least_spread(found.mean) > 0


def test_nothing_is_proposed_where_nothing_tells():
    assert isinstance(from_sentences("zogly", ["Zogly in the left lobe."]), Text)
    assert "German" in from_sentences("wohl", ["Das ist wohl eine Verschattung und nicht neu."])


def test_the_least_spread_is_that_of_the_nearest_surveyed_word():
    phrase = LEXICON.find("unlikely")
    assert least_spread(mean_of(phrase)) == pytest.approx(spread_of(phrase))
    assert all(least_spread(m) > 0 for m in np.linspace(0, 1, 11))


def test_a_model_s_chances_become_their_mean_and_standard_deviation():
    chances = np.zeros((2, 101))
    chances[0, 0], chances[1, 80] = 1.0, 1.0
    found = from_numbers("m.gguf", chances)
    assert (found.mean, found.spread, found.n) == (pytest.approx(0.4), pytest.approx(0.4), 2)


def test_a_model_s_reading_becomes_a_list_of_phrases():
    chances = np.zeros(101)
    chances[[40, 60]] = 0.5

    class Read:
        who, meanings = "m.gguf", (ModelMeaning("zogly", tuple(chances)),)

    [phrase] = lexicon_of(Read()).phrases
    assert (mean_of(phrase), spread_of(phrase)) == (pytest.approx(0.5), pytest.approx(0.1))
    assert "m.gguf" in phrase.source
