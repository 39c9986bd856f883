"""Shapes of distributions to be drawn."""

import numpy as np
import pytest
from scipy.stats import beta

from radcal.words.extraction_words import shipped
from radcal.words.records import Phrase
from radcal.words.shapes import HIGHEST, N_BINS, shapes


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
