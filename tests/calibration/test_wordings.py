"""Wordings of a phrase: counts by hand, and the test of homogeneity against exact enumeration."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta, chi2_contingency, fisher_exact

from radcal.calibration.wordings import homogeneity, wordings


def said(*uses: tuple[str, str, str, float, float], topic: str = "edema") -> pd.DataFrame:
    """Observations of (topic or '', phrase, words, n, confirmed)."""
    rows = [(t or topic, phrase, words, float(i < y)) for t, phrase, words, n, y in uses for i in range(int(n))]
    return pd.DataFrame(rows, columns=["topic", "phrase", "verbatim", "outcome"])


def fisher(table: np.ndarray) -> float:
    """Exact p-value of W x 2 tables by the statistic of the test, over all tables of the same margins."""
    n, positive = table.sum(axis=1), int(table[:, 1].sum())
    below = total = 0.0

    def spread(y: tuple[int, ...]) -> float:
        return float(((np.array(y) - n * positive / n.sum()) ** 2 / n).sum())

    for y in product(*(range(int(k) + 1) for k in n)):
        if sum(y) != positive:
            continue
        weight = float(np.prod([comb(int(k), c) for k, c in zip(n, y, strict=True)]))
        total += weight
        below += weight * (spread(y) >= spread(tuple(table[:, 1])) - 1e-9)
    return below / total


@pytest.mark.parametrize("table", [[[1, 3], [3, 0]], [[8, 2], [3, 9]], [[5, 1], [4, 6], [2, 7]], [[6, 6], [5, 5]]])
def test_the_p_value_is_that_of_all_tables_with_the_same_margins(table: list[list[int]]) -> None:
    counts = np.array(table, dtype=float)
    p = homogeneity(counts, np.array([0.0, 1.0]), np.random.default_rng(3))
    assert p == pytest.approx(fisher(counts), abs=0.015)
    if len(table) == 2:
        assert p == pytest.approx(fisher_exact(table).pvalue, abs=0.12)


def test_with_many_uses_it_is_the_chi_square_test() -> None:
    table = np.array([[120.0, 80.0], [95.0, 85.0], [60.0, 70.0]])
    p = homogeneity(table, np.array([0.0, 1.0]), np.random.default_rng(1))
    assert p == pytest.approx(chi2_contingency(table, correction=False).pvalue, abs=0.02)


def test_wordings_of_equal_rates_seldom_differ_and_others_do() -> None:
    random = np.random.default_rng(5)

    def found(rates: tuple[float, float]) -> float:
        hits = 0
        for k in range(60):
            rows = [("", "possibly", w, 40, random.binomial(40, r)) for w, r in zip("ab", rates, strict=True)]
            hits += any(w.differs for w in wordings(said(*rows), 0.95, k))
        return hits / 60

    assert found((0.4, 0.4)) <= 0.11
    assert found((0.15, 0.65)) >= 0.95


def test_counts_and_intervals_are_those_of_the_words_whatever_their_case_and_spaces() -> None:
    frame = said(("", "possibly", "versus", 4, 3), ("", "possibly", "cannot  Exclude", 2, 0), ("", "absent", "", 5, 1))
    frame = pd.concat([frame, said(("", "possibly", "Cannot exclude", 1, 0))], ignore_index=True)
    absent, versus, cannot = wordings(frame, 0.95, 0)
    assert (absent.phrase, absent.words, absent.n, absent.positives) == ("absent", "", 5, 1)
    assert (versus.words, versus.n, versus.positives, versus.rate) == ("versus", 4, 3, 0.75)
    assert (cannot.words, cannot.n, cannot.positives) == ("cannot exclude", 3, 0)
    np.testing.assert_allclose([versus.low, versus.high], beta.ppf([0.025, 0.975], 3.5, 1.5))
    assert cannot.low == 0
    assert sum(w.n for w in wordings(frame, 0.95, 0)) == len(frame)


def test_rare_wordings_and_equal_outcomes_are_not_tested() -> None:
    rare = said(("", "likely", "a", 60, 60), ("", "likely", "b", 2, 0))
    assert not any(w.differs for w in wordings(rare, 0.95, 0))
    same = said(("", "likely", "a", 60, 60), ("", "likely", "b", 20, 20))
    assert not any(w.differs for w in wordings(same, 0.95, 0))
    assert wordings(same.iloc[:0], 0.95, 0) == ()


def test_all_wordings_of_a_phrase_that_differs_say_so_and_no_others() -> None:
    frame = said(
        ("", "possibly", "versus", 30, 27),
        ("", "possibly", "cannot exclude", 30, 3),
        ("", "likely", "likely", 30, 20),
        ("", "likely", "favor", 30, 21),
        ("fracture", "possibly", "versus", 30, 15),
        ("fracture", "possibly", "cannot exclude", 30, 14),
    )
    differing = {(w.topic, w.phrase, w.words) for w in wordings(frame, 0.95, 0) if w.differs}
    assert differing == {("edema", "possibly", "versus"), ("edema", "possibly", "cannot exclude")}
    assert wordings(frame, 0.95, 0) == wordings(frame.sample(frac=1, random_state=1), 0.95, 0)


def test_the_more_phrases_are_tested_the_more_it_takes() -> None:
    alone = [("", "possibly", "a", 20, 13), ("", "possibly", "b", 20, 5)]
    assert any(w.differs for w in wordings(said(*alone), 0.95, 0))
    others = [(f"t{i}", "possibly", w, 20, 10) for i in range(12) for w in "ab"]
    assert not any(w.differs for w in wordings(said(*alone, *others), 0.95, 0))


def test_where_ct_hedges_outcomes_count_in_part() -> None:
    frame = said(("", "possibly", "a", 20, 0), ("", "possibly", "b", 20, 0))
    frame["outcome"] = [0.25] * 20 + [0.75] * 20
    a, b = wordings(frame, 0.95, 0)
    assert (a.positives, b.positives) == (5, 15)
    assert a.differs
    assert b.differs
