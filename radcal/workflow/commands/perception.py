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
from radcal.workflow.commands.summaries import Summary, counted, left_out
from radcal.workflow.runs.engines import versions

_FEW = 10
"""Participants below which the bootstrap tells too little."""


def perception_file(
    responses: Path,
    out: Path,
    *,
    reference: str = "",
    expressions: str | None = None,
    settings: Settings | None = None,
    progress: Progress = SILENT,
) -> Summary:
    """Compare answers with a reference, and write the figures as JSON.

    Args:
        responses: as of :func:`radcal.audit.response_files.read_responses`.
        reference: such a file, or one of the shipped SURVEYS; '' for the answers themselves.
        expressions: those that count: a list between commas, or a file with one a line; None for all.
        settings: seed, redraws and coverage of the intervals.

    Raises:
        InputError: a file cannot be used or written.
        DataError: no answer is on an expression of the reference.
    """
    settings = settings or Settings()
    answers, meant, name, failures, others = responses_against(
        responses, reference, expressions=expressions, progress=progress
    )
    rng = np.random.default_rng(settings.seed)
    found = perceived(answers, meant, rng, draws=settings.bootstrap, confidence=settings.confidence)
    meta = {"reference": name, "left_out": others, "failures": failures, **_made_with(settings)}
    _write(out, to_json(found, meta), responses, reference)
    people = counted(found.overall.participants, "participant", "participants")
    said = [f"{counted(found.overall.n, 'answer', 'answers')} of {people} against {name}.", *_said(found)]
    if 1 < found.overall.participants < _FEW:
        said.append(f"Intervals from {people} are too narrow: they know nothing of others.")
    if others:
        said.append(f"Left out, as asked: {counted(others, 'answer', 'answers')} on other expressions.")
    return _summary(found, failures, out, said)


def perception_of_model(
    model: Path,
    out: Path,
    *,
    reference: str = "",
    expressions: str | None = None,
    shots: int = 0,
    most: int = ALL_STATEMENTS,
    settings: Settings | None = None,
    progress: Progress = SILENT,
) -> Summary:
    """Ask a local model what expressions mean, compare it with a reference, and write the figures as JSON.

    Args:
        model: a GGUF file.
        reference: as of :func:`perception_file`; '' for the survey of radiologists.
        expressions: as of :func:`perception_file`.
        shots, most: as of :func:`radcal.workflow.audits.perception.ask`.

    Raises:
        InputError: a file cannot be used or written.
        EngineError: the model failed.
    """
    settings = settings or Settings()
    wanted = None if expressions is None else read_expressions(expressions)
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
    _write(out, to_json(reading.perception, asked | _made_with(settings)), model, reference)
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


def _write(out: Path, made: Summary, read: Path, reference: str) -> None:
    kept = [read, *([Path(reference)] if reference else [])]
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
        "text": "\n".join(said) + left_out(failures, "Listed"),
    }
