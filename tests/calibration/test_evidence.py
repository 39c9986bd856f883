"""What findings tell of the true rate: against simulated CT readers, and against closed forms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from radcal.calibration.evidence import UNREAD, Evidence, evidence_of
from radcal.calibration.records import Mix, Tables
from radcal.system.settings import Settings

PLAIN, HEDGING = np.array([0.0, 1.0]), np.array([0.0, 0.2, 0.6, 1.0])
SETTINGS = Settings()


def tables(counts: np.ndarray, positive: np.ndarray, mix: np.ndarray | None = None) -> Tables:
    """Groups (Q, K, L) on edema, with the CT's use of its outcomes (L,)."""
    counts = np.asarray(counts, float)
    groups = tuple((f"author {q}", "edema") for q in range(len(counts)))
    words, references = (tuple(f"{of} {i}" for i in range(counts.shape[axis])) for of, axis in (("word", 1), ("CT", 2)))
    mixes = {} if mix is None else {"edema": Mix(positive, mix)}
    return Tables(groups, words, references, counts, positive, mixes=mixes)


def of(n: float, y: float, **changes: object) -> Evidence:
    """Of one word that a plain CT confirmed y times in n."""
    return evidence_of(replace(tables([[[n - y, y]]], PLAIN), **changes), SETTINGS)


def test_a_ct_that_is_plain_and_right_is_taken_as_it_is() -> None:
    found = evidence_of(tables([[[7, 3], [0, 0]], [[1, 0], [2, 2]]], PLAIN), SETTINGS)
    np.testing.assert_array_equal(found.n, [[10, 0], [1, 4]])
    np.testing.assert_array_equal(found.y, [[3, 0], [0, 2]])
    np.testing.assert_array_equal(found.weight, np.ones((2, 2)))


@pytest.mark.parametrize("rate", [0.15, 0.5, 0.8])
@pytest.mark.parametrize(
    ("positive", "mix", "accuracy"),
    [
        (PLAIN, (600, 400), (0.9, 0.8)),
        (PLAIN, (600, 400), (1.0, 0.7)),
        (HEDGING, (500, 150, 100, 250), (1.0, 1.0)),
        (HEDGING, (500, 150, 100, 250), (0.85, 0.95)),
    ],
)
def test_the_rate_is_unbiased_and_the_likelihood_as_sharp_as_its_variance_says(
    rate: float, positive: np.ndarray, mix: tuple[int, ...], accuracy: tuple[float, float]
) -> None:
    """1,000 samples of 2,000 findings each, of which this share is there; the CT hedges and errs as it is said to."""
    rng, use = np.random.default_rng(2), np.array(mix, float)
    sees = np.array([1 - accuracy[1], accuracy[0]])  # P(CT sees it | not there, there)
    if_seen, if_not = use * positive / (use @ positive), use * (1 - positive) / (use @ (1 - positive))
    there = rng.binomial(2000, rate, 1000)
    seen = rng.binomial(there, sees[1]) + rng.binomial(2000 - there, sees[0])
    counts = np.stack([rng.multinomial(s, if_seen) + rng.multinomial(2000 - s, if_not) for s in seen])
    stated = Settings(ct_accuracy=(f"edema {accuracy[0]} {accuracy[1]}",))
    found = evidence_of(tables(counts[:, None], positive, use), stated)
    rates = found.y[:, 0] / 2000
    assert rates.mean() == pytest.approx(rate, abs=4 * rates.std() / 1000**0.5 + 0.002)
    h, rows = np.linspace(-6, 6, 1201), np.arange(1000)
    like = found.log_likelihood((rows, np.zeros_like(rows)), h)
    top = like.argmax(axis=1)
    assert 1 / (1 + np.exp(-np.median(h[top]))) == pytest.approx(rate, abs=0.02)
    step = h[1] - h[0]
    sharp = np.diff(like, 2, axis=1)[np.arange(len(rows)), np.clip(top - 1, 0, 1198)] / -(step**2)
    assert np.median(sharp) == pytest.approx(1 / h[top].var(), rel=0.15)


def test_the_likelihood_of_a_hedging_ct_is_that_of_its_outcomes() -> None:
    """By hand: each finding is there with the rate, and CT says each outcome as often as of such findings."""
    use, counts = np.array([500.0, 150.0, 100.0, 250.0]), np.array([60.0, 10.0, 10.0, 20.0])
    found = evidence_of(tables([[counts]], HEDGING, use), SETTINGS)
    one_more = use + np.array([1, 0, 0, 1])  # so that no plain answer is unheard of
    present, absent = one_more * HEDGING, one_more * (1 - HEDGING)
    h = np.linspace(-5, 5, 401)
    r = 1 / (1 + np.exp(-h))
    chances = np.outer(r, present / present.sum()) + np.outer(1 - r, absent / absent.sum())
    expected = np.log(chances) @ counts
    like = found.log_likelihood((np.array([0]), np.array([0])), h)[0]
    assert like == pytest.approx(expected - expected.max())


def test_less_is_confirmed_than_such_a_ct_can_confirm() -> None:
    """0 of 60 with a specificity of 0.8: none is there, all the more surely."""
    found = evidence_of(tables([[[60, 0], [0, 60]]], PLAIN), Settings(ct_accuracy=("edema 0.8 0.8",)))
    np.testing.assert_array_equal(found.y, [[0, 60]])
    h = np.log([1e-6, 0.1 / 0.9])
    low, high = found.log_likelihood((np.array([0]), np.array([0])), h)[0]
    assert high - low == pytest.approx(60 * np.log((1 - 0.2 - 0.06) / 0.8), abs=1e-3)


@pytest.mark.parametrize(("n", "y"), [(40, 10), (300, 240), (25, 0)])
def test_the_likelihood_is_that_of_so_many_findings(n: float, y: float) -> None:
    """With a weight of a half, the binomial one of half of the findings; 0 at its top."""
    h = np.linspace(-8, 8, 801)
    found = replace(of(n, y), weight=np.array([[0.5]]))
    like = found.log_likelihood((np.array([0]), np.array([0])), h)[0]
    expected = stats.binom.logpmf(y, n, 1 / (1 + np.exp(-h))) / 2
    assert like == pytest.approx(expected - expected.max(), abs=1e-8)


def test_information_is_the_curvature_of_the_likelihood() -> None:
    found = of(300, 120)
    step, top = 1e-3, np.log((120 + 0.5) / (180 + 0.5))
    a, b, c = found.log_likelihood((np.array([0]), np.array([0])), top + step * np.array([-1.0, 0.0, 1.0]))[0]
    assert found.information[0, 0] == pytest.approx(-(a - 2 * b + c) / step**2, rel=1e-3)


def test_statements_left_unread_add_to_the_variance_of_the_log_odds() -> None:
    """A fifth unread may differ by UNREAD log odds: that much is added to 1 / information of each word."""
    group = ("author 0", "edema")
    plain, some = of(80, 40), of(80, 40, unread={group: 20.0})
    added = 1 / some.information[0, 0] - 1 / plain.information[0, 0]
    assert added == pytest.approx((0.2 * UNREAD) ** 2)
    assert some.y == plain.y
    assert of(80, 40, unread={("somebody else", "edema"): 20.0}).weight == plain.weight
    many = of(80_000, 40_000, unread={group: 20_000.0})
    assert many.information[0, 0] == pytest.approx(1 / (0.2 * UNREAD) ** 2, rel=0.01)


def test_rates_with_errors_of_reading_take_the_place_of_both() -> None:
    """A rate whose interval is that of n findings has the weight 1; a wider one that of as many as would have it."""
    n, y, worth = 400, 120, 90
    low, high = stats.beta.ppf([0.025, 0.975], worth * 0.4 + 0.5, worth * 0.6 + 0.5)
    read = np.array([0.4, low, high]).reshape(3, 1, 1)
    found = evidence_of(tables([[[n - y, y]]], PLAIN), SETTINGS, read)
    assert found.y[0, 0] == pytest.approx(0.4 * n)
    assert found.weight[0, 0] * n == pytest.approx(worth, rel=0.05)
    as_sure = np.array([0.4, *stats.beta.ppf([0.025, 0.975], n * 0.4 + 0.5, n * 0.6 + 0.5)]).reshape(3, 1, 1)
    assert evidence_of(tables([[[n - y, y]]], PLAIN), SETTINGS, as_sure).weight[0, 0] == pytest.approx(1, rel=0.02)
    unknown = evidence_of(tables([[[n - y, y]]], PLAIN), SETTINGS, np.full((3, 1, 1), np.nan))
    assert (unknown.y[0, 0], unknown.weight[0, 0]) == (y, 1)
