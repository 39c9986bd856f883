"""What each way of asking makes of what a model says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from radcal.lab.asking.asker import Askable, Asker, Question
from radcal.lab.hedges.estimator import SentenceEstimate
from radcal.system.errors import DataError
from radcal.system.text import Text
from radcal.words.phrases import load_lexicon, mean_of
from radcal.words.records import ABSENT, PRESENT

LEXICON = load_lexicon()


def asker(speaker: Askable, **more: Any) -> Asker:
    return Asker(
        speaker,
        LEXICON,
        **{"read_hedges": lambda sentences: [SentenceEstimate(0.7, 0.5, 0.9, ())] * len(sentences), **more},
    )


def test_the_messages_hold_question_and_answer_and_worked_phrases(
    scripted: Any, question: Callable[..., Question]
) -> None:
    model = scripted()
    found = asker(model).ask(question(), "phrase")
    (first, lead), (second, _) = model.asked
    assert "capital of France" in first
    assert lead == "Answer:"
    assert "capital of France" in second
    *worked, last = second.split("\n\n")
    assert last.endswith("Proposed answer: Paris")
    shown = {piece.split('"')[1] for piece in worked}
    assert shown == {"diagnostic of", "very unlikely"}, "the phrases that mean most and least"
    hedges = [phrase for phrase in LEXICON.phrases if phrase.name not in (ABSENT, PRESENT)]
    assert (found.answer, found.confidence, found.correct, found.decided) == ("Paris", "likely", True, "normalised")
    weights = [1.0 if phrase.name == "likely" else 0.1 for phrase in hedges]
    assert found.stated == pytest.approx(np.average([mean_of(phrase) for phrase in hedges], weights=weights), abs=1e-4)


def test_no_message_shows_an_answer_that_a_model_might_copy(scripted: Any, question: Callable[..., Question]) -> None:
    model = scripted()
    for way in ("probability", "beta", "lc", "lc+"):
        asker(model).ask(question(), way)
    worked, rest = model.asked[0][0], [message for message, _ in model.asked if message != model.asked[0][0]]
    assert all(message.count("Question:") == 1 for message in rest)
    assert all(message.count("Answer:") + message.count("Reply:") <= 1 for message in rest)
    answers = [line.partition(": ")[2] for line in worked.splitlines() if line.startswith("Answer:")]
    assert len(set(answers)) == 3, "of different kinds"
    assert all(name in worked for name in ("Anna", "Peter", "Maria")), "of whom no question set asks"


def test_what_differs_between_questions_stands_last(scripted: Any, question: Callable[..., Question]) -> None:
    model = scripted(said=lambda *_: ["Paris", "Lyon"])
    with_judge = asker(model, judge=model, samples=2)
    for text in ("Braces {question}?", "Who wrote it?"):
        with_judge.ask(question(text), "semantic")
    first, second = (
        messages for messages in (model.asked[: len(model.asked) // 2], model.asked[len(model.asked) // 2 :])
    )
    for (one, _), (other, _) in zip(first, second, strict=True):
        assert one.partition("Question:")[0] == other.partition("Question:")[0] != ""


def test_a_probability_is_the_mean_of_the_distribution(scripted: Any, question: Callable[..., Question]) -> None:
    chances = np.zeros(101)
    chances[[10, 90]] = 0.25, 0.75
    found = asker(scripted(number=lambda *_: chances)).ask(question(), "probability")
    assert found.confidence == found.stated == pytest.approx(0.7)


def test_a_beta_distribution_is_asked_for_a_first_and_then_for_b(
    scripted: Any, question: Callable[..., Question]
) -> None:
    zero_is_likeliest = np.full(101, 0.001)
    zero_is_likeliest[0], zero_is_likeliest[3] = 0.5, 0.4
    model = scripted(number=lambda message, lead: 9 if "b =" not in lead else zero_is_likeliest)
    found = asker(model).ask(question(), "beta")
    assert found.confidence == "Beta(9,3)"  # no weight is 0
    assert found.stated == 0.75
    assert model.asked[-1][1] == "Weights: a = 9, b ="


def test_the_verdict_on_an_answer_is_the_chance_of_true(scripted: Any, question: Callable[..., Question]) -> None:
    model = scripted(option=lambda *_: "B)")
    found = asker(model).ask(question(), "p(true)")
    assert found.stated == found.confidence == pytest.approx(0.1 / 1.1, abs=1e-4)
    message, lead = model.asked[-1]
    assert "Proposed answer: Paris" in message
    assert lead.endswith("(")


def test_perplexity_is_the_mean_of_the_tokens_of_the_answer(scripted: Any, question: Callable[..., Question]) -> None:
    model = scripted()
    found = asker(model).ask(question(), "perplexity")
    assert found.stated == found.confidence == pytest.approx((0.9 * 0.4) ** 0.5, abs=1e-4)
    assert model.asked[0] == model.asked[1], "the answer is weighed where it was given"


@pytest.mark.parametrize("way", ["lc", "lc+"])
def test_a_sentence_is_read_for_its_hedges_and_for_the_answer_in_it(
    scripted: Any, question: Callable[..., Question], way: Any
) -> None:
    read: list[str] = []

    def hedges(sentences: Any) -> list[SentenceEstimate]:
        read.extend(sentences)
        return [SentenceEstimate(0.61239, 0.5, 0.7, ("probably",))]

    found = asker(scripted(said=lambda *_: " It is probably Paris. "), read_hedges=hedges).ask(question(), way)
    assert read == ["It is probably Paris."]
    assert (found.confidence, found.correct, found.said) == (0.6124, True, "It is probably Paris.")


def test_the_two_ways_of_hedging_are_asked_for_differently(scripted: Any, question: Callable[..., Question]) -> None:
    model = scripted()
    for way in ("lc", "lc+"):
        asker(model).ask(question(), way)
    (short, _), (long, _) = model.asked
    assert len(long) > 3 * len(short)


def test_a_sentence_of_which_nothing_tells_how_sure_it_is_states_nothing(
    scripted: Any, question: Callable[..., Question]
) -> None:
    found = asker(scripted(), read_hedges=lambda sentences: [Text("It is German.")]).ask(question(), "lc")
    assert (found.confidence, found.stated, found.abstained, found.correct) == (None, None, False, True)


def test_a_reply_that_the_reader_of_hedges_takes_for_none_is_an_abstention(
    scripted: Any, question: Callable[..., Question]
) -> None:
    none = SentenceEstimate(0.02, 0.0, 0.1, ("beyond me",), "abstention")
    model = scripted(said=lambda *_: "That one is beyond me.")
    found = asker(model, read_hedges=lambda _: [none]).ask(question(), "lc")
    assert (found.abstained, found.stated) == (True, None)


def test_random_answers_are_counted_by_their_meaning(scripted: Any, question: Callable[..., Question]) -> None:
    samples = ["Lyon", "Paris", "paris.", "I don't know", "the Paris", "", "I cannot say.", "Lyon"]
    found = asker(scripted(said=lambda *_: samples), samples=8).ask(question(), "semantic")
    assert (found.answer, found.correct) == ("Paris", True)
    assert found.stated == pytest.approx(3 / 7, abs=1e-4)  # of those that were written
    assert found.samples == tuple(samples)


def test_a_judge_joins_answers_that_imply_each_other(scripted: Any, question: Callable[..., Question]) -> None:
    def verdict(message: str, lead: str) -> str:
        said = [line.split(": ")[1] for line in message.splitlines() if " answer: " in line]
        if len(said) < 2:
            return "yes"  # it is right
        first, second = said
        if {first, second} == {"Paris", "City of Light"}:
            return "yes"
        return "yes" if (first, second) == ("City of Light", "a city") else "no"  # one way only

    judge = scripted(option=verdict)
    samples = ["Paris", "City of Light", "a city", "Paris"]
    found = asker(scripted(said=lambda *_: samples), judge=judge, samples=4).ask(question(), "semantic")
    assert found.stated == 0.75
    alone = asker(scripted(said=lambda *_: samples), samples=4).ask(question(), "semantic")
    assert alone.stated == 0.5


def test_when_most_random_answers_abstain_so_does_the_model(scripted: Any, question: Callable[..., Question]) -> None:
    samples = ["I don't know", "Paris", "Unknown", "No idea"]
    found = asker(scripted(said=lambda *_: samples), samples=4).ask(question(), "semantic")
    assert (found.abstained, found.stated, found.correct, found.decided) == (True, None, False, "abstained")


@pytest.mark.parametrize("way", ["phrase", "probability", "beta", "lc", "lc+", "p(true)", "perplexity"])
def test_an_abstention_states_nothing_and_is_never_correct(
    scripted: Any, question: Callable[..., Question], way: Any
) -> None:
    model = scripted(said=lambda *_: "I don't know.")
    found = asker(model).ask(question("Why?", "I don't know"), way)
    assert (found.abstained, found.confidence, found.stated, found.correct) == (True, None, None, False)
    assert len(model.asked) == 1


@pytest.mark.parametrize("way", ["phrase", "lc", "semantic"])
def test_an_empty_answer_is_a_failure(scripted: Any, question: Callable[..., Question], way: Any) -> None:
    with pytest.raises(DataError, match="wrote no answer"):
        asker(scripted(said=lambda *_: " ")).ask(question(), way)


def test_the_words_decide_what_is_right_unless_there_is_a_judge(
    scripted: Any, question: Callable[..., Question]
) -> None:
    judge = scripted(option=lambda *_: "no")
    for who, expected in ((None, (True, "normalised")), (judge, (False, "judge"))):
        found = asker(scripted(said=lambda *_: "paris"), judge=who).ask(question(), "phrase")
        assert (found.correct, found.decided) == expected


def test_the_judge_sees_question_answers_and_answer(scripted: Any, question: Callable[..., Question]) -> None:
    judge = scripted(option=lambda *_: "yes")
    found = asker(scripted(said=lambda *_: "Lutetia"), judge=judge).ask(
        question("Capital?", "Paris", "Paname"), "phrase"
    )
    assert found.correct
    [(message, _)] = judge.asked
    assert all(words in message for words in ("Capital?", "Paris | Paname", "Lutetia"))


def test_the_short_answer_is_asked_for_once_in_all_ways(scripted: Any, question: Callable[..., Question]) -> None:
    model = scripted()
    asks = asker(model)
    for way in ("phrase", "probability", "beta"):
        asks.ask(question(), way)
    assert sum(lead == "Answer:" for _, lead in model.asked) == 1
    asks.ask(question("Another?"), "phrase")
    assert sum(lead == "Answer:" for _, lead in model.asked) == 2


def test_what_a_template_would_do_in_a_question_is_text(scripted: Any, question: Callable[..., Question]) -> None:
    model = scripted()
    asker(model).ask(question("What is {{ 7 * 7 }}?"), "lc")
    assert "{{ 7 * 7 }}" in model.asked[0][0]
