"""The results of a review as tables: scores, agreement, and differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING

from ui.kit.column import Column, RecordModel, count, measured, report_column
from ui.sentences import topic_name
from ui.words import decimal_interval, listed, percent, quoted, rate, say

if TYPE_CHECKING:
    from radcal.findings.records import Finding
    from radcal.review.records import Dispute, EngineAccuracy, Kappa, Score

_NONE = "\u2013"


Line = tuple[str, "Score"]
"""What is scored, in words, and its score."""


def lines(found: EngineAccuracy | None) -> list[Line]:
    """The scores over everything, by pathology and by phrase."""
    if found is None:
        return []
    by_grain = [(_matters().get(s.name, s.name), s) for s in found.grains]
    return [
        *by_grain,
        *((topic_name(s.name), s) for s in found.pathologies),
        *((quoted(s.name), s) for s in found.phrases),
    ]


def score_model() -> RecordModel:
    """Scores, one per row."""
    return RecordModel(
        (
            Column(say("finding"), lambda line: line[0], width=260),
            count(say("people"), lambda line: line[1].gold, width=84),
            _shared(say("found"), "recall", say("Of what people read, how much the software found")),
            _shared(say("right"), "precision", say("Of what the software found, how much people confirm")),
            Column(say("overall"), lambda line: overall_text(line[1]), True, lambda line: line[1].f1, width=140),
        )
    )


def _shared(name: str, field: str, meaning: str) -> Column:
    def text(line: Line) -> str:
        value, low, high = (getattr(line[1], field + end) for end in ("", "_low", "_high"))
        return _NONE if isnan(value) else rate(value, low, high)

    return Column(name, text, True, lambda line: getattr(line[1], field), meaning=meaning, width=140)


def _matters() -> Mapping[str, str]:
    """What scores and agreement are of, in plain words."""
    mentioned, stated, phrase = say("pathology mentioned"), say("present, absent or hedged"), say("exact phrase")
    return {
        "mention": mentioned,
        "assertion": stated,
        "graded phrase": phrase,
        "assertion where both mention it": say("present, absent or hedged, where both mention it"),
        "phrase": phrase,
    }


def overall_text(score: Score) -> str:
    """The share read right with its interval, if known; a dash if undefined."""
    if isnan(score.f1):
        return _NONE
    return percent(score.f1) if isnan(score.f1_low) else rate(score.f1, score.f1_low, score.f1_high)


def agreed_model() -> RecordModel:
    """How far two readers agree, one matter per row."""
    return RecordModel(
        (
            Column(say("finding"), lambda a: _matters().get(a.what) or topic_name(a.what), width=360),
            count(say("n"), lambda a: a.n, width=64),
            measured(say("agree"), lambda a: a.observed, percent, missing=_NONE, width=80),
            Column(say("beyond chance"), kappa_text, True, lambda a: a.value, width=140),
        )
    )


def kappa_text(agreed: Kappa) -> str:
    """'0.82 (0.74-0.90)', a dash if chance explains everything."""
    return _NONE if isnan(agreed.value) else decimal_interval(agreed.value, agreed.low, agreed.high)


def dispute_model() -> RecordModel:
    """Differences between readers, one per row."""
    return RecordModel(
        (
            report_column(width=160),
            Column(say("pathology"), lambda d: topic_name(d.pathology), width=180),
            Column(say("first reader"), lambda d: says(d.first, d.unsure[0]), width=160),
            Column(say("second reader"), lambda d: says(d.second, d.unsure[1]), width=160),
            Column(say("decided"), decided),
        )
    )


def differing_model() -> RecordModel:
    """Differences between people and software, one per row."""
    return RecordModel(
        (
            report_column(width=160),
            Column(say("pathology"), lambda d: topic_name(d.pathology), width=180),
            Column(say("people"), lambda d: d.gold or _NONE, width=190),
            Column(say("software"), lambda d: d.found or _NONE, width=190),
        )
    )


def says(statements: Sequence[Finding], unsure: bool) -> str:
    """A reader's statements on a pathology."""
    if unsure:
        return say("unsure")
    if not statements:
        return say("not mentioned")
    return listed([quoted(phrase) for phrase in dict.fromkeys(f.phrase for f in statements)])


def decided(dispute: Dispute) -> str:
    """The adjudicated answer, '' if pending."""
    decision = dispute.decision
    if decision is None:
        return ""
    return say("left out") if decision.left_out else says(decision.statements, unsure=False)
