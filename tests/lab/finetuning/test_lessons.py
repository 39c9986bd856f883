"""Which questions are learnt, and what is taught of them."""

from __future__ import annotations

from collections import Counter

import pytest

from radcal.lab.asking.asker import Answered, Question, read_messages
from radcal.lab.asking.files import read_questions
from radcal.lab.finetuning.forms import near
from radcal.lab.finetuning.lessons import certainties, lessons_of, split
from radcal.lab.finetuning.training import Lesson
from radcal.system.resources import resource

SHIPPED = read_questions(resource("questions", "general.csv"))


def test_shipped_questions_are_many_and_different() -> None:
    assert not SHIPPED.rejected
    assert len(SHIPPED.questions) >= 600
    assert min(Counter(q.topic for q in SHIPPED.questions).values()) >= 20
    for question in SHIPPED.questions:
        assert question.text.endswith("?")
        assert all(len(answer.split()) <= 6 for answer in question.accepted)


@pytest.mark.parametrize("seed", range(3))
def test_questions_are_judged_by_that_were_not_learnt_half_of_them_of_new_topics(seed: int) -> None:
    parts = split(SHIPPED.questions, 0.35, 0.15, seed)
    every = [*parts.learnt, *parts.held_back, *parts.judged]
    assert len(every) == len(set(every)) == len(SHIPPED.questions)
    assert len(parts.judged) == round(0.35 * len(every))
    assert len(parts.held_back) == pytest.approx(0.15 * (len(every) - len(parts.judged)), abs=1)
    taught = {q.topic for q in (*parts.learnt, *parts.held_back)}
    new = sum(q.topic not in taught for q in parts.judged)
    assert 0.4 < new / len(parts.judged) < 0.75
    assert {q.topic for q in parts.judged} > {q.topic for q in every} - taught
    assert parts == split(SHIPPED.questions, 0.35, 0.15, seed)
    assert parts != split(SHIPPED.questions, 0.35, 0.15, seed + 1)


def test_one_topic_is_split_by_question() -> None:
    questions = [Question(f"{n}?", ("1",), "numbers") for n in range(100)]
    parts = split(questions, 0.35, 0.15, 0)
    assert (len(parts.learnt), len(parts.held_back), len(parts.judged)) == (55, 10, 35)


def told(answer: str, share: float | None, accepted: str = "Paris", *, abstained: bool = False) -> Answered:
    question = Question("What is the capital of France?", (accepted,), "capitals")
    return Answered(question, "semantic", answer, answer, share, share, answer == accepted, "normalised", abstained)


def taught(*answers: Answered) -> list[Lesson]:
    return lessons_of(answers, float, 5, read_messages())


def test_a_model_is_taught_its_own_answer_as_sure_as_it_is() -> None:
    made, surer = taught(told("Lyon.", 0.7), told("Lyon.", 0.9))
    assert made.asked.endswith("\n\nQuestion: What is the capital of France?\nReply:")
    assert set(made.replies) == {form.sentence.format(answer="Lyon") for form in near(0.7, 0.1)}
    assert not set(surer.replies) & set(made.replies)
    assert (made.level, surer.level) == (0.7, 0.9)


def test_whether_it_is_right_makes_no_difference() -> None:
    assert taught(told("Lyon", 0.5)) == taught(told("Lyon", 0.5, "Lyon"))


@pytest.mark.parametrize(
    "answered",
    [
        told("I don't know", None, abstained=True),
        told("one of the many towns on the long river Rhone", 0.3),
        told("<strong>Lyon</strong>", 0.5),
        told("...", 0.1),
    ],
)
def test_what_is_no_short_answer_is_not_taught(answered: Answered) -> None:
    assert taught(answered) == []


def test_a_reply_begins_with_a_capital() -> None:
    [made] = taught(told("eau", 0.9))
    assert all(reply[0].isupper() for reply in made.replies)


def test_rare_levels_are_drawn_more_often_than_they_occur() -> None:
    weights = {lesson.level: lesson.weight for lesson in taught(*[told("Lyon", 0.1)] * 16, *[told("Lyon", 0.9)] * 4)}
    assert weights[0.9] / weights[0.1] == pytest.approx(2)


def test_a_share_is_worth_how_often_it_is_right() -> None:
    """Of ten answers each, pooled where a larger share is right less often."""
    right = {0.2: 1, 0.4: 5, 0.6: 3, 0.8: 9}
    answers = [told("Paris" if i < n else "Lyon", share) for share, n in right.items() for i in range(10)]
    worth = certainties(answers)
    assert [worth(share) for share in right] == pytest.approx([0.1, 0.4, 0.4, 0.9])
    assert worth(0.0) == pytest.approx(0.1)
    assert worth(1.0) == pytest.approx(0.9)
