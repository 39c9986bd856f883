"""A survey filled in by colleagues: which range of certainty does each word mean?

The ranges are those of the published survey of radiologists (Shinagare et al., J Am Coll Radiol 2019;16:458-464), so
that answers can be laid beside it and become distributions by the same exact moments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from radcal.system.errors import InputError
from radcal.words.phrases import Lexicon, plain
from radcal.words.records import ABSENT, PRESENT, Phrase
from radcal.words.surveys import from_ranges

RANGES = ((0.0, 0.0), (0.0, 0.05), (0.05, 0.25), (0.25, 0.75), (0.75, 0.9), (0.9, 1.0), (1.0, 1.0))
"""What may be answered: ranges of certainty in 0-1; the first and the last are points."""
FEWEST_ANSWERS = 3
"""Fewer answers on a phrase are no survey of it."""
SKIPPED = -1
"""The answer of somebody who does not use the word, or would not say."""


@dataclass(frozen=True, slots=True)
class Response:
    """One colleague's answers so far.

    name: '' for anonymous;  order: the phrases in the order in which they are asked
    answers: phrase to the number of its range in RANGES, or SKIPPED;  begun, saved: local time, ISO 8601
    """

    key: str
    name: str
    order: tuple[str, ...]
    answers: dict[str, int] = field(default_factory=dict)
    begun: str = ""
    saved: str = ""

    @property
    def next(self) -> int:
        """Index in ``order`` of the first unanswered phrase; its length if there is none."""
        return next((i for i, name in enumerate(self.order) if name not in self.answers), len(self.order))

    @property
    def finished(self) -> bool:
        """Whether every phrase was answered or skipped."""
        return self.next == len(self.order)

    @property
    def answered(self) -> int:
        """How many phrases were given a range."""
        return sum(answer != SKIPPED for answer in self.answers.values())

    def with_answer(self, phrase: str, answer: int) -> Response:
        """The response with one answer added or changed: the number of a range, or SKIPPED."""
        return replace(self, answers={**self.answers, phrase: answer})


@dataclass(frozen=True, slots=True)
class Surveyed:
    """The result of a survey.

    lexicon: of the phrases that enough colleagues answered; None if there is none
    n: respondents with at least one answer;  answers: phrase to its number of answers
    too_few: phrases with fewer than FEWEST_ANSWERS answers;  refused: phrases without a distribution, and why
    """

    lexicon: Lexicon | None
    n: int
    answers: dict[str, int]
    too_few: tuple[str, ...]
    refused: tuple[tuple[str, str], ...]


def shuffled(lexicon: Lexicon, seed: int) -> tuple[str, ...]:
    """The hedges of a lexicon in random order, reproducible by seed.

    Plain present and absent are not asked about: what they mean is not in doubt.
    """
    names = [p.name for p in lexicon.phrases if p.name not in (ABSENT, PRESENT)]
    Random(seed).shuffle(names)  # noqa: S311 - an order of questions, no secret
    return tuple(names)


def from_responses(responses: Sequence[Response], source: str = "") -> Surveyed:
    """The distributions fitted to the answers, by exact moments of the mixture of ranges.

    Args:
        responses: unfinished ones count with what they have.
        source: what the phrases state as theirs; the number of answers is added.
    """
    phrases: list[Phrase] = []
    n = sum(r.answered > 0 for r in responses)
    too_few, refused, counts = [], [], {}
    for name in dict.fromkeys(n for r in responses for n in r.order):
        chosen = [a for r in responses if (a := r.answers.get(name, SKIPPED)) != SKIPPED]
        counts[name] = len(chosen)
        if len(chosen) < FEWEST_ANSWERS:
            too_few.append(name)
            continue
        stated = f"{source or 'survey of the department'}, {len(chosen)} answers"
        try:
            shares = [chosen.count(i) / n for i in range(len(RANGES))]
            phrases.append(from_ranges(name, shares, RANGES, source=stated, asked=n))
        except InputError as error:
            refused.append((name, str(error)))
    lexicon = Lexicon((plain(ABSENT), *phrases, plain(PRESENT)), "survey of the department") if phrases else None
    return Surveyed(lexicon, n, counts, tuple(too_few), tuple(refused))
