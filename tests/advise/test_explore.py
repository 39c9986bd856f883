"""Quick answers are those of the slow path, and what they say of other uses of words can be counted by hand."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal import scoring
from radcal.advise import Explorer, advise, to_json
from radcal.advise.cost import cost_matrix
from radcal.advise.explore import DEPARTURES, PRICES, information
from radcal.errors import Cancelled, DataError, InputError
from radcal.lexicon.bins import bin_phrases
from radcal.settings import Settings

FAST = Settings(advice_fits=20, bootstrap=200)
TRIED = (
    FAST,
    FAST.changed(information_price=3.0),
    FAST.changed(max_steps=2),
    FAST.changed(min_phrase_n=60),
    FAST.changed(min_group_n=1000),
    FAST.changed(solver="paper", tau2=0.01),
    FAST.changed(allowed_phrases=("unlikely", "possibly", "probably")),
    FAST.changed(allowed_phrases=("likely",)),
)


@pytest.fixture
def tables(lexicon, make_tables):
    """'likely' and 'probably' overstate, plain "no" is right, 'maybe' is rare."""
    uses = {"likely": (200, 88), "probably": (80, 30), "absent": (100, 1), "maybe": (4, 1)}
    return make_tables(lexicon, edema=uses)


@pytest.fixture
def explorer(lexicon, tables):
    return Explorer(tables[0], tables[1][0], lexicon)


@pytest.mark.parametrize("chosen", TRIED)
def test_answers_are_those_of_the_slow_path(lexicon, tables, explorer, chosen):
    (slow,) = advise(*tables, lexicon, chosen)
    checked, sketched = explorer.advice(chosen), explorer.advice(chosen, checked=False)
    assert to_json([checked.advice]) == to_json([slow])
    assert [r.text for r in checked.advice.recommendations] == [r.text for r in slow.recommendations]
    sketch = sketched.advice
    assert (sketch.train, sketch.test, sketch.agreeing) == (slow.train, slow.test, slow.agreeing)
    np.testing.assert_array_equal(sketch.cost, slow.cost)
    if slow.recommendations:
        # What is told in the end was sketched before, word by word.
        texts = [r.text for r in sketch.recommendations]
        assert all(r.text in texts for r in slow.recommendations)
        assert all(math.isnan(r.sure) for r in sketch.recommendations)
        plan = {(s.source, s.target): s.share for s in slow.plan}
        names = [p.name for p in lexicon]
        assert all(sketched.fitted[names.index(a), names.index(b)] == share for (a, b), share in plan.items())
        assert checked.held_out.after < checked.held_out.before
        assert 0.5 < checked.held_out.lower <= 1
    for plan in (checked.advised, sketched.advised):
        np.testing.assert_allclose(plan.sum(axis=1), 1)
        assert (plan >= 0).all()


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 1000), st.floats(-3, 1), st.booleans())
def test_what_is_told_is_always_a_plan(lexicon, make_tables, draw, seed, power, paper):
    tables, (reliability,) = make_tables(lexicon, edema=draw(lexicon, 400, lambda m: 0.5 + (m - 0.5) / 2, seed))
    chosen = FAST.changed(solver="paper" if paper else "joint", tau2=10**power, min_phrase_n=1)
    shown = Explorer(tables, reliability, lexicon).advice(chosen, checked=False).advised
    assert (shown >= 0).all(), "shares that add to 1 but for rounding leave nothing below 0"
    np.testing.assert_allclose(shown.sum(axis=1), 1)


def test_the_plan_that_is_told_is_that_of_the_sentences(lexicon, explorer):
    derived = explorer.advice(FAST)
    advice, shown = derived.advice, derived.advised
    names = [p.name for p in lexicon]
    changed = {names[k]: names[int(shown[k].argmax())] for k in range(len(names)) if shown[k, k] < 1}
    assert changed == {r.source: r.target for r in advice.recommendations}
    assert changed == {"likely": "probably"}, "the word between, which matched, is not gone beyond"


def test_a_frontier_is_judged_on_the_halves_of_the_advice(explorer):
    held_out = explorer.advice(FAST).held_out
    frontier = explorer.frontier(FAST)
    assert (frontier.setting, frontier.now, frontier.n) == ("information_price", 0.1, 384)
    assert [p.value for p in frontier.points] == list(PRICES)
    assert next(p.error for p in frontier.points if p.value == 0.1) == held_out
    assert len({p.error.before for p in frontier.points}) == 1
    assert all(0 <= p.kept <= 1 for p in frontier.points)
    # Where information is dear, more of it is kept than where it is free.
    assert frontier.points[-1].kept > frontier.points[0].kept - 1e-12
    other = explorer.frontier(FAST.changed(information_price=0.123))
    assert [p.value for p in other.points] == sorted({*PRICES, 0.123})
    paper = explorer.frontier(FAST.changed(solver="paper"))
    assert (paper.setting, [p.value for p in paper.points]) == ("tau2", list(DEPARTURES))


def test_there_is_no_frontier_without_enough_findings(explorer):
    assert explorer.frontier(FAST.changed(min_group_n=1000)) is None
    assert explorer.frontier(FAST.changed(min_phrase_n=500)) is None


def test_long_answers_can_be_stopped(explorer, stopping):
    for ask in (explorer.advice, explorer.frontier):
        with pytest.raises(Cancelled):
            ask(FAST, stopping)


def test_what_if_nothing_changes(explorer):
    same = explorer.what_if(FAST, {})
    assert same.change == same.change_low == same.change_high == same.lower == 0
    assert (same.before, same.before_low, same.before_high) == (same.after, same.after_low, same.after_high)
    assert same.kept == 1
    assert same.disordered == same.opposites == same.not_allowed == ()


@pytest.mark.parametrize("tenths", [1, 4, 10])
@pytest.mark.parametrize(("source", "target"), [*permutations((0, 1, 3, 7), 2), (0, 0), (4, 0), (0, 5)])
def test_what_if_counts_as_one_would_by_hand(lexicon, explorer, source, target, tenths):
    names = [p.name for p in lexicon]
    share = tenths / 10
    result = explorer.what_if(FAST.changed(bootstrap=0), {names[source]: {names[target]: share}})
    n, y = explorer.counts.sum(axis=1), explorer.counts[:, 1]
    moved_n, moved_y = n.copy(), y.copy()
    if source != target:
        for of, counts in ((n, moved_n), (y, moved_y)):
            counts[source] -= share * of[source]
            counts[target] += share * of[source]
    bins = bin_phrases(lexicon)
    assert result.before == pytest.approx(float(scoring.ece(n, y, bins)), abs=1e-12)
    assert result.after == pytest.approx(float(scoring.ece(moved_n, moved_y, bins)), abs=1e-12)
    assert result.brier_after == pytest.approx(float(scoring.brier(moved_n, moved_y, bins)), abs=1e-12)
    assert math.isnan(result.change_low)
    if tenths == 10 and n[source] and source != target:
        # The cost of a substitution is what all of its uses change.
        cost = cost_matrix(n, y, bins)[source, target]
        assert result.change == pytest.approx(cost * n[source] / n.sum(), abs=1e-12)
    assert result.kept <= 1


def test_what_if_several_words_change(lexicon, explorer):
    result = explorer.what_if(FAST, {"likely": {"may represent": 0.5, "possibly": 0.2}, "probably": {"maybe": 1.0}})
    assert result.change < 0
    assert result.change_low <= result.change <= result.change_high < 0
    assert result.lower == 1
    assert result.kept < 1


def test_what_if_warns_of_what_is_odd(lexicon, explorer):
    turned = explorer.what_if(FAST, {"likely": {"maybe": 1.0}})
    assert turned.disordered == (("probably", "likely"),)
    assert explorer.what_if(FAST, {"likely": {"maybe": 1.0}, "probably": {"maybe": 1.0}}).disordered == ()
    opposite = explorer.what_if(FAST, {"absent": {"present": 0.1}})
    assert opposite.opposites == (("absent", "present"),)
    barred = explorer.what_if(FAST.changed(allowed_phrases=("maybe",)), {"likely": {"possibly": 0.5, "maybe": 0.1}})
    assert barred.not_allowed == ("possibly",)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"likely": {"of course": 0.5}}, "of course"),
        ({"surely": {"likely": 0.5}}, "surely"),
        ({"likely": {"maybe": 1.5}}, "likely"),
        ({"likely": {"maybe": -0.1}}, "likely"),
        ({"likely": {"maybe": 0.6, "possibly": 0.6}}, "likely"),
        ({"likely": {"maybe": math.nan}}, "likely"),
    ],
)
def test_changes_that_cannot_be_are_refused(explorer, changes, message):
    with pytest.raises(InputError, match=message):
        explorer.what_if(FAST, changes)


def test_one_group_at_a_time(lexicon, make_tables, draw):
    topics = {f"t{i}": draw(lexicon, 100, lambda m: m, seed=i) for i in range(2)}
    tables, reliabilities = make_tables(lexicon, **topics)
    with pytest.raises(DataError, match="not 2"):
        Explorer(tables, reliabilities[0], lexicon)
    one = make_tables(lexicon, t0=topics["t0"])
    with pytest.raises(DataError, match="not in the lexicon"):
        Explorer(one[0], one[1][0], lexicon[1:])


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=6))
def test_information_is_that_of_the_joint_distribution(counts):
    no, yes = np.array(counts, dtype=float).T
    joint = np.stack([no, yes]) / max((no + yes).sum(), 1)
    expected = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0)
    at = joint > 0
    direct = float((joint[at] * np.log2(joint[at] / expected[at])).sum())
    assert float(information(no + yes, yes)) == pytest.approx(direct, abs=1e-9)
