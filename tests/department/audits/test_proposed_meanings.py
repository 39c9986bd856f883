"""What a language model takes unknown words to mean."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from radcal.lab.proposed_meanings import STATEMENTS, by_model, least_spread
from radcal.words.editing import is_plain
from radcal.words.phrases import load_lexicon, mean_of

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
