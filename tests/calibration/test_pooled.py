"""All pathologies of an author together, all authors of a pathology together, and whether the parts are alike."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import numpy as np
import pandas as pd
import pytest

from radcal.calibration.evidence import Evidence, evidence_of
from radcal.calibration.model import SHIPPED, posterior
from radcal.calibration.pooled import apart, measure_pooled, others_of, pooled
from radcal.calibration.records import ALL_AUTHORS, POOLS, Part, Reliability, Tables, pool_of
from radcal.calibration.reference import mixes_of
from radcal.calibration.reliability import measure
from radcal.calibration.report import to_json
from radcal.calibration.tables import build_tables
from radcal.feedback.shared_sentences import pooled_sentences
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
RATES = np.array([0.03, 0.1, 0.4, 0.75, 0.96])
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
    made = measure_pooled(tables, WORDS, SETTINGS, by, spread=SHIPPED)
    alone = [replace(r, parts=()) for r in made]
    assert json.dumps(to_json(alone)) == json.dumps(to_json(measure(whole, WORDS, SETTINGS, spread=SHIPPED)))
    for r in made:
        assert pool_of(r.author, r.topic) == by
        assert sum(part.n for part in r.parts) == r.n
        assert {part.name for part in r.parts} == set(SOME["topic" if by == "author" else "author"])


def test_single_groups_are_as_before_whatever_is_pooled() -> None:
    tables = build_tables(SOME, WORDS)
    before = json.dumps(to_json(measure(tables, WORDS, SETTINGS)))
    for by in POOLS:
        measure_pooled(tables, WORDS, SETTINGS, by)
    assert json.dumps(to_json(measure(tables, WORDS, SETTINGS))) == before
    assert all(group["pooled"] is None for group in json.loads(before)["groups"])


def parts(names: list[str], n: np.ndarray, y: np.ndarray, words: tuple[Phrase, ...] = WORDS) -> tuple[Part, ...]:
    """The parts of an author whose words (G, K) were said n times and confirmed y times in each pathology."""
    counts = np.stack([n - y, y], axis=2).astype(float)
    groups = tuple(("Avery", name) for name in names)
    tables = Tables(groups, tuple(p.name for p in words), ("no", "yes"), counts, np.array([0.0, 1.0]))
    (r,) = measure_pooled(tables, words, SETTINGS.changed(bootstrap=0), "author", spread=SHIPPED)
    return r.parts


@pytest.mark.parametrize(("count", "total"), [(2, 60), (5, 140), (14, 600), (3, 3000)])
def test_alike_parts_are_said_to_differ_in_no_more_than_5_of_100(count: int, total: int) -> None:
    """Simulated authors whose pathologies are confirmed alike, of unlike sizes and unlike words."""
    rng, told = np.random.default_rng(8), 0
    for _ in range(100):
        share = rng.dirichlet(np.full(count, 1.5))[:, None] * rng.dirichlet(np.full(len(RATES), 2.0), size=count)
        n = rng.multinomial(total, share.ravel()).reshape(share.shape)
        n = n[n.sum(axis=1) > 0]
        made = parts([f"part {g}" for g in range(len(n))], n, rng.binomial(n, RATES))
        told += any(part.differs for part in made)
    # At a level of 5 % more than 10 of 100 come with a probability of 1 in 100.
    assert told <= 10


def test_the_odd_part_is_found_with_its_word_and_does_not_make_the_others_odd() -> None:
    rng = np.random.default_rng(3)
    n = np.full((7, 5), 60)
    y = rng.binomial(n, RATES)
    y[6, 3] = 12  # of 'likely', where the others have three of four
    names = [f"part {g}" for g in range(6)] + ["odd"]
    made = parts(names, n, y)
    (odd,) = [part for part in made if part.differs]
    assert (odd.name, odd.phrase, odd.n) == ("odd", "likely", 300)
    assert (odd.positives, odd.said) == (12, 60)
    assert (odd.others_positives, odd.others_said) == (y[:6, 3].sum(), 360)
    turned = {part.name: part.probability for part in parts(names[::-1], n[::-1], y[::-1])}
    assert turned == pytest.approx({part.name: part.probability for part in made})


def test_how_surely_a_part_differs_is_that_of_both_posteriors() -> None:
    """Against a sum over every pair of rates: of the part by its posterior, of the other one by the other's."""
    word, limit = Phrase("likely", 3.9, 1.1, 0.6, 0.9), 0.05
    n, y = np.array([[200.0], [300.0]]), np.array([[110.0], [195.0]])
    evidence = Evidence(n, y, np.ones_like(n))
    truth = posterior(evidence, (y.sum(axis=0) + 0.5) / (n.sum() + 1), ["likely"], SHIPPED)
    for part in parts(["edema", "mass"], n, y, (word,)):
        g = ["edema", "mass"].index(part.name)
        grid = (np.arange(2000) + 0.5) / 2000
        ends, first = np.linspace(0, 1, 2001), np.zeros(2001, dtype=int)
        own, others = (-np.diff(truth.above(ends, np.full(2001, which), first)) for which in (g, 1 - g))
        apart = grid[:, None] - grid[None]
        differing = (own[:, None] * others * (np.abs(apart) >= limit)).sum()
        assert part.probability == pytest.approx(differing, abs=0.01)


def test_a_part_whose_counts_are_those_of_the_others_does_not_lie_apart() -> None:
    """22 of 22, and 99 of 100: that the posterior is drawn to what all come to, with odd ones, does not part them."""
    one = np.ones((1, 1))
    own, others = Evidence(22 * one, 22 * one, one), Evidence(100 * one, 99 * one, one)
    truth = posterior(own, np.array([0.5]), ["likely"], SHIPPED)
    assert truth.mean[0, 0] < 0.93
    assert apart(own, truth, 10, others) <= 0.5
    assert apart(own, truth, 10, replace(others, y=others.y - 50)) > 0.9


def test_words_of_few_uses_in_a_part_or_in_the_others_tell_nothing() -> None:
    n, y = np.array([[9, 80], [80, 9]]), np.array([[0, 40], [70, 9]])
    for part in parts(["a", "b"], n, y, WORDS[2:4]):
        assert (part.probability, part.differs, part.phrase, part.said) == (0.0, False, "", 0.0)


def test_json_tells_the_pooled_from_the_single_and_is_strict() -> None:
    tables = build_tables(SOME, WORDS)
    for by in POOLS:
        made = json.loads(json.dumps(to_json(measure_pooled(tables, WORDS, SETTINGS, by)), allow_nan=False))
        for group in made["groups"]:
            assert group["pooled"] == by
            assert set(group["parts"][0]) == {field.name for field in fields(Part)}


PARTS = (
    Part("edema", 60, 0.98, True, "likely", 20, 3, 60, 41),
    Part("mass", 40, 0.97, True, "likely", 20, 19, 60, 25),
    Part("fracture", 40, 0.9, False, "possible", 20, 3, 40, 12),
)


@pytest.mark.parametrize(
    ("shown", "topic", "told"),
    [
        (
            PARTS,
            ALL_TOPICS,
            "CT confirmed the same words at other rates for edema ('likely' 3 of 20, for the others 41 of 60; 98 % "
            "sure) and mass ('likely' 19 of 20, for the others 25 of 60; 97 % sure).",
        ),
        (
            PARTS[2:],
            ALL_TOPICS,
            "It is open whether all are alike: fracture ('possible' 3 of 20, for the others 12 of 40; 90 % sure).",
        ),
        ((Part("edema", 60, 0.3, False),), ALL_TOPICS, "No pathology clearly differs from the others."),
        ((Part("Avery", 60, 0.3, False),), "edema", "No radiologist clearly differs from the others."),
        ((Part("edema", 60, 0.0, False),), ALL_TOPICS, None),
        ((), ALL_TOPICS, None),
    ],
)
def test_what_is_said_of_parts_names_the_word_and_how_sure_it_is(
    shown: tuple[Part, ...], topic: str, told: str | None
) -> None:
    author = "Avery" if topic == ALL_TOPICS else ALL_AUTHORS
    said = pooled_sentences(Reliability(author, topic, 99, (), parts=shown), language(), own=True)
    plain = [text.replace("\N{NO-BREAK SPACE}", " ").translate({0x2018: "'", 0x2019: "'"}) for text in said]
    assert plain == ([] if told is None else [told])


def test_what_others_tell_where_the_ct_hedges_is_how_sharp_their_likelihood_is() -> None:
    positive, rate = np.array([0.0, 0.4, 1.0]), 0.6
    groups = (("Avery", "edema"), ("Brooks", "edema"))
    tables = Tables(groups, ("likely",), ("no", "perhaps", "yes"), np.array([[[3.0, 4, 5]], [[30, 60, 70]]]), positive)
    seen = evidence_of(tables, Settings()).seen
    assert seen is not None
    counts = 1000 * (rate * seen.present + (1 - rate) * seen.absent)[:, None]  # as expected at this rate
    own = evidence_of(replace(tables, counts=counts, mixes=mixes_of(tables)), Settings())
    others, step = others_of(own), 1e-3
    h = np.array([np.log(r / (1 - r)) for r in (rate - step, rate, rate + step)])
    low, middle, high = own.log_likelihood((np.array([1]), np.array([0])), h)[0]
    sharp = (2 * middle - low - high) / step**2
    assert others.n[0, 0] == pytest.approx(1000)
    assert others.told[0, 0] == pytest.approx(sharp * rate * (1 - rate), rel=0.01)
    assert others.told[0, 0] < 800
