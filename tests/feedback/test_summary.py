"""The sentence that sums up an author's words on the first page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from radcal.advice.judging import author_sentences, together_sentence
from radcal.advice.records import Advice, Recommendation
from radcal.feedback.content import judge_input, personal_content
from radcal.feedback.records import FeedbackInput
from radcal.reliability.records import Part, Reliability
from radcal.system.settings import ALL_TOPICS, Settings

Uses = Mapping[str, Mapping[str, tuple[float, float]]]


def said(data: FeedbackInput) -> str:
    return author_sentences(judge_input(data, 10), 10)


@pytest.mark.parametrize(
    ("uses", "expected"),
    [
        ({}, "No statement could be compared with a CT yet."),
        (
            {"edema": {"likely": (1, 0)}},
            "Not enough data yet to judge a word for a single pathology: 1 statement in 1 pathology, and none was used "
            "10 times there.",
        ),
        (
            {"edema": {"likely": (40, 33)}},
            "Across 40 statements in 1 pathology, no single word clearly differed from CT; 1 word is undecided.",
        ),
        (
            {"edema": {"likely": (400, 330), "absent": (500, 5)}},
            "Across 900 statements in 1 pathology, no single word clearly differed from CT; 2 words matched what CT "
            "showed.",
        ),
        (
            {"edema": {"likely": (87, 41), "may represent": (60, 14), "absent": (500, 1), "unlikely": (3, 3)}},
            "Across 650 statements in 1 pathology, 'likely' for edema was stronger than CT supported; 1 word matched "
            "what CT showed and 1 is undecided.",
        ),
        (
            {
                "edema": {"likely": (87, 41), "absent": (500, 1)},
                "pneumonia": {"highly suggestive of": (50, 10), "unlikely": (50, 25)},
            },
            "Across 687 statements in 2 pathologies, 'likely' for edema and 'highly "
            "suggestive of' for pneumonia were stronger than CT supported, and CT found pneumonia more often than "
            "'unlikely' says; 1 word matched what CT showed.",
        ),
        (
            {"edema": {"likely": (87, 41), "highly suggestive of": (40, 10), "unlikely": (90, 60)}},
            "Across 217 statements in 1 pathology, 'highly suggestive of' for edema and 'likely' for edema were "
            "stronger than CT supported, and CT found edema more often than 'unlikely' says.",
        ),
        (
            {t: {"likely": (60, 6), "unlikely": (60, 50)} for t in ("edema", "pneumonia")},
            "Across 240 statements in 2 pathologies, 4 of 4 words used often enough to judge differ from CT.",
        ),
    ],
)
def test_the_summary_is_one_true_sentence(make: Callable[..., FeedbackInput], uses: Uses, expected: str) -> None:
    assert said(make(uses)) == expected


@pytest.mark.parametrize(
    ("advised", "rest"),
    [
        ((), "3 words matched what CT showed and 1 is undecided"),
        (("absent",), "2 words matched what CT showed, for 1 a closer word is known, and 1 is undecided"),
        (("absent", "present", "likely"), "for 3 words a closer one is known and 1 is undecided"),
        # One that has a closer word is not counted as undecided.
        (("unlikely",), "3 words matched what CT showed and for 1 a closer word is known"),
    ],
)
def test_words_of_which_a_closer_one_is_known_are_counted_as_such(
    make: Callable[..., FeedbackInput], advised: tuple[str, ...], rest: str
) -> None:
    data = make({"edema": {"absent": (500, 1), "present": (500, 499), "likely": (400, 330), "unlikely": (12, 3)}})
    rates = {p.phrase: p for p in data.reliabilities[0].phrases}
    made = tuple(Recommendation(word, "x", 1.0, 0.97, rates[word], "") for word in advised)
    told = said(replace(data, advices=(Advice("", "edema", 100.0, "ordered", (), (), (), made),)))
    assert told == f"Across 1,412 statements in 1 pathology, no single word clearly differed from CT; {rest}."


def test_pathologies_without_statements_are_not_counted(make: Callable[..., FeedbackInput]) -> None:
    data = make({"edema": {"likely": (40, 33)}})
    empty = Reliability("", "fracture", 0, (), reason="no statements")
    assert "in 1 pathology" in said(replace(data, reliabilities=(*data.reliabilities, empty)))


def test_words_of_all_pathologies_together_are_summed_up_too(
    make: Callable[..., FeedbackInput], reliability_of: Callable[..., Reliability]
) -> None:
    """Each pathology alone leaves open what holds of all of them."""
    uses = {"likely": (12, 9), "may represent": (40, 18)}
    data = make({"edema": uses, "pneumonia": uses})
    whole = reliability_of(ALL_TOPICS, {"likely": (400, 330), "may represent": (80, 70)})
    parts = tuple(Part(name, 52.0, 0.9, False) for name in ("edema", "pneumonia"))
    both = replace(data, pooled=replace(whole, parts=parts))
    assert said(both) == (
        "Across 104 statements in 2 pathologies together, 'may represent' was weaker than CT supported; for no single "
        "pathology is that shown yet."
    )
    told = "Across all pathologies, 'may represent' was weaker than CT supported; 'likely' matched what CT showed."
    assert together_sentence(judge_input(both, 10)) == told
    note = personal_content(both, Settings())["summary_note"]
    assert note.translate({0x2018: "'", 0x2019: "'"}).startswith(told)
    assert together_sentence(judge_input(data, 10)) == ""
