"""The results of a review as tables: scores, agreement coefficients, and differences between readers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan
from typing import TYPE_CHECKING

from ui.kit.column import Column, RecordModel, count, measured, report_column
from ui.sentences import topic_name
from ui.words import decimal_interval, listed, percent, quoted, rate, say

if TYPE_CHECKING:
    from radcal.findings.records import Finding
    from radcal.review.records import Dispute, Kappa, Score

_NONE = "\u2013"


def score_model(name: str, shown: Callable[[str], str] = str) -> RecordModel:
    """Scores, one per row; ``name`` heads the first column, ``shown`` puts its names into words."""
    return RecordModel(
        (
            Column(name, lambda s: shown(s.name), width=280),
            count(say("in the gold"), lambda s: s.gold, say("Statements that people found"), width=84),
            count(say("engine"), lambda s: s.found, say("Statements that the engine found"), width=72),
            count(say("both"), lambda s: s.hits, say("Statements that both found"), width=60),
            Column(
                say("precision"),
                lambda s: share(s.precision, s.precision_low, s.precision_high),
                True,
                lambda s: s.precision,
                meaning=say("How many of the engine\u2019s statements are right, with the 95 % interval"),
                width=132,
            ),
            Column(
                say("recall"),
                lambda s: share(s.recall, s.recall_low, s.recall_high),
                True,
                lambda s: s.recall,
                meaning=say("How many of the statements the engine found, with the 95 % interval"),
                width=132,
            ),
            Column(
                say("F1"),
                f1_text,
                True,
                lambda s: s.f1,
                meaning=say("Precision and recall in one figure, with the 95 % interval from drawing reports anew"),
                width=140,
            ),
        )
    )


def grain_name(name: str) -> str:
    """A grain of comparison in plain words; other names unchanged."""
    return {
        "mention": say("pathology mentioned"),
        "assertion": say("present, absent or hedged"),
        "graded phrase": say("exact phrase"),
    }.get(name, name)


def share(value: float, low: float, high: float) -> str:
    """A proportion with its interval, a dash if the denominator is 0."""
    return _NONE if isnan(value) else rate(value, low, high)


def f1_text(score: Score) -> str:
    """The F1 score with its interval, if known; a dash if undefined."""
    if isnan(score.f1):
        return _NONE
    gap = isnan(score.f1_low)
    return decimal_interval(score.f1, None if gap else score.f1_low, None if gap else score.f1_high)


def agreed_model(width: int) -> RecordModel:
    """Agreement coefficients, one per row; ``width`` of what they are of, in pixels."""
    return RecordModel(
        (
            Column(say("agreement on"), lambda a: agreed_name(a.what), width=width),
            count(say("n"), lambda a: a.n, say("Pairs of a report and a pathology"), width=64),
            Column(
                say("kappa"),
                kappa_text,
                True,
                lambda a: a.value,
                meaning=say("Cohen\u2019s kappa, agreement beyond chance, with its 95 % interval; 1 is perfect"),
                width=132,
            ),
            measured(
                say("agree"),
                lambda a: a.observed,
                percent,
                say("How often the two agree, chance included"),
                missing=_NONE,
                width=64,
            ),
            measured(
                say("by chance"),
                lambda a: a.expected,
                percent,
                say("How often they would agree by chance, using the answers as often as they do"),
                missing=_NONE,
            ),
        )
    )


def agreed_name(what: str) -> str:
    """What a coefficient measures agreement on, in plain words."""
    return {
        "assertion": say("not mentioned, absent, hedged or present"),
        "assertion where both mention it": say("absent, hedged or present, where both mention it"),
        "phrase": say("the phrase, weighted by how close the two are"),
    }.get(what) or topic_name(what)


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
            Column(say("second reader"), lambda d: says(d.second, d.unsure[1])),
            Column(say("decided"), decided),
        )
    )


def differing_model() -> RecordModel:
    """Differences between gold and engine, one per row."""
    return RecordModel(
        (
            report_column(width=140),
            Column(say("pathology"), lambda d: topic_name(d.pathology), width=160),
            Column(say("people read"), lambda d: d.gold or _NONE, width=190),
            Column(say("the engine read"), lambda d: d.found or _NONE, width=190),
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
