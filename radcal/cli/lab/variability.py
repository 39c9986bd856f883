"""``radcal lab variability``: how differently sources word the same contexts, from a file of answers."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal.cli.options import writer
from radcal.cli.settings import settings_of
from radcal.cli.summaries import Summary, counted, written
from radcal.system import exports
from radcal.system.components import versions
from radcal.system.errors import InputError
from radcal.system.progress import Progress

if TYPE_CHECKING:
    from radcal.lab.variability import SourceVariability, Variability

_MOST = 12
"""Sources in the text of the summary; the file has them all."""


def variability(args: argparse.Namespace, bar: Progress) -> Summary:
    """Compare the use of words of all sources of a file, and write it as JSON.

    Raises:
        InputError: a file cannot be used or written, or there is no such reference.
        Cancelled: by the user.
    """
    from radcal.lab.next_words import SAMPLES, with_model
    from radcal.lab.traits import traits
    from radcal.lab.variability import DRAWS, ECE_BINS, RESAMPLES, compare_sources
    from radcal.lab.word_classes import word_classes
    from radcal.lab.word_counts import Answers, read_word_counts

    settings, path = settings_of(args), args.answers
    seed = settings.seed
    if args.samples and not args.model:
        raise InputError("--samples is about asking a model: it goes with --model.")
    read = read_word_counts(path, bar)
    said = read.answers
    if args.model:
        said = with_model(said, args.model, args.samples or SAMPLES, settings, bar)
    answers = Answers.of(word_classes(said, bar) if args.classes else said)
    found = compare_sources(answers, _named(args.reference, answers.sources, path), seed=seed, progress=bar)
    notes = _notes(found, answers, read.merged, read.single)
    rejected = read.rejected.to_dict("records")
    made = {
        "reference": {"source": found.reference or None, "compared_with": _compared_with(found)},
        "sources": [_source(s) for s in found.sources],
        "control": _plain(found.control),
        "contexts": [asdict(context) for context in found.contexts],
        "traits": [_plain(its) for its in traits(answers, found)] if found.reference else [],
        "classes": args.classes,
        "notes": notes,
        "seed": seed,
        "resamples": RESAMPLES,
        "redraws": DRAWS,
        "ece_bins": ECE_BINS,
        "confidence": found.confidence,
        "versions": versions(),
        "rejected": rejected,
    }
    writer(args).write(args.out, exports.values(made, "variability"))
    counts = {"contexts": len(found.contexts), "sources": len(found.sources)}
    lines = [*_lines(found), *notes, f"All is in {args.out}."]
    return written(args.out, lines, {**counts, "control_tvd": found.control.expected_tvd}, rejected)


def _named(reference: str, sources: Sequence[str], path: Path) -> str:
    """The source that is meant: of this name, or else the only one that differs in case and spaces alone."""
    wanted = " ".join(reference.split())
    alike = [s for s in sources if s.casefold() == wanted.casefold()]
    if wanted in sources or not wanted:
        return wanted
    if len(alike) != 1:
        raise InputError(
            "{name} has no source of the name given with --reference. Its sources are: {sources}.",
            name=path.name,
            sources=", ".join(sources[:_MOST]) + (", ..." if len(sources) > _MOST else ""),
        )
    return alike[0]


def _compared_with(found: Variability) -> str:
    return f"the answers of {found.reference}" if found.reference else "all other sources together"


def _plain(record: Any) -> dict[str, Any]:
    values = asdict(record)
    return values | {"reason": str(values["reason"]) or None}


def _source(source: SourceVariability) -> dict[str, Any]:
    values = _plain(source)
    return values | {
        "missing_contexts": list(values.pop("missing")),
        "contexts_without_reference": list(values.pop("unmatched")),
    }


def _notes(found: Variability, answers: Any, merged: int, single: Sequence[str]) -> list[str]:
    """What a reader of the figures should know, in sentences."""
    from radcal.lab.variability import misled

    notes = []
    if not found.reference:
        notes.append(
            "No reference was named: each source is compared with all other sources together, and the control is made "
            "from halves of everybody's answers. Name one with --reference SOURCE."
        )
    weighted = [s for s, whole in zip(answers.sources, answers.counted, strict=True) if not whole]
    if weighted:
        named = ", ".join(weighted[:_MOST])
        notes.append(f"Counts that are not whole numbers were taken as probabilities: {named}.")
    if single:
        notes.append(f"Each row of a source without counts was taken as one answer: {', '.join(single[:_MOST])}.")
    if merged:
        spellings = counted(merged, "spelling", "spellings")
        notes.append(
            "Words are compared in lower case, with single spaces and without punctuation around them: "
            f"{spellings} became one with another."
        )
    gaps = [(s.source, len(s.missing), len(s.unmatched)) for s in found.sources if s.missing or s.unmatched]
    notes += [
        f"{source}: {counted(missing, 'context', 'contexts')} without an answer of this source, "
        f"{unmatched:,} without one to compare with; left out for this source and listed in the file."
        for source, missing, unmatched in gaps[:_MOST]
    ]
    notes.append(
        "Few answers make every distance larger, the control's too. share_to_improve, same_size_tvd and control_tvd "
        "compare at equal numbers of answers."
    )
    if pair := misled(found.sources):
        better, nearer = pair
        notes.append(
            f"ECE misleads here: by ECE, {better.source} ({better.ece:.2f}) looks better than {nearer.source} "
            f"({nearer.ece:.2f}), yet its words lie farther from the reference's: TVD {better.expected_tvd:.2f} "
            f"against {nearer.expected_tvd:.2f}. ECE asks of the most probable word alone whether it is the "
            "reference's most frequent one."
        )
    return notes


def _lines(found: Variability) -> list[str]:
    control, lines = found.control, []
    if control.expected_tvd is None:
        lines.append(str(control.reason))
    else:
        whose = found.reference or "everybody"
        lines.append(
            f"Control: disjoint halves of the answers of {whose} differ by {control.expected_tvd:.3f}"
            f"{_interval(control.low, control.high)} in {counted(control.n_contexts, 'context', 'contexts')}, "
            f"ECE {control.ece:.3f}; all of them against a half {control.whole_ece:.3f}, against themselves "
            f"{control.own_ece:.3f}."
        )
    if found.sources:
        lines.append(f"Expected TVD from {_compared_with(found)}:")
    else:
        lines.append("There is no other source, so nothing is compared.")
    for s in found.sources[:_MOST]:
        if s.expected_tvd is None:
            lines.append(f"  {s.source}: {s.reason}")
            continue
        improve = "" if s.share_to_improve is None else f", {s.share_to_improve:.0%} of contexts to improve"
        lines.append(
            f"  {s.source}: {s.expected_tvd:.3f}{_interval(s.low, s.high)} in "
            f"{counted(s.n_contexts, 'context', 'contexts')}{improve}; ECE {s.ece:.3f}"
            + ("" if s.half_ece is None else f", against halves {s.half_ece:.3f}")
        )
    if len(found.sources) > _MOST:
        lines.append(f"  ... and {len(found.sources) - _MOST:,} more")
    return lines


def _interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" ({low:.3f}-{high:.3f})"
