"""Rates that borrow strength: as normal theory has them, right about simulated departments, and never about oneself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from radcal.advice.advice import advise
from radcal.advice.borrowing import SHARES, borrowed, told_to
from radcal.advice.explore import Explorer
from radcal.advice.ordered import Guards, OrderedSolver
from radcal.advice.rates import at_mode, posterior_rates, prior_of
from radcal.advice.report import to_json
from radcal.reliability.records import Tables
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.words.bins import bin_phrases

FAST = Settings(bootstrap=0)
POOLED = FAST.changed(pooling="topics")


def test_what_is_in_common_is_what_conditioning_a_joint_normal_gives():
    """All groups in one long vector, with its covariance written out in full."""
    mean = np.array([0.1, 0.3, 0.6, 0.9])
    rng = np.random.default_rng(3)
    n = np.array([[20.0, 5.0, 0.0, 9.0], [8.0, 0.0, 0.0, 30.0], [3.0, 14.0, 0.0, 2.0]])
    y = rng.binomial(n.astype(int), 0.4).astype(float)
    x, priors = prior_of(mean)
    told = iter(borrowed([(n, y)], np.ones(4, dtype=bool), mean).priors)
    for prior in priors:
        f, weight, pull, _ = at_mode(n, y, x, prior)
        whole = prior.common @ prior.common.T + prior.own**2 * np.eye(4)
        said = (n > 0).ravel()
        z = np.where(n > 0, f + pull / np.where(n > 0, weight, 1), 0.0).ravel()[said]
        logs = []
        for share in SHARES:
            found, covariance, log = next(told)
            noise = np.diag(1 / np.where(n > 0, weight, 1).ravel())
            joint = np.kron(np.ones((3, 3)), share * whole) + np.kron(np.eye(3), (1 - share) * whole) + noise
            joint, across = joint[np.ix_(said, said)], np.kron(np.ones((1, 3)), share * whole)[:, said]
            np.testing.assert_allclose(found, across @ np.linalg.solve(joint, z), atol=1e-6)
            left = share * whole - across @ np.linalg.solve(joint, across.T)
            # The part in common as it is known now, and the group's own.
            total = covariance.common @ covariance.common.T + covariance.own**2 * np.eye(4)
            np.testing.assert_allclose(total, left + (1 - share) * whole, atol=1e-6)
            logs.append(log - multivariate_normal(np.zeros(len(z)), joint).logpdf(z))
        # The same but for what does not depend on the share.
        np.testing.assert_allclose(logs, logs[0], atol=1e-5)
    assert next(told, None) is None


def test_without_others_nothing_is_borrowed():
    mean = np.array([0.2, 0.8])
    assert borrowed([], np.ones(2, dtype=bool), mean) is None
    assert borrowed([(np.zeros((3, 2)), np.zeros((3, 2)))], np.ones(2, dtype=bool), mean) is None


def test_others_who_said_next_to_nothing_change_next_to_nothing():
    mean = np.array([0.2, 0.5, 0.8])
    n, y = np.array([30.0, 12.0, 40.0]), np.array([12.0, 4.0, 38.0])
    told = borrowed([(np.full((1, 3), 1e-6), np.full((1, 3), 5e-7))], n > 0, mean)
    alone, together = posterior_rates(n, y, mean), posterior_rates(n, y, mean, told)
    np.testing.assert_allclose(together.mean, alone.mean, atol=1e-3)


def test_an_author_of_few_findings_is_seen_as_the_many_others_who_agree():
    """Twelve others confirmed 'likely' (80 %) in 50 %; one of six findings of one's own says little against it."""
    mean = np.array([0.2, 0.8])
    others = np.tile([400.0, 400.0], (12, 1))
    told = borrowed([(others, others * [0.2, 0.5])], np.ones(2, dtype=bool), mean)
    n, y = np.array([0.0, 6.0]), np.array([0.0, 5.0])
    alone, together = posterior_rates(n, y, mean), posterior_rates(n, y, mean, told)
    assert alone.mean[1] > 0.72
    assert 0.45 < together.mean[1] < 0.62
    low, high = together.interval(0.95, np.array([1]))
    assert low[0] < 0.52 < high[0]
    apart = np.ptp(alone.interval(0.95, np.array([1])))
    assert high[0] - low[0] < 0.8 * apart


def test_an_author_unlike_all_others_keeps_the_own_rates():
    mean = np.array([0.2, 0.8])
    others = np.tile([400.0, 400.0], (12, 1))
    told = borrowed([(others, others * mean)], np.ones(2, dtype=bool), mean)
    n, y = np.array([200.0, 200.0]), np.array([110.0, 90.0])
    alone, together = posterior_rates(n, y, mean), posterior_rates(n, y, mean, told)
    np.testing.assert_allclose(together.mean, alone.mean, atol=0.03)
    np.testing.assert_allclose(together.mean, y / n, atol=0.05)


@pytest.mark.parametrize("share", [0.0, 0.5, 0.9])
@pytest.mark.slow
def test_intervals_cover_the_truth_and_are_narrower_where_others_are_alike(share):
    """A department drawn from the model: 95 % intervals of the words said, over 40 authors with 5 others each."""
    rng = np.random.default_rng(5)
    mean = np.linspace(0.05, 0.95, 8)
    x, priors = prior_of(mean)
    whole = priors[0].common @ priors[0].common.T + priors[0].own ** 2 * np.eye(8)
    root = np.linalg.cholesky(whole + 1e-9 * np.eye(8))
    inside, narrower = [], []
    for _ in range(40):
        common = root @ rng.normal(size=8)
        f = np.sqrt(share) * common + np.sqrt(1 - share) * (root @ rng.normal(size=(8, 6))).T
        rate = 1 / (1 + np.exp(-(x + f)))
        n = rng.multinomial(60, np.full(8, 1 / 8), size=6).astype(float)
        y = rng.binomial(n.astype(int), rate).astype(float)
        told = borrowed([(n[1:], y[1:])], n[0] > 0, mean)
        at = np.flatnonzero(n[0] > 0)
        low, high = posterior_rates(n[0], y[0], mean, told).interval(0.95, at)
        inside.append((low <= rate[0, at]) & (rate[0, at] <= high))
        plain = np.diff(posterior_rates(n[0], y[0], mean).interval(0.95, at), axis=0)[0]
        narrower.append((high - low).mean() / plain.mean())
    covered = np.concatenate(inside).mean()
    assert 0.92 <= covered <= 0.995
    if share == 0.9:
        assert np.mean(narrower) < 0.85
    elif share == 0:
        assert np.mean(narrower) > 0.85


def test_calibrated_departments_are_left_alone(lexicon):
    """At most 2 in 100 groups of 200 findings are advised, whatever they borrow from."""
    bins = bin_phrases(lexicon)
    guards = Guards(10, np.ones(len(lexicon), dtype=bool), 12, 0.95)
    advised = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        n = rng.multinomial(200, rng.dirichlet(np.ones(len(lexicon)), size=12)).astype(float)
        y = rng.binomial(n.astype(int), bins.mean).astype(float)
        for g in range(12):
            told = borrowed([(np.delete(n, g, 0), np.delete(y, g, 0))], n[g] > 0, bins.mean)
            plan = OrderedSolver(bins, guards, told=told).plans(n[g : g + 1], y[g : g + 1])[0]
            advised.append((np.diag(plan) < 1).any())
    assert np.mean(advised) <= 0.02


@pytest.fixture
def department(lexicon, make_tables):
    """Three topics of one author on which 'likely' overstates alike, and another author."""
    uses = {"likely": (14, 7), "absent": (30, 1), "unlikely": (12, 1)}
    tables, found = make_tables(
        lexicon, edema=uses, mass=uses | {"likely": (120, 50)}, effusion=uses | {"likely": (120, 50)}
    )
    groups = (*tables.groups, ("Blake", "edema"))
    counts = np.concatenate([tables.counts, tables.counts[:1] * 0 + tables.counts[1:2]])
    return replace(tables, groups=groups, counts=counts), found


def test_a_group_borrows_from_others_alone(lexicon, department):
    tables, _ = department
    names, mean = tuple(p.name for p in lexicon), bin_phrases(lexicon).mean
    used = np.ones(len(lexicon), dtype=bool)

    def told(group: tuple[str, str], pooling: str, of: Tables = tables):
        return told_to(group, used, of, names, mean, FAST.changed(pooling=pooling))

    assert told(("Avery", "edema"), "none") is None
    assert [told(("Avery", "edema"), p).groups for p in ("topics", "authors", "both")] == [2, 1, 3]
    assert told(("Avery", "mass"), "authors") is None
    # Named after who was there, as in a personal file, which holds one's own topics alone.
    assert [told(g, "both").over for g in (("Avery", "edema"), ("Avery", "mass"))] == ["both", "topics"]
    assert told(("Avery", ALL_TOPICS), "both") is None
    # What the group itself said plays no part.
    counts = tables.counts.copy()
    counts[0] *= 5
    other = told(("Avery", "edema"), "both", replace(tables, counts=counts))
    for mine, theirs in zip(told(("Avery", "edema"), "both").priors, other.priors, strict=True):
        np.testing.assert_array_equal(mine.mean, theirs.mean)


def test_others_are_corrected_for_errors_of_the_ct(lexicon, department):
    tables, _ = department
    names, mean = tuple(p.name for p in lexicon), bin_phrases(lexicon).mean
    used = np.ones(len(lexicon), dtype=bool)
    errs = POOLED.changed(ct_accuracy=("mass 0.9 0.8",))
    plain, corrected = (told_to(("Avery", "edema"), used, tables, names, mean, s) for s in (POOLED, errs))
    assert max(np.abs(a - b).max() for (a, _, _), (b, _, _) in zip(plain.priors, corrected.priors, strict=True)) > 0.05


def test_advice_says_that_it_rests_on_rates_seen_together(lexicon, department):
    tables, found = department
    blake = replace(found[1], author="Blake", topic="edema")
    every = (*found, blake)
    alone, pooled = (advise(tables, every, lexicon, s)[0] for s in (FAST, POOLED))
    assert not alone.recommendations  # 7 of 14 is not enough by itself
    (made,) = pooled.recommendations
    raw, seen = made.source_rate, made.pooled_rate
    assert (seen.phrase, seen.over, seen.groups) == ("likely", "topics", 3)
    assert seen.low < seen.rate < seen.high
    assert seen.high - seen.low < raw.high - raw.low
    assert (
        f"This rests on {100 * seen.rate:.0f} % ({100 * seen.low:.0f}-{100 * seen.high:.0f} %), the rate seen together "
        "with your other pathologies; by itself it is 50 %" in str(made.text)
    )
    (group, *_) = to_json([pooled])["groups"]
    assert group["advised"][0]["pooled"]["over"] == "topics"
    assert to_json(advise(tables, every, lexicon, FAST))["groups"][1]["advised"][0]["pooled"] is None
    both = advise(tables, every, lexicon, FAST.changed(pooling="both"))[0]
    assert "with your other pathologies and with other radiologists" in str(both.recommendations[0].text)
    authors = advise(tables, every, lexicon, FAST.changed(pooling="authors"))[0]
    assert all("the rate seen together with other radiologists" in str(r.text) for r in authors.recommendations)


def test_the_published_solver_borrows_nothing(lexicon, department):
    tables, found = department
    every = (*found, replace(found[1], author="Blake", topic="edema"))
    alone, pooled = (advise(tables, every, lexicon, s.changed(solver="paper")) for s in (FAST, POOLED))
    assert to_json(alone) == to_json(pooled)


@pytest.mark.parametrize("pooling", ["none", "topics", "authors", "both"])
def test_quick_answers_are_those_of_the_slow_path(lexicon, department, pooling):
    tables, found = department
    chosen = FAST.changed(pooling=pooling)
    slow = advise(tables, (*found, replace(found[1], author="Blake", topic="edema")), lexicon, chosen)[0]
    own = replace(tables, groups=tables.groups[:1], counts=tables.counts[:1])
    asked = []

    def lending(wanted):
        asked.append(wanted)
        return tables

    explorer = Explorer(own, found[0], lexicon, lending)
    for _ in range(2):
        assert to_json([explorer.case(chosen).derived().advice]) == to_json([slow])
    assert asked == ([] if pooling == "none" else [pooling])
