"""The step ``radcal perception``: how people, or a local model, read certainty words, against a reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from radcal import exports
from radcal.audit.perception import perceived, to_json
from radcal.audit.response_files import not_there, read_expressions
from radcal.exports import Exports
from radcal.lexicon.meanings import RADIOLOGISTS
from radcal.progress import SILENT, Progress
from radcal.records.perception import Agreement, Estimate, Perception
from radcal.settings import Settings
from radcal.workflow.audits.perception import ALL_STATEMENTS, read_by_model, reference_of, responses_against
from radcal.workflow.commands.summaries import counted
from radcal.workflow.runs.engines import versions

Summary = dict[str, Any]
_FEW = 10
"""Participants below which the bootstrap tells too little."""
_MOST = 10


def perception_file(
    responses: Path,
    out: Path,
    *,
    reference: str = "",
    expressions: str = "",
    settings: Settings | None = None,
    progress: Progress = SILENT,
) -> Summary:
    """Compare answers with a reference, and write the figures as JSON.

    Args:
        responses: as of :func:`radcal.audit.response_files.read_responses`.
        reference: such a file, or one of the shipped SURVEYS; '' for the answers themselves.
        expressions: those that count: a list between commas, or a file with one a line; '' for all.
        settings: seed, redraws and coverage of the intervals.

    Raises:
        InputError: a file cannot be used or written.
        DataError: no answer is on an expression of the reference.
    """
    settings = settings or Settings()
    answers, meant, name, failures, left_out = responses_against(
        responses, reference, expressions=expressions, progress=progress
    )
    rng = np.random.default_rng(settings.seed)
    found = perceived(answers, meant, rng, draws=settings.bootstrap, confidence=settings.confidence)
    meta = {"reference": name, "left_out": left_out, "failures": failures, **_made_with(settings)}
    _write(out, to_json(found, meta), [responses, Path(reference)])
    people = counted(found.overall.participants, "participant", "participants")
    said = [f"{counted(found.overall.n, 'answer', 'answers')} of {people} against {name}.", *_said(found)]
    if 1 < found.overall.participants < _FEW:
        said.append(f"Intervals from {people} are too narrow: they know nothing of others.")
    if left_out:
        said.append(f"Left out, as asked: {counted(left_out, 'answer', 'answers')} on other expressions.")
    return _summary(found, failures, out, said)


def perception_of_model(
    model: Path,
    out: Path,
    *,
    reference: str = "",
    expressions: str = "",
    shots: int = 0,
    most: int = ALL_STATEMENTS,
    settings: Settings | None = None,
    progress: Progress = SILENT,
) -> Summary:
    """Ask a local model what expressions mean, compare it with a reference, and write the figures as JSON.

    Args:
        model: a GGUF file.
        reference: as of :func:`perception_file`; '' for the survey of radiologists.
        shots, most: as of :func:`radcal.workflow.audits.perception.ask`.

    Raises:
        InputError: a file cannot be used or written.
        EngineError: the model failed.
    """
    settings = settings or Settings()
    wanted = read_expressions(expressions) if expressions else None
    meant, name, failures = reference_of(reference or RADIOLOGISTS, progress)
    if wanted is not None:
        failures += not_there(wanted, set(meant), name)
        meant = {word: meaning for word, meaning in meant.items() if word in wanted}
    reading = read_by_model(model, meant, name, shots=shots, most=most, settings=settings, progress=progress)
    asked = {
        "model": reading.who,
        "model_hash": reading.model_hash,
        "questions": reading.questions,
        "shots": reading.shots,
        "statements": reading.statements,
        "pairs": reading.pairs,
        "reference": name,
        "chances": {meaning.expression: list(meaning.chances) for meaning in reading.meanings},
        "notes": list(reading.notes),
        "failures": failures,
    }
    _write(out, to_json(reading.perception, asked | _made_with(settings)), [model, Path(reference)])
    said = [
        f"{reading.who}, asked about {counted(reading.statements, 'private statement', 'private statements')} and "
        f"{counted(reading.pairs, 'pair', 'pairs')} of a true and a false one, against {name}.",
        *_said(reading.perception),
        *reading.notes,
    ]
    return _summary(reading.perception, failures, out, said)


def _made_with(settings: Settings) -> Summary:
    how = {"seed": settings.seed, "bootstrap": settings.bootstrap, "confidence": settings.confidence}
    return {**how, "versions": versions()}


def _write(out: Path, made: Summary, kept: Sequence[Path]) -> None:
    Exports(kept=kept).write(out, exports.values(made, "perception of words"))


def _said(found: Perception) -> list[str]:
    """The figures in lines for people."""
    overall, bias = found.overall, found.knowledge_bias
    lines = [
        f"  share of the reference at the answer given most: {_shares(overall.mode_pa)}",
        f"  proportional agreement: {_shares(overall.pa)}",
        f"  error of the means: {_points(overall.mae)}",
        f"  distance of the distributions: {_points(overall.w1)}",
    ]
    if bias.difference is not None:
        side = "higher" if bias.difference >= 0 else "lower"
        lines.append(
            f"  true statements: {abs(bias.difference):.1f} points {side} than false ones "
            f"(one-sided p = {bias.p_value:.3g}, n = {bias.n})"
        )
    widest = sorted(found.expressions, key=_apart, reverse=True)[:3]
    lines += [f"  {a.expression!r}: {a.mean.value:.0f} %, reference {a.reference_mean:.0f} %" for a in widest]
    return lines


def _apart(agreement: Agreement) -> float:
    return abs((agreement.mean.value or 0.0) - agreement.reference_mean)


def _shares(estimate: Estimate) -> str:
    return _told(estimate, "{:.3f}")


def _points(estimate: Estimate) -> str:
    return _told(estimate, "{:.2f} points")


def _told(estimate: Estimate, form: str) -> str:
    if estimate.low is None or estimate.high is None:
        return f"{form.format(estimate.value)} (not enough data for an interval)"
    number = form.removesuffix(" points")
    return f"{form.format(estimate.value)} ({number.format(estimate.low)}\u2013{number.format(estimate.high)})"


def _summary(found: Perception, failures: Sequence[Mapping[str, Any]], out: Path, said: list[str]) -> Summary:
    if found.unanswered:
        said.append(
            f"Without an answer: {counted(len(found.unanswered), 'expression', 'expressions')} of the reference."
        )
    said.append(f"The figures of each expression are in {out}.")
    if failures:
        said.append(f"Listed ({len(failures):,}):")
        for f in failures[:_MOST]:
            where = f["file"] if f["row"] is None else f"{f['file']}, row {f['row']}"
            said.append(f"  {where}: {f['reason']} {f['remedy']}")
        if len(failures) > _MOST:
            said.append(f"  ... and {len(failures) - _MOST:,} more (--json lists them)")
    overall = found.overall
    return {
        "mode_pa": overall.mode_pa.value,
        "pa": overall.pa.value,
        "mae": overall.mae.value,
        "w1": overall.w1.value,
        "expressions": len(found.expressions),
        "unanswered": list(found.unanswered),
        "failures": list(failures),
        "out": str(out),
        "text": "\n".join(said),
    }
