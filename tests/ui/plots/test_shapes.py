"""Which parts of a reliability curve are drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from radcal.calibration.records import Curve, PhraseRate
from ui.plots.shapes import drawn_bins, runs

M = 10


def curve(*density: float) -> Curve:
    edges, share = np.linspace(0, 1, M + 1), np.array(density) / sum(density)
    nothing = np.zeros(M)
    return Curve(edges[:-1], edges[1:], nothing.copy(), nothing, nothing, share, nothing, nothing, nothing)


def said(low: float, high: float, n: float = 40) -> PhraseRate:
    """A word that means this range; a plain one if that is one end."""
    plain = low == high
    meant = (max(low - 0.05, 0.0), min(high + 0.05, 1.0)) if plain else (low, high)
    return PhraseRate("word", n, n / 2, 0.5, 0.4, 0.6, (low + high) / 2, *meant)


@pytest.mark.parametrize(
    ("ranges", "drawn"),
    [
        ([(0.2, 0.7)], range(2, 7)),
        # Between words nobody speaks: what the curve shows there are their tails.
        ([(0.0, 0.2), (0.7, 0.9)], [0, 1, 7, 8]),
        ([(0.1, 0.2), (0.15, 0.4)], range(1, 4)),
        # Plain statements fill a bin each at the ends, which are no parts of the curve.
        ([(0.2, 0.7), (0.0, 0.0)], range(2, 7)),
        ([(0.7, 1.0), (1.0, 1.0)], [7, 8]),
        # Hedges that reach into the ends are.
        ([(0.0, 0.2)], [0, 1]),
        ([(0.7, 1.0)], [7, 8, 9]),
        ([(0.0, 0.0), (1.0, 1.0)], []),
    ],
)
def test_the_curve_is_drawn_where_hedged_words_lie(ranges: Sequence[tuple[float, float]], drawn: Sequence[int]) -> None:
    rates = [said(*r) for r in ranges]
    assert np.flatnonzero(drawn_bins(curve(*[1.0] * M), rates, 10)).tolist() == list(drawn)


def test_words_that_nobody_said_and_bins_without_rate_draw_nothing() -> None:
    c = curve(*[1.0] * M)
    c.rate[3] = np.nan
    rates = [said(0.2, 0.5), said(0.5, 0.9, n=0)]
    assert np.flatnonzero(drawn_bins(c, rates, 10)).tolist() == [2, 4]


@pytest.mark.parametrize(("hedged", "drawn"), [(9, False), (10, True)])
def test_a_curve_needs_enough_hedges_however_much_was_said_plainly(hedged: float, drawn: bool) -> None:
    assert drawn_bins(curve(*[1.0] * M), [said(0.2, 0.8, hedged), said(0.0, 0.0, 500)], 10).any() == drawn


def test_stretches_are_those_of_finite_values() -> None:
    nan = float("nan")
    assert runs(np.array([nan, 1.0, 2.0, nan, 3.0])) == [(1, 3), (4, 5)]
    assert runs(np.array([nan, nan])) == []
