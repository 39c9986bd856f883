"""Answers that are none, hedged answers, and answers that only look alike: a table of each."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from radcal.lab.abstaining import abstains
from tests.cases import cases_of

cases = cases_of(__file__)


@cases("an_abstention_in_any_spelling")
def test_an_abstention_in_any_spelling(answer: str) -> None:
    assert abstains(answer)
    curly = answer.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")
    for written in (curly, answer.replace("'", ""), answer.lower(), answer.upper(), f"  {answer}\n", f"**{answer}**"):
        assert abstains(written), written


@cases("a_hedged_answer_in_any_spelling_is_none")
def test_a_hedged_answer_in_any_spelling_is_none(answer: str) -> None:
    curly = answer.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")
    for written in (answer, curly, answer.replace("'", ""), answer.lower(), answer.upper()):
        assert not abstains(written), written


@cases("an_answer_that_only_looks_like_one_is_none")
def test_an_answer_that_only_looks_like_one_is_none(answer: str) -> None:
    assert not abstains(answer)
    assert not abstains(answer.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}"))


PLACES = st.sampled_from(["Lyon", "Ulan Bator", "1830", "Ludwig van Beethoven", "the Nile"])


@given(st.sampled_from(["I don't know", "Not sure", "I have no idea", "Keine Ahnung", "I'm unsure"]), PLACES)
def test_whatever_is_not_known_an_answer_behind_it_is_one(lack: str, place: str) -> None:
    assert abstains(f"{lack}.")
    for between in (", ", "; ", ". ", ": ", " - ", ", but ", ", maybe "):
        assert not abstains(f"{lack}{between}{place}.")
    assert not abstains(place)
