"""Which parts of a reliability curve are drawn."""

from __future__ import annotations

import numpy as np
import pytest

from radcal.records import Curve, PhraseRate
from ui.plots.shapes import parts_of, runs

M = 10


def curve(*density: float) -> Curve:
    edges, share = np.linspace(0, 1, M + 1), np.array(density) / sum(density)
    nothing = np.zeros(M)
    return Curve(edges[:-1], edges[1:], nothing, nothing, nothing, share, nothing, nothing, nothing)


def said(mean: float, n: float = 40) -> PhraseRate:
    return PhraseRate("word", n, n / 2, 0.5, 0.4, 0.6, mean)


HEDGES = (0.0, 0.0, 1.0, 2.0, 2.0, 2.0, 1.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("plain", "density", "drawn"),
    [
        ((), HEDGES, range(2, 7)),
        # Plain statements fill a bin each at the ends, which are no parts of the curve.
        ((0.0,), (9.0, *HEDGES[1:]), range(2, 7)),
        ((1.0,), (*HEDGES[:-1], 9.0), range(2, 7)),
        # Hedges that reach into the ends are.
        ((), (9.0, 1.0, *HEDGES[2:]), range(7)),
        ((), (*HEDGES[:-3], 1.0, 1.0, 9.0), range(2, 10)),
    ],
)
def test_plain_statements_are_points_and_no_parts_of_the_curve(
    plain: tuple[float, ...], density: tuple[float, ...], drawn: range
) -> None:
    rates = [said(0.5), *map(said, plain)]
    within, parts = parts_of(curve(*density), rates, 10)
    assert np.flatnonzero(within).tolist() == np.flatnonzero(parts).tolist() == list(drawn)


def test_the_curve_ends_where_a_hundredth_of_its_height_is_left() -> None:
    within, parts = parts_of(curve(0, 0.9, 1.1, 50, 100, 50, 2, 1.1, 0.9, 0), [said(0.5)], 10)
    assert np.flatnonzero(within).tolist() == list(range(1, 9))
    assert np.flatnonzero(parts).tolist() == list(range(2, 8))


@pytest.mark.parametrize(("hedged", "drawn"), [(9, False), (10, True)])
def test_a_curve_needs_enough_hedges_however_much_was_said_plainly(hedged: float, drawn: bool) -> None:
    within, parts = parts_of(curve(*HEDGES), [said(0.5, hedged), said(0.0, 500)], 10)
    assert within.any() == parts.any() == drawn


def test_stretches_are_those_of_finite_values() -> None:
    nan = float("nan")
    assert runs(np.array([nan, 1.0, 2.0, nan, 3.0])) == [(1, 3), (4, 5)]
    assert runs(np.array([nan, nan])) == []
