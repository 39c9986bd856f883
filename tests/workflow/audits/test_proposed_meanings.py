"""What unknown words may mean: from their sentences, and from a language model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from radcal.audit.proposals import from_sentences, least_spread
from radcal.lexicon.editing import is_plain
from radcal.lexicon.phrases import load_lexicon, mean_of, spread_of
from radcal.records.hedges import Proposal
from radcal.text import Text
from radcal.workflow.audits.proposed_meanings import STATEMENTS, by_model

LEXICON = load_lexicon()
HEDGED = [p for p in LEXICON.phrases if not is_plain(p.name)]


class Told:
    """A model that says 70 to everything, and to which words are as near as their meanings."""

    model = Path("told.gguf")

    def __init__(self, places):
        self.places, self.asked = places, []

    def number_distribution(self, texts, progress=None, lead=None):
        self.asked += texts
        chances = np.zeros((len(texts), 101))
        chances[:, [60, 80]] = 0.5
        return chances

    def embeddings(self, texts, progress=None):
        rows = []
        for text in texts:
            known = LEXICON.find(text)
            angle = np.pi * (self.places[text] if known is None else mean_of(known))
            rows.append((np.cos(angle), np.sin(angle), 3.0))
        return np.array(rows) / np.linalg.norm(rows, axis=1, keepdims=True)


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


def test_a_model_proposes_its_numbers_and_its_neighbours():
    model = Told({"zogly": mean_of(LEXICON.find("probably"))})
    told, near = by_model(model, "zogly", LEXICON)
    assert (told.source, told.n, told.mean) == ("model", STATEMENTS, pytest.approx(0.7))
    assert told.spread == pytest.approx(max(0.1, least_spread(0.7)))
    assert all("zogly" in text for text in model.asked)
    assert near.source == "neighbours"
    assert near.mean == pytest.approx(mean_of(LEXICON.find("probably")), abs=0.03)
    assert "probably" in near.note


def test_the_error_of_neighbours_is_what_they_say_of_known_words():
    near = by_model(Told({"zogly": 0.5}), "zogly", LEXICON)[1]
    far = by_model(Told({"zogly": 0.5} | {}), "zogly", LEXICON)[1]
    assert near == far
    chance = np.random.default_rng(0)

    class Lost(Told):
        def embeddings(self, texts, progress=None):
            rows = chance.normal(size=(len(texts), 16))
            return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    lost = by_model(Lost({}), "zogly", LEXICON)[1]
    assert lost.spread > near.spread
    assert lost.spread > 0.15


def test_the_least_spread_is_that_of_the_nearest_surveyed_word():
    phrase = LEXICON.find("unlikely")
    assert least_spread(mean_of(phrase)) == pytest.approx(spread_of(phrase))
    assert all(least_spread(m) > 0 for m in np.linspace(0, 1, 11))
