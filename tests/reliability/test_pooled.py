"""All pathologies of an author together, all authors of a pathology together, and whether the parts are alike."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from radcal.feedback.shared_sentences import pooled_sentences
from radcal.reliability.pooled import OPEN, homogeneity, measure_pooled, most_apart, pooled
from radcal.reliability.records import ALL_AUTHORS, LEVEL, POOLS, Reliability, pool_of
from radcal.reliability.reliability import measure
from radcal.reliability.report import to_json
from radcal.reliability.tables import build_tables
from radcal.system.language.catalogue import language
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.words.records import Phrase

WORDS = (
    Phrase("absent", 0, 1, 0, 0),
    Phrase("unlikely", 1.3, 12.4, 0, 1),
    Phrase("possible", 2.0, 2.6, 0, 1),
    Phrase("likely", 3.9, 1.1, 0, 1),
    Phrase("present", 1, 0, 1, 1),
)
MEAN = np.array([p.alpha / (p.alpha + p.beta) for p in WORDS])
RATES = np.array([0.03, 0.1, 0.4, 0.75, 0.96])
PLAIN, HEDGED = np.array([0.0, 1.0]), np.array([0.0, 0.3, 0.7, 1.0])
SETTINGS = Settings(bootstrap=50, min_phrase_n=10)


def observations(rng: np.random.Generator, n: int = 400) -> pd.DataFrame:
    phrase = rng.integers(len(WORDS), size=n)
    return pd.DataFrame(
        {
            "author": rng.choice(["Avery", "Brooks", "Casey"], size=n),
            "topic": rng.choice(["edema", "mass"], size=n),
            "phrase": [WORDS[k].name for k in phrase],
            "outcome": (rng.random(n) < RATES[phrase]).astype(float),
        }
    )


SOME = observations(np.random.default_rng(4))


@pytest.mark.parametrize("by", POOLS)
def test_a_pooled_group_is_as_if_its_parts_had_one_name(by: str) -> None:
    named = SOME.assign(topic=ALL_TOPICS) if by == "author" else SOME.assign(author=ALL_AUTHORS)
    tables = build_tables(SOME, WORDS)
    together, whole = pooled(tables, by), build_tables(named, WORDS)
    assert together.groups == whole.groups
    np.testing.assert_array_equal(together.counts, whole.counts)
    made = measure_pooled(tables, WORDS, SETTINGS, by)
    alone = [replace(r, parts=(), p_value_parts=None, apart=None) for r in made]
    assert json.dumps(to_json(alone)) == json.dumps(to_json(measure(whole, WORDS, SETTINGS)))
    for r in made:
        assert pool_of(r.author, r.topic) == by
        assert sum(part.n for part in r.parts) == r.n
        assert r.p_value_parts == min(part.p_value for part in r.parts)
        assert {part.name for part in r.parts} == set(SOME["topic" if by == "author" else "author"])


def test_single_groups_are_as_before_whatever_is_pooled() -> None:
    tables = build_tables(SOME, WORDS)
    before = json.dumps(to_json(measure(tables, WORDS, SETTINGS)))
    for by in POOLS:
        measure_pooled(tables, WORDS, SETTINGS, by)
    assert json.dumps(to_json(measure(tables, WORDS, SETTINGS))) == before
    assert all(group["pooled"] is None for group in json.loads(before)["groups"])


def drawn(
    rng: np.random.Generator, parts: int, total: int, rates: np.ndarray = RATES, hedges: float = 0.0
) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Names, counts and positives of simulated parts of unlike sizes and unlike words."""
    share = rng.dirichlet(np.full(parts, 1.5))[:, None] * rng.dirichlet(np.full(len(RATES), 2.0), size=parts)
    n = rng.multinomial(total, share.ravel()).reshape(share.shape)
    y = rng.binomial(n, rates)
    names = [f"part {g}" for g in range(parts)]
    if not hedges:
        return names, np.stack([n - y, y], axis=2).astype(float), PLAIN
    unsure, sure = rng.binomial(n - y, hedges), y - rng.binomial(y, hedges)
    return names, np.stack([n - y - unsure, unsure, y - sure, sure], axis=2).astype(float), HEDGED


@pytest.mark.parametrize(
    ("parts", "total", "hedges"), [(2, 60, 0), (5, 140, 0), (5, 140, 0.2), (14, 600, 0), (3, 3000, 0)]
)
def test_alike_parts_are_said_to_differ_in_no_more_than_5_of_100(parts: int, total: int, hedges: float) -> None:
    rng = np.random.default_rng(8)
    p = [homogeneity(*drawn(rng, parts, total, hedges=hedges), MEAN, 10)[0] for _ in range(400)]
    told = sum(value is not None and value < 0.05 for value in p)
    # At a level of 5 % more than 30 of 400 come with a probability of 1 in 100.
    assert told <= 30
    assert told >= 4  # and the test is not one that never speaks


def test_few_statements_of_one_word_are_tested_as_by_fisher() -> None:
    """Against the exact distribution of a two by two table, with half of the probability of what was seen (mid-p)."""
    for y, (n, m) in ((9, (12, 20)), (3, (12, 20)), (6, (30, 60)), (25, (40, 100))):
        rest = 10
        counts = np.zeros((2, 1, 2))
        counts[:, 0, 1] = y, rest
        counts[:, 0, 0] = n - y, m - rest
        p, parts = homogeneity(["a", "b"], counts, PLAIN, np.array([0.5]), 1)
        exact = stats.hypergeom(n + m, y + rest, n)
        tails = exact.cdf(y) - exact.pmf(y) / 2, exact.sf(y) + exact.pmf(y) / 2
        assert p == pytest.approx(min(1.0, 2 * min(tails)), abs=0.03)
        assert p == min(part.p_value for part in parts)


def test_large_samples_are_tested_as_by_cochran_mantel_and_haenszel() -> None:
    n = np.array([[400.0, 900.0], [700.0, 500.0]])
    y = np.array([[100.0, 640.0], [190.0, 330.0]])
    p, _ = homogeneity(["a", "b"], np.stack([n - y, y], axis=2), PLAIN, np.array([0.5, 0.5]), 1)
    whole, positive = n.sum(axis=0), y.sum(axis=0)
    expected = n[0] * positive / whole
    variance = n[0] * n[1] * positive * (whole - positive) / (whole**2 * (whole - 1))
    z = (y[0] - expected).sum() / math.sqrt(variance.sum())
    assert p == pytest.approx(2 * stats.norm.sf(abs(z)), rel=0.02)


def test_the_odd_part_is_found_and_does_not_make_the_others_odd() -> None:
    rng = np.random.default_rng(3)
    names, counts, _ = drawn(rng, 6, 1500)
    many = rng.binomial(400, [0.5, 0.5, 0.8, 0.97, 0.99])
    odd = np.stack([400 - many, many], axis=1).astype(float)
    p, parts = homogeneity([*names, "odd"], np.concatenate([counts, odd[None]]), PLAIN, MEAN, 10)
    assert p is not None
    assert p < 1e-6
    assert [part.name for part in parts if part.differs] == ["odd"]
    assert parts[0].name == "odd"  # the largest first
    turned = homogeneity(["odd", *names[::-1]], np.concatenate([odd[None], counts[::-1]]), PLAIN, MEAN, 10)[1]
    assert [replace(part, p_value=0) for part in turned] == [replace(part, p_value=0) for part in parts]
    assert [part.p_value for part in turned] == pytest.approx([part.p_value for part in parts], nan_ok=True)


def test_two_parts_that_differ_have_one_p_value_and_words_that_nobody_says_change_nothing() -> None:
    counts = np.array([[[70.0, 30.0]], [[20.0, 60.0]]])
    p, parts = homogeneity(["a", "b"], counts, PLAIN, np.array([0.5]), 10)
    assert p is not None
    assert p < LEVEL
    assert [(part.name, part.p_value, part.differs) for part in parts] == [("a", p, False), ("b", p, True)]
    unsaid = np.concatenate([counts, np.zeros_like(counts)], axis=1)
    assert homogeneity(["a", "b"], unsaid, PLAIN, np.array([0.5, 0.9]), 10) == (p, parts)


def test_words_that_lie_further_apart_are_found_though_as_much_is_confirmed() -> None:
    n = np.full((3, 2), 100.0)
    y = np.array([[30.0, 70.0], [31.0, 69.0], [5.0, 95.0]])
    p, parts = homogeneity(["a", "b", "wide"], np.stack([n - y, y], axis=2), PLAIN, np.array([0.3, 0.7]), 10)
    assert p is not None
    assert p < 0.001
    assert [part.name for part in parts if part.differs] == ["wide"]


def test_parts_of_few_statements_are_in_the_rest_but_not_tested() -> None:
    counts = np.array([[[40.0, 40.0]], [[38.0, 42.0]], [[0.0, 5.0]]])
    _, parts = homogeneity(["a", "b", "few"], counts, PLAIN, np.array([0.5]), 10)
    assert [part.name for part in parts] == ["a", "b", "few"]
    assert math.isnan(parts[2].p_value)
    assert not parts[2].differs
    two = homogeneity(["a", "b"], counts[:2], PLAIN, np.array([0.5]), 10)[1]
    assert parts[0].p_value != two[0].p_value
    assert homogeneity(["few"], counts[2:], PLAIN, np.array([0.5]), 10)[0] is None
    assert homogeneity(["a", "b"], counts[:2], PLAIN, np.array([0.5]), 1000)[0] is None


def test_json_tells_the_pooled_from_the_single_and_is_strict() -> None:
    tables = build_tables(SOME, WORDS)
    few = SETTINGS.changed(min_phrase_n=1000)
    for by in POOLS:
        made = json.loads(json.dumps(to_json(measure_pooled(tables, WORDS, few, by)), allow_nan=False))
        for group in made["groups"]:
            assert group["pooled"] == by
            assert group["p_value_parts"] is None
            assert {part["p_value"] for part in group["parts"]} == {None}
            assert set(group["parts"][0]) == {"name", "n", "p_value", "differs"}


def test_two_parts_of_which_a_word_tells_apart_are_not_said_to_be_alike() -> None:
    """27 of 47 against 10 of 11: by itself beyond chance, and not so with another word beside it."""
    words = ("may represent", "likely")
    counts = np.array([[[10.0, 10.0], [20.0, 27.0]], [[9.0, 12.0], [1.0, 10.0]]])
    positive = np.array([0.0, 1.0])
    p, parts = homogeneity(("edema", "effusion"), counts, positive, np.array([0.5, 0.75]), 10)
    assert p is not None
    assert LEVEL < p < OPEN
    assert not any(part.differs for part in parts)
    apart = most_apart(("edema", "effusion"), words, counts, positive)
    assert apart is not None
    assert apart.phrase == "likely"
    assert {(apart.positives, apart.n), (apart.others_positives, apart.others_n)} == {(27, 47), (10, 11)}
    assert apart.p_value == pytest.approx(stats.fisher_exact([[27, 20], [10, 1]]).pvalue, abs=0.015)
    r = Reliability("a", ALL_TOPICS, 99, (), parts=parts, p_value_parts=p, apart=apart)
    [told] = pooled_sentences(r, language(), own=True)
    assert told.startswith("Whether the pathologies differ is open: CT confirmed \u2018likely\u2019 in ")
    assert "27 of 47" in told
    assert "10 of 11" in told
    assert "not shown" not in told
    alike = np.stack([counts[0], counts[0] * 2])
    assert most_apart(("edema", "effusion"), words, alike, positive) is None
