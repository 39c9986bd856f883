"""``radcal lab perception``: how people, or a local model, read certainty words, against a reference."""

from __future__ import annotations

import argparse
from pathlib import Path

from radcal.cli.settings import settings_of
from radcal.cli.summaries import Summary, counted, fields_of, written
from radcal.lab.model_perception import ALL_STATEMENTS, GENERAL, lexicon_of, read_by_model, read_by_people, reference_of
from radcal.lab.perception import Agreement, Checks, Decoded, Estimate, Perception, checks_to_json, to_json
from radcal.lab.responses import RADIOLOGISTS
from radcal.system import exports
from radcal.system.components import versions
from radcal.system.errors import InputError
from radcal.system.exports import Exports
from radcal.system.progress import Progress
from radcal.words.phrases import table_text

_FEW = 10
"""Participants below which the bootstrap tells too little."""


def perception(args: argparse.Namespace, bar: Progress) -> Summary:
    """Compare answers, or those of a local model, with a reference, and write the figures as JSON.

    Raises:
        InputError: a file cannot be used or written.
        DataError: no answer is on an expression of the reference.
        EngineError: the model failed.
    """
    if (args.responses is None) == (args.model is None):
        raise InputError("Give either RESPONSES.csv, or --model FILE.gguf to ask a local model.")
    of_models = (args.shots is not None, args.statements, args.known, args.examples, args.lexicon, args.adapter)
    if args.model is None and any(of_models):
        raise InputError(
            "--shots, --statements, --known, --examples, --lexicon and --adapter are about asking a model: they go "
            "with --model, not with answers."
        )
    settings, meta = settings_of(args), Summary()
    meant_by = None
    if args.model is None:
        reading, failures = read_by_people(args.responses, args.reference, settings, bar)
        n, who = reading.perception.overall.n, reading.perception.overall.participants
        people = counted(who, "participant", "participants")
        said = [
            f"{counted(n, 'answer', 'answers')} of {people} against {reading.reference}.",
            *_said(reading.perception),
        ]
        if 1 < who < _FEW:
            said.append(f"Intervals from {people} are too narrow: they know nothing of others.")
    else:
        meant, name, failures = reference_of(args.reference or RADIOLOGISTS, bar)
        how = {"shots": args.shots or 0, "known": args.known or GENERAL, "examples": args.examples}
        more = {**how, "most": args.statements or 2 * ALL_STATEMENTS, "adapter": args.adapter}
        reading = read_by_model(args.model, meant, name, **more, settings=settings, progress=bar)
        meant_by = reading
        meta = checks_to_json(reading.checks) if reading.checks else Summary()
        meta |= fields_of(reading, "model_hash", "questions", "shots", "statements", "pairs", model="who") | {
            "chances": {meaning.expression: list(meaning.chances) for meaning in reading.meanings},
            "known": how["known"],
            "notes": list(reading.notes),
            "adapter": args.adapter and args.adapter.name,
        }
        said = [
            f"{reading.who}, asked about {counted(reading.statements, 'private statement', 'private statements')} and "
            f"{counted(reading.pairs, 'pair', 'pairs')} of a true and a false one, against {name}.",
            *_said(reading.perception),
            *(_checked(reading.checks) if reading.checks else ()),
            *reading.notes,
        ]
    found, made_with = reading.perception, fields_of(settings, "seed", "bootstrap", "confidence")
    meta |= {"reference": reading.reference, "failures": failures, **made_with, "versions": versions()}
    kept = [args.model or args.responses, *([Path(args.reference)] if args.reference else [])]
    if args.lexicon is not None and meant_by is not None:
        text = table_text(lexicon_of(meant_by), counts=False)
        Exports(kept=[*kept, args.out]).write(args.lexicon, exports.text(text, "lexicon of a model"))
        kept.append(args.lexicon)
    Exports(kept=kept).write(args.out, exports.values(to_json(found, meta), "perception of words"))
    if found.unanswered:
        said.append(
            f"Without an answer: {counted(len(found.unanswered), 'expression', 'expressions')} of the reference."
        )
    said.append(f"The figures of each expression are in {args.out}.")
    figures = fields_of(found.overall, mode_pa="mode_pa.value", pa="pa.value", mae="mae.value", w1="w1.value")
    counts = {"expressions": len(found.expressions), "unanswered": list(found.unanswered)}
    return written(args.out, said, figures | counts, failures, "Listed")


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


def _checked(found: Checks) -> list[str]:
    """What else the answers of a model show, in lines for people."""

    def figures(way: Decoded) -> str:
        parts = [("private", way.private), *([("true or false", way.verifiable)] if way.verifiable else [])]
        return "; ".join(
            f"{name}: PA {a.pa.value:.3f}, MAE {a.mae.value:.2f}, W1 {a.w1.value:.2f}, spread {a.iqr.value:.1f}"
            for name, a in parts
        )

    names = ("private as unknown", "true as true", "false as false")
    beliefs = ", ".join(f"{name} {_shares(share)}" for name, share in zip(names, found.beliefs, strict=False))
    lines = [
        f"  all chances: {figures(found.chances)}",
        f"  likeliest number alone: {figures(found.greedy)}",
        f"  its own verdicts: {beliefs}",
    ]
    if found.examples:
        shown = ", ".join(f"{truth} {all_:.2f} and {one:.2f}" for truth, all_, one in found.examples)
        lines.append(f"  points apart by the truth of worked answers, all chances and the likeliest: {shown}")
    return lines


def _apart(agreement: Agreement) -> float:
    return abs((agreement.mean.value or 0.0) - agreement.reference_mean)


def _shares(estimate: Estimate) -> str:
    return _told(estimate, "{:.3f}")


def _points(estimate: Estimate) -> str:
    return _told(estimate, "{:.2f} points")


def _told(estimate: Estimate, form: str) -> str:
    if estimate.value is None:
        return "-"
    if estimate.low is None or estimate.high is None:
        return f"{form.format(estimate.value)} (not enough data for an interval)"
    number = form.removesuffix(" points")
    return f"{form.format(estimate.value)} ({number.format(estimate.low)}\u2013{number.format(estimate.high)})"
