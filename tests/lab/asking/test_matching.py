"""Which answers are the same, and which mean the same."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from radcal.lab.asking.asker import clusters
from radcal.lab.asking.matching import names, same, words_of
from tests.cases import cases_of

cases = cases_of(__file__)


@cases("the_same_answer_up_to_spelling")
def test_the_same_answer_up_to_spelling(answer: str, accepted: str, expected: bool) -> None:
    assert same(answer, [accepted]) is expected


@cases("an_answer_in_a_sentence")
def test_an_answer_in_a_sentence(sentence: str, expected: bool) -> None:
    assert names(sentence, ["Rome", "Paris"]) is expected


@cases("what_a_sentence_denies_is_no_answer")
def test_what_a_sentence_denies_is_no_answer(sentence: str, accepted: str, expected: bool) -> None:
    assert names(sentence, [accepted]) is expected


def test_a_letter_that_is_an_article_is_an_answer_letter_by_letter() -> None:
    assert names("The answer is A.", ["A"])
    assert not names("It is a guess, not A.", ["A"])
    assert not names("It is a guess.", ["A"])


def test_an_empty_accepted_answer_is_in_no_sentence() -> None:
    assert not names("It is Paris.", ["", "?!"])


@given(st.text(max_size=30))
def test_a_text_is_itself_whatever_its_case_and_the_spaces_around_it(text: str) -> None:
    words = words_of(text)
    assert words_of(f"  {text} \n") == words
    if words:
        assert same(text, [text])
        assert names(f"It is {text} .", [text])


@given(st.lists(st.sampled_from(["a", "b", "c", "B", "A"]), max_size=12))
def test_clusters_part_the_answers_by_an_equivalence(answers: list[str]) -> None:
    asked: list[tuple[str, str]] = []

    def alike(one: str, other: str) -> bool:
        assert one != other
        assert (one, other) not in asked
        asked.append((one, other))
        return one.casefold() == other.casefold()

    found = clusters(answers, alike)
    assert sorted(i for members in found for i in members) == list(range(len(answers)))
    for members in found:
        assert len({answers[i].casefold() for i in members}) == 1
        assert members == sorted(members)
    assert len(found) == len({a.casefold() for a in answers})
    sizes = [len(members) for members in found]
    assert sizes == sorted(sizes, reverse=True)
    for one, other in itertools.pairwise(found):
        assert len(one) > len(other) or one[0] < other[0]


def test_without_likeness_every_text_is_its_own_cluster() -> None:
    assert clusters(["x", "y", "x"], lambda *_: False) == [[0, 2], [1]]
    assert clusters(["x", "y", "z"], lambda *_: True) == [[0, 1, 2]]
    assert clusters([], lambda *_: True) == []
