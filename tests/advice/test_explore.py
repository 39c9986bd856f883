"""Quick answers are those of the slow path, and what they say of other uses of words can be counted by hand."""

from __future__ import annotations

import math
from functools import partial
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.advice.advice import advise
from radcal.advice.cost import cost_matrix
from radcal.advice.explore import Explorer
from radcal.advice.report import to_json
from radcal.calibration import scoring
from radcal.calibration.model import SHIPPED
from radcal.system.errors import DataError, InputError
from radcal.system.settings import Settings
from radcal.words.bins import bin_phrases

FAST = Settings(bootstrap=200)
TRIED = (
    FAST,
    FAST.changed(sure=0.6),
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
    (slow,) = advise(*tables, lexicon, chosen, spread=SHIPPED)
    derived = explorer.case(chosen).derived()
    assert to_json([derived.advice]) == to_json([slow])
    np.testing.assert_array_equal(derived.advice.cost, slow.cost)
    names = [p.name for p in lexicon]
    assert all(derived.plan[names.index(s.source), names.index(s.target)] == s.share for s in slow.plan)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 1000), st.floats(-3, 1), st.booleans())
def test_what_is_told_is_always_a_plan(lexicon, make_tables, draw, seed, power, paper):
    tables, (reliability,) = make_tables(lexicon, edema=draw(lexicon, 400, lambda m: 0.5 + (m - 0.5) / 2, seed))
    chosen = FAST.changed(solver="paper" if paper else "ordered", tau2=10**power, min_phrase_n=1)
    shown = Explorer(tables, reliability, lexicon).case(chosen).derived().plan
    assert (shown >= 0).all(), "shares that add to 1 but for rounding leave nothing below 0"
    np.testing.assert_allclose(shown.sum(axis=1), 1)


def test_what_if_nothing_changes(explorer):
    same = explorer.what_if(FAST, {})
    for score in (same.distance, same.brier, same.ece):
        assert score.before == score.after
        assert score.change_low == score.change_high == 0
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
    every = np.ones(len(lexicon), dtype=bool)
    for found, score in (
        (result.ece, scoring.ece),
        (result.brier, scoring.brier),
        (result.distance, partial(scoring.word_error, hedged=every)),
    ):
        assert found.before == pytest.approx(float(score(n, y, bins)), abs=1e-12)
        assert found.after == pytest.approx(float(score(moved_n, moved_y, bins)), abs=1e-12)
        assert math.isnan(found.change_low)
    if tenths == 10 and n[source] and source != target:
        # The cost of a substitution is what all of its uses change.
        cost = cost_matrix(n, y, bins)[source, target]
        assert result.ece.after - result.ece.before == pytest.approx(cost * n[source] / n.sum(), abs=1e-12)


def test_what_if_several_words_change(lexicon, explorer):
    result = explorer.what_if(FAST, {"likely": {"may represent": 0.5, "possibly": 0.2}, "probably": {"maybe": 1.0}})
    error = result.distance
    assert error.change_low <= error.after - error.before <= error.change_high < 0


def test_hedging_a_right_no_brings_nothing_closer(lexicon, make_tables):
    """Over hedged words alone, a right "no" called "unlikely" would make the others weigh less."""
    tables, (reliability,) = make_tables(lexicon, edema={"likely": (40, 20), "absent": (60, 0)})
    result = Explorer(tables, reliability, lexicon).what_if(FAST, {"absent": {"unlikely": 1.0}})
    assert result.distance.after > result.distance.before
    assert result.distance.change_low > 0


def test_what_if_warns_of_what_is_odd(lexicon, explorer):
    turned = explorer.what_if(FAST, {"likely": {"maybe": 1.0}, "probably": {"possibly": 1.0}})
    assert turned.disordered == (("probably", "likely"),)
    assert explorer.what_if(FAST, {"likely": {"maybe": 1.0}, "probably": {"maybe": 1.0}}).disordered == ()
    assert explorer.what_if(FAST, {"likely": {"maybe": 1.0}}).disordered == ()
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
