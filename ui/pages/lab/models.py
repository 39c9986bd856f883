"""The table of models: one row for each model on each question set."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from radcal.lab.recalibrating import METHODS
from ui.kit.column import Column, count, estimated, measured
from ui.sentences import method_name
from ui.words import decimal_interval, percent, rate, say

if TYPE_CHECKING:
    from radcal.advice.records import Method
    from radcal.lab.speakers import Speaker
    from radcal.system.estimates import Estimate

SCORES = ("ece", "brier", "accuracy")


class Row(NamedTuple):
    """A model on a question set.  taken: it is in the workspace"""

    speaker: Speaker
    taken: bool


def score_name(score: str) -> str:
    """One of SCORES."""
    return {"ece": say("ECE"), "brier": say("Brier score"), "accuracy": say("accuracy")}[score]


def score_of(speaker: Speaker, method: Method, score: str) -> Estimate | None:
    """The score by a method, None where there is none."""
    if speaker.recalibrated is None or method not in speaker.recalibrated.methods:
        return None
    found: Estimate = getattr(speaker.recalibrated.methods[method], score)
    return found


def columns(score: str = "ece") -> tuple[Column, ...]:
    """One of SCORES by every method."""

    def by(method: Method) -> Column:
        return estimated(
            method_name(method),
            lambda row: score_of(row.speaker, method, score),
            rate if score == "accuracy" else decimal_interval,
            missing=say("not enough data"),
            tip=lambda row: row.speaker.reason,
            meaning=score_name(score),
            width=122,
        )

    return (
        Column(say("model"), lambda row: row.speaker.author, width=168),
        Column(say("question set"), lambda row: row.speaker.topic, width=104),
        count(say("n"), lambda row: row.speaker.n, width=60),
        measured(say("says"), lambda row: row.speaker.stated, percent, width=52),
        measured(say("right"), lambda row: row.speaker.right, percent, width=52),
        *(by(method) for method in METHODS),
        Column(say("in the workspace"), lambda row: say("yes") if row.taken else ""),
    )
