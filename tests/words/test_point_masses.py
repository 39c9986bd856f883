"""Numbers as words: point masses anywhere in 0-1, against ordinary computations on numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from radcal.reliability import scoring
from radcal.words.bins import bin_phrases
from radcal.words.phrases import Lexicon, is_point_mass, load_lexicon, mean_of, plain, point, spread_of
from radcal.words.records import Phrase
from radcal.words.shapes import shapes

NUMBERS = st.lists(st.one_of(st.floats(0, 1), st.integers(0, 100).map(lambda p: p / 100)), min_size=1, max_size=40)


def counted(stated: list[float], right: list[bool]) -> tuple[NDArray[np.float64], NDArray[np.float64], list[Phrase]]:
    """n, y and the words of answers, each with the number that it was stated with."""
    places, place = np.unique(stated, return_inverse=True)
    n, y = np.bincount(place).astype(float), np.bincount(place, np.array(right, dtype=float))
    return n, y, [point(f"{p!r}", p) for p in places.tolist()]


@given(NUMBERS, st.sampled_from([2, 10, 15, 100]), st.randoms(use_true_random=False))
def test_ece_is_the_ordinary_one_of_equal_bins(stated: list[float], n_bins: int, chance: object) -> None:
    rng = np.random.default_rng(len(stated))
    right = (rng.random(len(stated)) < 0.6).tolist()
    n, y, words = counted(stated, right)
    bins = bin_phrases(words, n_bins)
    ordinary = 0.0
    for m in range(n_bins):
        inside = [
            i for i, p in enumerate(stated) if m <= p * n_bins + 1e-9 < m + 1 or (m == n_bins - 1 and p >= 1 - 1e-12)
        ]
        if inside:
            rate, said = np.mean([right[i] for i in inside]), np.mean([stated[i] for i in inside])
            ordinary += len(inside) / len(stated) * abs(rate - said)
    assert scoring.ece(n, y, bins) == pytest.approx(ordinary, abs=1e-9)
    outcomes, numbers = np.array(right, dtype=float), np.array(stated)
    assert scoring.brier(n, y, bins) == pytest.approx(np.mean((numbers - outcomes) ** 2))
    assert scoring.accuracy(n, y, bins) == pytest.approx(np.mean((numbers > 0.5) == (outcomes == 1)))


@pytest.mark.parametrize("hundredths", range(101))
def test_a_number_of_two_digits_lies_in_the_bin_that_its_digits_name(hundredths: int) -> None:
    bins = bin_phrases([point("number", hundredths / 100)], 100)
    assert bins.weight[0].argmax() == min(hundredths, 99)


def test_a_point_is_the_limit_of_ever_narrower_betas() -> None:
    exact = bin_phrases([point("0.83", 0.83)], 20)
    narrow = bin_phrases([Phrase("narrow", 0.83e7, 0.17e7, 0.83, 0.83)], 20)
    for name in ("weight", "moment", "mean", "second", "above_half"):
        np.testing.assert_allclose(getattr(exact, name), getattr(narrow, name), atol=1e-5)


@pytest.mark.parametrize("method", ["exact", "midpoint"])
@pytest.mark.parametrize(("name", "place"), [("absent", 0.0), ("present", 1.0)])
def test_the_ends_are_the_plain_statements(method: str, name: str, place: float) -> None:
    number, word = (bin_phrases([p], 100, method) for p in (point(name, place), plain(name)))  # type: ignore[arg-type]
    for field in ("weight", "moment", "mean", "second", "above_half"):
        assert getattr(number, field).tolist() == getattr(word, field).tolist()


def test_numbers_stand_among_the_words_and_make_another_lexicon() -> None:
    words = load_lexicon()
    more = Lexicon((*words.phrases, point("0.83", 0.83)))
    found = more.find("0.83")
    assert found is not None
    assert (mean_of(found), spread_of(found), is_point_mass(found)) == (0.83, 0.0, True)
    assert [mean_of(p) for p in more.phrases] == sorted(mean_of(p) for p in more.phrases)
    spread = Lexicon((*words.phrases, replace(found, is_point=False)))
    assert len({words.version, more.version, spread.version}) == 3
    assert not shapes([found]).any()
