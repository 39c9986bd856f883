"""The figures of a gold set: how well an engine reads it, and how well two readers agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from radcal.gold.records import (
    Agreed,
    Agreement,
    Answers,
    Differing,
    Draw,
    EngineRun,
    Gold,
    Measured,
    Score,
)
from radcal.records import ABSENT, PRESENT, Finding, Phrase

if TYPE_CHECKING:
    from radcal.gold.agreement import Kappa

_BOOTSTRAP = 400
"""Resamples of reports behind the intervals of F1: they are drawn anew after every report that is finished."""
_NOT_MENTIONED, _HEDGED = "not mentioned", "hedged"
_CATEGORIES = (_NOT_MENTIONED, ABSENT, _HEDGED, PRESENT)


def measure(
    gold: Gold,
    found: Sequence[Finding],
    run: EngineRun,
    reports: Sequence[str],
    *,
    drawn: Draw,
    size: int,
    blind: bool,
    phrases: Sequence[str] | None,
    seed: int,
) -> Measured:
    """How well an engine reads ``reports``, those of the gold that it has read.

    Args:
        gold: what holds of the reports that people have finished.
        found: the engine's findings in ``reports``.
        run: the engine's run.
        drawn, size, blind: of the gold set.
        phrases: of the lexicon, in its order; None without the figures by pathology and by phrase.
        seed: of the bootstrap.
    """
    kept, detail = set(reports), phrases is not None
    truth = [f for f in gold.statements if f.report_id in kept]
    found = [f for f in found if (f.report_id, f.pathology) not in gold.left_out]
    names = sorted({f.pathology for f in (*truth, *found)}) if detail else []
    said = {f.phrase for f in (*truth, *found)} if detail else set()
    worded = [p for p in phrases or () if p in said]
    worded += sorted(said.difference(worded))
    return Measured(
        run_id=run.run_id,
        engine=run.engine,
        version=run.version,
        model=run.model,
        drawn=drawn,
        size=size,
        reports=len(reports),
        unread=len(gold.reports) - len(reports),
        statements=len(truth),
        unsure=gold.unsure,
        waiting=gold.waiting,
        late=gold.late if blind else 0,
        grains=_scores(truth, found, reports, ("mention", "assertion", "graded phrase"), seed),
        pathologies=tuple(
            replace(_scores(*_only("pathology", name, truth, found), reports, ("assertion",), seed)[0], name=name)
            for name in names
        ),
        phrases=tuple(
            replace(_scores(*_only("phrase", name, truth, found), reports, ("graded phrase",), seed)[0], name=name)
            for name in worded
        ),
        differing=_differing(truth, found, reports) if detail else (),
    )


def agreement_of(
    first: str, second: str, both: Mapping[str, tuple[Answers, Answers]], phrases: Sequence[Phrase]
) -> Agreement:
    """How well two readers agree; ``both`` has their answers on each report that both have finished.

    A unit is a report and a pathology that either reader mentions anywhere in the set; where a report states
    it several times, the statement that enters the statistics stands for the report.
    """
    from radcal.extract.report_level import decide
    from radcal.gold.agreement import closeness, cohen_kappa, contingency

    said = [{(f.report_id, f.pathology): f for a in both.values() for f in decide(a[i].statements)} for i in (0, 1)]
    left_out = {(i, p) for i, a in both.items() for p in a[0].unsure | a[1].unsure}
    names = sorted({pathology for view in said for _, pathology in view})
    units = [(i, p) for i in both for p in names if (i, p) not in left_out]
    pairs = [(_category(said[0].get(u)), _category(said[1].get(u))) for u in units]
    table = contingency(pairs, _CATEGORIES)
    mentioned = [(said[0][u], said[1][u]) for u in units if u in said[0] and u in said[1]]
    places = {p.name: p.alpha / (p.alpha + p.beta) for p in phrases}
    worded = [(a.phrase, b.phrase) for a, b in mentioned if a.phrase in places and b.phrase in places]
    used = sorted({phrase for pair in worded for phrase in pair}, key=lambda p: (places[p], p)) or [PRESENT]
    weights = closeness([places.get(p, 0.0) for p in used])
    return Agreement(
        first,
        second,
        len(both),
        (
            _agreed("assertion", cohen_kappa(table)),
            _agreed("assertion where both mention it", cohen_kappa(table[1:, 1:])),
            _agreed("phrase", cohen_kappa(contingency(worded, used), weights)),
        ),
        _CATEGORIES,
        tuple(tuple(int(n) for n in row) for row in table),
        tuple(
            _agreed(
                name,
                cohen_kappa(contingency([p for u, p in zip(units, pairs, strict=True) if u[1] == name], _CATEGORIES)),
            )
            for name in names
        ),
    )


def _only(
    field: str, name: str, truth: Sequence[Finding], found: Sequence[Finding]
) -> tuple[list[Finding], list[Finding]]:
    first, second = ([f for f in findings if getattr(f, field) == name] for findings in (truth, found))
    return first, second


def _scores(
    truth: Sequence[Finding], found: Sequence[Finding], reports: Sequence[str], grains: Sequence[str], seed: int
) -> tuple[Score, ...]:
    from radcal.gold.evaluation import evaluate

    scored = evaluate(truth, found, reports, bootstrap=_BOOTSTRAP, seed=seed)
    fields = [f for f in Score.__dataclass_fields__ if f != "name"]
    return tuple(_with_interval(Score(name, **{f: getattr(scored.grain(name), f) for f in fields})) for name in grains)


def _differing(truth: Sequence[Finding], found: Sequence[Finding], reports: Sequence[str]) -> tuple[Differing, ...]:
    """Where they differ, in the order of the reports."""
    from radcal.gold.evaluation import evaluate

    place = {report_id: i for i, report_id in enumerate(reports)}
    differing = evaluate(truth, found, reports, bootstrap=0).disagreements
    return tuple(
        Differing(d.report_id, d.pathology, d.gold, d.found)
        for d in sorted(differing, key=lambda d: place[d.report_id])
    )


def _with_interval(score: Score) -> Score:
    """The score with an interval of F1 where every resample is alike, as when all agree.

    A bootstrap knows nothing of what it has not seen; the limits of precision and recall do.
    """
    if score.f1_low != score.f1_high:  # which holds of NaN, too
        return score
    low = _harmonic(score.precision_low, score.recall_low)
    return replace(score, f1_low=low, f1_high=_harmonic(score.precision_high, score.recall_high))


def _harmonic(a: float, b: float) -> float:
    return 2 * a * b / (a + b) if a + b > 0 else 0.0


def _category(finding: Finding | None) -> str:
    if finding is None:
        return _NOT_MENTIONED
    return finding.phrase if finding.phrase in (PRESENT, ABSENT) else _HEDGED


def _agreed(what: str, kappa: Kappa) -> Agreed:
    return Agreed(what, kappa.n, kappa.observed, kappa.expected, kappa.value, kappa.low, kappa.high)
