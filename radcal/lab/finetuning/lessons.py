"""What a model is taught: its own answers, said with as much certainty as it has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from radcal.lab.asking.asker import Answered, Messages, Question
from radcal.lab.finetuning.forms import near
from radcal.lab.finetuning.training import Lesson

_MOST_WORDS = 8
"""An answer with more words is no short one."""


@dataclass(frozen=True, slots=True)
class Split:
    """Questions to learn from, to choose the epoch by, and to judge by at the end: some of these are of kinds that are
    in neither of the others."""

    learnt: tuple[Question, ...]
    held_back: tuple[Question, ...]
    judged: tuple[Question, ...]


def split(questions: Sequence[Question], judged: float, held_back: float, seed: int) -> Split:
    """Questions split at random.

    Args:
        judged: share to judge by; half of it whole topics, as far as there are several.
        held_back: share of the others to choose the epoch by.
    """
    random = np.random.default_rng(seed)
    topics = sorted({q.topic for q in questions})
    new, wanted = set[str](), judged * len(questions) / 2
    for topic in random.permutation(topics)[:-1].tolist():
        if sum(q.topic in new for q in questions) < wanted:
            new.add(topic)
    rest = [q for q in questions if q.topic not in new]
    order = random.permutation(len(rest))
    n = max(round(judged * len(questions)) - (len(questions) - len(rest)), 0)
    parts = (
        order[:n],
        order[n : n + round(held_back * (len(rest) - n))],
        order[n + round(held_back * (len(rest) - n)) :],
    )
    seen, back, learnt = ([rest[i] for i in sorted(part)] for part in parts)
    return Split(tuple(learnt), tuple(back), (*(q for q in questions if q.topic in new), *seen))


def level_of(share: float, levels: int) -> float:
    """The middle of the level of a share: of the five of the paper (0, 0.2] is 0.1, (0.8, 1] is 0.9."""
    return (max(int(np.ceil(share * levels - 1e-9)), 1) - 0.5) / levels


def certainties(answered: Sequence[Answered]) -> Callable[[float], float]:
    """How often answers of a share are right, as a function that rises with the share (isotonic regression).

    Args:
        answered: in the way "semantic", to questions whose answers are known.
    """
    from sklearn.isotonic import IsotonicRegression

    told = [(a.stated, a.correct) for a in answered if a.stated is not None]
    fitted = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(*zip(*told, strict=True))
    return lambda share: float(fitted.predict([share])[0])


def lessons_of(
    answered: Sequence[Answered], certainty: Callable[[float], float], levels: int, messages: Messages
) -> list[Lesson]:
    """What a model is taught of questions by its random answers: which it gave most, as sure as it is.

    Questions of which most answers are no short ones are left out.  Of a level of n questions each is drawn in
    proportion to n^-1/2: a model that always says what is most probable would else only ever say what is most common.

    Args:
        answered: in the way "semantic"; whether an answer is right makes no difference.
        certainty: that a share of the random answers stands for, in 0-1.
    """
    taught = [(a, text, level_of(certainty(a.stated), levels)) for a in answered if a.stated and (text := _short(a))]
    often = Counter(level for _, _, level in taught)
    return [
        Lesson(
            "\n".join(messages.filled("lc", question=a.question.text)),
            tuple(_capital(form.sentence.format(answer=text)) for form in near(level, 0.5 / levels)),
            level,
            often[level] ** -0.5,
        )
        for a, text, level in taught
    ]


def _short(answered: Answered) -> str:
    """The answer that is taught; '' if it is no short one."""
    answer = answered.answer.rstrip(" .,;:!?")
    return "" if answered.abstained or len(answer.split()) > _MOST_WORDS or "<" in answer else answer


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
