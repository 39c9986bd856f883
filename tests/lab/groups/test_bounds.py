"""The bound of a bin's share, its inverses, and that it holds."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.lab.groups.methods import epsilon, findings_for, points_for


def test_the_closed_form():
    # sqrt(log(2 * 1000 / (50 * 0.1)) / 98) and its parts, by hand.
    assert epsilon(1000, 50) == pytest.approx(math.sqrt(math.log(400) / 98))
    assert epsilon(10, 1) == math.inf


@given(st.integers(1, 5000), st.floats(0.02, 0.9))
def test_the_inverse_in_points_is_the_fewest_that_do(n, reach):
    fewest = next((b for b in range(2, n + 1) if epsilon(n, b) <= reach), None)
    assert points_for(reach, n) == fewest


@given(st.floats(0.02, 0.5), st.integers(1, 10))
def test_the_inverse_in_findings_is_the_fewest_that_do(reach, bins):
    n = findings_for(reach, bins)
    assert n % bins == 0
    assert epsilon(n, n // bins) <= reach + 1e-9
    assert epsilon(n - bins, n // bins - 1) > reach - 1e-9
