"""The model of a department against brute-force integration, and departments whose truth is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit
from scipy.stats import norm

from radcal.calibration import model
from radcal.calibration.evidence import Evidence
from radcal.calibration.model import SHIPPED, Words, learned, own_part, posterior
from radcal.calibration.records import Level, Spread

MEAN = np.array([0.0, 0.1, 0.3, 0.5, 0.77, 0.92, 1.0])
NAMES = ("no", "unlikely", "possibly", "maybe", "likely", "suggestive", "yes")
HEDGED = (MEAN > 0) & (MEAN < 1)


def evidence(n: np.ndarray, y: np.ndarray) -> Evidence:
    n, y = np.atleast_2d(n).astype(float), np.atleast_2d(y).astype(float)
    return Evidence(n, y, np.ones_like(n))


def department(
    rng: np.random.Generator, readers: int, topics: int, size: int, *, shift: float = 0.0, near: float = 0.0
) -> tuple[Evidence, np.ndarray, list[tuple[str, str]]]:
    """Evidence (G, K), true rates and groups; ``shift`` is common to a reader's pathologies, ``near`` to one word."""
    groups = [(f"r{i}", f"t{j}") for i in range(readers) for j in range(topics)]
    of_reader = np.repeat(rng.normal(0, shift, readers), topics)[:, None] if shift else 0.0
    h = Words.of(MEAN).x + np.where(HEDGED, of_reader + rng.normal(0, near or 1e-9, (len(groups), len(MEAN))), 0)
    rates = np.where(HEDGED, expit(h), MEAN)
    n = rng.multinomial(size, np.full(len(MEAN), 1 / len(MEAN)), len(groups))
    return evidence(n, rng.binomial(n, rates)), rates, groups


def brute_force(e: Evidence, spread: Spread, k: int, limit: float) -> tuple[float, float]:
    """Mean of the rate of word k of the only group, and P(rate > limit), by sums over a, b and every h."""
    a, b = np.linspace(-3, 3, 81), np.linspace(-2.5, 2.5, 67)
    h = np.linspace(-9, 9, 1201)
    beyond = np.clip((h - logit(limit)) / (h[1] - h[0]) + 0.5, 0, 1)
    words, rate, sums = Words.of(MEAN), expit(h), np.zeros(3)
    for share, sds, hedge in (
        (1 - model.ODD, (spread.shift, spread.slope), spread.near),
        (model.ODD, model.WIDE, SHIPPED.near),
    ):
        weight = np.outer(*(norm.pdf(z, scale=sd) for z, sd in zip((a, b), sds, strict=True)))
        weight *= share / weight.sum()
        own = np.empty(0)
        for j in np.flatnonzero(e.n[0] > 0):
            near = spread.plain if words.plain[j] else hedge
            like = e.weight[0, j] * (e.y[0, j] * np.log(rate) + (e.n[0, j] - e.y[0, j]) * np.log1p(-rate))
            like = np.exp(like - like.max())
            shape = (len(a), len(b))
            centre = (a[:, None] + (1 + b) * words.x[j]) if not words.plain[j] else np.full(shape, words.x[j])
            centre = centre + spread.common.get(NAMES[j], 0.0)
            masses = np.zeros((*shape, 3))
            for i in range(len(a)):
                t = h - centre[i][:, None]
                p = (1 - spread.private) * norm.pdf(t, scale=near) + spread.private * norm.pdf(t, scale=spread.far)
                masses[i] = p @ np.stack([like, like * rate, like * beyond], axis=1)
            weight = weight * masses[..., 0]
            if j == k:
                own = masses / masses[..., :1]
        sums += (weight[:, :, None] * own).sum(axis=(0, 1))
    return float(sums[1] / sums[0]), float(sums[2] / sums[0])


NARROW = replace(SHIPPED, shift=0.1, slope=0.1, near=0.1, private=0.03)
"""Of a department whose groups are all alike: one that lies apart is far from all nodes of what is usual."""


@pytest.mark.parametrize(
    ("n", "y", "k", "spread"),
    [
        ([0, 12, 20, 0, 30, 0, 0], [0, 1, 14, 0, 16, 0, 0], 2, SHIPPED),
        ([0, 12, 20, 0, 30, 0, 0], [0, 1, 14, 0, 16, 0, 0], 4, SHIPPED),
        ([40, 0, 9, 0, 0, 11, 0], [3, 0, 9, 0, 0, 2, 0], 0, SHIPPED),
        ([0, 0, 900, 0, 700, 0, 0], [0, 0, 350, 0, 480, 0, 0], 2, SHIPPED),  # on a grid of its own
        ([0, 5, 0, 0, 0, 8, 60], [0, 0, 0, 0, 0, 8, 51], 6, SHIPPED),
        ([0, 20, 0, 60, 15, 0, 0], [0, 1, 0, 8, 3, 0, 0], 3, NARROW),
        ([0, 20, 0, 60, 15, 0, 0], [0, 1, 0, 8, 3, 0, 0], 4, NARROW),
    ],
)
def test_posterior_is_that_of_brute_force(n: list[int], y: list[int], k: int, spread: Spread) -> None:
    spread = replace(spread, common={"possibly": 0.2})
    e = evidence(np.array(n), np.array(y))
    limit = y[k] / n[k] + 0.01
    mean, above = brute_force(e, spread, k, limit)
    truth = posterior(e, MEAN, NAMES, spread)
    within = 2e-3 if spread.near > NARROW.near else 0.01
    assert truth.mean[0, k] == pytest.approx(mean, abs=within)
    assert truth.above(np.array([limit]), np.array([0]), np.array([k]))[0] == pytest.approx(above, abs=5 * within)


def test_the_sum_of_rates_is_that_of_draws_from_the_prior() -> None:
    n, y = np.array([0, 0, 12, 9, 400, 0, 0]), np.array([0, 0, 6, 4, 240, 0, 0])
    share = n / n.sum()
    truth = posterior(evidence(n, y), MEAN, NAMES, SHIPPED, share=share[None])
    rng, size, used = np.random.default_rng(1), 400_000, np.flatnonzero(n)
    sd = np.where(rng.random(size)[:, None] < model.ODD, model.WIDE, (SHIPPED.shift, SHIPPED.slope))
    a, b = (rng.normal(size=(size, 2)) * sd).T
    d = rng.normal(0, np.where(rng.random((size, 3)) < SHIPPED.private, SHIPPED.far, SHIPPED.near))
    rate = expit(a[:, None] + (1 + b[:, None]) * logit(MEAN[used]) + d)
    log = (y[used] * np.log(rate) + (n - y)[used] * np.log1p(-rate)).sum(axis=1)
    weight = np.exp(log - log.max())
    total = rate @ share[used]
    mean = np.average(total, weights=weight)
    assert truth.summed is not None
    assert truth.summed[0][0] == pytest.approx(mean, abs=2e-3)
    assert truth.summed[1][0] ** 0.5 == pytest.approx(np.average((total - mean) ** 2, weights=weight) ** 0.5, rel=0.03)


def test_weight_is_worth_so_many_findings() -> None:
    n, y = np.array([0, 0, 40, 0, 0, 0, 0.0]), np.array([0, 0, 10, 0, 0, 0, 0.0])
    whole = posterior(evidence(n, y), MEAN, NAMES, SHIPPED)
    twice = Evidence(2 * n[None], 2 * y[None], np.full((1, 7), 0.5))
    assert posterior(twice, MEAN, NAMES, SHIPPED).mean == pytest.approx(whole.mean, abs=1e-12)


def test_a_grid_of_its_own_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    e = evidence(np.array([30, 50, 200, 300, 250, 80, 60]), np.array([1, 7, 70, 140, 190, 66, 55]))
    at = np.zeros(7, dtype=int), np.arange(7)
    shared = posterior(e, MEAN, NAMES, SHIPPED)
    monkeypatch.setattr(model, "_INFORMATION", 1.5)
    alone = posterior(e, MEAN, NAMES, SHIPPED)
    assert (e.information > 1.5).sum() >= 5
    assert alone.mean == pytest.approx(shared.mean, abs=2e-4)
    assert np.stack(alone.interval(0.95, *at)) == pytest.approx(np.stack(shared.interval(0.95, *at)), abs=3e-3)


@given(st.lists(st.tuples(st.integers(1, 80), st.floats(0, 1)), min_size=7, max_size=7))
@settings(max_examples=20, deadline=None)
def test_turned_round_all_is_turned_round(said: list[tuple[int, float]]) -> None:
    """Words of the opposite meanings, of which the opposite was found, have the opposite rates."""
    n = np.array([n for n, _ in said])
    y = np.rint(n * [share for _, share in said])
    e, turned = evidence(n, y), evidence(n[::-1], (n - y)[::-1])
    one = posterior(e, MEAN, NAMES, SHIPPED)
    other = posterior(turned, (1 - MEAN)[::-1], NAMES[::-1], SHIPPED)
    assert one.mean[0] == pytest.approx(1 - other.mean[0, ::-1], abs=0.03)  # the nodes are not their own mirror image
    ends, turned_ends = (np.stack(p.interval(0.9, np.zeros(7, dtype=int), np.arange(7))) for p in (one, other))
    assert ends == pytest.approx(1 - turned_ends[::-1, ::-1], abs=0.06)


def test_interval_holds_its_probability() -> None:
    e = evidence(np.array([20, 3, 17, 600, 9, 12, 4]), np.array([0, 1, 9, 290, 9, 2, 4]))
    truth, at = posterior(e, MEAN, NAMES, SHIPPED), (np.zeros(7, dtype=int), np.arange(7))
    low, high = truth.interval(0.8, *at)
    assert truth.above(low, *at) == pytest.approx(0.9, abs=1e-6)
    assert truth.above(high, *at) == pytest.approx(0.1, abs=1e-6)
    assert truth.inside(np.zeros(7), np.ones(7), *at) == pytest.approx(1)
    assert truth.inside(low, high, *at) == pytest.approx(0.8, abs=1e-6)


def test_words_not_used_are_what_they_mean() -> None:
    e = evidence(np.array([0, 0, 12, 0, 0, 0, 0]), np.array([0, 0, 12, 0, 0, 0, 0]))
    used = posterior(e, MEAN, NAMES, SHIPPED, used=True)
    assert used.mean[0, [0, 1, 3]].tolist() == MEAN[[0, 1, 3]].tolist()
    assert used.mean[0, 2] == pytest.approx(posterior(e, MEAN, NAMES, SHIPPED).mean[0, 2], abs=1e-4)


def test_gradient_of_the_marginal_likelihood() -> None:
    e, *_ = department(np.random.default_rng(3), 4, 4, 90, near=0.4)
    fit = model._Fit(e, Words.of(MEAN), model.SILENT)
    at = np.concatenate([np.log([0.4, 0.25, 0.3, 0.7, 1.3, 0.12]), np.full(fit.shared.size, 0.1)])
    _, gradient = fit.loss(at)
    steps = 1e-4 * np.eye(len(at))
    by_difference = [(fit.loss(at + step)[0] - fit.loss(at - step)[0]) / 2e-4 for step in steps]
    assert gradient == pytest.approx(np.array(by_difference), rel=1e-3, abs=0.02)


def test_spreads_of_a_department_are_learned() -> None:
    rng = np.random.default_rng(0)
    alike, _, groups = department(rng, 8, 8, 300)
    apart, _, _ = department(rng, 8, 8, 300, near=0.5)
    calm, wild = (learned(e, MEAN, NAMES, groups) for e in (alike, apart))
    assert (calm.groups, wild.groups) == (64, 64)
    assert calm.near < 0.25
    assert calm.shift < 0.2
    assert 0.35 < np.hypot(wild.near, wild.private * wild.far) < 0.7


def test_a_small_department_leans_on_what_is_shipped() -> None:
    e, _, groups = department(np.random.default_rng(1), 1, 1, 30)
    made = learned(e, MEAN, NAMES, groups)
    assert made.common == {}
    assert made.levels == ()
    for name in ("shift", "slope", "near", "plain", "far", "private"):
        assert getattr(made, name) == pytest.approx(getattr(SHIPPED, name), rel=0.5), name


def test_what_all_readers_mean_by_a_word_is_common() -> None:
    rng = np.random.default_rng(2)
    e, _, groups = department(rng, 6, 6, 200)
    rate = expit(logit(0.3) + 1.0)
    y = e.y.copy()
    y[:, 2] = rng.binomial(e.n[:, 2].astype(int), rate)
    common = learned(Evidence(e.n, y, e.weight), MEAN, NAMES, groups).common
    assert common["possibly"] == pytest.approx(1.0, abs=0.25)
    assert abs(common["likely"]) < 0.25


def test_learned_whatever_the_order_of_the_groups() -> None:
    e, _, groups = department(np.random.default_rng(4), 5, 4, 120, shift=0.6)
    turned = Evidence(e.n[::-1], e.y[::-1], e.weight[::-1])
    one, other = learned(e, MEAN, NAMES, groups), learned(turned, MEAN, NAMES, groups[::-1])
    assert one.near == pytest.approx(other.near, rel=0.02)
    assert one.shift == pytest.approx(other.shift, rel=0.02)


# --- levels


def test_a_reader_is_known_by_the_other_pathologies() -> None:
    rng = np.random.default_rng(5)
    e, rates, groups = department(rng, 12, 8, 80, shift=0.9)
    made = learned(e, MEAN, NAMES, groups)
    assert made.of_reader >= 0.5
    assert made.of_pathology <= 0.25
    with_levels, without = (posterior(e, MEAN, NAMES, spread, groups) for spread in (made, replace(made, levels=())))
    off = [np.square(truth.mean - rates)[:, HEDGED].mean() for truth in (with_levels, without)]
    assert off[0] < 0.8 * off[1]


def test_a_group_is_not_counted_twice() -> None:
    """What the others tell of a group does not depend on its own findings."""
    e, _, groups = department(np.random.default_rng(6), 5, 4, 100, shift=0.8)
    spread = replace(SHIPPED, shift=0.7, slope=0.2)
    changed = e.y.copy()
    changed[7] = e.n[7] - e.y[7]
    one, other = (model._with_levels(spread, Evidence(e.n, y, e.weight), MEAN, NAMES, groups) for y in (e.y, changed))
    assert one.of_reader > 0
    if (one.of_reader, one.of_pathology) == (other.of_reader, other.of_pathology):
        own, same = one.levels[7], other.levels[7]
        assert (own.shift, own.shift_sd) == pytest.approx((same.shift, same.shift_sd), abs=0.02)
        # It does tell something of the others.
        assert one.levels[4].shift != pytest.approx(other.levels[4].shift, abs=0.02)


def test_crossed_effects_are_those_of_the_joint_normal() -> None:
    """Against the joint covariance of all groups, written out."""
    rng = np.random.default_rng(7)
    reader, topic = np.repeat(np.arange(3), 3), np.tile(np.arange(3), 3)
    G, prior, shares = 9, np.diag([0.5, 0.2]), (0.4, 0.3)
    root = rng.normal(size=(G, 2, 2))
    precision = root @ root.swapaxes(1, 2) + 0.5 * np.eye(2)
    noise = np.linalg.inv(precision)
    seen = rng.normal(size=(G, 2))
    pull = np.einsum("gab,gb->ga", precision, seen)
    joint = np.zeros((G, 2, G, 2))
    for g in range(G):
        for h in range(G):
            share = shares[0] * (reader[g] == reader[h]) + shares[1] * (topic[g] == topic[h]) + 0.3 * (g == h)
            joint[g, :, h] = share * prior
    told = joint.copy()
    told[np.arange(G), :, np.arange(G)] += noise
    value, means, covariances = model._crossed(precision, pull, prior, shares, 0.3, reader, topic)
    for g in range(G):
        others = np.flatnonzero(np.arange(G) != g)
        cross = joint[g][:, others].reshape(2, -1)
        back = np.linalg.inv(told[np.ix_(others, [0, 1], others, [0, 1])].reshape(2 * G - 2, 2 * G - 2))
        assert means[g] == pytest.approx(cross @ back @ seen[others].ravel(), abs=1e-8)
        assert covariances[g] == pytest.approx(joint[g, :, g] - cross @ back @ cross.T, abs=1e-8)
    nothing, *_ = model._crossed(precision, pull, prior, (0.0, 0.0), 1.0, reader, topic)

    def log_evidence(covariance: np.ndarray) -> float:
        whole = covariance.copy()
        whole[np.arange(G), :, np.arange(G)] += noise
        flat = whole.reshape(2 * G, 2 * G)
        return float(-0.5 * np.linalg.slogdet(flat)[1] - 0.5 * seen.ravel() @ np.linalg.solve(flat, seen.ravel()))

    alone = np.zeros_like(joint)
    alone[np.arange(G), :, np.arange(G)] = prior
    assert value - nothing == pytest.approx(log_evidence(joint) - log_evidence(alone), abs=1e-8)


def test_an_own_file_holds_nothing_of_others() -> None:
    levels = tuple(Level(author, "edema", 0.1, 0.0, 0.3, 0.1, 0.0) for author in ("Ash", "Birch"))
    assert own_part(replace(SHIPPED, levels=levels), "Ash").levels == levels[:1]


# --- what is said is as true as it says


def test_intervals_hold_the_truth() -> None:
    rng = np.random.default_rng(8)
    held = said = 0
    for _ in range(8):
        e, rates, groups = department(rng, 6, 6, 150, shift=0.4, near=0.35)
        truth = posterior(e, MEAN, NAMES, learned(e, MEAN, NAMES, groups), groups)
        at = np.nonzero((e.n >= 5) & HEDGED)
        low, high = truth.interval(0.95, *at)
        held += int(((low <= rates[at]) & (rates[at] <= high)).sum())
        said += len(at[0])
    assert 0.925 < held / said < 0.975
