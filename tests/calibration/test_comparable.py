"""What authors can be compared by, so that something is seen of them."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from radcal.calibration.comparisons import topics_to_compare, word_to_compare
from radcal.calibration.records import ALL_AUTHORS, PhraseRate, Reliability
from radcal.system.settings import ALL_TOPICS


def measured(author: str, topic: str, enough: bool = False, **uses: float) -> Reliability:
    """An author who used words so often, with enough of them hedged for a word error or not."""
    rates = tuple(
        PhraseRate(word, n, n / 2, 0.5, 0.4, 0.6, 1.0 if word == "present" else 0.7) for word, n in uses.items()
    )
    error = 0.1 if enough else None
    return Reliability(author, topic, sum(uses.values()), rates, word_error=error, word_error_low=error)


def test_topics_come_first_on_which_most_can_be_compared_by_all_that_they_hedged() -> None:
    groups = [
        measured("A", "infection", True, likely=900),
        *(measured(a, "edema", True, likely=70) for a in "AB"),
        measured("C", "edema", likely=50),
        *(measured(a, "mass", True, likely=60) for a in "ABC"),
        *(measured(a, ALL_TOPICS, True, likely=500) for a in "ABCD"),
        *(measured(ALL_AUTHORS, topic, True, likely=900) for topic in ("edema", "infection", "mass")),
    ]
    for order in (groups, groups[::-1]):
        assert topics_to_compare(order, 10) == ("mass", "edema", ALL_TOPICS)


def test_a_word_serves_where_hedges_are_few_and_plain_words_never_do() -> None:
    groups = [
        *(measured(a, "edema", likely=12, present=300) for a in "AB"),
        *(measured(a, "mass", likely=3) for a in "ABC"),
        *(measured(a, "fracture", present=400) for a in "ABC"),
        measured("A", "infection", likely=90),
        measured("B", "infection", possibly=90),
    ]
    assert topics_to_compare(groups, 10) == ("edema", "mass")
    assert topics_to_compare([], 10) == ()


def test_the_word_is_one_that_most_have_used_often_enough() -> None:
    said = {"likely": [12, 11, 3], "possibly": [40, 2, 2, 2], "maybe": [500]}
    assert word_to_compare(said, 10) == "likely"
    assert word_to_compare(said, 20) == "possibly"  # used by most, if not often enough
    assert word_to_compare({"maybe": [500]}, 1) == ""


@given(st.dictionaries(st.sampled_from("abcd"), st.lists(st.integers(1, 30), min_size=1, max_size=4)))
def test_a_word_that_two_have_used_is_always_found(said: dict[str, list[float]]) -> None:
    found = word_to_compare(said, 10)
    assert bool(found) == any(len(uses) > 1 for uses in said.values())
    for word, uses in itertools.chain(said.items()):
        if sum(n >= 10 for n in uses) > 1:
            assert sum(n >= 10 for n in said[found]) > 1, word
