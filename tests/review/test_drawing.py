"""Which reports are drawn for people to read."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.review.gold_sets import allotted


@settings(deadline=None)
@given(st.lists(st.integers(0, 50), min_size=1, max_size=4), st.integers(0, 250))
def test_what_is_allotted_adds_up_and_is_in_proportion(sizes, total):
    given_ = allotted(sizes, total)
    assert sum(given_) == min(total, sum(sizes))
    assert all(0 <= n <= size for n, size in zip(given_, sizes, strict=True))
    if 0 < total <= sum(sizes):
        assert all(abs(n - size * total / sum(sizes)) < len(sizes) + 1 for n, size in zip(given_, sizes, strict=True))
        if total >= len(sizes):
            assert all(n > 0 for n, size in zip(given_, sizes, strict=True) if size)


@pytest.mark.parametrize(
    ("sizes", "total", "drawn"),
    [([1, 1, 50], 3, [1, 1, 1]), ([50, 50], 5, [3, 2]), ([0, 9], 4, [0, 4]), ([3, 3], 1, [1, 0]), ([0, 0], 2, [0, 0])],
)
def test_small_strata_are_not_forgotten(sizes, total, drawn):
    assert allotted(sizes, total) == drawn
