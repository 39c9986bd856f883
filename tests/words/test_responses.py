"""A survey filled in on the spot: orders, answers, and the lexicon that follows by exact moments."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.words.editing import named
from radcal.words.extraction_words import shipped
from radcal.words.phrases import mean_of, spread_of
from radcal.words.responses import FEWEST_ANSWERS, RANGES, SKIPPED, Response, from_responses, shuffled

WORDS = ("likely", "may", "unlikely")


def answered(key: str, **answers: int) -> Response:
    response = Response(key, "", WORDS)
    for phrase, answer in answers.items():
        response = response.with_answer(phrase, answer)
    return response


def test_the_order_is_the_seeds_and_has_every_hedge_once() -> None:
    orders = {shuffled(shipped(), seed) for seed in range(5)}
    assert len(orders) == 5
    assert shuffled(shipped(), 3) == shuffled(shipped(), 3)
    hedges = {p.name for p in shipped().phrases} - {"absent", "present"}
    assert all(set(order) == hedges and len(order) == len(hedges) for order in orders)


def test_a_response_goes_on_where_it_stopped() -> None:
    response = answered("a", likely=4)
    assert (response.next, response.finished, response.answered) == (1, False, 1)
    response = response.with_answer("may", SKIPPED).with_answer("unlikely", 2)
    assert (response.next, response.finished, response.answered) == (3, True, 2)
    assert response.with_answer("likely", 5).answers["likely"] == 5


@given(st.lists(st.integers(1, 5), min_size=FEWEST_ANSWERS, max_size=12))
@settings(deadline=None, max_examples=50)
def test_moments_are_those_of_the_mixture_of_the_chosen_ranges(chosen: list[int]) -> None:
    surveyed = from_responses([answered(str(i), likely=c) for i, c in enumerate(chosen)])
    assert surveyed.lexicon is not None
    likely = named(surveyed.lexicon, "likely")
    low_high = [RANGES[c] for c in chosen]
    n = len(chosen)
    mean = sum(a + b for a, b in low_high) / 2 / n
    second = sum((b**3 - a**3) / (3 * (b - a)) for a, b in low_high) / n
    assert mean_of(likely) == pytest.approx(mean)
    assert spread_of(likely) == pytest.approx((second - mean**2) ** 0.5, rel=1e-6)
    assert f"{n} answers" in likely.source


def test_too_few_answers_are_said_so_and_no_meaning_is_made() -> None:
    two = [answered("a", likely=4, may=3), answered("b", likely=4, may=SKIPPED)]
    surveyed = from_responses(two)
    assert (surveyed.lexicon, surveyed.n, surveyed.too_few) == (None, 2, WORDS)
    assert surveyed.answers == {"likely": 2, "may": 1, "unlikely": 0}
    three = from_responses([*two, answered("c", likely=5)])
    assert three.lexicon is not None
    assert [p.name for p in three.lexicon.phrases] == ["absent", "likely", "present"]
    assert three.too_few == ("may", "unlikely")
    assert from_responses([]).n == 0


def test_who_answered_nothing_is_no_respondent() -> None:
    responses = [answered("a", likely=4), answered("b"), answered("c", likely=SKIPPED), answered("d", may=2, likely=3)]
    assert from_responses(responses).n == 2


def test_answers_that_make_no_distribution_are_refused_by_name() -> None:
    split = from_responses([answered(str(i), likely=c) for i, c in enumerate((0, 0, 6, 6))])
    assert split.lexicon is None
    [(name, reason)] = split.refused
    assert name == "likely"
    assert "too far apart" in reason
    certain = from_responses([answered(str(i), likely=6) for i in range(3)])
    assert certain.lexicon is not None
    assert mean_of(named(certain.lexicon, "likely")) == 1
