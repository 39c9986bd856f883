"""Phrases in bins, against numerical quadrature and the definitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import beta as beta_distribution

from radcal.system.errors import DataError
from radcal.words.bins import bin_phrases, reference_positive
from radcal.words.phrases import load_lexicon
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


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (0, 0), (-1, 2), (2, -1), (-1, -1), (float("nan"), 1), (1, float("nan")), (float("inf"), 1),
        (1, float("inf")), (float("inf"), float("inf")), (0, float("inf")),
    ],
)  # fmt: skip
def test_an_invalid_distribution_is_refused_by_name(a: float, b: float) -> None:
    with pytest.raises(DataError, match="'word'"):
        bin_phrases([word(a, b)])


def test_there_are_a_hundred_bins_unless_others_are_wanted_and_two_at_least() -> None:
    assert bin_phrases([word(1, 1)]).weight.shape == (1, 100)
    assert bin_phrases([word(1, 1)], 2).weight == pytest.approx(np.array([[0.5, 0.5]]))


def test_one_bin_is_refused() -> None:
    with pytest.raises(DataError, match="at least 2 bins"):
        bin_phrases([word(1, 1)], 1)


def test_every_shipped_phrase_can_be_binned() -> None:
    lexicon = load_lexicon()
    bins = bin_phrases(lexicon.phrases)
    assert bins.phrases == tuple(p.name for p in lexicon.phrases)
    assert (np.diff(bins.mean) >= 0).all()
