"""Accuracy of an engine on a gold set: overall, by pathology and by phrase."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from radcal.findings.records import Finding
from radcal.review.evaluation import evaluate
from radcal.review.records import Disagreement, Draw, EngineAccuracy, EngineRun, Gold, Score

_BOOTSTRAP = 400
"""Resamples of reports behind the intervals of F1: they are drawn anew after every report that is finished."""


def measure(
    gold: Gold,
    found: Sequence[Finding],
    run: EngineRun,
    reports: Sequence[str],
    *,
    drawn: Draw,
    size: int,
    phrases: Sequence[str] | None,
    seed: int,
) -> EngineAccuracy:
    """The engine's accuracy on ``reports``, the gold reports it has read.

    Args:
        gold: what holds of the reports that people have finished.
        found: the engine's findings in ``reports``.
        run: the engine's run.
        drawn, size: of the gold set.
        phrases: of the lexicon, in its order; None without the figures by pathology and by phrase.
        seed: of the bootstrap.
    """
    read, detail = set(reports), phrases is not None
    truth = [f for f in gold.statements if f.report_id in read]
    found = [f for f in found if (f.report_id, f.pathology) not in gold.left_out]
    names = sorted({f.pathology for f in (*truth, *found)}) if detail else []
    said = {f.phrase for f in (*truth, *found)} if detail else set()
    worded = [p for p in phrases or () if p in said]
    worded += sorted(said.difference(worded))
    return EngineAccuracy(
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
        in_sight=len(gold.in_sight.intersection(reports)),
        answers=gold.answers,
        accepted=gold.accepted,
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


def _only(
    field: str, name: str, truth: Sequence[Finding], found: Sequence[Finding]
) -> tuple[list[Finding], list[Finding]]:
    first, second = ([f for f in findings if getattr(f, field) == name] for findings in (truth, found))
    return first, second


def _scores(
    truth: Sequence[Finding], found: Sequence[Finding], reports: Sequence[str], grains: Sequence[str], seed: int
) -> tuple[Score, ...]:
    scored = evaluate(truth, found, reports, bootstrap=_BOOTSTRAP, seed=seed)
    return tuple(_with_interval(scored.grain(name)) for name in grains)


def _differing(truth: Sequence[Finding], found: Sequence[Finding], reports: Sequence[str]) -> tuple[Disagreement, ...]:
    """The differences, in report order."""
    place = {report_id: i for i, report_id in enumerate(reports)}
    differing = evaluate(truth, found, reports, bootstrap=0).disagreements
    return tuple(sorted(differing, key=lambda d: place[d.report_id]))


def _with_interval(score: Score) -> Score:
    """The score with an interval of F1 when all resamples are identical, e.g. at full agreement.

    A bootstrap knows nothing of what it has not seen; the limits of precision and recall do.
    """
    if score.f1_low != score.f1_high:  # which holds of NaN, too
        return score
    low = _harmonic(score.precision_low, score.recall_low)
    return replace(score, f1_low=low, f1_high=_harmonic(score.precision_high, score.recall_high))


def _harmonic(a: float, b: float) -> float:
    return 2 * a * b / (a + b) if a + b > 0 else 0.0
