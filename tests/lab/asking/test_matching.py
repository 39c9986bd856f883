"""Which answers are the same, which are none, and which mean the same."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.lab.abstaining import abstains
from radcal.lab.asking.asker import clusters
from radcal.lab.asking.matching import exact, names, names_exactly, same, words_of


@pytest.mark.parametrize(
    ("answer", "accepted", "expected"),
    [
        ("Paris", "paris.", True),
        ("The Élysée  Palace!", "elysee palace", True),
        ("1,250", "1250", True),
        ("1250", "1.250", False),
        ("3.5", "3.5 ", True),
        ("3.5", "35", False),
        ("The The", "the THE", True),
        ("Parish", "Paris", False),
        ("Paris, France", "Paris", False),
        ("Straße", "STRASSE", True),
        ("", "", False),
        ("...", "!!!", False),
        ("U.S.", "US", True),
        ("u. s.", "US", True),
        ("J. R. R. Tolkien", "JRR Tolkien", True),
        ("-5", "5", False),
        ("\u22125", "-5", True),
        ("minus 5", "-5", True),
        ("5", "-5", False),
        ("-0", "0", True),
        ("1990-1995", "1990 to 1995", False),
        ("Apollo-11", "Apollo 11", True),
        ("C++", "C", False),
        ("C#", "C", False),
        ("C++", "c++", True),
        ("O-", "O+", False),
        ("A+", "A", False),
        ("O'Neill", "ONeill", True),
        ("O\u2019Neill", "O'Neill", True),
        ("0.50", "0.5", True),
        (".5", "0.5", True),
        ("007", "7", True),
        ("5.0", "5", True),
        ("0.05", "0.5", False),
        ("1,000", "1000", True),
        ("1\u202f000", "1,000", True),
        ("10\u00b2", "102", False),
        ("3 %", "3%", True),
        ("St. Louis", "St Louis", True),
        ("Beyonc\u00e9", "Beyonce", True),
        ("Simon & Garfunkel", "Simon and Garfunkel", True),
        ("twenty-one", "twenty one", True),
    ],
)
def test_the_same_answer_up_to_spelling(answer: str, accepted: str, expected: bool) -> None:
    assert same(answer, [accepted]) is expected


def test_letter_by_letter() -> None:
    assert exact(" Paris ", ["Lyon", "Paris"])
    assert not exact("paris", ["Paris"])


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("I think it is probably Paris.", True),
        ("It must be PARIS, I guess", True),
        ("The Parisian suburbs", False),
        ("It is Lyon.", False),
    ],
)
def test_an_answer_in_a_sentence(sentence: str, expected: bool) -> None:
    assert names(sentence, ["Rome", "Paris"]) is expected
    assert names_exactly(sentence, ["Rome", "Paris"]) is (expected and "Paris" in sentence)


@pytest.mark.parametrize(
    ("sentence", "accepted", "expected"),
    [
        ("It is not Paris.", "Paris", False),
        ("It isn't Paris.", "Paris", False),
        ("It is not the Paris of today.", "Paris", False),
        ("I do not think that it is Paris.", "Paris", False),
        ("I doubt it was Paris.", "Paris", False),
        ("Lyon rather than Paris.", "Paris", False),
        ("Lyon instead of Paris.", "Paris", False),
        ("Neither Paris nor Lyon.", "Lyon", False),
        ("It is unlikely to be Paris.", "Paris", False),
        ("Das ist nicht Paris.", "Paris", False),
        ("It is not Lyon but Paris.", "Paris", True),
        ("It is not Lyon, it is Paris.", "Paris", True),
        ("No, Paris.", "Paris", True),
        ("No doubt it is Paris.", "Paris", True),
        ("I don't know for sure, Paris.", "Paris", True),
        ("It is not Paris; well, it may be Paris after all.", "Paris", True),
        ("The jury found him not guilty.", "not guilty", True),
        ("No, it is not.", "no", True),
        ("The answer is no.", "No", True),
        ("There is no evidence.", "no", False),
        ("I know nothing of it.", "no", False),
        ("Yes, certainly.", "yes", True),
        ("The temperature was -5 degrees.", "5", False),
        ("The temperature was -5 degrees.", "-5", True),
        ("It cost 1,000.50 dollars.", "1000.5", True),
        ("It was written in C++.", "C", False),
        ("It was written in C++.", "C++", True),
        ("Paris, France, I think.", "Paris France", True),
    ],
)
def test_what_a_sentence_denies_is_no_answer(sentence: str, accepted: str, expected: bool) -> None:
    assert names(sentence, [accepted]) is expected
    if accepted in sentence and accepted not in {"5", "C", "no"}:
        assert names_exactly(sentence, [accepted]) is expected


def test_an_empty_accepted_answer_is_in_no_sentence() -> None:
    assert not names("It is Paris.", ["", "?!"])
    assert not names_exactly("It is Paris.", [" "])


@given(st.text(max_size=30))
def test_a_text_is_itself_whatever_its_case_and_the_spaces_around_it(text: str) -> None:
    words = words_of(text)
    assert words_of(f"  {text} \n") == words
    if words:
        assert same(text, [text])
        assert names(f"It is {text} .", [text])


@pytest.mark.parametrize(
    "answer",
    [
        "I don't know.",
        "I do not know",
        "I\u2019m not sure.",
        "Unknown",
        "unknown.",
        "I'm sorry, but I can't help with that.",
        "Sorry, I cannot answer this question.",
        "I am unable to determine this.",
        "I have no idea.",
        "No idea",
        "There is not enough information to answer.",
        "As an AI language model, I do not have personal opinions.",
        "Unfortunately, I cannot say.",
        "Honestly, I don't really know",
        "I really don't know that one.",
        "It is impossible to say.",
        "The answer is unknown.",
        "It is unknown",
        "I don't know. The question does not give enough to go on.",
        "I'm not confident enough in what I know to answer.",
        "I honestly have no clue, so I would rather not guess.",
        "This is beyond the scope of my knowledge.",
        "My training data does not include this.",
        "Guessing a year would mislead you, so I cannot answer.",
        "I'm completely unsure about this and will pass on answering.",
        "**3.** I'm unable to supply that number.",
        "Ich weiß es nicht.",
        "Das weiß ich leider nicht.",
        "Keine Ahnung.",
        "Das kann ich nicht beantworten.",
        "Es tut mir leid, aber das kann ich nicht sagen.",
    ],
)
def test_abstentions(answer: str) -> None:
    assert abstains(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "Paris",
        "It is probably Paris.",
        "I'm not sure, but I think it was Paris.",
        "I don't know for certain; my best guess is Paris.",
        "I do not know exactly, perhaps 1830.",
        "I would rather not guess, but if I had to, I'd say 1830.",
        "I'm not sure that it was Lyon.",
        "I believe it was Lyon, but I can't say for sure.",
        "I don't know much about it, but it is Lyon.",
        "The Unknown Soldier",
        "Nobody knows Shakespeare's birthday, but 23 April is celebrated.",
        "The painter is unknown, though the style is Flemish.",
        "No.",
        "Not Paris",
        "I am sure that it is Paris.",
        "Ich weiß nicht genau, aber vielleicht Lyon.",
        "Sorry Seems to Be the Hardest Word",
        "",
    ],
)
def test_hedged_answers_and_answers_about_not_knowing_are_no_abstentions(answer: str) -> None:
    assert not abstains(answer)


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
