"""What a model is taught: its own answers, said with as much certainty as it has."""

from __future__ import annotations

from collections.abc import Sequence
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


def lesson(answered: Answered, messages: Messages, levels: int) -> Lesson | None:
    """What a model is taught of a question by its random answers; None where most of these are no short answer.

    Whether they are right is not looked at.

    Args:
        answered: in the way "semantic".
    """
    answer = answered.answer.rstrip(" .,;:!?")
    if answered.abstained or not answered.stated or not answer or len(answer.split()) > _MOST_WORDS or "<" in answer:
        return None
    message, lead = messages.filled("lc", question=answered.question.text)
    sentences = (f.sentence.format(answer=answer) for f in near(level_of(answered.stated, levels), 0.5 / levels))
    return Lesson(f"{message}\n{lead}", tuple(s[:1].upper() + s[1:] for s in sentences))
