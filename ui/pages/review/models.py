"""The results of a review as tables: scores, agreement coefficients, and differences between readers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan
from typing import TYPE_CHECKING

from ui.sentences import topic_name
from ui.widgets.lists import ListColumn, ListTableModel, count, measured, report_column
from ui.words import decimal_interval, listed, percent, quoted, rate, say

if TYPE_CHECKING:
    from radcal.records import Finding
    from radcal.records.gold import Dispute, Kappa, Score

_NONE = "\u2013"


def score_model(name: str, shown: Callable[[str], str] = str) -> ListTableModel:
    """Scores, one per row; ``name`` heads the first column, ``shown`` puts its names into words."""
    return ListTableModel(
        (
            ListColumn(name, lambda s: shown(s.name)),
            count(say("in the gold"), lambda s: s.gold, say("Statements that people found")),
            count(say("engine"), lambda s: s.found, say("Statements that the engine found")),
            count(say("both"), lambda s: s.hits, say("Statements that both found")),
            measured(
                say("precision"),
                lambda s: share(s.precision, s.precision_low, s.precision_high),
                lambda s: s.precision,
                say("How many of the engine\u2019s statements are right, with the 95 % interval"),
            ),
            measured(
                say("recall"),
                lambda s: share(s.recall, s.recall_low, s.recall_high),
                lambda s: s.recall,
                say("How many of the statements the engine found, with the 95 % interval"),
            ),
            measured(
                say("F1"),
                f1_text,
                lambda s: s.f1,
                say("Precision and recall in one figure, with the 95 % interval from drawing reports anew"),
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


def agreed_model() -> ListTableModel:
    """Agreement coefficients, one per row."""
    return ListTableModel(
        (
            ListColumn(say("agreement on"), lambda a: agreed_name(a.what)),
            count(say("n"), lambda a: a.n, say("Pairs of a report and a pathology")),
            measured(
                say("kappa"),
                kappa_text,
                lambda a: a.value,
                say("Cohen\u2019s kappa, agreement beyond chance, with its 95 % interval; 1 is perfect"),
            ),
            measured(
                say("agree"),
                lambda a: _percent(a.observed),
                lambda a: a.observed,
                say("How often the two agree, chance included"),
            ),
            measured(
                say("by chance"),
                lambda a: _percent(a.expected),
                lambda a: a.expected,
                say("How often they would agree by chance, using the answers as often as they do"),
            ),
        )
    )


def _percent(value: float) -> str:
    return _NONE if isnan(value) else percent(value)


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


def dispute_model() -> ListTableModel:
    """Differences between readers, one per row."""
    return ListTableModel(
        (
            report_column(),
            ListColumn(say("pathology"), lambda d: topic_name(d.pathology)),
            ListColumn(say("first reader"), lambda d: says(d.first, d.unsure[0])),
            ListColumn(say("second reader"), lambda d: says(d.second, d.unsure[1])),
            ListColumn(say("decided"), decided),
        )
    )


def differing_model() -> ListTableModel:
    """Differences between gold and engine, one per row."""
    return ListTableModel(
        (
            report_column(),
            ListColumn(say("pathology"), lambda d: topic_name(d.pathology)),
            ListColumn(say("people read"), lambda d: d.gold or _NONE),
            ListColumn(say("the engine read"), lambda d: d.found or _NONE),
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
