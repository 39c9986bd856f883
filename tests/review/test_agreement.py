from __future__ import annotations

from dataclasses import replace
from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from radcal.findings.records import Finding
from radcal.findings.report_level import decide
from radcal.reports.records import Section
from radcal.review.agreement import agreement_of, closeness, cohen_kappa, contingency
from radcal.review.records import Answers, Mark, Verdict
from radcal.words.phrases import load_lexicon

SKIN = [[10, 4, 1, 0], [5, 10, 12, 2], [2, 4, 12, 5], [0, 2, 6, 13]]
"""Two dermatologists on 88 patients: the worked example of SAS/STAT's PROC FREQ."""
COHEN = np.array([[88, 14, 18], [10, 40, 10], [2, 6, 12]])
"""Two judges on 200 patients: Cohen, Psychol Bull 1968;70:213-220, table 1, where kappa is 0.492."""
tables = arrays(np.int64, st.integers(2, 4).map(lambda k: (k, k)), elements=st.integers(0, 30)).filter(
    lambda t: t.sum() > 0
)


def test_the_published_example_of_dermatologists():
    k = cohen_kappa(SKIN)
    assert k.n == 88
    assert (round(k.value, 4), round(k.se, 4)) == (0.3449, 0.0724)
    assert (round(k.low, 4), round(k.high, 4)) == (0.2030, 0.4868)


def test_the_published_example_of_cohen():
    assert round(cohen_kappa(COHEN).value, 3) == 0.492


def test_weighted_kappa_of_the_dermatologists():
    k = cohen_kappa(SKIN, closeness([0, 1, 2, 3]))
    assert (round(k.value, 4), round(k.se, 4)) == (0.5082, 0.0655)


def test_the_interval_agrees_with_a_bootstrap():
    random = np.random.default_rng(0)
    p = np.array(SKIN).ravel() / 88
    drawn = [cohen_kappa(random.multinomial(88, p).reshape(4, 4)).value for _ in range(2000)]
    k = cohen_kappa(SKIN)
    assert np.std(drawn) == pytest.approx(k.se, rel=0.06)
    assert np.quantile(drawn, [0.025, 0.975]) == pytest.approx([k.low, k.high], abs=0.02)


def test_the_interval_holds_the_truth_as_often_as_it_says():
    random = np.random.default_rng(1)
    p = np.array([[0.4, 0.05, 0.05], [0.05, 0.2, 0.05], [0.02, 0.03, 0.15]])
    truth = cohen_kappa(p * 1e9).value
    drawn = [cohen_kappa(random.multinomial(300, p.ravel()).reshape(3, 3)) for _ in range(1000)]
    assert np.mean([k.low <= truth <= k.high for k in drawn]) == pytest.approx(0.95, abs=0.02)


def test_a_loop_over_units_gives_the_same():
    pairs = [("a", "a"), ("a", "b"), ("b", "b"), ("c", "b"), ("c", "c"), ("a", "a")]
    first, second = zip(*pairs, strict=True)
    assert contingency(pairs, "abc").tolist() == [[pairs.count((one, other)) for other in "abc"] for one in "abc"]
    observed = sum(a == b for a, b in pairs) / 6
    expected = sum(first.count(c) * second.count(c) for c in "abc") / 36
    k = cohen_kappa(contingency(pairs, "abc"))
    assert (k.n, k.observed, k.expected) == (len(pairs), pytest.approx(observed), pytest.approx(expected))
    assert k.value == pytest.approx((observed - expected) / (1 - expected))
    assert (k.n, k.observed, k.expected) == (6, pytest.approx(observed), pytest.approx(expected))


@pytest.mark.parametrize("table", [[[0, 3], [3, 1]], [[1, 4], [4, 0]]])
def test_the_interval_of_a_few_units_ends_where_kappa_does(table):
    k = cohen_kappa(table)
    assert k.value - 1.96 * k.se < -1
    assert (k.low, k.high) == (-1, pytest.approx(k.value + 1.959964 * k.se))
    k = cohen_kappa(table[::-1])
    assert k.value + 1.96 * k.se > 1
    assert (k.low, k.high) == (pytest.approx(k.value - 1.959964 * k.se), 1)


@settings(deadline=None, max_examples=60)
@given(tables)
def test_what_holds_of_every_table(table):
    k, turned = cohen_kappa(table), cohen_kappa(table.T)
    same = ("n", "observed", "expected", "value", "se")
    assert [getattr(k, name) for name in same] == pytest.approx([getattr(turned, name) for name in same], nan_ok=True)
    order = np.random.default_rng(0).permutation(len(table))
    assert cohen_kappa(table[np.ix_(order, order)]).value == pytest.approx(k.value, nan_ok=True)
    if not isnan(k.value):
        assert -1 <= k.low <= k.value + 1e-12
        assert k.value - 1e-12 <= k.high <= 1
        four = cohen_kappa(table * 4)
        assert (four.value, four.se) == (pytest.approx(k.value), pytest.approx(k.se / 2))


def test_perfect_agreement_and_none():
    assert cohen_kappa([[5, 0], [0, 5]]).value == 1.0
    k = cohen_kappa([[5, 0], [0, 5]])
    assert (k.se, k.high) == (0.0, pytest.approx(1.0))
    assert k.low == pytest.approx((10 / (10 + 1.959964**2) - 0.5) / 0.5)  # Wilson's limit of 10 of 10 is n / (n + z^2)
    assert cohen_kappa([[39, 0], [0, 1]]).low < 0 < cohen_kappa([[20, 0], [0, 20]]).low
    assert cohen_kappa([[0, 5], [5, 0]]).value == -1.0
    assert cohen_kappa([[0, 5], [5, 1]]).low == -1.0, "no kappa is less"
    assert cohen_kappa([[5, 1], [0, 5]]).high == 1.0, "and none is more"
    assert isnan(cohen_kappa([[7, 0], [0, 0]]).value)
    assert cohen_kappa([[7, 0], [0, 0]]).observed == 1.0
    assert cohen_kappa([[0, 0], [0, 0]]).n == 0


def test_closeness_falls_with_distance():
    assert closeness([0.0, 0.5, 1.0]).tolist() == [[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]]
    assert closeness([0.3]).tolist() == [[1]]
    assert closeness([0.1, 0.3, 0.2]) == pytest.approx(np.array([[1, 0, 0.5], [0, 1, 0.5], [0.5, 0.5, 1]]))


def test_no_categories_have_no_weights():
    assert closeness([]).shape == (0, 0)


def answers(report_id: str, *said: tuple[str, str]) -> Answers:
    """A finished report that states these phrases of pathologies."""
    marks = {}
    for i, (pathology, phrase) in enumerate(said):
        finding = Finding(report_id, pathology, phrase, "", "s", Section.FINDINGS, i, i + 1, i, i + 1)
        marks[str(i)] = Mark(str(i), Verdict.ADDED, finding)
    return Answers(done=True, marks=marks)


def test_agreement_on_what_both_mention_leaves_out_what_one_alone_does() -> None:
    """Of seven units, both mention five, and agree on four of them; nobody mentions one."""
    pairs = {
        "a": ("present", "present"),
        "b": ("present", "present"),
        "c": ("absent", "absent"),
        "d": ("likely", "likely"),
        "e": ("present", "likely"),
        "f": ("present", ""),
        "g": ("", ""),
    }
    both = {
        i: (answers(i, *([("edema", one)] if one else [])), answers(i, *([("edema", other)] if other else [])))
        for i, (one, other) in pairs.items()
    }
    made = agreement_of("AB", "CD", both, load_lexicon().phrases, decide)
    whole, mentioned, _ = made.coefficients
    assert (whole.n, whole.observed) == (7, pytest.approx(5 / 7))
    assert (mentioned.n, mentioned.observed) == (5, pytest.approx(4 / 5))
    # By chance: 3/5 * 2/5 present, 1/5 * 1/5 absent, 1/5 * 2/5 hedged.
    assert mentioned.expected == pytest.approx((6 + 1 + 2) / 25)
    # Each pathology is compared as if it were the only one.
    also = {
        i: (answers(i, ("mass", "likely")), answers(i, ("mass", "absent" if i in "ab" else "likely"))) for i in both
    }

    def together(one: Answers, other: Answers) -> Answers:
        return Answers(done=True, marks={**one.marks, "mass": other.marks["0"]})

    with_both = {i: (together(both[i][0], also[i][0]), together(both[i][1], also[i][1])) for i in both}
    each = agreement_of("AB", "CD", with_both, load_lexicon().phrases, decide).pathologies
    alone = agreement_of("AB", "CD", also, load_lexicon().phrases, decide).coefficients[0]
    assert each == (replace(whole, what="edema"), replace(alone, what="mass"))
