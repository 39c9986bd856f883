"""Phrases in bins, against numerical quadrature and the definitions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.stats import beta
from scipy.stats import beta as beta_distribution

from radcal.calibration import scoring
from radcal.words.bins import HIGHEST, N_BINS, bin_phrases, reference_positive, shapes
from radcal.words.extraction_words import shipped
from radcal.words.phrases import Lexicon, is_point_mass, load_lexicon, mean_of, plain, point, spread_of
from radcal.words.records import Phrase

SHAPES = st.floats(0.05, 200.0)


def word(a: float, b: float) -> Phrase:
    return Phrase("word", a, b, 0.0, 1.0)


@pytest.mark.parametrize(("a", "b"), [(2.0, 5.0), (0.7, 0.4), (14.9, 1.3), (1.0, 1.0), (1.2, 30.0)])
def test_weights_and_moments_are_the_integrals(a: float, b: float) -> None:
    bins = bin_phrases([word(a, b)], 10)
    pdf = beta_distribution(a, b).pdf
    for m in range(10):
        lo, hi = bins.edges[m], bins.edges[m + 1]
        assert bins.weight[0, m] == pytest.approx(quad(pdf, lo, hi)[0], abs=1e-6)
        assert bins.moment[0, m] == pytest.approx(quad(lambda x: x * pdf(x), lo, hi)[0], abs=1e-6)
    assert bins.mean[0] == pytest.approx(beta_distribution.mean(a, b))
    assert bins.second[0] == pytest.approx(beta_distribution.moment(2, a, b))
    assert bins.above_half[0] == pytest.approx(beta_distribution.sf(0.5, a, b))


@given(a=SHAPES, b=SHAPES, n_bins=st.integers(2, 200))
@settings(deadline=None, max_examples=60)
def test_mass_and_mean_are_kept_and_moments_lie_in_their_bins(a: float, b: float, n_bins: int) -> None:
    bins = bin_phrases([word(a, b)], n_bins)
    assert bins.weight.sum() == pytest.approx(1)
    assert bins.moment.sum() == pytest.approx(a / (a + b))
    assert (bins.moment >= bins.weight * bins.edges[:-1] - 1e-12).all()
    assert (bins.moment <= bins.weight * bins.edges[1:] + 1e-12).all()


@pytest.mark.parametrize("method", ["exact", "midpoint"])
def test_point_masses_lie_in_the_outer_bins(method: str) -> None:
    bins = bin_phrases([word(0, 1), word(1, 0)], 5, method)  # type: ignore[arg-type]
    assert bins.weight.tolist() == [[1, 0, 0, 0, 0], [0, 0, 0, 0, 1]]
    assert bins.moment.tolist() == [[0, 0, 0, 0, 0], [0, 0, 0, 0, 1]]
    assert bins.second.tolist() == bins.mean.tolist() == bins.above_half.tolist() == [0, 1]


def test_the_midpoint_method_comes_near_the_exact_one_on_many_bins() -> None:
    exact, midpoint = (bin_phrases([word(3, 4)], 1000, m) for m in ("exact", "midpoint"))  # type: ignore[arg-type]
    np.testing.assert_allclose(midpoint.weight, exact.weight, atol=1e-7)
    np.testing.assert_allclose(midpoint.moment, exact.moment, atol=1e-7)
    assert midpoint.weight[0, 500] == pytest.approx(beta_distribution.pdf(0.5005, 3, 4) / 1000)


def test_a_reference_counts_for_its_mean_or_for_the_probability_above_one_half() -> None:
    words = [word(0, 1), word(3, 3), word(2, 1), word(1, 0)]
    assert reference_positive(words) == pytest.approx([0, 0.5, 2 / 3, 1])
    assert reference_positive(words, "paper") == pytest.approx([0, 0.5, 0.75, 1])
    assert reference_positive([]).shape == (0,)


def test_there_are_a_hundred_bins_unless_others_are_wanted() -> None:
    assert bin_phrases([word(1, 1)]).weight.shape == (1, 100)
    assert bin_phrases([word(1, 1)], 2).weight == pytest.approx(np.array([[0.5, 0.5]]))


def test_every_shipped_phrase_can_be_binned() -> None:
    lexicon = load_lexicon()
    bins = bin_phrases(lexicon.phrases)
    assert bins.phrases == tuple(p.name for p in lexicon.phrases)
    assert (np.diff(bins.mean) >= 0).all()


def test_shapes_are_the_densities_cut_off_and_scaled_to_one() -> None:
    phrase = Phrase("x", 4.0, 2.0, 0, 1)
    [drawn] = shapes([phrase])
    edges = np.linspace(0, 1, N_BINS + 1)
    density = np.diff(beta.cdf(edges, 4, 2)) * N_BINS
    assert drawn == pytest.approx(density / density.max())


def test_a_density_that_rises_without_end_is_cut_off_and_one_that_stays_low_is_not() -> None:
    words = [Phrase("present", 1, 0, 1, 1), Phrase("steep", 0.05, 3, 0, 1), Phrase("flat", 1, 1, 0, 1)]
    edges = np.linspace(0, 1, N_BINS + 1)
    density = np.minimum(np.diff(beta.cdf(edges, 0.05, 3)) * N_BINS, HIGHEST)
    assert density.max() == HIGHEST
    assert shapes(words) == pytest.approx(np.array([np.zeros(N_BINS), density / HIGHEST, np.ones(N_BINS)]))


def test_every_shape_fits_and_a_point_mass_has_none() -> None:
    drawn = shapes(shipped().phrases)
    for phrase, shape in zip(shipped().phrases, drawn, strict=True):
        assert shape.min() >= 0
        assert shape.max() == (0 if min(phrase.alpha, phrase.beta) == 0 else pytest.approx(1))
    [steep] = shapes([Phrase("x", 0.05, 3.0, 0, 1)])
    assert steep[0] == 1
    assert shapes([]).shape == (0, N_BINS)
    assert HIGHEST > 1


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
