"""The ordered plan: the best of all plans in order, what it never does, and how sure it is."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta, binom

from radcal.advice.ordered import Guards, OrderedSolver, alone, cheapest_in_order
from radcal.advice.solve import order_violations
from radcal.calibration import scoring
from radcal.calibration.evidence import Evidence
from radcal.calibration.model import learned, posterior
from radcal.lab.recalibrating import in_order
from radcal.words.bins import bin_phrases
from radcal.words.phrases import PLAIN_TOLERANCE, load_lexicon
from radcal.words.records import Phrase

SHIPPED = load_lexicon().phrases


def guards_of(size, **changes):
    """Guards that leave everything open but for the changes."""
    return replace(Guards(10, np.ones(size, bool), 20, 0.95), **changes)


@st.composite
def cases(draw):
    """Words, counts and guards."""
    meanings = draw(st.lists(st.tuples(st.floats(0.02, 0.98), st.floats(1, 60)), min_size=1, max_size=7, unique=True))
    phrases = [Phrase(f"w{i}", m * c, (1 - m) * c, 0, 1) for i, (m, c) in enumerate(meanings)]
    phrases += [Phrase("absent", 0, 1, 0, 0), Phrase("present", 1, 0, 1, 1)]
    phrases = draw(st.permutations(phrases))
    size = len(phrases)
    n = np.array(draw(st.lists(st.integers(0, 80), min_size=size, max_size=size)), float)
    y = np.round(n * np.array(draw(st.lists(st.floats(0, 1), min_size=size, max_size=size))))
    allowed = np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    return phrases, n, y, Guards(10, allowed, draw(st.integers(1, 9)), draw(st.floats(0.5, 0.99)))


@settings(deadline=None, max_examples=150)
@given(cases())
def test_plans_keep_within_the_guards(case):
    phrases, n, y, guards = case
    bins = bin_phrases(phrases)
    solver = OrderedSolver(bins, guards)
    plan, found = solver.plans(n[None], y[None])[0], solver.openings(n[None], y[None])
    assert np.isin(plan, (0, 1)).all()
    np.testing.assert_array_equal(plan.sum(axis=1), 1)
    target = plan.argmax(axis=1)
    changed = target != np.arange(len(phrases))
    assert not changed[n < guards.min_n].any()
    assert guards.allowed[target[changed]].all()
    step = np.unique(bins.mean, return_inverse=True)[1]
    assert (np.abs(step[target] - step) <= guards.max_steps).all()
    assert order_violations(plan, bins.mean, n >= guards.min_n) == 0
    assert not ((bins.mean == 0) & (bins.mean[target] == 1)).any()
    assert not ((bins.mean == 1) & (bins.mean[target] == 0)).any()
    seen = (y / np.maximum(n, 1))[changed]
    assert (np.abs(seen - bins.mean[target[changed]]) < np.abs(seen - bins.mean[changed])).all()
    right = np.isin(bins.mean, (0, 1)) & (np.abs(y - n * bins.mean) <= PLAIN_TOLERANCE * n)
    assert not changed[right].any()
    assert (found.sure[0, changed, target[changed]] >= guards.sure).all()


def test_a_word_that_stays_holds_no_other_one_back():
    """'Likely' at 15 of 40 becomes 'may represent', though 'probably', at 6 of 12, cannot be shown to be off."""
    bins = bin_phrases(SHIPPED)
    at = {p.name: k for k, p in enumerate(SHIPPED)}
    n, y = np.zeros((2, 1, len(SHIPPED)))
    for name, said, confirmed in (("probably", 12, 6), ("likely", 40, 15)):
        n[0, at[name]], y[0, at[name]] = said, confirmed
    allowed = np.isin([p.name for p in SHIPPED], ["possibly", "may represent", "probably", "likely"])
    plan = OrderedSolver(bins, guards_of(len(SHIPPED), allowed=allowed)).plans(n, y)[0].argmax(axis=1)
    said = {name: SHIPPED[plan[at[name]]].name for name in ("probably", "likely")}
    assert said == {"probably": "probably", "likely": "may represent"}


@settings(deadline=None, max_examples=60)
@given(cases())
def test_each_guard_lets_through_what_it_says(case):
    phrases, n, y, guards = case
    bins = bin_phrases(phrases)
    mean, second = bins.mean, bins.second
    rates = alone(bins)(n[None], y[None])
    # A few words at a time: what is asked of all at once must not depend on it.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("radcal.advice.cost._AT_ONCE", 2 * len(phrases))
        found = OrderedSolver(bins, guards).openings(n[None], y[None])
    assert {mask.shape for mask in found.passed.values()} == {(1, len(phrases), len(phrases))}
    steps = sorted(set(mean.tolist()))
    for k, t in product(np.flatnonzero(n), range(len(phrases))):
        own, other, rate, seen = mean[k], mean[t], rates.mean[0, k], y[k] / n[k]
        low, high = beta.ppf([0.025, 0.975], y[k] + 0.5, n[k] - y[k] + 0.5)
        low, high = 0.0 if y[k] == 0 else low, 1.0 if y[k] == n[k] else high
        fall = (rate - own) ** 2 - (rate - other) ** 2
        spread = second - mean**2
        off = max(low - own, own - high) - 0.65, max(low - other, other - high) - 0.2
        left = (rate - other) ** 2 - 0.6 * (rate - own) ** 2
        if min(abs(fall), abs(fall - 0.003), abs(left), abs(off[0]), abs(off[1])) < 1e-9 and k != t:
            continue
        plain = own in (0, 1)
        due = {
            "right": not (plain and abs(y[k] - n[k] * own) <= PLAIN_TOLERANCE * n[k]),
            "contradicted": not plain or abs(seen - own) <= 0.5,
            "opposite": off[0] <= 0,
            "nearer": k != t and fall > 0 and abs(seen - other) < abs(seen - own),
            "allowed": guards.allowed[t],
            "steps": abs(steps.index(own) - steps.index(other)) <= guards.max_steps,
            "turned": not (plain and (other in (0, 1) or abs(other - own) > 0.5) and own != other),
            "far": off[1] <= 0,
            "gain": k != t and fall > 0.003 and left <= 0,
        }
        assert {name: found.passed[name][0, k, t] for name in due} == due
        assert found.loss[0, k, t] == pytest.approx((rate - other) ** 2 + spread[t])
        if not all(due.values()):
            continue
        middle = (own + other) / 2
        middle = min(max(middle, PLAIN_TOLERANCE), 1 - PLAIN_TOLERANCE) if plain else middle
        at = np.array([0]), np.array([k])
        above = rates.above(np.array([middle]), *at)[0]
        sure = above if other > own else 1 - above
        assert found.sure[0, k, t] == pytest.approx(sure)
        assert found.passed["sure"][0, k, t] == (found.sure[0, k, t] >= guards.sure)
        if found.passed["sure"][0, k, t]:
            turn = min(max((second[t] - second[k]) / (2 * (other - own)), 0), 1)
            above = rates.above(np.array([turn]), *at)[0]
            lower = above if other > own else 1 - above
            better = lower >= 0.6 and (rate - own) ** 2 + spread[k] > found.loss[0, k, t]
            assert abs(lower - 0.6) < 1e-9 or found.passed["score"][0, k, t] == better


@settings(deadline=None, max_examples=40)
@given(cases(), st.integers(0, 1000))
def test_the_order_of_the_lexicon_is_of_no_matter(case, seed):
    phrases, n, y, guards = case
    turn = np.random.default_rng(seed).permutation(len(phrases))
    plan = OrderedSolver(bin_phrases(phrases), guards).plans(n[None], y[None])[0]
    turned = OrderedSolver(bin_phrases([phrases[i] for i in turn]), replace(guards, allowed=guards.allowed[turn]))
    np.testing.assert_array_equal(turned.plans(n[turn][None], y[turn][None])[0], plan[np.ix_(turn, turn)])


@pytest.mark.parametrize("seed", range(30))
def test_no_plan_in_order_is_cheaper(seed):
    """Dynamic programming against every choice whose targets ascend, with closed ones among them, and none."""
    rng = np.random.default_rng(seed)
    sources, words = rng.integers(1, 5), rng.integers(2, 6)
    price, stay = rng.random((3, sources, words)), rng.random((3, sources))
    price[rng.random(price.shape) < 0.3] = np.inf
    found = cheapest_in_order(price, stay)
    with_stay = np.concatenate([price, stay[:, :, None]], axis=2)  # -1 is the last
    for b in range(3):
        choices = [c for c in product(range(-1, words), repeat=sources) if is_ascending(c)]
        assert is_ascending(found[b])
        total = min(with_stay[b, range(sources), choice].sum() for choice in choices)
        assert with_stay[b, range(sources), found[b]].sum() == pytest.approx(total)
    price[:, :, -1] = 2.0  # so that there is always a way
    for b, placed in enumerate(cheapest_in_order(price)):
        total = min(
            price[b, range(sources), choice].sum() for choice in combinations_with_replacement(range(words), sources)
        )
        assert (np.diff(placed) >= 0).all()
        assert price[b, range(sources), placed].sum() == pytest.approx(total)


def is_ascending(targets):
    """Whether those that are there do not fall."""
    there = [t for t in targets if t >= 0]
    return there == sorted(there)


@pytest.mark.parametrize("seed", range(10))
def test_without_guards_the_words_in_order_have_the_least_loss(seed):
    """Of all ascending choices of allowed words, for words in any order of the lexicon."""
    rng = np.random.default_rng(seed)
    words = rng.permutation([Phrase(f"w{i}", m, 5 - m, 0, 1) for i, m in enumerate((0.5, 1.5, 2.5, 3.5, 4.5))])
    bins = bin_phrases([*words])
    n, rate, rows = rng.integers(1, 30, (2, 5)).astype(float), rng.random((2, 5)), rng.permutation(5)[:3]
    allowed = np.isin(np.arange(5), rng.permutation(5)[:4])
    placed, loss = in_order(n, rate, bins, rows, allowed)
    width = bins.second - bins.mean**2
    np.testing.assert_allclose(loss, (rate[:, rows, None] - bins.mean) ** 2 + width)
    scale = [t for t in np.argsort(bins.mean) if allowed[t]]
    ascending = np.argsort(bins.mean[rows])
    for b in range(2):
        price = n[b, rows, None] * loss[b]
        assert (np.diff(bins.mean[placed[b]][ascending]) >= 0).all()
        assert allowed[placed[b]].all()
        least = min(price[ascending, choice].sum() for choice in combinations_with_replacement(scale, 3))
        assert price[np.arange(3), placed[b]].sum() == pytest.approx(least)


def test_plans_side_by_side_are_those_of_each_alone():
    rng = np.random.default_rng(4)
    bins = bin_phrases(SHIPPED)
    n = rng.integers(0, 90, (6, len(SHIPPED))).astype(float)
    y = rng.binomial(n.astype(int), rng.random(n.shape)).astype(float)
    solver = OrderedSolver(bins, guards_of(len(SHIPPED)))
    together = solver.plans(n, y)
    for b in range(6):
        np.testing.assert_array_equal(together[b], solver.plans(n[b : b + 1], y[b : b + 1])[0])


@settings(deadline=None, max_examples=60)
@given(cases(), st.data())
def test_of_open_words_those_whose_range_holds_the_rate_come_first_and_equal_ranges_are_closed(case, data):
    phrases, n, y, guards = case
    bins, size = bin_phrases(phrases), len(phrases)
    seen = np.unique(np.round(100 * y / np.maximum(n, 1))).astype(int).tolist()
    given_ranges = [(0, 25), (25, 75), (75, 100), (40, 60), *((0, p) for p in seen), *((p, 100) for p in seen)]
    rows = data.draw(st.lists(st.sampled_from(given_ranges), min_size=size, max_size=size))
    ranges = np.array(rows)
    guards = replace(guards, max_steps=9, sure=0.5, allowed=np.ones(size, bool))
    found = OrderedSolver(bins, guards).openings(n[None], y[None])
    asked = OrderedSolver(bins, replace(guards, ranges=ranges)).openings(n[None], y[None])
    is_open = np.logical_and.reduce([*found.passed.values()])[0]
    for k in np.flatnonzero(n):
        others = [t for t in np.flatnonzero(is_open[k]) if rows[t] != rows[k]]
        assert [t for t in range(size) if all(mask[0, k, t] for mask in asked.passed.values())] == others
        holds = [t for t in others if rows[t][0] <= round(100 * y[k] / n[k]) <= rows[t][1]]
        dearest = max((found.loss[0, k, t] for t in holds), default=0.0)
        for t in others:
            if t in holds or found.loss[0, k, t] > dearest * 1.001:
                assert asked.loss[0, k, t] == found.loss[0, k, t]
            else:
                assert dearest < asked.loss[0, k, t] <= dearest * 1.001


def test_a_word_is_nearer_or_better_as_often_as_over_all_rates_it_could_have(lexicon):
    """Each pair of words against a sum over a fine grid of rates."""
    bins, size = bin_phrases(lexicon), len(lexicon)
    rng = np.random.default_rng(6)
    n = rng.integers(0, 40, (2, size)).astype(float)
    rates = alone(bins)(n, rng.binomial(n.astype(int), rng.random(n.shape)).astype(float))
    solver = OrderedSolver(bins, guards_of(size))
    grid = np.linspace(0, 1, 4001)
    rate, mean, width = (grid[1:] + grid[:-1]) / 2, bins.mean, bins.second - bins.mean**2
    for sample, k in product(range(2), np.flatnonzero((mean > 0) & (mean < 1))):
        mass = -np.diff(rates.above(grid, np.full(grid.shape, sample), np.full(grid.shape, k)))
        at = np.full(size, sample), np.full(size, k), np.arange(size)
        off, own = (rate[:, None] - mean) ** 2, (rate - mean[k]) ** 2
        others = np.arange(size) != k
        nearer, better = mass @ (off < own[:, None]), mass @ (off + width < (own + width[k])[:, None])
        np.testing.assert_allclose(solver._nearer(rates, *at)[others], nearer[others], atol=2e-3)
        np.testing.assert_allclose(solver._lower(rates, *at)[others], better[others], atol=2e-3)


@pytest.mark.parametrize(("slope", "most"), [(1.0, 0.01), (1.8, 1.0)])
def test_calibrated_authors_are_left_alone_and_weak_words_are_found(slope, most):
    """A department of 200 authors: of the calibrated at most 1 % are advised, of the others over half, to the good."""
    bins = bin_phrases(SHIPPED)
    mean, size = bins.mean, len(SHIPPED)
    hedged = (mean > 0) & (mean < 1)
    odds = np.log(np.where(hedged, mean, 0.5) / np.where(hedged, 1 - mean, 0.5))
    truth = np.where(hedged, 1 / (1 + np.exp(-slope * odds)), mean)
    rng = np.random.default_rng(0)
    use = rng.dirichlet(np.ones(size), 200)
    n = np.array([rng.multinomial(200, u) for u in use]).astype(float)
    y = binom.rvs(n.astype(int), truth, random_state=rng).astype(float)
    told, names = Evidence(n, y, np.ones_like(n)), bins.phrases
    spread = learned(told, mean, names, [(f"author {b}", "edema") for b in range(200)])

    def department(_n, _y):
        return posterior(told, mean, names, spread)

    plans = OrderedSolver(bins, guards_of(size), truth=department).plans(n, y)
    advised = (plans.argmax(axis=2) != np.arange(size)).any(axis=1)
    assert advised.mean() <= most
    before = scoring.brier(use, use * truth, bins)
    moved, confirmed = np.einsum("bk,bkl->bl", use, plans), np.einsum("bk,bkl->bl", use * truth, plans)
    after = scoring.brier(moved, confirmed, bins)
    if slope > 1:
        assert advised.mean() > 0.5
        assert ((after - before)[advised] > 0).mean() <= 0.08
        assert (before - after).mean() > 0.003


def test_openings_of_some_words_are_those_of_all():
    rng = np.random.default_rng(9)
    bins, size = bin_phrases(SHIPPED), len(SHIPPED)
    n = rng.integers(0, 90, (1, size)).astype(float)
    y = rng.binomial(n.astype(int), rng.random(n.shape)).astype(float)
    solver, rows = OrderedSolver(bins, guards_of(size)), np.array([2, 5])
    every, some = solver.openings(n, y), solver.openings(n, y, rows)
    np.testing.assert_array_equal(some.sure, every.sure[:, rows])
    np.testing.assert_array_equal(some.loss, every.loss[:, rows])
    assert all((some.passed[name] == every.passed[name][:, rows]).all() for name in every.passed)
