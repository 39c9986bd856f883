"""Partial pooling of all groups: as the pooling of each phrase by hand has it, and never a group with itself alone."""

from __future__ import annotations

import numpy as np
import pytest

from radcal.reliability.pooled import measure_pooled
from radcal.reliability.pooling import partially_pooled, pool_rates
from radcal.reliability.records import Reliability
from radcal.reliability.reliability import measure
from radcal.reliability.report import to_json
from radcal.reliability.tables import build_tables
from radcal.system.files import plain_to_record, record_to_plain
from radcal.system.settings import Settings
from radcal.words.phrases import load_lexicon

pd = pytest.importorskip("pandas")
QUICK = Settings(bootstrap=0, min_group_n=1)
PHRASES = load_lexicon().phrases
SAID = {
    ("Avery", "edema"): {"likely": (20, 8), "unlikely": (6, 1)},
    ("Avery", "mass"): {"likely": (9, 6)},
    ("Blake", "edema"): {"likely": (40, 33), "possibly": (5, 2)},
    ("Casey", "edema"): {"likely": (3, 3)},
}


def _tables(outcomes: tuple[float, float] = (0.0, 1.0)):
    rows = [
        (author, topic, phrase, outcomes[i < y])
        for (author, topic), uses in SAID.items()
        for phrase, (n, y) in uses.items()
        for i in range(n)
    ]
    return build_tables(pd.DataFrame(rows, columns=["author", "topic", "phrase", "outcome"]), PHRASES)


@pytest.fixture(scope="module")
def tables():
    return _tables()


def _seen(tables, over, settings=QUICK):
    found = partially_pooled(measure(tables, PHRASES, settings), tables, settings, over)
    return {(r.author, r.topic, p.phrase, p.over): p for r in found for p in r.pooled_rates}


def test_each_phrase_is_pooled_over_the_groups_that_say_it(tables):
    seen = _seen(tables, "both")
    over_authors = pool_rates(np.array([8.0, 33.0, 3.0]), np.array([20.0, 40.0, 3.0]))
    over_topics = pool_rates(np.array([8.0, 6.0]), np.array([20.0, 9.0]))
    expected = {(a, "edema", "likely", "authors"): (over_authors, i) for i, a in enumerate(("Avery", "Blake", "Casey"))}
    expected |= {("Avery", t, "likely", "topics"): (over_topics, i) for i, t in enumerate(("edema", "mass"))}
    assert seen.keys() == expected.keys()
    for key, (pooled, i) in expected.items():
        p = seen[key]
        assert (p.rate, p.low, p.high) == pytest.approx((pooled.value[i], pooled.low[i], pooled.high[i]))
        assert p.groups == len(pooled.value)
    assert {key[3] for key in _seen(tables, "topics")} == {"topics"}
    assert _seen(tables, "none") == {}


def test_rates_of_few_findings_are_drawn_towards_the_others(tables):
    seen = _seen(tables, "authors")
    assert 0.7 < seen["Casey", "edema", "likely", "authors"].rate < 1.0
    assert 0.4 < seen["Avery", "edema", "likely", "authors"].rate < 0.6


def test_raw_and_pooled_rates_stand_beside_each_other_in_the_file(tables):
    results = measure(tables, PHRASES, QUICK)
    plain = {(g["author"], g["topic"]): g for g in to_json(results)["groups"]}
    assert plain["Avery", "edema"]["phrases"][0]["pooled"] == {"topics": None, "authors": None}
    pooled = to_json(partially_pooled(results, tables, QUICK, "both"))["groups"]
    by_phrase = {(g["author"], g["topic"], p["phrase"]): p for g in pooled for p in g["phrases"]}
    likely = by_phrase["Avery", "edema", "likely"]
    assert (likely["n"], likely["positives"], likely["rate"]) == (20, 8, 0.4)
    assert likely["pooled"]["topics"]["groups"] == 2
    assert set(likely["pooled"]["authors"]) == {"rate", "low", "high", "groups"}
    assert by_phrase["Avery", "edema", "unlikely"]["pooled"] == {"topics": None, "authors": None}


def test_groups_put_together_are_not_pooled_again(tables):
    together = measure_pooled(tables, PHRASES, QUICK, "author")
    assert all(not r.pooled_rates for r in partially_pooled(together, tables, QUICK, "both"))


def test_rates_are_corrected_for_errors_of_the_ct(tables):
    errs = QUICK.changed(ct_accuracy=("edema 0.9 0.9",))
    found = _seen(tables, "authors", errs)["Avery", "edema", "likely", "authors"]
    y, n = np.array([8.0, 33.0, 3.0]), np.array([20.0, 40.0, 3.0])
    assert found.rate == pytest.approx(pool_rates(((y - 0.1 * n) / 0.8).clip(0, n), n).value[0])


def test_results_of_earlier_versions_have_no_pooled_rates(tables):
    (found, *_) = partially_pooled(measure(tables, PHRASES, QUICK), tables, QUICK, "both")
    stored = record_to_plain(found)
    assert plain_to_record(stored, Reliability).pooled_rates == found.pooled_rates
    del stored["pooled_rates"]
    assert plain_to_record(stored, Reliability).pooled_rates == ()
