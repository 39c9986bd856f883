"""Language models as speakers: their answers, and how well their certainty can be recalibrated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from radcal.advice.records import Method
from radcal.reliability.records import Reliability
from radcal.system.estimates import Estimate
from radcal.system.text import EMPTY, Text
from radcal.words.records import Phrase, Speech

if TYPE_CHECKING:
    import pandas as pd

ANSWER_COLUMNS = {
    "author": "str: the model",
    "topic": "str: the question set",
    "phrase": "str: how certain it was: the name of a phrase, a number in 0-1, or 'Beta(a, b)'; unknown words verbatim",
    "outcome": "float: 1 right, 0 wrong",
    "row": "int: line of the file, 1 for the first",
}
"""What is kept of an answer; neither question nor answer is."""


METHODS: tuple[Method, ...] = ("none", "advice", "ordered", "transport", "platt", "histogram")
"""What may become of a model's certainty."""

Choice = Literal["best", "even"]
"""How the words of a smaller set were chosen: for the model, or at equal steps along the scale."""


@dataclass(frozen=True, slots=True)
class UnknownWords:
    """Words of certainty that are in no list, as they were written.

    n: answers with them;  file, row: the first of these
    """

    words: str
    n: int
    file: str
    row: int


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """The usable answers of a file.

    answers: columns ANSWER_COLUMNS, in the order of the file
    said: the numbers and Betas of these answers, and phrases of further lists, weakest first; those of the lexicon
        are not among them
    rejected: rows that cannot be used: file, row, reason, remedy
    percent: the models whose numbers were read as percentages although no sign says so
    unknown: words in no list, those of most answers first
    abstained: rows left out because the model gave no answer
    """

    answers: pd.DataFrame
    said: tuple[Phrase, ...]
    rejected: pd.DataFrame
    percent: tuple[str, ...] = ()
    unknown: tuple[UnknownWords, ...] = ()
    abstained: int = 0


@dataclass(frozen=True, slots=True)
class Scores:
    """ECE and Brier score, the less the better, and accuracy, each in 0-1, on answers that nothing was fitted to."""

    ece: Estimate
    brier: Estimate
    accuracy: Estimate


@dataclass(frozen=True, slots=True)
class SetSize:
    """What the ordered plan without guards reaches with so many words.

    words: the set, weakest first, as chosen on all answers
    """

    choice: Choice
    words: tuple[str, ...]
    scores: Scores


@dataclass(frozen=True, slots=True)
class Mapped:
    """What each method maps something that a model says to: what to read instead.

    mean: what ``source`` means, 0-1;  n, rate: answers with it, and the share (0-1) of them that was right
    advice, ordered: the word that the plan puts in its place
    transport: the words of the paper's transport with their shares, the largest first
    platt, histogram: probabilities in 0-1
    """

    source: str
    mean: float
    n: int
    rate: float
    advice: str
    ordered: str
    transport: tuple[tuple[str, float], ...]
    platt: float
    histogram: float


@dataclass(frozen=True, eq=False)
class Recalibrated:
    """What each method makes of a speaker's certainty.

    methods: on statements that they were not fitted to;  failed: methods that gave no answer, and why
    sizes: sets of 2, 3, ... words of the lexicon;  mappings: fitted on all statements, weakest first
    """

    methods: Mapping[Method, Scores]
    failed: Mapping[Method, Text]
    sizes: tuple[SetSize, ...]
    mappings: tuple[Mapped, ...]


@dataclass(frozen=True, eq=False)
class Speaker:
    """One model on one question set.

    right: share of answers that are right, 0-1;  stated: mean certainty, 0-1
    speech: answers by how certainty was said;  different: number of different ways
    reliability: of all answers, as of a radiologist on a pathology
    recalibrated: None where ``reason`` says that there are too few answers
    """

    author: str
    topic: str
    n: int
    right: float
    stated: float
    speech: Mapping[Speech, int]
    different: int
    reliability: Reliability
    recalibrated: Recalibrated | None = None
    reason: Text = EMPTY


@dataclass(frozen=True, eq=False)
class Speakers:
    """All models of a file on all question sets.

    unknown: words in no list, with the number of answers left out for them
    phrases: the words of the lexicon, and what else the models said
    abstained: rows left out because the model gave no answer
    """

    speakers: tuple[Speaker, ...]
    unknown: Mapping[str, int]
    phrases: tuple[Phrase, ...]
    rejected: tuple[Mapping[str, object], ...] = ()
    percent: tuple[str, ...] = ()
    n: int = 0
    abstained: int = 0
