"""Which reports are drawn for people to read."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.review.gold_sets import at_random


@settings(deadline=None)
@given(st.lists(st.integers(0, 50), min_size=1, max_size=4), st.integers(0, 250), st.integers(0, 1000))
def test_each_stratum_has_its_share(sizes: list[int], total: int, seed: int) -> None:
    strata = [[(k, i) for i in range(size)] for k, size in enumerate(sizes)]
    drawn = at_random(strata, total, seed)
    assert len(set(drawn)) == len(drawn) == min(total, sum(sizes))
    assert set(drawn) <= {item for stratum in strata for item in stratum}
    assert drawn == at_random(strata, total, seed)
    if drawn:
        given_ = Counter(k for k, _ in drawn)
        assert all(abs(given_[k] - size * len(drawn) / sum(sizes)) < 1 for k, size in enumerate(sizes))


def test_every_item_is_as_likely_to_be_drawn_and_to_come_first() -> None:
    draws = [at_random([range(3), range(3, 7)], 3, seed) for seed in range(4200)]
    for counts, often in ((Counter(i for drawn in draws for i in drawn), 3 / 7), (Counter(d[0] for d in draws), 1 / 7)):
        assert all(abs(counts[i] / len(draws) - often) < 0.03 for i in range(7))
