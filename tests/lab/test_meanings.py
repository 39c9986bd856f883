"""What the shipped surveys answered, against the words that were fitted to them."""

from __future__ import annotations

import numpy as np
import pytest

from radcal.lab.responses import PUBLIC, RADIOLOGISTS, SURVEYS, meanings
from radcal.words.phrases import load_lexicon, mean_of


@pytest.mark.parametrize("survey", SURVEYS)
def test_means_and_answers_are_those_of_the_lexicon(survey: str) -> None:
    lexicon = load_lexicon(table="phrases.csv" if survey == RADIOLOGISTS else "phrases_public.csv")
    found = meanings(survey)
    assert set(found) == {p.name for p in lexicon.phrases} - {"absent", "present"}
    for name, meant in found.items():
        phrase = lexicon.find(name)
        assert phrase is not None
        assert meant.weights.sum() == pytest.approx(1)
        assert (np.diff(meant.places) > 0).all()
        assert meant.places @ meant.weights / 100 == pytest.approx(mean_of(phrase), abs=1e-6)
        assert (meant.n, meant.asked) == (phrase.answers, phrase.asked)


def test_a_range_is_spread_and_a_percentage_stays() -> None:
    very = meanings(RADIOLOGISTS)["very unlikely"]
    assert very.places.tolist()[:2] == [0, 5]
    assert 54 in meanings(PUBLIC)["better than even"].places or 51 in meanings(PUBLIC)["better than even"].places
