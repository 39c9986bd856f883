"""Reliability of groups: against brute force, simulated authors and its own promises."""

import dataclasses
import json
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from threading import Event

import numpy as np
import pytest
from scipy import stats

from radcal.calibration import bands, reliability, scoring
from radcal.calibration.model import SHIPPED
from radcal.calibration.records import OFF, Mix, PhraseRate, Reliability, Tables, Verdict
from radcal.calibration.reference import Reference, reduced
from radcal.calibration.reliability import measure, rated, together
from radcal.calibration.report import to_json
from radcal.calibration.resample import Bootstrap, luck_draws
from radcal.system.errors import Cancelled, DataError
from radcal.system.settings import Settings
from radcal.words.bins import bin_phrases
from radcal.words.records import Phrase

WORDS = (
    Phrase("absent", 0, 1, 0, 0),
    Phrase("unlikely", 1.3, 12.4, 0, 1),
    Phrase("possible", 2.0, 2.6, 0, 1),
    Phrase("likely", 3.9, 1.1, 0, 1),
    Phrase("highly suggestive", 14.9, 1.3, 0, 1),
    Phrase("present", 1, 0, 1, 1),
)
BINS = bin_phrases(WORDS, 100)
MEAN = BINS.mean


def tables(counts: np.ndarray, positive: tuple[float, ...] = (0, 1)) -> Tables:
    counts = np.asarray(counts, dtype=float)
    return Tables(
        groups=tuple((f"author {q}", "edema") for q in range(len(counts))),
        phrases=tuple(p.name for p in WORDS),
        references=tuple(f"reference {r}" for r in range(counts.shape[2])),
        counts=counts,
        positive=np.array(positive, dtype=float),
    )


def calibrated(rng: np.random.Generator, groups: int, n: np.ndarray | int) -> np.ndarray:
    """(groups, K, 2): every phrase confirmed as often as it means."""
    said = np.broadcast_to(n, (groups, len(WORDS)))
    yes = rng.binomial(said, MEAN)
    return np.stack([said - yes, yes], axis=2)


def same(a: tuple[Reliability, ...], b: tuple[Reliability, ...]) -> bool:
    return json.dumps(to_json(a)) == json.dumps(to_json(b))


SOME = calibrated(np.random.default_rng(5), 30, np.array([20, 15, 30, 25, 10, 40]))


def test_point_estimates_are_those_of_scoring() -> None:
    result = measure(tables(SOME), WORDS, Settings(bootstrap=50))
    n, y = SOME.sum(axis=2).astype(float), SOME[:, :, 1].astype(float)
    for q, r in enumerate(result):
        assert r.ece == pytest.approx(float(scoring.ece(n[q], y[q], BINS)))
        assert r.ece_star == pytest.approx(float(scoring.ece_star(n[q], y[q], BINS)))
        assert r.mce == pytest.approx(float(scoring.mce(n[q], y[q], BINS)))
        assert r.brier == pytest.approx(float(scoring.brier(n[q], y[q], BINS)))
        assert r.accuracy == pytest.approx(float(scoring.accuracy(n[q], y[q], BINS)))
        assert r.auroc == pytest.approx(float(scoring.auroc(n[q], y[q], BINS)))
        assert r.n == n[q].sum()
        rates, overall = y[q] / n[q], y[q].sum() / n[q].sum()
        assert r.resolution == pytest.approx((n[q] * (rates - overall) ** 2).sum() / n[q].sum())
        assert r.sharpness == pytest.approx(float(scoring.sharpness(n[q], BINS)))
        curve = r.curve
        assert curve is not None
        assert curve.density.sum() == pytest.approx(1)
        assert (curve.density * np.abs(curve.rate - curve.stated)).sum() == pytest.approx(r.ece)
        assert ((curve.stated >= curve.low - 1e-12) & (curve.stated <= curve.high + 1e-12)).all()
        assert [p.positives for p in r.phrases] == y[q].tolist()


@pytest.mark.parametrize(("sensitivity", "specificity"), [(0.9, 1.0), (1.0, 0.8), (0.9, 0.8)])
def test_rates_and_scores_are_corrected_for_what_ct_misses_and_for_what_it_sees_in_vain(
    sensitivity: float, specificity: float
) -> None:
    stated = Settings(bootstrap=0, ct_accuracy=(f"edema {sensitivity} {specificity}",))
    for q, r in enumerate(measure(tables(SOME[:3]), WORDS, stated)):
        n, seen = SOME[q].sum(axis=1).astype(float), SOME[q][:, 1].astype(float)
        there = np.clip((seen - n * (1 - specificity)) / (sensitivity + specificity - 1), 0, n)
        assert [p.positives for p in r.phrases] == seen.tolist()
        assert [p.rate for p in r.phrases] == pytest.approx((there / n).tolist())
        assert all(p.low <= p.rate <= p.high for p in r.phrases)
        assert r.ece == pytest.approx(float(scoring.ece(n, there, BINS)))


@pytest.mark.parametrize(
    ("confirmed", "read", "verdict"),
    [
        (20, (0.15, 0.1, 0.2), "stronger"),
        (20, (0.97, 0.96, 0.98), "weaker"),  # on the other side of what the word means
        (158, (0.81, 0.78, 0.85), "matches"),  # on the other side, and as near
        (20, (0.81, 0.78, 0.85), "matches"),
        (158, (0.5, 0.3, 0.9), "undecided"),
    ],
)
def test_a_verdict_is_that_of_the_rate_with_errors_of_reading(
    confirmed: int, read: tuple[float, float, float], verdict: str
) -> None:
    word = Phrase("likely", 8, 2, 0.7, 0.9)
    counts = np.array([[[200.0 - confirmed, confirmed]]])
    given = Tables((("Avery", "edema"),), ("likely",), ("no", "yes"), counts, np.array([0.0, 1.0]))
    [[rate]], _ = rated(given, [word], Settings(), np.array([0.8]), np.reshape(read, (3, 1, 1)), SHIPPED)
    assert (rate.verdict, rate.rate) == (verdict, confirmed / 200)
    assert (rate.read_rate, rate.read_low, rate.read_high) == read
    assert rate.low <= min(rate.rate, rate.expected) <= max(rate.rate, rate.expected) <= rate.high


def around(curves: np.ndarray, centre: np.ndarray) -> np.ndarray:
    """Half width of the band around the centre that holds 95 % of the curves, in plain loops; NaN says nothing."""
    spread = np.maximum(np.sqrt(np.nanmean((curves - centre) ** 2, axis=0)), 1e-6)
    furthest = [np.nanmax(np.abs(curve - centre) / spread) for curve in curves]
    return spread * np.quantile(furthest, 0.95 * (1 + 1 / len(curves)))


@pytest.mark.parametrize(
    ("true", "n"),
    [((0.03, 0.97), 40), ((0.2, 0.9), 15), ((0.12, 0.25, 0.43, 0.75, 0.85), 30), ((0.2, 0.3, 0.4, 0.55, 0.7), 30)],
)
def test_bands_hold_the_whole_curve(true: tuple[float, ...], n: int) -> None:
    """Of 200 readers with these true rates, n findings of each word, 95 in 100."""
    means = np.linspace(0.1, 0.9, len(true)).tolist()
    words = [Phrase(f"word {mean}", 8 * mean, 8 - 8 * mean, 0, 1) for mean in means]
    confirmed = np.random.default_rng(5).binomial(n, true, (200, len(true)))
    names = tuple((f"A{i:03}", "edema") for i in range(200))
    given = Tables(
        names, tuple(w.name for w in words), ("no", "yes"), np.stack([n - confirmed, confirmed], axis=2).astype(float),
        np.array([0.0, 1.0]),
    )  # fmt: skip
    weight = bin_phrases(words).weight
    held = []
    for r in measure(given, words, Settings(bootstrap=300)):
        drawn = ~np.isnan(r.curve.rate)
        curve = (np.array(true) @ weight)[drawn] / weight.sum(axis=0)[drawn]
        held.append(((curve >= r.curve.rate_low[drawn] - 1e-9) & (curve <= r.curve.rate_high[drawn] + 1e-9)).all())
    assert np.mean(held) >= 0.93


@pytest.mark.parametrize("positive", [(0.0, 1.0), (0.1, 0.85)])
def test_intervals_agree_with_brute_force_over_the_same_redraws(positive: tuple[float, float]) -> None:
    """The last group has three hedges, so that resamples without them leave all bins empty but the ends."""
    counts = np.array(
        [
            [[1, 0], [4, 1], [0, 3], [5, 9], [0, 0], [0, 1]],
            [[9, 1], [0, 0], [4, 4], [0, 0], [2, 7], [3, 9]],
            [[9, 1], [0, 0], [2, 1], [0, 0], [0, 0], [0, 9]],
        ]
    )
    draws, seed = 400, 9
    result = measure(tables(counts, positive), WORDS, Settings(bootstrap=draws, seed=seed, min_group_n=1))
    bootstrap = Bootstrap(seed, draws, counts.sum(axis=(1, 2)).astype(float))
    for q, r in enumerate(result):
        k, reference = np.nonzero(counts[q])
        cells = bootstrap.redraw(counts[q, k, reference][None].astype(float))[0].astype(float)
        n, y = np.zeros((draws, 6)), np.zeros((draws, 6))
        for row, cell, p in zip(cells, k, np.array(positive)[reference], strict=True):
            n[:, cell] += row
            y[:, cell] += p * row
        for name in ("brier", "accuracy"):
            expected = np.nanquantile(getattr(scoring, name)(n, y, BINS), [0.025, 0.975])
            assert [getattr(r, f"{name}_low"), getattr(r, f"{name}_high")] == pytest.approx(expected, abs=2e-6)
        with np.errstate(invalid="ignore"):
            assert np.isnan((y @ BINS.weight / (n @ BINS.weight))[:, 50]).any() == (q == 2)
        said, true = counts[q].sum(axis=1), counts[q] @ positive
        share, added = true / np.maximum(said, 1), (true + 2) / (said + 4)
        more = np.maximum(added * (1 - added) / (said + 4) - share * (1 - share) / np.maximum(said, 1), 0)
        noise = np.random.default_rng((seed, 23)).standard_normal((6, draws), np.float32).T
        with np.errstate(invalid="ignore"):
            rate = ((y + n * (added - share + np.sqrt(more) * noise)) @ BINS.weight) / (n @ BINS.weight)
        centre = (said * added) @ BINS.weight / (said @ BINS.weight)
        half = around(rate, centre)
        assert r.curve.rate_low == pytest.approx(np.clip(centre - half, 0, 1), abs=5e-5)
        assert r.curve.rate_high == pytest.approx(np.clip(centre + half, 0, 1), abs=5e-5)

        reference = Reference.of(Mix(np.array(positive), counts.sum(axis=(0, 1))))
        lucky = np.stack(
            [
                luck_draws(seed, i, int(said[i]), *reduced(reference.outcomes, reference.chances(MEAN[i])), draws)
                for i in range(6)
            ],
            axis=1,
        ).astype(float)
        for star, score in (("", scoring.ece), ("_star", scoring.ece_star), ("_word", scoring.word_error)):
            luck = score(np.broadcast_to(said, lucky.shape).astype(float), lucky, BINS)
            assert getattr(r, f"luck{star}_mean") == pytest.approx(luck.mean(), abs=2e-6)
            assert getattr(r, f"luck{star}_p95") == pytest.approx(np.quantile(luck, 0.95), abs=2e-6)
            observed = float(score(said.astype(float), counts[q] @ np.array(positive), BINS))
            ties = np.abs(luck - observed) < 2e-6
            above = ((luck > observed) & ~ties).sum()
            if above + ties.sum() >= 10:
                expected = (1 + above + ties.sum() / 2) / (draws + 1)
                assert getattr(r, f"p_value{star}") == pytest.approx(expected)
        rate = (lucky @ BINS.weight) / (said @ BINS.weight)
        half = around(rate, rate.mean(axis=0))
        assert r.curve.luck_low == pytest.approx(np.clip(rate.mean(axis=0) - half, 0, 1), abs=2e-5)
        assert r.curve.luck_high == pytest.approx(np.clip(rate.mean(axis=0) + half, 0, 1), abs=2e-5)


def test_luck_of_few_statements_agrees_with_all_that_luck_can_do() -> None:
    """5 x "possible", 3 x "likely", 4 plain ones: each outcome of luck with its probability, bins in plain loops."""
    counts = np.zeros((1, 6, 2))
    counts[0, 2], counts[0, 3], counts[0, 0], counts[0, 5] = [1, 4], [2, 1], [2, 0], [1, 1]
    r = measure(tables(counts), WORDS, Settings(bootstrap=4000, min_group_n=1))[0]
    edges, words, said = np.linspace(0, 1, 101), (WORDS[2], WORDS[3]), (5, 3)
    mass = np.array([np.diff(stats.beta.cdf(edges, p.alpha, p.beta)) for p in words])
    means = [p.alpha / (p.alpha + p.beta) for p in words]
    moment = np.array(
        [m * np.diff(stats.beta.cdf(edges, p.alpha + 1, p.beta)) for m, p in zip(means, words, strict=True)]
    )

    def score(yes: tuple[int, ...], *, star: bool) -> float:
        gaps = [abs(sum(yes[k] * mass[k, m] - said[k] * moment[k, m] for k in (0, 1))) for m in range(100)]
        if star:
            return sum(gaps[1:-1]) / sum(said[k] * mass[k, 1:-1].sum() for k in (0, 1))
        return (sum(gaps[1:-1]) + gaps[0] + gaps[-1]) / 12

    outcomes = list(product(range(6), range(4)))
    chance = np.array([stats.binom.pmf(a, 5, means[0]) * stats.binom.pmf(b, 3, means[1]) for a, b in outcomes])
    assert chance.sum() == pytest.approx(1)
    star = np.array([score(yes, star=True) for yes in outcomes])
    seen = score((4, 1), star=True)
    assert r.ece_star == pytest.approx(seen)
    assert r.luck_star_mean == pytest.approx(chance @ star, abs=0.004)
    order = np.argsort(star)
    reached = np.cumsum(chance[order])
    low, high = star[order][np.searchsorted(reached, [0.94, 0.96])]
    assert low - 1e-6 <= r.luck_star_p95 <= high + 1e-6
    tied = np.abs(star - seen) < 1e-9
    mid_p = chance[(star > seen) & ~tied].sum() + chance[tied].sum() / 2
    assert r.p_value_star == pytest.approx(mid_p, abs=0.015)
    # Luck leaves plain statements no room: an "absent" stays absent, a "present" present.
    plain = np.array([score(yes, star=False) for yes in outcomes])
    assert r.luck_mean == pytest.approx(chance @ plain, abs=0.004)


def test_true_phrase_rates_lie_in_their_intervals() -> None:
    """500 simulated authors of known habits: 93-97 % of the phrase intervals hold the author's true rate."""
    rng = np.random.default_rng(3)
    truth = np.clip(MEAN + rng.normal(0, 0.15, (500, 6)), 0.03, 0.97)
    n = rng.integers(10, 150, (500, 6))
    yes = rng.binomial(n, truth)
    result = measure(tables(np.stack([n - yes, yes], axis=2)), WORDS, Settings(bootstrap=0))
    held = [p.low <= truth[q, k] <= p.high for q, r in enumerate(result) for k, p in enumerate(r.phrases)]
    assert len(held) == 3000
    assert 0.93 <= np.mean(held) <= 0.97


@pytest.mark.slow
def test_luck_p_values_of_calibrated_authors_are_uniform() -> None:
    rng = np.random.default_rng(8)
    said = rng.integers(5, 60, (500, 6))
    result = measure(tables(calibrated(rng, 500, said)), WORDS, Settings(seed=1))
    for name in ("p_value", "p_value_star"):
        p = np.array([getattr(r, name) for r in result])
        assert stats.kstest(p, "uniform").pvalue > 0.05, name
        assert 0.03 <= (p <= 0.05).mean() <= 0.07
    # The mean over authors of what luck gives is what they got.
    assert np.mean([r.ece - r.luck_mean for r in result]) == pytest.approx(0, abs=0.002)
    assert min(r.q_value_star for r in result) > 0.05


def test_p_values_stay_uniform_on_average_where_few_scores_are_possible() -> None:
    rng = np.random.default_rng(4)
    counts = np.zeros((500, 6, 2), dtype=int)
    counts[:, 2] = calibrated(rng, 500, 8)[:, 2]
    p = np.array([r.p_value for r in measure(tables(counts), WORDS, Settings(min_group_n=1))])
    assert len(np.unique(p)) < 10
    assert p.mean() == pytest.approx(0.5, abs=0.03)
    assert (p > 0).all()


def test_an_uncalibrated_author_is_found() -> None:
    counts = SOME.copy()
    counts[0, 3], counts[0, 4] = [22, 3], [9, 1]  # "likely" and "highly suggestive", seldom confirmed
    result = measure(tables(counts), WORDS, Settings())
    assert result[0].p_value < 1 / 1001
    assert result[0].q_value_star == pytest.approx(30 * result[0].p_value_star)
    assert result[0].ece > result[0].luck_p95
    assert result[0].ece_low <= result[0].ece <= result[0].ece_high


def test_plain_statements_alone_have_no_star() -> None:
    counts = np.zeros((1, 6, 2))
    counts[0, 0], counts[0, 5] = [40, 0], [1, 30]
    r = measure(tables(counts), WORDS, Settings(bootstrap=200))[0]
    assert (r.ece_star, r.ece_star_low, r.p_value_star, r.q_value_star, r.luck_star_p95) == (None,) * 5
    assert r.p_value == pytest.approx(1 / 201)  # luck leaves a "present" no room
    assert np.isnan(r.curve.rate[1:-1]).all()
    assert np.isnan(r.curve.luck_low[1:-1]).all()
    assert r.curve.rate[[0, -1]] == pytest.approx([0, 30 / 31])
    everything = np.zeros((1, 6, 2))
    everything[0, 5] = [0, 40]
    r = measure(tables(everything), WORDS, Settings(bootstrap=200))[0]
    assert r.auroc is None
    assert (r.ece, r.ece_high, r.p_value) == pytest.approx((0, 0, (1 + 100) / 201))


def test_far_tails_keep_their_rate() -> None:
    """In the lowest bins only the widest phrase has mass, of the order 1e-20: its rate is the bin's."""
    counts = np.zeros((1, 6, 2))
    counts[0, 4] = [10, 30]
    r = measure(tables(counts), WORDS, Settings(bootstrap=200))[0]
    assert r.curve.density[0] < 1e-20
    assert r.curve.rate == pytest.approx(0.75)
    assert np.isfinite(r.curve.rate_low).all()
    assert r.curve.rate_low == pytest.approx(r.curve.rate_low[99], abs=1e-6)


@pytest.mark.parametrize(
    "narrow", [(2.0, 60.0), (60.0, 2.0), (20.0, 1.4), (0.3, 700.0), (5000.0, 0.2), (1e6, 1e6), (1e-3, 1e-3)]
)
def test_words_of_others_do_not_touch_a_group_of_one_narrow_word(narrow: tuple[float, float]) -> None:
    """Bins that the narrow word hardly reaches, and another group's words do, would overflow in single precision."""
    words = (*WORDS[:5], Phrase("narrow", *narrow, 0, 1))
    counts = SOME[:2].copy()
    counts[0] = 0
    counts[0, 5] = [32, 8]
    chosen = Settings(bootstrap=100)
    names = tuple(p.name for p in words)
    both = dataclasses.replace(tables(counts), phrases=names)
    together = measure(both, words, chosen)[0]
    alone = measure(dataclasses.replace(both, groups=both.groups[:1], counts=counts[:1]), words, chosen)[0]
    for name in ("ece_low", "ece_high", "ece_star_low", "luck_mean", "luck_p95", "p_value", "luck_star_p95"):
        assert getattr(together, name) == pytest.approx(getattr(alone, name), abs=1e-9), name
        assert np.isfinite(getattr(together, name)), name
    for name in ("rate_low", "rate_high", "luck_low", "luck_high"):
        np.testing.assert_allclose(getattr(together.curve, name), getattr(alone.curve, name), atol=1e-6)


@pytest.mark.parametrize(("n", "reason"), [(1, "1 finding; a curve needs 30."), (29, "29 findings; a curve needs 30.")])
def test_too_few_findings_keep_their_counts_alone(n: int, reason: str) -> None:
    counts = np.zeros((2, 6, 2))
    counts[0] = SOME[0]
    counts[1, 3, 1] = n
    enough, few = measure(tables(counts), WORDS, Settings(bootstrap=20))
    assert enough.reason == ""
    assert enough.curve is not None
    assert few.reason == reason
    assert (few.author, few.topic, few.n) == ("author 1", "edema", n)
    assert (few.curve, few.ece, few.p_value, few.brier) == (None,) * 4
    assert [(p.phrase, p.n, p.positives, p.high) for p in few.phrases] == [("likely", n, n, 1)]


def test_nobody_has_enough_data() -> None:
    counts = np.zeros((1, 6, 2))
    counts[0, 3, 1] = 30
    assert [r.reason for r in measure(tables(counts), WORDS, Settings(bootstrap=20))] == [""]
    counts[0, 3, 1] = 3
    assert [r.reason for r in measure(tables(counts), WORDS, Settings())] == ["3 findings; a curve needs 30."]


def test_without_resamples_there_are_no_intervals() -> None:
    r = measure(tables(SOME[:1]), WORDS, Settings(bootstrap=0))[0]
    assert r.ece is not None
    assert (r.ece_low, r.p_value, r.luck_mean) == (None,) * 3
    assert np.isnan(r.curve.rate_low).all()


@pytest.mark.slow
def test_results_depend_on_the_seed_alone() -> None:
    # More groups than one batch, and a number of resamples that no block divides.
    many, chosen = tables(np.repeat(SOME, 2, axis=0)), Settings(bootstrap=337, seed=4)
    first = measure(many, WORDS, chosen, threads=1)
    assert same(first, measure(many, WORDS, chosen, threads=5))
    assert not same(first, measure(many, WORDS, chosen.changed(seed=5)))


def test_results_do_not_depend_on_the_company(monkeypatch) -> None:
    chosen = Settings(bootstrap=200)
    together = measure(tables(SOME), WORDS, chosen, spread=SHIPPED)
    one = dataclasses.replace(tables(SOME[7:8]), groups=tables(SOME).groups[7:8])
    (alone,) = measure(one, WORDS, chosen, spread=SHIPPED)
    for a, b in zip(together[7].phrases, alone.phrases, strict=True):
        assert (a.low, a.high, a.probability, a.expected) == pytest.approx((b.low, b.high, b.probability, b.expected))
        assert a.verdict == b.verdict
    again = dataclasses.replace(together[7], q_value_star=alone.q_value_star, q_value_word=alone.q_value_word)
    assert again.curve is not None
    assert (again.curve.rate_low == alone.curve.rate_low).all()
    assert (again.curve.luck_high == alone.curve.luck_high).all()
    # Point estimates may differ in the last bit, with the size of the matrix products.
    for name in ("ece", "ece_low", "ece_star_high", "brier_low", "accuracy_high", "luck_mean", "luck_p95", "p_value"):
        assert getattr(again, name) == pytest.approx(getattr(alone, name), abs=1e-9), name
    monkeypatch.setattr(bands, "_LUCK_SIZE", 1)
    assert same(together, measure(tables(SOME), WORDS, chosen, spread=SHIPPED))


@pytest.mark.parametrize("size", ["_BATCH", "_RESAMPLED_SIZE", "_REDRAW_SIZE", "_SCAN_SIZE", "_PRODUCT_SIZE"])
def test_results_do_not_depend_on_how_much_is_done_at_a_time(monkeypatch, size: str) -> None:
    """With very many redraws one group is already more than fits."""
    few, chosen = tables(SOME[:5]), Settings(bootstrap=50)
    together = measure(few, WORDS, chosen)
    monkeypatch.setattr(bands, size, 1)
    for one, other in zip(measure(few, WORDS, chosen), together, strict=True):
        for name in ("ece_low", "ece_high", "ece_star_low", "brier_low", "accuracy_high", "luck_p95", "luck_star_p95"):
            assert getattr(one, name) == pytest.approx(getattr(other, name), abs=2e-6), name
        for name in ("rate_low", "rate_high", "luck_low", "luck_high"):
            np.testing.assert_allclose(getattr(one.curve, name), getattr(other.curve, name), atol=2e-6)


def test_no_more_goes_together_than_the_sizes_allow(monkeypatch) -> None:
    """However many redraws are asked for, memory stays bounded."""
    draws, groups, scanned, redrawn = 50, [], [], []
    run, scan, redraw = bands._Work.run, bands._Scan.__init__, Bootstrap.redraw

    def running(work, own, luck) -> None:
        groups.append(len(own))
        run(work, own, luck)

    def scanning(self, g, M, B, size, tails) -> None:
        scanned.append(size * M * B)
        scan(self, g, M, B, size, tails)

    def redrawing(self, cells):
        redrawn.append(cells.size * draws)
        return redraw(self, cells)

    monkeypatch.setattr(bands._Work, "run", running)
    monkeypatch.setattr(bands._Scan, "__init__", scanning)
    monkeypatch.setattr(Bootstrap, "redraw", redrawing)
    monkeypatch.setattr(bands, "_RESAMPLED_SIZE", 3 * 2 * 6 * draws)
    monkeypatch.setattr(bands, "_SCAN_SIZE", 2 * 100 * draws)
    monkeypatch.setattr(bands, "_REDRAW_SIZE", 2 * 12 * draws)
    measure(tables(SOME[:9]), WORDS, Settings(bootstrap=draws))
    assert groups == [3, 3, 3]
    assert max(scanned) == 2 * 100 * draws
    assert max(redrawn) <= 2 * 12 * draws


def test_equal_references_can_be_merged() -> None:
    split = np.stack([SOME[:, :, 0], SOME[:, :, 1] // 2, SOME[:, :, 1] - SOME[:, :, 1] // 2], axis=2)
    a = measure(tables(SOME), WORDS, Settings(bootstrap=300))
    b = measure(tables(split, (0, 1, 1)), WORDS, Settings(bootstrap=300))
    for one, other in zip(a, b, strict=True):
        assert (one.ece, one.brier, one.auroc) == pytest.approx((other.ece, other.brier, other.auroc))
        assert (one.ece_low, one.ece_high) == pytest.approx((other.ece_low, other.ece_high), abs=1e-6)


def test_order_of_phrases_does_not_matter() -> None:
    order = [3, 0, 5, 1, 4, 2]
    shuffled = dataclasses.replace(tables(SOME[:, order]), phrases=tuple(WORDS[i].name for i in order))
    a, b = (measure(t, WORDS, Settings(bootstrap=0)) for t in (tables(SOME), shuffled))
    for one, other in zip(a, b, strict=True):
        assert [one.ece, one.mce, one.auroc, one.sharpness] == pytest.approx(
            [other.ece, other.mce, other.auroc, other.sharpness]
        )


def test_methods_agree_closely_for_smooth_phrases() -> None:
    smooth = tables(np.where(np.isin(np.arange(6), [2, 3])[:, None], SOME, 0))
    exact = measure(smooth, WORDS, Settings(bootstrap=300))[0]
    midpoint = measure(smooth, WORDS, Settings(bootstrap=300, method="midpoint"))[0]
    for name in ("ece", "ece_low", "ece_high", "luck_mean", "luck_p95", "p_value"):
        assert getattr(midpoint, name) == pytest.approx(getattr(exact, name), abs=0.005)
    # p_m = (nW)_m / N, whatever the weights add to
    assert midpoint.curve.density.sum() == pytest.approx(1, abs=1e-3)


def test_shared_out_outcomes_have_intervals() -> None:
    r = measure(tables(SOME[:1] * 0.5 + 0.25, (0.25, 0.75)), WORDS, Settings(bootstrap=100))[0]
    assert r.ece_low <= r.ece_high
    assert r.n == pytest.approx(SOME[0].sum() * 0.5 + 3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: dataclasses.replace(t, groups=(), counts=t.counts[:0]), "no statements"),
        (lambda t: dataclasses.replace(t, counts=t.counts * 0), "author 0 has no statement about edema"),
        (lambda t: dataclasses.replace(t, counts=-t.counts), "negative"),
        (lambda t: dataclasses.replace(t, counts=-t.counts / 1000), "negative"),
        (lambda t: dataclasses.replace(t, counts=t.counts * np.nan), "no number"),
        (lambda t: dataclasses.replace(t, positive=np.array([0, 1.5])), "not in 0 to 1"),
        (lambda t: dataclasses.replace(t, phrases=("hmm", *t.phrases[1:])), "'hmm'"),
    ],
)
def test_tables_that_carry_nothing_are_refused(change, message: str) -> None:
    with pytest.raises(DataError, match=message):
        measure(change(tables(SOME)), WORDS, Settings(bootstrap=10))


def test_progress_counts_groups_and_can_stop(onlooker) -> None:
    many = np.concatenate([np.repeat(SOME, 3, axis=0), SOME[:4] * 0 + 1])
    progress = onlooker()
    measure(tables(many), WORDS, Settings(bootstrap=20), progress)
    assert (progress.total, progress.done) == (94, 94)
    with pytest.raises(Cancelled):
        measure(tables(many), WORDS, Settings(bootstrap=20), onlooker(parts=30), threads=2)


def test_what_has_not_begun_is_not_begun_after_the_wish_to_stop(onlooker, monkeypatch) -> None:
    begun: list[int] = []
    run, given_up = bands._Work.run, Event()

    class Pool(ThreadPoolExecutor):
        def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
            super().shutdown(wait, cancel_futures=cancel_futures)
            given_up.set()

    def counted(work, groups, luck) -> None:
        begun.append(len(groups))
        assert len(begun) == 1 or given_up.wait(60)
        run(work, groups, luck)

    monkeypatch.setattr(bands, "ThreadPoolExecutor", Pool)
    monkeypatch.setattr(bands, "_BATCH", 1)
    monkeypatch.setattr(bands._Work, "run", counted)
    with pytest.raises(Cancelled):
        measure(tables(SOME), WORDS, Settings(bootstrap=1000), onlooker(parts=1), threads=1)
    assert len(begun) <= 2, "the first, and the one that was taken up while the wish was heard"


def test_measures_can_run_side_by_side() -> None:
    expected = measure(tables(SOME), WORDS, Settings(bootstrap=50))
    with ThreadPoolExecutor(4) as pool:
        for future in [pool.submit(measure, tables(SOME), WORDS, Settings(bootstrap=50)) for _ in range(4)]:
            assert same(future.result(), expected)


def test_json_is_strict_and_complete() -> None:
    counts = np.zeros((3, 6, 2))
    counts[0], counts[1, 3, 1] = SOME[0], 3
    counts[2, 5] = [2, 40]
    result = to_json(measure(tables(counts), WORDS, Settings(bootstrap=50)), {"seed": 0})
    again = json.loads(json.dumps(result, allow_nan=False))
    assert again["seed"] == 0
    asked = "author topic n ece ece_low ece_high ece_star mce brier accuracy auroc luck_mean luck_p95 p_value"
    asked += " luck_star_mean luck_star_p95 p_value_star curve phrases"
    for group in again["groups"]:
        assert set(asked.split()) <= set(group)
        assert {*PhraseRate._fields, "verification"} == set(group["phrases"][0])
    full, few, plain = again["groups"]
    assert {"low", "high", "rate", "rate_low", "rate_high", "density"} <= set(full["curve"])
    assert all(len(values) == 100 for values in full["curve"].values())
    assert full["excess"] == pytest.approx(full["ece"] - full["luck_mean"])
    assert (few["curve"], few["ece"], few["excess"]) == (None, None, None)
    assert few["reason"] == "3 findings; a curve needs 30."
    assert plain["curve"]["rate"][50] is None
    assert plain["excess_star"] is None
    assert plain["phrases"] == [
        {"phrase": "present", "n": 42, "positives": 40, "rate": pytest.approx(40 / 42)}
        | {name: pytest.approx(plain["phrases"][0][name]) for name in ("low", "high", "probability", "expected")}
        | {"mean": 1, "meant_low": 0.95, "meant_high": 1, "verdict": "undecided"}
        | dict.fromkeys(("read_rate", "read_low", "read_high", "verification"))
    ]


@pytest.mark.parametrize(("asked", "used"), [(3, 3), (None, 7)])
def test_all_cores_are_used_unless_fewer_are_asked_for(monkeypatch, asked: int | None, used: int) -> None:
    pools: list[int] = []

    class Pool(ThreadPoolExecutor):
        def __init__(self, threads: int) -> None:
            pools.append(threads)
            super().__init__(threads)

    monkeypatch.setattr(bands, "ThreadPoolExecutor", Pool)
    monkeypatch.setattr(reliability, "available_cores", lambda: 7)
    measure(tables(SOME[:1]), WORDS, Settings(bootstrap=10), threads=asked)
    assert pools == [used]


def test_cores_are_counted(monkeypatch) -> None:
    assert bands.available_cores() >= 1
    monkeypatch.delattr("os.sched_getaffinity", raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: None)
    assert bands.available_cores() == 1


def test_the_word_error_finds_words_too_strong_and_too_weak() -> None:
    rng = np.random.default_rng(8)
    said = np.broadcast_to([0, 250, 250, 250, 250, 0], (40, 6))
    odds = np.log(np.clip(MEAN, 1e-9, 1 - 1e-9) / np.clip(1 - MEAN, 1e-9, 1))
    for slope, least, most in ((0.6, 0.9, 1.0), (1.0, 0.0, 0.15), (1.7, 0.9, 1.0)):
        yes = rng.binomial(said, 1 / (1 + np.exp(-slope * odds)))
        results = measure(tables(np.stack([said - yes, yes], axis=2)), WORDS, Settings(bootstrap=200))
        assert least <= np.mean([r.p_value_word < 0.05 for r in results]) <= most
        assert np.median([r.slope for r in results]) == pytest.approx(slope, abs=0.1)
        for r in results:
            assert (r.word_error_low == 0) == (r.p_value_word >= 0.05) or r.p_value_word < 0.05
            assert r.word_error_low <= r.word_error <= r.word_error_high
            assert r.q_value_word is not None


def test_the_width_of_the_words_is_the_error_of_an_author_whose_rates_are_exact() -> None:
    counts = np.stack([100 * (1 - MEAN), 100 * MEAN], axis=1)[None]
    (r,) = measure(tables(counts), WORDS, Settings(bootstrap=0))
    assert r.ece_width == pytest.approx(r.ece)
    assert r.ece_star_width == pytest.approx(r.ece_star)
    assert r.word_error == pytest.approx(0, abs=1e-12)
    assert r.ece_width > 0.02


def test_few_hedges_have_no_interval_of_the_word_error() -> None:
    counts = np.zeros((2, 6, 2))
    counts[:, 5, 1] = 50
    counts[0, 2], counts[1, 2] = [30, 29], [30, 30]
    few, enough = measure(tables(counts), WORDS, Settings(bootstrap=50))
    assert (few.word_error_low, few.word_error_high) == (None, None)
    assert few.word_error is not None
    assert enough.word_error_high is not None


def test_a_wish_to_stop_is_heard_within_one_group(onlooker, monkeypatch) -> None:
    """While the first batch is still at work."""
    ended = []
    draw = bands._Luck.draw

    def slow(self: bands._Luck, place: np.ndarray) -> None:
        while True:
            try:
                self._going()
            except Cancelled:
                ended.append(place)
                raise
            draw(self, place)

    monkeypatch.setattr(bands._Luck, "draw", slow)
    with pytest.raises(Cancelled):
        measure(tables(SOME[:1]), WORDS, Settings(bootstrap=10), onlooker(looks=2), threads=1)
    assert len(ended) == 1


@pytest.mark.parametrize(
    ("word", "share", "verdict"),
    [
        (Phrase("maybe", 3, 5, 0.25, 0.75), 0.27, "matches"),
        (Phrase("maybe", 3, 5, 0.25, 0.75), 0.23, "stronger"),
        (Phrase("maybe", 3, 5, 0.25, 0.75), 0.77, "weaker"),
        # What few answers leave open of a meaning speaks for no verdict.
        (Phrase("maybe", 3, 5, 0.25, 0.75, answers=6, asked=50, within=4), 0.27, "matches"),
        (Phrase("maybe", 3, 5, 0.25, 0.75, answers=6, asked=50, within=4), 0.24, "undecided"),
        (Phrase("maybe", 3, 5, 0.25, 0.75, answers=6, asked=50, within=4), 0.76, "undecided"),
        (Phrase("maybe", 3, 5, 0.25, 0.75, answers=6, asked=50, within=4), 0.99, "weaker"),
        (Phrase("absent", 0, 1, 0, 0), 0.045, "matches"),
        (Phrase("absent", 0, 1, 0, 0), 0.055, "weaker"),
        (Phrase("present", 1, 0, 1, 1), 0.955, "matches"),
        (Phrase("present", 1, 0, 1, 1), 0.945, "stronger"),
    ],
)
def test_of_a_rate_that_is_known_the_ranges_decide(word: Phrase, share: float, verdict: str) -> None:
    n = 9_999.0
    counts = np.array([[[n * (1 - share), n * share]]])
    given = Tables((("Avery", "edema"),), (word.name,), ("no", "yes"), counts, np.array([0.0, 1.0]))
    mean = word.alpha / (word.alpha + word.beta)
    [[rate]], _ = rated(given, [word], Settings(), np.array([mean]), spread=SHIPPED)
    assert (rate.verdict, rate.expected) == (verdict, pytest.approx(share, abs=1e-3))
    [[few]], _ = rated(given, [word], Settings(min_phrase_n=10_000), np.array([mean]), spread=SHIPPED)
    assert few.verdict == "too few"
    assert few.probability == rate.probability


WIDE = [Phrase(f"maybe {k}", 3, 5 - k / 4, 0.22 + k / 50, 0.5 + k / 50) for k in range(8)]


@pytest.mark.parametrize(("least", "verdict"), [(4, "stronger"), (8, "undecided"), (12, "weaker")])
def test_words_that_are_each_undecided_can_be_off_together(least: int, verdict: str) -> None:
    confirmed = np.array([least + 1, *[least] * 6, least + 1] if least < 9 else [least + 1] * 8, dtype=float)
    counts = np.stack([20 - confirmed, confirmed], axis=1)[None]
    given = Tables((("Avery", "edema"),), tuple(w.name for w in WIDE), ("no", "yes"), counts, np.array([0.0, 1.0]))
    mean = np.array([w.alpha / (w.alpha + w.beta) for w in WIDE])
    [rates], [whole] = rated(given, WIDE, Settings(), mean, spread=SHIPPED)
    assert {r.verdict for r in rates} <= {"undecided", "matches"}
    assert (whole.n, whole.stated, whole.rate) == (
        160,
        pytest.approx(mean.mean()),
        pytest.approx(confirmed.mean() / 20),
    )
    assert whole.expected == pytest.approx(np.mean([r.expected for r in rates]))
    assert whole.verdict == verdict
    off = abs(whole.expected - whole.stated) - OFF
    assert whole.probability == pytest.approx(stats.norm.cdf(off / whole.deviation))
    assert together(*whole[:5]).verdict == verdict
    assert together(*whole[:5], matched=0.5).verdict == "undecided"
    of = Reliability("Avery", "edema", 160.0, rates, together=whole)
    assert of.differs is (verdict != "undecided")
    (one,) = rated(given, WIDE, Settings(min_phrase_n=21), mean, spread=SHIPPED)[1]
    assert one is None


@pytest.mark.parametrize(
    ("hedged", "plain", "differs"),
    [
        (("matches", "stronger"), "matches", True),
        (("weaker", "too few"), "matches", True),
        (("undecided", "matches"), "weaker", False),
        (("too few", "too few"), "weaker", None),
        ((), "weaker", None),
    ],
)
def test_a_group_differs_where_a_hedged_word_does(hedged: tuple[Verdict, ...], plain: Verdict, differs: bool) -> None:
    rates = [PhraseRate(f"w{i}", 20, 9, 0.45, 0.3, 0.6, 0.5, verdict=said) for i, said in enumerate(hedged)]
    rates.append(PhraseRate("absent", 20, 9, 0.45, 0.3, 0.6, 0.0, verdict=plain))
    assert Reliability("Avery", "edema", 60.0, tuple(rates)).differs is differs
