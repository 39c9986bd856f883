"""Words of a bin, other readers and q-values: against counts made by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from radcal.calibration.groups import phrase_counts, pool_readers, with_q_values, words_in_bin
from radcal.calibration.records import Reliability
from radcal.system.intervals import jeffreys
from radcal.words.bins import bin_phrases
from radcal.words.phrases import load_lexicon

PHRASES = load_lexicon().phrases
NAMES = [p.name for p in PHRASES]


def test_phrases_are_counted_and_strange_ones_passed_over() -> None:
    said = pd.Categorical(["likely", "hm", "absent", "likely", "likely"])
    n, y = phrase_counts(pd.DataFrame({"phrase": said, "outcome": [1, 1, 0, 0.5, 0]}), NAMES)
    assert dict(zip(NAMES, n.tolist(), strict=True)) == dict.fromkeys(NAMES, 0) | {"likely": 3, "absent": 1}
    assert y.sum() == y[NAMES.index("likely")] == 1.5


@pytest.mark.parametrize("certainty", [-0.5, 0.0, 0.33, 0.62, 1.0, 7.0])
def test_words_of_a_bin_are_those_with_the_largest_shares(certainty: float) -> None:
    bins = bin_phrases(PHRASES, 10)
    n = np.arange(1.0, len(NAMES) + 1)
    m = min(max(int(certainty * 10), 0), 9)
    share = {name: n[k] * bins.weight[k, m] / (n @ bins.weight)[m] for k, name in enumerate(bins.phrases)}
    listed = words_in_bin(n, bins, certainty)
    assert [w.phrase for w in listed] == sorted(share, key=lambda name: -share[name])[: len(listed)]
    assert [w.share for w in listed] == pytest.approx([share[w.phrase] for w in listed])
    assert sum(w.share for w in listed) >= 0.95 > sum(w.share for w in listed[:-1])
    assert words_in_bin(np.zeros(len(NAMES)), bins, certainty) == ()


def test_readers_are_pooled_only_where_there_are_enough_of_them() -> None:
    fours, fives = [(9.0, 7.0)] * 4, [(10.0, 4.0), (19.0, 8.0), (5.0, 5.0), (9.0, 9.0), (7.0, 0.0)]
    counts = {
        ("edema", "likely"): [*fours, (4.0, 4.0), (0.0, 0.0)],  # the fifth said it fewer than five times
        ("mass", "likely"): [*fives, (4.0, 1.0)],
    }
    (made,) = pool_readers(counts, {"likely": 0.8}, 0.9)
    assert (made.topic, made.readers) == ("mass", 5)
    n = 14.5 + 14.5 + 3 * 7.0  # the middles of 10-19 and 5-9
    y = 14.5 * 0.4 + 14.5 * 0.4 + 7.0 + 7.0
    assert (made.rate.n, made.rate.positives) == (n, pytest.approx(y))
    least = 2 * 14.5 * 0.3 + 2 * 7 * 0.875  # rates of 10-19 are to 20 points, those of 5-9 to 25
    most = 2 * 14.5 * 0.5 + 2 * 7 + 7 * 0.125
    low, high = jeffreys(np.array(least), np.array(n), 0.9)[0], jeffreys(np.array(most), np.array(n), 0.9)[1]
    assert made.rate.rate == round(round(y / n / 0.05) * 0.05, 2)
    assert 0 <= low - made.rate.low < 0.05
    assert 0 <= made.rate.high - high < 0.05


def test_q_values_are_those_over_all_groups() -> None:
    p = [0.01, None, 0.04, 0.03]
    groups = [replace(Reliability("A", str(i), 9.0, ()), p_value_star=value) for i, value in enumerate(p)]
    made = [r.q_value_star for r in with_q_values(groups)]
    assert made[1] is None
    assert [q for q in made if q is not None] == pytest.approx(stats.false_discovery_control([0.01, 0.04, 0.03]))
